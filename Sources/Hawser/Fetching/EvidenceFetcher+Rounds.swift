public import TrustEngine

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
    /// A verdict, with the evidence that was fetched for it.
    struct Answer: Sendable {
        /// The last verdict.
        let verdict: Verdict
        /// The given request with all the evidence that it was judged by.
        let request: TrustRequest
        /// All attempts, in order.
        let attempts: [FetchAttempt]
    }

    /// Evaluates a request, fetches the evidence that the verdict wants and that may be fetched,
    /// and evaluates again with the same time. Evidence is fetched at most three times for a
    /// request. One engine gives every verdict.
    ///
    /// When fetching is permitted as `wait`, the call blocks for at most
    /// `FetchLimits.timePerRequest`. Otherwise the call blocks only to read evidence from the
    /// folder. Evidence that cannot be had changes nothing: the rule says what follows.
    func evaluateWaiting(_ request: TrustRequest, by engine: Engine) -> Answer {
        evaluate(request, by: engine, .asked).answer
    }

    /// The verdict with the evidence that is kept. `isFinal` is false when a fetch from the network
    /// could change the verdict.
    func evaluateKept(
        _ request: TrustRequest, by engine: Engine
    ) -> (answer: Answer, isFinal: Bool) {
        evaluate(request, by: engine, .left)
    }

    private func evaluate(
        _ request: TrustRequest, by engine: Engine, _ network: FetchRounds.Network
    ) -> (answer: Answer, isFinal: Bool) {
        var rounds = FetchRounds(
            fetcher: self, crypto: engine.crypto, network: network,
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
            Answer(verdict: verdict, request: request, attempts: rounds.attempts),
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
        network: Network, budget: EvidenceFetcher.Budget
    ) {
        self.fetcher = fetcher
        self.crypto = crypto
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
        let permitted: RevocationNetwork
        switch fetcher.permissions.consent {
        case .policy: permitted = wanted.network
        case .caller: permitted = .wait
        }
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
