import Rendering
package import TrustEngine

/// A field of a change that is not equal or stricter, in one interval.
package struct WeakenedField: Sendable {
    package let field: PolicyDiff.Field
    /// The first instant.
    package let begins: UTCInstant
    /// What stands below the field for a reader, a line each: its remarks, and the authorities that
    /// the change adds, where the field is the one that adds them.
    let lines: [String]

    /// The weakened fields of a change in the order of its intervals.
    static func all(
        _ intervals: [PolicyDiff.Interval], of source: PolicyDiff.Source,
        authorities: PolicyDiff.AuthorityChange, digests: [String: [String]]
    ) -> [WeakenedField] {
        func adds(_ path: String) -> Bool {
            if path == "anchors" || path == PolicyDiff.Field.decision { return true }
            guard case .anchors(let id) = source else { return false }
            return path == "anchors.\(id)"
        }
        return intervals.flatMap { interval in
            interval.fields.filter { !$0.relation.isNoWeaker }.map { field in
                let added = adds(field.path) ? authorities.added : []
                let names: [String] = added.map { DiffSentences.text($0) }
                return WeakenedField(
                    field: field, begins: interval.from,
                    lines: field.remarks + names + (digests[field.path] ?? []))
            }
        }
    }
}

extension PolicyDiff.Change {
    /// Every field of every interval that is not equal or stricter.
    package var weakened: [WeakenedField] {
        WeakenedField.all(intervals, of: source, authorities: authorities, digests: digests)
    }
}
