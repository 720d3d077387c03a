import PolicyCompiler
import Rendering
import TrustEngine

/// Makes the document of a comparison for a page: the gravest changes first. Of each kind of
/// change, field and source, one row goes before other rows.
struct DiffDocument {
    private let answer: DiffAnswer
    private let diff: PolicyDiff
    /// The number of the comparison among all of the report.
    private let number: Int
    /// The title of one of several comparisons.
    private let title: String?
    private let findings: [DiffFinding]
    /// For each finding, the number of its change in the list of all hosts; nil if the row names
    /// every host.
    private let hostNumbers: [Int?]

    /// The page of a report.
    static func page(_ report: DiffReport) -> Document {
        var document = Document(kind: "diff", version: report.version)
        document.command = report.command
        document.marker = ("hawser-diff", report.unit)
        switch report.outcome {
        case .notCompared(let failure):
            document.title = "diff: not compared"
            document.headline = Headline(DiffReport.undone)
            document.blocks = [
                .line(
                    "Nothing is known of what this change does: \(DiffReport.sentence(failure)).")
            ]
        case .compared(let answers):
            document.title = "diff of \(report.unit)"
            document.headline = Headline(DiffSentences.headline(answers[0].diff))
            if answers.count == 1 { document.headline.words = counts(answers[0].diff) }
            for index in answers.indices {
                let part = DiffDocument(
                    answers[index], number: index,
                    title: DiffSentences.title(index, of: answers))
                document.blocks += part.blocks()
                document.sources += part.sources()
            }
        }
        return document
    }

    private init(_ answer: DiffAnswer, number: Int, title: String?) {
        self.answer = answer
        diff = answer.diff
        self.number = number
        self.title = title
        findings = DiffFinding.all(answer.diff)
        var (last, count): (Int?, Int) = (nil, 0)
        hostNumbers = findings.map { finding in
            guard finding.isFirst else { return last }
            let isLong = finding.change.hosts.count > DiffDocument.mostHosts
            if isLong { count += 1 }
            last = isLong ? count : nil
            return last
        }
    }

    /// A relation as a word.
    private static func word(_ relation: Relation) -> Word {
        Word(DiffSentences.relation(relation), tone(relation))
    }

    static func tone(_ relation: Relation) -> Tone {
        switch relation {
        case .weaker: return .bad
        case .incomparable: return .warn
        case .stricter: return .good
        case .equal: return .soft
        }
    }

    private static func counts(_ diff: PolicyDiff) -> [Word] {
        let counts = diff.counts
        let all: [(Int, Relation)] = [
            (counts.weaker, .weaker), (counts.incomparable, .incomparable),
            (counts.stricter, .stricter), (counts.equal, .equal),
        ]
        return all.map { count, relation in
            Word(
                "\(count) \(DiffSentences.relation(relation))",
                count == 0 || relation == .equal ? .plain : tone(relation))
        }
    }

    // MARK: Parts

    private func blocks() -> [Block] {
        let approvals = ApprovalSentences(answer.approvals)
        return head() + [section("guards", "Guards", [guards()])]
            + ChangeKind.allCases.filter { $0 < .stricter }.map { kind in
                section(kind.name, "Hosts that \(kind.verb(false))\(by(kind))", [changes(kind)])
            } + [
                section(
                    "approvals",
                    Cut.text(
                        approvals.headline ?? ApprovalSentences.claimedTitle,
                        most: DiffDocument.longestTitle),
                    [
                        .list(
                            approvals.sentences.enumerated().map {
                                Entry("\($1)", rank: rank($0, 3))
                            })
                    ],
                    isFolded: true),
                section("hosts", "Every host of these changes", [allHosts()], isFolded: true),
                section("requests", "Recorded requests", requests(), isFolded: true),
                section(
                    "stricter", "Hosts that \(ChangeKind.stricter.verb(false))",
                    [changes(.stricter)], isFolded: true),
                section("surface", "Authorities that could vouch", surfaces(), isFolded: true),
                section("idle", "Changes that decide nothing", [idle()], isFolded: true),
                section(
                    "lines", "Policies, side by side",
                    DiffLines.tables(diff.old.files, diff.new.files).map { .drawing($0) }),
                section("compared", "What was compared", compared()),
            ]
    }

    private func by(_ kind: ChangeKind) -> String { kind == .opened ? " by `default`" : "" }

    /// The rank of an item of a list. If space is short, a list of `weight` 2 has half as many
    /// items as a list of weight 1.
    private func rank(_ position: Int, _ weight: Int) -> Rank { Rank(100 + weight * position) }

    private static let longestTitle = 600

    private func section(
        _ id: String, _ words: String, _ blocks: [Block], isFolded: Bool = false
    ) -> Block {
        .section(
            number == 0 ? id : "\(id)-\(number + 1)",
            title.map { "\($0): \(words.prefix(1).lowercased())\(words.dropFirst())" } ?? words,
            blocks, isFolded: isFolded, room: .page)
    }

