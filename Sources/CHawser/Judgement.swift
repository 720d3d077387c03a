import CHawserABI
import Hawser
import Rendering
import TrustEngine

/// A verdict that one snapshot led to, before C gets it.
struct Judgement: Sendable {
    let verdict: Verdict
    /// The request with all the evidence that it was judged by.
    let request: TrustRequest
    /// The snapshot that judged.
    let snapshot: PolicySnapshot
    /// Nil for a verdict without explanation.
    let explained: Explained?
    /// Attempts to fetch evidence, in order.
    let attempts: [FetchAttempt]

    /// Judges a request. With a fetcher, evidence that is wanted is fetched, and the request is
    /// judged again.
    init(
        _ asked: borrowing CheckedRequest, by snapshot: PolicySnapshot, _ fetcher: HeldFetcher?,
        explains: Bool
    ) {
        self.snapshot = snapshot
        let engine = snapshot.engine
        let whole = asked.whole
        let fetched = fetcher?.evaluate(whole, by: FixedPolicy(snapshot))
        attempts = fetched?.attempts ?? []
        request = fetched?.request ?? whole
        guard explains else {
            verdict = fetched?.verdict ?? engine.evaluate(request)
            explained = nil
            return
        }
        let policy = FixedPolicy(
            engine, revision: snapshot.revision, decider: snapshot.decider,
            commandOptions: snapshot.commandOptions)
        let explanation = engine.explain(request)
        verdict = explanation.verdict
        explained = Explained(
            explanation: explanation, request: request, policy: policy,
            assumptions: asked.assumptions)
    }

    /// The words about a reject; nil for an accept.
    var reject: RejectError? {
        if let explained {
            return RejectError(explained.explanation, of: request, by: explained.policy)
        }
        return Judgement.reject(verdict, of: request, by: snapshot)
    }

    /// The words about a reject that has no explanation yet; nil for an accept. This function makes
    /// the explanation, with two exceptions. Where the table names checks, the program's functions
    /// are asked once for each verdict and may be gone by now. In a child after `fork`, another
    /// thread of the parent may have held a lock of Swift's runtime; nobody opens it in the child,
    /// and an explanation uses more types, and so more of these locks, than a verdict.
    static func reject(
        _ verdict: Verdict, of request: TrustRequest, by snapshot: PolicySnapshot
    ) -> RejectError? {
        guard snapshot.engine.table.checkNames.isEmpty, Forks.count == 0 else {
            return RejectError(unexplained: verdict, of: request, by: snapshot)
        }
        return RejectError(verdict, of: request, by: snapshot)
    }

    /// The verdict in numbers.
    var outcome: hawser_outcome {
        hawser_outcome(verdict, epoch: snapshot.epoch, time: request.time)
    }
}

/// An explanation, and what records of the decision are made of.
struct Explained: Sendable {
    let explanation: Explanation
    let request: TrustRequest
    let policy: FixedPolicy
    /// The values that the caller assumed.
    let assumptions: [String]

    /// What `hawser explain --format json` prints, without the members that the command adds.
    var json: String { TraceJSON.render(explanation, assumptions: assumptions) }

    /// The receipt: one line of JSON.
    func receipt(_ weight: DecisionReceipt.Weight) -> String {
        DecisionReceipt(explanation, of: request, by: policy, weight: weight).json
    }

    /// The report for the owners of the policy: one line of JSON.
    var report: String { ViolationReport(explanation, of: request, by: policy).json }
}
