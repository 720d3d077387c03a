public import TrustEngine

/// A verdict, with the evidence that was fetched for it.
public struct FetchedVerdict: Sendable {
    /// The last verdict.
    public let verdict: Verdict
    /// The request that it answers: the one given, with all the evidence that it was judged by.
    public let request: TrustRequest
    /// Everything that was tried, in order.
    public let attempts: [FetchAttempt]
}

/// One try at a piece of evidence.
public struct FetchAttempt: Sendable {
    /// How it ended.
    public enum Outcome: Sendable {
        /// It was kept from before.
        case kept(PreparedEvidence)
        /// It came over the network.
        case fetched(PreparedEvidence)
        /// It could not be had.
        case failed(FetchFailure)
    }

    /// What was wanted.
    public let wanted: WantedEvidence
    /// How it ended.
    public let outcome: Outcome

    /// The evidence, if there is any.
    public var evidence: PreparedEvidence? {
        switch outcome {
        case .kept(let evidence), .fetched(let evidence): return evidence
        case .failed: return nil
        }
    }
}

extension EvidenceFetcher {
    /// Whose word on fetching holds.
    public enum Permission: Hashable, Sendable {
        /// The rule's: `revocation.network`.
        case policy
        /// That of somebody who asked for it, as on a command line, whatever the rule says.
        case caller
    }

    /// Evaluates; fetches what the verdict wants, as far as may be; and evaluates again with the
    /// same time, at most three times.
    ///
    /// Blocks under `wait` for at most `FetchLimits.timePerRequest`, else not at all but for
    /// evidence that is read from the folder. Whatever cannot be had changes nothing: the rule says
    /// what follows.
    public func evaluateFetching(
        _ request: TrustRequest, with engine: Engine, permission: Permission = .policy
    ) -> FetchedVerdict {
        evaluateWaiting(request, with: engine, permission: permission)
    }

    /// What `evaluateFetching` does, by a name that is not also an asynchronous one's.
    func evaluateWaiting(
        _ request: TrustRequest, with engine: Engine, permission: Permission
    ) -> FetchedVerdict {
        evaluate(request, with: engine, permission, .asked).verdict
    }

    /// The verdict with what is kept, and whether asking the network could change it.
    func evaluateKept(
        _ request: TrustRequest, with engine: Engine, permission: Permission
    ) -> (verdict: FetchedVerdict, isFinal: Bool) {
        evaluate(request, with: engine, permission, .left)
    }

    private func evaluate(
        _ request: TrustRequest, with engine: Engine, _ permission: Permission,
        _ network: FetchRounds.Network
    ) -> (verdict: FetchedVerdict, isFinal: Bool) {
        var rounds = FetchRounds(
            fetcher: self, permission: permission, network: network,
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
            FetchedVerdict(verdict: verdict, request: request, attempts: rounds.attempts),
            !rounds.hasLeftSomething
        )
    }

    /// Times that evidence is fetched for one request (LANGUAGE section 12.4).
    private static let maximumRounds = 3
}

/// The rounds of one request.
private struct FetchRounds {
    /// Whether the network is asked where it may be.
    enum Network {
        case asked
        case left
    }

    let fetcher: EvidenceFetcher
    let permission: EvidenceFetcher.Permission
    let network: Network
    var budget: EvidenceFetcher.Budget
    private(set) var attempts: [FetchAttempt] = []
    /// Whether something was not asked for that might have been had.
    private(set) var hasLeftSomething = false
    /// What the request has already.
    private var handedOver: Set<Digest> = []
    /// What was tried, and whether that was evidence kept from before.
    private var tried: [Digest: EvidenceFetcher.Origin] = [:]
    /// What this round has come to so far.
    private var round: [Digest: PreparedEvidence?] = [:]
    /// Exchanges for each certificate, by its octets.
    private var exchanges: [[UInt8]: Int] = [:]

    init(
        fetcher: EvidenceFetcher, permission: EvidenceFetcher.Permission, network: Network,
        budget: EvidenceFetcher.Budget
    ) {
        self.fetcher = fetcher
        self.permission = permission
        self.network = network
        self.budget = budget
    }

    /// New evidence for what is wanted: for each certificate the first piece that can be had, in
    /// the rule's order of sources. The next round sees whether that was enough.
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
            need = try EvidenceNeed(
                wanted, ports: fetcher.permissions.ports, crypto: fetcher.crypto)
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
        // What was kept and did not satisfy is asked for again; what was asked for is not.
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
