import PolicyCompiler
import TrustEngine

/// `HOST[:PORT]` of a command line.
struct RequestHost {
    /// As the engine takes it: U-labels converted where that is possible, brackets removed.
    let host: String
    let port: UInt16
    /// What was assumed, for the reader.
    let assumptions: [String]
    /// As it was given.
    private let given: String

    /// The port of HTTPS (RFC 9110 section 4.2.2), which a host without one means here.
    private static let defaultPort: UInt16 = 443

    /// Takes a text apart. A host that is none is left to the engine, which names what is wrong.
    init(_ text: String, portIfMissing: UInt16 = RequestHost.defaultPort) throws(CommandFailure) {
        let parts = try HostAndPort(text)
        given = text
        host = RequestHost.converted(parts.host)
        port = parts.port ?? portIfMissing
        assumptions =
            parts.port == nil ? ["port \(portIfMissing) is assumed, as none was given"] : []
    }

    /// The host where only a policy is asked, which no engine reads for us.
    func canonical() throws(CommandFailure) -> CanonicalHost {
        do throws(HostProblem) {
            return try CanonicalHost(text: host)
        } catch {
            throw .couldNotAsk("`\(given)` is neither a host name nor an address: \(error.reason)")
        }
    }

    /// U-labels become A-labels (UTS #46, by the language's own scanner); anything else stays.
    private static func converted(_ host: String) -> String {
        guard host.utf8.contains(where: { $0 >= 0x80 }) else { return host }
        do throws(ScalarProblem) {
            return try ExactNameScanner.scan(host).canonicalText
        } catch {
            return host
        }
    }
}

/// A host with an optional port; IPv6 stands in brackets when a port follows it.
struct HostAndPort {
    let host: String
    let port: UInt16?

    /// A host and a port as they are read here.
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
            // No colon, or the several of a bare IPv6 address.
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
