// Checks at load that the bytes are the one index for their names, and that no offset leads out of
// the bytes.

extension NameIndex {
    /// Checks both sections in one pass, in linear time and without allocation. `fingerprintsHold`
    /// checks the fingerprints of the first slots, which are left out here.
    static func check(
        slots: Span<UInt8>, names: Span<UInt8>, ruleCount: Int
    ) throws(TableDecodingError) {
        guard slots.count >= headerSize, names.count < 1 << 31 else {
            throw .malformed("name index: no room for its header")
        }
        let homes = slots.number32(at: 0)
        let slotCount = Int(slots.number32(at: 4))
        let entryCount = Int(slots.number32(at: 8))
        guard slots.count == headerSize + 8 * slotCount, slotCount >= 1,
            Int(homes) == NameIndex.homes(entries: entryCount), slotCount >= Int(homes)
        else {
            throw .malformed("name index: its size does not fit its entries")
        }
        var seen = Contents()
        var fingerprints = FingerprintCheck()
        let firstOfOurs = slotsCheckedBeside(slots)
        var previous: (slot: Int, fingerprint: UInt32, entry: Int)?
        for slot in 0..<slotCount {
            let word = slots.number64(at: headerSize &+ 8 &* slot)
            let fingerprint = UInt32(truncatingIfNeeded: word)
            let offset = UInt32(truncatingIfNeeded: word >> 32)
            if offset == emptySlot {
                guard fingerprint == 0 else {
                    throw .malformed("name index: slot \(slot) is neither empty nor full")
                }
                continue
            }
            let entry = seen.bytes
            guard Int(offset) == entry else {
                throw .malformed("name index: slot \(slot) skips or repeats an entry")
            }
            let name = try seen.addEntry(names, ruleCount: ruleCount)
            guard slot < firstOfOurs || fingerprints.add(fingerprint, of: name, names) else {
                throw .malformed("name index: slot \(slot) or one before has another's fingerprint")
            }
            var expected = home(of: fingerprint, homes: homes)
            if let previous {
                expected = max(expected, previous.slot + 1)
                guard
                    previous.fingerprint < fingerprint
                        || previous.fingerprint == fingerprint
                            && namePrecedes(previous.entry, entry, names)
                else { throw .malformed("name index: slot \(slot) is out of order") }
            }
            guard slot == expected else {
                throw .malformed("name index: slot \(slot) is not where a search looks")
            }
            previous = (slot, fingerprint, entry)
        }
        guard fingerprints.finish(names) else {
            throw .malformed("name index: one of the last slots has another's fingerprint")
        }
        // The last slot is empty, so a search that goes past every entry ends there.
        let used = (previous?.slot ?? -1) + 1
        guard slotCount == max(used + 1, Int(homes)), used < slotCount else {
            throw .malformed("name index: it does not end where it should")
        }
        guard seen.bytes == names.count, seen.entries == entryCount,
            seen.patterns == Int(slots.number32(at: 12)), seen.exact == slots.number64(at: 16),
            seen.oneLabel == slots.number64(at: 24), seen.anyLabels == slots.number64(at: 32)
        else {
            throw .malformed("name index: its header does not describe its entries")
        }
    }

    /// Number of slots, from the first, whose fingerprints `fingerprintsHold` checks. A second
    /// thread hashes the table and then checks these slots. The number is such that it ends at
    /// about the same time as `check`.
    private static func slotsCheckedBeside(_ slots: Span<UInt8>) -> Int {
        max(0, slots.count - headerSize) / 8 / 2
    }

    /// Whether the slots' fingerprints are those of the names that they lead to. The function
    /// believes nothing and may run before every other check. A slot that leads nowhere does not
    /// hold.
    static func fingerprintsHold(slots: Span<UInt8>, names: Span<UInt8>) -> Bool {
        var fingerprints = FingerprintCheck()
        for slot in 0..<slotsCheckedBeside(slots) {
            let word = slots.number64(at: headerSize &+ 8 &* slot)
            let offset = UInt32(truncatingIfNeeded: word >> 32)
            if offset == emptySlot { continue }
            let entry = Int(offset)
            guard entry < names.count else { return false }
            let end = entry + 1 + Int(names[entry])
            guard end <= names.count,
                fingerprints.add(
                    UInt32(truncatingIfNeeded: word), of: (entry + 1)..<end, names)
            else { return false }
        }
        return fingerprints.finish(names)
    }

