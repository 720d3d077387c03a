extension Trace {
    /// The verdict that follows from these steps. The function reads only the trace and does not
    /// run the evaluator.
    ///
    /// A whole trace gives the verdict that was recorded with it. A trace that lacks a step the
    /// verdict rests on, or whose steps contradict each other, gives a reject with `engine-error`.
    /// Cost: linear in the steps.
    public func replayedVerdict() -> Verdict {
        var replay = TraceReplay()
        for step in steps { replay.take(step) }
        return replay.verdict()
    }
}

/// The state of a replay: what the steps read so far say.
private struct TraceReplay {
    private struct PathRecord {
        let step: PathStep
        var outcomes: [Check: CheckStep] = [:]
    }

    private var engine: EngineStep?
    private var request: RequestStep?
    private var selected: [PatternStep] = []
    private var rule: RuleStep?
    private var certificates: [Int: CertificateStep.Status] = [:]
    /// The indices of the certificates that have a step of each kind that serves advice.
    private var advised: [String: Set<Int>] = [:]
    private var demands: [Check: DemandStep.Enforcement] = [:]
    private var order: [Check] = []
    private var requestOutcomes: [Check: CheckStep] = [:]
    private var paths: [PathRecord] = []
    private var search: SearchStep?
    private var contradiction: String?

    mutating func take(_ step: TraceStep) {
        switch step {
        case .engine(let step): engine = step
        case .request(let step): request = step
        case .pattern(let step): if step.outcome == .selected { selected.append(step) }
        case .rule(let step): rule = step
        case .certificate(let step): certificates[step.index] = step.status
        case .presentedKey(let key): advise(step, about: key.index)
        case .issuerAddresses(let named): advise(step, about: named.index, named.addresses.isEmpty)
        case .misplacedEndEntity(let found): advise(step, about: found.index, found.index == 0)
        case .demand(let step):
            if demands[step.check] != nil { contradict("\(step.check.rawValue) demanded twice") }
            demands[step.check] = step.enforcement
            order.append(step.check)
        case .path(let step):
            if step.number != paths.count + 1 { contradict("path \(step.number) out of order") }
            paths.append(PathRecord(step: step))
        case .check(let step): take(step)
        case .search(let step): search = step
        case .work: break
        }
    }

    private mutating func take(_ step: CheckStep) {
        guard let enforcement = demands[step.check] else {
            return contradict("\(step.check.rawValue) checked but not demanded")
        }
        if case .tolerated = step.outcome, enforcement == .enforced {
            contradict("\(step.check.rawValue) tolerated but enforced")
        }
        if step.path == 0 {
            if requestOutcomes.updateValue(step, forKey: step.check) != nil {
                contradict("\(step.check.rawValue) checked twice")
            }
        } else if step.path == paths.count, step.check.isAskedOfPaths {
            if paths[step.path - 1].outcomes.updateValue(step, forKey: step.check) != nil {
                contradict("\(step.check.rawValue) checked twice on path \(step.path)")
            }
        } else {
            contradict("\(step.check.rawValue) checked on path \(step.path)")
        }
    }

    /// Takes a step that serves advice: it is about a certificate that was read, and stands once.
    private mutating func advise(_ step: TraceStep, about index: Int, _ isVoid: Bool = false) {
        guard !isVoid, case .read? = certificates[index],
            advised[step.id, default: []].insert(index).inserted
        else { return contradict("\(step.id) of certificate \(index)") }
    }

    private mutating func contradict(_ what: String) {
        if contradiction == nil { contradiction = what }
    }

    // MARK: The verdict

    func verdict() -> Verdict {
        guard let engine else {
            // A trace without an engine step holds no digest. The zero digest belongs to no policy.
            return Verdict(
                outcome: .reject([.engineError("the trace does not say which engine judged")]),
                policyDigest: .zero, systemStoreDigest: nil)
        }
        let conclusion = outcome()
        return Verdict(
            outcome: conclusion.outcome, policyDigest: engine.policyDigest,
            systemStoreDigest: engine.systemStoreDigest, logListDigest: rule?.logListDigest,
            wanted: conclusion.wanted)
    }

    /// An outcome together with the evidence that could change it.
    private struct Conclusion {
        let outcome: Verdict.Outcome
        var wanted: [WantedEvidence] = []

        static func reject(_ violations: [Violation]) -> Conclusion {
            Conclusion(outcome: .reject(violations))
        }
    }

    private func incomplete(_ what: String) -> Conclusion {
        .reject([.engineError("the trace is not whole: \(what)")])
    }

