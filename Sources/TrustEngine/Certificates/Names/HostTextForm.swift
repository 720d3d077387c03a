// Names read eight octets at a time. Nearly every name has 8 to 63 octets: long enough for whole
// words, where the last word overlaps the word before it, and short enough that one bit of a word
// stands for each octet and that no label can be too long. All other names are read octet by octet.

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
