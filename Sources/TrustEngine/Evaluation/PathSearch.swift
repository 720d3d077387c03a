/// The search for a path that meets every demand (LANGUAGE section 12.1).
///
/// First comes the search itself. It stops at the first path that meets every demand, and remembers
/// the first path whose only failures are reported ones. Then the end entity alone is judged, where
/// a waiver of `path` is in force. When no path is accepted, a diagnosis judges paths again, now
/// also through certificates that can stand on no accepted path. The diagnosis only names the
/// faults.
struct PathSearch {
    /// A path that can be accepted, with the contents of its accept.
    struct Accepted {
        let path: [CertificateReference]
        let reported: [Reported]
        let notices: [Notice]
        let wanted: [WantedEvidence]
    }

    /// The result of the search.
    struct Result {
        var accepted: Accepted?
        /// Violations of the best-ranked path, when no path is accepted.
        var violations: [Violation] = []
        /// Evidence that could turn the reject into an accept: only when the best-ranked path fails
        /// for nothing else.
        var wanted: [WantedEvidence] = []
        var end: SearchStep.End
    }

    /// Most paths that a diagnosis judges in their order: enough to show every path that a reader
    /// would look at.
    static let diagnosedPaths = 8
    /// Most certificates before the anchor of a path that a diagnosis looks for when none of these
    /// paths ends at an anchor.
    static let shortPath = 4

    private let engine: Engine
    private let demands: Demands
    /// The identity that the rule demands, read once for all paths.
    private let identity: IdentityRequirement
    private let validator: PathValidator
    private let host: CanonicalHost
    private let port: UInt16
    private var digests: PathDigests
    private var revocation: RevocationCheck
    private var transparency: TransparencyCheck
    private(set) var budget: WorkBudget
    private(set) var diagnosisBudget: WorkBudget
    private var ledger = SignatureLedger()
    /// Number of paths judged so far. It is also the number of the last path.
    private(set) var judged = 0
    private var tolerable: Accepted?
    private var best: (rank: Int, violations: [Violation], wanted: [WantedEvidence])?

    init(
        engine: Engine, demands: Demands, pool: CertificatePool, evidence: RevocationEvidence,
        filters: FilterSource?, sctList: [UInt8]?, host: CanonicalHost, port: UInt16,
        time: UTCInstant, budget: WorkBudget, diagnosisBudget: WorkBudget
    ) {
        self.engine = engine
        self.demands = demands
        self.identity = demands.identity
        let validator = PathValidator(
            pool: pool,
            parameters: demands.pathParameters(for: pool.presented[0].certificate, at: time),
            crypto: engine.crypto)
        self.host = host
        self.port = port
        self.digests = PathDigests(pool: pool, crypto: engine.crypto)
        self.revocation = RevocationCheck(
            engine: engine, demands: demands, validator: validator, evidence: evidence,
            filters: filters)
        self.transparency = TransparencyCheck(
            engine: engine, demands: demands, pool: pool, evidence: evidence, sctList: sctList,
            time: time)
        self.budget = budget
        self.diagnosisBudget = diagnosisBudget
        self.validator = validator
    }

    mutating func run<Sink: TraceSink>(_ sink: inout Sink) -> Result {
        for check in Demands.pathChecks where Sink.keepsSteps && demands.asks(check) {
            sink.record(
                .demand(
                    DemandStep(
                        check: check.check, enforcement: demands.enforcement(of: check.check),
                        pointer: demands.pointer(of: check.check))))
        }
        if let accepted = search(&sink) {
            return Result(accepted: accepted, end: .satisfied(path: judged))
        }
        let end: SearchStep.End = budget.isExhausted ? .budget : .exhausted
        if let tolerable { return Result(accepted: tolerable, end: end) }
        if demands.waiver(of: .anchor) != nil {
            let alone = CandidatePath(
                members: ShortList(.presented(0)), end: .endEntityAlone)
            var work = diagnosisBudget
            _ = judge(alone, &work, &sink)
            diagnosisBudget = work
            if let tolerable { return Result(accepted: tolerable, end: end) }
        }
        diagnose(&sink)
        // The diagnosis ran out of budget before it found a violation. Then the exhausted budget is
        // the reason.
        guard let best else {
            return Result(end: diagnosisBudget.isExhausted ? .budget : end)
        }
        return Result(violations: best.violations, wanted: best.wanted, end: end)
    }

