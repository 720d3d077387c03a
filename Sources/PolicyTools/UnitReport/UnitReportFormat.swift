package import Rendering

extension UnitReportDocument: FormattedAnswer {
    package static let writers = FormatWriters<UnitReportDocument>([
        // A report without a name for its file has one page of any length.
        .answer(.html): { report, _ in
            UnitReportPages.render(report, main: "report.html", folder: "report-pages")[0].text
        },
        .answer(.json): { report, _ in UnitReportJSON.render(report) },
    ])

    package static let senseless: [AnswerFormat: String] = [
        .sarif: "a report of a unit is not a list of findings; `hawser lint` is",
        .github: "a report of a unit is not a list of findings; `hawser lint` is",
        .junit: "a report of a unit has no cases that pass or fail",
    ]
}
