public import TrustEngine

/// A verdict, with the evidence that was fetched for it.
public struct FetchedVerdict: Sendable {
    /// The last verdict.
    public let verdict: Verdict
    /// The request that the verdict answers: the given request with all the evidence that it was
    /// judged by.
    public let request: TrustRequest
    /// All attempts, in order.
    public let attempts: [FetchAttempt]
    /// The policy that gave the verdict, for receipts and reports. A store may have another policy
    /// in force by now: its epoch then differs from the epoch in `policy.decider`.
    public let policy: FixedPolicy
}

/// One attempt to get a piece of evidence.
public struct FetchAttempt: Sendable {
    /// How an attempt ended.
    public enum Outcome: Sendable {
        /// The evidence was kept from before.
        case kept(PreparedEvidence)
        /// The evidence was fetched from the network.
        case fetched(PreparedEvidence)
        /// The attempt failed.
        case failed(FetchFailure)
    }

    /// The evidence that the verdict wanted.
    public let wanted: WantedEvidence
    /// How the attempt ended.
    public let outcome: Outcome

    /// The evidence; nil when the attempt failed.
    public var evidence: PreparedEvidence? {
        switch outcome {
        case .kept(let evidence), .fetched(let evidence): return evidence
        case .failed: return nil
        }
    }
}

extension EvidenceFetcher {
    /// Who decides whether evidence may be fetched.
    public enum Permission: Hashable, Sendable {
        /// The rule decides: `revocation.network`.
        case policy
        /// The caller decides, whatever the rule says. This is for a person who asked for it, as on
        /// a command line.
        case caller
    }

    /// Evaluates a request, fetches the evidence that the verdict wants and that may be fetched,
    /// and evaluates again with the same time. Evidence is fetched at most three times for a
    /// request. The policy that is in force at the call gives every verdict, also where a store
    /// puts another one in force while evidence is fetched.
    ///
    /// When fetching is permitted as `wait`, the call blocks for at most
    /// `FetchLimits.timePerRequest`. Otherwise the call blocks only to read evidence from the
    /// folder. Evidence that cannot be had changes nothing: the rule says what follows.
    public func evaluateFetching(
        _ request: TrustRequest, by policy: some PolicyInForce, permission: Permission = .policy
    ) -> FetchedVerdict {
        evaluateWaiting(request, by: FixedPolicy(policy), permission: permission)
    }

    /// Does the work of `evaluateFetching`. The name differs, so that no asynchronous function has
    /// the same name.
    func evaluateWaiting(
        _ request: TrustRequest, by policy: FixedPolicy, permission: Permission
    ) -> FetchedVerdict {
        evaluate(request, by: policy, permission, .asked).verdict
    }

    /// The verdict with the evidence that is kept. `isFinal` is false when a fetch from the network
    /// could change the verdict.
    func evaluateKept(
        _ request: TrustRequest, by policy: FixedPolicy, permission: Permission
    ) -> (verdict: FetchedVerdict, isFinal: Bool) {
        evaluate(request, by: policy, permission, .left)
    }

    private func evaluate(
        _ request: TrustRequest, by policy: FixedPolicy, _ permission: Permission,
        _ network: FetchRounds.Network
    ) -> (verdict: FetchedVerdict, isFinal: Bool) {
        let engine = policy.engine
        var rounds = FetchRounds(
            fetcher: self, crypto: engine.crypto, permission: permission, network: network,
            budget: Budget(
                deadline: Deadline(in: limits.timePerRequest), octets: limits.octetsPerRequest))
        var request = request
        var verdict = engine.evaluate(request)
        for _ in 0..<EvidenceFetcher.maximumRounds {
            let found = rounds.fetch(verdict.wanted)
            guard !found.isEmpty else { break }
            request.evidence.prepared += found
            verdict = engine.evaluate(request)
        }
        return (
            FetchedVerdict(
                verdict: verdict, request: request, attempts: rounds.attempts, policy: policy),
            !rounds.hasLeftSomething
        )
    }

    /// How often evidence is fetched for one request (LANGUAGE section 12.4).
    private static let maximumRounds = 3
}

