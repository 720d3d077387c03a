/// Base64 with padding (RFC 4648 section 4).
package enum Base64 {
    /// The base64 text of octets.
    package static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: octets(of: bytes), as: UTF8.self)
    }

    /// The base64 text of octets, as octets.
    package static func octets(of bytes: [UInt8]) -> [UInt8] {
        let padding = UInt8(ascii: "=")
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let left = bytes.count - start
            let second = left > 1 ? bytes[start + 1] : 0
            let third = left > 2 ? bytes[start + 2] : 0
            text.append(digit(bytes[start] >> 2))
            text.append(digit(bytes[start] << 4 | second >> 4))
            text.append(left > 1 ? digit(second << 2 | third >> 6) : padding)
            text.append(left > 2 ? digit(third) : padding)
        }
        return text
    }

    /// The digit for the lower six bits.
    private static func digit(_ bits: UInt8) -> UInt8 {
        switch bits & 63 {
        case let value where value < 26: UInt8(ascii: "A") + value
        case let value where value < 52: UInt8(ascii: "a") + value - 26
        case let value where value < 62: UInt8(ascii: "0") + value - 52
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }
}

/// Lower-case hexadecimal without separators.
package enum Hexadecimal {
    /// The hexadecimal text of octets.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes { append(byte, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the two digits of an octet.
    static func append(_ byte: UInt8, to text: inout [UInt8]) {
        text.append(digit(byte >> 4))
        text.append(digit(byte & 0x0F))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x61 + value - 10
    }
}

/// Text that is made as octets of UTF-8 and becomes a string once: appending to a string costs ten
/// times as much for each character.
enum UTF8Text {
    /// Appends one character.
    static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
        if scalar.isASCII {
            text.append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
            text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// Appends a number in decimal digits.
    static func append(_ number: UInt64, to text: inout [UInt8]) {
        var power: UInt64 = 1
        while number / power >= 10 { power *= 10 }
        while power > 0 {
            text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / power % 10))
            power /= 10
        }
    }

    /// Where the first `count` characters of a text end; nil where the text has no more than these.
    static func end(ofScalars count: Int, in text: [UInt8]) -> Int? {
        guard text.count > count else { return nil }
        var left = count
        for index in text.indices where text[index] & 0xC0 != 0x80 {
            if left == 0 { return index }
            left -= 1
        }
        return nil
    }
}
