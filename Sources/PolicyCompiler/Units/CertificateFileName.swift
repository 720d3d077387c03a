/// Which files of a folder are meant when a policy names the folder (LANGUAGE section 2.5).
package enum CertificateFileName {
    /// The endings of their names.
    package static let endings = [".pem", ".crt", ".cer", ".der"]

    /// Whether a name is one of a certificate file. Letter case says nothing: a file that was passed
    /// over for its case would be missed by nobody.
    package static func isOne(_ name: String) -> Bool {
        let folded = name.lowercased()
        return endings.contains { folded.hasSuffix($0) }
    }
}
