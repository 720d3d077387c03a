import TestPKI
import Testing
import TrustEngine

/// A table that no source confirms any more.
@Suite struct FreshnessTests {
    private static let acme = Acme()
    private static let confirmed = Scenario.judgedAt.advanced(bySeconds: -600)

    /// The good world under a table that is fresh for so many seconds since it was confirmed, 600
    /// seconds ago.
    private static func world(
        freshFor seconds: Int64, _ whenStale: TableFreshness.WhenStale = .reject,
        _ change: (inout World) -> Void = { _ in }
    ) -> World {
        acme.world.with {
            $0.freshness = TableFreshness(
                confirmed: confirmed, freshFor: .seconds(seconds), whenStale: whenStale)
            change(&$0)
        }
    }

    private static let rows: [Row] = [
        Row("the last fresh second", ["accept"], world(freshFor: 600)),
        Row("the first stale second", ["table-stale"], world(freshFor: 599)),
        Row("confirmed later than judged", ["accept"], world(freshFor: 0) { $0.time = .distant }),
        Row("no bound that overflows", ["accept"], world(freshFor: .max)),
        Row(
            "what else is wrong is said too", ["table-stale", "tls-not-supplied"],
            world(freshFor: 0) {
                $0.tls = .notSupplied
            }),
        Row(
            "without a host", ["bad-host", "table-stale"], world(freshFor: 0) { $0.host = "a..b" }),
        Row(
            "without a rule", ["table-stale", "no-applicable-rule"],
            world(freshFor: 0) { $0.host = "other.example" }),
        Row(
            "without a path", ["table-stale", "name-mismatch"],
            world(freshFor: 0) {
                $0.identity = IdentityRequirement(reference: .listed, dns: ["other.example"])
            }),
        Row(
            "without TLS, waived", ["table-stale"],
            world(freshFor: 0) {
                $0.tls = .cleartext
                $0.waive(.cleartext)
            }),
        Row(
            "without TLS, waived, and fresh", ["accept"],
            world(freshFor: 600) {
                $0.tls = .cleartext
                $0.waive(.cleartext)
            }),
    ]

    @Test(arguments: rows) func judges(row: Row) throws {
        #expect(try row.world.judge().outcome == row.expected)
        try row.world.expectSameByHead()
    }

    @Test func theEndOfItsTermsRejectsWhereStalenessOnlyWarns() throws {
        func judged(secondsLeft: Int64) throws -> Judged {
            try Self.acme.world.with {
                $0.freshness = TableFreshness(
                    confirmed: Self.confirmed, until: Self.confirmed, whenStale: .notice,
                    basis: .issued,
                    expires: Scenario.judgedAt.advanced(bySeconds: secondsLeft))
            }.judge()
        }
        let last = try judged(secondsLeft: 0)
        #expect(last.outcome == ["accept"])
        #expect(last.notices == ["table-stale"])
        #expect(try judged(secondsLeft: -1).outcome == ["table-stale"])
    }

    @Test func whereItOnlyWarnsAnAcceptHasANotice() throws {
        let fresh = try Self.world(freshFor: 600, .notice).judge()
        #expect(fresh.notices == [])
        let stale = try Self.world(freshFor: 599, .notice).judge()
        #expect(stale.outcome == ["accept"])
        #expect(stale.notices == ["table-stale"])
        let cleartext = try Self.world(freshFor: 599, .notice) {
            $0.tls = .cleartext
            $0.waive(.cleartext)
        }.judge()
        #expect(cleartext.notices == ["table-stale"])
    }

    @Test func nothingIsSaidOfATableThatIsNeverStale() throws {
        let trace = try Self.acme.world.judge().trace
        #expect(
            !trace.steps.contains { step in
                if case .demand(let demand) = step { return demand.check == .freshness }
                return false
            })
    }

    /// A trace whose freshness was left out, or says otherwise than its dates, is not whole.
    @Test func aTraceThatHidesStalenessIsNotWhole() throws {
        let stale = try Self.world(freshFor: 0).judge().trace.steps
        let fresh = try Self.world(freshFor: 600).judge().trace.steps
        func isFreshness(_ step: TraceStep) -> Bool {
            switch step {
            case .demand(let demand): return demand.check == .freshness
            case .check(let check): return check.check == .freshness
            default: return false
            }
        }
        for steps in [
            stale.filter { !isFreshness($0) }, [fresh[0]] + stale.dropFirst(),
            [stale[0]] + fresh.dropFirst(),
            [try #require(try Self.acme.world.judge().trace.steps.first)] + stale.dropFirst(),
        ] {
            let replayed = Trace(steps: steps).replayedVerdict()
            #expect(replayed.violations.map(\.id) == ["engine-error"])
        }
    }
}

extension UTCInstant {
    /// Before anything here was confirmed, and when the good certificate is valid.
    fileprivate static let distant = Scenario.judgedAt.advanced(bySeconds: -3_600)
}
