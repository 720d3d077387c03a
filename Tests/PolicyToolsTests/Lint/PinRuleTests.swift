import PolicyCompiler
import PolicyTools
import Testing
import TrustEngine

/// The rules on pins, each by marked text.
@Suite("lint: pins") struct PinRuleTests {
    private static let key = "sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="
    private static let spare = "sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk="

    /// A rule with one pin set: its keys, and what else it says.
    private static func policy(
        keys: String = "now: { spki: \(key) }", backups: String = "next: { spki: \(spare) }",
        _ rest: String
    ) -> MarkedLint {
        MarkedLint(
            """
            hawser: 1
            default: deny
            pins:
              api:
                keys: { \(keys) }
                backups: { \(backups) }
                owner: web
            \(rest)
            rules:
              api: { hosts: ["api.acme.example"], anchors: [system], pins: [api], owner: web }

            """)
    }

    @Test("HW404: a set without its last day, used or not")
    func noEnd() {
        MarkedLint(
            """
            hawser: 1
            default: deny
            pins:
              «HW404:api»:
                keys: { now: { spki: \(Self.key) } }
                backups: { next: { spki: \(Self.spare) } }
                warn-from: 2027-01-01
            rules:
              api: { hosts: ["api.acme.example"], anchors: [system], pins: [api], owner: web }

            """
        ).expect(says: ["`api` has no `enforce-until`", "add `enforce-until: YYYY-MM-DD`"])
        Self.policy("    enforce-until: 2028-06-30").expect()
    }

    @Test("HW404 says nothing of a day that could not be read, or has a typing error")
    func unreadEnd() {
        Self.policy("    enforce-until: 2028-«HW103:13»-30").expect()
        Self.policy("    «HW004:enforce-untill»: 2028-06-30").expect()
    }

    @Test("HW405: a set past its end, and what a mismatch does since then")
    func expired() {
        Self.policy("    enforce-until: «HW405:2026-05-31»").expect(
            says: ["enforced until 2026-05-31", "not pinned is still rejected"])
        Self.policy("    enforce-until: «HW405:2026-05-31»\n    on-expiry: report")
            .expect(says: ["any key is accepted, and one that is not pinned only reported"])
        Self.policy("    enforce-until: «HW405:2026-05-31»\n    on-expiry: unpinned")
            .expect(says: ["as if nothing were pinned"])
    }

    @Test("HW405 and HW406 meet at the last second of the day")
    func lastSecond() {
        let last = Self.policy("    enforce-until: «HW406:2026-06-01»")
        let end = UTCInstant(text: "2026-06-01T23:59:59Z")!
        last.expect(MarkedLint.options(at: end), says: ["less than a day from now"])
        Self.policy("    enforce-until: «HW405:2026-06-01»")
            .expect(MarkedLint.options(at: end.advanced(bySeconds: 1)))
    }

    @Test("HW406: an end within a third of the horizon")
    func expiring() {
        Self.policy("    enforce-until: «HW406:2026-06-30»").expect(says: ["29 days from now"])
        Self.policy("    enforce-until: 2026-07-02").expect()
        var far = MarkedLint.options()
        far.horizon = 300 * 86_400
        Self.policy("    enforce-until: «HW406:2026-07-02»").expect(far)
        far.horizon = 0
        Self.policy("    enforce-until: 2026-06-02").expect(far)
    }

    @Test(
        "HW409: digests that are no key's",
        arguments: [
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "is all zeros"),
            ("BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA=", "repeats itself"),
            ("3q2+796tvu/erb7v3q2+796tvu/erb7v3q2+796tvu8=", "repeats itself"),
            ("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "counts up"),
            ("cHV0IHlvdXIgb3duIGtleXMgaGFzaCBpbiBoZXJlISE=", "is readable text"),
            ("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "no bytes at all"),
            ("d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM=", "the example of RFC 7469"),
        ])
    func placeholder(_ digest: String, _ reason: String) {
        Self.policy(
            keys: "now: { spki: «HW409:sha256/\(digest)» }", "    enforce-until: 2028-06-30"
        )
        .expect(says: ["`now` of `api` is a placeholder", reason])
        Self.policy(
            backups: "next: { spki: «HW409:sha256/\(digest)» }", "    enforce-until: 2028-06-30"
        ).expect(says: ["`next` of `api` is a placeholder"])
    }

    @Test("HW409: the digest of an empty certificate, and no file's digest")
    func placeholderCertificate() {
        let empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        Self.policy(
            keys: "now: { certificate: «HW409:\(empty)», at: leaf }, then: { spki-file: corp.pem }",
            backups: "next: { certificate-file: other.pem }", "    enforce-until: 2028-06-30"
        ).expect()
    }
}
