public import TrustEngine

/// A verdict, with the request that it answers and the policy that gave it: the parts that a
/// receipt, a report and an error are made of.
///
///     let decision = store.judge(request)
///     if !decision.isAccept { print(decision.explain().rendered(as: .text)) }
///
/// The policy is the one that gave the verdict, whatever the store puts in force later. A decision
/// keeps that policy's table in memory: a connection that lasts should keep the verdict only.
public struct Decision: Sendable {
    /// The verdict.
    public let verdict: Verdict
    /// The request that the verdict answers, with all the evidence that it was judged by. It has
    /// more evidence than the given request where evidence was fetched.
    public let request: TrustRequest
    /// The policy that gave the verdict.
    public let policy: PolicySnapshot
    /// The attempts to fetch evidence, in order; empty where nothing was fetched.
    public let attempts: [FetchAttempt]
    /// The engine that gave the verdict. It has the freshness of that moment.
    package let engine: Engine
    private let explained: Explanation?

    /// Makes a decision from a verdict that the engine of a policy gave.
    ///
    /// - Parameter engine: the engine; nil for the policy's engine at this moment.
    package init(
        _ verdict: Verdict, of request: TrustRequest, by policy: PolicySnapshot,
        engine: Engine? = nil, attempts: [FetchAttempt] = []
    ) {
        self.verdict = verdict
        self.request = request
        self.policy = policy
        self.attempts = attempts
        self.engine = engine ?? policy.engine
        self.explained = nil
    }

    /// Makes a decision that is explained already. The parameters are as above.
    package init(
        _ explanation: Explanation, of request: TrustRequest, by policy: PolicySnapshot,
        engine: Engine? = nil, attempts: [FetchAttempt] = []
    ) {
        self.verdict = explanation.verdict
        self.request = request
        self.policy = policy
        self.attempts = attempts
        self.engine = engine ?? policy.engine
        self.explained = explanation
    }

    /// Whether the verdict is an accept.
    public var isAccept: Bool { verdict.isAccept }
    /// The violations of a reject, in the verdict's order; empty for an accept.
    public var violations: [Violation] { verdict.violations }
    /// The id of the decision. Its records have the same id where they leave nothing out.
    public var id: DecisionID { DecisionID(self) }

    /// The verdict with the trace that leads to it. The call costs an evaluation, unless the
    /// decision was explained for a record.
    public func explain() -> Explanation { explained ?? engine.explain(request) }

    /// Whether an explanation costs nothing.
    var isExplained: Bool { explained != nil }

    /// The same decision with its explanation, for callers that explain it more than once.
    package func withExplanation() -> Decision { withExplanation(explain()) }

    /// The same decision with an explanation of it. The verdict that counted stays, also where a
    /// check of the program answers otherwise when it is asked again.
    func withExplanation(_ explanation: Explanation) -> Decision {
        Decision(verdict, explaining: explanation, self)
    }

    private init(_ verdict: Verdict, explaining explanation: Explanation, _ decision: Decision) {
        self.verdict = verdict
        self.request = decision.request
        self.policy = decision.policy
        self.attempts = decision.attempts
        self.engine = decision.engine
        self.explained = explanation
    }
}
