import TrustEngine

/// A URL that evidence may be fetched from: plain http, a name or an address, a port, a path.
///
/// Only plain http: a server that gives evidence over TLS would have to be trusted before the
/// evidence is known (RFC 5280 section 8), and evidence is signed. A URL that two readers could
/// understand as different hosts is refused: user names, fragments, octets outside printable ASCII,
/// addresses in unusual notation.
struct EvidenceURL: Hashable, Sendable {
    /// The host, folded to lower case; an IPv6 address has no brackets.
    let host: CanonicalHost
    let port: UInt16
    /// Path and query as written, with a slash at the beginning.
    let path: String

    /// Reads a URL.
    ///
    /// - Parameter ports: the ports that may be asked.
    /// - Throws: `urlRefused`.
    init(_ text: String, ports: Set<UInt16>) throws(FetchFailure) {
        let octets = Array(text.utf8)
        guard octets.count <= EvidenceURL.maximumLength else {
            throw .urlRefused("it has more than \(EvidenceURL.maximumLength) octets")
        }
        guard octets.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .urlRefused("it has octets that no URL has")
        }
        let scheme = Array("http://".utf8)
        guard octets.count > scheme.count,
            octets.prefix(scheme.count).map(DNSName.folded) == scheme
        else { throw .urlRefused("only `http://` is fetched") }
        let rest = octets.dropFirst(scheme.count)
        guard !rest.contains(UInt8(ascii: "#")) else { throw .urlRefused("it has a fragment") }
        let end =
            rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        let authority = rest[..<end]
        // Some readers of URLs take a backslash for a slash, others for a part of the host.
        guard !authority.contains(UInt8(ascii: "@")), !rest.contains(UInt8(ascii: "\\")) else {
            throw .urlRefused("it has a user name or a backslash")
        }
        let (host, port) = try EvidenceURL.split(authority)
        do throws(HostProblem) {
            self.host = try CanonicalHost(text: host)
        } catch {
            throw .urlRefused("`\(host)` is no host: \(error.reason)")
        }
        guard ports.contains(port) else {
            throw .urlRefused(
                "port \(port) is not asked, only "
                    + ports.sorted().map(String.init).joined(separator: ", "))
        }
        self.port = port
        let path = String(decoding: rest[end...], as: UTF8.self)
        self.path = path.hasPrefix("/") ? path : "/" + path
    }

    /// The same host and port with another path.
    private init(host: CanonicalHost, port: UInt16, path: String) {
        self.host = host
        self.port = port
        self.path = path
    }

    /// The URL of a GET with an OCSP request (RFC 6960 appendix A.1). Nil when the URL would have
    /// 255 octets or more, because such a request is posted (RFC 5019 section 5), and when the URL
    /// has a query.
    func asking(_ request: [UInt8]) -> EvidenceURL? {
        guard !path.contains("?") else { return nil }
        let text = EvidenceURL.escapedBase64(request)
        let asked = EvidenceURL(
            host: host, port: port, path: path + (path.hasSuffix("/") ? "" : "/") + text)
        return asked.text.utf8.count < 255 ? asked : nil
    }

    /// The URL in one spelling, for the cache's key.
    var text: String { "http://\(authority)\(path)" }

    /// The value of a Host field. It names the port only when the port is not 80 (RFC 9110 section
    /// 7.2).
    var authority: String {
        let host: String
        switch self.host {
        case .name(let name): host = name
        case .address(let address): host = address.isIPv4 ? "\(address)" : "[\(address)]"
        }
        return port == 80 ? host : "\(host):\(port)"
    }

    private static func split(
        _ authority: ArraySlice<UInt8>
    ) throws(FetchFailure) -> (host: String, port: UInt16) {
        let host: ArraySlice<UInt8>
        let after: ArraySlice<UInt8>
        if authority.first == UInt8(ascii: "[") {
            guard let end = authority.firstIndex(of: UInt8(ascii: "]")) else {
                throw .urlRefused("a bracket is not closed")
            }
            host = authority[(authority.startIndex + 1)..<end]
            after = authority[(end + 1)...]
            guard host.contains(UInt8(ascii: ":")) else {
                throw .urlRefused("only an IPv6 address stands in brackets")
            }
        } else {
            let end = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
            host = authority[..<end]
            after = authority[end...]
        }
        let name = String(decoding: host, as: UTF8.self)
        guard !after.isEmpty else { return (name, 80) }
        let digits = after.dropFirst()
        guard after.first == UInt8(ascii: ":"), (1...5).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(String(decoding: digits, as: UTF8.self))
        else { throw .urlRefused("what follows the host is no port") }
        return (name, port)
    }

    /// Base64, with the characters escaped that have a meaning in a path.
    private static func escapedBase64(_ octets: [UInt8]) -> String {
        var text = ""
        for character in Base64.encode(octets).unicodeScalars {
            switch character {
            case "+": text += "%2B"
            case "/": text += "%2F"
            case "=": text += "%3D"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }

    /// Octets of the longest URL: the same as the longest URL that the engine lists.
    private static let maximumLength = 2_048
}
