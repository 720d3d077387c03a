import Rendering
import TrustEngine

/// Makes the document of a comparison for a terminal, shaped like a plan: the gravest changes
/// first. In each change, its fields stand before its hosts.
struct DiffText {
    private let answer: DiffAnswer
    private let diff: PolicyDiff
    /// Whether stricter hosts, and rules that decide nothing, are only counted.
    private let isSummary: Bool
    private let columns: Int
    /// The lines of a terminal without the prompt.
    private static let screen = 23
    /// The rows of the overview. The overview and the lines around it fit on a screen.
    private static let mostRows = 7
    /// The places of a field that stand below it; other places stand below the hosts.
    private static let mostPlaces = 3
    /// The column where the rows under a word begin.
    private static let indent = 14
    private static let mostDetails = 8

    /// The document of a report.
    ///
    /// - Parameters:
    ///   - isSummary: whether stricter hosts, and rules that decide nothing, are only counted.
    ///   - columns: the width of the page. It decides whether an overview is necessary.
    static func document(_ report: DiffReport, isSummary: Bool, columns: Int) -> Document {
        let blocks: [Block]
        switch report.outcome {
        case .notCompared(let failure): blocks = [whole(DiffReport.sentence(failure))]
        case .compared(let answers):
            blocks = answers.indices.flatMap { index in
                let title = DiffSentences.title(index, of: answers).map {
                    (index > 0 ? [Block.gap()] : []) + [whole($0)]
                }
                let text = DiffText(answers[index], isSummary: isSummary, columns: columns)
                return (title ?? []) + text.blocks()
            }
        }
        return document(blocks, version: report.version)
    }

    private static func document(_ blocks: [Block], version: String = "") -> Document {
        var document = Document(kind: "diff", version: version)
        document.wrapping = .words
        document.blocks = blocks
        return document
    }

    private init(_ answer: DiffAnswer, isSummary: Bool, columns: Int) {
        self.answer = answer
        diff = answer.diff
        self.isSummary = isSummary
        self.columns = columns
    }

    private func blocks() -> [Block] {
        var blocks = [
            line(DiffSentences.headline(diff), 2),
            line(
                "\(DiffSentences.text(diff.old)) -> \(DiffSentences.text(diff.new)), "
                    + "from \(Words.day(diff.since)) on", 2),
        ]
        if let guards = GuardSentences.summary(answer.guards) { blocks.append(line(guards, 2)) }
        let grave = changes { $0 < .stricter }
        if !fits(blocks + grave) { blocks += overview() }
        blocks += grave + (isSummary ? [] : changes { $0 >= .stricter })
        let stricter = diff.changes.filter { $0.kind >= .stricter }
        if isSummary, !stricter.isEmpty {
            let hosts = stricter.reduce(0) { $0 + $1.classes.count }
            let text =
                "+ stricter: \(Words.count(stricter.count, "change", "changes")) "
                + "of \(Words.count(hosts, "class", "classes")), left out by `--summary`"
            blocks += [.gap(), line(text, 2)]
        }
        blocks += guards() + surface() + idle() + flips()
        blocks += ApprovalSentences(answer.approvals).textLines.map { line($0, 16) }
        return blocks + [.gap(), DiffText.whole(DiffSentences.totals(diff))]
    }

    /// Whether the lines of blocks fit on a screen.
    private func fits(_ blocks: [Block]) -> Bool {
        guard blocks.count <= DiffText.screen else { return false }
        let text = TextWriter.write(DiffText.document(blocks), columns: columns)
        return text.utf8.count { $0 == UInt8(ascii: "\n") } <= DiffText.screen
    }

    /// The changes of some kinds, each with an empty line before it.
    private func changes(_ isShown: (ChangeKind) -> Bool) -> [Block] {
        diff.changes.filter { isShown($0.kind) }.flatMap { [.gap()] + blocks($0) }
    }

    // MARK: An overview

