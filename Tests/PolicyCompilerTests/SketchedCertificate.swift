/// Certificates, keys and requests good enough to be read: real DER with a signature of zeros,
/// since the compiler verifies none. The key is Ed25519 of 32 times one octet (RFC 8410).
struct SketchedCertificate {
    var subject = "Root"
    var issuer = "Root"
    var isCA = true
    /// The octet that the key is made of: 1, 3, 6, 9, 10, 11, 12 or 16. 32 times another small
    /// octet is not a point.
    var key: UInt8 = 1
    /// Whether it has a key usage, which lets it sign certificates and CRLs.
    var hasKeyUsage = false
    /// Distinguishes certificates of one key.
    var serial: UInt8 = 1
    /// notAfter, a UTCTime.
    var end = "360101000000Z"

    var der: [UInt8] {
        let algorithm = tlv(0x30, ed25519)
        let validity = tlv(
            0x30, tlv(0x17, Array("260101000000Z".utf8)) + tlv(0x17, Array(end.utf8)))
        let basicConstraints = tlv(
            0x30,
            [0x06, 0x03, 0x55, 0x1D, 0x13, 0x01, 0x01, 0xFF]
                + tlv(0x04, tlv(0x30, isCA ? [0x01, 0x01, 0xFF] : [])))
        let keyUsage = tlv(
            0x30,
            [0x06, 0x03, 0x55, 0x1D, 0x0F, 0x01, 0x01, 0xFF, 0x04, 0x04, 0x03, 0x02, 0x01, 0x06])
        let extensions = basicConstraints + (hasKeyUsage ? keyUsage : [])
        let tbs = tlv(
            0x30,
            tlv(0xA0, [0x02, 0x01, 0x02]) + [0x02, 0x01, serial] + algorithm + name(issuer)
                + validity + name(subject) + spki + tlv(0xA3, tlv(0x30, extensions)))
        return tlv(0x30, tbs + algorithm + signature)
    }

    var spki: [UInt8] {
        tlv(0x30, tlv(0x30, ed25519) + tlv(0x03, [0] + [UInt8](repeating: key, count: 32)))
    }

    /// A PKCS#10 request (RFC 2986).
    var request: [UInt8] {
        let information = tlv(0x30, [0x02, 0x01, 0x00] + name(subject) + spki + tlv(0xA0, []))
        return tlv(0x30, information + tlv(0x30, ed25519) + signature)
    }

    /// The PKCS#8 form (RFC 5958) of a key that nobody has.
    var privateKey: [UInt8] {
        tlv(
            0x30,
            [0x02, 0x01, 0x00] + tlv(0x30, ed25519)
                + tlv(0x04, tlv(0x04, [UInt8](repeating: key, count: 32))))
    }

    /// DER as a PEM block.
    static func pem(_ label: String, _ der: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: der.count, by: 3) {
            let group = Array(der[start..<min(start + 3, der.count)])
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(
                    place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : "=")
            }
        }
        var lines: [Substring] = []
        var rest = text[...]
        while !rest.isEmpty {
            lines.append(rest.prefix(64))
            rest = rest.dropFirst(64)
        }
        let body = lines.joined(separator: "\n")
        return "-----BEGIN \(label)-----\n\(body)\n-----END \(label)-----\n"
    }

    var pem: String { SketchedCertificate.pem("CERTIFICATE", der) }

    private var ed25519: [UInt8] { [0x06, 0x03, 0x2B, 0x65, 0x70] }
    private var signature: [UInt8] { tlv(0x03, [UInt8](repeating: 0, count: 65)) }

    private func name(_ text: String) -> [UInt8] {
        let attribute = tlv(0x30, [0x06, 0x03, 0x55, 0x04, 0x03] + tlv(0x0C, Array(text.utf8)))
        return tlv(0x30, tlv(0x31, attribute))
    }

    private func tlv(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        var header = [tag]
        if contents.count < 0x80 {
            header.append(UInt8(contents.count))
        } else if contents.count < 0x100 {
            header += [0x81, UInt8(contents.count)]
        } else {
            header += [0x82, UInt8(contents.count >> 8), UInt8(contents.count & 0xFF)]
        }
        return header + contents
    }
}
