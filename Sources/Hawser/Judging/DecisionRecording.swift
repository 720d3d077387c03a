import TrustEngine

/// The recorders that see each decision of a program: receipts, reports, and the comparison with a
/// candidate policy.
///
///     let recording = DecisionRecording(
///         receipts: ReceiptRecorder { log.write($0.json) },
///         reports: ViolationReporter { log.write($0.json) })
///     let decision = store.judge(request, recording: recording)
///
/// Each recorder sees each decision once, after the verdict is known. None of them changes a
/// verdict, throws or waits. A decision is explained at most once for all of them.
public struct DecisionRecording: Sendable {
    /// Writes decisions down; nil for no receipts.
    public let receipts: ReceiptRecorder?
    /// Reports decisions with violations; nil for no reports.
    public let reports: ViolationReporter?
    /// Compares a candidate policy; nil for no comparison.
    public let shadow: ShadowComparison?

    /// Makes a recording. By default nothing is recorded.
    public init(
        receipts: ReceiptRecorder? = nil, reports: ViolationReporter? = nil,
        shadow: ShadowComparison? = nil
    ) {
        self.receipts = receipts
        self.reports = reports
        self.shadow = shadow
    }

    /// Records a decision that was made without a recording, such as one that counts only when a
    /// handshake has ended. Call it once for each decision.
    public func record(_ decision: Decision) {
        var draw: UInt64?
        var decision = decision
        record(&decision, draw: &draw)
    }

    /// Records a decision. `draw` is as in `ReceiptRecorder`.
    private func record(_ decision: inout Decision, draw: inout UInt64?) {
        receipts?.record(&decision, draw: &draw)
        reports?.record(&decision)
        shadow?.record(decision)
    }

    /// Judges a request and records the decision.
    func judge(_ request: TrustRequest, by policy: PolicySnapshot) -> Decision {
        let engine = policy.engine
        var draw: UInt64?
        var decision: Decision
        if receipts?.samplesAccept(request, engine.crypto, draw: &draw) == true {
            let (explanation, asked) = engine.explainRecording(request)
            decision = Decision(explanation, of: asked, by: policy, engine: engine)
        } else {
            let (verdict, asked) = engine.evaluateRecording(request)
            decision = Decision(verdict, of: asked, by: policy, engine: engine)
        }
        record(&decision, draw: &draw)
        return decision
    }
}