    /// One line for each of the gravest findings: one of each kind, then one of each field and
    /// source. It stands there only if the changes do not fit on a screen.
    private func overview() -> [Block] {
        let findings = DiffFinding.all(diff).filter { $0.ownKind < .stricter }
        guard findings.count > 1 else { return [] }
        let order = FindingChoice.order(findings)
        let rows = order.prefix(DiffText.mostRows).sorted().flatMap { row(findings[$0]) }
        let left = order.dropFirst(DiffText.mostRows).map { findings[$0] }
        let more =
            left.isEmpty ? [] : ["  and more fields below: \(FindingChoice.counts(left))"]
        return [.gap()] + (["gravest"] + rows + more).map(DiffText.whole)
    }

    /// One finding: its first host, its field and values, and its place. If the values do not fit
    /// on its line, they are on a second one.
    private func row(_ finding: DiffFinding) -> [String] {
        let change = finding.change
        let host = change.hosts.first.map { DiffSentences.text($0, exceptions: false) } ?? ""
        let more = change.hosts.count > 1 ? " +\(change.hosts.count - 1)" : ""
        let place = TerminalEscape.escape(
            finding.locations.first.map { " \($0.location.description)" } ?? "")
        let value = TerminalEscape.escape(
            finding.entries.flatMap(\.fields).first.map { " \($0.from) -> \($0.to)" } ?? "")
        let head = TerminalEscape.escape(
            "  \(DiffText.sign(finding.relation)) \(host)\(more)  \(finding.path)")
        let room = columns - TextWrap.columns(place)
        if TextWrap.columns(head) + TextWrap.columns(value) <= room {
            return [head + value + place]
        }
        return [head, "     " + TextWrap.shortened(value, to: max(8, room - 6)) + place]
    }

    // MARK: A change

    private func blocks(_ change: PolicyDiff.Change) -> [Block] {
        var blocks = [
            line("\(DiffText.sign(change.relation)) \(DiffSentences.title(change))", 2)
        ]
        if let allowance = change.allowance { blocks += listed("allowed", [allowance]) }
        for interval in change.intervals {
            if let start = DiffSentences.start(interval, diff) {
                blocks.append(
                    DiffText.whole(
                        "  from \(start) on" + (interval.fields.isEmpty ? " equal" : "")))
            } else if interval.fields.isEmpty {
                blocks.append(DiffText.whole("  until then equal"))
            }
            for field in interval.fields { blocks += self.blocks(field, nil, of: change) }
        }
        for term in change.terms { blocks += self.blocks(term.field, term, of: change) }
        let owners = DiffSentences.hostsOfOwners(change).map { [$0] } ?? []
        let authorities = change.authorities
        return blocks
            + listed(
                "hosts", DiffSentences.hostParts(change).map { $0.joined(separator: ", ") })
            + listed("of them", owners) + listed("example", [change.witness.text])
            + listed("decided by", DiffSentences.rules(change))
            + listed("places", morePlaces(change)) + listed("note", DiffSentences.wholes(change))
            + listed("file", change.files)
            + listed("added", authorities.added.map { DiffSentences.text($0) })
            + listed("removed", authorities.removed.map { DiffSentences.text($0) })
    }

    private func blocks(
        _ field: PolicyDiff.Field, _ term: PolicyDiff.Term?, of change: PolicyDiff.Change
    ) -> [Block] {
        let below =
            field.remarks + (change.digests[field.path] ?? []).prefix(1)
            + places(field.path, of: change).prefix(DiffText.mostPlaces)
            .map { DiffSentences.text($0) }
        return [
            line(
                "  \(DiffText.sign(field.relation)) \(field.path)  "
                    + "\(DiffFinding.from(field, term)) -> \(field.to)", 6)
        ] + below.map { line("      \($0)", 8) }
    }

    private func places(
        _ path: String, of change: PolicyDiff.Change
    ) -> [PolicyDiff.Places] {
        (change.places[path] ?? []).filter { !DiffSentences.text($0).isEmpty }
    }

