package import TrustEngine

/// Who answers for the rule of a verdict, and what its author wrote beside it. Both are free text
/// of the policy and no part of the trace or of the policy digest, so the table is asked.
package struct RuleAuthors: Hashable, Sendable {
    /// The rule's `owner`; nil when the rule names none, and when no table is at hand.
    package let owner: String?
    /// The rule's `note`.
    package let note: String?
    /// Whether a table was at hand that holds the rule, so that a missing owner means that none is
    /// written.
    package let isKnown: Bool

    /// The owner and note of the rule in a trace, from the table that judged.
    package init(_ outline: TraceOutline, _ table: PolicyTable?) {
        guard let rule = outline.rule, let table,
            table.policyDigest == outline.engine?.policyDigest
        else {
            owner = nil
            note = nil
            isKnown = outline.rule?.selection == .defaultDeny
            return
        }
        let index: Int?
        switch rule.selection {
        case .pattern: index = RuleCoverage.match(outline, table).map { Int($0.rule) }
        case .defaultBody: index = table.deniesByDefault ? nil : table.ruleCount
        case .defaultDeny: index = nil
        }
        owner = index.flatMap { table.owner(ofRule: $0) }
        note = index.flatMap { table.note(ofRule: $0) }
        isKnown = index != nil || rule.selection == .defaultDeny
    }
}
