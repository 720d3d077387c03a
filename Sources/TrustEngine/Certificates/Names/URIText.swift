/// The parts of a URI (RFC 3986 section 3) that names are judged by: where the path begins, and the
/// host of the authority.
package enum URIText {
    /// Offset of the first octet behind `scheme://authority`, or nil when there is no scheme or no
    /// authority.
    package static func pathStart(_ uri: Span<UInt8>) -> Int? {
        guard let start = authorityStart(uri) else { return nil }
        return end(ofAuthorityFrom: start, uri)
    }

    /// Where the host of the authority lies when it is a name; nil when there is no authority, or its
    /// host is no DNS name (an address, an empty one, one with percent signs).
    package static func hostName(_ uri: Span<UInt8>) -> Range<Int>? {
        guard var start = authorityStart(uri) else { return nil }
        var end = end(ofAuthorityFrom: start, uri)
        for index in start..<end where uri[index] == UInt8(ascii: "@") { start = index + 1 }
        for index in start..<end where uri[index] == UInt8(ascii: ":") {
            for digit in index + 1..<end where uri[digit] &- 0x30 > 9 { return nil }
            end = index
            break
        }
        guard DNSName.problem(uri.extracting(start..<end)) == nil else { return nil }
        return start..<end
    }

    private static func authorityStart(_ uri: Span<UInt8>) -> Int? {
        var colon = 0
        while colon < uri.count, uri[colon] != UInt8(ascii: ":") {
            let octet = DNSName.folded(uri[colon])
            let isLetter = octet &- 0x61 <= 25
            let isOther =
                octet &- 0x30 <= 9 || octet == UInt8(ascii: "+") || octet == UInt8(ascii: "-")
                || octet == UInt8(ascii: ".")
            guard isLetter || (isOther && colon > 0) else { return nil }
            colon += 1
        }
        guard colon > 0, uri.count - colon >= 3, uri[colon + 1] == UInt8(ascii: "/"),
            uri[colon + 2] == UInt8(ascii: "/")
        else { return nil }
        return colon + 3
    }

    private static func end(ofAuthorityFrom start: Int, _ uri: Span<UInt8>) -> Int {
        var end = start
        while end < uri.count, uri[end] != UInt8(ascii: "/"), uri[end] != UInt8(ascii: "?"),
            uri[end] != UInt8(ascii: "#")
        {
            end += 1
        }
        return end
    }
}
