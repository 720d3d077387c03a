import Rendering
import TrustEngine

/// Makes the document of an audit's summary: the rejected rows and the changed verdicts with the
/// gravest first, the flips by class of hosts, then the counts by rule, violation and host. A text
/// has one line for each count. A page has tables.
struct AuditDocument {
    private let summary: AuditSummary
    private var tally: AuditTally { summary.tally }

    /// The most counts of each list in a text, and of hosts in a cell of a page.
    private static let mostLines = 10
    private static let mostHosts = 5

    /// The document of a summary.
    static func document(_ summary: AuditSummary) -> Document {
        let teller = AuditDocument(summary: summary)
        var document = Document(kind: "audit", version: summary.version)
        document.title = "audit of \(Words.count(summary.tally.rows, "row"))"
        document.headline = teller.headline
        document.blocks = teller.lines + teller.sections
        document.footer = teller.footer
        document.command = summary.command
        return document
    }

    private init(summary: AuditSummary) { self.summary = summary }

    // MARK: Text

    private var lines: [Block] {
        var lines = [title]
        if tally.leftOut > 0 { lines.append("\(tally.leftOut) rows are not in the sample") }
        lines += list("error", AuditTally.sorted(tally.errors))
        let rules = self.rules.map { rule, count in
            let name = rule.map { $0.isEmpty ? "`default`" : "rule `\($0)`" } ?? "no rule"
            return "\(name): \(count.accepted) accepted, \(count.rejected) rejected"
        }
        lines += Cut.list(rules, most: AuditDocument.mostLines, after: " rules")
        lines += list("violation", AuditTally.sorted(tally.violations))
        lines += list("reported", AuditTally.sorted(tally.reported))
        if tally.unmatchedRows > 0 {
            lines.append("\(tally.unmatchedRows) rows are of hosts that no rule matches")
            lines += list("  host", AuditTally.sorted(tally.unmatchedHosts))
        }
        lines += summary.classes?.lines(tally.flips) ?? []
        lines += [prepared].compactMap(\.self)
        if let first = tally.costly.first {
            lines.append(
                "costliest: row \(first.line)\(first.input.map { " of `\($0)`" } ?? ""), "
                    + "`\(first.host)`: \(first.units) units of work")
        }
        lines.append(rates)
        return lines.map { .line(.plain($0), isWhole: true, room: .screen) }
    }

    private var title: String {
        let verdicts = tally.verdicts
        var text =
            "\(Words.count(tally.rows, "row")): "
            + "\(verdicts.accepted) accepted, \(verdicts.rejected) rejected"
        text += ", \(Words.count(tally.errorCount, "error"))"
        if tally.changed + tally.unchanged > 0 { text += "; \(tally.changed) changed" }
        return text
    }

    private func list(_ what: String, _ counts: [(name: String, count: Int)]) -> [String] {
        Cut.list(
            counts.map { "\(what) `\($0.name)`: \($0.count)" }, most: AuditDocument.mostLines,
            after: " of \(what.drop { $0 == " " })")
    }

    /// The rules, those with the most rejected rows first.
    private var rules: [(key: String?, value: AuditTally.Verdicts)] {
        tally.rules.sorted {
            ($1.value.rejected, $1.value.accepted, $0.key ?? "~")
                < ($0.value.rejected, $0.value.accepted, $1.key ?? "~")
        }
    }

    private var prepared: String? {
        let rows = summary.run.preparedRows
        guard rows > 0 else { return nil }
        return "\(Words.count(rows, "row was", "rows were")) judged with "
            + "CRLs that the audit prepared, as a service must prepare long ones"
    }

    private var rates: String {
        let run = summary.run
        return "\(summary.rate(run.rows)) rows and \(summary.rate(run.newSignatures)) "
            + "new signatures a second, \(Words.count(run.jobs, "job"))"
    }

    // MARK: Page

    private var headline: Headline {
        let (changed, verdicts) = (tally.changed, tally.verdicts)
        let toReject = changed - tally.changedToAccept
        var words: [Word] = []
        if changed + tally.unchanged > 0 {
            words = [
                Word(
                    "\(tally.changedToAccept) now accepted",
                    tally.changedToAccept > 0 ? .bad : .soft),
                Word("\(toReject) now rejected", toReject > 0 ? .bad : .soft),
            ]
        }
        words.append(
            Word("\(verdicts.rejected) rejected", verdicts.rejected > 0 ? .bad : .soft))
        if tally.errorCount > 0 { words.append(.warn(Words.count(tally.errorCount, "error"))) }
        words.append(
            Word("\(verdicts.accepted) accepted", verdicts.accepted > 0 ? .good : .soft))
        var fields = [Field("rows", .plain("\(tally.rows)"))]
        if tally.leftOut > 0 {
            fields.append(Field("rows outside the sample", .plain("\(tally.leftOut)")))
        }
        return Headline("audit of recorded connections", words: words, fields: fields)
    }

    private var footer: [Field] {
        [
            summary.old.map { Field("old policy", .code($0.text)) },
            Field("policy", .code(summary.policy.text)), Field("run", .plain(rates)),
        ].compactMap(\.self)
    }

