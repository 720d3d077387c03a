import PolicyCompiler
import Rendering

/// Writes the answers to assertions as text: a line for what is proved, and of what is not who
/// decides, an example, both values and the place. The last line counts.
enum AssertionText {
    static func render(_ report: AssertionReport) -> String {
        let lines: [String]
        switch report.outcome {
        case .notAsked(let failure): lines = [AssertionSentences.notAsked(failure)]
        case .answered:
            lines =
                report.results.flatMap { self.lines($1, in: $0.folder) }
                + ["", AssertionSentences.totals(report)]
        }
        return lines.map { TerminalEscape.escape($0) + "\n" }.joined()
    }

    private static func lines(
        _ result: AssertionResult, in unit: UnitFolder
    ) -> [String] {
        let word = AssertionSentences.word(result.verdict)
        var lines = [padded(word, 9) + AssertionSentences.headline(result)]
        guard !result.isProved else { return lines }
        lines.append(row("assertion", AssertionFinding.place(of: result, in: unit).text))
        if let owner = result.assertion.owner { lines.append(row("owner", owner)) }
        if let note = result.assertion.note { lines.append(row("note", note)) }
        guard case .refuted(let refutations) = result.verdict else { return lines }
        for refutation in refutations.prefix(most) { lines += self.lines(refutation, in: unit) }
        let more = refutations.count - most
        if more > 0 {
            let classes = refutations[most...].reduce(0) { $0 + $1.further + 1 }
            lines.append(
                Cut.rest(
                    more, before: "  - and ",
                    after: " ways, for \(Words.count(classes, "class", "classes")) of hosts, which "
                        + "`--format json` lists"))
        }
        return lines
    }

    private static func lines(
        _ refutation: AssertionRefutation, in unit: UnitFolder
    ) -> [String] {
        var lines = [
            "  - \(refutation.demand.key.rawValue)  \(AssertionSentences.rule(refutation, in: unit))",
            "  " + row("hosts", AssertionSentences.hosts(refutation)),
            "  " + row("witness", AssertionSentences.witness(refutation)),
        ]
        for gap in refutation.gaps {
            lines.append("    \(AssertionSentences.gap(gap))")
            lines += gap.remarks.map { "        \($0)" }
            if let origin = AssertionSentences.origin(gap, in: unit) {
                lines.append("        \(origin)")
            }
        }
        return lines
    }

    private static func row(_ word: String, _ text: String) -> String {
        "  \(padded(word, 12))\(text)"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    /// Most refutations of one assertion that are written out.
    private static let most = 20
}
