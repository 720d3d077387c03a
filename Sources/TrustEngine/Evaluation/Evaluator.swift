/// The one evaluator. `evaluate` and `explain` both run this code. Only this code computes
/// verdicts.
///
/// The order is fixed. First comes the request: host, rule, end entity, TLS, evidence. Then comes
/// every candidate path, until one path meets every demand. A connection without TLS ends at its
/// rule. The sink receives each step and cannot change the verdict.
package enum Evaluator {
    /// Judges a request and reports each step to `sink`.
    package static func run<Sink: TraceSink>(
        engine: Engine, request: TrustRequest, into sink: inout Sink
    ) -> Verdict {
        run(
            engine: engine,
            head: RequestHead(host: request.host, port: request.port, time: request.time),
            whole: { request }, into: &sink)
    }

    /// Judges a request of which the head is at hand. `whole` gives the request with that head;
    /// only a sink that keeps steps asks for it where no rule matches the host.
    @inline(__always)
    static func run<Sink: TraceSink>(
        engine: Engine, head: RequestHead, whole: () -> TrustRequest, into sink: inout Sink
    ) -> Verdict {
        sink.record(
            .engine(
                EngineStep(
                    policyDigest: engine.table.policyDigest,
                    systemStoreDigest: engine.systemStoreDigest, freshness: engine.freshness)))
        let host: CanonicalHost
        do throws(HostProblem) {
            host = try CanonicalHost(text: head.host)
        } catch {
            let problem = Violation.badHost(host: head.host, problem: error.reason)
            return rejection(of: whole(), for: problem, engine, at: head.time, &sink)
        }
        recordHost(.passed(nil), of: whole(), canonicalHost: host, &sink)
        let judgement = judgeFreshness(of: engine, at: head.time, &sink)
        guard let rule = selectRule(host, port: head.port, engine, &sink) else {
            return Verdict(
                decision: denial(of: host, beside: judgement, engine, &sink),
                policyDigest: engine.table.policyDigest,
                systemStoreDigest: engine.systemStoreDigest, logListDigest: nil, wanted: [])
        }
        var evaluation = Evaluation(engine: engine, judgement: judgement ?? RequestJudgement())
        let outcome = evaluation.run(whole(), of: host, by: rule, &sink)
        return Verdict(
            decision: .outcome(outcome), policyDigest: engine.table.policyDigest,
            systemStoreDigest: engine.systemStoreDigest,
            logListDigest: evaluation.logListDigest, wanted: evaluation.wanted)
    }

    /// The reject of a request whose host is neither a name nor an address.
    private static func rejection<Sink: TraceSink>(
        of request: @autoclosure () -> TrustRequest, for problem: Violation, _ engine: Engine,
        at time: UTCInstant, _ sink: inout Sink
    ) -> Verdict {
        recordHost(.failed([problem]), of: request(), canonicalHost: nil, &sink)
        let judgement = judgeFreshness(of: engine, at: time, &sink)
        recordNothingSpent(engine, &sink)
        return Verdict(
            decision: .outcome(.reject([problem] + (judgement?.violations ?? []))),
            policyDigest: engine.table.policyDigest, systemStoreDigest: engine.systemStoreDigest,
            logListDigest: nil, wanted: [])
    }

    /// The reject of a host that no rule matches, beside what else is wrong with the request.
    private static func denial<Sink: TraceSink>(
        of host: consuming CanonicalHost, beside judgement: RequestJudgement?, _ engine: Engine,
        _ sink: inout Sink
    ) -> Verdict.Decision {
        recordNothingSpent(engine, &sink)
        guard let violations = judgement?.violations, !violations.isEmpty else {
            return .noRule(host)
        }
        return .outcome(.reject(violations + [.noApplicableRule(host: host.text)]))
    }

    /// Records the request, and whether its host is one; nil when the host is neither a name nor an
    /// address.
    private static func recordHost<Sink: TraceSink>(
        _ outcome: @autoclosure () -> CheckStep.Outcome,
        of request: @autoclosure () -> TrustRequest, canonicalHost host: CanonicalHost?,
        _ sink: inout Sink
    ) {
        guard Sink.keepsSteps else { return }
        sink.record(.request(RequestStep(request(), canonicalHost: host?.text)))
        RequestJudgement.record(.host, outcome(), by: nil, at: nil, &sink)
    }

    /// Judges whether the table is still fresh, where a table can become stale. The other checks
    /// run whatever the answer is. Nil where there is nothing to judge, as of most tables.
    private static func judgeFreshness<Sink: TraceSink>(
        of engine: Engine, at time: UTCInstant, _ sink: inout Sink
    ) -> RequestJudgement? {
        guard let freshness = engine.freshness else { return nil }
        let judged = freshness.judge(at: time)
        var judgement = RequestJudgement()
        judgement.settle(.freshness, judged.outcome, by: nil, notices: judged.notices, &sink)
        return judgement
    }

    /// The index of the rule that decides; `ruleCount` for the body of `default`; nil when no rule
    /// decides.
    private static func selectRule<Sink: TraceSink>(
        _ host: CanonicalHost, port: UInt16, _ engine: Engine, _ sink: inout Sink
    ) -> Int? {
        let winner = engine.lookUp(host, port: port)
        RuleSelectionTrace.record(winner, host: host, port: port, engine: engine, into: &sink)
        guard winner == nil, engine.deniesByDefault else {
            RequestJudgement.record(.rule, .passed(nil), by: nil, at: nil, &sink)
            return winner.map { Int($0.rule) } ?? engine.table.ruleCount
        }
        RequestJudgement.record(
            .rule, .failed([.noApplicableRule(host: host.text)]), by: nil, at: "/default", &sink)
        return nil
    }

    /// Records the work of a request of which no certificate was read.
    private static func recordNothingSpent<Sink: TraceSink>(_ engine: Engine, _ sink: inout Sink) {
        recordWork(.notBegun, spent: 0, signatures: 0, limit: engine.workLimit, paths: 0, &sink)
    }

    /// Records how a search ended and what was spent of the budgets.
    fileprivate static func recordWork<Sink: TraceSink>(
        _ end: SearchStep.End, spent: Int, signatures: Int, limit: Int, paths: Int,
        _ sink: inout Sink
    ) {
        sink.record(.search(SearchStep(end: end, limit: limit)))
        sink.record(
            .work(WorkStep(spent: spent, limit: limit, signatures: signatures, paths: paths)))
    }
}

