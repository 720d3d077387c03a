package import PolicyCompiler
package import Rendering

/// How findings on policy text are written, one renderer each. The format never changes the exit status.
package enum DiagnosticFormat: String, Hashable, Sendable, CaseIterable {
    /// Source lines with their underlines, for a terminal.
    case text
    /// One line a finding, as compilers and editors write them.
    case concise
    /// Sentences without drawing, for screen readers and logs.
    case plain
    case json
    /// One JSON object a line and finding.
    case jsonl
    /// SARIF 2.1.0, for code scanning.
    case sarif
    /// Workflow commands that become annotations.
    case github
    case junit

    /// Whether the format is a document of its own, which is written also when nothing was found.
    package var isDocument: Bool {
        switch self {
        case .json, .sarif, .junit: return true
        case .text, .concise, .plain, .jsonl, .github: return false
        }
    }

    /// All findings of a run. `files` are those that spans index into, `trees` their syntax in the same
    /// order, as far as it goes.
    package func render(
        _ diagnostics: [Diagnostic], files: [SourceFile], trees: [SyntaxTree],
        colour: TraceText.Colour, version: String
    ) -> String {
        render(
            FindingReport(diagnostics, files: files, trees: trees), colour: colour,
            version: version)
    }

    /// The same with what is not told.
    package func render(
        _ report: FindingReport, colour: TraceText.Colour, version: String
    ) -> String {
        let (findings, files) = (report.findings, report.files)
        switch self {
        case .text:
            return DiagnosticText(files: files, colour: colour)
                .render(findings, suppressed: report.suppressed.count)
        case .concise: return DiagnosticConcise.render(findings, files: files)
        case .plain:
            return DiagnosticPlain.render(
                findings, files: files, suppressed: report.suppressed.count)
        case .json: return DiagnosticJSON.render(report)
        case .jsonl: return DiagnosticJSON.renderLines(findings, files: files)
        case .sarif: return DiagnosticSARIF(report, version: version).render()
        case .github: return DiagnosticGitHub.render(findings, files: files)
        case .junit: return DiagnosticJUnit.render(report)
        }
    }

    /// The suppressed findings of a run, to follow the others for whoever audits; empty for a document,
    /// which holds them already.
    package func renderSuppressed(_ report: FindingReport) -> String {
        switch self {
        case .text, .concise, .plain: return report.suppressedText
        case .jsonl: return DiagnosticJSON.renderLines(suppressed: report)
        case .github:
            return DiagnosticGitHub.render(suppressed: report.suppressed, files: report.files)
        case .json, .sarif, .junit: return ""
        }
    }
}

/// A diagnostic's place as formats name it: lines and columns from 1, columns in Unicode scalars.
struct DiagnosticPlace {
    let file: SourceFile
    let start: SourcePosition
    /// Past the last character.
    let end: SourcePosition

    /// Nil for a place that no file holds.
    init?(_ span: SourceSpan, in files: [SourceFile]) {
        guard files.indices.contains(Int(span.file)) else { return nil }
        file = files[Int(span.file)]
        start = file.position(of: Int(span.start))
        end = file.position(of: Int(max(span.start, span.end)))
    }
}
