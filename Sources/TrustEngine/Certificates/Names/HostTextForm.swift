// Names read eight octets at a time. Nearly every name has 8 to 63 octets: long enough for whole
// words, where the last word overlaps the word before it, and short enough that one bit of a word
// stands for each octet and that no label can be too long. All other names are read octet by octet.

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

/// The form of a host's text, found by one pass over its octets without an allocation.
enum HostTextForm: Equatable {
    /// A name in canonical form: the text is the canonical host.
    case canonicalName
    /// A name whose canonical form is its first `count` octets with letters in lower case.
    case name(count: Int)
    /// An address, or no host.
    case other

    /// Reads a text. `CanonicalHost(text:)` gives a name for the same texts: a text that
    /// `DNSName.problem` accepts, with or without one dot behind it, is not an address. The last
    /// label of a name is not a number, and a name has no colon.
    init(_ text: Span<UInt8>) {
        if DNSName.isPlain(text), !HostTextForm.endsInLabelWithDigitFirst(text) {
            self = .canonicalName
            return
        }
        var count = text.count
        if count > 0, text[count &- 1] == UInt8(ascii: ".") { count &-= 1 }
        guard OctetWord.lengths.contains(count) else {
            self = HostTextForm.octetwise(text, count)
            return
        }
        var bad: UInt64 = 0
        var upper: UInt64 = 0
        // One bit for each octet of the name.
        var dots: UInt64 = 0
        var hyphens: UInt64 = 0
        var position = 0
        let last = count &- 8
        while true {
            let word = text.number64(at: position)
            let isUpper = OctetWord.within(word, UInt8(ascii: "A"), UInt8(ascii: "Z"))
            let isDot = OctetWord.equal(word, UInt8(ascii: "."))
            let isHyphen = OctetWord.equal(word, UInt8(ascii: "-"))
            bad |= ~(OctetWord.isOfLabel(word) | isUpper | isDot) & OctetWord.highBits
            bad |= word & OctetWord.highBits
            upper |= isUpper
            let shift = UInt64(truncatingIfNeeded: position)
            dots |= OctetWord.gathered(isDot) &<< shift
            hyphens |= OctetWord.gathered(isHyphen) &<< shift
            if position == last { break }
            position = min(position &+ 8, last)
        }
        // The first and the last octet of each label. A dot there means an empty label.
        let firsts = dots &<< 1 | 1
        let lasts = dots &>> 1 | 1 &<< UInt64(truncatingIfNeeded: count &- 1)
        guard bad == 0, (dots | hyphens) & (firsts | lasts) == 0 else {
            self = .other
            return
        }
        // A number begins with a digit, also in hexadecimal.
        let lastLabel = 64 &- dots.leadingZeroBitCount
        guard text[lastLabel] &- 0x30 > 9 else {
            self = HostTextForm.octetwise(text, count)
            return
        }
        self = upper == 0 && count == text.count ? .canonicalName : .name(count: count)
    }

    /// Whether the last label begins with a digit, as a number does.
    @inline(__always)
    private static func endsInLabelWithDigitFirst(_ name: Span<UInt8>) -> Bool {
        var start = name.count &- 1
        while start > 0, name[start &- 1] != UInt8(ascii: ".") { start &-= 1 }
        return name[start] &- 0x30 <= 9
    }

    private static func octetwise(_ text: Span<UInt8>, _ count: Int) -> HostTextForm {
        let name = text.extracting(0..<count)
        guard DNSName.problem(name) == nil else { return .other }
        for index in 0..<count where DNSName.folded(name[index]) != name[index] {
            return .name(count: count)
        }
        return count == text.count ? .canonicalName : .name(count: count)
    }
}
