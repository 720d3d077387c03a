import PolicyCompiler
import Rendering
import TrustEngine

/// Writes a comparison as one page: weaker fields first, each with its places in both policies;
/// then the authorities that could vouch; then the recorded requests whose verdict flips, with
/// their paths before and after; then the lines of both policies side by side.
enum DiffPage {
    static func render(_ report: DiffReport) -> String {
        let footer: [HTML] = [
            .facts([
                ("command", [.element("code", report.command)]),
                ("written by", [HTML("hawser \(report.version)")]),
            ])
        ]
        switch report.outcome {
        case .notCompared(let failure):
            return HTMLPage.render(
                title: "diff: not compared", kind: "diff",
                head: [
                    .element("h1", "not compared"), .element("p", [.word(.bad, "not compared")]),
                    .paragraph(failure.context),
                    .paragraph("Nothing is known of what this change does."),
                ], sections: [], footer: footer)
        case .compared(let answers):
            var sections: [HTMLPage.Section] = []
            for (index, answer) in answers.enumerated() {
                var page = Comparison(
                    answer, number: index,
                    title: DiffSentences.title(index, of: answers).map { $0 + ": " } ?? "")
                sections += page.sections()
            }
            let heads = answers.enumerated().map { index, answer in
                HTML.element(
                    "p", ["class": "lead"],
                    [
                        HTML(
                            sentence: (DiffSentences.title(index, of: answers).map { $0 + ": " }
                                ?? "")
                                + DiffSentences.headline(answer.diff))
                    ])
            }
            return HTMLPage.render(
                title: "diff of \(report.unit)", kind: "diff",
                head: [.element("h1", report.unit)] + counts(answers.map(\.diff)) + heads,
                sections: sections, footer: footer)
        }
    }

    private static func counts(_ diffs: [PolicyDiff]) -> [HTML] {
        diffs.map { diff in
            let counts = diff.counts
            let words: [(Int, Relation)] = [
                (counts.weaker, .weaker), (counts.incomparable, .incomparable),
                (counts.stricter, .stricter), (counts.equal, .equal),
            ]
            return .element(
                "p",
                words.map { count, relation in
                    HTML.joined([
                        .word(
                            count == 0 ? .soft : mood(relation),
                            "\(count) \(DiffSentences.relation(relation))"), HTML(" "),
                    ])
                })
        }
    }

    fileprivate static func mood(_ relation: Relation) -> HTML.Mood {
        switch relation {
        case .weaker: return .bad
        case .incomparable: return .warn
        case .stricter: return .good
        case .equal: return .soft
        }
    }
}

/// The sections of one comparison.
private struct Comparison {
    private let answer: DiffAnswer
    private let diff: PolicyDiff
    private let number: Int
    private let title: String
    private var old: PolicySourceView
    private var new: PolicySourceView

    init(_ answer: DiffAnswer, number: Int, title: String) {
        self.answer = answer
        diff = answer.diff
        self.number = number
        self.title = title
        let name = number == 0 ? "" : "-\(number + 1)"
        old = PolicySourceView(diff.old.files.map(PolicySourceFile.init), name: "old\(name)")
        new = PolicySourceView(diff.new.files.map(PolicySourceFile.init), name: "new\(name)")
    }

    mutating func sections() -> [HTMLPage.Section] {
        let changes = self.changes()
        let idle = self.idle()
        func section(_ id: String, _ words: String, _ content: [HTML]) -> HTMLPage.Section {
            HTMLPage.Section(
                number == 0 ? id : "\(id)-\(number + 1)",
                title.isEmpty ? words : title + words.prefix(1).lowercased() + words.dropFirst(),
                content)
        }
        return [
            section("changes", "What changes", changes),
            section("guards", "Guards", DiffPage.guards(answer.guards)),
            section("surface", "Authorities that could vouch", surfaces()),
            section("requests", "Recorded requests", requests()),
            section("idle", "Changes that decide nothing", idle),
            section(
                "approvals", "Who must approve",
                HTML.sentences(ApprovalSentences(answer.approvals).sentences)),
            section("lines", "Policies, side by side", sideBySide()),
            section("compared", "What was compared", compared()),
        ]
    }

    // MARK: Changes

