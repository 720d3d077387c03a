package import Rendering

extension ForecastReport: FormattedAnswer {
    package static let writers = FormatWriters<ForecastReport>([
        // The text is neither coloured nor wrapped.
        .answer(.text): { report, _ in
            TextWriter.write(
                ForecastDocument.document(report), colour: .plain, columns: .max, rows: nil)
        },
        .answer(.json): { report, _ in ForecastJSON.render(report) },
        .answer(.markdown): { report, _ in
            MarkdownWriter.write(ForecastDocument.document(report))
        },
        .answer(.html): { report, _ in HTMLWriter.write(ForecastDocument.document(report)) },
        .answer(.sarif): { report, _ in SARIFWriter.write(ForecastDocument.document(report)) },
        .answer(.github): { report, _ in GitHubWriter.write(ForecastDocument.document(report)) },
        .domain(.ics): { report, _ in ForecastCalendar.render(report) },
        .domain(.openmetrics): { report, _ in ForecastMetrics.render(report) },
    ])

    package static let senseless: [AnswerFormat: String] = [
        .junit: "a date is neither passed nor failed"
    ]
}
