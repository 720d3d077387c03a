package import Rendering

/// The formats of a run of tests, with one renderer each. The format never changes the exit status.
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

    /// The report in this format. `colour` is only for the text.
    package func render(_ report: TestReport, colour: TextWriter.Colour = .plain) -> String {
        switch self {
        case .text: return TestText.render(report, colour: colour)
        case .json: return TestJSON.render(report)
        case .junit: return TestJUnit.render(report)
        case .markdown: return TestMarkdown.render(report)
        case .lcov:
            return CoverageLcov.render(
                report.measures.map { (coverage: $0.coverage, path: $0.path) })
        case .html: return TestPage.render(report)
        }
    }
}
