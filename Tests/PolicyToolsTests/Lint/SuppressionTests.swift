import PolicyCompiler
import PolicyTools
import Testing
import TrustEngine

/// Ignore comments: the findings that they hide, and the messages about comments that hide none.
@Suite("lint: ignore comments") struct SuppressionTests {
    /// A unit in which `shop` is weaker than `all`, with text above its host, behind it, and behind
    /// the wider pattern.
    private static func policy(
        above: String = "", behind: String = "", atWider: String = "",
        weaker: String = "\"shop.acme.example\""
    ) -> MarkedLint {
        MarkedLint(
            """
            hawser: 1
            default: deny
            rules:
              all:
                hosts:
                  - "**.acme.example"\(atWider)
                anchors: [system]
                keys: { rsa-minimum: 3072 }
                owner: web
              shop:
                hosts:
            \(above)      - \(weaker)\(behind)
                anchors: [system]
                owner: web

            """)
    }

    private static let reason = "# hawser:ignore HW211 -- the shop moves"

    @Test("above, behind, at another label, and stacked above")
    func places() {
        for policy in [
            Self.policy(above: "      \(Self.reason)\n"), Self.policy(behind: "  \(Self.reason)"),
            Self.policy(atWider: " \(Self.reason)"),
            Self.policy(above: "      \(Self.reason)\n      # and more of it\n"),
        ] {
            let result = policy.expect()
            #expect(result.suppressed.map(\.diagnostic.code) == [.weakerInside])
            #expect(result.suppressed.map(\.cause) == [.comment(reason: "the shop moves")])
        }
    }

    @Test("elsewhere it hides nothing, and is told")
    func unused() {
        Self.policy(
            above: "      # hawser:ignore «HW701:HW211» -- too far away\n\n",
            weaker: "«HW211:\"shop.acme.example\"»"
        ).expect()
        Self.policy(
            behind: "  # hawser:ignore HW211, «HW701:HW206» -- two codes"
        ).expect()
    }

    @Test("what this run does not look for is not called unused")
    func notLookedFor() {
        let policy = Self.policy(
            behind:
                "  # hawser:ignore HW211 -- the shop moves\n    # hawser:ignore HW902 -- as they grew"
        )
        #expect(policy.lint().findings.isEmpty)
        var without = MarkedLint.options()
        without.ignored = [.weakerInside]
        #expect(policy.lint(without).findings.isEmpty)
    }

    @Test("without code, reason or a readable date it is bare")
    func bare() {
        let shown = "«HW211:\"shop.acme.example\"»"
        Self.policy(above: "      «HW702:# hawser:ignore»\n", weaker: shown).expect()
        Self.policy(above: "      «HW702:# hawser:ignore HW211»\n", weaker: shown).expect()
        Self.policy(above: "      «HW702:# hawser:ignore HW211 --»\n", weaker: shown).expect()
        Self.policy(
            above: "      # hawser:ignore HW211 «HW702:until=spring» -- later\n", weaker: shown
        ).expect()
        Self.policy(above: "      «HW702:# hawser-ignore HW211 -- why»\n", weaker: shown).expect()
        Self.policy(above: "      # hawser:ignored hosts are below\n", weaker: shown).expect()
        // An error is hidden for a time only.
        Self.policy(
            above: "      # hawser:ignore HW211 «HW702:HW209» -- no end\n", weaker: shown
        ).expect(says: ["`HW209` is an error, and this ignore comment never ends"])
    }

    @Test("it ends with the last second of its date, as a waiver does")
    func ended() throws {
        let comment = "# hawser:ignore HW211 until=2026-06-30 -- the shop moves"
        let policy = Self.policy(behind: "  \(comment)")
        let last = try #require(UTCInstant(text: "2026-06-30T23:59:59Z"))
        #expect(policy.lint(MarkedLint.options(at: last)).findings.isEmpty)
        let after = policy.lint(MarkedLint.options(at: last.advanced(bySeconds: 1)))
        #expect(after.findings.map(\.code) == [.weakerInside, .suppressionEnded])
        #expect(after.suppressed.isEmpty)
        #expect(
            DatedTerm.isInForce(until: last, at: last)
                && !DatedTerm.isInForce(until: last, at: last.advanced(bySeconds: 1)))
    }

    @Test("unknown codes, with what was meant")
    func unknown() {
        let shown = "«HW211:\"shop.acme.example\"»"
        Self.policy(above: "      # hawser:ignore «HW704:HW999» -- why\n", weaker: shown).expect(
            says: ["`hawser rule --all` lists them"])
        Self.policy(above: "      # hawser:ignore «HW704:weaker-inside» -- why\n", weaker: shown)
            .expect(says: ["did you mean `HW211`?"])
    }

    @Test("what no load accepts is not hidden")
    func notSuppressible() {
        let result = MarkedLint(
            """
            hawser: 1
            default: deny
            rules:
              api:
                hosts: ["api.acme.example"]
                anchors: [system]
                owner: web
                # hawser:ignore «HW705:HW003» until=2027-01-01 -- twice is safer
                «HW003:anchors»: [system]

            """
        ).expect()
        #expect(result.suppressed.isEmpty)
    }
}