    /// Searches for the first path that meets every demand; nil when there is none.
    private mutating func search<Sink: TraceSink>(_ sink: inout Sink) -> Accepted? {
        var builder = PathBuilder(validator, pass: .search)
        var work = budget
        defer { budget = work }
        ledger.isRemembered = true
        defer { ledger.isRemembered = false }
        while let path = builder.next(ledger: ledger, budget: &work) {
            if let accepted = judge(path, &work, &sink) { return accepted }
        }
        return nil
    }

    /// Judges paths only to name the faults. It never accepts a path. If none of the first paths
    /// ends at an anchor, the shortest path to an anchor is judged too: many certificates of one
    /// name can precede the path that was meant.
    private mutating func diagnose<Sink: TraceSink>(_ sink: inout Sink) {
        var builder = PathBuilder(validator, pass: .diagnosis)
        var work = diagnosisBudget
        defer { diagnosisBudget = work }
        // The search judges only paths that end at an anchor. The end entity is judged alone only
        // under a waiver of `path`, and then no anchor is wanted.
        var hasAnchoredPath = judged > 0
        var left = PathSearch.diagnosedPaths
        while left > 0, let path = builder.next(ledger: ledger, budget: &work) {
            if path.endsAtAnchor { hasAnchoredPath = true }
            _ = judge(path, &work, &sink)
            left -= 1
        }
        if left == 0, !hasAnchoredPath, let path = shortestAnchoredPath(&work) {
            _ = judge(path, &work, &sink)
        }
    }

    /// A shortest path of the diagnosis that ends at an anchor; nil where it has more than
    /// `shortPath` certificates before the anchor, or the walk takes a quarter of the budget.
    private func shortestAnchoredPath(_ work: inout WorkBudget) -> CandidatePath? {
        let most = work.spent + work.limit / 4
        for longest in 1...PathSearch.shortPath {
            var builder = PathBuilder(validator, pass: .diagnosis, longest: longest)
            while work.spent < most, let path = builder.next(ledger: ledger, budget: &work) {
                if path.endsAtAnchor { return path }
            }
        }
        return nil
    }

    /// Makes every check on one path. Returns the path when it meets every demand, remembers it
    /// when its only failures are reported ones, and ranks it otherwise.
    private mutating func judge<Sink: TraceSink>(
        _ path: CandidatePath, _ work: inout WorkBudget, _ sink: inout Sink
    ) -> Accepted? {
        judged += 1
        work.paths += 1
        let number = judged
        for position in 0..<path.count {
            _ = work.spend(path.certificate(at: position, in: validator.pool).listUnits)
        }
        sink.record(.path(step(for: path, number: number)))
        var violations: [Violation] = []
        var reported: [Reported] = []
        var notices: [Notice] = []
        // Checks that passed, or were let through.
        var passed = 0
        var wanted: [WantedEvidence] = []
        // Who signs evidence is known only where signatures reach an anchor. A path under a waiver
        // of `path` reaches none.
        var isEvidenceAsked = path.end != .deadEnd
        for check in Demands.pathChecks where demands.asks(check) {
            let found =
                check.check.restsOnSignatures && !isEvidenceAsked
                ? Judgement(outcome: .notAsked)
                : outcome(of: check, on: path, &work, isTraced: Sink.keepsSteps)
            let traced = Sink.keepsSteps ? Judgement(outcome: .passed(nil)) : nil
            guard let judgement = found ?? traced else {
                passed += 1
                continue
            }
            sink.record(
                .check(
                    CheckStep(
                        path: number, check: check.check,
                        outcome: shown(judgement.outcome, of: check, on: path),
                        notices: judgement.notices, wanted: judgement.wanted)))
            if !judgement.notices.isEmpty { add(judgement.notices, to: &notices) }
            if !judgement.wanted.isEmpty { add(judgement.wanted, to: &wanted) }
            switch judgement.outcome {
            case .passed: passed += 1
            case .failed(let failures):
                violations += failures
                if check == .validator(.signatures) { isEvidenceAsked = false }
            case .tolerated(let failures):
                add(failures, to: &reported)
                // A tolerated failure counts as a pass: otherwise a path to an anchor would rank
                // below a path without an anchor that meets the demand. A tolerated lack of an
                // anchor does not count.
                if check != .anchor { passed += 1 }
            case .notAsked: break
            }
        }
        guard violations.isEmpty else {
            // Of two namesakes, the one whose key can make the signature is more likely meant.
            let rank = 2 * passed + (violations.contains(where: \.isOfAnotherKey) ? 0 : 1)
            if rank > best?.rank ?? -1 {
                let isMendable = violations.allSatisfy(\.isMissingEvidence)
                best = (rank, violations, isMendable ? wanted : [])
            }
            return nil
        }
        // An accept needs one of two ends: an anchor, which only the path builder finds, or the
        // lone end entity, which only a waiver allows.
        guard path.endsAtAnchor || path.end == .endEntityAlone else { return nil }
        let accepted = Accepted(
            path: path.references(in: validator.pool), reported: reported, notices: notices,
            wanted: wanted)
        if reported.allSatisfy({ !$0.steers }) { return accepted }
        if tolerable == nil { tolerable = accepted }
        return nil
    }

