import Hawser
import TestPKI
import TrustEngine

/// Decision receipts, one line of JSON each.
enum ReceiptBody {
    private static let crypto = EngineLoader.makeBackend()

    private static let request = TrustRequest(
        host: "fuzz.example", port: 443, presentedChain: [Seeds.leaf.der], time: Scenario.judgedAt,
        tls: .observed(TLSParameters(version: .tls13, alpn: "h2")),
        evidence: Evidence(
            stapledOCSP: Seeds.responses.first, crls: [Seeds.revocationLists[0]], sctList: [0, 0]))

    private static let explanation = EvaluationBody.engine.explain(request)

    /// A receipt of each inputs, one that redacts everything, and one of a table that can become
    /// stale.
    static let seeds: [[UInt8]] = {
        var stale = EvaluationBody.engine
        stale.freshness = TableFreshness(
            confirmed: Scenario.judgedAt, freshFor: .seconds(60), whenStale: .notice)
        let whole = DecisionReceipt.InputDetail.selfContained(atMost: 1 << 20)
        let nothing = Redaction(
            host: RedactionKey([UInt8](repeating: 7, count: 16)).map { .keyed($0) } ?? .dropped,
            port: .dropped, chain: .dropped)
        let policy = PolicySnapshot(EvaluationBody.engine, revision: 3)
        return [
            DecisionReceipt(Decision(explanation, of: request, by: policy)),
            DecisionReceipt(Decision(explanation, of: request, by: policy), inputs: whole),
            DecisionReceipt(Decision(explanation, of: request, by: policy), redaction: nothing),
            DecisionReceipt(
                Decision(stale.explain(request), of: request, by: PolicySnapshot(stale))),
        ].map { Array($0.json.utf8) }
    }()

    /// The octets as a receipt: what reads is written and read again as itself, and comparing it
    /// with a question that it may not be of only names differences.
    static func run(_ bytes: [UInt8]) {
        guard let receipt = try? DecisionReceipt(json: bytes) else { return }
        let text = receipt.json
        require(!text.utf8.contains(0x0A), "a receipt is one line")
        require(
            (try? DecisionReceipt(json: Array(text.utf8))) == receipt,
            "a receipt is read as it was written")
        require(receipt.isAccept == receipt.violations.isEmpty, "a reject has its reasons")
        let verdict = explanation.verdict
        let isSame =
            receipt.mismatches(with: request, verdict, crypto: crypto).isEmpty
            && receipt.differences(from: explanation, crypto: crypto).isEmpty
        if isSame, receipt.uncompared().isEmpty {
            require(receipt.isAccept == verdict.isAccept, "what replays has the same verdict")
        }
    }
}
