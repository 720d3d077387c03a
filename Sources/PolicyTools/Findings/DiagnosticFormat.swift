package import PolicyCompiler
package import Rendering

/// The formats of diagnostics, with one renderer each. The format never changes the exit status.
package enum DiagnosticFormat: String, Hashable, Sendable, CaseIterable {
    /// Source lines with underlines, for a terminal.
    case text
    /// One line for each diagnostic, as compilers and editors write them.
    case concise
    /// Sentences without drawings, for screen readers and logs.
    case plain
    case json
    /// One JSON object on a line for each diagnostic.
    case jsonl
    /// SARIF 2.1.0, for code scanning.
    case sarif
    /// Workflow commands, which become annotations on GitHub.
    case github
    case junit
    /// A page for a browser, one file that fetches nothing.
    case html

    /// Whether the format is a complete document, which is also written without diagnostics.
    package var isDocument: Bool {
        switch self {
        case .json, .sarif, .junit, .html: return true
        case .text, .concise, .plain, .jsonl, .github: return false
        }
    }

    /// All diagnostics of a run. `files` are the files that spans index; `trees` are their syntax,
    /// in the same order, as far as they could be parsed. `version` is the tool's, by Semantic
    /// Versioning.
    package func render(
        _ diagnostics: [Diagnostic], files: [SourceFile], trees: [SyntaxTree],
        colour: TextWriter.Colour, version: String
    ) -> String {
        render(
            FindingReport(diagnostics, files: files, trees: trees), colour: colour,
            version: version)
    }

    /// A report, with its suppressed findings where the format has a form for them. With
    /// `listsSuppressed` every format lists them, as the level `audit` does.
    package func render(
        _ report: FindingReport, colour: TextWriter.Colour, version: String,
        listsSuppressed: Bool = false
    ) -> String {
        let told =
            isDocument || !report.findings.isEmpty || self == .github
            ? render(told: report, colour, version, listsSuppressed) : ""
        return listsSuppressed ? told + renderSuppressed(report) : told
    }

    private func render(
        told report: FindingReport, _ colour: TextWriter.Colour, _ version: String,
        _ listsSuppressed: Bool
    ) -> String {
        let (findings, files) = (report.findings, report.files)
        func document(_ parts: Set<LintDocument.Part>) -> Document {
            LintDocument.document(
                report, parts, version: version, listsSuppressed: listsSuppressed)
        }
        switch self {
        case .text:
            return TextWriter.write(document([.text]), colour: colour)
        case .concise: return DiagnosticConcise.render(findings, files: files)
        case .plain:
            return DiagnosticPlain.render(
                findings, files: files, suppressed: report.suppressed.count)
        case .json: return DiagnosticJSON.render(report)
        case .jsonl: return DiagnosticJSON.renderLines(findings, files: files)
        case .sarif: return SARIFWriter.write(document([.findings, .rules]))
        case .github: return GitHubWriter.write(document([.findings]))
        case .junit: return JUnitWriter.write(document([.suites]))
        case .html: return HTMLWriter.write(document([.page]))
        }
    }

    /// The suppressed findings of a run, printed after the others. Empty for a format that contains
    /// them already.
    private func renderSuppressed(_ report: FindingReport) -> String {
        switch self {
        case .text, .concise, .plain: return report.suppressedText
        case .jsonl: return DiagnosticJSON.renderLines(suppressed: report)
        case .json, .sarif, .github, .junit, .html: return ""
        }
    }
}
