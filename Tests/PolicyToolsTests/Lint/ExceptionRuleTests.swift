import PolicyCompiler
import PolicyTools
import Testing
import TrustEngine

/// The rules on waivers and `report-only`, each by marked text.
@Suite("lint: exceptions") struct ExceptionRuleTests {
    /// Rules under a strict profile.
    private static func policy(_ rules: String, profile: String = "") -> MarkedLint {
        MarkedLint(
            """
            hawser: 1
            default: deny
            profiles:
              strict:
                keys: { rsa-minimum: 3072 }
            \(profile)
            rules:
              strict: { hosts: ["strict.acme.example"], anchors: [system], profile: strict, owner: web }
            \(rules)

            """)
    }

    @Test("HW603: what has ended, in rules, profiles and `default`")
    func ended() {
        Self.policy(
            """
              api:
                hosts: ["api.acme.example"]
                anchors: [system]
                owner: web
                waivers:
                  «HW603:expired»: { tolerance: 7d, reason: vendor is late, owner: payments, until: 2026-05-31 }
                  identity: { reason: moving, owner: web, until: 2026-09-30 }
            """, profile: "    report-only: { «HW603:keys»: { until: 2026-04-30, note: older } }"
        ).expect(
            says: [
                "waiver `expired` of `api` ended on 2026-05-31",
                "`payments` says why: `vendor is late`",
                "report-only `keys` of `strict` ended on 2026-04-30", "its note: `older`",
            ])
        MarkedLint(
            """
            hawser: 1
            default:
              anchors: [system]
              owner: web
              waivers: { «HW603:revocation»: { reason: none, owner: web, until: 2026-05-31 } }

            """
        ).expect(says: ["waiver `revocation` of `default` ended"])
    }

    @Test("HW603 is deleted by a fix that a person asks for, and by no other")
    func fix() {
        let marked = Self.policy(
            """
              api:
                hosts: ["api.acme.example"]
                anchors: [system]
                owner: web
                waivers:
                  «HW603:expired»: { tolerance: 7d, reason: vendor is late, owner: web, until: 2026-05-31 }
                  identity: { reason: moving, owner: web, until: 2026-09-30 }
            """)
        let finding = marked.lint().findings.first
        #expect(finding?.fix?.safety == .needsReview)
        let edit = finding?.fix?.edits.first
        let removed = edit.map {
            String(
                decoding: marked.bytes[Int($0.span.start)..<Int($0.span.end)], as: UTF8.self)
        }
        #expect(
            removed
                == "      expired: { tolerance: 7d, reason: vendor is late, owner: web, until: 2026-05-31 }\n"
        )
    }

    @Test("HW603 begins the second after the last day; no comment hides it")
    func lastSecond() {
        let text = """
              api:
                hosts: ["api.acme.example"]
                anchors: [system]
                owner: web
                waivers: { «HW603:expired»: { tolerance: 7d, reason: late, owner: web, until: 2026-06-01 } }
            """
        let end = UTCInstant(text: "2026-06-01T23:59:59Z")!
        Self.policy(text).expect(MarkedLint.options(at: end.advanced(bySeconds: 1)))
        let quiet = text.replacing("«HW603:expired»", with: "expired")
        Self.policy(quiet).expect(MarkedLint.options(at: end))
        let hidden = text.replacing(
            "waivers: {", with: "waivers:  # hawser:ignore HW603 until=2027-01-01 -- later\n      {"
        )
        let codes = Self.policy(hidden).lint(
            MarkedLint.options(at: end.advanced(bySeconds: 1))
        ).findings.map(\.code.rawValue)
        #expect(codes.contains("HW603") && codes.contains("HW705"))
    }

    @Test("HW513: what is in force and ends within 180 days, for an audit alone")
    func inForce() {
        let text = """
              api:
                hosts: ["api.acme.example"]
                anchors: [system]
                owner: web
                waivers:
                  «HW513:expired»: { tolerance: 7d, reason: late, owner: web, until: 2026-11-27, ticket: SEC-1 }
                  «HW605:identity»: { reason: moving, owner: web, until: 2026-11-28 }
                report-only: { «HW513:all»: { until: 2026-06-01 } }
            """
        var audit = MarkedLint.options(.audit)
        audit.ignored = [.notFormatted]
        Self.policy(text).expect(
            audit,
            says: [
                "waiver `expired` of `api` accepts expired certificates until 2026-11-27",
                "ticket `SEC-1`", "report-only `all` of `api` accepts what its checks refuse",
            ])
        let quiet = text.replacing(#/«HW513:([a-z]+)»/#) { $0.output.1 }
        Self.policy(quiet).expect()
    }
}
