/// Walks the characters of one attribute value of a distinguished name, in any string type.
///
/// An octet that is not a character of the string type becomes a number above the last Unicode
/// scalar. So it compares as itself and never equals a character.
struct AttributeText: BitwiseCopyable {
    private var position: Int
    private let end: Int
    private let tag: DERTag
    /// The number that is added to an octet that is not a character.
    static let rawOctet: UInt32 = 0x11_0000

    /// Begins a walk over a value; nil when the value's type is not a string type.
    init?(_ value: DERElement) {
        switch value.tag {
        case .utf8String, .printableString, .teletexString, .ia5String, .visibleString,
            .numericString, .bmpString, .universalString:
            self.position = value.contentStart
            self.end = value.end
            self.tag = value.tag
        default:
            return nil
        }
    }

    /// Whether the string type has one octet for each ASCII character, and an octet below 0x80
    /// always stands for that character.
    var holdsOctets: Bool { tag != .bmpString && tag != .universalString }

    /// A value as raw text: at most 256 characters; nil when the value's type is not a string type.
    /// An octet that is not a character becomes U+FFFD.
    static func string(of value: DERElement, in bytes: Span<UInt8>) -> String? {
        guard var characters = AttributeText(value) else { return nil }
        var text = String.UnicodeScalarView()
        while text.count < 256, let character = characters.next(in: bytes) {
            text.append(Unicode.Scalar(character) ?? "\u{FFFD}")
        }
        return String(text)
    }

    /// The next character, unchanged; nil at the end.
    mutating func next(in bytes: Span<UInt8>) -> UInt32? {
        guard position < end else { return nil }
        switch tag {
        case .bmpString: return nextBMP(bytes)
        case .universalString: return nextUniversal(bytes)
        case .utf8String: return nextUTF8(bytes)
        default:
            // Teletex strings in certificates are Latin-1 in practice; the others are ASCII.
            let octet = bytes[position]
            position += 1
            if octet < 0x80 || tag == .teletexString { return UInt32(octet) }
            return AttributeText.rawOctet + UInt32(octet)
        }
    }

    /// The next character of the comparison form; nil at the end. Of RFC 5280 section 7.1 the form
    /// has what certificates in use need: ASCII letters in lower case, each run of white space as
    /// one space, no white space at the ends.
    mutating func nextFolded(in bytes: Span<UInt8>, isFirst: Bool) -> UInt32? {
        var sawSpace = false
        while true {
            let before = self
            guard let character = next(in: bytes) else { return nil }
            if AttributeText.isSpace(character) {
                sawSpace = true
                continue
            }
            if sawSpace && !isFirst {
                self = before
                return 0x20
            }
            return (0x41...0x5A).contains(character) ? character + 0x20 : character
        }
    }

    private static func isSpace(_ character: UInt32) -> Bool {
        character == 0x20 || (0x09...0x0D).contains(character) || character == 0xA0
    }

    private mutating func rawOctet(_ bytes: Span<UInt8>) -> UInt32 {
        let octet = bytes[position]
        position += 1
        return AttributeText.rawOctet + UInt32(octet)
    }

    private mutating func nextBMP(_ bytes: Span<UInt8>) -> UInt32 {
        guard end - position >= 2 else { return rawOctet(bytes) }
        let unit = UInt32(bytes[position]) << 8 | UInt32(bytes[position + 1])
        guard !(0xD800...0xDFFF).contains(unit) else { return rawOctet(bytes) }
        position += 2
        return unit
    }

    private mutating func nextUniversal(_ bytes: Span<UInt8>) -> UInt32 {
        guard end - position >= 4 else { return rawOctet(bytes) }
        var scalar: UInt32 = 0
        for index in position..<position + 4 { scalar = scalar << 8 | UInt32(bytes[index]) }
        guard Unicode.Scalar(scalar) != nil else { return rawOctet(bytes) }
        position += 4
        return scalar
    }

    private mutating func nextUTF8(_ bytes: Span<UInt8>) -> UInt32 {
        let first = bytes[position]
        if first < 0x80 {
            position += 1
            return UInt32(first)
        }
        let length: Int
        var scalar: UInt32
        switch first {
        case 0xC2...0xDF: (length, scalar) = (2, UInt32(first & 0x1F))
        case 0xE0...0xEF: (length, scalar) = (3, UInt32(first & 0x0F))
        case 0xF0...0xF4: (length, scalar) = (4, UInt32(first & 0x07))
        default: return rawOctet(bytes)
        }
        guard end - position >= length else { return rawOctet(bytes) }
        for index in position + 1..<position + length {
            guard bytes[index] & 0xC0 == 0x80 else { return rawOctet(bytes) }
            scalar = scalar << 6 | UInt32(bytes[index] & 0x3F)
        }
        // Overlong forms and surrogates are not characters.
        guard Unicode.Scalar(scalar) != nil, length != 3 || scalar >= 0x800,
            length != 4 || scalar >= 0x1_0000
        else { return rawOctet(bytes) }
        position += length
        return scalar
    }
}
