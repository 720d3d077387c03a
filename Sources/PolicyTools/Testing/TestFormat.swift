package import Rendering

extension TestReport: FormattedAnswer {
    package static let writers = FormatWriters<TestReport>([
        .answer(.text): { TextWriter.write($0.document, colour: $1.colour) },
        .answer(.json): { report, _ in TestJSON.render(report) },
        .answer(.junit): { report, _ in JUnitWriter.write(report.document) },
        .answer(.markdown): { report, _ in MarkdownWriter.write(report.document) },
        .domain(.lcov): { report, _ in
            CoverageLcov.render(report.measures.map { (coverage: $0.coverage, path: $0.path) })
        },
        .answer(.html): { report, _ in HTMLWriter.write(report.document) },
        .answer(.sarif): { report, _ in SARIFWriter.write(report.document) },
        .answer(.github): { report, _ in GitHubWriter.write(report.document) },
    ])

    private var document: Document { TestDocument(self).document() }
}
