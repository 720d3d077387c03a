import JSONSchemaSupport
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// The records and reports beside verdicts, and their rate.
@Suite struct RecorderTests {
    // MARK: Sampling

    @Test func theVerdictIsTheEnginesWhateverIsSampled() throws {
        let world = try DecisionWorld()
        for sampling in [
            ReceiptSampling(), ReceiptSampling(acceptsOneIn: 1),
            ReceiptSampling(acceptsOneIn: 0, rejectsOneIn: 0),
        ] {
            let recorder = ReceiptRecorder(sampling: sampling) { _ in }
            for name in DecisionWorld.names + ["elsewhere"] {
                let request = DecisionWorld.request(name)
                #expect(
                    world.policy.judge(request, recording: .init(receipts: recorder)).verdict
                        == world.policy.engine.evaluate(request))
            }
        }
    }

    @Test func rejectsAreRecordedAndAcceptsByTheirShare() throws {
        let world = try DecisionWorld()
        let collected = Collected<DecisionReceipt>()
        let recorder = ReceiptRecorder(
            sampling: ReceiptSampling(acceptsOneIn: 4, rejectsPerMinute: 1_000),
            sink: collected.sink)
        for second in 0..<200 {
            _ = world.policy.judge(
                DecisionWorld.request("api", secondsLater: Int64(second)),
                recording: .init(receipts: recorder))
            _ = world.policy.judge(
                DecisionWorld.request("pinned", secondsLater: Int64(second)),
                recording: .init(receipts: recorder))
        }
        let accepts = collected.values.filter(\.isAccept)
        #expect(collected.values.count - accepts.count == 200)
        #expect((25...80).contains(accepts.count))
        #expect(recorder.counters.recorded == UInt64(collected.values.count))
        // Each is what an explanation of the same request gives.
        for receipt in accepts.prefix(3) {
            var request = DecisionWorld.request("api")
            request.time = receipt.time
            let explanation = world.policy.engine.explain(request)
            #expect(
                DecisionReceipt(Decision(explanation, of: request, by: world.policy)) == receipt)
        }
    }

    @Test func replicasChooseTheSameRequestsAndAnotherSeedOthers() throws {
        let world = try DecisionWorld()
        func chosen(_ seed: [UInt8]) -> [UTCInstant] {
            let collected = Collected<DecisionReceipt>()
            let recorder = ReceiptRecorder(
                sampling: ReceiptSampling(acceptsOneIn: 3, seed: seed), sink: collected.sink)
            for second in 0..<60 {
                _ = world.policy.judge(
                    DecisionWorld.request("api", secondsLater: Int64(second)),
                    recording: .init(receipts: recorder))
            }
            return collected.values.map(\.time)
        }
        #expect(!chosen([1]).isEmpty)
        #expect(chosen([1]) == chosen([1]))
        #expect(chosen([1]) != chosen([2]))
    }

    @Test func aStreamOfRejectsIsBounded() throws {
        let world = try DecisionWorld()
        let collected = Collected<DecisionReceipt>()
        let recorder = ReceiptRecorder(
            sampling: ReceiptSampling(rejectsPerMinute: 5), sink: collected.sink)
        for second in 0..<20 {
            _ = world.policy.judge(
                DecisionWorld.request("pinned", secondsLater: Int64(second)),
                recording: .init(receipts: recorder))
        }
        #expect(collected.values.count == 5)
        #expect(recorder.counters == .init(recorded: 5, overLimit: 15))
        _ = world.policy.judge(
            DecisionWorld.request("pinned", secondsLater: 60), recording: .init(receipts: recorder))
        #expect(collected.values.count == 6)
    }

    @Test func noneAndEachNeedNoDraw() throws {
        func never() -> UInt64 {
            Issue.record("nothing is to be drawn")
            return 0
        }
        let each = ReceiptSampling.chooses(never(), oneIn: 1)
        let none = ReceiptSampling.chooses(never(), oneIn: 0)
        #expect(each && !none)
        #expect(ReceiptSampling.chooses(6, oneIn: 3) && !ReceiptSampling.chooses(7, oneIn: 3))
    }

    @Test func aStoreIsASourceToo() throws {
        let world = try StoreWorld()
        let store = try PolicyStore(table: world.accepting, configuration: world.configuration)
        let collected = Collected<DecisionReceipt>()
        let recorder = ReceiptRecorder(
            sampling: ReceiptSampling(acceptsOneIn: 1), sink: collected.sink)
        #expect(store.judge(world.request, recording: .init(receipts: recorder)).isAccept)
        store.offer(world.rejecting, origin: "test")
        #expect(!store.judge(world.request, recording: .init(receipts: recorder)).isAccept)
        #expect(collected.values.map(\.isAccept) == [true, false])
        #expect(Set(collected.values.map(\.table.policyDigest)).count == 2)
    }

    // MARK: Limits

    @Test func aMinuteIsOfTheRequestsTimes() {
        var limit = EmissionLimit(perMinute: 2)
        func at(_ second: Int64) -> Bool { limit.admits(at: UTCInstant(secondsSinceEpoch: second)) }
        #expect(at(1_000) && at(1_059) && !at(1_059))
        // A little back is the same minute; much is another, as is what comes after.
        #expect(!at(999))
        #expect(at(1_060) && at(1_061) && !at(1_119))
        #expect(at(0) && at(1) && !at(2))
        #expect(at(.max) && at(.max) && !at(.max))
        var none = EmissionLimit(perMinute: -1)
        let isAdmitted = none.admits(at: UTCInstant(secondsSinceEpoch: 0))
        #expect(!isAdmitted)
    }

    // MARK: Reports

    @Test func aReportFitsItsSchemaAndNamesRuleReasonAndLine() throws {
        let world = try DecisionWorld()
        let schema = try DecisionWorld.schema("report")
        for name in ["pinned", "watched", "proved", "elsewhere", "odd\n\u{202E}"] {
            let request = DecisionWorld.request(name)
            let report = ViolationReport(
                Decision(world.policy.engine.explain(request), of: request, by: world.policy))
            #expect(!report.json.contains("\n"))
            #expect(schema.violations(of: try JSONDocument(text: report.json)) == [])
        }
        let request = DecisionWorld.request("pinned")
        let report = ViolationReport(
            Decision(world.policy.engine.explain(request), of: request, by: world.policy))
        #expect(report.rule == "pinned" && report.violations == ["pin-mismatch"])
        let document = try JSONDocument(text: report.json)
        let violation = try #require(document["violations"]?.items.first)
        #expect(violation["place"]?["file"]?.text == "policy.yaml")
        #expect(violation["summary"]?.text?.contains("pin set `nobody` needs 1") == true)
        #expect(violation["fields"]?["foundKeys"]?.items.count == 3)
        #expect(document["servedChain"]?.items.count == 2)
        #expect(
            document["servedChain"]?.items.first?["der"]?.text
                == Base64.encode(request.presentedChain[0]))
        #expect(document["validatedPath"]?.items.count == 3)
        let watched = DecisionWorld.request("watched")
        let accept = ViolationReport(
            Decision(world.policy.engine.explain(watched), of: watched, by: world.policy))
        #expect(accept.isAccept && accept.reported == ["pin-mismatch"])
        #expect(accept.json.contains("\"until\":\"2026-12-31T23:59:59Z\""))
        let denied = DecisionWorld.request("elsewhere")
        #expect(
            ViolationReport(
                Decision(world.policy.engine.explain(denied), of: denied, by: world.policy)
            )
            .rule == nil)
    }

    /// What both schemas describe they describe alike.
    @Test func theReportsSchemaSaysWhatTheTracesSays() throws {
        let report = try DecisionWorld.document("report")["definitions"]
        let trace = try DecisionWorld.document("trace")["definitions"]
        for name in ["check", "place", "certificate"] {
            let definition = try #require(report?[name])
            #expect(definition == trace?[name], "\(name)")
        }
    }

    @Test func aLongChainIsReportedByItsDigests() throws {
        let world = try DecisionWorld()
        var request = DecisionWorld.request("pinned")
        request.presentedChain.append(
            [UInt8](repeating: 0, count: ViolationReport.maximumChainOctets))
        let report = ViolationReport(
            Decision(world.policy.engine.explain(request), of: request, by: world.policy))
        let served = try #require(try JSONDocument(text: report.json)["servedChain"]).items
        #expect(served.count == 3 && served.allSatisfy { $0["der"] == nil })
        #expect(report.json.utf8.count < ViolationReport.maximumChainOctets)
    }

    @Test func aRedactedReportQuotesNeitherHostNorCertificate() throws {
        let world = try DecisionWorld()
        let schema = try DecisionWorld.schema("report")
        let key = try #require(RedactionKey([UInt8](repeating: 3, count: 16)))
        for name in DecisionWorld.names + ["elsewhere.decision.example"] {
            var request = DecisionWorld.request("")
            request.host = name
            let report = ViolationReport(
                Decision(world.policy.engine.explain(request), of: request, by: world.policy),
                redaction: Redaction(host: .keyed(key), port: .dropped, chain: .dropped))
            #expect(schema.violations(of: try JSONDocument(text: report.json)) == [])
            #expect(!report.json.contains("decision.example"))
            #expect(!report.json.contains("Decision") && !report.json.contains("443"))
            #expect(report.host == nil && report.port == nil)
        }
        let request = DecisionWorld.request("proved")
        let proved = ViolationReport(
            Decision(world.policy.engine.explain(request), of: request, by: world.policy),
            redaction: Redaction(host: .dropped))
        let violation = try JSONDocument(text: proved.json)["violations"]?.items.first
        #expect(violation?["fields"] == .object(["cause": .string("no-endpoint")]))
    }

    @Test func theSameIsReportedOnceInAWhile() throws {
        let world = try DecisionWorld()
        let collected = Collected<ViolationReport>()
        let reporter = ViolationReporter(.init(repeatAfter: .seconds(100)), sink: collected.sink)
        func ask(_ name: String, _ second: Int64) -> Int {
            _ = world.policy.judge(
                DecisionWorld.request(name, secondsLater: second),
                recording: .init(reports: reporter))
            return collected.values.count
        }
        #expect(ask("api", 0) == 0)
        #expect(ask("pinned", 0) == 1)
        #expect(ask("pinned", 49) == 1)
        #expect(ask("watched", 49) == 2)
        #expect(ask("proved", 49) == 3)
        #expect(ask("pinned", 99) == 3)
        #expect(ask("pinned", 150) == 4)
        #expect(reporter.counters == .init(reported: 4, repeated: 2, overLimit: 0))
        let suppressed = try collected.values.map { report in
            try JSONDocument(text: report.json)["suppressed"]
        }
        #expect(suppressed == [.integer(0), .integer(1), .integer(0), .integer(1)])
    }

    // MARK: Demands of issuance

    @Test func noticesOfIssuanceAreCountedByDemand() throws {
        let world = try DecisionWorld()
        let collected = Collected<ViolationReport>()
        let metrics = MetricTotals()
        var configuration = ViolationReporter.Configuration()
        configuration.metrics = metrics
        let reporter = ViolationReporter(configuration, sink: collected.sink)
        for second in 0..<3 as Range<Int64> {
            let request = DecisionWorld.carelessRequest("api", secondsLater: second)
            #expect(world.policy.judge(request, recording: .init(reports: reporter)).isAccept)
        }
        _ = world.policy.judge(DecisionWorld.request("api"), recording: .init(reports: reporter))
        // A reject has no notices.
        _ = world.policy.judge(
            DecisionWorld.carelessRequest("pinned"), recording: .init(reports: reporter))
        #expect(
            reporter.counters.issuance == [
                "serial-not-positive": 3, "authority-key-identifier-missing": 3,
            ])
        #expect(metrics["hawser_issuance_notices serial-not-positive"] == 3)
        #expect(metrics["hawser_issuance_notices authority-key-identifier-missing"] == 3)
        #expect(metrics["hawser_issuance_notices serial-too-long"] == nil)
        // A notice is not a failure: a notice by itself is not reported.
        #expect(collected.values.map(\.violations) == [["pin-mismatch"]])
    }

    @Test func aReportNamesTheDemands() throws {
        let world = try DecisionWorld()
        let schema = try DecisionWorld.schema("report")
        let request = DecisionWorld.carelessRequest("watched")
        let explanation = world.policy.engine.explain(request)
        let demands = ["serial-not-positive", "authority-key-identifier-missing"]
        let report = ViolationReport(Decision(explanation, of: request, by: world.policy))
        #expect(report.isAccept && report.reported == ["pin-mismatch"])
        #expect(report.issuance == demands)
        let document = try JSONDocument(text: report.json)
        #expect(schema.violations(of: document) == [])
        let told = try #require(document["issuance"]?.items)
        #expect(told.compactMap { $0["demand"]?.text } == demands)
        #expect(told.first?["certificate"]?["position"] == .integer(0))
        let redacted = ViolationReport(
            Decision(explanation, of: request, by: world.policy),
            redaction: Redaction(chain: .dropped))
        #expect(try schema.violations(of: JSONDocument(text: redacted.json)) == [])
        #expect(redacted.issuance == demands && !redacted.json.contains("\"certificate\""))
        let rejected = DecisionWorld.carelessRequest("pinned")
        #expect(
            ViolationReport(
                Decision(world.policy.engine.explain(rejected), of: rejected, by: world.policy)
            ).issuance.isEmpty)
    }

    @Test func aFloodOfHostsIsBoundedInMemoryAndNumber() throws {
        let world = try DecisionWorld()
        let collected = Collected<ViolationReport>()
        let reporter = ViolationReporter(
            .init(perMinute: 7, remembered: 8), sink: collected.sink)
        for number in 0..<500 {
            var request = DecisionWorld.request("host\(number)")
            request.host += String(repeating: "x", count: 10_000)
            _ = world.policy.judge(request, recording: .init(reports: reporter))
        }
        #expect(collected.values.count == 7)
        #expect(reporter.counters == .init(reported: 7, repeated: 0, overLimit: 493))
        var recent = RecentKinds(seconds: 3_600, limit: 8)
        let verdict = world.policy.engine.evaluate(DecisionWorld.request("pinned"))
        let kinds = (0..<100).map { number in
            RecentKinds.Kind(
                verdict, DecisionWorld.request("host\(number)"), reported: [])
        }
        for kind in kinds { recent.insert(kind) }
        let held = kinds.filter { recent.holds($0, at: Scenario.judgedAt) }
        #expect((4...8).contains(held.count) && held.contains(kinds[99]))
    }

    @Test func acceptsAreReportedOnlyWhereThatIsWanted() throws {
        let world = try DecisionWorld()
        let collected = Collected<ViolationReport>()
        let reporter = ViolationReporter(.init(reportsAccepts: false), sink: collected.sink)
        let request = DecisionWorld.request("watched")
        #expect(world.policy.judge(request, recording: .init(reports: reporter)).isAccept)
        let pinned = DecisionWorld.request("pinned")
        DecisionRecording(reports: reporter).record(
            Decision(world.policy.engine.explain(pinned), of: pinned, by: world.policy))
        #expect(collected.values.map(\.host) == ["pinned.decision.example"])
    }
}
