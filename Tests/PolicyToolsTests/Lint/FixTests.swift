import LibCrypto
import PolicyCompiler
import PolicyTools
import Testing
import TrustEngine

/// Fixes: the mended findings, the remaining findings, and that nothing else changes.
@Suite("lint: fixes") struct FixTests {
    private static func fix(
        _ text: String, _ mode: LintFixes.Mode, _ options: LintOptions = MarkedLint.options()
    ) -> (text: String, outcome: LintFixes.FixedUnit) {
        let unit = MarkedLint(text).unit()
        let outcome = LintFixes.apply(to: unit, options, mode, crypto: LibCryptoBackend())
        let bytes = outcome.changed[0] ?? unit.files[0].bytes
        return (String(decoding: bytes, as: UTF8.self), outcome)
    }

    private static func digest(_ text: String) -> Digest? {
        CompilerPipeline.compile(MarkedLint(text).unit(), crypto: LibCryptoBackend())
            .table?.policyDigest
    }

    static let safe = """
        hawser: 1
        default: deny
        anchors:
          corp: { files: [corp.pem], owner: pki }
        rules:
          api:
            # what the shop asks for
            hosts:
              - API.acme.example.
              - "api.acme.example"
              - "münchen.example"   # the branch
              - "2001:DB8::1"
            anchors: [corp]
            owner: web
            # hawser:ignore HW211 until=2026-01-31 -- the move is done

        """

