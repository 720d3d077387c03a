import TrustEngine

/// The rules that decide one class in the two tables, by their indices; `HostClass.byDefault` for
/// `default`.
struct DecidingPair: Hashable {
    let old: Int
    let new: Int
}

/// What one field does from the instant of comparison to the end of time, for a pair of rules.
struct FieldTimeline: Hashable {
    struct Name: Hashable {
        let source: PolicyDiff.Source
        let path: String
        /// What tells fields of one path apart: the day from which on it holds, or a number.
        let part: String
    }

    /// The field from an instant on; nil where the two sides are equal in it.
    struct Entry: Hashable {
        let from: UTCInstant
        let field: PolicyDiff.Field?
    }

    let name: Name
    let entries: [Entry]
    let authorities: PolicyDiff.AuthorityChange
    /// What a reader must know besides, where the field says that hosts are newly trusted.
    let terms: [PolicyDiff.Term]
}
