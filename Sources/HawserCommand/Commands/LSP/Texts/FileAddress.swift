import Rendering

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
        "file://" + SARIFDocument.reference(path)
    }
}
