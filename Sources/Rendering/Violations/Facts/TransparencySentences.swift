package import TrustEngine

/// The words for signed certificate timestamps: whether each timestamp counts, and what a rule
/// demands of timestamps.
package enum TransparencySentences {
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

    /// What a criterion demands.
    static func wanted(_ criterion: TransparencyCriterion) -> String {
        let place = criterion.delivery == .embedded ? "embedded" : "with the handshake"
        var text =
            "\(place) from \(Words.count(criterion.logs.needed, "log")) and "
            + Words.count(criterion.operators.needed, "operator")
        if criterion.classicLogs.needed > 0 { text += ", one of them of RFC 6962" }
        return text
    }

    /// What was found of it.
    static func found(_ criterion: TransparencyCriterion) -> String {
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
