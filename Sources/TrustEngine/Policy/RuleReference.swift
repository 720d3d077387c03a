/// A rule as answers name it. `default` has the empty id.
package struct RuleReference: Hashable, Sendable {
    package let id: String
    /// The owner; nil where the rule names none.
    package let owner: String?
    /// Where the rule is written; nil where that is not known.
    package let location: Provenance.Location?

    package init(id: String, owner: String?, location: Provenance.Location?) {
        self.id = id
        self.owner = owner
        self.location = location
    }
}
