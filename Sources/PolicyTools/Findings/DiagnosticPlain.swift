package import PolicyCompiler
import Rendering

/// Renders diagnostics as sentences without drawings and colour, in the order in which a screen
/// reader should read them. Where the text format draws an underline, this format states the place
/// in words.
package enum DiagnosticPlain {
    /// All diagnostics, each followed by an empty line, then the number of them; an empty text if
    /// there are none.
    package static func render(
        _ diagnostics: [Diagnostic], files: [SourceFile], suppressed: Int = 0
    ) -> String {
        guard !diagnostics.isEmpty else { return "" }
        return diagnostics.map { paragraph($0, files) + "\n" }.joined()
            + FindingReport.tally(diagnostics, suppressed: suppressed) + "\n"
    }

    private static func paragraph(_ diagnostic: Diagnostic, _ files: [SourceFile]) -> String {
        var lines = [
            "\(diagnostic.severity.rawValue) \(diagnostic.code.rawValue): \(diagnostic.message)"
        ]
        if let at = DiagnosticPlace(diagnostic.primary.span, in: files) {
            let label = diagnostic.primary.text.isEmpty ? "" : ": \(diagnostic.primary.text)"
            lines.append("in \(at.file.path), \(words(at))\(label)")
            lines.append("the line reads: \(source(at))")
        }
        for label in diagnostic.labels.prefix(3) {
            guard let at = DiagnosticPlace(label.span, in: files) else { continue }
            lines.append("see also \(at.file.path), \(words(at)): \(label.text)")
        }
        lines += diagnostic.help.map { "help: \($0)" } + diagnostic.notes.map { "note: \($0)" }
        return lines.map { TerminalEscape.escape($0) + "\n" }.joined()
    }

    private static func words(_ place: DiagnosticPlace) -> String {
        "line \(place.start.line), column \(place.start.column)"
    }

    /// The source line of a place, without its indentation.
    private static func source(_ place: DiagnosticPlace) -> String {
        let range = place.file.line(place.start.line - 1)
        let text = String(decoding: place.file.bytes[range], as: UTF8.self)
        return Words.shortened(String(text.drop { $0 == " " }), to: 200)
    }
}
