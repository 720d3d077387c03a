package import Rendering

/// The formats of a comparison, with one renderer each. The format never changes the exit status,
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
        case .text: return DiffFormat.page(report, colour, isSummary, columns)
        case .json: return DiffJSON.render(report)
        case .markdown: return DiffMarkdown(report).render()
        case .sarif: return SARIFWriter.write(DiffFindings.document(report))
        case .github: return GitHubWriter.write(DiffFindings.annotations(report))
        case .html: return DiffPage.render(report)
        }
    }

    private static func page(
        _ report: DiffReport, _ colour: TextWriter.Colour, _ isSummary: Bool, _ columns: Int
    ) -> String {
        switch report.outcome {
        case .notCompared(let failure):
            return TerminalEscape.escape(DiffReport.sentence(failure)) + "\n"
        case .compared(let answers):
            return answers.enumerated().map { index, answer in
                let title =
                    DiffSentences.title(index, of: answers)
                    .map { "\(index == 0 ? "" : "\n")\(TerminalEscape.escape($0))\n" } ?? ""
                return title
                    + DiffText(answer, colour: colour, isSummary: isSummary, columns: columns)
                    .render()
            }.joined()
        }
    }
}
