import Rendering

/// The formats of a forecast. The format never changes the exit status. A forecast has no cases, so
/// JUnit is not one of them.
package enum ForecastFormat: String, Hashable, Sendable, CaseIterable {
    case text
    /// `grammar/forecast.schema.json`.
    case json
    /// One comment under a pull request, in GitHub's Markdown.
    case markdown
    /// A page for a browser, one file that fetches nothing.
    case html
    /// SARIF 2.1.0, for code scanning.
    case sarif
    /// Workflow commands, which become annotations on GitHub.
    case github
    /// A calendar (RFC 5545) with an event for each change.
    case ics
    /// Samples for a Prometheus that scrapes a file (OpenMetrics 1.0).
    case openmetrics

    /// The forecast in this format.
    package func render(_ report: ForecastReport) -> String {
        switch self {
        // The text is neither coloured nor wrapped.
        case .text:
            return TextWriter.write(
                ForecastDocument.document(report), colour: .plain, columns: .max, rows: nil)
        case .json: return ForecastJSON.render(report)
        case .markdown: return MarkdownWriter.write(ForecastDocument.document(report))
        case .html: return HTMLWriter.write(ForecastDocument.document(report))
        case .sarif: return SARIFWriter.write(ForecastDocument.document(report))
        case .github: return GitHubWriter.write(ForecastDocument.document(report))
        case .ics: return ForecastCalendar.render(report)
        case .openmetrics: return ForecastMetrics.render(report)
        }
    }
}
