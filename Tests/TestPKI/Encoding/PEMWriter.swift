/// Writes PEM (RFC 7468): base64 in lines of 64 characters, LF.
public enum PEMWriter {
    /// One block.
    public static func block(_ label: String, _ der: [UInt8]) -> String {
        var text = "-----BEGIN \(label)-----\n"
        var line = ""
        for character in base64(der) {
            line.append(character)
            if line.utf8.count == 64 {
                text += line + "\n"
                line = ""
            }
        }
        if !line.isEmpty { text += line + "\n" }
        return text + "-----END \(label)-----\n"
    }

    /// Certificates, one after the other.
    public static func certificates(_ list: [[UInt8]]) -> String {
        list.map { block("CERTIFICATE", $0) }.joined()
    }

    /// Base64 with padding (RFC 4648 section 4).
    public static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var out: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = Array(bytes[start..<min(start + 3, bytes.count)])
            let padded = group + [UInt8](repeating: 0, count: 3 - group.count)
            let bits = UInt32(padded[0]) << 16 | UInt32(padded[1]) << 8 | UInt32(padded[2])
            for place in 0..<4 {
                let value = Int(bits >> UInt32(18 - 6 * place)) & 63
                out.append(place <= group.count ? alphabet[value] : UInt8(ascii: "="))
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
