package import PolicyCompiler
import Rendering

/// One line a finding: `policy.yaml:9:24: error[HW402]: …; help: …`. What matches a line of a compiler
/// matches these.
package enum DiagnosticConcise {
    /// All of them, a line each; empty text for none.
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
