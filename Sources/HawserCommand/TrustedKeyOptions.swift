import ArgumentParser
import Hawser
import TrustEngine

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
        guard !trustedKey.isEmpty else {
            guard threshold == nil else {
                throw .couldNotAsk("`--threshold` counts trusted keys; give `--trusted-key KEY`")
            }
            return nil
        }
        var keys: [TablePublicKey] = []
        for value in trustedKey { keys.append(try TrustedKeyOptions.key(value)) }
        do throws(TrustedKeyError) {
            return try TrustedKeys(keys, threshold: threshold ?? 1)
        } catch {
            throw .couldNotAsk("trusted keys, \(error.code.rawValue): \(error.context)")
        }
    }

    /// The options as they were given, to repeat them in a proposed command.
    var words: [String] {
        trustedKey.flatMap { ["--trusted-key", $0] }
            + (threshold.map { ["--threshold", String($0)] } ?? [])
    }

    /// The most octets of a key file.
    private static let largestKey = 64 << 10

    private static func key(_ value: String) throws(CommandFailure) -> TablePublicKey {
        // Base64 of this length is a key: nobody has a file with such a name.
        let isKey = Base64.decode(value.utf8)?.count == 32
        var pem: [UInt8] = []
        if !isKey {
            do throws(FileReadError) {
                pem = try FileReader.readNamed(
                    path: value, limit: largestKey, seconds: InputFile.seconds)
            } catch {
                throw .couldNotAsk(
                    "`--trusted-key \(value)` is neither the base64 of 32 octets nor a file: "
                        + error.context)
            }
        }
        do throws(TrustedKeyError) {
            if isKey { return try TablePublicKey(base64: value) }
            return try TablePublicKey(pem: pem)
        } catch {
            throw .couldNotAsk("`--trusted-key \(value)`, \(error.code.rawValue): \(error.context)")
        }
    }
}
