import Hawser

/// A policy whose decisions are written down beside the verdicts: receipts to ask again, reports
/// for who owns the policy, and what a candidate would have said.
struct ObservedPolicy: Sendable {
    let store: PolicyStore
    let receipts: ReceiptRecorder
    let reports: ViolationReporter
    let shadow: ShadowStore<PolicyStore, PolicyStore>

    /// - Parameter write: takes a line of JSON and hands it on; it must not wait.
    init(
        _ store: PolicyStore, candidate: PolicyStore?,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.store = store
        receipts = ReceiptRecorder(
            sampling: ReceiptSampling(acceptsOneIn: 1_000),
            weight: .selfContained(atMost: 64 << 10)
        ) { write($0.json) }
        reports = ViolationReporter { write($0.json) }
        shadow = ShadowStore(active: store, candidate: candidate) { write($0.json) }
    }

    func evaluate(_ request: TrustRequest) -> Verdict {
        // One snapshot for all of them: each speaks of the policy that decided.
        let policy = store.snapshot
        let verdict = receipts.evaluate(request, by: policy)
        reports.observe(verdict, of: request, by: policy)
        shadow.observe(verdict, of: request, by: policy)
        return verdict
    }
}
