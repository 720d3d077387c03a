package import Rendering
import TrustEngine

/// Writes a comparison as text, shaped like a plan: the gravest changes first. In each change what
/// changes stands before the hosts. Lines are wrapped; the last one never is.
package struct DiffText {
    private let answer: DiffAnswer
    private let diff: PolicyDiff
    private let colour: TextWriter.Colour
    /// Whether stricter hosts, and rules that decide nothing, are only counted.
    private let isSummary: Bool
    private let columns: Int
    /// The lines of a terminal, the prompt left out.
    private static let screen = 23
    /// Rows of the overview. With the lines around it, it fits on a screen.
    private static let mostRows = 7
    /// Places of a field that stand below it; the others stand below the hosts.
    private static let mostPlaces = 3
    /// Where what a word names begins.
    private static let indent = 14

    package init(
        _ answer: DiffAnswer, colour: TextWriter.Colour, isSummary: Bool, columns: Int = 80
    ) {
        self.answer = answer
        diff = answer.diff
        self.colour = colour
        self.isSummary = isSummary
        self.columns = columns
    }

    /// The text; each line ends with a line feed.
    package func render() -> String {
        var lines = wrapped(DiffSentences.headline(diff), rest: 2)
        lines += wrapped(
            "\(DiffSentences.text(diff.old)) -> \(DiffSentences.text(diff.new)), "
                + "from \(Words.day(diff.since)) on", rest: 2)
        for line in DiffText.guardLine(answer.guards) { lines += wrapped(line, rest: 2) }
        let grave = changes { $0 < .stricter }
        if lines.count + grave.count > DiffText.screen { lines += overview() }
        lines += grave + (isSummary ? [] : changes { $0 >= .stricter })
        let stricter = diff.changes.filter { $0.kind >= .stricter }
        if isSummary, !stricter.isEmpty {
            let hosts = stricter.reduce(0) { $0 + $1.classes.count }
            lines += [""]
            lines += wrapped(
                "+ stricter: \(Words.count(stricter.count, "change", "changes")) "
                    + "of \(Words.count(hosts, "class", "classes")), left out by `--summary`",
                rest: 2)
        }
        lines += DiffText.guards(answer.guards, isSummary: isSummary).flatMap {
            wrapped($0, rest: 8)
        }
        lines += surface() + idle() + flips()
        lines += ApprovalSentences(answer.approvals).textLines.flatMap { wrapped($0, rest: 16) }
        lines += ["", TerminalEscape.escape(DiffSentences.totals(diff))]
        return lines.map { $0 + "\n" }.joined()
    }

    /// The changes of some kinds, each with an empty line before it.
    private func changes(_ isShown: (ChangeKind) -> Bool) -> [String] {
        diff.changes.filter { isShown($0.kind) }.flatMap { [""] + lines($0) }
    }

    // MARK: An overview

    /// One line for each of the gravest findings: one of each kind, then one of each field and
    /// source. It stands where the changes themselves do not fit on a screen.
    private func overview() -> [String] {
        let findings = DiffFinding.all(diff).filter { $0.ownKind < .stricter }
        guard findings.count > 1 else { return [] }
        let order = FindingChoice.order(findings)
        var lines = ["", "gravest"]
        for index in order.prefix(DiffText.mostRows).sorted() { lines += row(findings[index]) }
        let left = order.dropFirst(DiffText.mostRows).map { findings[$0] }
        if !left.isEmpty { lines.append("  and more fields below: \(FindingChoice.counts(left))") }
        return lines
    }

    /// One finding: its first host, its field and values, and its place; in two lines where one has
    /// no room for the values.
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

    private func lines(_ change: PolicyDiff.Change) -> [String] {
        var lines = wrapped(
            "\(DiffText.sign(change.relation)) \(DiffSentences.title(change))", rest: 2)
        if let allowance = change.allowance { lines += listed("allowed", [allowance]) }
        for interval in change.intervals {
            if let start = DiffSentences.start(interval, diff) {
                lines.append(
                    interval.fields.isEmpty
                        ? "  from \(start) on equal" : "  from \(start) on")
            } else if interval.fields.isEmpty {
                lines.append("  until then equal")
            }
            for field in interval.fields { lines += self.lines(field, nil, of: change) }
        }
        for term in change.terms { lines += self.lines(term.field, term, of: change) }
        lines += hosts(change)
        lines += listed("example", [change.witness.text])
        lines += listed("decided by", DiffSentences.rules(change))
        lines += listed("places", morePlaces(change))
        lines += listed("note", DiffSentences.wholes(change))
        lines += listed("file", change.files)
        let authorities = change.authorities
        lines += listed("added", authorities.added.map { DiffSentences.text($0) })
        lines += listed("removed", authorities.removed.map { DiffSentences.text($0) })
        return lines
    }

    /// Every host of a change, the hosts of one domain on lines of their own, and how many each
    /// owner has.
    private func hosts(_ change: PolicyDiff.Change) -> [String] {
        let parts = DiffSentences.hostParts(change).map { $0.joined(separator: ", ") }
        let owners = DiffSentences.hostsOfOwners(change).map { [$0] } ?? []
        return listed("hosts", parts) + listed("of them", owners)
    }

    private func lines(
        _ field: PolicyDiff.Field, _ term: PolicyDiff.Term?, of change: PolicyDiff.Change
    ) -> [String] {
        var lines = wrapped(
            "  \(DiffText.sign(field.relation)) \(field.path)  "
                + "\(DiffFinding.from(field, term)) -> \(field.to)", rest: 6)
        let below =
            field.remarks + (change.digests[field.path] ?? []).prefix(1)
            + places(field.path, of: change).prefix(DiffText.mostPlaces)
        for text in below { lines += wrapped("      \(text)", rest: 8) }
        return lines
    }

    private func places(_ path: String, of change: PolicyDiff.Change) -> [String] {
        (change.places[path] ?? []).map { DiffSentences.text($0) }.filter { !$0.isEmpty }
    }

    /// The places that have no room below their fields, in the order of the hosts.
    private func morePlaces(_ change: PolicyDiff.Change) -> [String] {
        change.paths.compactMap { path in
            let more = (change.places[path] ?? []).filter { !DiffSentences.text($0).isEmpty }
                .dropFirst(DiffText.mostPlaces)
                .compactMap { ($0.new?.location ?? $0.old?.location)?.description }
            return more.isEmpty ? nil : "\(path): \(more.joined(separator: ", "))"
        }
    }

    /// Rows under one word; the word stands before the first of them.
    private func listed(_ word: String, _ rows: [String]) -> [String] {
        rows.enumerated().flatMap { index, row -> [String] in
            let head = index == 0 ? "  \(word)" : ""
            let blanks = String(repeating: " ", count: max(1, DiffText.indent - head.count))
            return wrapped(head + blanks + row, rest: DiffText.indent)
        }
    }

    // MARK: Lines

    /// A text in lines of the text's width, escaped. Every line but the first begins with `rest`
    /// blanks.
    private func wrapped(_ text: String, rest: Int) -> [String] {
        TextWrap.words(TerminalEscape.escape(text), rest: rest, columns: columns)
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

    private func surface() -> [String] {
        guard !diff.surfaces.isEmpty else { return [] }
        let store = DiffSentences.store(diff).map { [$0] } ?? []
        return ["", "authorities that could vouch"]
            + store.flatMap { wrapped("  \($0)", rest: 6) }
            + diff.surfaces.flatMap { line(DiffSentences.line($0)) }
    }

    /// One trust surface. Who is anyone stands on one line with the end of the waiver.
    private func line(_ surface: String) -> [String] {
        let arrow = " ->"
        guard TextWrap.columns(surface) + 2 > columns,
            let range = surface.firstRange(of: "\(arrow) anyone")
        else { return wrapped("  \(surface)", rest: 6) }
        return wrapped("  \(surface[..<range.lowerBound])\(arrow)", rest: 6)
            + wrapped("      \(surface[range.lowerBound...].dropFirst(arrow.count + 1))", rest: 8)
    }

    private func idle() -> [String] {
        guard !diff.idle.isEmpty else { return [] }
        let title = DiffSentences.idleTitle(diff)
        if isSummary { return ["", "\(title), left out by `--summary`"] }
        return ["", title]
            + diff.idle.flatMap { change in
                wrapped(
                    "  \(change.sentence)"
                        + (change.location.map { "  \($0.description)" } ?? ""), rest: 6)
            }
    }

    private func flips() -> [String] {
        let requests = answer.requests
        guard !requests.isEmpty else { return [] }
        return ["", DiffSentences.judgedTitle(requests)]
            + requests.flips.flatMap {
                wrapped("  \(DiffSentences.line($0))", rest: 6)
                    + wrapped("    old  \($0.before)", rest: 9)
                    + wrapped("    new  \($0.after)", rest: 9)
            } + listed("not judged", requests.unjudged)
    }
}
