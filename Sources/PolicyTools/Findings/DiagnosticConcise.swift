package import PolicyCompiler
import Rendering

/// Renders each diagnostic as one line: `policy.yaml:9:24: error[HW402]: …; help: …`. Tools that
/// parse the lines of a compiler can parse these.
package enum DiagnosticConcise {
    /// All diagnostics, one line each; an empty text if there are none.
    package static func render(_ diagnostics: [Diagnostic], files: [SourceFile]) -> String {
        diagnostics.map { line($0, files) + "\n" }.joined()
    }

    private static func line(_ diagnostic: Diagnostic, _ files: [SourceFile]) -> String {
        var place = ""
        if let at = DiagnosticPlace(diagnostic.primary.span, in: files) {
            place = "\(at.file.path):\(at.start.line):\(at.start.column): "
        }
        let help = diagnostic.help.first.map { "; help: \($0)" } ?? ""
        return TerminalEscape.escape(
            "\(place)\(diagnostic.severity.rawValue)[\(diagnostic.code.rawValue)]: "
                + diagnostic.message + help)
    }
}
