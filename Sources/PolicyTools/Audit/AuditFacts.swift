package import TrustEngine

/// What the summary of an audit counts of one row.
package struct AuditFacts: Sendable {
    /// What became of the row.
    package enum Outcome: Hashable, Sendable {
        case accept, reject
        case error(AuditRow.Problem.Code)
        /// The row is not in the sample, and was not judged.
        case leftOut
    }

    package let input: String?
    package let line: Int
    package let outcome: Outcome
    /// The host as the row has it; nil where the row was not judged.
    package private(set) var host: String?
    package private(set) var rule: String?
    package private(set) var isUnmatched = false
    package private(set) var violations: [String] = []
    /// Ids of the violations of the reject. For an accept that was a reject: ids of the violations
    /// of the old policy; empty where only the earlier verdict is known.
    package private(set) var grounds: [String] = []
    package private(set) var reported: [String] = []
    package private(set) var notices: [String] = []
    package private(set) var units = 0
    package private(set) var signatures = 0
    /// Whether the verdict is another than the earlier one; nil where none is known.
    package private(set) var isChanged: Bool?
    /// The class of hosts of a verdict that flips between two policies.
    package private(set) var hosts: HostClass?

    /// The facts of a row that was not judged.
    package init(input: String?, line: Int, _ outcome: Outcome) {
        self.input = input
        self.line = line
        self.outcome = outcome
    }

    /// The facts of a judged row.
    ///
    /// - Parameter before: the judgement of the old policy, where two are compared and the verdict
    ///   flips.
    package init(
        input: String?, line: Int, host: String, _ judgement: AuditJudgement, isChanged: Bool?,
        before: AuditJudgement? = nil, hosts: HostClass? = nil
    ) {
        self.init(input: input, line: line, judgement.isAccept ? .accept : .reject)
        self.host = host
        rule = judgement.rule
        isUnmatched = judgement.isUnmatched
        violations = judgement.violationIDs
        grounds = judgement.isAccept ? before?.violationIDs ?? [] : judgement.violationIDs
        reported = judgement.reportedIDs
        notices = judgement.noticeIDs
        units = judgement.work?.spent ?? 0
        signatures = judgement.work?.signatures ?? 0
        self.isChanged = isChanged
        self.hosts = hosts
    }
}
