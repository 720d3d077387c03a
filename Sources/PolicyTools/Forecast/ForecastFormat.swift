/// The formats of a forecast, with one renderer each. The format never changes the exit status.
package enum ForecastFormat: String, Hashable, Sendable, CaseIterable {
    case text
    /// `grammar/forecast.schema.json`.
    case json
    /// A calendar (RFC 5545) with an event for each change.
    case ics
    /// Samples for a Prometheus that scrapes a file (OpenMetrics 1.0).
    case openmetrics
    /// A page for a browser, one file that fetches nothing.
    case html

    /// The forecast in this format.
    package func render(_ report: ForecastReport) -> String {
        switch self {
        case .text: return ForecastText.render(report)
        case .json: return ForecastJSON.render(report)
        case .ics: return ForecastCalendar.render(report)
        case .openmetrics: return ForecastMetrics.render(report)
        case .html: return ForecastPage.render(report)
        }
    }
}
