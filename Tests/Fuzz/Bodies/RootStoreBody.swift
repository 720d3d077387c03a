import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import TrustEngine

/// The text of a Chrome Root Store: what can be imported is a policy that compiles, and every place
/// that is told lies inside the text.
enum RootStoreBody {
    private static let crypto = LibCryptoBackend()
    private static let authorities = [Seeds.root, Seeds.otherRoot, Seeds.issuing]

    static func run(_ bytes: [UInt8]) {
        let source = SourceFile(path: "roots.textproto", bytes: bytes)
        do throws(TextFormatError) {
            check(
                try ChromeRootImport(
                    source, certificates: authorities.map(\.der),
                    version: bytes.count % 2 == 0 ? nil : ChromeVersion("152.0"), crypto: crypto),
                source)
        } catch {
            require(
                (0...bytes.count).contains(error.offset) && !error.message.isEmpty,
                "an error is about a place of the text")
        }
    }

    private static func check(_ imported: ChromeRootImport, _ source: SourceFile) {
        for remark in imported.remarks {
            require(
                (0...source.bytes.count).contains(remark.offset),
                "a remark is about a place of the text")
        }
        require(imported.taken <= imported.anchors, "no anchor is taken that the store has not")
        require(Set(imported.sets.map(\.id)).count == imported.sets.count, "an id names one set")
        guard !imported.sets.isEmpty else { return }
        var files = PolicyFiles()
        for set in imported.sets { files.octets[set.file] = set.der }
        files.octets[ChromeRootPolicy.logList] = Array(TestLogList.json([]).utf8)
        let text = ChromeRootPolicy.text(imported, source: source.path)
        let unit = PolicyUnit(
            files: [SourceFile(path: "policy.yaml", bytes: Array(text.utf8))], resources: files,
            isDirectory: true)
        let compiled = CompilerPipeline.compile(unit, crypto: crypto)
        require(
            !compiled.diagnostics.contains { $0.severity == .error },
            "what is written compiles")
    }

    /// The files of a unit.
    private struct PolicyFiles: UnitResources {
        var octets: [String: [UInt8]] = [:]

        func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
            guard let octets = octets[path] else {
                throw ResourceError(code: .notFound, context: "there is no such file")
            }
            return octets
        }

        func list(_ folder: String) throws(ResourceError) -> [String] { [] }
    }

    private static func digest(_ authority: Authority) -> String {
        Hexadecimal.encode(crypto.digest(.sha256, of: authority.der.span).bytes)
    }

    static let seeds: [[UInt8]] = [
        """
        # A comment.
        version_major: 39
        trust_anchors {
          sha256_hex: "\(digest(authorities[0]))"
          constraints: { sct_not_after_sec: 1790812799 min_version: "152" };
          constraints < permitted_dns_names: ["acme.example", '.b.' 'example'], >
          constraints [{ max_version_exclusive: "152.0.1" }]
        }
        trust_anchors: {
          sha256_hex: '\(digest(authorities[1]))' ev_policy_oids: "2.23.140.1.1"
          constraints { validity_starts_not_after_sec: 0x6ABDA67F sct_all_after_sec: 017 }
        }
        additional_certs {
          sha256_hex: "\(digest(authorities[2]))"
          tls_trust_anchor: true enforce_anchor_expiry: true eutl: false
          trust_anchor_id: "\\x82\\332\\u00e9"
        }
        """,
        "trust_anchors { sha256_hex: \"\(digest(authorities[0]))\" constraints { index_after: 1 }}",
        "trust_anchors { sha256_hex: \"\(digest(authorities[0]))\" }",
    ].map { Array($0.utf8) }
}
