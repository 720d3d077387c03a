import PolicyCompiler
import PolicyTools
import Testing
import TrustEngine

/// The rules on who answers for a policy and for how long, each by marked text.
@Suite("lint: governance") struct GovernanceRuleTests {
    @Test("HW601: rules and a `default` that trusts somebody")
    func noOwner() {
        MarkedLint(
            """
            hawser: 1
            «HW601:default»: { anchors: [system], keys: { types: [p256] } }
            rules:
              «HW601:api»: { hosts: ["api.acme.example"], anchors: [system], note: ask the web team }
              web: { hosts: ["www.acme.example"], anchors: [system], owner: web }

            """
        ).expect(says: ["`default` has no owner", "`api` has no owner", "add `owner: NAME`"])
        MarkedLint(
            """
            hawser: 1
            default: deny
            rules:
              web: { hosts: ["www.acme.example"], anchors: [system], owner: web }

            """
        ).expect()
    }

    @Test("HW601 says nothing of an owner that could not be read, or has a typing error")
    func unreadOwner() {
        MarkedLint(
            """
            hawser: 1
            default: { anchors: [system], keys: { types: [p256] }, «HW004:ownr»: security }
            rules:
              api: { hosts: ["api.acme.example"], anchors: [system], owner: «HW102:[web]» }
              web: { hosts: ["www.acme.example"], anchors: [system], owner: «HW005:no» }

            """
        ).expect()
    }

    @Test("strict makes what nobody owns, and what lasts too long, errors")
    func strict() {
        let marked = MarkedLint(
            """
            hawser: 1
            default: deny
            rules:
              «HW601:api»:
                hosts: ["api.acme.example"]
                anchors: [system]
                waivers:
                  «HW605:expired»: { tolerance: 7d, reason: late, owner: web, until: 2027-06-30 }

            """)
        marked.expect()
        #expect(marked.lint().findings.allSatisfy { $0.severity == .warning })
        marked.expect(MarkedLint.options(.strict))
        let strict = marked.lint(MarkedLint.options(.strict)).findings
        #expect(strict.allSatisfy { $0.severity == .error })
    }

    /// One rule with a waiver and an entry of `report-only`, and a profile with one.
    private static func exceptions(_ waiver: String, _ report: String) -> MarkedLint {
        MarkedLint(
            """
            hawser: 1
            default: deny
            profiles:
              large:
                keys: { rsa-minimum: 3072 }
                report-only: { \(report), note: being replaced } }
            rules:
              api:
                hosts: ["api.acme.example"]
                anchors: [system]
                profile: large
                owner: web
                waivers:
                  \(waiver), tolerance: 7d, reason: vendor is late, owner: payments }

            """)
    }

    @Test("HW605: waivers and report-only that last for more than 180 days")
    func tooLong() {
        Self.exceptions("«HW605:expired»: { until: 2027-05-31", "«HW605:keys»: { until: 2026-12-31")
            .expect(says: [
                "waiver `expired` of `api` accepts expired certificates until 2027-05-31, for 364 days",
                "report-only `keys` of `large` accepts keys that the rule refuses until 2026-12-31",
                "write an `until` of 2026-11-27 at the latest",
                "`payments` says why: `vendor is late`",
                "its note: `being replaced`",
            ])
    }

    @Test("HW605 begins a second past 180 days, and is where HW513 ends")
    func boundary() {
        let last = UTCInstant(text: "2026-11-27T23:59:59Z")!
        let time = last.advanced(bySeconds: -180 * 86_400)
        let text = "expired: { until: 2026-11-27"
        Self.exceptions(text, "keys: { until: 2026-07-31").expect(MarkedLint.options(at: time))
        Self.exceptions("«HW605:expired»: { until: 2026-11-27", "keys: { until: 2026-07-31")
            .expect(
                MarkedLint.options(at: time.advanced(bySeconds: -1)),
                says: ["of 2026-11-26 at the latest"])
        var audit = MarkedLint.options(.audit, at: time)
        audit.ignored = [.notFormatted]
        Self.exceptions("«HW513:expired»: { until: 2026-11-27", "«HW513:keys»: { until: 2026-07-31")
            .expect(audit)
    }

    @Test("HW605 is hidden by a comment with its reason")
    func ignored() {
        let marked = MarkedLint(
            """
            hawser: 1
            default: deny
            rules:
              api:
                hosts: ["api.acme.example"]
                anchors: [system]
                owner: web
                waivers:
                  # hawser:ignore HW605 -- the vendor renews once a year
                  expired: { tolerance: 7d, reason: late, owner: web, until: 2027-06-30 }

            """)
        marked.expect()
        marked.expect(MarkedLint.options(.strict))
        #expect(marked.lint().suppressed.map(\.diagnostic.code) == [.exceptionTooLong])
    }
}
