import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
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
            ("Y2hhbmdlbWUgY2hhbmdlbWUgY2hhbmdlbWUgY2hhbmc=", "repeats itself"),
            ("Y2hhbmdlbWUKAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "is readable text"),
            ("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxw=", "repeats itself"),
            ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE=", "repeats `A`"),
            ("replacemeReplacemeREPLACEMEreplacemeReplac8=", "the word `replaceme`"),
            ("replacemereplacemereplacemereplacemereplac8=", "is base64 that repeats `replaceme`"),
            ("thisisaplaceholderandnodigestofanykeyatall8=", "the word `placeholder`"),
            ("ChangeMeBeforeThisPolicyIsRolledOutPlease00=", "the word `changeme`"),
            ("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ=", "is base64 that counts up"),
            ("AAAABBBBCCCCAAAABBBBCCDDAAAABBBBCCCCDDDDAAA=", "4 different characters"),
            ("q83vEjRWeJASNFZ4kKvN7xI0VniQEjRWeJCrze8SNFY=", "repeats itself"),
            ("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "of no bytes"),
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

    @Test("HW409 takes no digest of a key for a placeholder")
    func digests() {
        let crypto = LibCryptoBackend()
        let keys = (0..<2_000).map { number in
            let digest = crypto.digest(.sha256, of: Array("key \(number)".utf8).span)
            return "k\(number): { spki: \(KeyMatch(kind: .spki, digest: digest).text) }"
        }
        Self.policy(keys: keys.joined(separator: ", "), "    enforce-until: 2028-06-30").expect()
    }

    @Test("HW409: the digest of an empty certificate, and no file's digest")
    func placeholderCertificate() {
        let empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        Self.policy(
            keys: "now: { certificate: «HW409:\(empty)», at: leaf }, then: { spki-file: corp.pem }",
            backups: "next: { certificate-file: other.pem }", "    enforce-until: 2028-06-30"
        ).expect()
    }

    @Test("HW408: end entities alone, by their place or by their file")
    func leafOnly() {
        let audit = Self.audit
        let rest = "    enforce-until: 2028-06-30"
        func set(_ keys: String, _ backups: String) -> MarkedLint {
            MarkedLint(
                """
                hawser: 1
                default: deny
                pins:
                  \(keys)
                    backups: { \(backups) }
                \(rest)
                rules:
                  api: { hosts: ["api.acme.example"], anchors: [system], pins: [api], owner: web }

                """)
        }
        let leaves = "«HW408:api»:\n    keys: { now: { spki: \(Self.key), at: leaf } }"
        set(leaves, "next: { spki: \(Self.spare), at: leaf }")
            .expect(audit, says: ["`api` pins end entities alone", "with `at: ca`"])
        set(leaves, "next: { certificate-file: leaf.pem }").expect(audit, files: Self.files)
        let quiet = leaves.replacing("«HW408:api»", with: "api")
        set(quiet, "next: { spki: \(Self.spare) }").expect(audit)
        set(quiet, "next: { spki-file: corp.pem }").expect(audit)
        set(quiet, "next: { spki: \(Self.spare), at: ca }").expect(audit)
    }

    @Test("HW408 says nothing where the pinned keys are the anchors")
    func leafOnlyAnchors() {
        let text = """
            hawser: 1
            default: deny
            pins:
              api:
                keys: { now: { spki: \(Self.key), at: leaf } }
                backups: { next: { spki: \(Self.spare), at: leaf } }
                enforce-until: 2028-06-30
            rules:
              api: { hosts: ["api.acme.example"], anchors: [pinned-keys], pins: [api], owner: web }

            """
        MarkedLint(text).expect(Self.audit)
    }

    @Test("HW412: what opens the day after, whichever of the two it is")
    func opens() {
        Self.policy("    enforce-until: 2028-06-30\n    on-expiry: «HW412:report»").expect(
            says: [
                "after 2028-06-30 any key is accepted, and one that is not pinned only reported",
                "the last day closed",
            ])
        Self.policy("    enforce-until: 2028-06-30\n    on-expiry: «HW412:unpinned»")
            .expect(says: ["any key is accepted, as if nothing were pinned"])
        Self.policy("    enforce-until: 2028-06-30\n    on-expiry: fail").expect()
    }

    @Test("HW417: a forbidden key that no file holds, in each layer")
    func forbiddenByDigest() {
        let certificate = "sha256:" + String(repeating: "0123456789abcdef", count: 4)
        let digest = "sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="
        func policy(_ marked: Bool) -> MarkedLint {
            func mark(_ text: String) -> String { marked ? "«HW417:\(text)»" : text }
            return MarkedLint(
                """
                hawser: 1
                default: deny
                profiles:
                  ours: { forbidden-keys: { a: { spki: \(mark(digest)) } } }
                rules:
                  api:
                    hosts: ["api.acme.example"]
                    anchors: [system]
                    profile: ours
                    owner: web
                    forbidden-keys:
                      b: { certificate: "\(certificate)" }
                      c: { certificate-file: \(mark("other.pem")) }
                      d: { spki-file: corp.pem }

                """
            ).policyText {
                marked ? $0.replacing("\"\(certificate)\"", with: "«HW417:\"\(certificate)\"»") : $0
            }
        }
        policy(true).expect(
            MarkedLint.options(.audit),
            says: [
                "`a` is a digest, which may be of one encoding of the key alone",
                "`b` forbids one certificate and not its key", "`spki-file: stolen/c.pem`",
                "can write that signature in a second way",
            ], without: [.untestedRule, .notFormatted])
        policy(false).expect(without: [.untestedRule])
    }

    @Test("HW413: digests of a key and of a certificate, and of two algorithms")
    func incomparable() {
        let rest = "    enforce-until: 2028-06-30"
        let certificate =
            "sha256:" + String(repeating: "0123456789abcdef", count: 3) + "fa7fefd7a81d3ec8"
        Self.policy(backups: "next: { certificate: «HW413:\(certificate)» }", rest).expect(says: [
            "whether `next` is another key than `now`",
            "the sha256 digest of a certificate, the other by the sha256 digest of a key",
            "may be the same key",
        ])
        let long =
            "sha384/GLiQfhfT3k0p4vzKpA4g0Yb1Yx5U3QFnTjHAf2mJlDgR7XqVbZcWsEoKyPu9N6Ia"
        Self.policy(backups: "next: { spki: «HW413:\(long)» }", rest)
            .expect(says: ["the sha384 digest of a key, the other by the sha256 digest of a key"])
        // A file of a request has every digest of its key, and of no certificate.
        Self.policy(
            keys: "now: { certificate: \(certificate), at: leaf }",
            backups: "next: { spki-file: «HW413:key.der» }", rest
        ).expect(
            files: Self.files, says: ["the one is known by the key itself"],
            without: [.leafCertificatePin])
    }

    @Test("HW413 says nothing where one kind of digest is known of both")
    func comparable() {
        let rest = "    enforce-until: 2028-06-30"
        let certificate =
            "sha256:" + String(repeating: "0123456789abcdef", count: 3) + "fa7fefd7a81d3ec8"
        Self.policy(rest).expect()
        Self.policy(backups: "next: { spki-file: key.der }", rest).expect(files: Self.files)
        Self.policy(
            keys: "now: { certificate: \(certificate), at: leaf }",
            backups: "next: { spki-file: corp.pem }", rest
        ).expect(without: [.leafCertificatePin])
    }

    @Test("HW414: the certificate of the only key in service ends, or has ended")
    func loneKey() {
        let rest = "    enforce-until: 2028-06-30"
        Self.policy(keys: "now: { spki-file: «HW414:ending.pem» }", rest).expect(
            files: Self.files,
            says: [
                "`now`, the only key in service of `api`, is the key of `CN=ending.acme.example`",
                "which ends on 2026-06-20, 18 days from now",
            ])
        let after = MarkedLint.options(at: UTCInstant(text: "2026-07-01T00:00:00Z")!)
        Self.policy(keys: "now: { spki-file: «HW414:ending.pem» }", rest)
            .expect(after, files: Self.files, says: ["which ended on 2026-06-20"])
        let early = MarkedLint.options(at: UTCInstant(text: "2026-05-20T00:00:00Z")!)
        Self.policy(keys: "now: { spki-file: ending.pem }", rest).expect(early, files: Self.files)
        var near = MarkedLint.options()
        near.horizon = 30 * 86_400
        Self.policy(keys: "now: { spki-file: ending.pem }", rest).expect(near, files: Self.files)
    }

    @Test("HW414 says nothing where another key is in service, or the key is certified anew")
    func notLone() {
        let rest = "    enforce-until: 2028-06-30"
        Self.policy(
            keys: "now: { spki-file: ending.pem }, then: { spki-file: corp.pem }", rest
        ).expect(files: Self.files, without: [.voidPin])
        Self.policy(
            keys: "now: { spki-file: ending.pem }",
            rest + "\n  «HW106:other»:\n    keys: { a: { spki-file: renewed.pem } }\n"
                + "    backups: { b: { spki: \(Self.spare) } }\n" + rest
        ).expect(files: Self.files)
    }

    @Test("HW414 knows a digest by a certificate that another part of the unit names")
    func loneDigest() {
        let key = TestKey.p256("leaf ending.acme.example").pin
        MarkedLint(
            """
            hawser: 1
            default: deny
            anchors:
              corp: { files: [corp.pem], intermediates: [ending.pem], owner: pki }
            pins:
              api:
                keys: { now: { spki: «HW414:\(key)» } }
                backups: { next: { spki: \(Self.spare) } }
                enforce-until: 2028-06-30
            rules:
              api: { hosts: ["api.acme.example"], anchors: [corp], pins: [api], owner: web }

            """
        ).expect(files: Self.files, says: ["`CN=ending.acme.example`"])
    }

    private static var audit: LintOptions {
        var audit = MarkedLint.options(.audit)
        audit.ignored = [.notFormatted]
        return audit
    }

    // MARK: Files

    private static let leaf = MarkedLint.root.issueLeaf(dns: ["leaf.acme.example"])
    private static let ending = MarkedLint.root.issueLeaf(
        dns: ["ending.acme.example"], notAfter: .at("2026-06-20"))
    private static let renewed = MarkedLint.root.issueLeaf(
        dns: ["ending.acme.example"], notAfter: .at("2026-08-31"))

    private static let files: [String: [UInt8]] = [
        "leaf.pem": Array(leaf.pem.utf8), "ending.pem": Array(ending.pem.utf8),
        "renewed.pem": Array(renewed.pem.utf8),
        "key.der": MarkedLint.otherRoot.key.spki,
    ]
}
