import PolicyCompiler
package import Rendering

/// The findings of a run, with the options of their formats.
package struct FindingAnswer: FormattedAnswer {
    private let report: FindingReport
    private let version: String
    private let listsSuppressed: Bool

    /// - Parameters:
    ///   - version: the version of the tool, by Semantic Versioning.
    ///   - listsSuppressed: whether every format lists the suppressed findings, as the level
    ///     `audit` does. Otherwise they are listed where the format has a form for them.
    package init(_ report: FindingReport, version: String, listsSuppressed: Bool = false) {
        self.report = report
        self.version = version
        self.listsSuppressed = listsSuppressed
    }

    /// Formats that are complete documents are written without findings, too. The others are then
    /// empty.
    package static let writers = FormatWriters<FindingAnswer>([
        .answer(.text): { answer, style in
            answer.lines(
                TextWriter.write(answer.document([.text]), colour: style.colour),
                suppressed: answer.report.suppressedText)
        },
        .domain(.concise): { answer, _ in
            answer.lines(
                DiagnosticConcise.render(answer.report.findings, files: answer.report.files),
                suppressed: answer.report.suppressedText)
        },
        .domain(.plain): { answer, _ in
            let report = answer.report
            return answer.lines(
                DiagnosticPlain.render(
                    report.findings, files: report.files, suppressed: report.suppressed.count),
                suppressed: report.suppressedText)
        },
        .answer(.json): { answer, _ in DiagnosticJSON.render(answer.report) },
        .domain(.jsonl): { answer, _ in
            answer.lines(
                DiagnosticJSON.renderLines(answer.report.findings, files: answer.report.files),
                suppressed: DiagnosticJSON.renderLines(suppressed: answer.report))
        },
        .answer(.sarif): { answer, _ in SARIFWriter.write(answer.document([.findings, .rules])) },
        .answer(.github): { answer, _ in GitHubWriter.write(answer.document([.findings])) },
        .answer(.junit): { answer, _ in JUnitWriter.write(answer.document([.suites])) },
        .answer(.markdown): { answer, _ in MarkdownWriter.write(answer.document([.page])) },
        .answer(.html): { answer, _ in HTMLWriter.write(answer.document([.page])) },
    ])

    private func document(_ parts: Set<LintDocument.Part>) -> Document {
        LintDocument.document(report, parts, version: version, listsSuppressed: listsSuppressed)
    }

    /// The findings, if there are any, and the suppressed ones, if they are listed.
    private func lines(
        _ findings: @autoclosure () -> String, suppressed: @autoclosure () -> String
    ) -> String {
        (report.findings.isEmpty ? "" : findings()) + (listsSuppressed ? suppressed() : "")
    }
}
