package import PolicyCompiler
import Rendering
package import TrustEngine

/// Writes the trusted certificates of a store as a policy: anchors for every host, as Java's trust
/// manager takes them. A store states nothing else.
package struct StoreImport {
    private let file: StoreFile
    /// Takes certificates without Java's mark, too.
    private let takesAll: Bool
    private let source: SourceFile
    private var anchors: AnchorFiles
    private var policy = WrittenPolicy()
    private var findings = ForeignFindings()

    /// Imports a store.
    ///
    /// - Parameters:
    ///   - source: the listing of the store, under the name that the policy cites.
    ///   - takesAll: whether certificates that PKCS#12 does not mark as trusted are anchors.
    ///   - owner: the owner of the rule; nil if nobody was named.
    package static func policy(
        of file: StoreFile, takesAll: Bool = false, source: SourceFile, owner: String? = nil,
        crypto: any CryptoBackend
    ) -> ForeignImport {
        var imported = StoreImport(file, takesAll, source, crypto)
        imported.policy.owner = owner
        imported.write()
        return ForeignImport(
            policy: imported.policy, files: imported.anchors.files,
            findings: imported.findings.diagnostics)
    }

    private init(
        _ file: StoreFile, _ takesAll: Bool, _ source: SourceFile, _ crypto: any CryptoBackend
    ) {
        self.file = file
        self.takesAll = takesAll
        self.source = source
        anchors = AnchorFiles(named: "trust-store", standard: nil, crypto: crypto)
    }

    private mutating func write() {
        let form = file.format.name
        policy.heading = [
            "Written by `hawser import trust-store` from \(source.path) (\(form)).",
            "Its certificates are trusted for every host. `hawser help foreign-files.md` describes",
            "the import.",
        ]
        let first = file.entries.first?.line ?? 0..<0
        switch file.integrity {
        case .checked: break
        case .withoutPassword:
            note(
                .storeNotChecked,
                "the digest of the store is not checked, because no password was given", first,
                help: [
                    "`--password-file`, `--password-env` or `--changeit` gives it; Java does not "
                        + "check the digest without a password either"
                ])
        case .absent:
            note(
                .storeNotChecked, "the store has no digest that shows whether it was changed",
                first)
        }
        for entry in file.entries { take(entry) }
        let sets = anchors.sets { [source] count in
            "\(Words.count(count, "certificate")) of \(source.path)"
        }
        guard !sets.isEmpty else {
            findings.add(
                .storeWithoutAnchors, "the store has no trusted certificate", at: first, .none,
                ForeignFindings.Hosts(),
                help: [
                    "Java refuses an empty trust store; if the certificates are only not marked as "
                        + "trusted, `--all-certificates` takes them"
                ])
            return
        }
        policy.anchorSets = sets
        policy.defaultBody = WrittenPolicy.Body(anchors: sets.map(\.id))
    }

    private mutating func note(
        _ code: DiagnosticCode, _ message: String, _ line: Range<Int>, help: [String] = []
    ) {
        findings.add(code, message, at: line, .none, ForeignFindings.Hosts(), help: help)
    }

    private mutating func take(_ entry: StoreFile.Entry) {
        let name = entry.name.isEmpty ? "an entry without a name" : "the entry `\(entry.name)`"
        switch entry.content {
        case .other(let words): note(.storeEntryLeftOut, "\(name) is \(words)", entry.line)
        case .certificate(let der, let isTrusted):
            guard isTrusted || takesAll else {
                note(
                    .storeEntryLeftOut, "\(name) is a certificate that is not marked as trusted",
                    entry.line,
                    help: [
                        "Java does not trust it; `--all-certificates` takes such certificates, as "
                            + "programs do that know no mark"
                    ])
                return
            }
            do throws(CertificateError) {
                let certificate = try Certificate(der: der)
                anchors.add(certificate, named: entry.name, kind: AnchorKind(of: certificate))
            } catch {
                findings.add(
                    .storeEntryLeftOut,
                    "the certificate of \(name) cannot be read: \(error.context)",
                    at: entry.line, .policyIsStricter, ForeignFindings.Hosts(others: true))
            }
        }
    }
}
