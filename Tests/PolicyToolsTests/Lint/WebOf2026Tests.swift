import Foundation
import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// The rules on what public CAs changed in 2025 and 2026, each by marked text.
@Suite("lint: the web of 2026") struct WebOf2026Tests {
    private static let leaf = MarkedLint.root.issueLeaf(dns: ["api.acme.test"])
    private static let listed = MarkedLint.root.issueCA("Acme Listed", key: .p256("lint-listed")) {
        $0.extensions.append(.crlDistributionPoints(["http://crl.acme.example/root.crl"]))
    }

    /// The real roots of Let's Encrypt, as a recipe has them.
    private static func isrg(_ file: String) throws -> [UInt8] {
        let place = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "policies/generation-y/anchors/\(file)")
        return [UInt8](try Data(contentsOf: place))
    }

    // MARK: HW416

    private static let one =
        "sha256:5f4c2cf2a1a7bd2ba7e5c0f4b2a6d1ef03de9c3b88f6f2a0d4b1c7e95a3f6d81"
    private static let other =
        "sha256:a3b7d61f0c9e54820d13fb6e7c2845f9be1d03a7c64f98e25b70d1cf3a86e492"
    private static let spki = "sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="

    private static func pins(
        _ keys: String, match: String = "any", anchors: String = "system", fields: String = ""
    ) -> MarkedLint {
        MarkedLint(
            """
            hawser: 1
            default: deny
            anchors:
              corp: { files: [corp.pem], owner: pki }
              public: { files: [other.pem], standard: web-pki, owner: pki }
            pins:
              api:
                keys: { \(keys) }
                backups: { next: { certificate: \(other), at: leaf } }
                match: \(match)
                enforce-until: 2032-06-30
                owner: web
            rules:
              api: { hosts: ["api.acme.test"], anchors: [\(anchors)], pins: [api], owner: web\(fields) }
              rest: { hosts: ["rest.acme.test"], anchors: [corp, public], owner: web }

            """)
    }

    private static let files = ["leaf.pem": Array(leaf.pem.utf8)]
    /// What else is said of sets with certificates and keys side by side.
    private static let others: Set<DiagnosticCode> = [.incomparableBackup, .pinAnchorConflict]

    @Test("HW416: one certificate of a server under public CAs, which issue for months")
    func leafCertificate() {
        let marked = Self.pins("now: { certificate: «HW416:\(Self.one)», at: leaf }")
        marked.expect(
            says: [
                "`now` of `api` is one certificate of a server",
                "public CAs issue none for more than 200 days", "even if the server keeps its key",
                "with `spki` and `at: leaf`", "`at: ca`, outlives new keys too, and is weaker",
                "SC-081v3",
            ], without: Self.others)
        for (day, days) in [("2027-03-14T23:59:59Z", "200"), ("2029-03-15T00:00:00Z", "47")] {
            marked.expect(
                MarkedLint.options(at: UTCInstant(text: day)!), says: ["more than \(days) days"],
                without: Self.others)
        }
        Self.pins("now: { certificate: «HW416:\(Self.one)», at: leaf }", anchors: "public, system")
            .expect(without: Self.others)
        Self.pins("now: { certificate-file: «HW416:leaf.pem» }", anchors: "public")
            .expect(files: Self.files, without: Self.others)
    }

    @Test("HW416: under a rule's own limit, whoever issues")
    func leafCertificateUnderALimit() {
        func limited(_ text: String, _ validity: String) -> MarkedLint {
            Self.pins(
                "now: { certificate: \(text), at: leaf }", anchors: "corp",
                fields: ", validity: { \(validity) }")
        }
        let steps = "lifetime-steps: [{ issued-from: 2026-03-15, maximum: 47d }]"
        limited("«HW416:\(Self.one)»", "maximum-lifetime: 47d")
            .expect(says: ["`api` accepts none that lives for more than 47 days"])
        limited("«HW416:\(Self.one)»", steps).expect(says: ["more than 47 days"])
        limited("«HW416:\(Self.one)»", "maximum-lifetime: 200d").expect()
        limited(Self.one, "maximum-lifetime: 201d").expect()
        limited(Self.one, steps.replacing("2026-03-15", with: "2027-03-15")).expect()
    }

    @Test("HW416 says nothing of what outlives a renewal, or before public CAs had the limit")
    func nearLeafCertificates() {
        let one = "now: { certificate: \(Self.one), at: leaf }"
        let before = UTCInstant(text: "2026-03-14T23:59:59Z")!
        Self.pins(one).expect(MarkedLint.options(at: before), without: Self.others)
        Self.pins(one, anchors: "corp").expect(without: Self.others)
        Self.pins(one, anchors: "corp, public").expect(without: Self.others)
        Self.pins(one, anchors: "pinned-keys").expect(without: Self.others)
        Self.pins("now: { spki: \(Self.spki), at: leaf }").expect(without: Self.others)
        // Of which certificate the digest is cannot be known.
        Self.pins("now: { certificate: \(Self.one) }").expect(without: Self.others)
        Self.pins("now: { certificate: \(Self.one), at: ca }").expect(without: Self.others)
        let both = one + ", ca: { spki: \(Self.spki), at: ca }"
        Self.pins(both).expect(without: Self.others)
        Self.pins(
            both.replacing(Self.one, with: "«HW416:\(Self.one)»"), match: "all"
        ).expect(without: Self.others)
        Self.pins(
            both.replacing(Self.one, with: "«HW416:\(Self.one)»"), match: "2"
        ).expect(without: Self.others)
    }

    // MARK: HW519

    private static func sources(
        _ revocation: String, anchors: String = "isrg", more: String = ""
    ) -> MarkedLint {
        MarkedLint(
            """
            hawser: 1
            default: deny
            anchors:
              isrg: { files: [x1.pem, yr.pem], standard: web-pki, owner: pki }
              corp: { files: [corp.pem], intermediates: [listed.pem], owner: pki }
              other: { files: [other.pem], standard: web-pki, owner: pki }
            \(more)rules:
              api: { hosts: ["api.acme.test"], anchors: [\(anchors)], owner: web, \(revocation) }
              rest: { hosts: ["rest.acme.test"], anchors: [corp, isrg, other], owner: web }

            """)
    }

    private static func authorities() throws -> [String: [UInt8]] {
        [
            "x1.pem": try isrg("isrg-root-x1.pem"), "x2.pem": try isrg("isrg-root-x2.pem"),
            "yr.pem": try isrg("root-yr.pem"), "ye.pem": try isrg("root-ye.pem"),
            "listed.pem": Array(listed.pem.utf8),
        ]
    }

    @Test("HW519: OCSP alone, of a CA that has ended it", arguments: ["ocsp", "stapled, ocsp"])
    func announced(_ sources: String) throws {
        let files = try Self.authorities()
        let marked = Self.sources("revocation: { sources: «HW519:[\(sources)]» }")
        marked.expect(
            files: files,
            says: [
                "`api` asks for revocation only by OCSP",
                "Let's Encrypt, whose", "answers no OCSP request since 2025-08-06",
                "a revocation is never looked up, and nothing says so",
                "add `crl` to `revocation.sources`",
            ])
        for (fields, effect) in [
            ("preset: require, ", "every path without evidence brought along is rejected"),
            ("causes: { no-endpoint: report }, ", "each accept reports so"),
        ] {
            Self.sources("revocation: { \(fields)sources: «HW519:[\(sources)]» }")
                .expect(files: files, says: [effect])
        }
    }

    @Test("HW519: each root of that CA by its key, and the sources of a profile")
    func announcedRoots() throws {
        let files = try Self.authorities()
        for root in ["x1.pem", "x2.pem", "yr.pem", "ye.pem"] {
            Self.sources("revocation: { sources: «HW519:[ocsp]» }").policyText {
                $0.replacing("[x1.pem, yr.pem]", with: "[\(root)]")
            }.expect(files: files)
        }
        Self.sources(
            "profile: p", anchors: "other, «HW519:isrg»",
            more: "profiles:\n  p: { revocation: { sources: [ocsp] } }\n"
        ).expect(files: files, says: ["the sources are written here"])
    }

    @Test("HW519: a named certificate with a CRL and no responder")
    func listedAlone() throws {
        let files = try Self.authorities()
        Self.sources("revocation: { sources: «HW519:[ocsp]» }", anchors: "corp").expect(
            files: files, says: ["`CN=Acme Listed` below its anchors names a CRL and no responder"])
    }

    @Test(
        "HW519 says nothing where CRLs are among the sources, or nothing is known of the issuers",
        arguments: [
            ("sources: [ocsp, crl]", "isrg"), ("sources: [crl]", "isrg"),
            ("preset: best-effort", "isrg"),
            ("sources: [ocsp]", "other"), ("sources: [ocsp]", "system"),
            ("sources: [ocsp], short-lived: 90d", "isrg"),
            ("sources: [ocsp], scope: leaf", "corp"),
        ])
    func nearOCSP(_ fields: String, _ anchors: String) throws {
        Self.sources("revocation: { \(fields) }", anchors: anchors)
            .expect(files: try Self.authorities())
    }

    @Test("HW519 says nothing before that CA ended its service, or while revocation is waived")
    func notYet() throws {
        let files = try Self.authorities()
        let quiet = Self.sources("revocation: { sources: [ocsp] }")
        let last = MarkedLint.options(at: UTCInstant(text: "2025-08-05T23:59:59Z")!)
        let before = quiet.lint(last, files: files).findings
        #expect(!before.contains { $0.code == .ocspNotPublished })
        let first = MarkedLint.options(at: UTCInstant(text: "2025-08-06T00:00:00Z")!)
        #expect(quiet.lint(first, files: files).findings.contains { $0.code == .ocspNotPublished })
        Self.sources(
            "revocation: { sources: [ocsp] }, waivers: { revocation: { reason: moving, owner: web, "
                + "until: 2026-08-01 } }"
        ).expect(files: files)
    }

    // MARK: HW518

    @Test("HW518: `client-auth` of a CA that is known to be public by the key of its root")
    func clientAuth() throws {
        Self.sources("path: { key-purposes: [«HW518:client-auth»] }").policyText {
            $0.replacing("yr.pem], standard: web-pki", with: "yr.pem]")
        }.expect(files: try Self.authorities(), says: ["since 2026-02-11"])
        Self.sources("path: { key-purposes: [client-auth] }", anchors: "corp")
            .expect(files: try Self.authorities())
    }
}
