package import PolicyCompiler
import Rendering

/// Renders diagnostics as workflow commands. A runner turns these into annotations on the lines of
/// a pull request (https://docs.github.com/actions: workflow commands for GitHub Actions).
///
/// GitHub shows ten annotations of each kind that a step writes, and drops the others without a
/// word. So at most ten of a kind are written. If some are left out, the last annotation is a
/// notice that says how many findings there are; it is one of the ten notices.
package enum DiagnosticGitHub {
    private typealias Kind = WorkflowCommand.Kind

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
        guard lines.contains(where: { $0.count > WorkflowCommand.most }) else {
            return lines.joined().map { $0 + "\n" }.joined()
        }
        let told = zip(Kind.allCases, lines).map { kind, lines in
            lines.prefix(kind == .notice ? WorkflowCommand.most - 1 : WorkflowCommand.most)
        }
        let total = lines.reduce(0) { $0 + $1.count }
        let counts = zip(Kind.allCases, lines).filter { !$1.isEmpty }
            .map { Words.count($1.count, $0.rawValue) }
        let shown = told.reduce(0) { $0 + $1.count }
        let sum =
            "\(Words.count(total, "finding")) in all: "
            + "\(counts.joined(separator: ", ")); \(shown) of them are annotations, because GitHub "
            + "shows \(WorkflowCommand.most) of each kind"
        let notice = WorkflowCommand.line(.notice, [("title", "hawser")], sum)
        return (told.joined() + [notice]).map { $0 + "\n" }.joined()
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
        return WorkflowCommand.line(kind, properties, message)
    }
}

extension WorkflowCommand.Kind {
    /// The kind of annotation of a severity.
    fileprivate init(_ severity: Diagnostic.Severity) {
        switch severity {
        case .error: self = .error
        case .warning: self = .warning
        case .info: self = .notice
        }
    }
}
