package import TrustEngine

/// The words for signed certificate timestamps: whether each timestamp counts, and what a rule
/// demands of timestamps.
package enum TransparencySentences {
    /// The demand and the findings, in one line.
    static func headline(_ report: TransparencyReport) -> String {
        let leaf = Words.name(report.certificate)
        guard !report.timestamps.isEmpty else {
            let wanted = report.criteria.first.map { " \(self.wanted($0))" } ?? ""
            return
                "\(leaf) comes with no signed certificate timestamp; `\(report.preset)` wants them"
                + wanted
        }
        let ways = report.criteria.map { criterion in
            "\(wanted(criterion)), found \(found(criterion))"
        }
        return "`\(report.preset)` wants timestamps of \(leaf) \(ways.joined(separator: "; or "))"
    }

    /// The side at fault when timestamps do not meet the rule, by their problems.
    static func readings(_ report: TransparencyReport) -> [SideReading] {
        let problems = Set(
            report.timestamps.compactMap { finding -> String? in
                guard case .unusable(let problem) = finding.standing else { return nil }
                return problem.id
            })
        func only(_ some: [TimestampProblem]) -> Bool {
            !problems.isEmpty && problems.isSubset(of: some.map(\.id))
        }
        if only([.inFuture]) {
            return [
                .init(
                    .thisMachine, "its clock, or the time that was asked about, is wrong"),
                .init(.server, "its timestamps lie in the future"),
            ]
        }
        if problems.contains(TimestampProblem.badSignature.id) {
            return [
                SideSentences.impostor(
                    "a timestamp is forged: its log did not sign this certificate"),
                .init(.server, "it sends timestamps of another certificate"),
            ]
        }
        let hidden = SideSentences.impostor(
            "a certificate issued by mistake is kept out of the logs")
        if only([.unknownLog, .logNotApprovedYet(since: report.logListIssued)]) {
            let day = Words.day(report.logListIssued)
            return [
                hidden,
                .init(.policy, "its list of logs, of \(day), does not have the logs that signed"),
            ]
        }
        if only([.issuerUnknown]) {
            return [
                hidden,
                .init(
                    .server,
                    "it does not send its issuer's certificate, without which no embedded timestamp "
                        + "counts"),
            ]
        }
        return [
            hidden,
            .init(
                .server,
                report.timestamps.isEmpty
                    ? "its issuer embedded no timestamp, and it sends none"
                    : "its issuer logged too little"),
        ]
    }

    /// The sentence for a log list that is too old.
    static func stale(_ issued: UTCInstant, _ time: UTCInstant, _ maximumAge: Int64) -> String {
        "the log list is of \(issued), judged at \(time): at most "
            + "\(Words.duration(maximumAge)) old is wanted"
    }

    /// What made the check pass.
    static func passed(_ report: TransparencyReport) -> String {
        guard let met = report.met else {
            return "not judged, as the log list of \(Words.day(report.logListIssued)) "
                + "is too old and the rule lets that pass"
        }
        return "wanted \(wanted(met)) (`\(report.preset)`), found \(found(met))"
    }

    private static func wanted(_ criterion: TransparencyCriterion) -> String {
        let place = criterion.delivery == .embedded ? "embedded" : "with the handshake"
        var text =
            "\(place) from \(Words.count(criterion.logs.needed, "log")) and "
            + Words.count(criterion.operators.needed, "operator")
        if criterion.classicLogs.needed > 0 { text += ", one of them of RFC 6962" }
        return text
    }

    private static func found(_ criterion: TransparencyCriterion) -> String {
        guard criterion.logs.found > 0 else { return "none that counts" }
        var text =
            Words.count(criterion.logs.found, "log") + " and "
            + Words.count(criterion.operators.found, "operator")
        if !criterion.approvedLogs.isMet { text += ", no log that is approved now" }
        if !criterion.classicLogs.isMet { text += ", no log of RFC 6962" }
        return text
    }

    /// A timestamp in one line, for a list of all timestamps that were found.
    package static func line(_ finding: TimestampFinding) -> String {
        let log: String
        switch (finding.log, finding.logID) {
        case (let name?, _):
            log =
                "`\(Words.shortened(name, to: 64))` of "
                + "`\(Words.shortened(finding.operatorName ?? "", to: 64))`"
        case (nil, let id?): log = "log \(id.text)"
        case (nil, nil): log = "a log that cannot be read"
        }
        let time = finding.time.map { " at \($0)" } ?? ""
        return "\(finding.source.rawValue), \(log)\(time): \(clause(finding.standing))"
    }

    /// Whether a timestamp counts; if not, why.
    package static func clause(_ standing: TimestampFinding.Standing) -> String {
        switch standing {
        case .approved: return "counts"
        case .onceApproved(let retired):
            return "counts as one of a log that retired on \(Words.day(retired))"
        case .unusable(let problem): return "does not count: \(reason(problem))"
        }
    }

    private static func reason(_ problem: TimestampProblem) -> String {
        switch problem {
        case .unreadable(.malformed(let offset)):
            return "it cannot be read from octet \(offset) of its list on"
        case .unreadable(.unknownVersion(let version)):
            return "its version is \(Int(version) + 1), and 1 is known"
        case .unknownLog: return "the log list does not have its log"
        case .algorithmNotAllowed:
            return "it is not signed with SHA-256 and the kind of key that its log has"
        case .badSignature: return "its log did not sign this certificate at that time"
        case .issuerUnknown: return "what its log signed is not known without the issuer"
        case .inFuture: return "it lies in the future"
        case .logNotApproved(let state): return "its log is `\(state.rawValue)`"
        case .logNotApprovedYet(let since): return "its log is approved only from \(since) on"
        case .logRetired(let since):
            return "its log retired on \(since), and only what it signed before and is embedded "
                + "counts"
        case .outsideInterval(let from, let until):
            return "its log takes certificates that end from \(from) to before \(until)"
        case .noLeafIndex: return "it does not say where in its log the certificate is"
        }
    }
}
