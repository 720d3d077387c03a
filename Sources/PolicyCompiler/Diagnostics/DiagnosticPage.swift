/// What there is to say about a code of the catalogue, beside its title.
package struct DiagnosticPage: Hashable, Sendable {
    /// What is refused or warned of, and why; one or more lines.
    package let explanation: String
    /// Policy text that has it.
    package let bad: String
    /// The same text as it should be.
    package let good: String
    /// How to get from one to the other.
    package let fix: String
    /// What changes whether or how it is told; nil where nothing does.
    package let options: String?

    package init(
        explanation: String, bad: String, good: String, fix: String, options: String? = nil
    ) {
        self.explanation = explanation
        self.bad = bad
        self.good = good
        self.fix = fix
        self.options = options
    }
}
