import Hawser

/// The records of every decision: receipts to ask again, reports for the owner of the policy, and
/// the disagreements of a candidate.
///
/// - Parameter write: takes a line of JSON and hands it on; it must not wait.
func records(
    comparing candidate: PolicyStore?, write: @escaping @Sendable (String) -> Void
) -> DecisionRecording {
    DecisionRecording(
        receipts: ReceiptRecorder(inputs: .selfContained(atMost: 64 << 10)) { write($0.json) },
        reports: ViolationReporter { write($0.json) },
        shadow: ShadowComparison(candidate: candidate) { write($0.json) })
}

/// Judges one request, and records the decision.
func judge(
    _ request: TrustRequest, by store: PolicyStore, recording: DecisionRecording
) -> Verdict {
    store.judge(request, recording: recording).verdict
}