/// The findings about the request itself, without its paths.
private struct RequestJudgement {
    /// Failures, in order.
    private(set) var violations: [Violation] = []
    /// The failures of the request that an accept reports.
    private(set) var reported: [Reported] = []
    private(set) var notices: [Notice] = []

    /// Records a demand on the request together with its outcome, and keeps the failures. `demands`
    /// is nil before a rule is known; then `pointer` says where the demand is written.
    mutating func settle<Sink: TraceSink>(
        _ check: Check, _ outcome: CheckStep.Outcome, by demands: @autoclosure () -> Demands?,
        at pointer: String? = nil,
        notices: [Notice] = [], _ sink: inout Sink
    ) {
        RequestJudgement.record(
            check, outcome, by: demands(), at: pointer, notices: notices, &sink)
        switch outcome {
        case .passed: break
        case .failed(let failures):
            if violations.isEmpty {
                violations = failures
            } else {
                violations += failures
            }
        case .tolerated(let more): reported += more
        case .notAsked: break
        }
        if !notices.isEmpty { self.notices += notices }
    }

    /// Records a demand on the request together with its outcome, which is made only for a sink
    /// that keeps steps.
    static func record<Sink: TraceSink>(
        _ check: Check, _ outcome: @autoclosure () -> CheckStep.Outcome,
        by demands: @autoclosure () -> Demands?, at pointer: String?, notices: [Notice] = [],
        _ sink: inout Sink
    ) {
        guard Sink.keepsSteps else { return }
        let demands = demands()
        sink.record(
            .demand(
                DemandStep(
                    check: check, enforcement: demands?.enforcement(of: check) ?? .enforced,
                    pointer: demands?.pointer(of: check) ?? pointer)))
        sink.record(
            .check(CheckStep(path: 0, check: check, outcome: outcome(), notices: notices)))
    }
}

