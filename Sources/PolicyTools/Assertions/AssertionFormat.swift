import Rendering

/// The formats of the answers to assertions. The format never changes the exit status.
package enum AssertionFormat: String, Hashable, Sendable, CaseIterable {
    case text
    /// `grammar/assert-report.schema.json`.
    case json
    case junit
    /// One comment under a pull request.
    case markdown
    /// SARIF 2.1.0, for code scanning.
    case sarif
    /// Workflow commands, which become annotations on GitHub.
    case github
    /// A page for a browser, one file that fetches nothing.
    case html

    /// The answer in this format.
    package func render(_ report: AssertionReport) -> String {
        func document() -> Document { AssertionDocument(report).document() }
        switch self {
        case .text: return TextWriter.write(document())
        case .json: return AssertionJSON.render(report)
        case .junit: return JUnitWriter.write(document())
        case .markdown: return MarkdownWriter.write(document())
        case .sarif: return SARIFWriter.write(document())
        case .github: return GitHubWriter.write(document())
        case .html: return HTMLWriter.write(document())
        }
    }
}
