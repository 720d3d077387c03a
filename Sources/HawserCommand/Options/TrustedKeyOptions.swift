import ArgumentParser
import Hawser

/// The option of every command that judges chains, beside the options for the policy.
struct SystemStoreOption: ParsableArguments {
    @Option(
        name: .customLong("system-store"),
        help: """
            A PEM file with the certificates that `system` stands for; by default the store of this \
            machine. `SSL_CERT_FILE` is not read.
            """,
        completion: .file())
    var systemStore: String?

    /// The option as it was given, to repeat it in a proposed command.
    var words: [String] { systemStore.map { ["--system-store", $0] } ?? [] }
}

/// The options for keys that must have signed the table.
struct TrustedKeyOptions: ParsableArguments {
    @Option(
        name: .customLong("trusted-key"),
        help: """
            A public key that must have signed the table, a PEM file or base64 as `hawser sign` prints it; \
            may be repeated.
            """, completion: .file())
    var trustedKey: [String] = []

    @Option(help: "How many of the trusted keys must have signed; by default 1.")
    var threshold: Int?

    /// The keys; nil if none was given.
    func keys() throws(CommandFailure) -> TrustedKeys? {
        try asking { () throws(NamedKeyProblem) in
            try TrustedKeys.named(
                trustedKey, threshold: threshold, seconds: InputFile.seconds)
        }
    }

    /// The options as they were given, to repeat them in a proposed command.
    var words: [String] {
        trustedKey.flatMap { ["--trusted-key", $0] }
            + (threshold.map { ["--threshold", String($0)] } ?? [])
    }
}
