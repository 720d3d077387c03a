package import TrustEngine

/// What a change of policy does: for which hosts, from when on, through which line (REVIEW section
/// 2). Exact: every host and port belongs to one class, and every class is compared at every
/// instant from `since` on. `DiffQuestion.compare` makes it, and nothing is added afterwards.
package struct PolicyDiff: Sendable {
    package let question: DiffQuestion
    /// By kind (`ChangeKind`), and within a kind so that none hides behind others (`ChangeOrder`).
    package let changes: [Change]
    package let surfaces: [Surface]
    /// Who must approve what the policies change.
    package let approvals: Approvals
    package let idle: [IdleChange]
    package let counts: Counts

    package var old: DiffSide { question.old }
    package var new: DiffSide { question.new }
    /// The instant from which on the policies are compared.
    package var since: UTCInstant { question.since }
    /// The folder of the unit, where it is another one than was asked for.
    package var unit: String? { question.options.unit }

    /// How the whole new policy compares with the old one, for the exit status.
    package var relation: Relation {
        if counts.weaker > 0 { return .weaker }
        if counts.incomparable > 0 { return .incomparable }
        return counts.stricter > 0 ? .stricter : .equal
    }

    /// Whether no class accepts more than before, but for what the allowances let pass.
    package var isNoWeakerButForAllowed: Bool {
        if relation.isNoWeaker { return true }
        let weak = changes.filter { !$0.relation.isNoWeaker }
        guard weak.allSatisfy({ $0.allowance != nil }) else { return false }
        // A class that is counted and told by no change can be allowed by nothing.
        return Set(weak.flatMap(\.classes)).count == counts.weaker + counts.incomparable
    }

    /// A change that decides nothing.
    package struct IdleChange: Hashable, Sendable {
        /// The sentence, in the words of the language.
        package let sentence: String
        package let location: Provenance.Location?
    }

    /// How many classes were compared, and how many of them the new policy decides otherwise.
    package struct Counts: Hashable, Sendable {
        package internal(set) var classes = 0
        package internal(set) var intervals = 0
        package internal(set) var weaker = 0
        package internal(set) var incomparable = 0
        package internal(set) var stricter = 0
        package var equal: Int { classes - weaker - incomparable - stricter }
    }
}