    private mutating func changes() -> [HTML] {
        var items: [[HTML]] = []
        var rows: [[[HTML]]] = []
        var last: PolicyDiff.Change?
        func close() {
            guard !items.isEmpty else { return }
            items[items.count - 1] += HTML.table(
                "fields from their old to their new values", ["field", "how", "values", "where"],
                rows)
            items[items.count - 1] += last.map(Comparison.allHosts) ?? []
            rows = []
        }
        for finding in DiffFinding.all(diff) {
            if finding.isFirst {
                close()
                items.append(head(finding.change))
                last = finding.change
            }
            rows.append(row(finding))
        }
        close()
        return HTML.list(items)
    }

    private func head(_ change: PolicyDiff.Change) -> [HTML] {
        var parts: [HTML] = [
            .element(
                "h3",
                [
                    .word(
                        DiffPage.mood(change.relation), DiffSentences.relation(change.relation)),
                    // The title begins with the word.
                    HTML(
                        sentence: String(
                            DiffSentences.title(change).dropFirst(
                                DiffSentences.relation(change.relation).count))),
                ]), .paragraph(DiffSentences.hosts(change, most: Comparison.mostHosts)),
        ]
        parts += HTML.sentences(
            DiffSentences.answerable(change)
                + DiffSentences.rules(change)
                + DiffSentences.wholes(change)
                + change.files.map { "file `\($0)`" })
        if let allowance = change.allowance {
            parts.append(.element("p", [.word(.warn, "allowed"), HTML(" "), HTML(allowance)]))
        }
        return parts
    }

    /// Every host of a change, where its head does not name all.
    private static func allHosts(_ change: PolicyDiff.Change) -> [HTML] {
        guard change.hosts.count > mostHosts else { return [] }
        let parts = DiffSentences.hostParts(change, quoted: { "`\($0)`" })
        return [.paragraph("\(DiffSentences.ownedHosts(change)):")]
            + HTML.list(parts.map { [.paragraph($0.joined(separator: ", "))] })
    }

    private mutating func row(_ finding: DiffFinding) -> [[HTML]] {
        var values: [HTML] = []
        for entry in finding.entries {
            let head = entry.start.map { "from \($0) on: " } ?? ""
            if entry.fields.isEmpty { values.append(.paragraph(head + "equal")) }
            for field in entry.fields {
                values.append(
                    .element(
                        "p",
                        [
                            HTML(head), Comparison.value(field.from),
                            HTML(sentence: finding.term?.usual.map { " in \($0)" } ?? ""),
                            HTML(" → "),
                            Comparison.value(field.to),
                        ]))
                values += field.remarks.map(HTML.paragraph)
            }
        }
        values += HTML.sentences(
            DiffSentences.authorities(finding.authorities, most: Comparison.mostAuthorities))
        var places: [HTML] = []
        for one in finding.change.places[finding.path] ?? [] {
            let was = one.old.map { old.link(text: $0.text) }
            let now = one.new.map { new.link(text: $0.text) }
            let parts = [was.map { [HTML("old: "), $0] }, now.map { [HTML("new: "), $0] }]
            for part in parts.compactMap(\.self) {
                places.append(.element("p", ["class": "place"], part))
            }
        }
        return [
            [.element("code", finding.path)],
            [.word(DiffPage.mood(finding.relation), DiffSentences.relation(finding.relation))],
            values, places,
        ]
    }

    /// A value of a field. One that holds code is a sentence.
    private static func value(_ text: String) -> HTML {
        text.contains("`") ? HTML(sentence: text) : .element("code", text)
    }

    private mutating func idle() -> [HTML] {
        HTML.list(
            diff.idle.map { change in
                let place = change.location.map { location in [HTML(" "), new.link(location)] }
                return [.element("p", [HTML(sentence: change.sentence)] + (place ?? []))]
            })
    }

    private func surfaces() -> [HTML] {
        (DiffSentences.store(diff).map { [.paragraph($0)] } ?? [])
            + HTML.list(
                diff.surfaces.map { surface in
                    [.paragraph(DiffSentences.line(surface) { "`\($0)`" })]
                        + HTML.sentences(
                            DiffSentences.authorities(
                                surface.change, most: Comparison.mostAuthorities))
                })
    }

    // MARK: Requests

