import TrustEngine

/// Evaluates a candidate policy on the same requests as the policy in force. The policy in force
/// gives the verdict. The sink is told of each request on which the two disagree.
///
///     let shadow = ShadowComparison(candidate: next) { disagreement in log(disagreement) }
///     let decision = store.judge(request, recording: DecisionRecording(shadow: shadow))
///
/// The candidate is evaluated after the verdict is known, and neither its verdict nor its absence
/// changes anything. A demand that is only reported is written in the policy, with its end
/// (`report-only`).
///
/// The candidate costs each compared request a second evaluation, on the calling thread unless
/// `schedule` moves the work elsewhere. A disagreement that is told costs at most two more
/// evaluations, for the explanations. Counting takes a lock for a few instructions, after the
/// verdict.
public final class ShadowComparison: Sendable {
    /// The settings of the comparison.
    public struct Configuration: Sendable {
        /// How far two verdicts must agree.
        public var level: ShadowLevel
        /// One request in this many is compared; 1 compares every request. The choice follows from
        /// the request, so replicas choose the same requests.
        public var comparesOneIn: UInt32
        /// Octets that the choice depends on, besides the request.
        public var seed: [UInt8]
        /// Most disagreements that the sink is told of in a minute. More are only counted.
        public var perMinute: Int
        /// Runs the comparison: in place, or on another thread.
        public var schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

        /// Makes a configuration. By default every request is compared, by its verdict and
        /// violations, in place, and the sink is told of 60 disagreements a minute.
        public init(
            level: ShadowLevel = .violations, comparesOneIn: UInt32 = 1, seed: [UInt8] = [],
            perMinute: Int = 60,
            schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
        ) {
            self.level = level
            self.comparesOneIn = comparesOneIn
            self.seed = seed
            self.perMinute = perMinute
            self.schedule = schedule
        }
    }

    private struct State {
        var limit: EmissionLimit
        var counters = ShadowCounters()
    }

    /// Returns the candidate's policy at this moment; nil without a candidate.
    private let candidate: (@Sendable () -> PolicySnapshot)?
    private let configuration: Configuration
    private let sampling: ReceiptSampling
    private let sink: @Sendable (ShadowDisagreement) -> Void
    private let state: Monitor<State>

    /// Makes a comparison with the policy that a store has in force at each request.
    ///
    /// - Parameters:
    ///   - candidate: nil when it could not be loaded, for example. Then nothing is compared, and
    ///     the counters say so.
    ///   - configuration: which requests are compared, and how.
    ///   - sink: is told of disagreements, after the verdict is known. It must not wait.
    public convenience init(
        candidate: PolicyStore?, configuration: Configuration = Configuration(),
        sink: @escaping @Sendable (ShadowDisagreement) -> Void = { _ in }
    ) {
        var source: (@Sendable () -> PolicySnapshot)?
        if let candidate { source = { candidate.snapshot } }
        self.init(source, configuration, sink)
    }

    /// Makes a comparison with one policy that stays the same. The parameters are as above.
    public convenience init(
        candidate: PolicySnapshot, configuration: Configuration = Configuration(),
        sink: @escaping @Sendable (ShadowDisagreement) -> Void = { _ in }
    ) {
        self.init({ candidate }, configuration, sink)
    }

    private init(
        _ candidate: (@Sendable () -> PolicySnapshot)?, _ configuration: Configuration,
        _ sink: @escaping @Sendable (ShadowDisagreement) -> Void
    ) {
        self.candidate = candidate
        self.configuration = configuration
        self.sampling = ReceiptSampling(seed: configuration.seed)
        self.sink = sink
        self.state = Monitor(State(limit: EmissionLimit(perMinute: configuration.perMinute)))
    }

    /// The outcome of the comparisons so far, for the two policies that are in force now. The
    /// comparison counts begin again when either policy changes its meaning.
    public var counters: ShadowCounters { state.withLock { $0.counters } }

    /// Compares the candidate's verdict with the verdict of a decision.
    package func record(_ decision: Decision) {
        guard isCompared(decision) else { return }
        configuration.schedule { [self] in compare(decision) }
    }

    private func isCompared(_ decision: Decision) -> Bool {
        guard candidate != nil else {
            state.withLock { $0.counters.withoutCandidate += 1 }
            return false
        }
        let isChosen = ReceiptSampling.chooses(
            sampling.draw(decision.request, decision.engine.crypto),
            oneIn: configuration.comparesOneIn)
        if !isChosen { state.withLock { $0.counters.passedOver += 1 } }
        return isChosen
    }

    private func compare(_ decision: Decision) {
        guard let other = candidate?().engine else { return }
        let request = decision.request
        let verdict = decision.verdict
        let answer = other.evaluate(request)
        let kind = ShadowDisagreement.Kind(verdict, answer, configuration.level)
        let isTold = state.withLock { state in
            state.counters.count(kind, between: verdict.policyDigest, and: answer.policyDigest)
            guard kind != nil else { return false }
            guard state.limit.admits(at: request.time) else {
                state.counters.overLimit += 1
                return false
            }
            return true
        }
        guard isTold, let kind else { return }
        sink(
            ShadowDisagreement(
                kind: kind, id: decision.id, request: request, active: decision.explain(),
                candidate: other.explain(request), decisionMaker: decision.policy.decisionMaker,
                table: DecisionReceipt.Table(decision)))
    }
}
