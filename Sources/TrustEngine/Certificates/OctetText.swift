/// Base64 with padding (RFC 4648 section 4).
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The base64 text of octets.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for offset in 0..<3 {
                bits = bits << 8 | (offset < group.count ? UInt32(group[start + offset]) : 0)
            }
            for digit in 0..<4 {
                let index = Int(bits >> UInt32(18 - 6 * digit)) & 63
                text.append(digit <= group.count ? alphabet[index] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// Lower-case hexadecimal without separators.
package enum Hexadecimal {
    /// The hexadecimal text of octets.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 0x0F))
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x61 + value - 10
    }
}
