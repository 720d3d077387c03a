package import Rendering
package import TrustEngine

/// A change of policy and its parts.
extension PolicyDiff {
    /// Classes of hosts that change alike.
    package struct Change: Sendable {
        package let source: Source
        /// How the new policy compares with the old policy: weaker where a field is weaker in any
        /// interval, whatever else got stricter; otherwise incomparable where a field is in any.
        package let relation: Relation
        package let intervals: [Interval]
        /// The classes, the smallest domain first, otherwise sorted by pattern.
        package let classes: [HostClass]
        /// The class whose pattern is the first.
        package let firstClass: HostClass?
        /// The hosts in patterns, in the order of `classes`.
        package let hosts: [HostText]
        /// One host of the first class.
        package let witness: Witness
        /// What decided the hosts of the first class before the new policy carved them out.
        package let former: FormerPattern?
        /// The pairs of rules that decide these classes, in the order of `classes`.
        package let rules: [RulePair]
        /// Who answers for the rules, the fewest classes first.
        package let owners: [OwnerCount]
        /// Who answers for the set that the change comes from.
        package let setOwner: String?
        /// What a reader must know of the rules by which hosts are newly trusted.
        package let terms: [Term]
        /// Where each field is written, by its path; several places where rules differ in them.
        package let places: [String: [Places]]
        /// How many of the classes are related otherwise as a whole, because other fields of theirs
        /// change too, by that relation.
        package let wholes: [Relation: Int]
        /// The fields that got stricter, by their paths in the order in which they are met, where
        /// the change is weaker or incomparable.
        package let stricterFields: StricterFields
        /// The authorities that may vouch and those that no longer may; empty where anchors do not
        /// change.
        package let authorities: AuthorityChange
        /// The files whose certificates the change adds or removes.
        package let files: [String]
        /// What an allowance must hold besides the printed values, by the path of the field: the
        /// digests of the new values or bodies, for fields whose texts do not say all.
        package let digests: [String: [String]]
        /// What the file of allowances makes of it; nil if no file is given, and for a change that
        /// is equal or stricter.
        package let allowed: AllowedChange?

        /// The allowance under which a reviewer lets the change pass, in words.
        package var allowance: String? { allowed?.text }

        /// The fields of all intervals. A field that differs in several stands here as often.
        package var fields: [Field] { intervals.flatMap(\.fields) }
    }

    /// What a change comes from.
    package enum Source: Hashable, Sendable {
        /// Rules: another rule decides, or the rule has other contents.
        case rules
        /// The contents of an anchor set with this id, which rules of both policies name.
        case anchors(String)
        /// The contents of a pin set with this id, which rules of both policies name.
        case pins(String)
    }

    /// The rule that decided and the rule that decides.
    package struct RulePair: Hashable, Sendable {
        package let old: RuleReference
        package let new: RuleReference
    }

    /// A field from its old to its new value.
    package struct Field: Hashable, Sendable {
        /// The path, as in the language: `revocation.preset`; `decision` if only one side denies.
        package let path: String
        /// How the new value compares with the old value.
        package let relation: Relation
        package let from: String
        package let to: String
        /// The consequences, one sentence part each: "TLS 1.2 is not accepted any more".
        package let remarks: [String]

        /// The path of the field if one side denies and the other does not.
        package static let decision = "decision"
    }

    /// A term on which hosts are newly trusted: an exception in force, or a field that is weaker
    /// than most rules of the old policy have it.
    package struct Term: Hashable, Sendable {
        /// The value that the rule has, and as `from` the value that it would have.
        package let field: Field
        /// The profile whose value `from` is: "profile `internal`". Nil for an exception.
        package let usual: String?

        init(_ field: Field, usual: String?) {
            self.field = field
            self.usual = usual
        }
    }

    /// How many hosts of a change somebody answers for.
    package struct OwnerCount: Hashable, Sendable {
        /// The owner of the rules; nil where they have none.
        package let owner: String?
        package let rules: Int
        package let classes: Int
    }

    /// The fields that differ from an instant on, until the next interval begins.
    package struct Interval: Hashable, Sendable {
        /// The first instant.
        package let from: UTCInstant
        /// The direction of the fields together.
        package let relation: Relation
        /// Empty where the two sides are equal.
        package let fields: [Field]
    }

    /// Where a field was written in the two policies.
    package struct Places: Hashable, Sendable {
        package let old: FieldOrigin?
        package let new: FieldOrigin?
    }

    /// The fields in which classes got stricter whose change is not stricter as a whole.
    package struct StricterFields: Hashable, Sendable {
        /// The paths, each once.
        package let paths: [String]
        /// Whether each class of the change got stricter in all of them.
        package let isOfAll: Bool

        static let none = StricterFields(paths: [], isOfAll: true)
    }
}

extension PolicyDiff.Source {
    /// The source as an id: `rules`, `anchors.web`, `pins.acme`.
    package var text: String {
        switch self {
        case .rules: return "rules"
        case .anchors(let id): return "anchors.\(id)"
        case .pins(let id): return "pins.\(id)"
        }
    }
}
