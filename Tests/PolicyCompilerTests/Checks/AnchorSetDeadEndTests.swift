import LibCrypto
import PolicyCompiler
import TestPKI
import Testing
import TrustEngine

/// HW313: a set of anchors at none of which a path can end, as `check` and `compile` report it.
@Suite("sets of dead ends") struct AnchorSetDeadEndTests {
    private static let pki = Scenario()

    private static func root(
        _ name: String, key: TestKey? = nil, _ change: (inout CertificateRecipe) -> Void = { _ in }
    ) -> [UInt8] {
        Array(pki.root(TestName(name), key: key ?? .p256("dead \(name)"), change).pem.utf8)
    }

    private static let files: [String: [UInt8]] = [
        "good.pem": root("Good"),
        "usage.pem": root("Usage") { $0.set(.keyUsage([.cRLSign])) },
        "critical.pem": root("Critical") { $0.extensions.append(.unknown(critical: true)) },
        "clients.pem": root("Clients") { $0.set(.extendedKeyUsage([OID.clientAuth])) },
        "code.pem": root("Code") { $0.set(.extendedKeyUsage([OID.codeSigning])) },
        "weak.pem": root("Weak", key: .rsa1024("dead weak")),
        "rsa.pem": root("RSA", key: .rsa2048("dead rsa")),
        "no-usage.pem": root("No Usage") { $0.remove(OID.keyUsage) },
        "marked.pem": root("Marked") { $0.set(.subjectKeyIdentifier([1, 2]).critical(true)) },
        "ended.pem": root("Ended") { $0.notAfter = .at("2026-01-31") },
        "version-1.pem": root("Version 1") {
            $0.version = 1
            $0.extensions = []
        },
    ]

    private static func findings(
        _ sets: String, rules: String = "", trusts: String = "corp", rule: String = ""
    ) -> (codes: [String], words: String) {
        let text =
            "hawser: 1\ndefault: deny\nanchors:\n"
            + sets.split(separator: "\n").map { "  \($0)\n" }.joined()
            + "rules:\n  api: { hosts: [\"api.acme.example\"], anchors: [\(trusts)]\(rule) }\n"
            + rules.split(separator: "\n").map { "  \($0)\n" }.joined()
        let unit = MemoryUnit.unit(["policy.yaml": Array(text.utf8)], resources: files)
        let found = CompilerPipeline.check(unit, crypto: LibCryptoBackend()).diagnostics
        let words = found.map { ([$0.message] + $0.help + $0.notes).joined(separator: "\n") }
        return (found.map(\.code.rawValue), words.joined(separator: "\n"))
    }

    @Test("one reason for each way in which a certificate is a dead end")
    func reasons() {
        let cases: [(set: String, says: String)] = [
            ("files: [usage.pem]", "`usage.pem` may not sign certificates, by its key usage"),
            ("files: [critical.pem]", "has the critical extension"),
            ("files: [clients.pem]", "is only for `clientAuth`, wanted: `serverAuth`"),
            ("files: [weak.pem]", "has a key that is RSA of 1024 bits, at least 2048 wanted"),
            (
                "files: [marked.pem]",
                "does not meet the demand `subject-key-identifier-critical` of `rfc5280`"
            ),
        ]
        for (set, says) in cases {
            let (codes, words) = Self.findings("corp: { \(set) }")
            #expect(codes == ["HW313"], "\(set): \(words)")
            #expect(words.contains("no path can end at any anchor of `corp`: "), "\(words)")
            #expect(words.contains(says), "\(words)")
        }
    }

    @Test("a demand of issuance counts where every rule enforces it and waives nothing")
    func issuance() {
        let set = "corp: { files: [no-usage.pem], standard: web-pki }"
        func codes(_ rule: String) -> [String] { Self.findings(set, rule: rule).codes }
        let waiver =
            "{ issuance: { demands: [key-usage-of-ca-missing], reason: old, owner: pki, "
            + "until: 2026-12-31 } }"
        #expect(codes("") == [])
        #expect(codes(", path: { issuance: enforce }") == ["HW313"])
        #expect(codes(", path: { issuance: enforce }, waivers: \(waiver)") == [])
        let lenient = "web: { hosts: [\"web.acme.example\"], anchors: [corp] }"
        #expect(
            Self.findings(set, rules: lenient, rule: ", path: { issuance: enforce }").codes == [])
    }

    @Test("the certificates are counted, and one sound anchor is enough")
    func several() {
        let all = Self.findings("corp: { files: [code.pem, usage.pem, clients.pem] }")
        #expect(all.codes == ["HW313"])
        #expect(
            all.words.contains("none of the 3 certificates can end a path, 2 of them for another"))
        for sound in ["good.pem", "version-1.pem"] {
            let (codes, words) = Self.findings("corp: { files: [code.pem, usage.pem, \(sound)] }")
            #expect(!codes.contains("HW313"), "\(words)")
        }
        #expect(Self.findings("corp: { include: [system], files: [code.pem] }").codes == [])
    }

    @Test("dates are not judged, and what a set or a rule lets through is no reason")
    func allowed() {
        let quiet: [(set: String, rule: String)] = [
            ("files: [ended.pem]", ""),
            ("files: [no-usage.pem]", ""),
            ("files: [clients.pem], ignore-limits: [key-purposes]", ""),
            ("files: [clients.pem]", ", path: { key-purposes: [client-auth] }"),
            (
                "files: [weak.pem]",
                ", waivers: { keys: { rsa-minimum: 1024, reason: late, owner: web, "
                    + "until: 2020-01-31 } }"
            ),
            (
                "files: [rsa.pem]",
                ", keys: { rsa-minimum: 3072 }, report-only: { keys: { until: 2020-01-31 } }"
            ),
        ]
        for (set, rule) in quiet {
            let (codes, words) = Self.findings("corp: { \(set) }", rule: rule)
            #expect(codes == [], "\(set): \(words)")
        }
        #expect(
            Self.findings("corp: { files: [rsa.pem] }", rule: ", keys: { rsa-minimum: 3072 }").codes
                == ["HW313"])
    }

    @Test("one rule of several that can use an anchor is enough")
    func rules() {
        let other = "www: { hosts: [\"www.acme.example\"], anchors: [corp]"
        let set = "corp: { files: [clients.pem] }"
        #expect(Self.findings(set, rules: other + " }").codes == ["HW313"])
        #expect(
            Self.findings(set, rules: other + ", path: { key-purposes: [client-auth] } }").codes
                == [])
    }

    @Test("of included sets the one that names the certificates is told")
    func included() {
        let sets = "all: { include: [corp, more] }\ncorp: { files: [code.pem] }\n"
        let both = Self.findings(sets + "more: { files: [usage.pem] }", trusts: "all")
        #expect(both.codes == ["HW313", "HW313"])
        #expect(!both.words.contains("`all`"))
        let one = Self.findings(sets + "more: { files: [good.pem] }", trusts: "all")
        #expect(one.codes == ["HW313"])
        let filtered = Self.findings(
            "all: { include: [corp], only: { a: { certificate-file: code.pem } } }\n"
                + "corp: { files: [good.pem, code.pem] }", trusts: "all")
        #expect(filtered.codes == ["HW313"])
        #expect(filtered.words.contains("any anchor of `all`"))
    }
}
