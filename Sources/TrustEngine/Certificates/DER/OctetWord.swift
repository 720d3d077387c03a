/// Functions on eight octets at once. Each answer is the high bit of its octet. Octets from 0x80 on
/// give wrong answers and are checked apart; below 0x80 no sum leaves its octet.
enum OctetWord {
    static let ones: UInt64 = 0x0101_0101_0101_0101
    static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The lengths of names that are read in words.
    static let lengths = 8...63

    /// The octets that are lower-case letters, digits, hyphens or underscores.
    @inline(__always)
    static func isOfLabel(_ word: UInt64) -> UInt64 {
        within(word, UInt8(ascii: "a"), UInt8(ascii: "z"))
            | within(word, UInt8(ascii: "0"), UInt8(ascii: "9"))
            | equal(word, UInt8(ascii: "-")) | equal(word, UInt8(ascii: "_"))
    }

    /// The octets that are lower-case letters, digits, hyphens or dots; and the octets that are
    /// hyphens or dots. Only the high bit of each octet is an answer. Going up from zero, each
    /// number below is where octets begin or cease to be wanted, so an octet is wanted where it has
    /// reached an odd number of them.
    @inline(__always)
    static func plain(_ word: UInt64) -> (isOfName: UInt64, edges: UInt64) {
        let edges = reaching(word, UInt8(ascii: "-")) ^ reaching(word, UInt8(ascii: ".") + 1)
        let digits = reaching(word, UInt8(ascii: "0")) ^ reaching(word, UInt8(ascii: "9") + 1)
        let letters = reaching(word, UInt8(ascii: "a")) ^ reaching(word, UInt8(ascii: "z") + 1)
        return (edges ^ digits ^ letters, edges)
    }

    /// The octets that are a number or above it.
    @inline(__always)
    private static func reaching(_ word: UInt64, _ bound: UInt8) -> UInt64 {
        word &+ UInt64(0x80 &- bound) &* ones
    }

    /// The octets that are letters, of upper or lower case, or digits.
    @inline(__always)
    static func isLetterOrDigit(_ word: UInt64) -> UInt64 {
        isLetter(word) | within(word, UInt8(ascii: "0"), UInt8(ascii: "9"))
    }

    @inline(__always)
    private static func isLetter(_ word: UInt64) -> UInt64 {
        within(word | caseBits, UInt8(ascii: "a"), UInt8(ascii: "z"))
    }

    /// In each octet the bit in which upper and lower case of a letter differ.
    static let caseBits = ones &* 0x20

    /// The octets with ASCII letters in lower case. The octets are ASCII.
    @inline(__always)
    static func folded(_ word: UInt64) -> UInt64 {
        word | within(word, UInt8(ascii: "A"), UInt8(ascii: "Z")) >> 2
    }

    /// Whether two words are equal, with ASCII letters compared in lower case. The octets may have
    /// any value.
    @inline(__always)
    static func foldedEqual(_ left: UInt64, _ right: UInt64) -> Bool {
        let difference = left ^ right
        let letters = isLetter(left) & ~left
        return difference & ~(letters >> 2) == 0
    }

    @inline(__always)
    static func within(_ word: UInt64, _ low: UInt8, _ high: UInt8) -> UInt64 {
        let low7 = word & ~highBits
        let fromLow = low7 &+ UInt64(0x80 &- low) &* ones
        let aboveHigh = low7 &+ UInt64(0x7F &- high) &* ones
        return fromLow & ~aboveHigh & highBits
    }

    @inline(__always)
    static func equal(_ word: UInt64, _ octet: UInt8) -> UInt64 { within(word, octet, octet) }

    /// The eight high bits side by side, the bit of the first octet lowest.
    @inline(__always)
    static func gathered(_ bits: UInt64) -> UInt64 {
        ((bits >> 7) &* 0x0102_0408_1020_4080) >> 56
    }
}
