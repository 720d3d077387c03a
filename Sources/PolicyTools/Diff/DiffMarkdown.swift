import Rendering
import TrustEngine

/// Writes a comparison as one comment under a pull request, in GitHub's Markdown, of at most 60,000
/// octets whatever the change: the verdict and the counts first, then a table of what is weaker and
/// incomparable, then the rest, folded. What has no room is counted. All text of policies, hosts
/// and certificates goes through `MarkdownText`.
struct DiffMarkdown {
    private let report: DiffReport

    /// GitHub refuses a comment of more than 65,536 characters. Octets are never fewer.
    static let most = 60_000

    init(_ report: DiffReport) { self.report = report }

    /// The comment. The first line names the unit, so that a program finds the comment again.
    func render() -> String {
        // No name can end the comment: `>` is percent-encoded.
        let marker = "<!-- hawser-diff: \(SARIFDocument.reference(report.unit)) -->"
        switch report.outcome {
        case .notCompared(let failure): return ([marker] + notCompared(failure)).page
        case .compared(let diffs):
            let totals = diffs.map { MarkdownText.prose(DiffSentences.totals($0)) }
            let fixed = ([marker] + command + [totals.joined(separator: "<br>")]).page.utf8.count
            var budget = Budget(left: DiffMarkdown.most - fixed - 2 * diffs.count)
            var parts: [[String]] = []
            for (index, diff) in diffs.enumerated() {
                // Each comparison may fill its share of what is left.
                var own = Budget(left: budget.left / (diffs.count - index))
                let title =
                    DiffSentences.title(index, of: diffs)
                    .map { ["**\(DiffMarkdown.prose($0))**"] } ?? []
                let part = title + blocks(diff, &own)
                budget.left -= part.page.utf8.count
                parts.append(part)
            }
            return ([marker] + parts.joined() + command + [totals.joined(separator: "<br>")]).page
        }
    }

    private func notCompared(_ failure: DiffFailure) -> [String] {
        let reason = DiffMarkdown.prose(DiffReport.sentence(failure))
        return [
            "### not compared", "Nothing is known of what this change does: \(reason).",
        ] + command
    }

    private var command: [String] {
        ["The command that shows all of it:", MarkdownText.block(report.command, of: "sh")]
    }

    // MARK: A comparison

    /// What one comparison writes, with an empty line between its blocks.
    private func blocks(_ diff: PolicyDiff, _ budget: inout Budget) -> [String] {
        var head = [
            "### \(DiffMarkdown.prose(DiffSentences.headline(diff)))", DiffMarkdown.counts(diff),
        ]
        if diff.judged > 0 || !diff.unjudged.isEmpty {
            head.append(MarkdownText.prose(DiffSentences.judgedTitle(diff)))
        }
        head += DiffMarkdown.guards(diff)
        let tail = [DiffMarkdown.digests(diff)]
        budget.left -= (head + tail).page.utf8.count
        let findings = DiffFinding.all(diff)
        let grave = findings.filter { !$0.change.relation.isNoWeaker }
        let others = findings.filter { $0.change.relation.isNoWeaker }
        let folds: [Fold] = [
            Fold(
                title: DiffMarkdown.count(others.count, "field is stricter", "fields are stricter"),
                head: DiffMarkdown.tableHead, items: DiffMarkdown.rows(others)),
            Fold(
                title: "Authorities that could vouch",
                items: (DiffSentences.store(diff).map { ["- " + DiffMarkdown.prose($0)] } ?? [])
                    + diff.surfaces.map(DiffMarkdown.surface)),
            Fold(title: DiffSentences.idleTitle(diff), items: diff.idle.map(DiffMarkdown.idle)),
            Fold(
                title: "Recorded requests",
                items: diff.flips.map(DiffMarkdown.flip)
                    + diff.unjudged.map(DiffMarkdown.unjudged)),
        ].filter { !$0.items.isEmpty }
        // The frames of the folds are always written, so that nothing is left out without a word.
        budget.left -= folds.reduce(0) { $0 + $1.frameSize }
        var blocks = head
        if !grave.isEmpty {
            blocks += DiffMarkdown.table(grave, &budget)
        }
        for fold in folds { blocks += fold.blocks(&budget) }
        return blocks + tail
    }

    private static func counts(_ diff: PolicyDiff) -> String {
        let counts = diff.counts
        let from = MarkdownText.prose(
            "`\(clipped(diff.old.name))` -> `\(clipped(diff.new.name))`, "
                + "compared from `\(diff.since)` on.")
        return "\(from) Of \(count(counts.classes, "class", "classes")) of hosts "
            + "**\(counts.weaker) weaker**, **\(counts.incomparable) incomparable**, "
            + "\(counts.stricter) stricter, \(counts.equal) equal; not compared: 0."
    }

    private static func digests(_ diff: PolicyDiff) -> String {
        let rows = [("old", diff.old), ("new", diff.new)].map { word, side in
            "| \(word) | \(prose(clipped(DiffSentences.text(side)))) "
                + "| \(MarkdownText.code(side.policyDigest.text)) |"
        }
        return (["| | Policy | Digest of its meaning |", "|---|---|---|"] + rows)
            .joined(separator: "\n")
    }

    // MARK: Tables

    private static let tableHead = [
        "| | Hosts | Field | Old -> new | Where |", "|---|---|---|---|---|",
    ]

    /// The table of what is weaker and incomparable, with a line that counts what has no room. The
    /// rows are in the order of the changes, and what is weaker comes first.
    private static func table(_ findings: [DiffFinding], _ budget: inout Budget) -> [String] {
        let rows = rows(findings)
        let head = tableHead.joined(separator: "\n")
        budget.left -= head.utf8.count + cutSize
        let shown = budget.take(rows)
        let table = [([head] + shown).joined(separator: "\n")]
        guard shown.count < rows.count else { return table }
        let left = findings[shown.count...]
        let weaker = left.count { $0.relation == .weaker }
        return table + [
            cut(rows.count - shown.count, of: rows.count, "rows", "\(weaker) of them weaker")
        ]
    }

