import PolicyCompiler
import Rendering

/// Writes the answers to assertions as one comment under a pull request, of at most 60,000 octets:
/// the counts, then a table of what does not hold, then what is proved, folded. What has no room is
/// counted. All text of policies, hosts and certificates goes through `MarkdownText`.
enum AssertionMarkdown {
    /// A program finds the comment of an earlier run by the first line.
    private static let marker = "<!-- hawser-assert -->"
    /// GitHub refuses a comment of more than 65,536 characters. Octets are never fewer.
    private static let most = 60_000
    /// The scalars of one text that are shown.
    private static let mostOfOne = 600

    static func render(_ report: AssertionReport) -> String {
        switch report.outcome {
        case .notAsked(let failure):
            return page([
                marker, "### not asked",
                "Nothing is known of the assertions: \(prose(failure.context)).", command(report),
            ])
        case .answered:
            let proved = report.results.filter(\.result.isProved)
            let title =
                report.isProved ? "every assertion is proved" : "an assertion does not hold"
            let head = [marker, "### \(title)", prose(AssertionSentences.totals(report))]
            let tail = [command(report)]
            var left = most - page(head + tail).utf8.count - 1_000
            var blocks = head
            let rows = AssertionFinding.all(report).map(row)
            if !rows.isEmpty {
                blocks.append(list(tableHead, rows, "rows", &left))
            }
            if !proved.isEmpty {
                let lines = proved.map { "- " + prose(AssertionSentences.headline($0.result)) }
                blocks += [
                    "<details><summary>\(proved.count) proved</summary>",
                    list([], lines, "entries", &left), "</details>",
                ]
            }
            return page(blocks + tail)
        }
    }

    private static let tableHead = [
        "| Assertion | Hosts | Demand | Is -> wanted | Where |", "|---|---|---|---|---|",
    ]

    /// Lines that have room, and how many have none.
    private static func list(
        _ head: [String], _ lines: [String], _ noun: String, _ left: inout Int
    ) -> String {
        var shown = head
        var count = 0
        for line in lines {
            guard line.utf8.count + 1 <= left else { break }
            left -= line.utf8.count + 1
            shown.append(line)
            count += 1
        }
        let cut =
            count < lines.count
            ? "\n\n**\(lines.count - count) of \(lines.count) \(noun) are left out: a comment "
                + "holds no more. The command at the end shows all of them.**" : ""
        return shown.joined(separator: "\n") + cut
    }

    private static func row(_ finding: AssertionFinding) -> String {
        let id = cell(
            ["`\(finding.result.assertion.id.value)`", finding.assertionPlace.text]
                + AssertionSentences.background(finding.result))
        guard let refutation = finding.refutation else {
            return "| \(id) | | | \(prose(AssertionSentences.headline(finding.result))) | |"
        }
        let hosts = cell([
            AssertionSentences.hosts(refutation),
            "for example \(AssertionSentences.witness(refutation))",
        ])
        let values = refutation.gaps.map { gap in
            code(gap.path) + ": " + code(gap.found) + " -&gt; " + code(gap.wanted)
                + gap.remarks.map { "; " + prose($0) }.joined()
        }.joined(separator: "<br>")
        let folder = finding.unit.folder
        let places = cell(
            [AssertionSentences.rule(refutation, in: folder)]
                + refutation.gaps.compactMap { AssertionSentences.origin($0, in: folder) })
        let cells = [id, hosts, code(refutation.demand.key.rawValue), values, places]
        return "| \(cells.joined(separator: " | ")) |"
    }

    private static func command(_ report: AssertionReport) -> String {
        "The command that shows all of it:\n\n" + MarkdownText.block(report.command, of: "sh")
    }

    private static func cell(_ sentences: [String]) -> String {
        sentences.map(prose).joined(separator: "<br>")
    }

    private static func prose(_ text: String) -> String { MarkdownText.prose(clipped(text)) }

    private static func code(_ text: String) -> String { MarkdownText.code(clipped(text)) }

    private static func clipped(_ text: String) -> String {
        Cut.text(text, most: mostOfOne)
    }

    private static func page(_ blocks: [String]) -> String {
        blocks.joined(separator: "\n\n") + "\n"
    }
}
