public import TrustEngine

/// A candidate policy beside the one in force: the same requests, the active verdict, and word of
/// every request on which the two are not of one mind.
///
///     let shadow = ShadowStore(active: store, candidate: next) { disagreement in
///         log(disagreement)
///     }
///     let verdict = shadow.evaluate(request)
///
/// The verdict is the active policy's, always: the candidate is asked after it is known, and
/// neither what it answers nor that there is none changes anything. There is no way to have a
/// candidate without an enforced policy beside it; what is to be reported and not enforced is
/// written in the policy, with an end (`report-only`).
///
/// The candidate costs each compared request a second evaluation, on the thread that asks unless
/// `beside` hands it on. The counting takes a lock for a few instructions, after the verdict.
public final class ShadowStore<Active: VerdictSource, Candidate: VerdictSource>: Sendable {
    /// How and what is compared.
    public struct Configuration: Sendable {
        /// How far two verdicts have to agree.
        public var level: ShadowLevel
        /// Of so many requests one is compared; 1 for each. Chosen by the request, so that replicas
        /// compare the same ones.
        public var comparesOneIn: UInt32
        /// What that choice depends on besides the request.
        public var seed: [UInt8]
        /// Most disagreements that are handed to the sink in a minute; more are counted.
        public var perMinute: Int
        /// Runs the comparison: in place, or wherever it hands the work to.
        public var beside: @Sendable (@escaping @Sendable () -> Void) -> Void

        /// A configuration; by default every request is compared by its verdict and violations, in
        /// place, and 60 disagreements a minute are told.
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
    /// The candidate; nil where there is none.
    public let candidate: Candidate?
    private let configuration: Configuration
    private let sampling: ReceiptSampling
    private let sink: @Sendable (ShadowDisagreement) -> Void
    private let state: Monitor<State>

    /// A candidate beside an active policy. Where it is nil, as it could not be loaded, nothing is
    /// compared, and the counters say so. The sink is told of disagreements after the active
    /// verdict is known; it must not wait.
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

    /// What was compared so far, under the two policies that are in force now; begins anew when
    /// either changes its meaning.
    public var counters: ShadowCounters { state.withLock { $0.counters } }

    /// The active policy's verdict; the candidate's is compared with it.
    public func evaluate(_ request: TrustRequest) -> Verdict {
        let policy = active.snapshot
        let verdict = policy.engine.evaluate(request)
        observe(verdict, of: request, by: policy)
        return verdict
    }

    /// Compares the candidate's verdict with one that the active policy gave elsewhere.
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
                kind: kind, request: request,
                active: policy.engine.explain(request),
                candidate: other.explain(request)))
    }
}
