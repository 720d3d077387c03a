import Rendering
import TrustEngine

/// Writes what a history says of one host, for a terminal.
package struct HostHistoryText {
    private let history: HostHistory
    /// Most authorities of one kind that are listed; JSON has all.
    private static let most = 16

    package init(_ history: HostHistory) { self.history = history }

    /// The text; each line ends with a line feed.
    package func render() -> String {
        var lines: [String]
        switch history.answer {
        case .changes(let entries): lines = changes(entries)
        case .reigns(let reigns, let asked): lines = speakers(reigns, asked)
        }
        for failure in history.failures {
            lines += ["", "not compared: " + title(failure.commit), "  \(failure.reason)"]
        }
        lines += ["", HostHistoryText.totals(history)]
        return lines.map { TerminalEscape.escape($0) + "\n" }.joined()
    }

    /// The last line of every answer.
    private static func totals(_ history: HostHistory) -> String {
        "read \(Words.count(history.commits, "commit", "commits")), "
            + Words.count(history.versions, "version", "versions")
            + " of the unit; not compared: \(history.failures.count)"
    }

    // MARK: Changes

    private func changes(_ entries: [HostHistory.Entry]) -> [String] {
        let unit = history.unit.isEmpty ? "" : " of `\(history.unit)`"
        guard !entries.isEmpty else {
            return [
                "no change: `\(history.host)` is decided alike by every commit of "
                    + "\(history.revision)\(unit)"
            ]
        }
        let count = Words.count(entries.count, "commit changes", "commits change")
        return ["\(count) `\(history.host)` in \(history.revision)\(unit), newest first"]
            + entries.flatMap { [""] + lines($0) }
    }

    private func lines(_ entry: HostHistory.Entry) -> [String] {
        let change = entry.change
        var lines = [
            "\(DiffText.sign(change.relation)) \(DiffSentences.relation(change.relation))  "
                + title(entry.commit)
        ]
        if !entry.commit.subject.isEmpty { lines.append("  subject     \(entry.commit.subject)") }
        if let merge = entry.mergedBy { lines.append("  merged by   \(title(merge))") }
        if entry.skipped > 0 {
            lines.append(
                "  note        compared across "
                    + Words.count(
                        entry.skipped, "commit that does not compile",
                        "commits that do not compile"))
        }
        if change.hasEnded(by: entry.commit.committed) {
            lines.append("  note        all of it had ended when the commit was made, by its date")
        }
        lines += [change.rules].map { "  decided by  \(DiffSentences.text($0))" }
        for field in change.fields {
            lines.append(
                "  \(DiffText.sign(field.field.relation)) \(field.field.path)  "
                    + "\(field.field.from) -> \(field.field.to)\(HostHistoryText.time(field))")
            lines += field.field.remarks.map { "      \($0)" }
        }
        return lines
            + listed("added", change.authorities.added.map { DiffSentences.text($0) })
            + listed("removed", change.authorities.removed.map { DiffSentences.text($0) })
    }

    /// When a field differs; nothing where it is at all times.
    private static func time(_ field: HostChange.Field) -> String {
        let from = field.from.map { "from \(Words.day($0)) on" }
        let until = field.until.map {
            "until \(DiffSentences.last($0.advanced(bySeconds: -1)))"
        }
        let words = [from, until].compactMap(\.self)
        return words.isEmpty ? "" : ", \(words.joined(separator: " "))"
    }

    private func title(_ commit: HostHistory.Commit) -> String {
        "\(commit.short)  \(Words.day(commit.committed))  \(commit.author) <\(commit.mail)>"
    }

    private func listed(_ word: String, _ rows: [String]) -> [String] {
        Cut.list(rows, most: HostHistoryText.most).enumerated().map { index, row in
            let head = index == 0 ? word : ""
            return "  \(head)\(String(repeating: " ", count: 12 - head.count))\(row)"
        }
    }

    // MARK: Speakers

    private func speakers(_ reigns: [HostHistory.Reign], _ asked: String) -> [String] {
        let head = "who could have spoken for `\(history.host)` on \(asked), by \(history.revision)"
        guard !reigns.isEmpty else {
            return [head, "", "nobody by this policy: no commit is as old"]
        }
        return [head] + reigns.flatMap { [""] + lines($0) }
    }

    private func lines(_ reign: HostHistory.Reign) -> [String] {
        let from = reign.from.map { "from \($0)" }
        let until = reign.until.map { "until \($0)" }
        let time = [from, until].compactMap(\.self).joined(separator: " ")
        var lines = [time.isEmpty ? "at any time" : time, "  commit      \(title(reign.commit))"]
        if !reign.isSure {
            lines.append(
                "  note        the dates of commits are not in order; it may have been then")
        }
        let speakers = reign.speakers
        lines.append("  decided by  \(DiffSentences.text(speakers.rule))")
        lines += listed("anyone", speakers.exceptions.compactMap(HostHistoryText.opening))
        let authorities =
            speakers.denies
            ? ["nobody: the host is denied"]
            : speakers.arePinnedKeys
                ? ["the pinned keys alone"] : speakers.authorities.map { DiffSentences.text($0) }
        lines += listed("could vouch", authorities)
        lines += listed("pins", speakers.pins.map { "`\($0.id)`: \($0.state)" })
        return lines + listed("exceptions", speakers.exceptions.map(HostHistoryText.text))
    }

    /// Whom an exception lets speak: "anyone, by any certificate, until 2027-03-31
    /// (`waivers.path`)".
    private static func opening(_ exception: HostSpeakers.Exception) -> String? {
        exception.opens.map {
            "\($0), until \(DiffSentences.last(exception.until)) (`\(exception.path)`)"
        }
    }

    private static func text(_ exception: HostSpeakers.Exception) -> String {
        "`\(exception.path)` until \(DiffSentences.last(exception.until))"
            + (exception.owner.map { ", owner \($0)" } ?? "")
    }
}
