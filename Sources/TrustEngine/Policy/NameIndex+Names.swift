// The checks of each name of the index when a table is loaded: its form and its fingerprint. A load
// reads up to a million names. Most of the time of a load goes into these checks, into reading and
// into hashing the table.

extension NameIndex {
    /// Compares the fingerprints of slots with the fingerprints of their names. In one name the
    /// multiplication of each octet waits for the one before, so four names of one length are read
    /// together, which takes little longer than one name. A name waits until four of its length are
    /// there.
    struct FingerprintCheck {
        private struct Claim: BitwiseCopyable {
            /// Offset of the name.
            var start: UInt32 = 0
            var fingerprint: UInt32 = 0
        }

        /// Four places for each length, of which `waiting` are taken.
        private var claims = InlineArray<1_024, Claim>(repeating: Claim())
        private var waiting = InlineArray<256, UInt8>(repeating: 0)

        /// Adds one name of at most 255 octets. Returns false when one of the fingerprints compared
        /// so far is wrong.
        @inline(__always)
        mutating func add(
            _ fingerprint: UInt32, of name: Range<Int>, _ names: Span<UInt8>
        ) -> Bool {
            let count = name.upperBound &- name.lowerBound
            let taken = waiting[count]
            claims[4 &* count &+ Int(taken)] = Claim(
                start: UInt32(truncatingIfNeeded: name.lowerBound), fingerprint: fingerprint)
            guard taken == 3 else {
                waiting[count] = taken &+ 1
                return true
            }
            waiting[count] = 0
            return areRight(count, names)
        }

        /// Compares the names that remain.
        mutating func finish(_ names: Span<UInt8>) -> Bool {
            for count in waiting.indices where waiting[count] > 0 {
                // The first name takes the places that are free.
                for index in Int(waiting[count])..<4 {
                    claims[4 * count + index] = claims[4 * count]
                }
                waiting[count] = 0
                guard areRight(count, names) else { return false }
            }
            return true
        }

        /// Compares four names of `count` octets. It is mutating so that the claims are not copied.
        private mutating func areRight(_ count: Int, _ names: Span<UInt8>) -> Bool {
            let (first, second) = (claims[4 &* count], claims[4 &* count &+ 1])
            let (third, fourth) = (claims[4 &* count &+ 2], claims[4 &* count &+ 3])
            let octets = (
                names.extracting(Int(first.start)..<(Int(first.start) &+ count)),
                names.extracting(Int(second.start)..<(Int(second.start) &+ count)),
                names.extracting(Int(third.start)..<(Int(third.start) &+ count)),
                names.extracting(Int(fourth.start)..<(Int(fourth.start) &+ count))
            )
            var hashes = (Hash(), Hash(), Hash(), Hash())
            for position in (0..<count).reversed() {
                hashes.0.add(octets.0[position])
                hashes.1.add(octets.1[position])
                hashes.2.add(octets.2[position])
                hashes.3.add(octets.3[position])
            }
            return hashes.0.fingerprint == first.fingerprint
                && hashes.1.fingerprint == second.fingerprint
                && hashes.2.fingerprint == third.fingerprint
                && hashes.3.fingerprint == fourth.fingerprint
        }
    }
}

