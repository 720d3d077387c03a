package import Rendering

/// The formats of a run of tests. The format never changes the exit status.
package enum TestFormat: String, Hashable, Sendable, CaseIterable {
    /// What failed, for a terminal.
    case text
    /// `grammar/test-report.schema.json`.
    case json
    /// JUnit, for continuous integration.
    case junit
    /// One page for a summary or a comment.
    case markdown
    /// Which lines of the policy cases ask, as trace files of lcov.
    case lcov
    /// A page for a browser, one file that fetches nothing.
    case html
    /// SARIF 2.1.0, for code scanning.
    case sarif
    /// Workflow commands, which become annotations on GitHub.
    case github

    /// The report in this format. `colour` is only for the text.
    package func render(_ report: TestReport, colour: TextWriter.Colour = .plain) -> String {
        func document() -> Document { TestDocument(report).document() }
        switch self {
        case .text: return TextWriter.write(document(), colour: colour)
        case .json: return TestJSON.render(report)
        case .junit: return JUnitWriter.write(document())
        case .markdown: return MarkdownWriter.write(document())
        case .lcov:
            return CoverageLcov.render(
                report.measures.map { (coverage: $0.coverage, path: $0.path) })
        case .html: return HTMLWriter.write(document())
        case .sarif: return SARIFWriter.write(document())
        case .github: return GitHubWriter.write(document())
        }
    }
}
