/// The page of a code in the catalogue, without its title.
package struct DiagnosticPage: Hashable, Sendable {
    /// What the diagnostic refuses or warns of, and why. One or more lines.
    package let explanation: String
    /// Policy text that has the diagnostic.
    package let bad: String
    /// The same text, corrected.
    package let good: String
    /// How to correct it.
    package let fix: String
    /// What changes whether or how the diagnostic is reported; nil if nothing does.
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
