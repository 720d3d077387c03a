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
        .answer(.text): { $0.text($1.colour) },
        .answer(.json): { answer, _ in DiffJSON.render(answer.report) },
        .answer(.markdown): { answer, _ in DiffMarkdown(answer.report).render() },
        .answer(.sarif): { answer, _ in SARIFWriter.write(DiffFindings.document(answer.report)) },
        .answer(.github): { answer, _ in GitHubWriter.write(DiffFindings.annotations(answer.report))
        },
        .answer(.html): { answer, _ in DiffPage.render(answer.report) },
    ])

    package static let senseless: [AnswerFormat: String] = [
        .junit: "a comparison has no cases that pass or fail"
    ]

    private func text(_ colour: TextWriter.Colour) -> String {
        switch report.outcome {
        case .notCompared(let failure):
            return TerminalEscape.escape(DiffReport.sentence(failure)) + "\n"
        case .compared(let answers):
            return answers.enumerated().map { index, answer in
                let title =
                    DiffSentences.title(index, of: answers)
                    .map { "\(index == 0 ? "" : "\n")\(TerminalEscape.escape($0))\n" } ?? ""
                return title
                    + DiffText(answer, colour: colour, isSummary: isSummary, columns: columns)
                    .render()
            }.joined()
        }
    }
}
