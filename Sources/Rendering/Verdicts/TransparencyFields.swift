import PolicyReading
import TrustEngine

/// Signed certificate timestamps in JSON: whether each timestamp counts, and what a rule demands of
/// timestamps.
enum TransparencyFields {
    static func report(_ report: TransparencyReport) -> JSONMembers {
        [
            "preset": report.preset, "criteria": criteria(report.criteria),
            "timestamps": timestamps(report.timestamps), "unread": report.unread,
            "logList": report.logList.text, "logListIssued": report.logListIssued.description,
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
            .object(["needed": count.needed, "found": count.found])
        }
        return .object([
            "delivery": criterion.delivery.rawValue, "met": criterion.isMet,
            "logs": count(criterion.logs), "operators": count(criterion.operators),
            "approvedLogs": count(criterion.approvedLogs),
            "rfc6962Logs": count(criterion.classicLogs),
        ])
    }

    private static func timestamp(_ finding: TimestampFinding) -> JSONValue {
        let standing: JSONMembers
        switch finding.standing {
        case .approved: standing = ["kind": "approved"]
        case .onceApproved(let retired):
            standing = ["kind": "once-approved", "retired": retired.description]
        case .unusable(let problem):
            standing = ["kind": "unusable", "problem": problem.id]
        }
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return .object([
            "source": finding.source.rawValue, "logID": text(finding.logID?.text),
            "log": text(finding.log), "operator": text(finding.operatorName),
            "time": text(finding.time?.description), "standing": JSONValue.object(standing),
            "summary": TransparencySentences.line(finding),
        ])
    }
}
