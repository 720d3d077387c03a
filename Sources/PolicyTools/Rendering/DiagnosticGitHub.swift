package import PolicyCompiler
import Rendering

/// Renders diagnostics as workflow commands. A runner turns these into annotations on the lines of
/// a pull request (https://docs.github.com/actions: workflow commands for GitHub Actions).
package enum DiagnosticGitHub {
    /// All diagnostics, one command on a line each; an empty text if there are none.
    package static func render(_ diagnostics: [Diagnostic], files: [SourceFile]) -> String {
        diagnostics.map { command($0, nil, files) + "\n" }.joined()
    }

    /// Suppressed findings, each a notice with its reason, for the level `audit`.
    package static func render(suppressed: [SuppressedFinding], files: [SourceFile]) -> String {
        suppressed.map { command($0.diagnostic, $0.cause, files) + "\n" }.joined()
    }

    private static func command(
        _ diagnostic: Diagnostic, _ cause: SuppressedFinding.Cause?, _ files: [SourceFile]
    ) -> String {
        var properties: [(String, String)] = []
        if let at = DiagnosticPlace(diagnostic.primary.span, in: files) {
            properties = [
                ("file", at.file.path), ("line", "\(at.start.line)"),
                ("endLine", "\(at.end.line)"),
            ]
            // GitHub takes columns only if start and end are on one line.
            if at.start.line == at.end.line {
                properties += [("col", "\(at.start.column)"), ("endColumn", "\(at.end.column)")]
            }
        }
        let title = "\(diagnostic.code.rawValue) \(diagnostic.code.slug)"
        properties.append(("title", cause == nil ? title : title + " (suppressed)"))
        let more = cause.map { ["reason: \($0.words.reason)"] }
        let message = ([diagnostic.message] + (more ?? diagnostic.help.map { "help: \($0)" }))
            .map(TerminalEscape.escape).joined(separator: "\n")
        return "::\(cause == nil ? word(for: diagnostic.severity) : "notice") "
            + properties.map { "\($0.0)=\(escape($0.1, isProperty: true))" }
            .joined(separator: ",") + "::" + escape(message, isProperty: false)
    }

    private static func word(for severity: Diagnostic.Severity) -> String {
        switch severity {
        case .error: return "error"
        case .warning: return "warning"
        case .info: return "notice"
        }
    }

    /// Escapes untrusted text for a command. All text goes through this function, so nothing in it
    /// can end the command or begin another.
    static func escape(_ text: String, isProperty: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": escaped += "%25"
            case "\r": escaped += "%0D"
            case "\n": escaped += "%0A"
            case ":" where isProperty: escaped += "%3A"
            case "," where isProperty: escaped += "%2C"
            default: TerminalEscape.append(scalar, to: &escaped)
            }
        }
        return escaped
    }
}
