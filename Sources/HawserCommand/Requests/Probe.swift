import ArgumentParser
import Rendering
import TLSProbe
import TrustEngine

extension StartTLSProtocol: ExpressibleByArgument {}

/// The option of every command that connects to a server.
struct StartTLSOption: ParsableArguments {
    @Option(
        help: """
            The protocol that the server speaks before TLS. Its port is assumed where no other is \
            given.
            """)
    var starttls: StartTLSProtocol?

    @Flag(
        name: .customLong("no-sni"),
        help: """
            Send no server name, as some old clients do: a server of several certificates shows its \
            default one.
            """)
    var sendsNoName = false

    /// The options as they were given, to repeat them in a proposed command.
    var words: [String] {
        (starttls.map { ["--starttls", $0.rawValue] } ?? []) + (sendsNoName ? ["--no-sni"] : [])
    }

    /// Refuses the options where no server is named.
    func check(connect: String?) throws(CommandFailure) {
        guard connect == nil, let option = words.first else { return }
        throw .couldNotAsk("`\(option)` is for a server, `--connect ADDRESS`")
    }
}

/// Connects to a server to read its chain and TLS parameters.
enum Probe {
    /// The most seconds that a server may take for everything.
    private static let timeoutSeconds = 15

    /// Connects to `ADDRESS[:PORT]` and asks for the host by name. The host's port is used if the
    /// address has none.
    static func connect(
        to address: String, for target: RequestHost, _ options: StartTLSOption,
        alpn: [String]
    ) throws(CommandFailure) -> ProbedConnection {
        let destination = try HostAndPort(address, isServer: true)
        let port = destination.port ?? target.port
        do throws(ProbeError) {
            return try TLSConnection.probe(
                address: destination.host, port: port,
                serverName: options.sendsNoName ? nil : target.host,
                startTLS: options.starttls, alpn: alpn, timeoutSeconds: timeoutSeconds)
        } catch {
            throw .couldNotAsk(
                "\(address): \(error.code.rawValue): \(error.context)"
                    + (options.starttls == nil ? advice(error, port) : ""))
        }
    }

    /// Names `--starttls` where a server may begin in clear text: by its first octets, or by its
    /// port where it sent nothing.
    private static func advice(_ error: ProbeError, _ port: UInt16) -> String {
        let byPort =
            [.handshakeFailed, .notTLS, .timedOut].contains(error.code)
            ? StartTLSProtocol.allCases.filter { $0.ports.contains(port) } : []
        let isSaid = error.code == .notTLS && !error.startTLS.isEmpty
        let likely = isSaid || byPort.isEmpty ? error.startTLS : byPort
        guard !likely.isEmpty else { return "" }
        let options = likely.map { "`--starttls \($0.rawValue)`" }.joined(separator: " or ")
        guard !isSaid else { return "; give \(options)" }
        let names = likely.map(\.title).joined(separator: " or ")
        return "; a server of \(names) begins in clear text: \(options)"
    }

    /// Compares the certificate that a server shows without a name with the one for a name that the
    /// certificate lacks; nil where the server shows nothing that can be compared.
    static func defaultCertificate(
        of address: String, for target: RequestHost, _ options: StartTLSOption,
        showing leaf: [UInt8]
    ) -> String? {
        var unnamed = options
        unnamed.sendsNoName = true
        let other: ProbedConnection
        do throws(CommandFailure) {
            other = try connect(
                to: address, for: target, unnamed,
                alpn: options.starttls == nil ? TLSConnection.webProtocols : [])
        } catch {
            return
                "without a server name the server shows no certificate, so it selected this one for "
                + "`\(target.host)`"
        }
        guard let shown = other.presentedChain.first else { return nil }
        guard shown != leaf else {
            return
                "the server shows the same certificate without a server name (`--no-sni`): it is "
                + "its default certificate, and it has no other for `\(target.host)`"
        }
        let subject = (try? Certificate(der: shown))?.subjectText
        return "without a server name (`--no-sni`) the server shows another certificate"
            + (subject.map { ", `\(Words.shortened($0, to: 80))`" } ?? "")
            + ", so it selected this one for `\(target.host)`"
    }
}