/// The rounds of one request.
private struct FetchRounds {
    /// Whether evidence is fetched from the network where that is permitted.
    enum Network {
        case asked
        case left
    }

    let fetcher: EvidenceFetcher
    /// The backend of the engine that wants the evidence.
    let crypto: any CryptoBackend
    let permission: EvidenceFetcher.Permission
    let network: Network
    var budget: EvidenceFetcher.Budget
    private(set) var attempts: [FetchAttempt] = []
    /// Whether evidence was not asked for that could perhaps be had.
    private(set) var hasLeftSomething = false
    /// Digests of the evidence that the request has already.
    private var handedOver: Set<Digest> = []
    /// The needs that were tried, and whether the evidence was kept from before.
    private var tried: [Digest: EvidenceFetcher.Origin] = [:]
    /// The outcome of each need in this round.
    private var round: [Digest: PreparedEvidence?] = [:]
    /// Number of exchanges for each certificate, by its octets.
    private var exchanges: [[UInt8]: Int] = [:]

    init(
        fetcher: EvidenceFetcher, crypto: any CryptoBackend,
        permission: EvidenceFetcher.Permission, network: Network, budget: EvidenceFetcher.Budget
    ) {
        self.fetcher = fetcher
        self.crypto = crypto
        self.permission = permission
        self.network = network
        self.budget = budget
    }

    /// Gets new evidence for the wanted pieces: for each certificate the first piece that can be
    /// had, in the rule's order of sources. The next round finds out whether that was enough.
    mutating func fetch(_ wanted: [WantedEvidence]) -> [PreparedEvidence] {
        round = [:]
        var found: [PreparedEvidence] = []
        var served: Set<[UInt8]> = []
        for piece in wanted where !served.contains(piece.certificate.der) {
            guard let evidence = fetch(piece) else { continue }
            served.insert(piece.certificate.der)
            if handedOver.insert(evidence.digest).inserted { found.append(evidence) }
        }
        return found
    }

    private mutating func fetch(_ wanted: WantedEvidence) -> PreparedEvidence? {
        let permitted = permission == .caller ? .wait : wanted.network
        guard permitted != .never else { return nil }
        let need: EvidenceNeed
        do throws(FetchFailure) {
            need = try EvidenceNeed(wanted, ports: fetcher.permissions.ports, crypto: crypto)
        } catch {
            if !attempts.contains(where: { $0.wanted == wanted }) { record(wanted, .failed(error)) }
            return nil
        }
        // One CRL may serve several certificates.
        if let known = round[need.key] { return known }
        let evidence = fetch(need, permitted)
        round[need.key] = .some(evidence)
        return evidence
    }

    private mutating func fetch(
        _ need: EvidenceNeed, _ permitted: RevocationNetwork
    ) -> PreparedEvidence? {
        let origin = tried[need.key]
        if origin == nil, let evidence = fetcher.kept(need) {
            tried[need.key] = .kept
            record(need.wanted, .kept(evidence))
            return evidence
        }
        // Kept evidence that did not satisfy is asked for again. Evidence that was asked for
        // already is not.
        guard origin != .fetched else { return nil }
        tried[need.key] = .fetched
        guard permitted == .wait else {
            fetcher.cache.withLock { $0.postpone(need) }
            return nil
        }
        guard network == .asked else {
            hasLeftSomething = true
            return nil
        }
        let certificate = need.wanted.certificate.der
        guard exchanges[certificate, default: 0] < fetcher.limits.urlsPerCertificate else {
            return nil
        }
        exchanges[certificate, default: 0] += 1
        do throws(FetchFailure) {
            let (evidence, origin) = try fetcher.obtain(
                need, origin == nil ? .kept : .anew, &budget)
            record(need.wanted, origin == .kept ? .kept(evidence) : .fetched(evidence))
            return evidence
        } catch {
            record(need.wanted, .failed(error))
            return nil
        }
    }

    private mutating func record(_ wanted: WantedEvidence, _ outcome: FetchAttempt.Outcome) {
        attempts.append(FetchAttempt(wanted: wanted, outcome: outcome))
    }
}
