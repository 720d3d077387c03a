public import TrustEngine

/// Evaluates a candidate policy beside the active policy, on the same requests. The active policy
/// gives the verdict. The sink is told of each request on which the two disagree.
///
///     let shadow = ShadowStore(active: store, candidate: next) { disagreement in
///         log(disagreement)
///     }
///     let verdict = shadow.evaluate(request)
///
/// The verdict is always the active policy's. The candidate is evaluated after that verdict is
/// known, and neither its verdict nor its absence changes anything. A candidate always has an
/// enforced policy beside it. A demand that is only reported is written in the policy, with its end
/// (`report-only`).
///
/// The candidate costs each compared request a second evaluation, on the calling thread unless
/// `beside` moves the work elsewhere. A disagreement that is told costs two more evaluations, for
/// the explanations. Counting takes a lock for a few instructions, after the verdict.
public final class ShadowStore<Active: VerdictSource, Candidate: VerdictSource>: Sendable {
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
        public var beside: @Sendable (@escaping @Sendable () -> Void) -> Void

        /// Makes a configuration. By default every request is compared, by its verdict and
        /// violations, in place, and the sink is told of 60 disagreements a minute.
        public init(
            level: ShadowLevel = .violations, comparesOneIn: UInt32 = 1, seed: [UInt8] = [],
            perMinute: Int = 60,
            beside: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
        ) {
            self.level = level
            self.comparesOneIn = comparesOneIn
            self.seed = seed
            self.perMinute = perMinute
            self.beside = beside
        }
    }

    private struct State {
        var limit: EmissionLimit
        var counters = ShadowCounters()
    }

    /// The policy in force.
    public let active: Active
    /// The candidate; nil when there is none.
    public let candidate: Candidate?
    private let configuration: Configuration
    private let sampling: ReceiptSampling
    private let sink: @Sendable (ShadowDisagreement) -> Void
    private let state: Monitor<State>

    /// Makes a store with a candidate beside an active policy.
    ///
    /// - Parameters:
    ///   - active: the policy whose verdicts are given back.
    ///   - candidate: nil when it could not be loaded, for example. Then nothing is compared, and
    ///     the counters say so.
    ///   - configuration: which requests are compared, and how.
    ///   - sink: is told of disagreements, after the active verdict is known. It must not wait.
    public init(
        active: Active, candidate: Candidate?, configuration: Configuration = Configuration(),
        sink: @escaping @Sendable (ShadowDisagreement) -> Void = { _ in }
    ) {
        self.active = active
        self.candidate = candidate
        self.configuration = configuration
        self.sampling = ReceiptSampling(seed: configuration.seed)
        self.sink = sink
        self.state = Monitor(State(limit: EmissionLimit(perMinute: configuration.perMinute)))
    }

    /// The outcome of the comparisons so far, for the two policies that are in force now. The
    /// comparison counts begin again when either policy changes its meaning.
    public var counters: ShadowCounters { state.withLock { $0.counters } }

    /// The active policy's verdict. The candidate's verdict is compared with it.
    public func evaluate(_ request: TrustRequest) -> Verdict {
        let policy = active.snapshot
        let verdict = policy.engine.evaluate(request)
        observe(verdict, of: request, by: policy)
        return verdict
    }

    /// Compares the candidate's verdict with a verdict that the active policy gave elsewhere.
    public func observe(
        _ verdict: Verdict, of request: TrustRequest, by policy: Active.Snapshot
    ) {
        guard isCompared(request, policy.engine) else { return }
        configuration.beside { [self] in compare(verdict, policy, request) }
    }

    private func isCompared(_ request: TrustRequest, _ engine: Engine) -> Bool {
        guard candidate != nil else {
            state.withLock { $0.counters.withoutCandidate += 1 }
            return false
        }
        let isChosen = ReceiptSampling.chooses(
            sampling.draw(request, engine.crypto), oneIn: configuration.comparesOneIn)
        if !isChosen { state.withLock { $0.counters.passedOver += 1 } }
        return isChosen
    }

    private func compare(
        _ verdict: Verdict, _ policy: Active.Snapshot, _ request: TrustRequest
    ) {
        guard let other = candidate?.snapshot.engine else { return }
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
                kind: kind, id: DecisionID(verdict, of: request, by: policy), request: request,
                active: policy.engine.explain(request),
                candidate: other.explain(request), decider: policy.decider,
                table: DecisionReceipt.Table(verdict, policy)))
    }
}