    /// What is said of what has no room, in at most `cutSize` octets.
    fileprivate static func cut(
        _ left: Int, of all: Int, _ what: String, _ detail: String? = nil
    ) -> String {
        "**\(left) of \(all) \(what) are left out\(detail.map { ", \($0)" } ?? ""): a comment holds no "
            + "more. The command at the end shows all of them.**"
    }

    fileprivate static let cutSize = 250

    private static func rows(_ findings: [DiffFinding]) -> [String] {
        findings.map { finding in
            "| **\(DiffSentences.relation(finding.relation))** | \(hosts(finding)) "
                + "| \(MarkdownText.code(finding.path)) | \(values(finding)) | \(places(finding)) |"
        }
    }

    private static func hosts(_ finding: DiffFinding) -> String {
        guard finding.isFirst else { return "the same hosts" }
        let change = finding.change
        let allowed = change.allowance.map { ["allowed: \($0)"] } ?? []
        return cell(
            [DiffSentences.hosts(change, most: 4)] + DiffSentences.wholes(change) + allowed)
    }

    private static func values(_ finding: DiffFinding) -> String {
        var lines: [String] = []
        for entry in finding.entries {
            let head = entry.start.map { "from `\($0)` on: " } ?? ""
            if entry.fields.isEmpty { lines.append(prose(head + "equal")) }
            for field in entry.fields {
                lines.append(
                    MarkdownText.prose(head) + value(field.from) + " -&gt; " + value(field.to))
                lines += field.remarks.map(prose)
            }
        }
        lines = DiffSentences.some(lines, most: mostLines)
        lines += DiffSentences.authorities(finding.authorities, most: 4).map(prose)
        return lines.joined(separator: "<br>")
    }

    private static func places(_ finding: DiffFinding) -> String {
        let places = (finding.change.places[finding.path] ?? []).map { DiffSentences.text($0) }
            .filter { !$0.isEmpty }
        return cell(
            DiffSentences.answerable(finding.change)
                + DiffSentences.some(DiffSentences.rules(finding.change), most: 2)
                + DiffSentences.some(places, most: 2)
                + DiffSentences.some(finding.change.files.map { "file `\($0)`" }, most: 4))
    }

    private static func cell(_ sentences: [String]) -> String {
        sentences.map(prose).joined(separator: "<br>")
    }

    // MARK: Lists

    private static func surface(_ surface: PolicyDiff.Surface) -> String {
        let lines =
            [DiffSentences.line(surface) { "`\($0)`" }]
            + DiffSentences.authorities(surface.change, most: 8)
        return "- " + cell(lines)
    }

    private static func idle(_ change: PolicyDiff.IdleChange) -> String {
        let place = change.location.map { " " + MarkdownText.code($0.description) } ?? ""
        return "- " + prose(change.sentence) + place
    }

    private static func flip(_ flip: PolicyDiff.Flip) -> String {
        "- "
            + [
                prose(DiffSentences.line(flip) { "`\($0)`" }), "old: " + value(flip.before),
                "new: " + value(flip.after),
            ].joined(separator: "<br>")
    }

    private static func unjudged(_ sentence: String) -> String {
        "- not judged: " + prose(sentence)
    }

    // MARK: Text

    /// A value as code.
    private static func value(_ text: String) -> String { MarkdownText.code(clipped(text)) }

    /// A sentence, as `MarkdownText.prose` shows it.
    private static func prose(_ sentence: String) -> String {
        MarkdownText.prose(clipped(sentence))
    }

    /// The lines of one cell: a field may change at thousands of dates.
    private static let mostLines = 12
    /// The scalars of one text that are shown. What follows is counted.
    private static let mostOfOne = 600

    private static func clipped(_ text: String) -> String {
        let more = text.unicodeScalars.count - mostOfOne
        guard more > 0 else { return text }
        return String(text.unicodeScalars.prefix(mostOfOne)) + " … (\(more) more characters)"
    }

    private static func count(_ number: Int, _ one: String, _ many: String) -> String {
        DiffSentences.count(number, one, many)
    }
}

extension [String] {
    /// Blocks with an empty line between them, and a line end at the end.
    fileprivate var page: String { joined(separator: "\n\n") + "\n" }
}

/// The octets that are left.
private struct Budget {
    var left: Int

    /// As many items from the first on as have room, each with a line end.
    mutating func take(_ items: [String]) -> [String] {
        var taken: [String] = []
        for item in items {
            let size = item.utf8.count + 1
            guard size <= left else { break }
            left -= size
            taken.append(item)
        }
        return taken
    }
}

/// A part of the comment that is folded.
private struct Fold {
    let title: String
    /// Lines before the items, if the items are rows of a table.
    var head: [String] = []
    let items: [String]

    private var opening: String { "<details><summary>\(MarkdownText.prose(title))</summary>" }

    /// The octets that are written whatever the room.
    var frameSize: Int {
        [opening, head.joined(separator: "\n"), "</details>"].page.utf8.count + 4
            + DiffMarkdown.cutSize
    }

    func blocks(_ budget: inout Budget) -> [String] {
        let shown = budget.take(items)
        let cut =
            shown.count < items.count
            ? [DiffMarkdown.cut(items.count - shown.count, of: items.count, "entries")] : []
        let list = shown.isEmpty ? [] : [(head + shown).joined(separator: "\n")]
        return [opening] + list + cut + ["</details>"]
    }
}
