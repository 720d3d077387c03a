package import Rendering

/// Every format reports assertions that could not be asked.
extension AssertionReport: FormattedAnswer {
    package static let writers = FormatWriters<AssertionReport>([
        .answer(.text): { report, _ in TextWriter.write(report.document) },
        .answer(.json): { report, _ in AssertionJSON.render(report) },
        .answer(.junit): { report, _ in JUnitWriter.write(report.document) },
        .answer(.markdown): { report, _ in MarkdownWriter.write(report.document) },
        .answer(.sarif): { report, _ in SARIFWriter.write(report.document) },
        .answer(.github): { report, _ in GitHubWriter.write(report.document) },
        .answer(.html): { report, _ in HTMLWriter.write(report.document) },
    ])

    private var document: Document { AssertionDocument(self).document() }
}