    /// The places that do not fit below their fields, in the order of the hosts.
    private func morePlaces(_ change: PolicyDiff.Change) -> [String] {
        change.paths.compactMap { path in
            let more = places(path, of: change).dropFirst(DiffText.mostPlaces)
                .compactMap { ($0.new?.location ?? $0.old?.location)?.description }
            return more.isEmpty ? nil : "\(path): \(more.joined(separator: ", "))"
        }
    }

    // MARK: Lines

    /// A line. Every further line that it is wrapped to begins with `hang` blanks.
    private func line(_ text: String, _ hang: Int) -> Block {
        .line(DocumentText(text), hang: hang, room: .screen)
    }

    /// A line that is never wrapped.
    private static func whole(_ text: String) -> Block {
        .line(DocumentText(text), isWhole: true, room: .screen)
    }

    /// Rows under one word; the word stands before the first of them.
    private func listed(_ word: String, _ rows: [String]) -> [Block] {
        rows.enumerated().map { index, row in
            let head = index == 0 ? "  \(word)" : ""
            let blanks = String(repeating: " ", count: max(1, DiffText.indent - head.count))
            return line(head + blanks + row, DiffText.indent)
        }
    }

    /// The sign before a line; colour is never the only signal.
    static func sign(_ relation: Relation) -> String {
        switch relation {
        case .weaker: return "-"
        case .stricter: return "+"
        case .incomparable: return "~"
        case .equal: return "="
        }
    }

    // MARK: The rest

    private func guards() -> [Block] {
        let changes = answer.guards?.changes ?? []
        let shown = isSummary ? changes.filter(\.needsApproval) : changes
        guard !shown.isEmpty else { return [] }
        let lines = shown.flatMap { change in
            ["  \(DiffText.sign(change.relation)) \(change.sentence)"]
                + (GuardSentences.lines(change, most: DiffText.mostDetails)
                + (change.place.map { [$0.text] } ?? [])).map { "      \($0)" }
        }
        return [.gap()] + (["guards"] + lines).map { line($0, 8) }
    }

    private func surface() -> [Block] {
        guard !diff.surfaces.isEmpty else { return [] }
        let store = DiffSentences.store(diff).map { [line("  \($0)", 6)] } ?? []
        return [.gap(), DiffText.whole("authorities that could vouch")] + store
            + diff.surfaces.flatMap { lines(DiffSentences.line($0)) }
    }

    /// One trust surface. `anyone` stands on one line with the end of the waiver.
    private func lines(_ surface: String) -> [Block] {
        let arrow = " ->"
        guard TextWrap.columns(surface) + 2 > columns,
            let range = surface.firstRange(of: "\(arrow) anyone")
        else { return [line("  \(surface)", 6)] }
        let anyone = surface[range.lowerBound...].dropFirst(arrow.count + 1)
        return [line("  \(surface[..<range.lowerBound])\(arrow)", 6), line("      \(anyone)", 8)]
    }

    private func idle() -> [Block] {
        guard !diff.idle.isEmpty else { return [] }
        let title = DiffSentences.idleTitle(diff)
        guard !isSummary else {
            return [.gap(), DiffText.whole("\(title), left out by `--summary`")]
        }
        return [.gap(), DiffText.whole(title)]
            + diff.idle.map { change in
                let place = change.location.map { "  \($0.description)" } ?? ""
                return line("  \(change.sentence)\(place)", 6)
            }
    }

    private func flips() -> [Block] {
        let requests = answer.requests
        guard !requests.isEmpty else { return [] }
        return [.gap(), DiffText.whole(DiffSentences.judgedTitle(requests))]
            + requests.flips.flatMap {
                [
                    line("  \(DiffSentences.line($0))", 6), line("    old  \($0.before)", 9),
                    line("    new  \($0.after)", 9),
                ]
            } + listed("not judged", requests.unjudged)
    }
}
