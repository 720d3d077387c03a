package import PolicyCompiler
package import Rendering

/// One field of a case that came out otherwise than expected.
package struct TestMismatch: Hashable, Sendable {
    /// The key under `expect`: `rule`, `pins`, `revocation.preset`, `verdict`.
    package let field: String
    /// What the test expects, on one line.
    package let expected: String
    /// What came out, on one line.
    package let got: String
    /// The places in the policy that made it, each with its layer; empty where no file has them.
    package let origins: [String]
    /// The value in the test file that did not hold.
    package let place: SourceSpan
    /// What came out, to be written into the test file; nil where no value would be right there.
    package let update: JSONValue?
}

/// What came out of one case.
package struct TestOutcome: Sendable {
    /// Empty for a case that passed.
    package var mismatches: [TestMismatch]
    package let observation: CaseObservation
    /// The first line of `explain`; nil for a case that passed, or that states only what the policy
    /// says.
    package var firstLine: String?
    /// Whether `evaluate`, `explain` and the replay of the trace reached one verdict. If not, it is
    /// a fault of hawser.
    package var agrees = true

    package var passes: Bool { mismatches.isEmpty && agrees }

    package init(_ mismatches: [TestMismatch], _ observation: CaseObservation) {
        self.mismatches = mismatches
        self.observation = observation
    }
}