    /// Appends a list. The first one is taken as it is and not copied.
    private func add<Element>(_ more: [Element], to list: inout [Element]) {
        if list.isEmpty { list = more } else { list += more }
    }

    private func step(for path: CandidatePath, number: Int) -> PathStep {
        let end: PathStep.End
        switch path.end {
        case .anchor(let index), .endEntityIsAnchor(let index):
            let anchor = validator.pool.anchors.anchors[index]
            end = .anchor(
                set: validator.pool.setIDs[anchor.set], standard: anchor.standard)
        case .pinned: end = .anchor(set: PinnedKeys.setID, standard: .rfc5280)
        case .deadEnd: end = .deadEnd
        case .endEntityAlone: end = .endEntityAlone
        }
        return PathStep(
            number: number, certificates: path.references(in: validator.pool), end: end)
    }

    // MARK: One check

    /// The outcome as a trace shows it: a check that passed names both sides, the demanded and the
    /// found value.
    private func shown(
        _ outcome: CheckStep.Outcome, of check: CandidateCheck, on path: CandidatePath
    ) -> CheckStep.Outcome {
        guard case .passed(nil) = outcome else { return outcome }
        switch check {
        case .validator(let check):
            let sides = PassedCheckValues(requirements: demands.requirements, validator: validator)
            return .passed(sides.of(check, on: path))
        case .revocation: return .passed(revocation.passed(path))
        case .anchor:
            return .passed(
                path.endsAtAnchor
                    ? .anchor(
                        set: path.anchor.map {
                            validator.pool.setIDs[validator.pool.anchors.anchors[$0].set]
                        } ?? PinnedKeys.setID) : nil)
        case .forbiddenKeys:
            return .passed(.forbiddenKeys(demands.requirements.forbiddenKeys.map(\.id)))
        case .anchorConstraints, .identity, .pins, .checks, .transparency: return outcome
        }
    }

    private struct Judgement {
        var outcome: CheckStep.Outcome
        var notices: [Notice] = []
        var wanted: [WantedEvidence] = []
    }

    /// The judgement of a check; nil where the check holds and adds no notice, as most checks do.
    private mutating func outcome(
        of check: CandidateCheck, on path: CandidatePath, _ work: inout WorkBudget, isTraced: Bool
    ) -> Judgement? {
        switch check {
        case .validator(let check):
            let failures = validator.failures(
                of: check, on: path, ledger: &ledger, budget: &work)
            if failures.isEmpty { return nil }
            let breaches = failures.compactMap(\.breach)
            return Judgement(
                outcome: Demands.outcome(
                    of: failures.map {
                        Demands.Failure(violation: Violation($0.violation), excuse: $0.excuse)
                    }),
                notices: breaches.isEmpty ? [] : [.issuance(breaches)])
        case .anchor:
            return path.endsAtAnchor ? nil : Judgement(outcome: anchor(path, &work))
        case .anchorConstraints:
            return Judgement(outcome: anchorConstraints(path, &work, isTraced: isTraced))
        case .identity: return Judgement(outcome: serviceIdentity(path, &work, isTraced: isTraced))
        case .pins:
            let pins = PinCheck(
                engine: engine, pool: validator.pool, time: validator.parameters.time)
            let outcome = pins.judge(
                demands.pins, on: path, digests: &digests, budget: &work, isTraced: isTraced)
            if !outcome.rejecting.isEmpty {
                return Judgement(outcome: .failed(outcome.rejecting))
            }
            return Judgement(
                outcome: outcome.reported.isEmpty
                    ? .passed(isTraced ? .pins(outcome.hits) : nil)
                    : .tolerated(outcome.reported),
                notices: outcome.notices)
        case .forbiddenKeys:
            let forbidden = ForbiddenKeyCheck(
                entries: demands.requirements.forbiddenKeys, pool: validator.pool)
            let found = forbidden.judge(path, digests: &digests, budget: &work)
            return found.isEmpty ? nil : Judgement(outcome: .failed(found))
        case .checks:
            let registered = RegisteredChecks(
                checks: engine.checks, demands: demands, pool: validator.pool, host: host,
                port: port, time: validator.parameters.time)
            return Judgement(outcome: registered.judge(path, budget: &work))
        case .transparency: return Judgement(outcome: transparency.judge(path, budget: &work))
        case .revocation:
            digests.learn(from: ledger, on: path)
            let judgement = revocation.judge(
                path, digests: &digests, transparency: &transparency, budget: &work,
                isTraced: isTraced)
            return Judgement(outcome: judgement.outcome, wanted: judgement.wanted)
        }
    }

