import Rendering
package import TrustEngine

/// What one policy says of one row, as the row that comes out has it.
package struct AuditJudgement: Sendable {
    package let isAccept: Bool
    /// The rule that decided; empty for `default`, nil when no rule decided.
    package let rule: String?
    /// Whether no pattern of the policy matches the host.
    package let isUnmatched: Bool
    /// Ids of the violations, each once, in their first order.
    package let violationIDs: [String]
    /// Ids of the failures that the accept reports, each once.
    package let reportedIDs: [String]
    /// Ids of the notices, each once.
    package let noticeIDs: [String]
    /// Cost units, signatures and paths of the evaluation.
    package let work: WorkStep?
    let violations: [JSONValue]
    let sentence: String?
    let path: [JSONValue]
    let reported: [JSONValue]
    let notices: [JSONValue]

    /// Takes from an explanation what a row says.
    package init(_ explanation: Explanation) {
        let traced = TraceJSON(explanation, explanation.provenanceOfFailures, explanation.table)
        let verdict = explanation.verdict
        isAccept = verdict.isAccept
        rule = traced.decidingRule
        isUnmatched = traced.isUnmatched
        work = traced.work
        sentence = traced.sentence
        violations = verdict.violations.map(traced.recorded)
        violationIDs = ExplainDocument.ids(verdict.violations)
        guard case .accept(let acceptance) = verdict.outcome else {
            (path, reported, notices, reportedIDs, noticeIDs) = ([], [], [], [], [])
            return
        }
        path = acceptance.path.map { .string($0.fingerprint.text) }
        reported = acceptance.reported.map { AuditJudgement.reported($0, traced) }
        notices = acceptance.notices.map(AuditJudgement.notice)
        reportedIDs = ExplainDocument.ids(acceptance.reported.map(\.violation))
        noticeIDs = acceptance.notices.map(\.id).unrepeated
    }

    /// A failure that did not reject, as receipts have it, and what was not known or not met.
    private static func reported(_ reported: Reported, _ traced: TraceJSON) -> JSONValue {
        let (reason, until): (String, UTCInstant?) =
            switch reported.reason {
            case .waived(let until): ("waived", until)
            case .reportOnly(let until): ("report-only", until)
            }
        return .object([
            "violation": traced.recorded(reported.violation),
            "summary": reported.violation.headline, "reason": reason,
            "until": until?.description.json ?? .null,
        ])
    }

    private static func notice(_ notice: Notice) -> JSONValue {
        var demands: [String] = []
        if case .issuance(let breaches) = notice {
            demands = breaches.map(\.demand).unrepeated
        }
        return .object(["id": notice.id, "demands": demands])
    }
}
