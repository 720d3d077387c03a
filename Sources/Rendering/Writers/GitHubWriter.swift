/// Writes the findings of a document as workflow commands, which a runner turns into annotations on
/// the lines of a pull request: errors first, then warnings, then notices.
///
/// GitHub shows ten annotations of each kind that a step writes, and drops the others silently. So
/// the writer writes at most ten. One of the ten notices counts the omitted findings.
package enum GitHubWriter {
    private typealias Kind = WorkflowCommand.Kind

    /// The commands, one a line. The text is empty without findings.
    package static func write(_ document: Document) -> String {
        let findings = document.findings
        if case .failed(let reason) = findings.run {
            return WorkflowCommand.line(.error, [], TerminalEscape.escape(reason)) + "\n"
        }
        let all = findings.annotations ?? findings.results
        let lines: [String]
        switch findings.tally {
        case .ofEachKind: lines = ofEachKind(all)
        case .all(let totals, let noun):
            lines = chosen(all, document, totals: totals, noun: noun)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Ten of each kind. If some are left out, the tenth notice counts all.
    private static func ofEachKind(_ findings: [Finding]) -> [String] {
        let kinds = Kind.allCases.map { kind in findings.filter { self.kind($0) == kind } }
        guard kinds.contains(where: { $0.count > WorkflowCommand.most }) else {
            return kinds.joined().map(command)
        }
        let shown = zip(Kind.allCases, kinds).map { kind, findings in
            findings.prefix(kind == .notice ? WorkflowCommand.most - 1 : WorkflowCommand.most)
        }
        let counts = zip(Kind.allCases, kinds).filter { !$1.isEmpty }
            .map { Words.count($1.count, $0.rawValue) }
        let sum =
            "\(Words.count(findings.count, "finding")) in all: "
            + "\(counts.joined(separator: ", ")); \(shown.joined().count) of them are annotations, "
            + "because GitHub shows \(WorkflowCommand.most) of each kind"
        return shown.joined().map(command)
            + [WorkflowCommand.line(.notice, [("title", "hawser")], sum)]
    }

    /// Ten in all, by their order of choice, and a notice with the totals.
    private static func chosen(
        _ findings: [Finding], _ document: Document, totals: [String], noun: String
    ) -> [String] {
        let fixed = findings.indices.filter { findings[$0].isKept }
        let room = max(0, WorkflowCommand.most - fixed.count)
        let order = findings.indices.filter { !findings[$0].isKept }
            .sorted { (findings[$0].choice ?? $0, $0) < (findings[$1].choice ?? $1, $1) }
        let shown = (fixed + order.prefix(room)).sorted()
        var words = totals
        if order.count > room {
            let groups = order.dropFirst(room).compactMap { findings[$0].group }
            let counts = Dictionary(grouping: groups) { $0 }.sorted { $0.key < $1.key }
                .map { "\($0.value.count) \($0.key.words)" }.joined(separator: ", ")
            let command = document.command.map { "; all of them: \($0)" } ?? ""
            words.append(
                "\(order.count) \(noun), \(min(room, order.count)) of them are annotations"
                    + (counts.isEmpty ? "" : "; left out: \(counts)\(command)"))
        }
        let lines = Kind.allCases.flatMap { kind in
            shown.filter { self.kind(findings[$0]) == kind }.map { command(findings[$0]) }
        }
        let sum = words.map(TerminalEscape.escape).joined(separator: "\n")
        return lines + [WorkflowCommand.line(.notice, [("title", document.name)], sum)]
    }

    private static func kind(_ finding: Finding) -> Kind {
        guard finding.suppression == nil else { return .notice }
        switch finding.level {
        case .error: return .error
        case .warning: return .warning
        case .note: return .notice
        }
    }

    private static func command(_ finding: Finding) -> String {
        var properties: [(String, String)] = []
        if let place = finding.places.first {
            properties = [("file", place.file), ("line", "\(place.line)")]
            if let end = place.end {
                properties.append(("endLine", "\(end.line)"))
                // GitHub takes columns only if start and end are on one line.
                if end.line == place.line {
                    properties += [("col", "\(place.column)"), ("endColumn", "\(end.column)")]
                }
            } else {
                properties.append(("col", "\(place.column)"))
            }
        }
        let word = finding.suppression.map { " (\($0.word))" } ?? ""
        properties.append(("title", finding.title + word))
        let message = (finding.annotation ?? finding.lines).map(TerminalEscape.escape)
            .joined(separator: "\n")
        return WorkflowCommand.line(kind(finding), properties, message)
    }
}