    /// Judges the end of a path that no anchor ends.
    private func anchor(
        _ path: CandidatePath, _ work: inout WorkBudget
    ) -> CheckStep.Outcome {
        let violation = UnanchoredPath.violation(
            of: path, pool: validator.pool,
            maximumIntermediates: demands.requirements.maximumIntermediates,
            time: validator.parameters.time, budget: &work)
        if path.end == .endEntityAlone, let waiver = demands.waiver(of: .anchor) {
            return .tolerated([
                Reported(violation: violation, reason: .waived(until: waiver.until))
            ])
        }
        return .failed([violation])
    }

    /// Judges the path by the constraints of the anchor's sets. A path without an anchor has none.
    private mutating func anchorConstraints(
        _ path: CandidatePath, _ work: inout WorkBudget, isTraced: Bool
    ) -> CheckStep.Outcome {
        guard let index = path.anchor else { return .passed(nil) }
        let anchor = validator.pool.anchors.anchors[index]
        let constraints = engine.anchorConstraints[anchor.group]
        if constraints.isEmpty { return .passed(nil) }
        let check = AnchorConstraintCheck(
            constraints: constraints, set: validator.pool.setIDs[anchor.set])
        let violations: [Violation]
        do throws(WorkExhausted) {
            violations = try transparency.violations(
                of: check.timestampWindows, set: check.set, on: path, budget: &work)
        } catch {
            return .failed([.budgetExhausted(limit: work.limit)])
        }
        return check.judge(
            path.certificate(at: 0, in: validator.pool),
            reference: path.reference(at: 0, in: validator.pool), timestamps: violations,
            budget: &work, isTraced: isTraced)
    }

    private func serviceIdentity(
        _ path: CandidatePath, _ work: inout WorkBudget, isTraced: Bool
    ) -> CheckStep.Outcome {
        guard demands.overrides.asksIdentity else { return .passed(nil) }
        let check = IdentityCheck(requirement: identity, host: host)
        let outcome = check.judge(
            path.certificate(at: 0, in: validator.pool), budget: &work, isTraced: isTraced)
        if case .failed(let violations) = outcome, let waiver = demands.waiver(of: .identity),
            violations.allSatisfy({ $0.kind.declaration.waiver == .identity })
        {
            return .tolerated(
                violations.map { Reported(violation: $0, reason: .waived(until: waiver.until)) })
        }
        return outcome
    }
}

extension PathFailure {
    /// The breach of a demand of issuance that is a notice; nil for any other failure.
    fileprivate var breach: IssuanceBreach? {
        guard excuse == .noticed,
            case .standardNotMet(let certificate, let demand, let found) = violation
        else { return nil }
        return IssuanceBreach(certificate: certificate, demand: demand.rawValue, found: found)
    }
}

extension Reported {
    /// Whether a path without this failure is preferred. Two failures are not worth the search for
    /// another path. One is a revocation status that is unknown for a cause that the rule only
    /// reports: a peer without evidence about its issuer would cost a search of all paths. The
    /// other is a log list that is too old, which fails on every path.
    var steers: Bool {
        violation.kind.declaration.hasBetterPath || reason != .reportOnly(until: nil)
    }
}

extension Violation {
    /// Whether evidence that was not supplied could remove this failure.
    var isMissingEvidence: Bool { kind.declaration.isMissingEvidence }

    /// Whether a signature is of a kind that the issuer's key does not make.
    var isOfAnotherKey: Bool {
        guard case .path(.badSignature(_, _, let type, _)) = reason else { return false }
        return type != nil
    }

    /// Whether the request costs more work than an evaluation may do.
    package var isOfWork: Bool { kind == .budgetExhausted || kind == .evidenceTooLarge }
}
