/// The hash of the comparison form of distinguished names, in the manner of FNV-1a over words of 64
/// bits. It is never stored and has no key. `DistinguishedName.checkedHash` describes its use.
struct NameHash: BitwiseCopyable {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Mixes a word in. The product moves differences towards the high bits, so they are brought
    /// down again.
    @inline(__always)
    mutating func mix(_ word: UInt64) {
        value = (value ^ word) &* 0x100_0000_01B3
        value ^= value >> 32
    }

    /// The hash of an attribute: of its type, by `ObjectIdentifier.code`, and of its value. Values
    /// that are equal by RFC 5280 section 7.1, as `DistinguishedName.isEqual` reads it, have equal
    /// hashes, whatever string types they have. `work` grows where the value is read one character
    /// at a time.
    static func of(
        _ type: UInt128, _ value: DERElement, in bytes: Span<UInt8>, work: inout ReadingWork
    ) -> UInt64 {
        var hash = NameHash()
        hash.mix(UInt64(truncatingIfNeeded: type))
        hash.mix(UInt64(truncatingIfNeeded: type >> 64))
        guard let text = AttributeText(value) else {
            work.octets += value.count
            var octets = PackedOctets(hash)
            for index in value.whole.indices { octets.append(bytes[index]) }
            return octets.finished
        }
        if text.holdsOctets, let whole = hash.mixing(plain: value, in: bytes) { return whole }
        work.octets += value.count
        var characters = text
        var octets = PackedOctets(hash)
        var isFirst = true
        while let character = characters.nextFolded(in: bytes, isFirst: isFirst) {
            isFirst = false
            octets.append(UInt8(truncatingIfNeeded: character))
            if character >= 0x80 {
                octets.append(UInt8(truncatingIfNeeded: character >> 8))
                octets.append(UInt8(truncatingIfNeeded: character >> 16))
            }
        }
        return octets.finished
    }

    /// The hash of a text whose comparison form differs from its octets in nothing but the case of
    /// ASCII letters, eight octets at a time; nil for another text: octets outside ASCII, white
    /// space at an end, runs of it, or white space other than the space.
    private func mixing(plain value: DERElement, in bytes: Span<UInt8>) -> UInt64? {
        guard value.count > 0, value.end >= 8 else { return nil }
        var hash = self
        // Whether the octet before the word is a space: a value must not begin with one.
        var spaceBefore: UInt64 = 0x80
        var position = value.contentStart
        while true {
            let count = value.end &- position
            let word: UInt64
            if count >= 8 {
                word = bytes.number64(at: position)
            } else if count > 0 {
                // The last octets, with zeros behind them.
                let unused = UInt64(truncatingIfNeeded: 8 &* (8 &- count))
                word = bytes.number64(at: value.end &- 8) &>> unused
            } else {
                break
            }
            let spaces = OctetWord.equal(word, UInt8(ascii: " ")) & ~word
            let controls = OctetWord.within(word, 0x09, 0x0D) & ~word
            let runs = spaces & (spaces << 8 | spaceBefore)
            guard (word & OctetWord.highBits) | controls | runs == 0 else { return nil }
            hash.mix(OctetWord.folded(word))
            spaceBefore = spaces >> 56
            position &+= 8
        }
        guard bytes[value.end &- 1] != UInt8(ascii: " ") else { return nil }
        hash.mix(UInt64(truncatingIfNeeded: value.count))
        return hash.value
    }

    /// Mixes octets in, eight in a word, and at the end their number.
    private struct PackedOctets {
        private var hash: NameHash
        private var word: UInt64 = 0
        private var count: UInt64 = 0

        init(_ hash: NameHash) { self.hash = hash }

        mutating func append(_ octet: UInt8) {
            word |= UInt64(octet) &<< (8 &* (count & 7))
            count &+= 1
            guard count & 7 == 0 else { return }
            hash.mix(word)
            word = 0
        }

        var finished: UInt64 {
            var finished = hash
            if count & 7 != 0 { finished.mix(word) }
            finished.mix(count)
            return finished.value
        }
    }
}
