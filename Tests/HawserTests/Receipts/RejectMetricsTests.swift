import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// The counters of rejects: by rule and violation, with a bounded number of series.
@Suite struct RejectMetricsTests {
    @Test func rejectsAreCountedByRuleAndViolation() throws {
        let world = try DecisionWorld()
        let ledger = MetricsLedger()
        var configuration = ViolationReporter.Configuration()
        configuration.metrics = ledger
        let reporter = ViolationReporter(configuration) { _ in }
        for name in ["pinned", "pinned", "api", "elsewhere", "proved"] {
            _ = world.policy.judge(DecisionWorld.request(name), recording: .init(reports: reporter))
        }
        let counts = ledger.values.compactMap { series, value -> String? in
            guard series.label == "hawser_rejects", case .count(let count) = value else {
                return nil
            }
            let words = series.dimensions.map { "\($0.name)=\($0.value)" }
            return words.joined(separator: " ") + " \(count)"
        }
        #expect(
            counts.sorted() == [
                "rule=none violation=no-applicable-rule 1",
                "rule=pinned violation=pin-mismatch 2",
                "rule=proved violation=revocation-undetermined 1",
            ])
    }

    @Test func theNumberOfRulesInTheMetricIsBounded() throws {
        let world = try DecisionWorld()
        let verdict = world.policy.engine.evaluate(DecisionWorld.request("pinned"))
        var labels = RejectLabels()
        var series: Set<RejectLabels.Series> = []
        for number in 0..<1_000 {
            for rule in ["rule-\(number)", "", nil] {
                let found = labels.series(verdict, host: "www.example", rule: rule)
                series.insert(try #require(found))
            }
        }
        #expect(series.count == RejectLabels.mostRules + 3)
        for rule in ["other", "default", "none"] {
            #expect(series.contains(.init(rule: rule, violation: "pin-mismatch")))
        }
        // A rule that has a label keeps it.
        let known = labels.series(verdict, host: "www.example", rule: "rule-7")
        #expect(known?.rule == "rule-7")
    }

    @Test func countsOfAStoreAddUpToItsRejects() throws {
        let world = try DecisionWorld()
        let verdicts = VerdictCount()
        for name in ["pinned", "api", "elsewhere", "elsewhere", "no host"] {
            let request = DecisionWorld.request(name)
            verdicts.count(
                world.policy.engine.evaluate(request), host: request.host, port: request.port,
                by: world.policy.engine.table)
        }
        #expect(verdicts.accepted == 1 && verdicts.rejected == 4)
        #expect(
            verdicts.rejectedBySeries == [
                .init(rule: "pinned", violation: "pin-mismatch"): 1,
                .init(rule: "none", violation: "no-applicable-rule"): 2,
                .init(rule: "none", violation: "bad-host"): 1,
            ])
    }
}
