/// Signed certificate timestamps in JSON: whether each timestamp counts, and what a rule demands of
/// timestamps.
enum TransparencyFields {
    static func report(_ report: TransparencyReport) -> [(String, JSONValue)] {
        [
            ("preset", .string(report.preset)),
            ("criteria", criteria(report.criteria)),
            ("timestamps", timestamps(report.timestamps)), ("unread", .whole(report.unread)),
            ("logList", .string(report.logList.text)),
            ("logListIssued", .string(report.logListIssued.description)),
        ]
    }

    static func criteria(_ criteria: [TransparencyCriterion]) -> JSONValue {
        .array(criteria.map(criterion))
    }

    static func timestamps(_ findings: [TimestampFinding]) -> JSONValue {
        .array(findings.map(timestamp))
    }

    private static func criterion(_ criterion: TransparencyCriterion) -> JSONValue {
        func count(_ count: TransparencyCriterion.Count) -> JSONValue {
            .members([("needed", .whole(count.needed)), ("found", .whole(count.found))])
        }
        return .members([
            ("delivery", .string(criterion.delivery.rawValue)), ("met", .bool(criterion.isMet)),
            ("logs", count(criterion.logs)), ("operators", count(criterion.operators)),
            ("approvedLogs", count(criterion.approvedLogs)),
            ("rfc6962Logs", count(criterion.classicLogs)),
        ])
    }

    private static func timestamp(_ finding: TimestampFinding) -> JSONValue {
        var standing: [(String, JSONValue)]
        switch finding.standing {
        case .approved: standing = [("kind", .string("approved"))]
        case .onceApproved(let retired):
            standing = [
                ("kind", .string("once-approved")), ("retired", .string(retired.description)),
            ]
        case .unusable(let problem):
            standing = [("kind", .string("unusable")), ("problem", .string(problem.id))]
        }
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return .members([
            ("source", .string(finding.source.rawValue)), ("logID", text(finding.logID?.text)),
            ("log", text(finding.log)), ("operator", text(finding.operatorName)),
            ("time", text(finding.time?.description)), ("standing", .members(standing)),
            ("summary", .string(TransparencySentences.line(finding))),
        ])
    }
}
