import CHawser
import CHawserABI
import Hawser
import Testing
import TrustEngine

/// Receipts, reports and metrics, as C asks for them.
@Suite struct RecordTests {
    private let world: PolicyWorld

    init() throws { world = try PolicyWorld() }

    /// The records are those that a program in Swift writes of the same decision.
    @Test func recordsAreThoseOfTheLibrary() throws {
        let store = "billing".withCString { service in
            CalledAsC.open(world.table) { $0.service = service }
        }
        defer { _ = hawser_store_close(store) }
        var configuration = PolicyStore.Configuration()
        configuration.service = "billing"
        let policy = try PolicyStore(table: world.table, configuration: configuration).snapshot
        #expect(
            policy.decisionMaker == DecisionMaker(service: "billing", store: "default", epoch: 1))
        for (name, result) in [("good", HAWSER_OK), ("wrong-name", HAWSER_REJECT)] {
            let request = TrustRequest(
                host: world.host, port: 443, presentedChain: try world.chain(name),
                time: UTCInstant(secondsSinceEpoch: world.time),
                tls: .observed(TLSParameters(version: .tls13)))
            let explanation = policy.engine.explain(request)
            try world.withRequest(name) { asked in
                var verdict = hawser_verdict()
                #expect(hawser_explain(store, &asked, nil, &verdict, nil) == Int32(result))
                defer { _ = hawser_verdict_free(verdict) }
                let receipt = try #require(
                    CalledAsC.text(ofVerdict: verdict, HAWSER_TEXT_RECEIPT))
                #expect(
                    receipt == DecisionReceipt(Decision(explanation, of: request, by: policy)).json)
                let whole = try #require(
                    CalledAsC.text(ofVerdict: verdict, HAWSER_TEXT_RECEIPT_WITH_INPUTS))
                let read = try DecisionReceipt(json: Array(whole.utf8))
                #expect(read.inputs?.chain == request.presentedChain)
                #expect(
                    read.differences(from: explanation, crypto: EngineLoader.makeBackend()) == [])
                #expect(
                    CalledAsC.text(ofVerdict: verdict, HAWSER_TEXT_REPORT)
                        == ViolationReport(Decision(explanation, of: request, by: policy)).json)
                #expect(CalledAsC.text(ofVerdict: verdict, HAWSER_TEXT_RECEIPT, 1) == nil)
                #expect(CalledAsC.text(ofVerdict: verdict, HAWSER_TEXT_FETCH_URL) == nil)
            }
        }
    }

    @Test func aVerdictWithoutExplanationHasNoRecords() throws {
        let store = CalledAsC.open(world.table)
        defer { _ = hawser_store_close(store) }
        try world.withRequest("good") { asked in
            var verdict = hawser_verdict()
            #expect(hawser_evaluate(store, &asked, nil, &verdict, nil) == Int32(HAWSER_OK))
            defer { _ = hawser_verdict_free(verdict) }
            for which in [
                HAWSER_TEXT_EXPLANATION, HAWSER_TEXT_RECEIPT, HAWSER_TEXT_RECEIPT_WITH_INPUTS,
                HAWSER_TEXT_REPORT,
            ] {
                #expect(
                    hawser_verdict_text(verdict, UInt32(which), 0, nil, 0, nil)
                        == Int32(HAWSER_E_RANGE))
            }
        }
    }

    /// Families are whole, in order, with help; label values are escaped in one way.
    @Test func metricsAreOfEachStoreAndEscaped() throws {
        let odd = "a\"b\\c\nd\u{1B}"
        let stores = [odd, "plain"].map { name in
            name.withCString { name in CalledAsC.open(world.table) { $0.name = name } }
        }
        defer { for store in stores { _ = hawser_store_close(store) } }
        _ = hawser_store_reload(stores[1], [1, 2, 3], 3, nil)
        try world.withRequest("good") { _ = hawser_evaluate(stores[1], &$0, nil, nil, nil) }
        try world.withRequest("wrong-name") {
            for _ in 0..<2 { _ = hawser_evaluate(stores[1], &$0, nil, nil, nil) }
        }
        let text = try #require(CalledAsC.metrics(stores))
        #expect(text.hasSuffix("\n"))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        var families: [String] = []
        var named = ""
        for line in lines {
            let words = line.split(separator: " ", maxSplits: 3)
            if line.hasPrefix("# HELP ") {
                named = String(words[2])
                families.append(named)
                #expect(words.count == 4)
            } else if line.hasPrefix("# TYPE ") {
                #expect(words[2] == named)
                #expect(words[3] == (named.hasSuffix("_total") ? "counter" : "gauge"))
            } else {
                #expect(line.hasPrefix("\(named){store=\""), "\(line)")
                #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 })
            }
        }
        #expect(families == families.sorted() && Set(families).count == families.count)
        for line in [
            "hawser_store_verdicts_total{store=\"plain\",verdict=\"accept\"} 1",
            "hawser_store_verdicts_total{store=\"plain\",verdict=\"reject\"} 2",
            "hawser_store_epoch{store=\"plain\"} 1",
            "hawser_store_stale{store=\"plain\"} 0",
            "hawser_store_epoch{store=\"a\\\"b\\\\c\\\\nd\\\\u{1B}\"} 1",
        ] {
            #expect(lines.contains { $0 == line }, "\(line)\nis not in\n\(text)")
        }
        #expect(
            lines.contains {
                $0.hasPrefix("hawser_store_events_total{store=\"plain\",event=\"refused\"")
            })
    }

    @Test func metricsOfWhatIsNoStoreAreRefused() {
        let store = CalledAsC.open(world.table)
        defer { _ = hawser_store_close(store) }
        var error = hawser_error.ready
        var length = 7
        let pair = [store, hawser_store(number: 1)]
        #expect(hawser_metrics(pair, 2, nil, 0, &length, &error) == Int32(HAWSER_E_MISUSE))
        #expect(error.word == "not-an-object" && length == 0)
        #expect(hawser_metrics(nil, 1, nil, 0, nil, &error) == Int32(HAWSER_E_ARGUMENT))
        #expect(hawser_metrics(pair, -1, nil, 0, nil, &error) == Int32(HAWSER_E_LIMIT))
        #expect(hawser_metrics(pair, 1_025, nil, 0, nil, &error) == Int32(HAWSER_E_LIMIT))
        #expect(hawser_metrics(pair, 1, nil, 5, nil, &error) == Int32(HAWSER_E_ARGUMENT))
        var buffer: [CChar] = [7, 7]
        #expect(hawser_metrics(pair, 1, &buffer, 1, nil, &error) == Int32(HAWSER_E_SMALL))
        #expect(buffer == [0, 7])
        // Of no store there is nothing to say.
        #expect(hawser_metrics(nil, 0, &buffer, 1, &length, &error) == Int32(HAWSER_OK))
        #expect(length == 0)
    }
}
