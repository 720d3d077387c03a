import LibCrypto
import PolicyCompiler
import PolicyTools
import Testing
import TrustEngine

/// Fixes: what is mended, what is left, and that nothing else changes.
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

                """)
        let before = try #require(Self.digest(Self.safe))
        #expect(Self.digest(text) == before)
        let again = Self.fix(text, .safe)
        #expect(again.outcome.changed.isEmpty && again.outcome.applied == 0)
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
            tls: { minimum-version: tls13 }

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
                    tls: { minimum-version: tls1.3 }

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
        #expect(outcome.applied == 2)
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
