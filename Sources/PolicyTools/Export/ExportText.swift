import Rendering
import TrustEngine

/// The text of `export`: each file with its state, then where it is weaker and stricter than the
/// policy.
enum ExportText {
    /// The hosts that a line names.
    private static let mostHosts = 3

    static func text(_ report: ExportReport) -> String {
        let lines: [String]
        switch report.outcome {
        case .notAsked(let failure): lines = ["nothing was exported: \(failure.context)"]
        case .answered(let entries, let time):
            lines =
                entries.flatMap { entryLines($0, report) + [""] } + [summary(entries, time)]
        }
        return lines.map { TerminalEscape.escape($0) + "\n" }.joined()
    }

    private static func entryLines(
        _ entry: ExportReport.Entry, _ report: ExportReport
    ) -> [String] {
        let name = entry.path.map { "`\($0)`" } ?? "the file"
        var lines = ["\(name) (\(entry.format)): \(state(entry))"]
        if !entry.companions.isEmpty {
            lines.append("  with \(Words.list(entry.companions))")
        }
        if !entry.dropped.isEmpty {
            lines.append("  no longer in it: \(entry.dropped.joined(separator: ", "))")
        }
        if let difference = entry.difference, difference.relation != .equal {
            lines += lossLines(
                difference, entry, report, weaker: "weaker than the export",
                stricter: "stricter than the export")
        }
        guard !report.isCheck, let loss = entry.loss else { return lines }
        lines += lossLines(
            loss, entry, report, weaker: "weaker than the policy",
            stricter: "stricter than the policy")
        if let next = entry.nextChange {
            lines.append("  export it again at \(next): the policy then makes another file")
        }
        return lines
    }

    private static func state(_ entry: ExportReport.Entry) -> String {
        switch entry.state {
        case .created: return "written"
        case .replaced: return "written, in place of the old file"
        case .unchanged: return "as it was"
        case .left: return "left as it was; it means the same"
        case .printed: return "printed"
        case .unmet: return "not written, because it would be \(relation(entry.loss))"
        case .refused(let reason): return "not written: \(reason)"
        case .same: return "means what the export means"
        case .differs: return "means something else than the export"
        case .missing: return "is not there; `hawser export` writes it"
        case .unreadable(let reason): return "cannot be read: \(reason)"
        }
    }

    private static func relation(_ loss: ExportLoss?) -> String {
        switch loss?.relationNow {
        case .weaker: return "weaker than the policy"
        case .incomparable: return "neither weaker nor stricter than the policy"
        case .stricter: return "stricter than the policy"
        case .equal, nil: return "equal"
        }
    }

    // MARK: Differences

    private static func lossLines(
        _ loss: ExportLoss, _ entry: ExportReport.Entry, _ report: ExportReport,
        weaker: String, stricter: String
    ) -> [String] {
        var lines: [String] = []
        let groups: [(Relation, String)] = [
            (.weaker, weaker), (.incomparable, "neither weaker nor stricter"),
            (.stricter, stricter),
        ]
        for (relation, title) in groups {
            let own = loss.lines.filter { $0.relation == relation }
            let gaps = loss.gaps.filter { $0.file == relation }
            guard !own.isEmpty || !gaps.isEmpty else { continue }
            lines.append("  \(title):")
            lines += own.filter { !$0.isUnstated }.flatMap { fieldLines($0, report) }
            lines += gaps.map { "    \($0.message)\(gapHosts($0))" }
            let unstated = own.filter(\.isUnstated)
            guard !unstated.isEmpty else { continue }
            lines.append("    \(entry.system) takes no word of the policy about:")
            lines += unstated.flatMap { fieldLines($0, report) }.map { "  \($0)" }
        }
        return lines
    }

    private static func fieldLines(
        _ line: ExportLoss.Line, _ report: ExportReport
    ) -> [String] {
        let from = line.from.map { "from \($0) on, " } ?? ""
        let place = line.location.map { "  " + self.place($0, report) } ?? ""
        return ["    \(from)\(line.field): \(line.policy) -> \(line.file)\(place)"]
            + line.remarks.map { "      \($0)" } + ["      for \(lineHosts(line))"]
    }

    /// A place of the policy from the current folder.
    static func place(_ location: Provenance.Location, _ report: ExportReport) -> String {
        (report.folder.isEmpty ? "" : report.folder + "/") + location.description
    }

    private static func lineHosts(_ line: ExportLoss.Line) -> String {
        let named = line.hosts.prefix(mostHosts).map {
            DiffSentences.text($0) { "`\($0)`" }
        }
        let more = line.hosts.count - named.count
        let rest =
            more > 0 ? " and \(Words.count(more, "more class", "more classes")) of hosts" : ""
        return named.joined(separator: ", ") + rest + " (for example `\(line.witness.text)`)"
    }

    private static func gapHosts(_ gap: ForeignGap) -> String {
        var named = gap.hosts.prefix(mostHosts).map { "`\($0)`" }
        let more = gap.hosts.count - named.count
        if more > 0 { named.append(Words.count(more, "more pattern", "more patterns")) }
        if gap.others { named.append(named.isEmpty ? "every host" : "every other host") }
        return named.isEmpty ? "" : ", for \(named.joined(separator: ", "))"
    }

    // MARK: The last line

    private static func summary(_ entries: [ExportReport.Entry], _ time: UTCInstant) -> String {
        var counts: [(words: String, number: Int)] = []
        for entry in entries {
            let words = summaryWords(entry.state)
            if let known = counts.firstIndex(where: { $0.words == words }) {
                counts[known].number += 1
            } else {
                counts.append((words, 1))
            }
        }
        let list = counts.map { "\($0.number) \($0.words)" }.joined(separator: ", ")
        return "\(Words.count(entries.count, "file")) as of \(time): \(list)"
    }

    private static func summaryWords(_ state: ExportReport.State) -> String {
        switch state {
        case .created, .replaced: return "written"
        case .unchanged, .left: return "unchanged"
        case .printed: return "printed"
        case .unmet, .refused: return "not written"
        case .same: return "with the meaning of the export"
        case .differs, .missing: return "with another meaning"
        case .unreadable: return "unreadable"
        }
    }
}
