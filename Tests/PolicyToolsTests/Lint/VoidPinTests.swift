import PolicyTools
import TestPKI
import Testing

/// HW418, by marked text: pins that another entry of their set makes void.
@Suite("lint: void pins") struct VoidPinTests {
    private static let issuing = MarkedLint.otherRoot.issueCA(
        "Other Issuing", key: .p256("void-issuing"))
    private static let leaf = issuing.issueLeaf(dns: ["api.acme.example"])
    private static let stranger = MarkedLint.root.issueCA(
        "Other Issuing", key: .p256("void-stranger"))

    private static let files: [String: [UInt8]] = [
        "issuing.pem": Array(issuing.pem.utf8), "leaf.pem": Array(leaf.pem.utf8),
        "stranger.pem": Array(stranger.pem.utf8),
    ]

    private static func policy(
        _ keys: String, _ backups: String, _ more: String = "", offers: String = ""
    ) -> MarkedLint {
        MarkedLint(
            """
            hawser: 1
            default: deny
            anchors:
              acme: { files: [other.pem], owner: pki\(offers) }
            pins:
              api:
                keys: { \(keys) }
                backups: { \(backups) }
                enforce-until: 2028-06-30\(more)
            rules:
              api: { hosts: ["api.acme.example"], anchors: [acme], pins: [api], owner: web }

            """)
    }

    private static let spare = "next: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= }"

    @Test(
        "the issuing CA, or the root above it, beside the certificate that it issued",
        arguments: [
            ("{ spki-file: leaf.pem, at: leaf }", "{ spki-file: «HW418:issuing.pem», at: ca }"),
            ("{ certificate-file: leaf.pem }", "{ certificate-file: «HW418:issuing.pem» }"),
            (
                "{ spki-file: leaf.pem, at: leaf }",
                "{ spki-file: «HW418:issuing.pem», at: intermediate }"
            ),
            ("{ spki-file: issuing.pem, at: ca }", "{ spki-file: «HW418:other.pem», at: anchor }"),
            ("{ spki-file: leaf.pem, at: leaf }", "{ spki-file: «HW418:other.pem», at: ca }"),
        ])
    func issued(_ pin: String, _ authority: String) {
        // The root is found through the CA that the set offers.
        let offers = ", intermediates: [issuing.pem]"
        Self.policy("now: \(pin)", "ca: \(authority)", offers: offers).expect(
            files: Self.files,
            says: [
                "`now` of `api` refuses nothing: the backup `ca` pins the CA that issued its "
                    + "certificate", "as the signature shows",
                "to pin the CA, keep `ca` under `keys` and take `now` out",
            ])
        Self.policy("now: \(pin), ca: \(authority)", Self.spare, offers: offers).expect(
            files: Self.files, says: ["`now` of `api` refuses nothing: `ca` pins the CA"])
    }

    @Test("a digest is as good as a file where the unit has its certificate, and no better")
    func digests() {
        let spki = "sha256/\(PEMWriter.base64(Self.issuing.key.spkiSHA256))"
        let leaf = "now: { spki-file: leaf.pem, at: leaf }"
        Self.policy(
            leaf, "ca: { spki: «HW418:\(spki)», at: ca }", offers: ", intermediates: [issuing.pem]"
        ).expect(files: Self.files)
        Self.policy(leaf, "ca: { spki: \(spki), at: ca }").expect(files: Self.files)
    }

    @Test("nothing is said where the signature, the position or `match` says otherwise")
    func quiet() {
        let leaf = "now: { spki-file: leaf.pem, at: leaf }"
        for (keys, backups, more) in [
            // A CA of the same name that did not sign it.
            (leaf, "ca: { spki-file: stranger.pem, at: ca }", ""),
            // A CA's key at a leaf matches no path through the CA.
            (leaf, "ca: { spki-file: issuing.pem, at: leaf }", ""),
            // An issuing CA is not an anchor here.
            (leaf, "ca: { spki-file: issuing.pem, at: anchor }", ""),
            // Both are needed.
            (leaf, "ca: { spki-file: issuing.pem, at: ca }", "\n    match: 2"),
            // The CA is in service, and its servers' key is kept for the day when it ends.
            (
                "ca: { spki-file: issuing.pem, at: ca }", "next: { spki-file: leaf.pem, at: leaf }",
                ""
            ),
        ] {
            Self.policy(keys, backups, more).expect(files: Self.files)
        }
    }
}
