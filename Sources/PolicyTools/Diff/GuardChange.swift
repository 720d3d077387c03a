package import TrustEngine

/// The kinds of files and comments that hold a policy to something, in the order in which they are
/// listed.
package enum GuardKind: String, Hashable, Sendable, CaseIterable {
    /// An entry of a file of assertions.
    case assertion
    /// A case of a test file.
    case test
    /// An entry of a file of allowances.
    case allowance
    /// A finding that a baseline of `lint` hides.
    case baseline
    /// A comment that hides findings of `lint`.
    case ignoreComment = "ignore-comment"
    /// An entry of a file of exports.
    case export
    /// A workflow or a hook that calls hawser.
    case workflow
}

/// A change of something that guards a policy.
package struct GuardChange: Hashable, Sendable {
    /// A line of one of the two sides.
    package struct Place: Hashable, Sendable {
        /// The path from the folder in which the report is read.
        package let file: String
        package let line: Int
        package let column: Int
        /// Whether it is a line of the new side.
        package let isNew: Bool

        /// `policy.assert.yaml:4:3`.
        package var text: String { "\(file):\(line):\(column)" }
    }

    package let kind: GuardKind
    /// How the new guard compares with the old guard. Never `equal`. `incomparable` stands for a
    /// change that is neither known to guard more nor to guard less.
    package let relation: Relation
    /// The name of the guard, or the path of its file.
    package let name: String
    /// What happened to the guard, in one sentence. Lower case, no full stop.
    package let sentence: String
    /// What changed, a line each.
    package let details: [String]
    package let place: Place?
    /// The owner of the guard in the old and in the new policy; nil without an owner.
    package let oldOwner: String?
    package let newOwner: String?
    /// Whether it is an allowance that a change of this very comparison needs.
    package let isOfThisChange: Bool

    init(
        _ kind: GuardKind, _ relation: Relation, name: String, _ sentence: String,
        details: [String] = [], place: Place?, oldOwner: String? = nil, newOwner: String? = nil,
        isOfThisChange: Bool = false
    ) {
        self.kind = kind
        self.relation = relation
        self.name = name
        self.sentence = sentence
        self.details = details
        self.place = place
        self.oldOwner = oldOwner
        self.newOwner = newOwner
        self.isOfThisChange = isOfThisChange
    }

    /// Whether `--require no-weaker` is not met because of it.
    package var fails: Bool { relation == .weaker && !isOfThisChange }

    /// Whether a person must agree to it.
    package var needsApproval: Bool { !relation.isNoWeaker }

    /// The place in a list: what fails a check comes first.
    fileprivate var rank: Int {
        switch relation {
        case .weaker: return isOfThisChange ? 1 : 0
        case .incomparable: return 2
        case .stricter: return 3
        case .equal: return 4
        }
    }

    /// Changes by gravity, then by kind, file and line.
    static func sorted(_ changes: [GuardChange]) -> [GuardChange] {
        func key(_ one: GuardChange) -> (Int, Int, String, Int, String) {
            (
                one.rank, GuardKind.allCases.firstIndex(of: one.kind) ?? 0, one.place?.file ?? "",
                one.place?.line ?? 0, one.name
            )
        }
        return changes.sorted { key($0) < key($1) }
    }
}

/// The answer about the guards of two sides.
package enum GuardAnswer: Hashable, Sendable {
    /// The changes, the gravest first; empty where no guard changed.
    case compared([GuardChange])
    /// Why the answer is missing. It never means "no changes".
    case notCompared(String)

    /// The changes; none where nothing was compared.
    package var changes: [GuardChange] {
        switch self {
        case .compared(let changes): return changes
        case .notCompared: return []
        }
    }

    /// Whether `--require no-weaker` is not met because of a guard.
    package var fails: Bool { changes.contains(where: \.fails) }
}
