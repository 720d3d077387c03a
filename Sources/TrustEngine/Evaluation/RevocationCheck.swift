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
    /// Nil without evidence; then no answer is given.
    private var judge: RevocationJudge?
    /// Nil where the request has no filters.
    private var filters: FilterJudge?
    /// The decisions about the certificates of the last path, for a trace. Empty where the
    /// evaluation is not traced.
    private var standings: [Standing] = []

    /// The decision about the certificate at a position of a path.
    private struct Standing {
        let position: Int
        let decision: RevocationDecision
        let answers: [RevocationAnswer]
    }

    init(
        engine: Engine, demands: Demands, validator: PathValidator, evidence: RevocationEvidence,
        filters: FilterSource?
    ) {
        self.demands = demands
        self.pool = validator.pool
        guard !evidence.isEmpty || filters != nil else { return }
        let parameters = demands.evidenceParameters(validator.parameters)
        let requirement = demands.requirements.revocation
        self.filters = filters.map {
            FilterJudge(
                $0, time: parameters.time, clockSkew: parameters.clockSkew,
                maximumAge: requirement.crliteMaximumAge, grace: requirement.crliteGrace)
        }
        guard !evidence.isEmpty else { return }
        self.judge = RevocationJudge(
            evidence: evidence, pool: validator.pool, parameters: parameters,
            revoking: Demands.revokingParameters(parameters),
            window: EvidenceWindow(
                time: parameters.time, clockSkew: parameters.clockSkew,
                maximumAge: requirement.maximumAge),
            minimumHash: engine.overrides.evidenceMinimumHash ?? parameters.minimumHash,
            crypto: engine.crypto)
    }

    /// Judges one path.
    mutating func judge(
        _ path: CandidatePath, digests: inout PathDigests, transparency: inout TransparencyCheck,
        budget: inout WorkBudget, isTraced: Bool
    ) -> Judgement {
        standings = []
        var consequences = Consequences()
        do throws(WorkExhausted) {
            for position in 0..<path.count {
                guard let role = role(at: position, of: path) else { continue }
                var answers = try answers(about: position, role, on: path, &budget)
                if role == .endEntity, filters != nil {
                    answers += try filterAnswers(on: path, &digests, &transparency, &budget)
                }
                let standing = Standing(
                    position: position,
                    decision: RevocationDecision.of(
                        path.certificate(at: position, in: pool), at: role, answers: answers,
                        under: demands.requirements.revocation),
                    answers: answers)
                add(standing, on: path, to: &consequences, &digests)
                if isTraced { standings.append(standing) }
            }
        } catch {
            return Judgement(outcome: .failed([.budgetExhausted(limit: budget.limit)]))
        }
        if !consequences.rejecting.isEmpty {
            return Judgement(outcome: .failed(consequences.rejecting), wanted: consequences.wanted)
        }
        return Judgement(
            outcome: consequences.reported.isEmpty
                ? .passed(nil) : .tolerated(consequences.reported),
            wanted: consequences.wanted)
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

    /// The role of the certificate at a position; nil for a position that is not asked about.
    /// Evidence that says *revoked* counts for every certificate below the anchor. An anchor is
    /// asked about only when the scope is `chain` and the anchor is of kind intermediate.
    private func role(
        at position: Int, of path: CandidatePath
    ) -> RevocationDecision.Role? {
        if position == 0 { return .endEntity }
        guard position == path.count - 1 else { return .intermediate }
        guard demands.requirements.revocation.scope == .chain, case .anchor(let index) = path.end,
            pool.anchors.anchors[index].kind == .intermediate
        else { return nil }
        return .intermediateAnchor
    }

    /// The answers about one certificate. Where its issuer is not on the path, evidence about it
    /// counts as not supplied (LANGUAGE section 8).
    private mutating func answers(
        about position: Int, _ role: RevocationDecision.Role, on path: CandidatePath,
        _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> [RevocationAnswer] {
        if role == .intermediateAnchor, case .anchor(let index) = path.end {
            return try judge?.answers(aboutAnchor: index, budget: &budget) ?? []
        }
        return try judge?.answers(about: position, on: path, budget: &budget) ?? []
    }

    /// The answers of filters about the end entity. Filters are asked by the issuer's key, so that
    /// they are not asked where the issuer is not on the path, or where no anchor vouches for it.
    /// They are asked under every rule: *revoked* counts whatever the rule demands. A rule that
    /// does not ask for filters need not know why they do not say *good*.
    private mutating func filterAnswers(
        on path: CandidatePath, _ digests: inout PathDigests,
        _ transparency: inout TransparencyCheck, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> [RevocationAnswer] {
        guard var judge = filters, path.endsAtAnchor, path.count > 1 else { return [] }
        let timestamps = try transparency.countedTimestamps(budget: &budget)
        let list = transparency
        let answers = try judge.answers(
            about: path.certificate(at: 0, in: pool),
            issuerKey: digests.digest(.key, at: 1, of: path), timestamps,
            logName: { list.logName($0) }, budget: &budget)
        filters = judge
        guard !demands.requirements.revocation.asksFilters else { return answers }
        return answers.filter { $0.isRevoked || $0.finding == .good }
    }

    // MARK: What follows

    /// The consequences of the decisions about a path's certificates.
    private struct Consequences {
        var rejecting: [Violation] = []
        var reported: [Reported] = []
        var wanted: [WantedEvidence] = []

        mutating func add(_ violation: consuming Violation, _ excuse: Reported.Reason?) {
            if let excuse {
                // Most often there is one for each certificate below the anchor.
                if reported.isEmpty { reported.reserveCapacity(2) }
                reported.append(Reported(violation: violation, reason: excuse))
            } else {
                rejecting.append(violation)
            }
        }
    }

    /// Adds what follows from one decision.
    private func add(
        _ standing: Standing, on path: CandidatePath, to consequences: inout Consequences,
        _ digests: inout PathDigests
    ) {
        var reference: CertificateReference {
            path.reference(at: standing.position, in: pool)
        }
        var waiver: Reported.Reason? {
            demands.waiver(of: .revocation).map { .waived(until: $0.until) }
        }
        let certificate = path.certificate(at: standing.position, in: pool)
        switch standing.decision {
        case .notDemanded, .shortLived, .good, .undetermined(_, .pass): break
        // `report-only` never covers a revoked certificate.
        case .revoked(let answer): consequences.add(.revoked(reference, answer), waiver)
        case .undetermined(let cause, let action):
            consequences.add(
                Violation(undetermined: reference, cause: cause, answers: standing.answers),
                action == .fail ? demands.excuse(of: .revocation) : .reportOnly(until: nil))
            addWanted(
                for: certificate, at: standing.position, on: path, to: &consequences.wanted,
                &digests)
        }
        // The certificate itself demands a staple, and this demand holds under every rule.
        // `report-only` covers only what a rule adds, so it does not cover this demand.
        if standing.position == 0,
            RevocationDecision.lacksStaple(certificate, answers: standing.answers)
        {
            consequences.add(.stapleMissing(reference, answers: standing.answers), waiver)
        }
    }

    /// Adds the URLs at which evidence about a certificate can be fetched, in the rule's order of
    /// sources.
    private func addWanted(
        for certificate: Certificate, at position: Int, on path: CandidatePath,
        to wanted: inout [WantedEvidence], _ digests: inout PathDigests
    ) {
        guard path.endsAtAnchor, position + 1 < path.count else { return }
        let issuer = path.certificate(at: position + 1, in: pool)
        let der = certificate.der
        let bytes = der.span
        let network = demands.requirements.revocation.network
        for source in demands.requirements.revocation.sources {
            var urls = EvidenceURLReader(
                source, of: certificate, atMost: RevocationCheck.maximumURLs)
            while let url = urls.next(in: bytes) {
                let key = digests.digest(.key, at: position + 1, of: path)
                if wanted.isEmpty { wanted.reserveCapacity(4) }
                wanted.append(
                    WantedEvidence(
                        source: source, url: url, in: certificate, issuer: issuer, issuerKey: key,
                        network: network))
            }
        }
    }

    /// Most URLs of one source that are listed for one certificate. A fetcher asks fewer.
    private static let maximumURLs = 4
}