    private var sections: [Block] {
        let costly = tally.costly.filter { $0.units > 0 }
        return [
            .section("groups", "Rejected rows and changed verdicts", groups, room: .page),
            .section(
                "classes", "Changed verdicts by class of hosts",
                [summary.classes.map { $0.table(tally.flips) }].compactMap(\.self), room: .page),
            .section(
                "errors", "Rows without a verdict",
                counts(
                    "errors", "error", tally.errors,
                    "Hawser could not judge these rows. `hawser help audit.md` explains each error."
                ),
                room: .page),
            .section(
                "rules", "Rules",
                [
                    .table(
                        "verdicts by rule", ["rule", "accepted", "rejected"],
                        rules.map { rule, count in
                            Row([
                                [AuditDocument.name(ofRule: rule)], [.plain("\(count.accepted)")],
                                [.plain("\(count.rejected)")],
                            ])
                        }, noun: Noun("rule", "rules"))
                ], room: .page),
            .section("violations", "Violations", violations, room: .page),
            .section(
                "reported", "Accepted with a failed check",
                counts(
                    "failed checks that the policy only reports", "violation", tally.reported,
                    "A waiver, `report-only` or `best-effort` lets these failures pass."),
                room: .page),
            .section(
                "notices", "Notices", counts("notices of accepts", "notice", tally.notices),
                room: .page),
            .section(
                "unmatched", "Hosts that no rule matches",
                tally.unmatchedRows == 0
                    ? []
                    : counts(
                        "hosts that no rule matches", "host", tally.unmatchedHosts,
                        "\(Words.count(tally.unmatchedRows, "row")). Under `default: deny`, Hawser "
                            + "rejects these hosts."), room: .page),
            .section(
                "costliest", "Rows that cost the most work",
                ([prepared].compactMap(\.self).map { .line(DocumentText($0)) })
                    + [
                        .table(
                            "rows that cost the most work", ["row", "host", "units"],
                            costly.map { row in
                                Row([
                                    [AuditDocument.row(row.input, row.line)], [.code(row.host)],
                                    [.plain("\(row.units)")],
                                ])
                            }, noun: .row, rank: .last)
                    ], rank: .last, room: .page),
        ]
    }

    // MARK: Groups

    private var groups: [Block] {
        let groups = tally.groups.sorted
        guard !groups.isEmpty else {
            return [.line("No judged row is rejected. No verdict differs from an earlier one.")]
        }
        let receipts =
            "`--receipts FILE` writes a receipt of each row that is written; "
            + "`hawser explain --receipt FILE:LINE` explains one."
        let lines: [Block] = [
            .line("The gravest group comes first. A row with two violations is in two groups."),
            .table(
                "rejected rows and changed verdicts",
                ["verdict", "rule", "violation", "usual side", "rows", "hosts", "first row"],
                groups.map { key, group in
                    Row(
                        [
                            [AuditDocument.words(for: key.change)],
                            [AuditDocument.name(ofRule: key.rule)],
                            [key.violation.map(DocumentText.code) ?? "not known"],
                            [.plain(AuditDocument.side(of: key.violation))],
                            [.plain("\(group.rows)")], hosts(group),
                            [AuditDocument.row(group.input, group.line)],
                        ], rank: .group(key.change))
                }, noun: Noun("group", "groups")),
        ]
        return summary.old == nil ? lines + [.line(DocumentText(receipts))] : lines
    }

    private static func words(for change: AuditGroups.Change) -> DocumentText {
        switch change {
        case .toAccept: return .word(.bad("now accepted"))
        case .toReject: return .word(.bad("now rejected"))
        case .reject: return .word(.warn("rejected"))
        }
    }

    /// The hosts of a group, those with the most rows first, each with its rows.
    private func hosts(_ group: AuditGroups.Group) -> [DocumentText] {
        let order = AuditTally.sorted(group.hosts)
        let hosts = order.prefix(AuditDocument.mostHosts).map { host in
            DocumentText.code(host.name) + .plain(" \(Words.count(host.count, "row"))")
        }
        let others =
            Cut.others(order.count - hosts.count, after: " hosts")
            + (group.otherRows > 0
                ? ["\(Words.count(group.otherRows, "row")) of hosts that are not counted"] : [])
        return hosts + others.map { .plain($0) }
    }

    // MARK: Parts

    private var violations: [Block] {
        [
            .table(
                "rows that have a violation", ["violation", "usual side", "rows"],
                AuditTally.sorted(tally.violations).map { id, count in
                    Row([
                        [.code(id)], [.plain(AuditDocument.side(of: id))], [.plain("\(count)")],
                    ])
                }, noun: Noun("violation", "violations"))
        ]
    }

    /// A table of counts below a sentence; nothing if the counts are empty.
    private func counts(
        _ caption: String, _ noun: String, _ counts: [String: Int], _ lead: String? = nil
    ) -> [Block] {
        guard !counts.isEmpty else { return [] }
        return [lead].compactMap { $0.map { .line(DocumentText($0)) } } + [
            .table(
                caption, [noun, "rows"],
                AuditTally.sorted(counts).map { Row([[.code($0.name)], [.plain("\($0.count)")]]) },
                noun: Noun(noun, "\(noun)s"))
        ]
    }

    private static func name(ofRule rule: String?) -> DocumentText {
        rule.map { .code($0.isEmpty ? "default" : $0) } ?? "none"
    }

    /// A row by its input and its line.
    static func row(_ input: String?, _ line: Int) -> DocumentText {
        .plain("row \(line)") + (input.map { .plain(" of ") + .code($0) } ?? .plain(""))
    }

    private static func side(of violation: String?) -> String {
        violation.flatMap(ViolationKind.init)?.declaration.side.name ?? ""
    }
}

// The gravest groups stay longest where there is little room.
extension Rank {
    fileprivate static func group(_ change: AuditGroups.Change) -> Rank {
        switch change {
        case .toAccept: return Rank(40)
        case .toReject: return Rank(41)
        case .reject: return Rank(42)
        }
    }
}
