/// Judges revocation on one candidate path whose signatures verify. It asks `RevocationJudge` about
/// each certificate in scope, decides by the rule, and lists the evidence that is missing (LANGUAGE
/// sections 8 and 12.4).
struct RevocationCheck {
    /// The outcome of the check, with the evidence that it lacked.
    struct Judgement {
        let outcome: CheckStep.Outcome
        var wanted: [WantedEvidence] = []
    }

    private let demands: Demands
    private let pool: CertificatePool
    private let crypto: any CryptoBackend
    private var judge: RevocationJudge
    /// The decisions about the certificates of the last path, for a trace.
    private var standings:
        [(position: Int, decision: RevocationDecision, answers: [RevocationAnswer])] =
            []

    init(
        engine: Engine, demands: Demands, validator: PathValidator, evidence: RevocationEvidence
    ) {
        let parameters = demands.evidenceParameters(validator.parameters)
        self.demands = demands
        self.pool = validator.pool
        self.crypto = engine.crypto
        self.judge = RevocationJudge(
            evidence: evidence, pool: validator.pool, parameters: parameters,
            revoking: Demands.revokingParameters(parameters),
            window: EvidenceWindow(
                time: parameters.time, clockSkew: parameters.clockSkew,
                maximumAge: demands.requirements.revocation.maximumAge),
            minimumHash: engine.overrides.evidenceMinimumHash ?? parameters.minimumHash,
            crypto: engine.crypto)
    }

    /// Judges one path.
    mutating func judge(_ path: CandidatePath, budget: inout WorkBudget) -> Judgement {
        standings = []
        do throws(WorkExhausted) {
            for (position, role) in askedPositions(of: path) {
                let answers = try answers(about: position, role, on: path, &budget)
                standings.append(
                    (
                        position,
                        RevocationDecision.of(
                            path.certificate(at: position, in: pool), at: role, answers: answers,
                            under: demands.requirements.revocation),
                        answers
                    ))
            }
        } catch {
            return Judgement(outcome: .failed([.budgetExhausted(limit: budget.limit)]))
        }
        return judgement(path)
    }

    /// Why the last path passed, as a trace shows it; nil when there is nothing to show.
    func passed(_ path: CandidatePath) -> CheckStep.Passed? {
        let shown = standings.compactMap { standing -> RevocationStanding? in
            let reference = path.reference(at: standing.position, in: pool)
            let reason: RevocationStanding.Finding
            switch standing.decision {
            case .good(let source): reason = .good(source)
            case .shortLived: reason = .shortLived
            case .undetermined(let cause, _): reason = .letPass(cause)
            case .notDemanded, .revoked: return nil
            }
            return RevocationStanding(
                certificate: reference, finding: reason, answers: standing.answers)
        }
        return shown.isEmpty ? nil : .revocation(shown)
    }

    // MARK: Which certificates

    /// The positions that are asked about, each with its role. Evidence that says *revoked* counts
    /// for every certificate below the anchor. An anchor is asked about only when the scope is
    /// `chain` and the anchor is of kind intermediate.
    private func askedPositions(of path: CandidatePath) -> [(Int, RevocationDecision.Role)] {
        var positions: [(Int, RevocationDecision.Role)] = [(0, .endEntity)]
        guard path.count > 1 else { return positions }
        for position in 1..<path.count - 1 { positions.append((position, .intermediate)) }
        if demands.requirements.revocation.scope == .chain, case .anchor(let index) = path.end,
            pool.anchors.anchors[index].kind == .intermediate
        {
            positions.append((path.count - 1, .intermediateAnchor))
        }
        return positions
    }

    /// The answers about one certificate. Where its issuer is not on the path, evidence about it
    /// counts as not supplied (LANGUAGE section 8).
    private mutating func answers(
        about position: Int, _ role: RevocationDecision.Role, on path: CandidatePath,
        _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> [RevocationAnswer] {
        if role == .intermediateAnchor, case .anchor(let index) = path.end {
            return try judge.answers(aboutAnchor: index, budget: &budget)
        }
        return try judge.answers(about: position, on: path, budget: &budget)
    }

    // MARK: What follows

    private func judgement(_ path: CandidatePath) -> Judgement {
        var rejecting: [Violation] = []
        var reported: [Reported] = []
        var wanted: [WantedEvidence] = []
        let waiver = demands.waiver(of: .revocation).map {
            Reported.Reason.waived(until: $0.until)
        }
        func add(_ violation: Violation, _ excuse: Reported.Reason?) {
            if let excuse {
                reported.append(Reported(violation: violation, reason: excuse))
            } else {
                rejecting.append(violation)
            }
        }
        for standing in standings {
            let reference = { path.reference(at: standing.position, in: pool) }
            let certificate = path.certificate(at: standing.position, in: pool)
            switch standing.decision {
            case .notDemanded, .shortLived, .good, .undetermined(_, .pass): break
            // `report-only` never covers a revoked certificate.
            case .revoked(let answer): add(.revoked(reference(), answer), waiver)
            case .undetermined(let cause, let action):
                add(
                    .revocationUndetermined(reference(), cause: cause, answers: standing.answers),
                    action == .fail ? demands.excuse(of: .revocation) : .reportOnly(until: nil))
                wanted += self.wanted(for: certificate, at: standing.position, on: path)
            }
            // The certificate itself demands a staple, and this demand holds under every rule.
            // `report-only` covers only what a rule adds, so it does not cover this demand.
            if standing.position == 0,
                RevocationDecision.lacksStaple(certificate, answers: standing.answers)
            {
                add(.stapleMissing(reference(), answers: standing.answers), waiver)
            }
        }
        if !rejecting.isEmpty { return Judgement(outcome: .failed(rejecting), wanted: wanted) }
        return Judgement(
            outcome: reported.isEmpty ? .passed(nil) : .tolerated(reported), wanted: wanted)
    }

    /// The URLs at which evidence about a certificate can be fetched, in the rule's order of
    /// sources.
    private func wanted(
        for certificate: Certificate, at position: Int, on path: CandidatePath
    ) -> [WantedEvidence] {
        guard path.endsAtAnchor, position + 1 < path.count else { return [] }
        let issuer = path.certificate(at: position + 1, in: pool)
        let requirement = demands.requirements.revocation
        let endpoints = requirement.sources.flatMap { source in
            certificate.evidenceURLs(source, atMost: RevocationCheck.maximumURLs)
                .map { (source: source, url: $0) }
        }
        guard !endpoints.isEmpty else { return [] }
        let spki = issuer.der.span.extracting(issuer.layout.publicKey.spki.indices)
        let issuerKey = crypto.digest(.sha256, of: spki)
        return endpoints.map {
            WantedEvidence(
                source: $0.source, url: $0.url, certificate: certificate, issuer: issuer,
                issuerKey: issuerKey, network: requirement.network)
        }
    }

    /// Most URLs of one source that are listed for one certificate. A fetcher asks fewer.
    private static let maximumURLs = 4
}
