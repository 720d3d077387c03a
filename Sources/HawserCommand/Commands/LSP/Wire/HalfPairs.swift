// An editor's text is a sequence of UTF-16 units, and between two of its messages half of a
// surrogate pair may stand by itself. UTF-8 has no octets for it. Here it has the three octets that
// its number would have (WTF-8, https://simonsapin.github.io/wtf-8/), so that the other half, when
// it comes, makes the character. U+FFFD has three octets too. So a text in which each half is
// replaced by U+FFFD has every other octet at the same offset.

/// Halves of surrogate pairs in octets of UTF-8.
enum HalfPairs {
    /// The unit of the half that ends a text; nil if the text ends otherwise.
    private static func last(_ octets: ArraySlice<UInt8>) -> UInt16? {
        let end = octets.endIndex
        return octets.count < 3 ? nil : unit(octets, at: end - 3)
    }

    /// The unit of the half at an index; nil if something else stands there.
    static func unit(_ octets: ArraySlice<UInt8>, at index: Int) -> UInt16? {
        guard index + 2 < octets.endIndex, octets[index] == 0xED, octets[index + 1] >= 0xA0 else {
            return nil
        }
        return 0xD000 | UInt16(octets[index + 1] & 0x3F) << 6 | UInt16(octets[index + 2] & 0x3F)
    }

    /// The octets of a half.
    static func octets(of unit: UInt16) -> [UInt8] {
        [0xED, 0x80 | UInt8(unit >> 6 & 0x3F), 0x80 | UInt8(unit & 0x3F)]
    }

    /// Both halves of the character of four octets at an index.
    static func halves(_ octets: [UInt8], at index: Int) -> (high: [UInt8], low: [UInt8]) {
        let number =
            UInt32(octets[index] & 0x07) << 18 | UInt32(octets[index + 1] & 0x3F) << 12
            | UInt32(octets[index + 2] & 0x3F) << 6 | UInt32(octets[index + 3] & 0x3F)
        let rest = number - 0x1_0000
        return (
            self.octets(of: 0xD800 | UInt16(rest >> 10)),
            self.octets(of: 0xDC00 | UInt16(rest & 0x3FF))
        )
    }

    /// Appends a text. A high half at the end and a low half at the beginning become a character.
    static func append(_ text: ArraySlice<UInt8>, to octets: inout [UInt8]) {
        guard let high = last(octets[...]), high < 0xDC00,
            let low = unit(text, at: text.startIndex), low >= 0xDC00
        else {
            octets += text
            return
        }
        let number = 0x1_0000 + (UInt32(high & 0x3FF) << 10 | UInt32(low & 0x3FF))
        octets.removeLast(3)
        octets += [
            0xF0 | UInt8(number >> 18), 0x80 | UInt8(number >> 12 & 0x3F),
            0x80 | UInt8(number >> 6 & 0x3F), 0x80 | UInt8(number & 0x3F),
        ]
        octets += text.dropFirst(3)
    }

    /// The text with U+FFFD in place of each half; every offset stays as it is.
    static func replaced(_ octets: [UInt8]) -> [UInt8] {
        var octets = octets
        var index = 0
        while index + 2 < octets.count {
            if octets[index] == 0xED, octets[index + 1] >= 0xA0 {
                octets.replaceSubrange(index..<index + 3, with: [0xEF, 0xBF, 0xBD])
            }
            index += 1
        }
        return octets
    }

    /// The octets of a text of JSON, given without its quotes. The text was checked by
    /// `JSONReader`. An escape is a whole character but for `\u`, which is a unit of UTF-16.
    static func octets(ofJSON content: ArraySlice<UInt8>) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(content.count)
        var rest = content
        while let escape = rest.firstIndex(of: UInt8(ascii: "\\")) {
            octets += rest[..<escape]
            guard escape + 1 < rest.endIndex else { return octets }
            let kind = rest[escape + 1]
            rest = rest[(escape + 2)...]
            switch kind {
            case UInt8(ascii: "b"): octets.append(0x08)
            case UInt8(ascii: "f"): octets.append(0x0C)
            case UInt8(ascii: "n"): octets.append(0x0A)
            case UInt8(ascii: "r"): octets.append(0x0D)
            case UInt8(ascii: "t"): octets.append(0x09)
            case UInt8(ascii: "u"):
                let unit =
                    UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0xFFFD
                rest = rest.dropFirst(4)
                append(self.octets(anyOf: unit)[...], to: &octets)
            default: octets.append(kind)
            }
        }
        octets += rest
        return octets
    }

    private static func octets(anyOf unit: UInt16) -> [UInt8] {
        guard let scalar = Unicode.Scalar(unit) else { return octets(of: unit) }
        return Array(String(Character(scalar)).utf8)
    }
}
