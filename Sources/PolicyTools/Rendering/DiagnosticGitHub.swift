package import PolicyCompiler
import Rendering

/// Renders diagnostics as workflow commands. A runner turns these into annotations on the lines of
/// a pull request (https://docs.github.com/actions: workflow commands for GitHub Actions).
///
/// GitHub shows ten annotations of each kind that a step writes, and drops the others without a
/// word. So at most ten of a kind are written. If some are left out, the last annotation is a
/// notice that says how many findings there are; it is one of the ten notices.
package enum DiagnosticGitHub {
    /// Diagnostics, one command on a line each: errors first, then warnings, then notices, in
    /// source order. Suppressed findings follow, each a notice with its reason. An empty text if
    /// there are none.
    package static func render(
        _ diagnostics: [Diagnostic], suppressed: [SuppressedFinding] = [], files: [SourceFile]
    ) -> String {
        let lines = Kind.allCases.map { kind in
            diagnostics.filter { Kind($0.severity) == kind }.map { command($0, nil, files) }
                + (kind == .notice
                    ? suppressed.map { command($0.diagnostic, $0.cause, files) } : [])
        }
        guard lines.contains(where: { $0.count > most }) else {
            return lines.joined().map { $0 + "\n" }.joined()
        }
        let told = zip(Kind.allCases, lines).map { kind, lines in
            lines.prefix(kind == .notice ? most - 1 : most)
        }
        let total = lines.reduce(0) { $0 + $1.count }
        let counts = zip(Kind.allCases, lines).filter { !$1.isEmpty }
            .map { ViolationSentences.count($1.count, $0.rawValue) }
        let shown = told.reduce(0) { $0 + $1.count }
        let sum =
            "::notice title=hawser::\(ViolationSentences.count(total, "finding")) in all: "
            + "\(counts.joined(separator: ", ")); \(shown) of them are annotations, because GitHub "
            + "shows \(most) of each kind"
        return (told.joined() + [sum]).map { $0 + "\n" }.joined()
    }

    /// The annotations of one kind that GitHub shows of a step
    /// (https://docs.github.com/actions: limitations of annotations).
    private static let most = 10

    /// The kinds of annotation, the worst first.
    private enum Kind: String, CaseIterable {
        case error, warning, notice

        init(_ severity: Diagnostic.Severity) {
            switch severity {
            case .error: self = .error
            case .warning: self = .warning
            case .info: self = .notice
            }
        }
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
        let kind = cause == nil ? Kind(diagnostic.severity) : .notice
        return "::\(kind.rawValue) "
            + properties.map { "\($0.0)=\(escape($0.1, isProperty: true))" }
            .joined(separator: ",") + "::" + escape(message, isProperty: false)
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
