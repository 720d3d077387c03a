package import Rendering

extension ForecastReport: FormattedAnswer {
    package static let writers = FormatWriters<ForecastReport>([
        .answer(.text): { report, _ in ForecastText.render(report) },
        .answer(.json): { report, _ in ForecastJSON.render(report) },
        .domain(.ics): { report, _ in ForecastCalendar.render(report) },
        .domain(.openmetrics): { report, _ in ForecastMetrics.render(report) },
        .answer(.html): { report, _ in ForecastPage.render(report) },
    ])

    package static let senseless: [AnswerFormat: String] = [
        .junit: "a date is neither passed nor failed"
    ]
}
