import Rendering
import TrustEngine

/// Writes a comparison as one comment under a pull request, in GitHub's Markdown, of at most 60,000
/// octets whatever the change: the verdict and the counts first, then a table of weaker and
/// incomparable fields, then the rest, folded: every host of these changes first. Rows that do not
/// fit are counted by kind. One row of each kind of change, field and source goes before other
/// rows. All text of policies, hosts and certificates goes through `MarkdownText`.
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
        case .compared(let answers):
            let totals = answers.map { MarkdownText.prose(DiffSentences.totals($0.diff)) }
            let fixed = ([marker] + command + [totals.joined(separator: "<br>")]).page.utf8.count
            var budget = Budget(left: DiffMarkdown.most - fixed - 2 * answers.count)
            var parts: [[String]] = []
            for (index, answer) in answers.enumerated() {
                // Each comparison may fill its share of the octets that are left.
                var own = Budget(left: budget.left / (answers.count - index))
                let title =
                    DiffSentences.title(index, of: answers)
                    .map { ["**\(DiffMarkdown.prose($0))**"] } ?? []
                let part = title + blocks(answer, &own)
                budget.left -= part.page.utf8.count
                parts.append(part)
            }
            return ([marker] + parts.joined() + command + [totals.joined(separator: "<br>")]).page
        }
    }

    private func notCompared(_ failure: AnswerFailure) -> [String] {
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
    private func blocks(_ answer: DiffAnswer, _ budget: inout Budget) -> [String] {
        let diff = answer.diff
        var head = [
            "### \(DiffMarkdown.prose(DiffSentences.headline(diff)))", DiffMarkdown.counts(diff),
        ]
        if !answer.requests.isEmpty {
            head.append(MarkdownText.prose(DiffSentences.judgedTitle(answer.requests)))
        }
        head += DiffMarkdown.guards(answer.guards)
        let tail = [DiffMarkdown.digests(diff)]
        budget.left -= (head + tail).page.utf8.count
        let findings = DiffFinding.all(diff)
        let grave = findings.filter { $0.kind < .stricter }
        let others = findings.filter { $0.kind >= .stricter }
        let numbers = DiffMarkdown.numbers(grave)
        let approvals = ApprovalSentences(answer.approvals)
        let folds: [Fold] = [
            Fold(
                title: DiffMarkdown.clipped(
                    approvals.headline ?? ApprovalSentences.claimedTitle),
                items: approvals.sentences.map { Fold.Item("- " + DiffMarkdown.prose($0)) }),
            Fold(
                title: "Every host of these changes",
                items: DiffMarkdown.hosts(of: grave, numbers), isOfHosts: true),
            Fold(
                title: Words.count(others.count, "field is stricter", "fields are stricter"),
                head: DiffMarkdown.tableHead,
                items: others.map { Fold.Item(DiffMarkdown.row($0, nil)) }),
            Fold(
                title: "Authorities that could vouch",
                items: ((DiffSentences.store(diff).map { ["- " + DiffMarkdown.prose($0)] } ?? [])
                    + diff.surfaces.map(DiffMarkdown.surface)).map { Fold.Item($0) }),
            Fold(
                title: DiffSentences.idleTitle(diff),
                items: diff.idle.map { Fold.Item(DiffMarkdown.idle($0)) }),
            Fold(
                title: "Recorded requests",
                items: (answer.requests.flips.map(DiffMarkdown.flip)
                    + answer.requests.unjudged.map(DiffMarkdown.unjudged)).map { Fold.Item($0) }),
        ].filter { !$0.items.isEmpty }
        // The frames of the folds are always written, so that nothing is left out without a word,
        // and the first item of each has room.
        budget.left -= folds.reduce(0) { $0 + $1.frameSize }
        var blocks = head
        var reserved = folds.map { min($0.items[0].size, DiffMarkdown.mostReserved) }
        if !grave.isEmpty {
            let rest = folds.reduce(0) { $0 + $1.size }
            let share = max(
                min(rest, budget.left / DiffMarkdown.shareOfFolds), reserved.reduce(0, +))
            var own = Budget(left: budget.left - share)
            let before = own.left
            blocks += DiffMarkdown.table(grave, numbers, &own)
            budget.left -= before - own.left
        }
        for fold in folds {
            reserved.removeFirst()
            let later = reserved.reduce(0, +)
            budget.left -= later
            blocks += fold.blocks(&budget)
            budget.left += later
        }
        return blocks + tail
    }

    /// The folds have at least a third of the room, where they need it.
    private static let shareOfFolds = 3
    /// The octets that are kept for the first item of a fold.
    private static let mostReserved = 2_000

    // MARK: Hosts

    /// Hosts that a row of the table names. Where there are more, the row names their number below.
    private static let mostHosts = 4

    /// For each finding, the number of its change, where the change's row has no room for all
    /// hosts.
    private static func numbers(_ findings: [DiffFinding]) -> [Int?] {
        var last: Int?
        var count = 0
        return findings.map { finding in
            if finding.isFirst {
                let isLong = finding.change.hosts.count > mostHosts
                if isLong { count += 1 }
                last = isLong ? count : nil
            }
            return last
        }
    }

    /// Every host of the numbered changes, some on each line.
    private static func hosts(of findings: [DiffFinding], _ numbers: [Int?]) -> [Fold.Item] {
        zip(findings, numbers).flatMap { finding, number -> [Fold.Item] in
            guard finding.isFirst, let number else { return [] }
            let change = finding.change
            let title = Fold.Item(
                (number == 1 ? "" : "\n") + "**\(number).** \(MarkdownText.code(finding.path)), "
                    + "\(prose(DiffSentences.ownedHosts(change))):\n", weight: 0)
            let lines = DiffSentences.hostParts(change, quoted: { "`\($0)`" }).flatMap { part in
                stride(from: 0, to: part.count, by: hostsOfLine).map { start in
                    let own = part[start..<min(start + hostsOfLine, part.count)]
                    return Fold.Item(
                        "- " + MarkdownText.prose(own.joined(separator: ", ")), weight: own.count)
                }
            }
            return [title] + lines
        }
    }

    private static let hostsOfLine = 10

    private static func counts(_ diff: PolicyDiff) -> String {
        let counts = diff.counts
        let from = MarkdownText.prose(
            "`\(clipped(diff.old.name))` -> `\(clipped(diff.new.name))`, "
                + "compared from `\(diff.since)` on.")
        return "\(from) Of \(Words.count(counts.classes, "class", "classes")) of hosts "
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

    /// The table of weaker and incomparable fields. A line below it counts the omitted rows by
    /// kind. The rows are in the order of the changes; `FindingChoice` chooses the rows to keep.
    private static func table(
        _ findings: [DiffFinding], _ numbers: [Int?], _ budget: inout Budget
    ) -> [String] {
        let head = tableHead.joined(separator: "\n")
        budget.left -= head.utf8.count + cutSize
        let order = FindingChoice.order(findings)
        let rows = order.map { row(findings[$0], numbers[$0]) }
        let shown = budget.take(rows.map(\.utf8.count))
        let places = order.indices.prefix(shown).sorted { order[$0] < order[$1] }
        let table = [([head] + places.map { rows[$0] }).joined(separator: "\n")]
        guard shown < rows.count else { return table }
        let left = order.dropFirst(shown).map { findings[$0] }
        return table + [
            cut(left.count, of: rows.count, "rows", FindingChoice.counts(left))
        ]
    }

    /// The sentence about the omitted entries, in at most `cutSize` octets.
    fileprivate static func cut(
        _ left: Int, of all: Int, _ what: String, _ detail: String? = nil
    ) -> String {
        "**\(left) of \(all) \(what) are left out\(detail.map { " (\($0))" } ?? ""): a comment holds no "
            + "more. The command at the end shows all of them.**"
    }

    fileprivate static let cutSize = 300

    private static func row(_ finding: DiffFinding, _ number: Int?) -> String {
        "| **\(DiffSentences.relation(finding.relation))** | \(hosts(finding, number)) "
            + "| \(MarkdownText.code(finding.path)) | \(values(finding)) | \(places(finding)) |"
    }

    /// The hosts of a row. Rows of one change may be far apart, so each names one.
    private static func hosts(_ finding: DiffFinding, _ number: Int?) -> String {
        let change = finding.change
        guard finding.isFirst else {
            let first = change.hosts.first.map { DiffSentences.text($0) { "`\($0)`" } } ?? ""
            let rest = Cut.rest(
                change.hosts.count - 1, before: " and ", after: ", the same hosts")
            return cell([first + rest])
        }
        let allowed = change.allowance.map { ["allowed: \($0)"] } ?? []
        let all = number.map { ["all of them: \($0) below"] } ?? []
        let state = change.kind == .trusted ? ["newly trusted"] : []
        return cell(
            [DiffSentences.hosts(change, most: mostHosts)] + all + state
                + DiffSentences.wholes(change) + allowed)
    }

    private static func values(_ finding: DiffFinding) -> String {
        var lines: [String] = []
        for entry in finding.entries {
            let head = entry.start.map { "from `\($0)` on: " } ?? ""
            if entry.fields.isEmpty { lines.append(prose(head + "equal")) }
            for field in entry.fields {
                lines.append(
                    MarkdownText.prose(head) + value(field.from)
                        + (finding.term?.usual.map { " " + prose("in \($0)") } ?? "") + " -&gt; "
                        + value(field.to))
                lines += field.remarks.map(prose)
            }
        }
        lines = Cut.list(lines, most: mostLines)
        lines += DiffSentences.authorities(finding.authorities, most: 4).map(prose)
        return lines.joined(separator: "<br>")
    }

    private static func places(_ finding: DiffFinding) -> String {
        let places = (finding.change.places[finding.path] ?? []).map { DiffSentences.text($0) }
            .filter { !$0.isEmpty }
        return cell(
            DiffSentences.answerable(finding.change)
                + DiffSentences.rules(finding.change)
                + Cut.list(places, most: 2)
                + Cut.list(finding.change.files.map { "file `\($0)`" }, most: 4))
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

    private static func flip(_ flip: RecordedVerdicts.Flip) -> String {
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
    /// The scalars of one text that are shown; the others are counted.
    private static let mostOfOne = 600

    private static func clipped(_ text: String) -> String {
        Cut.text(text, most: mostOfOne)
    }
}

extension [String] {
    /// Blocks with an empty line between them, and a line end at the end.
    fileprivate var page: String { joined(separator: "\n\n") + "\n" }
}

/// The octets that are left.
private struct Budget {
    var left: Int

    /// How many items from the first on have room, each with a line end, by their octets.
    mutating func take(_ sizes: [Int]) -> Int {
        for (index, size) in sizes.enumerated() {
            guard size + 1 <= left else { return index }
            left -= size + 1
        }
        return sizes.count
    }
}

/// A part of the comment that is folded.
private struct Fold {
    /// Lines that are shown or omitted together.
    struct Item {
        let text: String
        /// The number of entries in the text, for the count of omitted entries.
        let weight: Int

        init(_ text: String, weight: Int = 1) {
            self.text = text
            self.weight = weight
        }

        var size: Int { text.utf8.count + 1 }
    }

    let title: String
    /// Lines before the items, if the items are rows of a table.
    var head: [String] = []
    let items: [Item]
    var isOfHosts = false

    private var opening: String { "<details><summary>\(MarkdownText.proseInHTML(title))</summary>" }

    /// The octets of all items.
    var size: Int { items.reduce(0) { $0 + $1.size } }

    /// The octets that are written whatever the room.
    var frameSize: Int {
        [opening, head.joined(separator: "\n"), "</details>"].page.utf8.count + 4
            + DiffMarkdown.cutSize
    }

    func blocks(_ budget: inout Budget) -> [String] {
        let shown = items.prefix(budget.take(items.map(\.text.utf8.count)))
        let (all, told) = (items.reduce(0) { $0 + $1.weight }, shown.reduce(0) { $0 + $1.weight })
        let cut =
            shown.count < items.count
            ? [DiffMarkdown.cut(all - told, of: all, isOfHosts ? "hosts" : "entries")] : []
        let list = shown.isEmpty ? [] : [(head + shown.map(\.text)).joined(separator: "\n")]
        return [opening] + list + cut + ["</details>"]
    }
}