    private func head() -> [Block] {
        let counts =
            title == nil
            ? "" : " \(DiffDocument.counts(diff).map(\.text).joined(separator: ", "))."
        let lines = [
            title.map { "\($0): \(DiffSentences.headline(diff))" },
            "`\(diff.old.name)` -> `\(diff.new.name)`, compared from `\(diff.since)` on."
                + "\(counts) Not compared: 0.",
            answer.requests.isEmpty ? nil : DiffSentences.judgedTitle(answer.requests),
        ].compactMap(\.self)
        return lines.map { .line("\($0)", rank: .needed, room: .page) }
            + (GuardSentences.summary(answer.guards).map {
                [.line("\($0)", rank: .needed, room: .page)]
            } ?? [])
    }

    private func guards() -> Block {
        let rows = (answer.guards?.changes ?? []).enumerated().map { index, change in
            Row(
                [
                    [.word(GuardSentences.word(change))],
                    ([change.sentence] + GuardSentences.lines(change, most: 20)).map { "\($0)" },
                    change.place.map { [.code($0.text)] } ?? [],
                ], rank: rank(index, 3))
        }
        return .table(
            "guards that change", ["", "Guard", "Where"], rows, noun: Noun("guard", "guards"),
            head: 1)
    }

    // MARK: Changes

    /// Hosts that a row of a table names. If a change has more, the row has the number of the
    /// change in the list of all hosts.
    private static let mostHosts = 4
    /// The most lines of one cell: a field may change at thousands of dates.
    private static let mostLines = 12

    /// The fields of the changes of one kind.
    private func changes(_ kind: ChangeKind) -> Block {
        var ranks = Array(repeating: rank(0, 1), count: findings.count)
        if kind < .stricter {
            for (place, index) in FindingChoice.order(findings).enumerated() {
                ranks[index] = rank(place, 1)
            }
        } else {
            for index in findings.indices { ranks[index] = rank(index, 10) }
        }
        let told = "hosts that \(kind.verb(false))\(by(kind))"
        let rows = findings.indices.filter { min(findings[$0].kind, .stricter) == kind }.map {
            index in
            row(findings[index], hostNumbers[index], ranks[index])
        }
        return .table(
            "fields of \(told)", ["", "Hosts", "Field", "Old -> new", "Where"], rows,
            noun: Noun("row of \(told)", "rows of \(told)"), head: 2)
    }

    private func row(_ finding: DiffFinding, _ number: Int?, _ rank: Rank) -> Row {
        Row(
            [
                [.word(DiffDocument.word(finding.relation))], hosts(finding, number),
                [.code(finding.path)], values(finding), places(finding),
            ], rank: rank)
    }

    /// The hosts of a row. Rows of one change may be far apart, so each names one.
    private func hosts(_ finding: DiffFinding, _ number: Int?) -> [DocumentText] {
        let change = finding.change
        guard finding.isFirst else {
            let first = change.hosts.first.map { DiffSentences.text($0) { "`\($0)`" } } ?? ""
            let rest = Cut.rest(
                change.hosts.count - 1, before: " and ", after: ", the same hosts")
            return ["\(first)\(rest)"]
        }
        let sentences =
            [DiffSentences.hosts(change, most: DiffDocument.mostHosts)]
            + (number.map { ["all of them: \($0) below"] } ?? [])
            + (change.kind == .trusted ? ["newly trusted"] : [])
            + (DiffSentences.besides(change).map { [$0] } ?? []) + DiffSentences.wholes(change)
            + (change.allowance.map { ["allowed: \($0)"] } ?? [])
        return sentences.map { "\($0)" }
    }

    private func values(_ finding: DiffFinding) -> [DocumentText] {
        var lines: [DocumentText] = []
        for entry in finding.entries {
            let head: DocumentText = entry.start.map { "from `\($0)` on: " } ?? ""
            if entry.fields.isEmpty { lines.append(head + "equal") }
            for field in entry.fields {
                let usual: DocumentText = finding.term?.usual.map { " in \($0)" } ?? ""
                lines.append(
                    head + DiffDocument.value(field.from) + usual + " -> "
                        + DiffDocument.value(field.to))
                lines += field.remarks.map { "\($0)" }
            }
        }
        let left = lines.count - DiffDocument.mostLines
        return lines.prefix(DiffDocument.mostLines) + Cut.others(left).map { "\($0)" }
            + DiffSentences.authorities(finding.authorities, most: DiffDocument.mostLines)
            .map { "\($0)" }
    }

    /// A value of a field. A value that contains code is a sentence.
    private static func value(_ text: String) -> DocumentText {
        text.contains("`") ? "\(text)" : .code(text)
    }

