#if AsyncHTTPClient

/// Scheme, host and port of a URL. It reads as much of RFC 3986 as is needed to know whom a request
/// goes to. A text that can be read in two ways is refused.
struct WebOrigin: Hashable, Sendable {
    /// The schemes that are supported.
    enum Scheme: String, Hashable, Sendable {
        case http, https

        var port: UInt16 { self == .http ? 80 : 443 }
    }

    /// The scheme.
    let scheme: Scheme
    /// The host in lower case; an IPv6 address without brackets.
    let host: String
    /// The port; where the URL has none, the default port of the scheme.
    let port: UInt16

    /// Splits a URL into its origin and its path with query. Nil where the text is not a URL, has a
    /// user in it, or has octets that do not belong in a URL.
    static func split(_ url: String) -> (origin: WebOrigin, target: String)? {
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") }),
            let colon = url.range(of: "://"),
            let scheme = Scheme(rawValue: url[..<colon.lowerBound].lowercased())
        else { return nil }
        let rest = url[colon.upperBound...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        guard let (host, port) = authority(rest[..<end], scheme) else { return nil }
        let fragment = rest[end...].firstIndex(of: "#") ?? rest.endIndex
        var target = String(rest[end..<fragment])
        if !target.hasPrefix("/") { target = "/" + target }
        return (WebOrigin(scheme: scheme, host: host, port: port), target)
    }

    private static func authority(
        _ text: Substring, _ scheme: Scheme
    ) -> (host: String, port: UInt16)? {
        guard !text.contains("@") else { return nil }
        var host = text
        var port: Substring?
        if text.hasPrefix("[") {
            guard let close = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<close]
            let behind = text[text.index(after: close)...]
            guard behind.isEmpty || behind.hasPrefix(":") else { return nil }
            port = behind.isEmpty ? nil : behind.dropFirst()
            guard host.contains(":") else { return nil }
        } else if let colon = text.firstIndex(of: ":") {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
        }
        guard !host.isEmpty, !host.contains("%") else { return nil }
        guard let port, !port.isEmpty else { return (host.lowercased(), scheme.port) }
        guard let number = UInt16(port), number > 0, port.allSatisfy(\.isNumber) else { return nil }
        return (host.lowercased(), number)
    }

    /// The host as a URL writes it.
    var authorityHost: String { host.contains(":") ? "[\(host)]" : host }

    /// The value of the field `Host` (RFC 9110 section 7.2).
    var hostField: String { port == scheme.port ? authorityHost : "\(authorityHost):\(port)" }
}

extension StringProtocol {
    /// The first place of another text in this text.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start != endIndex {
            if self[start...].hasPrefix(text) {
                return start..<index(start, offsetBy: text.count)
            }
            start = index(after: start)
        }
        return nil
    }
}

#endif