    private static func namePrecedes(_ left: Int, _ right: Int, _ names: Span<UInt8>) -> Bool {
        let (ours, theirs) = (Int(names[left]), Int(names[right]))
        for index in 1..<(1 + min(ours, theirs)) where names[left + index] != names[right + index] {
            return names[left + index] < names[right + index]
        }
        return ours < theirs
    }

    /// The totals of the entries that were read so far.
    private struct Contents {
        var bytes = 0
        var entries = 0
        var patterns = 0
        var exact: UInt64 = 0
        var oneLabel: UInt64 = 0
        var anyLabels: UInt64 = 0

        /// Checks the next entry and gives the range of its name.
        mutating func addEntry(
            _ names: Span<UInt8>, ruleCount: Int
        ) throws(TableDecodingError) -> Range<Int> {
            let entry = bytes
            guard entry < names.count else { throw .malformed("names: an entry is missing") }
            let count = Int(names[entry])
            let shapeOffset = entry &+ 1 &+ count
            guard (1...253).contains(count), shapeOffset < names.count else {
                throw .malformed("names: the entry at \(entry) does not fit")
            }
            let name = (entry &+ 1)..<shapeOffset
            guard let labels = CanonicalName.labels(name, of: names) else {
                throw .malformed("names: the name at \(entry) is not a canonical host name")
            }
            let shape = names[shapeOffset]
            guard shape != 0, shape < 64 else {
                throw .malformed("names: the entry at \(entry) has no or unknown patterns")
            }
            let bit = NameIndex.bit(forLabels: labels)
            exact |= Contents.part(bit, shape, 0b001_001)
            oneLabel |= Contents.part(bit, shape, 0b010_010)
            anyLabels |= Contents.part(bit, shape, 0b100_100)
            var position = shapeOffset &+ 1
            if shape < 8 {
                // Nearly all entries have no patterns for single ports. They have one rule for each
                // wildcard.
                let count = shape.nonzeroBitCount
                try Contents.checkRules(names, position, count: count, ruleCount)
                position &+= 4 &* count
                patterns &+= count
            } else {
                position = try checkBlocks(names, position, shape, ruleCount)
            }
            bytes = position
            entries &+= 1
            return name
        }

        /// The bit if the shape has one of the kinds, otherwise 0. The answer cannot be predicted,
        /// so the function has no branch.
        private static func part(_ bit: UInt64, _ shape: UInt8, _ kinds: UInt8) -> UInt64 {
            bit &* (shape & kinds == 0 ? 0 : 1)
        }

        /// Checks the blocks of an entry with patterns for single ports. Returns the offset of
        /// their end.
        private mutating func checkBlocks(
            _ names: Span<UInt8>, _ start: Int, _ shape: UInt8, _ ruleCount: Int
        ) throws(TableDecodingError) -> Int {
            var position = start
            for bit in UInt8(0)..<3 {
                if shape & (1 << bit) != 0 {
                    try Contents.checkRules(names, position, count: 1, ruleCount)
                    position += 4
                    patterns += 1
                }
                if shape & (8 << bit) != 0 {
                    position = try checkPorts(names, position, ruleCount)
                }
            }
            return position
        }

        private mutating func checkPorts(
            _ names: Span<UInt8>, _ start: Int, _ ruleCount: Int
        ) throws(TableDecodingError) -> Int {
            guard names.count - start >= 2 else { throw .malformed("names: ports are cut off") }
            let count = Int(names.number16(at: start)) + 1
            guard names.count - start - 2 >= 6 * count else {
                throw .malformed("names: ports are cut off")
            }
            var previous: UInt16 = 0
            for index in 0..<count {
                let port = names.number16(at: start + 2 + 2 * index)
                guard port > previous else { throw .malformed("names: ports are out of order") }
                previous = port
            }
            try Contents.checkRules(names, start + 2 + 2 * count, count: count, ruleCount)
            patterns += count
            return start + 2 + 6 * count
        }

        private static func checkRules(
            _ names: Span<UInt8>, _ start: Int, count: Int, _ ruleCount: Int
        ) throws(TableDecodingError) {
            guard names.count - start >= 4 * count else {
                throw .malformed("names: rules are cut off")
            }
            for index in 0..<count
            where Int(names.number32(at: start + 4 * index)) >= ruleCount {
                throw .malformed("names: a pattern's rule is out of range")
            }
        }
    }