/// One evaluation in progress, of a request whose host and rule are known. The request is handed
/// down, as it is large to copy.
private struct Evaluation {
    private let engine: Engine
    /// The cost units that the search may spend. A quarter of the whole budget is reserved for the
    /// diagnosis.
    private var budget: WorkBudget
    private var diagnosisBudget: WorkBudget
    private var judgement: RequestJudgement
    /// The revocation evidence of the request, parsed.
    private var evidence = RevocationEvidence()
    /// The digest of the rule's log list; nil where the rule has none.
    private(set) var logListDigest: Digest?
    /// Evidence that could change the verdict and was not supplied.
    private(set) var wanted: [WantedEvidence] = []

    init(engine: Engine, judgement: RequestJudgement) {
        self.engine = engine
        self.judgement = judgement
        let forDiagnosis = engine.workLimit / 4
        self.budget = WorkBudget(limit: engine.workLimit - forDiagnosis)
        self.diagnosisBudget = WorkBudget(limit: forDiagnosis)
    }

    mutating func run<Sink: TraceSink>(
        _ request: TrustRequest, of host: CanonicalHost, by rule: Int, _ sink: inout Sink
    ) -> Verdict.Outcome {
        let demands = Demands(engine: engine, rule: rule, at: request.time)
        logListDigest = engine.logList(of: demands.rule)?.digest
        if request.tls == .cleartext { return judgeCleartext(demands, &sink) }
        let chain = readCertificates(request.presentedChain, of: host, &sink)
        judgeRequest(request, demands, chain, &sink)
        sink.keep(ReadInputs(certificates: chain.certificates, evidence: evidence))
        guard chain.hasEndEntity else { return abandoned(&sink) }
        let pool = makePool(chain, for: demands.rule)
        var search = PathSearch(
            engine: engine, demands: demands, pool: pool, evidence: evidence,
            filters: request.evidence.filterSource(otherwise: engine.filters),
            sctList: request.evidence.sctList, host: host, port: request.port, time: request.time,
            budget: budget,
            diagnosisBudget: diagnosisBudget)
        let result = search.run(&sink)
        budget = search.budget
        diagnosisBudget = search.diagnosisBudget
        recordWork(result.end, paths: search.judged, &sink)
        return conclude(result)
    }

    // MARK: The request

    /// Judges a connection without TLS, which shows no certificate. A waiver in force accepts the
    /// connection; without a waiver the missing TLS is the one violation (LANGUAGE section 10).
    private mutating func judgeCleartext<Sink: TraceSink>(
        _ demands: Demands, _ sink: inout Sink
    ) -> Verdict.Outcome {
        guard let waiver = demands.waiver(of: .cleartext) else {
            judgement.settle(.cleartext, .failed([.cleartext]), by: demands, &sink)
            return abandoned(&sink)
        }
        let reported = Reported(violation: .cleartext, reason: .waived(until: waiver.until))
        judgement.settle(.cleartext, .tolerated([reported]), by: demands, &sink)
        guard judgement.violations.isEmpty else { return abandoned(&sink) }
        recordWork(.notBegun, paths: 0, &sink)
        return .accept(
            Acceptance(path: [], reported: judgement.reported, notices: judgement.notices))
    }

    /// The most certificates that do not parse of which the subject is kept.
    private static let mostUnreadable = 8

    /// The certificates of the presented chain that can be used.
    private struct ReadChain {
        /// The certificates in wire order, each once, without certificates that do not parse.
        var certificates: [CertificatePool.Presented] = []
        /// Why the first presented certificate does not parse; nil when it parses.
        var endEntityError: CertificateError?
        /// The first certificates that do not parse, in wire order.
        var unreadable: [CertificatePool.Unreadable] = []

