package import Rendering
import TrustEngine

/// Writes a comparison as text, shaped like a plan: what is weaker first.
package struct DiffText {
    private let diff: PolicyDiff
    private let colour: TraceText.Colour
    /// Whether what got stricter, and what decides nothing, is counted alone.
    private let isSummary: Bool
    /// Most lines of one kind that a change shows; the others are counted.
    private static let most = 8

    package init(_ diff: PolicyDiff, colour: TraceText.Colour, isSummary: Bool) {
        self.diff = diff
        self.colour = colour
        self.isSummary = isSummary
    }

    /// The text; each line ends with a line feed.
    package func render() -> String {
        var lines = [DiffSentences.headline(diff)]
        lines.append(
            "\(DiffSentences.text(diff.old)) -> \(DiffSentences.text(diff.new)), "
                + "from \(DiffSentences.day(diff.since)) on")
        lines += DiffText.guardLine(diff)
        for change in diff.changes where !isSummary || change.relation != .stricter {
            lines += [""] + self.lines(change)
        }
        let stricter = diff.changes.filter { $0.relation == .stricter }
        if isSummary, !stricter.isEmpty {
            let hosts = stricter.reduce(0) { $0 + $1.classes.count }
            lines += [
                "",
                "+ stricter: \(DiffSentences.count(stricter.count, "change", "changes")) "
                    + "of \(DiffSentences.count(hosts, "class", "classes")), left out by `--summary`",
            ]
        }
        lines += DiffText.guards(diff, isSummary: isSummary)
        lines += surface() + idle() + flips()
        lines += ["", DiffSentences.totals(diff)]
        return lines.map { TerminalEscape.escape($0) + "\n" }.joined()
    }

    // MARK: A change

    private func lines(_ change: PolicyDiff.Change) -> [String] {
        var lines = ["\(DiffText.sign(change.relation)) \(DiffSentences.title(change))"]
        if let allowance = change.allowance { lines += listed("allowed", [allowance]) }
        lines += listed("hosts", change.hosts.map { DiffSentences.text($0) })
        if let witness = change.witness { lines += listed("example", [witness.text]) }
        lines += listed("decided by", DiffSentences.rules(change))
        for interval in change.intervals {
            if let start = DiffSentences.start(interval, diff) {
                lines.append(
                    interval.fields.isEmpty
                        ? "  from \(start) on equal" : "  from \(start) on")
            } else if interval.fields.isEmpty {
                lines.append("  until then equal")
            }
            for field in interval.fields { lines += self.lines(field, of: change) }
        }
        lines += listed("note", DiffSentences.wholes(change))
        lines += listed("file", change.files)
        let authorities = change.authorities
        lines += listed("added", authorities.added.map { DiffSentences.text($0) })
        lines += listed("removed", authorities.removed.map { DiffSentences.text($0) })
        return lines
    }

    private func lines(_ field: PolicyDiff.Field, of change: PolicyDiff.Change) -> [String] {
        var lines = [
            "  \(DiffText.sign(field.relation)) \(field.path)  \(field.from) -> \(field.to)"
        ]
        lines += field.remarks.prefix(DiffText.most).map { "      \($0)" }
        if field.remarks.count > DiffText.most {
            lines.append("      and \(field.remarks.count - DiffText.most) more")
        }
        lines += (change.digests[field.path] ?? []).prefix(1).map { "      \($0)" }
        let places = (change.places[field.path] ?? []).map { DiffSentences.text($0) }
            .filter { !$0.isEmpty }
        lines += places.prefix(3).map { "      \($0)" }
        if places.count > 3 {
            lines.append("      and \(places.count - 3) more places")
        }
        return lines
    }

    /// Rows under one word; the word stands before the first of them.
    private func listed(_ word: String, _ rows: [String]) -> [String] {
        var lines: [String] = []
        for (index, row) in rows.prefix(DiffText.most).enumerated() {
            let head = index == 0 ? word : ""
            lines.append("  \(head)\(String(repeating: " ", count: max(1, 12 - head.count)))\(row)")
        }
        if rows.count > DiffText.most {
            lines.append("              and \(rows.count - DiffText.most) more")
        }
        return lines
    }

    /// The sign before a line; colour is never the only signal.
    private static func sign(_ relation: Relation) -> String {
        switch relation {
        case .weaker: return "-"
        case .stricter: return "+"
        case .incomparable: return "~"
        case .equal: return "="
        }
    }

    // MARK: The rest

    private func surface() -> [String] {
        guard !diff.surfaces.isEmpty else { return [] }
        let rows = diff.surfaces.prefix(DiffText.most).map { "  \(DiffSentences.line($0))" }
        let more = diff.surfaces.count - rows.count
        let store = DiffSentences.store(diff).map { ["  \($0)"] } ?? []
        return ["", "authorities that could vouch"] + store + rows
            + (more > 0 ? ["  and \(more) more groups of classes"] : [])
    }

    private func idle() -> [String] {
        guard !diff.idle.isEmpty else { return [] }
        let title = DiffSentences.idleTitle(diff)
        if isSummary { return ["", "\(title), left out by `--summary`"] }
        return ["", title]
            + diff.idle.map { change in
                "  \(change.sentence)" + (change.location.map { "  \($0.description)" } ?? "")
            }
    }

    private func flips() -> [String] {
        guard diff.judged > 0 || !diff.unjudged.isEmpty else { return [] }
        return ["", DiffSentences.judgedTitle(diff)]
            + diff.flips.flatMap {
                [
                    "  \(DiffSentences.line($0))",
                    "    old  \($0.before)", "    new  \($0.after)",
                ]
            } + listed("not judged", diff.unjudged)
    }
}
