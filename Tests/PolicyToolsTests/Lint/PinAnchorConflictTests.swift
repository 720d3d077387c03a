import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// HW407, by marked text: pins that no path to the rule's anchors can meet.
@Suite("lint: pins against anchors") struct PinAnchorConflictTests {
    private static let issuing = MarkedLint.otherRoot.issueCA(
        "Other Issuing", key: .p256("lint-issuing"))
    private static let leaf = issuing.issueLeaf(dns: ["api.acme.example"])
    private static let crossed = MarkedLint.root.crossSign(MarkedLint.otherRoot)

    private static let files: [String: [UInt8]] = [
        "issuing.pem": Array(issuing.pem.utf8), "leaf.pem": Array(leaf.pem.utf8),
        "crossed.pem": Array(crossed.pem.utf8),
    ]

    /// A rule that trusts `corp.pem`, pins `keys`, and offers certificates to the path search.
    private static func policy(
        _ keys: String, offers: String = "issuing.pem, other.pem", pins: String = "«HW407:api»",
        anchors: String = "corp", _ rest: String = ""
    ) -> MarkedLint {
        MarkedLint(
            """
            hawser: 1
            default: deny
            anchors:
              corp: { files: [corp.pem], intermediates: [\(offers)], owner: pki }
            pins:
              api:
                keys: { \(keys) }
                backups: { next: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= } }
                enforce-until: 2028-06-30
            rules:
              api:
                hosts: ["api.acme.example"]
                anchors: [\(anchors)]
                pins: [\(pins)]
                owner: web
            \(rest)
              corp: { hosts: ["corp.acme.example"], anchors: [corp], owner: web }

            """)
    }

    @Test(
        "every key in service leads to another root",
        arguments: [
            ("now: { spki-file: issuing.pem, at: ca }", "issued under `CN=Other Root`"),
            ("now: { spki-file: leaf.pem }", "`now` is `CN=api.acme.example`"),
            ("now: { certificate-file: leaf.pem, at: leaf }", "`now` is `CN=api.acme.example`"),
            ("now: { spki-file: other.pem }", "`CN=Other Root`, which signs itself"),
            (
                "a: { spki-file: other.pem }, b: { spki-file: leaf.pem }",
                "`b` is `CN=api.acme.example`"
            ),
        ])
    func elsewhere(_ keys: String, _ words: String) {
        Self.policy(keys).expect(
            files: Self.files,
            says: [
                "`api` rejects everything: no key in service of `api` leads to its anchors", words,
                "none of the anchors",
            ], without: [.voidPin])
    }

    @Test("a pin `at: anchor` is an anchor or nothing, whatever else is known of it")
    func atAnchor() {
        let unknown =
            "now: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs=, at: anchor }"
        Self.policy(unknown).expect(
            files: Self.files, says: ["`now` is pinned `at: anchor`, and is none of the anchors"])
        Self.policy("now: { spki-file: corp.pem, at: anchor }", pins: "api").expect(
            files: Self.files)
    }

    @Test("nothing is said where one key may do, or where something is not known")
    func quiet() {
        let keys = "now: { spki-file: leaf.pem }"
        // The anchors' own, beside another.
        Self.policy("a: { spki-file: other.pem }, b: { spki-file: corp.pem }", pins: "api")
            .expect(files: Self.files)
        // A digest of which no certificate is known.
        Self.policy(
            "a: { spki-file: leaf.pem }, b: { spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs= }",
            pins: "api"
        ).expect(files: Self.files)
        // The issuer's own issuer is missing.
        Self.policy(keys, offers: "issuing.pem", pins: "api").expect(files: Self.files)
        // A cross-certificate leads to the anchors.
        Self.policy(keys, offers: "issuing.pem, other.pem, crossed.pem", pins: "api")
            .expect(files: Self.files)
        // Roots that nobody here knows.
        Self.policy(keys, pins: "api", anchors: "corp, system").expect(files: Self.files)
    }

    @Test("nothing is said while a mismatch rejects nothing")
    func tolerated() {
        let keys = "now: { spki-file: leaf.pem }"
        for rest in [
            "    waivers: { pins: { reason: moving, owner: web, until: 2026-09-30 } }",
            "    report-only: { pins: { until: 2026-09-30 } }",
            "    report-only: { all: { until: 2026-09-30 } }",
        ] {
            Self.policy(keys, pins: "api", rest).expect(files: Self.files)
            let after = MarkedLint.options(at: UTCInstant(text: "2026-10-01T00:00:00Z")!)
            let codes = Self.policy(keys, rest).lint(after, files: Self.files).findings.map(\.code)
            #expect(codes.contains(.pinAnchorConflict) && codes.contains(.exceptionEnded))
        }
    }
}
