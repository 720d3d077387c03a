package import Rendering

extension TestReport: FormattedAnswer {
    package static let writers = FormatWriters<TestReport>([
        .answer(.text): { TestText.render($0, colour: $1.colour) },
        .answer(.json): { report, _ in TestJSON.render(report) },
        .answer(.junit): { report, _ in TestJUnit.render(report) },
        .answer(.markdown): { report, _ in TestMarkdown.render(report) },
        .domain(.lcov): { report, _ in
            CoverageLcov.render(report.measures.map { (coverage: $0.coverage, path: $0.path) })
        },
        .answer(.html): { report, _ in TestPage.render(report) },
    ])
}