    @Test("safe fixes keep the policy's meaning and all that they do not mend")
    func safe() throws {
        let (text, outcome) = Self.fix(Self.safe, .safe)
        #expect(outcome.result.findings.isEmpty)
        #expect(outcome.refused.isEmpty)
        #expect(
            text == """
                hawser: 1
                default: deny
                anchors:
                  corp: { files: [corp.pem], owner: pki }
                rules:
                  api:
                    # what the shop asks for
                    hosts:
                      - "api.acme.example"
                      - "xn--mnchen-3ya.example"   # the branch
                      - "2001:db8::1"
                    anchors: [corp]
                    owner: web
                    # the move is done

                """)
        let before = try #require(Self.digest(Self.safe))
        #expect(Self.digest(text) == before)
        let again = Self.fix(text, .safe)
        #expect(again.outcome.changed.isEmpty && again.outcome.applied.isEmpty)
    }

    @Test(
        "an ignore comment that is moot leaves its reason; only an unsafe fix deletes it, and says so"
    )
    func reasons() {
        func text(_ comment: String, _ behind: String = "") -> String {
            """
            hawser: 1
            default: deny
            anchors:
              corp: { files: [corp.pem], owner: pki }
            rules:
              api:
                hosts: ["api.acme.example"]\(behind)
            \(comment)    anchors: [corp]
                owner: web

            """
        }
        let moot = text(
            "    # hawser:ignore HW211 -- asked by audit, see the minutes of 2025\n",
            " # hawser:ignore HW206 until=2026-01-31 --  the shop   moves")
        let (kept, safe) = Self.fix(moot, .safe)
        #expect(
            kept
                == text(
                    "    # asked by audit, see the minutes of 2025\n", " # the shop moves"))
        #expect(safe.deletions.isEmpty && safe.result.findings.isEmpty)
        let (gone, unsafe) = Self.fix(moot, .all)
        #expect(gone == text(""))
        #expect(
            unsafe.deletions.sorted { $0.line < $1.line } == [
                LintFixes.Deletion(
                    file: "policy.yaml", line: 7,
                    text: "# hawser:ignore HW206 until=2026-01-31 -- the shop moves"),
                LintFixes.Deletion(
                    file: "policy.yaml", line: 8,
                    text: "# hawser:ignore HW211 -- asked by audit, see the minutes of 2025"),
            ])
        // A reason that would be an ignore comment by itself is not a plain comment.
        let nested = text("    # hawser:ignore HW211 -- hawser:ignore HW206 -- both\n")
        #expect(Self.fix(nested, .safe).text == nested)
        #expect(Self.fix(nested, .all).text == text(""))
    }

    @Test("every safe fix by itself keeps the meaning")
    func eachAlone() throws {
        let before = try #require(Self.digest(Self.safe))
        let unit = MarkedLint(Self.safe).unit()
        let findings = MarkedLint(Self.safe).lint().findings
        #expect(findings.count >= 5)
        for finding in findings {
            let fix = try #require(finding.fix)
            #expect(fix.safety == .safe, "\(finding.code)")
            var bytes = unit.files[0].bytes
            for edit in fix.edits.sorted(by: { $0.span.start > $1.span.start }) {
                bytes.replaceSubrange(
                    Int(edit.span.start)..<Int(edit.span.end), with: Array(edit.replacement.utf8))
            }
            #expect(Self.digest(String(decoding: bytes, as: UTF8.self)) == before)
        }
    }

    static let needsReview = """
        default: { anchors: [system], owner: web }
        anchors:
          corp: { files: [corp.pem], owner: pki }
          idle:
            files: [other.pem]
        rules:
          all: { hosts: ["**.acme.example"], anchors: [corp], owner: web }
          url:
            hosts: ["url.example/x", "*.url.example", "b.url.example"]
            anchors: [corp]
            onwer: web
            tls: { forward-secrecy: require }

        """

    @Test("all fixes, in as many rounds as they need; the safe ones alone change nothing here")
    func all() throws {
        #expect(Self.fix(Self.needsReview, .safe).text == Self.needsReview)
        let (text, outcome) = Self.fix(Self.needsReview, .all)
        #expect(outcome.result.findings.isEmpty, "\(outcome.result.findings.map(\.message))")
        #expect(
            text == """
                hawser: 1
                default: { anchors: [system], owner: web }
                anchors:
                  corp: { files: [corp.pem], owner: pki }
                rules:
                  all: { hosts: ["acme.example", "**.acme.example"], anchors: [corp], owner: web }
                  url:
                    hosts: ["url.example", "*.url.example"]
                    anchors: [corp]
                    owner: web
                    tls: { forward-secrecy: required }

                """)
    }

    @Test("a file with carriage returns keeps them")
    func carriageReturns() {
        let text = "default: deny\r\n"
        let (mended, _) = Self.fix(text, .all)
        #expect(mended == "hawser: 1\r\ndefault: deny\r\n")
    }

    @Test("canonical layout comes last, and only where it is looked for")
    func layout() {
        var options = MarkedLint.options()
        options.selected = [.notFormatted, .hostNotCanonical]
        let (text, outcome) = Self.fix(
            "hawser: 1\ndefault:   deny\nrules: { a: { hosts: [A.example], anchors: [system] } }\n",
            .safe, options)
        #expect(
            text == """
                hawser: 1
                default: deny
                rules:
                  a:
                    hosts:
                      - "a.example"
                    anchors: [system]

                """)
        #expect(outcome.applied.count == 2)
    }

    /// A line of a policy, the line that the message says to write, and whether a fix writes it.
    static let literals: [(written: String, meant: String?)] = [
        (
            "spki: sha256//teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs=",
            "spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="
        ),
        (
            "spki: sha256/teMF6loc22D-Wx5llFMeakDy1FqnYItTfTMKQSwMOKs=",
            "spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="
        ),
        (
            "spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs",
            "spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="
        ),
        (
            "spki: SHA-256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs=",
            "spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="
        ),
        (
            "spki: teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs=",
            "spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs="
        ),
        // The digest is cut off, or its last character is wrong.
        ("spki: sha256/teMF6loc22D", nil),
        ("spki: sha256/teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKt=", nil),
        (
            "certificate: \"sha256:B5E305EA5A1CDB60FE5B1E6594531E6A40F2D45AA7608B537D330A412C0C38AB\"",
            "certificate: \"sha256:b5e305ea5a1cdb60fe5b1e6594531e6a40f2d45aa7608b537d330a412c0c38ab\""
        ),
        // It may be the key's digest in the wrong spelling.
        ("certificate: \"sha256:teMF6loc22D+Wx5llFMeakDy1FqnYItTfTMKQSwMOKs=\"", nil),
    ]

    @Test("a digest whose octets are beyond doubt is written anew", arguments: literals.indices)
    func digests(_ index: Int) {
        func text(_ key: String) -> String {
            """
            hawser: 1
            default: deny
            pins:
              acme:
                keys: { now: { \(key) } }
                backups: { next: { spki: sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk= } }
                enforce-until: 2027-01-31
            rules:
              a: { hosts: ["a.example"], anchors: [system], pins: [acme], owner: web }

            """
        }
        let (written, meant) = Self.literals[index]
        #expect(Self.fix(text(written), .safe).text == text(written))
        #expect(Self.fix(text(written), .all).text == text(meant ?? written))
    }

    @Test("a value whose right spelling the message gives is written so, and no other is")
    func values() {
        func text(_ rule: String) -> String {
            "hawser: 1\ndefault: deny\nrules:\n  a: { hosts: [\"a.example\"], anchors: [system], "
                + "owner: web, \(rule) }\n"
        }
        func until(_ date: String) -> String { "report-only: { tls: { until: \(date) } }" }
        for (written, meant) in [
            (until("2026/9/1"), until("2026-09-01")),
            (until("2026-09-01T10:00:00z"), until("2026-09-01T10:00:00Z")),
            (until("2026-09-01T10:00:00"), until("2026-09-01T10:00:00Z")),
            (until("2026-09-01T10:00:00+02:00"), until("2026-09-01T08:00:00Z")),
            (until("\"2026.09.01\""), until("\"2026-09-01\"")),
            // Another day may have been meant, or another second.
            (until("2026-02-30"), nil), (until("2026/13/01"), nil), (until("01/09/2026"), nil),
            (until("2026-09-01T10:00:00.5Z"), nil), (until("2026-09-01T24:00:00Z"), nil),
            ("validity: { maximum-lifetime: 090d }", "validity: { maximum-lifetime: 90d }"),
            ("validity: { maximum-lifetime: 3m }", nil),
            ("validity: { maximum-lifetime: 90 }", nil),
            ("keys: { rsa-minimum: 03072 }", "keys: { rsa-minimum: 3072 }"),
            ("keys: { rsa-minimum: 01024 }", nil),
            (
                "path: { certificate-policies: [\"urn:oid:1.2.3.4\"] }",
                "path: { certificate-policies: [\"1.2.3.4\"] }"
            ),
        ] as [(String, String?)] {
            #expect(Self.fix(text(written), .safe).text == text(written), "\(written)")
            #expect(Self.fix(text(written), .all).text == text(meant ?? written), "\(written)")
        }
        // The same value in another spelling is mended safely.
        for (written, meant) in [
            ("validity: { maximum-lifetime: 90 days }", "validity: { maximum-lifetime: 90d }"),
            ("validity: { maximum-lifetime: P90D }", "validity: { maximum-lifetime: 90d }"),
            (until("31.12.2026"), until("2026-12-31")),
        ] {
            #expect(Self.fix(text(written), .safe).text == text(meant), "\(written)")
        }
        func hosts(_ host: String) -> String {
            "hawser: 1\ndefault: deny\nrules:\n  a: { hosts: [\"\(host)\"], anchors: [system], "
                + "owner: web }\n"
        }
        for (written, meant) in [
            ("[a.example]:443", "a.example:443"), ("a.example:0443", "a.example:443"),
            // Every port, or the one of a URL.
            ("[a.example]", nil), ("[2001:db8::1]", nil), ("a.example:*", nil),
            // A path behind a network with its prefix and port.
            ("10.40.0.0/16:443/", "10.40.0.0/16:443"), ("10.40.0.0/16/", "10.40.0.0/16"),
            ("fd00:40::/48/x", "fd00:40::/48"), ("10.40.0.0/16?x", "10.40.0.0/16"),
            ("a.example:443/v1", "a.example:443"), ("[fd00::1]:443/v1", "[fd00::1]:443"),
            // A path, or a prefix, a port or another host.
            ("a.example/16", nil), ("1O.40.0.0/16", nil), ("10.40.0.0//16", nil),
            ("10.40.0.0:443/16", nil), ("a.example/v1:8443", nil), ("a.example#8443", nil),
            ("a.example/v1,b.example", nil),
        ] as [(String, String?)] {
            #expect(Self.fix(hosts(written), .all).text == hosts(meant ?? written), "\(written)")
        }
        let denied =
            "hawser: 1\ndefault: dney\nrules: { a: { hosts: [\"a.example\"], "
            + "anchors: [system], owner: web } }\n"
        #expect(Self.fix(denied, .all).text == denied.replacing("dney", with: "deny"))
    }

    @Test("what a fix inserts is indented as its neighbours are")
    func indentation() {
        func text(_ hosts: String, _ own: String = "") -> String {
            """
            hawser: 1
            default: { anchors: [system], owner: web }
            anchors:
              corp: { files: [corp.pem], owner: pki }
            rules:
                all:
                    hosts:\(hosts)
                    anchors: [corp]
                    owner: web

            """
        }
        for (written, mended) in [
            (
                "\n                -   \"**.acme.example\"",
                "\n                -   \"acme.example\"\n                -   \"**.acme.example\""
            ),
            (
                " [\n                \"b.example\",\n                \"**.acme.example\",\n            ]",
                " [\n                \"b.example\",\n                \"acme.example\",\n"
                    + "                \"**.acme.example\",\n            ]"
            ),
            (" [\"**.acme.example\"]", " [\"acme.example\", \"**.acme.example\"]"),
        ] {
            #expect(Self.fix(text(written), .all).text == text(mended))
        }
        #expect(Self.fix("  default: deny\n", .all).text == "  hawser: 1\n  default: deny\n")
    }

    @Test("an entry that is the only one, or has a comment, is not taken out")
    func removals() {
        func text(_ anchors: String) -> String {
            "hawser: 1\ndefault: deny\nanchors:\n\(anchors)"
                + "rules:\n  a: { hosts: [\"a.example\"], anchors: [system], owner: web }\n"
        }
        let only = text("  idle: { files: [corp.pem], owner: pki }\n")
        #expect(Self.fix(only, .all).text == only)
        let noted = text(
            "  idle: { files: [corp.pem], owner: pki }  # since 2019\n"
                + "  more: { include: [idle], owner: pki }\n")
        #expect(
            Self.fix(noted, .all).text
                == text("  idle: { files: [corp.pem], owner: pki }  # since 2019\n"))
    }
}
