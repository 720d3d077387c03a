extension KeyMatch {
    /// The match as policies write it: `sha256/BASE64` for a key (RFC 7469 section 2.4 with padding),
    /// `sha256:HEX` for a certificate.
    package var text: String {
        switch kind {
        case .spki: return "\(digest.algorithm.name)/\(Base64.encode(digest.bytes))"
        case .certificate: return digest.text
        }
    }
}

extension Digest {
    /// `sha256:HEX`, lower case.
    public var text: String { "\(algorithm.name):\(hex)" }

    /// The octets in lower-case hexadecimal.
    public var hex: String {
        var text = ""
        for byte in bytes {
            let digits = String(byte, radix: 16)
            text += byte < 16 ? "0" + digits : digits
        }
        return text
    }
}

/// Base64 with padding (RFC 4648 section 4).
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The text of some octets.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for offset in 0..<3 {
                bits = bits << 8 | (offset < group.count ? UInt32(group[start + offset]) : 0)
            }
            for place in 0..<4 {
                let index = Int(bits >> UInt32(18 - 6 * place)) & 63
                text.append(place <= group.count ? alphabet[index] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
