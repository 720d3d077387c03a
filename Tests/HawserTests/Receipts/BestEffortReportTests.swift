import JSONSchemaSupport
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// An unknown revocation status under `best-effort` is counted and not reported; whatever else
/// fails is reported.
@Suite struct BestEffortReportTests {
    private func reporter(
        _ configuration: ViolationReporter.Configuration = .init()
    ) -> (ViolationReporter, Collected<ViolationReport>) {
        let collected = Collected<ViolationReport>()
        return (ViolationReporter(configuration, sink: collected.sink), collected)
    }

    @Test func whatNearlyEveryAcceptSaysIsCounted() throws {
        let world = try DecisionWorld()
        let metrics = MetricTotals()
        var configuration = ViolationReporter.Configuration()
        configuration.metrics = metrics
        let (reporter, collected) = reporter(configuration)
        for second in 0..<5 as Range<Int64> {
            let request = DecisionWorld.listedRequest("api", secondsLater: second)
            let verdict = world.policy.judge(request, recording: .init(reports: reporter)).verdict
            // The verdict still says it.
            #expect(verdict.reported.map(\.violation.id) == ["revocation-undetermined"])
        }
        #expect(collected.values.isEmpty)
        #expect(reporter.counters == .init(undetermined: ["unreachable": 5]))
        #expect(metrics["hawser_undetermined_revocation unreachable"] == 5)
        // The next report says how many accepts were left out before it, and then counts anew.
        for second in 5...6 as ClosedRange<Int64> {
            var pinned = DecisionWorld.request("pinned", secondsLater: second)
            pinned.port = UInt16(second)
            _ = world.policy.judge(pinned, recording: .init(reports: reporter))
        }
        let numbers = try collected.values.map { try JSONDocument(text: $0.json)["undetermined"] }
        #expect(numbers == [.integer(5), .integer(0)])
    }

    @Test func anOptionReportsIt() throws {
        let world = try DecisionWorld()
        let (reporter, collected) = reporter(.init(bestEffort: .reported))
        let request = DecisionWorld.listedRequest("api")
        #expect(world.policy.judge(request, recording: .init(reports: reporter)).isAccept)
        #expect(collected.values.map(\.reported) == [["revocation-undetermined"]])
        #expect(reporter.counters.undetermined == ["unreachable": 1])
        let document = try JSONDocument(text: try #require(collected.values.first).json)
        #expect(document["undetermined"] == .integer(0))
        #expect(try DecisionWorld.schema("report").violations(of: document) == [])
    }

    /// Another failure of the same accept is reported, without the failures that are only counted.
    @Test func anotherFailureIsReportedAlone() throws {
        let world = try DecisionWorld()
        let (reporter, collected) = reporter()
        let request = DecisionWorld.listedRequest("watched")
        let verdict = world.policy.judge(request, recording: .init(reports: reporter)).verdict
        #expect(verdict.reported.count == 2)
        #expect(collected.values.map(\.reported) == [["pin-mismatch"]])
        #expect(collected.values.first?.json.contains("\"undetermined\":1,") == true)
    }

    /// A reject says all that it says, an unknown status under `require` included.
    @Test func nothingOfARejectIsLeftOut() throws {
        let world = try DecisionWorld()
        let (reporter, collected) = reporter()
        _ = world.policy.judge(
            DecisionWorld.listedRequest("proved"), recording: .init(reports: reporter))
        #expect(collected.values.map(\.violations) == [["revocation-undetermined"]])
        #expect(reporter.counters.undetermined == [:])
    }

    /// Under `require` the action `report` of a cause is the choice of who wrote the policy.
    @Test func anActionThatThePolicyChoseIsReported() throws {
        let world = try DecisionWorld(pinned: [
            "revocation: { preset: require, scope: leaf, sources: [crl], causes: { unreachable: report } }"
        ])
        let (reporter, collected) = reporter()
        let request = DecisionWorld.listedRequest("pinned")
        #expect(world.policy.judge(request, recording: .init(reports: reporter)).isAccept)
        #expect(collected.values.map(\.reported) == [["revocation-undetermined"]])
        #expect(reporter.counters.undetermined == [:])
    }

    /// A receipt is the whole decision, so it has what a report leaves out.
    @Test func aReceiptHasIt() throws {
        let world = try DecisionWorld()
        let request = DecisionWorld.listedRequest("api")
        let receipt = DecisionReceipt(
            Decision(world.policy.engine.explain(request), of: request, by: world.policy))
        #expect(receipt.reported.map(\.violation.id) == ["revocation-undetermined"])
    }
}
