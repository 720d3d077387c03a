package import Rendering

/// A comparison with the options of its text. Every format reports policies that could not be
/// compared.
package struct ToldDiff: FormattedAnswer, Sendable {
    package let report: DiffReport
    /// Whether the text counts what got stricter and what decides nothing.
    package let isSummary: Bool
    /// The columns of the text.
    package let columns: Int

    package init(_ report: DiffReport, isSummary: Bool = false, columns: Int = 80) {
        self.report = report
        self.isSummary = isSummary
        self.columns = columns
    }

    package static let writers = FormatWriters<ToldDiff>([
        .answer(.text): { answer, style in
            TextWriter.write(
                DiffText.document(
                    answer.report, isSummary: answer.isSummary, columns: answer.columns),
                colour: style.colour, columns: answer.columns)
        }, .answer(.json): { answer, _ in DiffJSON.render(answer.report) },
        .answer(.markdown): { answer, _ in MarkdownWriter.write(DiffDocument.page(answer.report)) },
        .answer(.sarif): { answer, _ in SARIFWriter.write(DiffFindings.document(answer.report)) },
        .answer(.github): { answer, _ in
            GitHubWriter.write(DiffFindings.annotations(answer.report))
        }, .answer(.html): { answer, _ in HTMLWriter.write(DiffDocument.page(answer.report)) },
    ])

    package static let senseless: [AnswerFormat: String] = [
        .junit: "a comparison has no cases that pass or fail"
    ]
}