    private func places(_ finding: DiffFinding) -> [DocumentText] {
        let change = finding.change
        let all = (change.places[finding.path] ?? []).flatMap { one -> [String] in
            let new = (one.new?.text ?? "").isEmpty ? [] : [place(one.new?.text ?? "", isNew: true)]
            guard let old = one.old?.text, !old.isEmpty,
                one.new == nil || DiffSentences.text(one) != one.new?.text
            else { return new }
            return [place(old, isNew: false)] + new
        }
        return (DiffSentences.answerable(change) + DiffSentences.rules(change)).map { "\($0)" }
            + all.prefix(DiffDocument.mostLines).map { .place($0) }
            + Cut.others(all.count - DiffDocument.mostLines).map { "\($0)" }
            + Cut.list(change.files.map { "file `\($0)`" }, most: 4).map { "\($0)" }
    }

    /// A place with the words that tell its file from files of the same path.
    private func place(_ text: String, isNew: Bool) -> String {
        let words = [isNew ? nil : number == 0 ? "old" : "old \(number + 1)", diff.unit]
        let known = words.compactMap(\.self)
        return known.isEmpty ? text : "\(known.joined(separator: " ")): \(text)"
    }

    /// The files of both policies, by the same words as their places.
    private func sources() -> [PolicySourceFile] {
        [(diff.new.files, true), (diff.old.files, false)].flatMap { files, isNew in
            files.map { file in
                PolicySourceFile(
                    path: place(file.path, isNew: isNew),
                    text: String(decoding: file.bytes, as: UTF8.self))
            }
        }
    }

    /// Every host of the numbered changes, some on each line.
    private func allHosts() -> Block {
        var rows: [Row] = []
        for (finding, number) in zip(findings, hostNumbers) {
            guard finding.isFirst, let number else { continue }
            let head = "`\(finding.path)`, \(DiffSentences.ownedHosts(finding.change))"
            let lines = DiffSentences.hostParts(finding.change, quoted: { "`\($0)`" })
                .flatMap(DiffDocument.lines)
            for (index, line) in lines.enumerated() {
                rows.append(
                    Row(
                        [["\(number)"] + (index == 0 ? ["\(head)"] : []), ["\(line)"]],
                        rank: rank(rows.count, 3)))
            }
        }
        return .table(
            "every host of the changes above", ["Change", "Hosts"], rows,
            noun: Noun("line of hosts", "lines of hosts"))
    }

    /// Hosts in lines of limited length.
    private static func lines(_ hosts: [String]) -> [String] {
        var lines: [String] = []
        for host in hosts {
            if let last = lines.last, last.utf8.count + host.utf8.count < longestLine {
                lines[lines.count - 1] = "\(last), \(host)"
            } else {
                lines.append(host)
            }
        }
        return lines
    }

    private static let longestLine = 300

    // MARK: The rest

    private func surfaces() -> [Block] {
        let entries = diff.surfaces.enumerated().map { index, surface in
            let authorities = DiffSentences.authorities(surface.change, most: 24)
            return Entry(
                "\(DiffSentences.line(surface) { "`\($0)`" })",
                authorities.isEmpty ? [] : [.sentences(authorities)], rank: rank(index, 10))
        }
        return (DiffSentences.store(diff).map { [.line("\($0)")] } ?? []) + [.list(entries)]
    }

    private func idle() -> Block {
        .list(
            diff.idle.enumerated().map { index, change in
                Entry(
                    "\(change.sentence)",
                    citation: change.location.map { place($0.description, isNew: true) },
                    rank: rank(index, 10))
            })
    }

    /// Requests whose paths are drawn.
    private static let mostDrawings = 24

    private func requests() -> [Block] {
        let requests = answer.requests
        guard !requests.isEmpty else { return [] }
        let flips = requests.flips.enumerated().map { index, flip -> Entry in
            let sides = [
                ("old", flip.before, flip.paths.old), ("new", flip.after, flip.paths.new),
            ]
            let figures = sides.filter { !$0.2.isEmpty && index < DiffDocument.mostDrawings }.map {
                HTML.element("div", [$0.2.figure("flip-\(number)-\(index)-\($0.0)")])
            }
            // A reviewer must see new accepts first.
            return Entry(
                word: flip.accepts ? .bad("reject -> accept") : .warn("accept -> reject"),
                .code(flip.source),
                [
                    .sentences(sides.map { "\($0.0): \($0.1)" }),
                    .drawing(.element("div", ["class": "pair"], figures)),
                ], rank: rank(index, 3))
        }
        return [
            .list(flips, noun: Noun("verdict", "verdicts")),
            .list(
                requests.unjudged.enumerated().map {
                    Entry("not judged: \($1)", rank: rank($0, 10))
                }),
        ]
    }

    private func compared() -> [Block] {
        let sides = [("old", diff.old), ("new", diff.new)].map { word, side in
            Field(
                word,
                "\(DiffSentences.text(side)), digest of its meaning "
                    + .code(side.policyDigest.text), rank: .needed)
        }
        return [
            .fields([Field("from", .plain(diff.since.description), rank: .needed)] + sides),
            .line("\(DiffSentences.totals(diff))", rank: .needed),
        ]
    }
}
