/// The formats of answers, each written by one file of this folder. The format never changes the
/// exit status. Formats with a domain of their own, such as calendars, are in `DomainFormat`.
package enum AnswerFormat: String, Hashable, Sendable, CaseIterable {
    /// For a terminal, and for logs.
    case text
    /// By the answer's schema in `grammar`.
    case json
    /// One comment under a pull request, in GitHub's Markdown.
    case markdown
    /// A page for a browser, one file that fetches nothing.
    case html
    /// SARIF 2.1.0, for code scanning.
    case sarif
    /// Workflow commands, which become annotations on GitHub.
    case github
    case junit
}
