/// Judges transparency on candidate paths: asks `TransparencyJudge` about the end entity's
/// timestamps and decides by the rule (LANGUAGE section 8). It also judges the windows of
/// `constraints.sct` (section 5).
struct TransparencyCheck {
    private let demands: Demands
    private let pool: CertificatePool
    private let time: UTCInstant
    /// Nil where the rule has no log list. Then no timestamp is valid.
    private var judge: TransparencyJudge?
    /// The timestamps by which filters may cover the end entity; nil until filters are asked.
    private var counted: CountedTimestamps?

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

    /// Judges one path.
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
        // What the rule does about an old log list does not change the demand. The timestamps are
        // still judged by that list: otherwise a certificate that no log ever saw would pass when
        // the list gets old.
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
        guard let list = judge?.list, let timestamps = try judgements(path, &budget) else {
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

    /// The standing of each timestamp on a path; nil without a log list. On a path of the end
    /// entity alone the issuer is known only when the end entity is self-issued.
    private mutating func judgements(
        _ path: CandidatePath, _ budget: inout WorkBudget
    ) throws(WorkExhausted) -> [TimestampFinding]? {
        let endEntity = path.certificate(at: 0, in: pool)
        let issuer =
            path.count > 1
            ? path.certificate(at: 1, in: pool) : endEntity.isSelfIssued ? endEntity : nil
        return try judge?.judgements(issuer: issuer, budget: &budget)
    }

    /// Whether the log list is too old at the validation time. A list of a later day is fresh.
    private var isStale: Bool {
        guard let list = judge?.list else { return false }
        return demands.requirements.transparency.isStale(listOf: list.issued, at: time)
    }

    // MARK: Filters

    /// The timestamps by which filters may cover the end entity of a path whose signatures verify.
    ///
    /// Every embedded timestamp counts: the issuer has signed it, and a log list may be older than
    /// the log. A timestamp beside the certificate comes from the peer, so it counts only where the
    /// log's signature verifies, which needs the rule's log list.
    mutating func countedTimestamps(
        budget: inout WorkBudget
    ) throws(WorkExhausted) -> CountedTimestamps {
        if let counted { return counted }
        let endEntity = pool.presented[0].certificate
        var times: [LoggedTime] = []
        var unread = 0
        if endEntity.layout.extensions.present.contains(.signedCertificateTimestamps) {
            let octets = endEntity.der.span.copied(
                endEntity.layout.extensions.signedCertificateTimestamps)
            try budget.take(1 + octets.count / 256)
            let list = TimestampList(octets)
            unread = list.unread
            for case .timestamp(let timestamp) in list.entries {
                times.append(
                    LoggedTime(log: timestamp.logID, milliseconds: timestamp.timestamp))
            }
        }
        times += try judge?.validTimesBeside(budget: &budget) ?? []
        let found = CountedTimestamps(times: times, isWhole: unread == 0)
        counted = found
        return found
    }

    /// The name of a log in the rule's log list, raw text.
    func logName(_ log: Digest) -> String? { judge?.list.logs[log]?.name }

    // MARK: `constraints.sct`

    /// Judges the earliest valid timestamp by the windows of `constraints.sct`. A violation is that
    /// no timestamp is valid, or that the earliest one lies outside a window. An old log list fails
    /// every window, unless the rule lets old lists pass. Waivers do not let this violation
    /// through.
    ///
    /// Only logs that are approved at the validation time count. Chrome judges roots with such
    /// dates in the same way (`ValidScts` of its net/cert/cert_verify_proc_builtin.cc, read in
    /// 2026): nobody monitors a retired log, so nobody would see that it signs an old date.
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
        let timestamps = try judgements(path, &budget) ?? []
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
    /// The timestamp lists in OCSP responses about a certificate, found only by its serial number.
    /// The signer of the response does not matter: the log's signature binds a timestamp to its
    /// certificate.
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
