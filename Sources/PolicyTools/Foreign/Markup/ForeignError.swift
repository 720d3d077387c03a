package import PolicyCompiler

/// Why a file of another system is refused: the place and the words of a diagnostic.
package struct ForeignError: Error, Hashable, Sendable {
    package let code: DiagnosticCode
    /// The fault and the remedy. Lower case, no full stop. Not escaped.
    package let message: String
    /// The octets that are wrong, in the file.
    package let range: Range<Int>
    package let help: [String]

    package init(
        _ code: DiagnosticCode, _ message: String, at range: Range<Int>, help: [String] = []
    ) {
        self.code = code
        self.message = message
        self.range = range
        self.help = help
    }

    /// The refusal of an object that the API server of Kubernetes refuses, too.
    static func refusedByServer(_ message: String, at range: Range<Int>) -> ForeignError {
        ForeignError(
            .configurationRefused, message, at: range, help: ["the API server refuses the object"])
    }

    /// The error as a finding in the only file of an import.
    package var diagnostic: Diagnostic {
        Diagnostic(code, message, at: Diagnostic.Label(range.foreignSpan), help: help)
    }
}

extension Range<Int> {
    /// The range as a span in the only file of an import.
    package var foreignSpan: SourceSpan { SourceSpan(file: 0, start: lowerBound, end: upperBound) }
}
