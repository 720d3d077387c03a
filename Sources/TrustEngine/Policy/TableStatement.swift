/// What the envelope of a table states of the table: its revision, its terms, and who signed it. It
/// serves the words of an explanation and decides nothing.
package struct TableStatement: Hashable, Sendable {
    /// The table's revision.
    package let revision: UInt64
    /// When the table was issued and until when it may be used; nil where it states neither.
    package let terms: TableTerms?
    /// The ids of the keys that signed the table, as `hawser sign` prints them. Where no keys are
    /// trusted, the keys that the envelope names.
    package let signers: [Digest]
    /// Whether the signatures of `signers` were verified. Otherwise anybody can have written the
    /// envelope.
    package let isVerified: Bool

    /// Makes a statement.
    package init(revision: UInt64, terms: TableTerms?, signers: [Digest], isVerified: Bool) {
        self.revision = revision
        self.terms = terms
        self.signers = signers
        self.isVerified = isVerified
    }
}