/// The form in which names stand in tables. A name that no canonical host can equal is refused.
enum CanonicalName {
    /// The number of labels of a name; nil when the name is not canonical. A canonical name has
    /// lower-case letters, digits, hyphens and underscores in labels of 1 to 63 octets between
    /// dots.
    ///
    /// - Parameter name: the name and the octet behind it.
    @inline(__always)
    static func labels(_ name: Span<UInt8>) -> Int? {
        // Nearly all names are read in words of sixteen octets, the last of which overlaps the one
        // before, and shorter names in two words of eight.
        let count = name.count &- 1
        guard OctetWord.lengths.contains(count) else {
            return labelsOctetwise(name.extracting(0..<count))
        }
        let lanes = SixteenOctets.Octets(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
        func from(_ lane: Int) -> SixteenOctets.Lanes {
            lanes .>= SixteenOctets.Octets(repeating: UInt8(truncatingIfNeeded: lane))
        }
        var form = SixteenOctets()
        if count < 16 {
            form.add(
                SixteenOctets.halves(name, 0, count &- 8),
                next: SixteenOctets.halves(name, 1, count &- 7),
                isNew: .!from(8) .| from(24 &- count))
        } else {
            var position = 0
            while position &+ 16 < count {
                form.add(
                    SixteenOctets.whole(name, position),
                    next: SixteenOctets.whole(name, position &+ 1), isNew: from(0))
                position &+= 16
            }
            let last = count &- 16
            form.add(
                SixteenOctets.whole(name, last), next: SixteenOctets.whole(name, last &+ 1),
                isNew: from(position &- last))
        }
        // No label of a name this short can be too long.
        guard form.isGood, name[0] != UInt8(ascii: "."), name[count &- 1] != UInt8(ascii: ".")
        else { return nil }
        return form.dots &+ 1
    }

    private static func labelsOctetwise(_ name: Span<UInt8>) -> Int? {
        var labels = 1
        var labelStart = 0
        for position in 0..<name.count {
            let octet = name[position]
            if octet == UInt8(ascii: ".") {
                guard (1...63).contains(position - labelStart) else { return nil }
                labels += 1
                labelStart = position + 1
            } else {
                let word = UInt64(octet) &* OctetWord.ones
                guard octet < 0x80, OctetWord.isOfLabel(word) & 0x80 != 0 else { return nil }
            }
        }
        return (1...63).contains(name.count - labelStart) ? labels : nil
    }
}

/// What was found in a name that is read sixteen octets at a time.
private struct SixteenOctets {
    typealias Octets = SIMD16<UInt8>
    typealias Lanes = SIMDMask<SIMD16<Int8>>

    /// Not zero where an octet was of no name, or a dot before a dot.
    private var bad = Octets(repeating: 0)
    private var dotCounts = Octets(repeating: 0)

    /// Adds octets. `next` are the octets behind each of them. Dots count at the places that are
    /// new; those at the others were counted before.
    @inline(__always)
    mutating func add(_ octets: Octets, next: Octets, isNew: Lanes) {
        let (none, one) = (Octets(repeating: 0), Octets(repeating: 1))
        let dot = Octets(repeating: UInt8(ascii: "."))
        let isDot = octets .== dot
        let isLetter = (octets &- Octets(repeating: UInt8(ascii: "a"))) .< Octets(repeating: 26)
        let isDigit = (octets &- Octets(repeating: UInt8(ascii: "0"))) .< Octets(repeating: 10)
        let isLine =
            (octets .== Octets(repeating: UInt8(ascii: "-")))
            .| (octets .== Octets(repeating: UInt8(ascii: "_")))
        bad |= one.replacing(with: none, where: isLetter .| isDigit .| isLine .| isDot)
        bad |= none.replacing(with: one, where: isDot .& (next .== dot))
        dotCounts &+= none.replacing(with: one, where: isDot .& isNew)
    }

    @inline(__always)
    var isGood: Bool { bad.max() == 0 }

    @inline(__always)
    var dots: Int { Int(dotCounts.wrappedSum()) }

    @inline(__always)
    static func whole(_ name: Span<UInt8>, _ start: Int) -> Octets {
        let part = name.extracting(start..<(start &+ 16))
        return Octets(
            part[0], part[1], part[2], part[3], part[4], part[5], part[6], part[7], part[8],
            part[9], part[10], part[11], part[12], part[13], part[14], part[15])
    }

    @inline(__always)
    static func halves(_ name: Span<UInt8>, _ low: Int, _ high: Int) -> Octets {
        Octets(lowHalf: half(name, low), highHalf: half(name, high))
    }

    @inline(__always)
    private static func half(_ name: Span<UInt8>, _ start: Int) -> SIMD8<UInt8> {
        let part = name.extracting(start..<(start &+ 8))
        return SIMD8(part[0], part[1], part[2], part[3], part[4], part[5], part[6], part[7])
    }
}
