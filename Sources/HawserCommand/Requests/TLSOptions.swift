import ArgumentParser
import TrustEngine

/// TLS parameters that `explain` assumes for a connection that it did not make (LANGUAGE section
/// 12.3).
struct TLSOptions: ParsableArguments {
    @Option(name: .customLong("tls-version"), help: "The version: tls1.0 to tls1.3.")
    var version: String?

    @Option(name: .customLong("cipher-suite"), help: "The IANA name of the cipher suite.")
    var cipherSuite: String?

    @Option(help: "The IANA name of the key exchange group.")
    var group: String?

    @Option(
        name: .customLong("signature-scheme"),
        help: "The IANA name of the scheme that the server signed with.")
    var signatureScheme: String?

    @Option(help: "The application protocol.")
    var alpn: String?

    /// The parameters. Those that were not given are unknown.
    func parameters() throws(CommandFailure) -> TLSParameters {
        var parameters = TLSParameters(
            cipherSuite: cipherSuite, group: group, signatureScheme: signatureScheme, alpn: alpn)
        if let version {
            parameters.version = TLSVersion.allCases.first { $0.name == version }
            guard parameters.version != nil else {
                let names = TLSVersion.allCases.map { "`\($0.name)`" }.joined(separator: ", ")
                throw .couldNotAsk("`--tls-version \(version)` is none of \(names)")
            }
        }
        return parameters
    }

    /// Every option by its name; nil if it was not given.
    var given: [(String, String?)] {
        [
            ("--tls-version", version), ("--cipher-suite", cipherSuite), ("--group", group),
            ("--signature-scheme", signatureScheme), ("--alpn", alpn),
        ]
    }

    /// The name of the first option that was given.
    var firstGiven: String? { given.first { $0.1 != nil }?.0 }
}
