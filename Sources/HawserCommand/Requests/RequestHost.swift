import PolicyCompiler
import Rendering
import TLSProbe
import TrustEngine

/// `HOST[:PORT]` of a command line.
struct RequestHost {
    /// The host for the engine: U-labels converted if possible, brackets removed.
    let host: String
    let port: UInt16
    /// Sentences about what was assumed.
    let assumptions: [String]
    /// The text as it was given.
    private let given: String

    /// The port of HTTPS (RFC 9110 section 4.2.2), for a host without a port.
    private static let defaultPort: UInt16 = 443

    /// Splits the text. A host that is not valid is left to the engine, which names the fault.
    ///
    /// - Parameters:
    ///   - connect: the server. Its port is the host's port, unless the host has one.
    ///   - startTLS: the protocol that comes before TLS. Its port is the host's port, unless the
    ///     host or `connect` has one.
    init(
        _ text: String, connect: HostAndPort? = nil, startTLS: StartTLSProtocol? = nil
    ) throws(CommandFailure) {
        let parts = try HostAndPort(text)
        given = text
        host = RequestHost.converted(parts.host)
        switch (parts.port, connect?.port) {
        case (let port?, let other?) where port != other:
            self.port = port
            assumptions = [
                "judged for port \(port), which HOST has; `--connect` has port \(other)"
            ]
        case (let port?, _):
            self.port = port
            assumptions = []
        case (nil, let port?):
            self.port = port
            assumptions = ["port \(port) of `--connect` is assumed, as HOST has none"]
        case (nil, nil):
            port = startTLS?.port ?? RequestHost.defaultPort
            let owner = startTLS.map { ", that of \($0.rawValue)," } ?? ""
            assumptions = ["port \(port)\(owner) is assumed, as none was given"]
        }
    }

    /// The host and the port, for a command that is proposed and takes no `--connect`.
    var text: String {
        port == RequestHost.defaultPort ? given : HostWithPort.text(host, port)
    }

    /// The canonical host, for commands that ask only the policy and no engine.
    func canonical() throws(CommandFailure) -> CanonicalHost {
        do throws(HostProblem) {
            return try CanonicalHost(text: host)
        } catch {
            throw .couldNotAsk("`\(given)` is neither a host name nor an address: \(error.reason)")
        }
    }

    /// Converts U-labels to A-labels (UTS #46, by the scanner of the language). Other text is
    /// unchanged.
    private static func converted(_ host: String) -> String {
        guard host.utf8.contains(where: { $0 >= 0x80 }) else { return host }
        do throws(ScalarProblem) {
            return try ExactNameScanner.scan(host).canonicalText
        } catch {
            return host
        }
    }
}

/// A host with an optional port. If a port follows an IPv6 address, the address is in brackets.
struct HostAndPort {
    let host: String
    let port: UInt16?

    /// - Parameter isServer: whether the text names a server to connect to. A wrong host is left to
    ///   the engine, which explains the mistake.
    init(_ text: String, isServer: Bool = false) throws(CommandFailure) {
        if let word = HostAndPort.host(ofURL: text) {
            throw .couldNotAsk(
                "a host is written without a scheme and a path, and is no URL: `\(word)`")
        }
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else {
                throw .couldNotAsk("`\(text)` opens a bracket and does not close it")
            }
            host = String(text[text.index(after: text.startIndex)..<end])
            let rest = text[text.index(after: end)...]
            guard !rest.isEmpty else {
                port = nil
                return
            }
            guard rest.hasPrefix(":") else {
                throw .couldNotAsk("`\(text)`: only `:PORT` can follow the bracket")
            }
            port = try HostAndPort.port(rest.dropFirst(), of: text)
            return
        }
        guard let colon = text.firstIndex(of: ":"),
            text.lastIndex(of: ":") == colon
        else {
            // No colon, or the several colons of an IPv6 address without brackets.
            try HostAndPort.refusePort(behind: text, isServer: isServer)
            host = text
            port = nil
            return
        }
        host = String(text[..<colon])
        port = try HostAndPort.port(text[text.index(after: colon)...], of: text)
    }

    /// The host of a URL, with the port that the URL has or that `https` implies; nil for a text
    /// that is not a URL.
    private static func host(ofURL text: String) -> String? {
        // `Substring.range(of:)` is Foundation's.
        let octets = Array(text.utf8)
        let mark = Array("://".utf8)
        guard octets.count > mark.count,
            let colon = octets.indices.dropLast(mark.count - 1).first(where: {
                octets[$0..<$0 + mark.count].elementsEqual(mark)
            })
        else { return nil }
        let authority = octets[(colon + mark.count)...].prefix { !"/?#".utf8.contains($0) }
        let place =
            authority.split(
                separator: UInt8(ascii: "@"), omittingEmptySubsequences: false
            ).last ?? []
        guard !place.isEmpty else { return nil }
        let host = String(decoding: place, as: UTF8.self)
        let scheme = String(decoding: octets[..<colon], as: UTF8.self).lowercased()
        let end = place.lastIndex(of: UInt8(ascii: "]")) ?? place.startIndex
        let hasPort = place[end...].contains(UInt8(ascii: ":"))
        return scheme == "https" && !hasPort ? host + ":443" : host
    }

    /// Refuses an address without brackets whose last part may be meant as a port, and a server of
    /// several colons that is not an address.
    private static func refusePort(
        behind text: String, isServer: Bool
    ) throws(CommandFailure) {
        guard let colon = text.lastIndex(of: ":") else { return }
        let before = String(text[..<colon])
        let port = UInt16(decimalDigits: text[text.index(after: colon)...])
        let isAddress = IPAddress(text: text) != nil
        if IPAddress(text: before) != nil, let port, port > 0 {
            throw .couldNotAsk(
                "`\(text)`: an IPv6 address stands in brackets where a port follows: "
                    + "`[\(before)]:\(port)`"
                    + (isAddress ? "; without a port it is `[\(text)]`" : ""))
        }
        guard isServer, !isAddress else { return }
        throw .couldNotAsk(
            "`\(text)` has several colons and is not an IPv6 address; write `HOST:PORT`, or "
                + "`[ADDRESS]:PORT` for an IPv6 address")
    }

    private static func port(
        _ digits: Substring, of text: String
    ) throws(CommandFailure) -> UInt16 {
        guard digits.first != "0", let port = UInt16(decimalDigits: digits) else {
            throw .couldNotAsk(
                "`\(text)`: after the colon stands a port from 1 to 65535; a host is written "
                    + "without a scheme and a path")
        }
        return port
    }
}