    private func outcome() -> Conclusion {
        if let contradiction { return incomplete(contradiction) }
        guard let request else { return incomplete("no request") }
        if let problem = freshnessProblem(request) { return incomplete(problem) }
        guard let search else { return incomplete("no end of the search") }
        var failures: [Violation] = []
        var reported: [Reported] = []
        var notices: [Notice] = []
        for check in order where !check.isAskedOfPaths {
            guard let step = requestOutcomes[check] else {
                return incomplete("\(check.rawValue) not checked")
            }
            switch step.outcome {
            case .passed: break
            case .failed(let violations): failures += violations
            case .tolerated(let tolerated): reported += tolerated
            case .notAsked: return incomplete("\(check.rawValue) not asked")
            }
            notices += step.notices
        }
        if search.end == .notBegun {
            guard paths.isEmpty else { return incomplete("a search that never began") }
            return failures.isEmpty ? cleartext(reported, notices) : .reject(failures)
        }
        if requestOutcomes[.cleartext] != nil { return incomplete("a search without TLS") }
        for check in [Check.host, .rule, .endEntity, .tls, .evidence] where demands[check] == nil {
            return incomplete("\(check.rawValue) not demanded")
        }
        for check in [Check.host, .rule, .endEntity] {
            if case .failed = requestOutcomes[check]?.outcome {
                return incomplete("a search without \(check.rawValue)")
            }
        }
        if let problem = selectionProblem() { return incomplete(problem) }
        return searched(
            search, Known(failures: failures, reported: reported, notices: notices))
    }

    /// Accepts a connection without TLS if its host and rule are known, a waiver lets it through,
    /// and the trace has only the demands `host`, `rule` and `cleartext`, and maybe `freshness`.
    private func cleartext(_ reported: [Reported], _ notices: [Notice]) -> Conclusion {
        guard case .tolerated? = requestOutcomes[.cleartext]?.outcome else {
            return incomplete("a search that never began")
        }
        for check in [Check.host, .rule] where demands[check] == nil {
            return incomplete("\(check.rawValue) not demanded")
        }
        guard order.filter({ $0 != .freshness }).count == 3, request?.tls == .cleartext else {
            return incomplete("a connection without TLS of which more was asked")
        }
        if let problem = selectionProblem() { return incomplete(problem) }
        return Conclusion(
            outcome: .accept(Acceptance(path: [], reported: reported, notices: notices)))
    }

    /// Why the step about the table's freshness is missing or contradicts its dates; nil when it
    /// fits, and when the table cannot become stale.
    private func freshnessProblem(_ request: RequestStep) -> String? {
        let step = requestOutcomes[.freshness]
        guard let freshness = engine?.freshness else {
            return step == nil ? nil : "freshness of a table that is never stale"
        }
        let judged = freshness.judge(at: request.time)
        guard let step, step.outcome == judged.outcome, step.notices == judged.notices else {
            return "freshness is not what the dates say"
        }
        return nil
    }

    /// Why the rule is not the rule of the deciding pattern; nil when it is.
    private func selectionProblem() -> String? {
        guard let rule else { return "no rule" }
        switch rule.selection {
        case .pattern(let pattern):
            guard selected.count == 1, selected[0].pattern == pattern, selected[0].rule == rule.rule
            else { return "the rule's pattern was not selected" }
        case .defaultBody:
            guard selected.isEmpty, rule.rule.isEmpty else { return "a pattern beside the default" }
        case .defaultDeny: return "a search under `deny`"
        }
        return nil
    }

    /// What the steps say of the request itself.
    private struct Known {
        let failures: [Violation]
        let reported: [Reported]
        let notices: [Notice]
    }

