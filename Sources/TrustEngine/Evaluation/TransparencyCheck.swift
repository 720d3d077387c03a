/// Transparency on candidate paths: asks the judge about the end entity's timestamps, decides by the rule,
/// and gives `constraints.sct` what it needs (LANGUAGE sections 5 and 8).
struct TransparencyCheck {
    private let demands: Demands
    private let pool: CertificatePool
    private let time: UTCInstant
    /// Nil where the rule has no log list: then no timestamp is valid.
    private var judge: TransparencyJudge?

    init(
        engine: Engine, demands: Demands, pool: CertificatePool, evidence: RevocationEvidence,
        sctList: [UInt8]?, time: UTCInstant
    ) {
        self.demands = demands
        self.pool = pool
        self.time = time
        let endEntity = pool.presented[0].certificate
        self.judge = demands.requirements.transparency.logList.flatMap { engine.logLists[$0] }
            .map { list in
                TransparencyJudge(
                    list: list, endEntity: endEntity,
                    besides: evidence.timestampLists(about: endEntity).map { (.ocsp, $0) }
                        + (sctList.map { [(.tls, $0)] } ?? []), time: time,
                    clockSkew: demands.requirements.clockSkew, crypto: engine.crypto)
            }
    }

    // MARK: The demand of a rule

    /// Judges a path.
    mutating func judge(_ path: CandidatePath, budget: inout WorkBudget) -> CheckStep.Outcome {
        let requirement = demands.requirements.transparency
        if let index = path.anchor {
            let set = pool.setIDs[pool.anchors.anchors[index].set]
            if requirement.exemptAnchors.contains(set) { return .passed(.exempt(set: set)) }
        }
        let report: TransparencyReport
        do throws(WorkExhausted) {
            guard let found = try self.report(path, &budget) else {
                return .failed([.engineError("a rule demands transparency and has no log list")])
            }
            report = found
        } catch {
            return .failed([.budgetExhausted(limit: budget.limit)])
        }
        var rejecting: [Violation] = []
        var reported: [Reported] = []
        func add(_ violation: Violation, _ excuse: Reported.Reason?) {
            if let excuse {
                reported.append(Reported(violation: violation, reason: excuse))
            } else {
                rejecting.append(violation)
            }
        }
        // What the rule does about a list that is too old says nothing of the demand: that is judged by
        // the list as it stands, or a certificate that no log ever saw would pass with time.
        let excuse = demands.excuse(of: .transparency)
        if isStale, requirement.whenStale != .pass {
            add(
                .logListStale(
                    logList: report.logList, issued: report.logListIssued, time: time,
                    maximumAge: requirement.logListMaximumAge),
                requirement.whenStale == .fail ? excuse : .reportOnly(until: nil))
        }
        if report.met == nil { add(.transparencyNotMet(report), excuse) }
        if !rejecting.isEmpty { return .failed(rejecting) }
        return reported.isEmpty ? .passed(.transparency(report)) : .tolerated(reported)
    }

    private mutating func report(
        _ path: CandidatePath, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> TransparencyReport? {
        guard let list = judge?.list, let timestamps = try findings(path, &budget) else {
            return nil
        }
        let requirement = demands.requirements.transparency
        return TransparencyReport(
            certificate: path.reference(at: 0, in: pool), preset: requirement.preset.name,
            criteria: TransparencyRule(requirement).criteria(
                timestamps, endEntity: path.certificate(at: 0, in: pool)),
            timestamps: timestamps, unread: judge?.unread ?? 0, logList: list.digest,
            logListIssued: list.issued)
    }

    /// What the timestamps are worth on a path; nil without a log list. Where the end entity is all of the
    /// path, who issued it is known only if it says that it did itself.
    private mutating func findings(
        _ path: CandidatePath, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> [TimestampFinding]? {
        let endEntity = path.certificate(at: 0, in: pool)
        let issuer =
            path.count > 1
            ? path.certificate(at: 1, in: pool) : endEntity.isSelfIssued ? endEntity : nil
        return try judge?.findings(issuer: issuer, budget: &budget)
    }

    /// Whether the log list is too old at the validation time; one of a later day is fresh.
    private var isStale: Bool {
        guard let list = judge?.list else { return false }
        return list.issued.advanced(
            bySeconds: demands.requirements.transparency.logListMaximumAge) < time
    }

    // MARK: `constraints.sct`

    /// What keeps an end entity from what its anchor's sets say of the earliest valid timestamp: none is
    /// valid, or it lies outside a window. A list that is too old fails them unless the rule says otherwise
    /// of such lists; they are never let through.
    ///
    /// Only logs that are approved at the validation time count, as where Chrome holds roots to such dates
    /// (`ValidScts` of its net/cert/cert_verify_proc_builtin.cc, read in 2026): nobody watches any more when
    /// a retired log says that it signed.
    mutating func violations(
        of windows: [DateWindow], set: String, on path: CandidatePath, budget: inout WorkBudget
    ) throws(WorkExhausted) -> [Violation] {
        guard !windows.isEmpty else { return [] }
        func violation(_ side: AnchorConstraintFailure.Side) -> Violation {
            .anchorConstraintNotMet(
                AnchorConstraintFailure(
                    certificate: path.reference(at: 0, in: pool), set: set, side: side))
        }
        let requirement = demands.requirements.transparency
        if requirement.whenStale == .fail, isStale, let list = judge?.list {
            return [
                violation(
                    .logList(
                        issued: list.issued, time: time, maximumAge: requirement.logListMaximumAge))
            ]
        }
        let timestamps = try findings(path, &budget) ?? []
        let earliest = timestamps.filter { $0.standing == .approved }.compactMap(\.time).min()
        return windows.filter { window in earliest.map { !window.contains($0) } ?? true }
            .map { window in
                violation(
                    .sct(
                        earliest: earliest, from: window.from, until: window.until,
                        timestamps: timestamps))
            }
    }
}

extension RevocationEvidence {
    /// The timestamp lists in OCSP responses about a certificate, by its serial number alone: a log's
    /// signature says whether a timestamp is of this certificate, whoever signed the response around it.
    fileprivate func timestampLists(about certificate: Certificate) -> [[UInt8]] {
        let serial = certificate.der.span.extracting(certificate.layout.serial.indices)
        var lists: [[UInt8]] = []
        for piece in pieces {
            guard case .prepared(let evidence) = piece.content,
                case .response(let prepared) = evidence.content,
                case .basic(let layout) = prepared.response.contents
            else { continue }
            let bytes = prepared.response.der
            var singles = prepared.response.singleResponses(layout)
            while let single = singles.next(in: bytes.span) {
                guard !single.timestamps.isEmpty,
                    bytes.span.extracting(single.certificate.serial.indices).octetsEqual(serial)
                else { continue }
                lists.append(bytes.span.copied(single.timestamps))
            }
        }
        return lists
    }
}