        var hasEndEntity: Bool { certificates.first?.wireIndex == 0 }
    }

    /// The most certificates of a chain that have the steps that serve advice.
    private static let mostAdvised = 8

    private mutating func readCertificates<Sink: TraceSink>(
        _ presentedChain: [[UInt8]], of host: CanonicalHost, _ sink: inout Sink
    ) -> ReadChain {
        var chain = ReadChain()
        chain.certificates.reserveCapacity(
            min(presentedChain.count, ShortList<Int>.inlineCount))
        for (index, der) in presentedChain.enumerated() {
            // Reading, hashing and comparing with the certificates before costs one unit a
            // kilobyte, and one unit for each sixteen certificates. Names, lists and keys that take
            // longer are charged when they are read. Where the budget ends here, the search does
            // not run either.
            guard budget.spend(1 + der.count / 1_024 + chain.certificates.count / 16) else { break }
            do throws(CertificateError) {
                let isAdvised = Sink.keepsSteps && index < Evaluation.mostAdvised
                if let twin = try read(der, index, hashesKey: isAdvised, into: &chain) {
                    sink.record(
                        .certificate(CertificateStep(index: index, status: .duplicate(of: twin))))
                } else if let added = chain.certificates.last {
                    sink.record(
                        .certificate(
                            CertificateStep(
                                index: index,
                                status: .read(
                                    subject: added.certificate.subjectText,
                                    fingerprint: added.fingerprint))))
                    if isAdvised { recordAdvice(about: added, &sink) }
                }
            } catch {
                _ = budget.spend(SignatureCost.readingUnits(ofUnreadable: der.count))
                if chain.unreadable.count < Evaluation.mostUnreadable {
                    chain.unreadable.append(
                        CertificatePool.Unreadable(
                            wireIndex: index, error: error,
                            subject: CertificateParser.subject(ofUnreadable: der.span)))
                }
                sink.record(
                    .certificate(CertificateStep(index: index, status: .setAside(error))))
                if index == 0 { chain.endEntityError = error }
            }
        }
        if Sink.keepsSteps,
            let index = MisplacedEndEntity.index(among: chain.certificates, of: host)
        {
            sink.record(.misplacedEndEntity(MisplacedEndEntityStep(index: index)))
        }
        return chain
    }

    /// Records the key of a certificate that was read, and where the certificate says that its
    /// issuer's certificate is.
    private func recordAdvice<Sink: TraceSink>(
        about read: CertificatePool.Presented, _ sink: inout Sink
    ) {
        if let key = read.keyDigest {
            sink.record(.presentedKey(PresentedKeyStep(index: read.wireIndex, key: key)))
        }
        let addresses = IssuerAddresses.addresses(of: read.certificate)
        guard !addresses.isEmpty else { return }
        sink.record(
            .issuerAddresses(IssuerAddressesStep(index: read.wireIndex, addresses: addresses)))
    }

    /// Reads one certificate and keeps it. When the same octets were presented before, gives the
    /// index of the earlier certificate in the presented chain. `hashesKey` says whether the digest
    /// of the key is needed, which is otherwise computed when a check asks for it.
    private mutating func read(
        _ der: [UInt8], _ index: Int, hashesKey: Bool, into chain: inout ReadChain
    ) throws(CertificateError) -> Int? {
        let read = try engine.crypto.read(der)
        _ = budget.spend(SignatureCost.readingUnits(of: read.certificate))
        // Two certificates may differ only near their ends, so comparing octets would cost as much
        // as reading them again. The digest is compared instead.
        let fingerprint = read.fingerprint
        for known in chain.certificates.indices
        where chain.certificates[known].fingerprint == fingerprint {
            return chain.certificates[known].wireIndex
        }
        var keyDigest = read.keyDigest
        if keyDigest == nil, hashesKey {
            keyDigest = engine.crypto.digest(.sha256, of: read.certificate.spkiBytes.span)
        }
        chain.certificates.append(
            CertificatePool.Presented(
                certificate: read.certificate, wireIndex: index, fingerprint: fingerprint,
                keyDigest: keyDigest))
        return nil
    }