    private func searched(_ search: SearchStep, _ known: Known) -> Conclusion {
        let failures = known.failures
        let pathChecks = order.filter(\.isAskedOfPaths)
        guard mandatory.allSatisfy({ pathChecks.contains($0) }) else {
            return incomplete("a check of every path is not demanded")
        }
        var satisfied: (number: Int, acceptance: Acceptance, wanted: [WantedEvidence])?
        var tolerable: (acceptance: Acceptance, wanted: [WantedEvidence])?
        var best: (rank: Int, violations: [Violation], wanted: [WantedEvidence])?
        for path in paths {
            if satisfied != nil { return incomplete("a path after the one that satisfies") }
            if let problem = problem(of: path, checks: pathChecks) { return incomplete(problem) }
            var violations: [Violation] = []
            var reported: [Reported] = []
            var pathNotices: [Notice] = []
            var wanted: [WantedEvidence] = []
            var passed = 0
            for check in pathChecks {
                guard let step = path.outcomes[check] else {
                    return incomplete("\(check.rawValue) not checked on path \(path.step.number)")
                }
                switch step.outcome {
                case .passed: passed += 1
                case .failed(let found): violations += found
                case .tolerated(let found):
                    reported += found
                    if check != .anchor { passed += 1 }
                case .notAsked: break
                }
                pathNotices += step.notices
                wanted += step.wanted
            }
            guard violations.isEmpty else {
                let rank = 2 * passed + (violations.contains(where: \.isOfAnotherKey) ? 0 : 1)
                if rank > best?.rank ?? -1 {
                    let isMendable = violations.allSatisfy(\.isMissingEvidence)
                    best = (rank, violations, isMendable ? wanted : [])
                }
                continue
            }
            let acceptance = Acceptance(
                path: path.step.certificates, reported: known.reported + reported,
                notices: known.notices + pathNotices)
            if reported.allSatisfy({ !$0.steers }) {
                satisfied = (path.step.number, acceptance, wanted)
            } else if tolerable == nil {
                tolerable = (acceptance, wanted)
            }
        }
        switch (search.end, satisfied) {
        case (.satisfied(let number), let found?) where number == found.number:
            guard failures.isEmpty else { return .reject(failures) }
            return Conclusion(outcome: .accept(found.acceptance), wanted: found.wanted)
        case (.exhausted, nil), (.budget, nil): break
        default: return incomplete("the search ended otherwise than its paths")
        }
        if let tolerable {
            guard failures.isEmpty else { return .reject(failures) }
            let acceptance = tolerable.acceptance
            return Conclusion(
                outcome: .accept(
                    Acceptance(
                        path: acceptance.path, reported: acceptance.reported,
                        notices: acceptance.notices
                            + (search.end == .budget ? [.searchIncomplete] : []))),
                wanted: tolerable.wanted)
        }
        var violations = failures
        if search.end == .budget { violations.append(.budgetExhausted(limit: search.limit)) }
        violations += best?.violations ?? []
        guard !violations.isEmpty else { return incomplete("no path was tried") }
        return Conclusion(
            outcome: .reject(violations), wanted: failures.isEmpty ? best?.wanted ?? [] : [])
    }

    /// The checks that every accepted path has.
    private let mandatory: [Check] = [
        .anchor, .validity, .basicConstraints, .pathLength, .keyUsage, .extendedKeyUsage,
        .criticalExtensions, .algorithmAgreement, .keys, .signatureAlgorithms, .standard,
        .identity, .revocation, .nameConstraints, .certificatePolicies, .signatures,
    ]

    /// Why a check of a path should have been made and was not, or the reverse; nil when nothing is
    /// wrong. Only checks that rest on signatures are left out, and only where no signatures reach
    /// an anchor.
    private func problemOfWhatWasNotAsked(_ path: PathRecord) -> String? {
        var hasNoIssuers = path.step.end == .deadEnd
        if case .failed? = path.outcomes[.signatures]?.outcome { hasNoIssuers = true }
        for (check, step) in path.outcomes
        where (step.outcome == .notAsked) != (check.restsOnSignatures && hasNoIssuers) {
            return
                "\(check.rawValue) asked or not asked against the rest of path \(path.step.number)"
        }
        return nil
    }

    /// Why the steps of a path contradict each other; nil when they fit. Pins are checked when the
    /// rule has pins, the path's end agrees with its anchor check, and the presented certificates
    /// of the path were read.
    private func problem(of path: PathRecord, checks: [Check]) -> String? {
        let number = path.step.number
        switch (path.step.end, path.outcomes[.anchor]?.outcome) {
        case (.anchor(let set, _), .passed(.anchor(let found))?) where set == found: break
        case (.deadEnd, .failed?), (.endEntityAlone, .tolerated?), (.endEntityAlone, .failed?):
            break
        default: return "path \(number) ends otherwise than its anchor check says"
        }
        if let problem = problemOfWhatWasNotAsked(path) { return problem }
        guard !path.step.certificates.isEmpty else { return "path \(number) is empty" }
        for (position, certificate) in path.step.certificates.enumerated() {
            guard certificate.position == position else { return "path \(number) is out of order" }
            guard case .presented(let index) = certificate.origin else { continue }
            guard case .read(let subject, let fingerprint)? = certificates[index],
                subject == certificate.subject, fingerprint == certificate.fingerprint
            else { return "path \(number) has a certificate that was not read" }
        }
        return nil
    }
}
