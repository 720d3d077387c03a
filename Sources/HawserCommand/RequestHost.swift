import PolicyCompiler
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

    /// Splits the text. A host that is not valid is left to the engine, which says what is wrong.
    init(_ text: String, portIfMissing: UInt16 = RequestHost.defaultPort) throws(CommandFailure) {
        let parts = try HostAndPort(text)
        given = text
        host = RequestHost.converted(parts.host)
        port = parts.port ?? portIfMissing
        assumptions =
            parts.port == nil ? ["port \(portIfMissing) is assumed, as none was given"] : []
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

    /// A host and a port as text that `init` can read.
    static func text(_ host: String, _ port: UInt16) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    init(_ text: String) throws(CommandFailure) {
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
            host = text
            port = nil
            return
        }
        host = String(text[..<colon])
        port = try HostAndPort.port(text[text.index(after: colon)...], of: text)
    }

    private static func port(
        _ digits: Substring, of text: String
    ) throws(CommandFailure) -> UInt16 {
        let isDecimal = digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isDecimal, digits.first != "0", let port = UInt16(digits) else {
            throw .couldNotAsk(
                "`\(text)`: after the colon stands a port from 1 to 65535; a host is written "
                    + "without a scheme or a path")
        }
        return port
    }
}