    /// The certificates that the search may put on a path.
    private mutating func makePool(_ chain: ReadChain, for rule: RuleRecord) -> CertificatePool {
        let pool = CertificatePool(
            presented: chain.certificates, offered: engine.offered, anchors: engine.anchors,
            sets: engine.setsTrusted(by: rule), setIDs: engine.setIDs,
            unreadable: chain.unreadable)
        guard rule.anchorsArePinnedKeys else { return pool }
        var marked = CertificatePool.PresentedAnchors()
        for position in 0..<Int(rule.pins.count) {
            engine.pinnedKeys[engine.table.index(rule.pins, position)]?.mark(
                in: pool, crypto: engine.crypto, budget: &budget, anchors: &marked)
        }
        return pool.marking(marked)
    }

    /// Judges the end entity, TLS and the evidence. These checks do not depend on each other, so
    /// all of them are made.
    private mutating func judgeRequest<Sink: TraceSink>(
        _ request: TrustRequest, _ demands: Demands, _ chain: ReadChain, _ sink: inout Sink
    ) {
        let endEntity: CheckStep.Outcome
        if chain.hasEndEntity {
            endEntity = .passed(nil)
        } else if let error = chain.endEntityError {
            endEntity = .failed([.endEntityUnreadable(error)])
        } else if budget.isExhausted {
            endEntity = .failed([.budgetExhausted(limit: engine.workLimit)])
        } else {
            endEntity = .failed([.nothingPresented])
        }
        judgement.settle(.endEntity, endEntity, by: demands, &sink)
        let tls = TLSCheck(demands: demands, engine: engine)
            .judge(request.tls, isTraced: Sink.keepsSteps)
        judgement.settle(.tls, tls.outcome, by: demands, notices: tls.notices, &sink)
        let read = RequestChecks.read(
            request.evidence, crypto: engine.crypto, budget: &budget)
        evidence = read.evidence
        judgement.settle(.evidence, read.outcome, by: demands, &sink)
    }

    // MARK: The verdict

    /// The verdict on a request that every path would fail.
    private mutating func abandoned<Sink: TraceSink>(_ sink: inout Sink) -> Verdict.Outcome {
        recordWork(.notBegun, paths: 0, &sink)
        return .reject(
            judgement.violations.isEmpty
                ? [.engineError("a search was given up without a reason")] : judgement.violations)
    }

    private func recordWork<Sink: TraceSink>(
        _ end: SearchStep.End, paths: Int, _ sink: inout Sink
    ) {
        Evaluator.recordWork(
            end, spent: budget.spent + diagnosisBudget.spent,
            signatures: budget.signatures + diagnosisBudget.signatures, limit: engine.workLimit,
            paths: paths, &sink)
    }

    private mutating func conclude(_ result: PathSearch.Result) -> Verdict.Outcome {
        if judgement.violations.isEmpty { wanted = result.accepted?.wanted ?? result.wanted }
        if let accepted = result.accepted {
            guard judgement.violations.isEmpty else { return .reject(judgement.violations) }
            var notices =
                judgement.notices.isEmpty ? accepted.notices : judgement.notices + accepted.notices
            if result.end == .budget { notices.append(.searchIncomplete) }
            return .accept(
                Acceptance(
                    path: accepted.path,
                    reported: judgement.reported.isEmpty
                        ? accepted.reported : judgement.reported + accepted.reported,
                    notices: notices))
        }
        var violations = judgement.violations
        if result.end == .budget {
            violations.append(.budgetExhausted(limit: engine.workLimit))
        }
        violations += result.violations
        return .reject(
            violations.isEmpty ? [.engineError("no path was tried")] : violations)
    }
}
