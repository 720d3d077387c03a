package import Rendering

/// The formats of a comparison. The format never changes the exit status,
/// and each says of what was not compared that it was not.
package enum DiffFormat: String, Hashable, Sendable, CaseIterable {
    /// Shaped like a plan, for a terminal.
    case text
    /// `grammar/diff.schema.json`.
    case json
    /// One comment under a pull request.
    case markdown
    /// SARIF 2.1.0, for code scanning.
    case sarif
    /// Workflow commands, which become annotations on GitHub.
    case github
    /// A page for a browser, one file that fetches nothing.
    case html

    /// The answer in this format. Only the text uses `colour`, `isSummary` and `columns`.
    package func render(
        _ report: DiffReport, colour: TextWriter.Colour, isSummary: Bool, columns: Int = 80
    ) -> String {
        switch self {
        case .text:
            return TextWriter.write(
                DiffText.document(report, isSummary: isSummary, columns: columns),
                colour: colour, columns: columns)
        case .json: return DiffJSON.render(report)
        case .markdown: return MarkdownWriter.write(DiffDocument.page(report))
        case .sarif: return SARIFWriter.write(DiffFindings.document(report))
        case .github: return GitHubWriter.write(DiffFindings.annotations(report))
        case .html: return HTMLWriter.write(DiffDocument.page(report))
        }
    }
}
