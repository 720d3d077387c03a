/// Revocation on one candidate path whose signatures verify: asks the judge about every certificate that
/// counts, decides by the rule, and lists what would help (LANGUAGE sections 8 and 12.4).
struct RevocationCheck {
    /// What the check came to.
    struct Finding {
        let outcome: CheckStep.Outcome
        var wanted: [WantedEvidence] = []
    }

    private let demands: Demands
    private let pool: CertificatePool
    private let crypto: any CryptoBackend
    private var judge: RevocationJudge
    /// What the last path came to, for a trace.
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

    /// Judges a path.
    mutating func judge(_ path: CandidatePath, budget: inout WorkBudget) -> Finding {
        standings = []
        do throws(WorkExhausted) {
            for (position, place) in places(of: path) {
                let answers = try answers(about: position, place, on: path, &budget)
                standings.append(
                    (
                        position,
                        RevocationDecision.of(
                            path.certificate(at: position, in: pool), at: place, answers: answers,
                            under: demands.requirements.revocation),
                        answers
                    ))
            }
        } catch {
            return Finding(outcome: .failed([.budgetExhausted(limit: budget.limit)]))
        }
        return finding(path)
    }

    /// What made the last path pass, as a trace shows it.
    func passed(_ path: CandidatePath) -> CheckStep.Passed? {
        let shown = standings.compactMap { standing -> RevocationStanding? in
            let reference = path.reference(at: standing.position, in: pool)
            let finding: RevocationStanding.Finding
            switch standing.decision {
            case .good(let source): finding = .good(source)
            case .shortLived: finding = .shortLived
            case .undetermined(let cause, _): finding = .letPass(cause)
            case .notDemanded, .revoked: return nil
            }
            return RevocationStanding(
                certificate: reference, finding: finding, answers: standing.answers)
        }
        return shown.isEmpty ? nil : .revocation(shown)
    }

    // MARK: Which certificates

    /// The certificates that are asked about, each with its place. `revoked` counts for all below the
    /// anchor; an anchor is asked about only when the scope is `chain` and somebody issued it.
    private func places(of path: CandidatePath) -> [(Int, RevocationDecision.Place)] {
        var places: [(Int, RevocationDecision.Place)] = [(0, .endEntity)]
        guard path.count > 1 else { return places }
        for position in 1..<path.count - 1 { places.append((position, .intermediate)) }
        if demands.requirements.revocation.scope == .chain, case .anchor(let index) = path.end,
            pool.anchors.anchors[index].kind == .intermediate
        {
            places.append((path.count - 1, .intermediateAnchor))
        }
        return places
    }

    /// Where the issuer is not on the path, evidence counts as not supplied (LANGUAGE section 8).
    private mutating func answers(
        about position: Int, _ place: RevocationDecision.Place, on path: CandidatePath,
        _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> [RevocationAnswer] {
        if place == .intermediateAnchor, case .anchor(let index) = path.end {
            return try judge.answers(aboutAnchor: index, budget: &budget)
        }
        return try judge.answers(about: position, on: path, budget: &budget)
    }

    // MARK: What follows

    private func finding(_ path: CandidatePath) -> Finding {
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
            // Report-only never covers it.
            case .revoked(let answer): add(.revoked(reference(), answer), waiver)
            case .undetermined(let cause, let action):
                add(
                    .revocationUndetermined(reference(), cause: cause, answers: standing.answers),
                    action == .fail ? demands.excuse(of: .revocation) : .reportOnly(until: nil))
                wanted += self.wanted(for: certificate, at: standing.position, on: path)
            }
            // What a certificate demands of itself holds whatever the rule says, so report-only, which
            // covers what a rule adds, does not cover it.
            if standing.position == 0,
                RevocationDecision.lacksStaple(certificate, answers: standing.answers)
            {
                add(.stapleMissing(reference(), answers: standing.answers), waiver)
            }
        }
        if !rejecting.isEmpty { return Finding(outcome: .failed(rejecting), wanted: wanted) }
        return Finding(
            outcome: reported.isEmpty ? .passed(nil) : .tolerated(reported), wanted: wanted)
    }

    /// Where evidence about a certificate is to be had, in the rule's order of sources.
    private func wanted(
        for certificate: Certificate, at position: Int, on path: CandidatePath
    ) -> [WantedEvidence] {
        guard path.endsAtAnchor, position + 1 < path.count else { return [] }
        let issuer = path.certificate(at: position + 1, in: pool)
        let requirement = demands.requirements.revocation
        let places = requirement.sources.flatMap { source in
            certificate.evidenceURLs(source, atMost: RevocationCheck.maximumURLs)
                .map { (source: source, url: $0) }
        }
        guard !places.isEmpty else { return [] }
        let spki = issuer.der.span.extracting(issuer.layout.publicKey.spki.indices)
        let issuerKey = crypto.digest(.sha256, of: spki)
        return places.map {
            WantedEvidence(
                source: $0.source, url: $0.url, certificate: certificate, issuer: issuer,
                issuerKey: issuerKey, network: requirement.network)
        }
    }

    /// URLs of one kind that are listed for a certificate; a fetcher asks fewer.
    private static let maximumURLs = 4
}
