/// The formats of the answers to assertions, with one renderer each. The format never changes the
/// exit status, and each says of what was not asked that it was not.
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

    /// The answer in this format.
    package func render(_ report: AssertionReport) -> String {
        switch self {
        case .text: return AssertionText.render(report)
        case .json: return AssertionJSON.render(report)
        case .junit: return AssertionJUnit.render(report)
        case .markdown: return AssertionMarkdown.render(report)
        case .sarif: return AssertionSARIF.render(report)
        case .github: return AssertionGitHub.render(report)
        }
    }
}
