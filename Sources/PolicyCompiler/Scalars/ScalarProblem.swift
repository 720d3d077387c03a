/// Why a scalar is not of the micro-grammar its field takes (LANGUAGE section 11): what a scanner
/// throws and the binder turns into a diagnostic at the right characters.
package struct ScalarProblem: Error, Hashable, Sendable {
    package var code: DiagnosticCode
    /// Names the value found and what would be right; lower case, no full stop.
    package var message: String
    /// Byte offsets into the text at fault, or nil for all of it.
    package var range: Range<Int>?
    package var help: [String]
    package var notes: [String]

    package init(
        _ code: DiagnosticCode, _ message: String, range: Range<Int>? = nil, help: [String] = [],
        notes: [String] = []
    ) {
        self.code = code
        self.message = message
        self.range = range
        self.help = help
        self.notes = notes
    }
}
