/// Which files of a folder are read when a policy names the folder (LANGUAGE section 2.5).
package enum CertificateFileName {
    /// The endings of their names.
    package static let endings = [".pem", ".crt", ".cer", ".der"]

    /// Whether a file has the name of a certificate file. Letter case is ignored: otherwise a file
    /// could be skipped unnoticed.
    package static func isOne(_ name: String) -> Bool {
        let folded = name.lowercased()
        return endings.contains { folded.hasSuffix($0) }
    }
}
