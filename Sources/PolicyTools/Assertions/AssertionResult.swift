package import PolicyCompiler
package import Rendering
package import TrustEngine

/// The answer to one assertion.
package struct AssertionResult: Sendable {
    package enum Verdict: Sendable {
        /// It holds for every class of hosts at every instant.
        case proved
        /// It does not hold: at least one refutation.
        case refuted([AssertionRefutation])
        /// It has no subject: the sentence says why. Lower case, no full stop. The span is the text
        /// that names the subject.
        case stale(String, at: SourceSpan)
    }

    package let assertion: Assertion
    /// The file that it stands in. The spans of the assertion are of this file.
    package let file: SourceFile
    /// The instants that it is about; `until` is nil where they never end.
    package let from: UTCInstant
    package let until: UTCInstant?
    /// The classes of hosts that were compared, and the intervals of all of them together.
    package let classes: Int
    package let intervals: Int
    /// The classes for which at least one demand does not hold.
    package let refuted: Int
    package let verdict: Verdict

    package var isProved: Bool {
        if case .proved = verdict { return true }
        return false
    }
}

/// Classes of hosts for which a demand does not hold, by the rule that decides them.
package struct AssertionRefutation: Sendable {
    /// The missing part of a demand.
    package struct Gap: Hashable, Sendable {
        /// The demand by its path: `tls.minimum-version`.
        package let path: String
        package let wanted: String
        package let found: String
        /// What a reader should know besides, one sentence part each.
        package let remarks: [String]
        /// Where the policy writes it.
        package let origin: FieldOrigin?
    }

    package let demand: AssertedDemand
    /// The rule that decides; `default` where the id is empty.
    package let rule: RuleReference
    /// The hosts of the first class.
    package let hosts: PolicyDiff.HostText
    package let witness: PolicyDiff.Witness
    /// The first instant at which the demand does not hold.
    package let from: UTCInstant
    /// The last instant before it holds again; nil where it does not.
    package let until: UTCInstant?
    /// At least one.
    package let gaps: [Gap]
    /// The number of further classes that the same rule decides and that the demand does not hold
    /// for.
    package internal(set) var further: Int
}
