import PolicyCompiler
import Rendering

/// Writes what is not proved as workflow commands, which a runner turns into annotations on the
/// lines of a pull request: at most ten errors, and then one notice with the total.
enum AssertionGitHub {
    static func render(_ report: AssertionReport) -> String {
        switch report.outcome {
        case .notAsked(let failure):
            return WorkflowCommand.line(.error, [], AssertionSentences.notAsked(failure)) + "\n"
        case .answered:
            let lines = AssertionFinding.all(report).map(command)
            let shown = lines.prefix(WorkflowCommand.most)
            let cut =
                shown.count < lines.count
                ? ["\(lines.count) refutations, \(shown.count) of them are annotations"] : []
            let sum = WorkflowCommand.line(
                .notice, [("title", "hawser assert")],
                ([AssertionSentences.totals(report)] + cut).joined(separator: "\n"))
            return (shown + [sum]).map { $0 + "\n" }.joined()
        }
    }

    private static func command(_ finding: AssertionFinding) -> String {
        let place = finding.policyPlaces.first ?? finding.assertionPlace
        let word = AssertionSentences.word(finding.result.verdict)
        let lines = finding.lines + ["asserted at \(finding.assertionPlace.text)"]
        let message = lines.map(TerminalEscape.escape)
        return WorkflowCommand.line(
            .error,
            [
                ("file", place.file), ("line", "\(place.line)"), ("col", "\(place.column)"),
                ("title", "hawser assert: \(word) \(finding.result.assertion.id.value)"),
            ], message.joined(separator: "\n"))
    }
}
