package import Rendering

/// Every format reports assertions that could not be asked.
extension AssertionReport: FormattedAnswer {
    package static let writers = FormatWriters<AssertionReport>([
        .answer(.text): { report, _ in AssertionText.render(report) },
        .answer(.json): { report, _ in AssertionJSON.render(report) },
        .answer(.junit): { report, _ in AssertionJUnit.render(report) },
        .answer(.markdown): { report, _ in AssertionMarkdown.render(report) },
        .answer(.sarif): { report, _ in AssertionSARIF.render(report) },
        .answer(.github): { report, _ in AssertionGitHub.render(report) },
    ])
}
