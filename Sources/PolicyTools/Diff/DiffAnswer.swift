import TrustEngine

/// The answer of `hawser diff` about one unit: the comparison of its policies, and what lies beside
/// them.
package struct DiffAnswer: Sendable {
    /// What the change does to the policies.
    package let diff: PolicyDiff
    /// The recorded requests, judged under both policies.
    package let requests: RecordedVerdicts
    /// The changes of guards; nil if guards were not looked for.
    package let guards: GuardAnswer?
    /// Who must approve the change: of the policies and of the guards.
    package let approvals: Approvals

    package init(
        _ diff: PolicyDiff, requests: RecordedVerdicts = .none, guards: GuardAnswer? = nil
    ) {
        self.diff = diff
        self.requests = requests
        self.guards = guards
        approvals = diff.approvals.adding(guards?.changes ?? [])
    }

    /// Whether `--require no-weaker` is not met because of a guard.
    package var guardsFail: Bool { guards?.fails ?? false }

    /// The answers of several comparisons, the gravest first.
    package static func sorted(_ answers: [DiffAnswer]) -> [DiffAnswer] {
        let order: [Relation] = [.weaker, .incomparable, .stricter, .equal]
        return order.flatMap { relation in answers.filter { $0.diff.relation == relation } }
    }
}