    private func requests() -> [HTML] {
        let requests = answer.requests
        guard !requests.isEmpty else { return [] }
        var parts = [HTML.paragraph(DiffSentences.judgedTitle(requests))]
        parts += HTML.list(
            requests.flips.enumerated().map { index, flip in
                var parts: [HTML] = [
                    .element(
                        "h3",
                        [
                            // A reviewer must see new accepts first.
                            .word(
                                flip.accepts ? .bad : .warn,
                                flip.accepts ? "reject → accept" : "accept → reject"),
                            HTML(" \(flip.source)"),
                        ])
                ]
                let isDrawn = index < Comparison.mostDrawings
                let sides = [
                    ("old", flip.before, flip.paths.old), ("new", flip.after, flip.paths.new),
                ]
                parts.append(
                    .element(
                        "div", ["class": "pair"],
                        sides.map { word, line, paths in
                            .element(
                                "div",
                                [.element("p", [HTML("\(word): "), HTML(sentence: line)])]
                                    + (isDrawn && !paths.isEmpty
                                        ? [paths.figure("flip-\(number)-\(index)-\(word)")] : []))
                        }))
                return parts
            })
        return parts + HTML.sentences(requests.unjudged.map { "not judged: \($0)" })
    }

    // MARK: Lines

    private func sideBySide() -> [HTML] {
        var paths = diff.old.files.map(\.path)
        paths += diff.new.files.map(\.path).filter { !paths.contains($0) }
        return paths.flatMap { path in
            let was = diff.old.files.first { $0.path == path }
            let now = diff.new.files.first { $0.path == path }
            return table(path, was, now)
        }
    }

    private func table(_ path: String, _ was: SourceFile?, _ now: SourceFile?) -> [HTML] {
        let pairs = LineDiff.pairs(from: was?.bytes ?? [], to: now?.bytes ?? [])
        func isShown(_ pair: LineDiff.Pair) -> Bool {
            !pair.isKept || pair.old.flatMap { old.id(of: path, line: $0) } != nil
                || pair.new.flatMap { new.id(of: path, line: $0) } != nil
        }
        var shown = Array(repeating: false, count: pairs.count)
        for (index, pair) in pairs.enumerated() where isShown(pair) {
            let last = min(pairs.count - 1, index + Comparison.around)
            for near in max(0, index - Comparison.around)...last { shown[near] = true }
        }
        guard shown.contains(true) else { return [] }
        var rows: [HTML] = []
        var last = -1
        for (index, pair) in pairs.enumerated() where shown[index] {
            if index != last + 1 { rows.append(Comparison.gap) }
            last = index
            rows.append(
                .element(
                    "tr", ["class": pair.isKept ? "kept" : nil],
                    cells(old, path, pair.old, pair.isKept ? nil : "gone")
                        + cells(new, path, pair.new, pair.isKept ? nil : "come")))
        }
        let head = [("number", ""), ("code", "old"), ("number", ""), ("code", "new")].map {
            HTML.element("th", ["scope": "col", "class": $0], $1)
        }
        return [
            .element(
                "table", ["class": "sides"],
                [
                    .element("caption", path), .element("thead", [.element("tr", head)]),
                    .element("tbody", rows),
                ])
        ]
    }

    private static let gap = HTML.element(
        "tr", ["class": "kept"],
        [
            .element("td", ["class": "number"], "⋮"), .element("td", []),
            .element("td", ["class": "number"], "⋮"), .element("td", []),
        ])

    /// The number and the text of a line of one side.
    private func cells(
        _ side: PolicySourceView, _ path: String, _ line: Int?, _ mark: String?
    ) -> [HTML] {
        guard let line else {
            return [.element("td", ["class": "none"], []), .element("td", ["class": "none"], [])]
        }
        let sign = mark == nil ? "" : mark == "gone" ? "− " : "+ "
        return [
            .element("td", ["class": "number"], "\(sign)\(line)"),
            .element(
                "td",
                [
                    "class": "code\(mark.map { " " + $0 } ?? "")",
                    "id": side.id(of: path, line: line),
                ],
                side.text(of: path, line: line)),
        ]
    }

    // MARK: The end

    private func compared() -> [HTML] {
        [
            .paragraph(DiffSentences.totals(diff)),
            .facts([
                ("from", [HTML(diff.since.description)]),
                ("old", [HTML(sentence: DiffSentences.text(diff.old))]),
                ("its digest", [HTML(diff.old.policyDigest.text)]),
                ("new", [HTML(sentence: DiffSentences.text(diff.new))]),
                ("its digest", [HTML(diff.new.policyDigest.text)]),
            ]),
        ]
    }

    /// The hosts that stand above the fields of a change. Where there are more, all stand below.
    private static let mostHosts = 24
    private static let mostAuthorities = 24
    /// Requests whose paths are drawn.
    private static let mostDrawings = 24
    /// The lines before and after a changed or cited one.
    private static let around = 3
}
