/// The address of a file, as editors write it (RFC 8089).
enum FileAddress {
    /// The absolute path of `file:///…`, with nothing resolved in it. Nil for every other address:
    /// of another scheme or another machine, and for a path with a NUL or with octets that are not
    /// UTF-8.
    static func path(_ address: String) -> String? {
        let octets = Array(address.utf8)
        let scheme = Array("file:".utf8)
        guard octets.count > scheme.count,
            octets[..<scheme.count].map({ $0 | 0x20 }).elementsEqual(
                scheme.map { $0 | 0x20 })
        else { return nil }
        var rest = octets[scheme.count...]
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let host = rest.prefix { $0 != UInt8(ascii: "/") }
            guard host.isEmpty || String(decoding: host, as: UTF8.self).lowercased() == "localhost"
            else { return nil }
            rest = rest.dropFirst(host.count)
        }
        guard rest.first == UInt8(ascii: "/") else { return nil }
        var path: [UInt8] = []
        while let octet = rest.popFirst() {
            if octet == UInt8(ascii: "?") || octet == UInt8(ascii: "#") { break }
            guard octet == UInt8(ascii: "%") else {
                path.append(octet)
                continue
            }
            guard rest.count >= 2,
                rest.prefix(2).allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            path.append(value)
            rest = rest.dropFirst(2)
        }
        guard !path.contains(0), let text = String(validating: path, as: UTF8.self) else {
            return nil
        }
        return text
    }

    /// The address of an absolute path. Octets that are not letters, digits or `-._~/` are escaped.
    static func address(ofPath path: String) -> String {
        var text = "file://"
        for octet in path.utf8 {
            switch octet {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F, 0x7E:
                text.unicodeScalars.append(Unicode.Scalar(octet))
            default:
                let digits = String(octet, radix: 16, uppercase: true)
                text += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return text
    }
}