    /// Compares the fingerprints of slots with those of their names, four names at a time. In one
    /// name the multiplication of each octet waits for the one before, so four names together take
    /// little longer than one name.
    private struct FingerprintCheck {
        private struct Claim {
            var name = 0..<0
            var fingerprint: UInt32 = 0
        }

        private var claims = InlineArray<4, Claim>(repeating: Claim())
        private var count = 0

        /// Adds one name. Returns false when one of the fingerprints compared so far is wrong.
        @inline(__always)
        mutating func add(
            _ fingerprint: UInt32, of name: Range<Int>, _ names: Span<UInt8>
        ) -> Bool {
            claims[count] = Claim(name: name, fingerprint: fingerprint)
            count &+= 1
            guard count == 4 else { return true }
            count = 0
            return areRight(names)
        }

        /// Compares the names that remain.
        mutating func finish(_ names: Span<UInt8>) -> Bool {
            for index in 0..<count {
                let name = names.extracting(claims[index].name)
                guard NameIndex.fingerprint(of: name) == claims[index].fingerprint else {
                    return false
                }
            }
            count = 0
            return true
        }

        private func areRight(_ names: Span<UInt8>) -> Bool {
            let (first, second) = (claims[0], claims[1])
            let (third, fourth) = (claims[2], claims[3])
            var hashes = (Hash(), Hash(), Hash(), Hash())
            let shortest = min(
                min(first.name.count, second.name.count), min(third.name.count, fourth.name.count))
            var done = 0
            while done &+ 8 <= shortest {
                done &+= 8
                let words = (
                    names.number64(at: first.name.upperBound &- done),
                    names.number64(at: second.name.upperBound &- done),
                    names.number64(at: third.name.upperBound &- done),
                    names.number64(at: fourth.name.upperBound &- done)
                )
                var shift: UInt64 = 64
                while shift > 0 {
                    shift &-= 8
                    hashes.0.add(UInt8(truncatingIfNeeded: words.0 &>> shift))
                    hashes.1.add(UInt8(truncatingIfNeeded: words.1 &>> shift))
                    hashes.2.add(UInt8(truncatingIfNeeded: words.2 &>> shift))
                    hashes.3.add(UInt8(truncatingIfNeeded: words.3 &>> shift))
                }
            }
            hashes.0.add(names.extracting(first.name), from: done)
            hashes.1.add(names.extracting(second.name), from: done)
            hashes.2.add(names.extracting(third.name), from: done)
            hashes.3.add(names.extracting(fourth.name), from: done)
            return hashes.0.fingerprint == first.fingerprint
                && hashes.1.fingerprint == second.fingerprint
                && hashes.2.fingerprint == third.fingerprint
                && hashes.3.fingerprint == fourth.fingerprint
        }
    }
}

/// The form in which names stand in tables. A name that no canonical host can equal is refused.
private enum CanonicalName {
    /// The number of labels of a name; nil when the name is not canonical. A canonical name has
    /// lower-case letters, digits, hyphens and underscores in labels of 1 to 63 octets between
    /// dots.
    @inline(__always)
    static func labels(_ name: Range<Int>, of names: Span<UInt8>) -> Int? {
        // A load reads up to a million names. Nearly all are read in words of eight octets.
        guard OctetWord.lengths.contains(name.count) else {
            return labelsOctetwise(names.extracting(name))
        }
        var bad: UInt64 = 0
        // One bit for each octet of the name. No label of a name this short can be too long.
        var dots: UInt64 = 0
        var position = 0
        // The last word overlaps the word before it.
        let last = name.count &- 8
        while true {
            let word = names.number64(at: name.lowerBound &+ position)
            let isDot = OctetWord.equal(word, UInt8(ascii: "."))
            bad |= ~(OctetWord.isOfLabel(word) | isDot) & OctetWord.highBits
            bad |= word & OctetWord.highBits
            dots |= OctetWord.gathered(isDot) &<< UInt64(truncatingIfNeeded: position)
            if position == last { break }
            position = min(position &+ 8, last)
        }
        let isEmptyAtAnEnd = dots & (1 | 1 &<< UInt64(truncatingIfNeeded: name.count &- 1)) != 0
        guard bad == 0, dots & dots << 1 == 0, !isEmptyAtAnEnd else { return nil }
        return dots.nonzeroBitCount &+ 1
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
