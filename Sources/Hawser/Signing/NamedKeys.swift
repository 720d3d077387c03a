import TrustEngine

/// Why keys that were named on a command line are not taken. Lower case, no full stop. Not escaped.
package struct NamedKeyProblem: Error {
    package let context: String
}

extension TrustedKeys {
    /// The most octets of a key file.
    private static let largestKey = 64 << 10

    /// The keys that the options `--trusted-key` and `--threshold` name: PEM files, or base64 as
    /// `hawser sign` prints it; nil if none is named.
    ///
    /// - Parameter seconds: the time in which a FIFO must end.
    package static func named(
        _ values: [String], threshold: Int?, seconds: Int
    ) throws(NamedKeyProblem) -> TrustedKeys? {
        guard !values.isEmpty else {
            guard threshold == nil else {
                throw NamedKeyProblem(
                    context: "`--threshold` counts trusted keys; give `--trusted-key KEY`")
            }
            return nil
        }
        var keys: [TablePublicKey] = []
        for value in values { keys.append(try key(value, seconds)) }
        do throws(TrustedKeyError) {
            return try TrustedKeys(keys, threshold: threshold ?? 1)
        } catch {
            throw NamedKeyProblem(
                context: "trusted keys, \(error.code.rawValue): \(error.context)")
        }
    }

    private static func key(
        _ value: String, _ seconds: Int
    ) throws(NamedKeyProblem) -> TablePublicKey {
        // Base64 of this length is a key: a file name does not look like this.
        let isKey = Base64.decode(value.utf8)?.count == 32
        var pem: [UInt8] = []
        if !isKey {
            do throws(FileReadError) {
                pem = try FileReader.readNamed(path: value, limit: largestKey, seconds: seconds)
            } catch {
                throw NamedKeyProblem(
                    context: "`--trusted-key \(value)` is neither the base64 of 32 octets nor a "
                        + "file: " + error.context)
            }
        }
        do throws(TrustedKeyError) {
            if isKey { return try TablePublicKey(base64: value) }
            return try TablePublicKey(pem: pem)
        } catch {
            throw NamedKeyProblem(
                context:
                    "`--trusted-key \(value)`, \(error.code.rawValue): \(error.context)")
        }
    }
}
