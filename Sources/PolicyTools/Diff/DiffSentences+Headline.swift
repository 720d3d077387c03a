import Rendering
import TrustEngine

/// The sentences about a comparison as a whole.
extension DiffSentences {
    /// The first line: what a reviewer must know before anything else. It counts the hosts of each
    /// kind of change and names the gravest change.
    package static func headline(_ diff: PolicyDiff) -> String {
        let kinds = KindCounts(diff).list
        guard diff.relation != .equal, let first = kinds.first else {
            guard diff.relation == .equal else {
                return
                    "\(relation(diff.relation)): the policies differ in a way that no field tells"
            }
            guard diff.idle.isEmpty else {
                return "equal: no host is decided otherwise; "
                    + Words.count(
                        diff.idle.count, "change decides nothing", "changes decide nothing")
            }
            return "equal: no host is decided otherwise"
        }
        let word = relation(diff.relation)
        let lead = diff.changes[first.first]
        let gravest = named(lead, areHosts: first.areHosts)
        let besides = besides(lead).map { ", \($0)" } ?? ""
        if kinds.count == 1, lead.classes.count == first.classes {
            return "\(word): \(gravest) \(first.kind.verb(first.classes == 1))\(detail(lead))"
                + besides
        }
        let counts = kinds.map { one in
            let hosts =
                one.areHosts
                ? Words.count(one.classes, "host", "hosts")
                : Words.count(one.classes, "class", "classes") + " of hosts"
            let waivers =
                one.waivers.isEmpty ? "" : " (\(one.waivers.sorted().joined(separator: ", ")))"
            let opened = one.kind == .opened ? " by `default`" : ""
            return "\(hosts) \(one.kind.verb(one.classes == 1))\(waivers)\(opened)"
        }
        return "\(word): \(counts.joined(separator: "; ")); gravest: \(gravest)\(detail(lead))"
            + besides
    }

    /// The first hosts of a change and the number of the others, which change alike.
    private static func named(_ change: PolicyDiff.Change, areHosts: Bool) -> String {
        let first =
            change.hosts.first.map { text($0, exceptions: false) { "`\($0)`" } }
            ?? "a class of hosts"
        let more = change.classes.count - 1
        guard more > 0 else { return first }
        return areHosts
            ? "\(first) and \(Words.count(more, "more host", "more hosts"))"
            : "\(first) and \(Words.count(more, "more class", "more classes")) of hosts"
    }

    /// What changes in brackets, and what decided hosts that were carved out.
    private static func detail(_ change: PolicyDiff.Change) -> String {
        fields(change) + (former(change).map { ", \($0)" } ?? "")
    }

    /// What hosts had before the new policy carved them out of a wider pattern: the rule, and the
    /// values that it had where the sentence around does not give them. Nil where nothing was
    /// carved out.
    package static func former(_ change: PolicyDiff.Change) -> String? {
        guard let former = change.former else { return nil }
        let head =
            former.pattern.map { "carved out of `\($0)` of rule `\(former.rule)`" }
            ?? "carved out of `default`"
        var seen: Set<String> = []
        let all = change.fields
        let fields = (all.filter { $0.relation == .weaker } + all)
            .filter { seen.insert($0.path).inserted }
        guard fields.count > 1 else { return head }
        let had = fields.map { "\($0.path) \($0.from)" }
        return "\(head), which had \(Cut.line(had, most: mostFormer))"
    }

    /// The former values that a headline gives.
    private static let mostFormer = 3

    /// What changes, in brackets: one field with its values, several by their names, the weaker
    /// ones first.
    private static func fields(_ change: PolicyDiff.Change) -> String {
        let all = change.fields
        let names = (all.filter { $0.relation == .weaker } + all).map(\.path).unrepeated
        guard let first = all.first(where: { $0.path == names.first }) else { return "" }
        if first.path == PolicyDiff.Field.decision {
            return " (\(terms(change, "\(first.from) -> \(first.to)")))"
        }
        if let rekeyed = change.authorities.rekeyed.first {
            let path = names.first { $0.hasPrefix("anchors") } ?? first.path
            let others = change.authorities.rekeyed.count - 1 + names.count - 1
            return " (\(path): \(rekeyed.short)\(Cut.rest(others, before: "; and ")))"
        }
        guard names.count == 1 else {
            return " (\(Cut.line(names, most: 3)))"
        }
        // The text of an entry begins with its id in quotes and gives its digests.
        if case .pins = change.source, !first.from.hasPrefix("`") {
            return " (\(first.path): \(first.remarks.first ?? "\(first.from) -> \(first.to)"))"
        }
        if case .anchors = change.source,
            first.from.contains(" authorit") || first.to.contains(" authorit")
        {
            return " (\(first.path): \(change.authorities.added.count) added, "
                + "\(change.authorities.removed.count) removed)"
        }
        return " (\(first.path): \(first.from) -> \(first.to)\(layer(change, first.path)))"
    }

    /// The terms on which hosts are newly trusted: exceptions, what decides, and the names of
    /// weaker fields.
    private static func terms(_ change: PolicyDiff.Change, _ decision: String) -> String {
        let exceptions = change.terms.filter { $0.usual == nil }
            .map { "\($0.field.path): \($0.field.to)" }
        let weaker = change.terms.filter { $0.usual != nil }
        var parts = exceptions + [decision]
        if let usual = weaker.first?.usual {
            parts.append("weaker than \(usual) in \(Cut.line(weaker.map(\.field.path), most: 3))")
        }
        return parts.joined(separator: "; ")
    }

    /// The profile that all places of a field name; nothing where there is none.
    private static func layer(_ change: PolicyDiff.Change, _ path: String) -> String {
        let profiles = Set(
            (change.places[path] ?? []).map { places -> String? in
                guard case .profile(let id, _) = places.new?.layer else { return nil }
                return id
            })
        guard profiles.count == 1, let profile = profiles.first ?? nil else { return "" }
        return ", profile `\(profile)`"
    }

    /// The last line of every answer.
    package static func totals(_ diff: PolicyDiff) -> String {
        let counts = diff.counts
        return "compared \(Words.count(counts.classes, "class", "classes")) of hosts, "
            + "\(Words.count(counts.intervals, "interval", "intervals")); \(counts.weaker) weaker, "
            + "\(counts.incomparable) incomparable, \(counts.stricter) stricter, "
            + "\(counts.equal) equal; not compared: 0"
    }

    /// A policy with what its revision stands for: `git:HEAD` (`HEAD` (1a2b3c4d5e6f)).
    package static func text(_ side: DiffSide) -> String {
        side.revision.map { "\(side.name), \($0)" } ?? side.name
    }

    /// The title of one of several comparisons; nil where there is only one.
    package static func title(_ index: Int, of answers: [DiffAnswer]) -> String? {
        guard answers.count > 1 else { return nil }
        let unit = answers[index].diff.unit
        let alike = answers.indices.filter { answers[$0].diff.unit == unit }
        let number = alike.firstIndex(of: index) ?? 0
        let base = alike.count > 1 ? "merge base \(number + 1) of \(alike.count)" : nil
        let isAmongOthers = alike.count < answers.count
        let name = unit.map { "the other unit `\($0)`" } ?? (isAmongOthers ? "the policy" : nil)
        return [name, base].compactMap(\.self).joined(separator: ", ")
    }

    /// How many changes decide nothing.
    package static func idleTitle(_ diff: PolicyDiff) -> String {
        Words.count(diff.idle.count, "change that decides nothing", "changes that decide nothing")
    }

    /// How many recorded requests were judged, and how many verdicts flip.
    package static func judgedTitle(_ requests: RecordedVerdicts) -> String {
        "recorded requests: \(requests.judged) judged under both, "
            + Words.count(requests.flips.count, "verdict flips", "verdicts flip")
            + "; not judged: \(requests.unjudged.count)"
    }

    /// A recorded request whose verdict flips, and which way.
    package static func line(
        _ flip: RecordedVerdicts.Flip, quoted: (String) -> String = { $0 }
    ) -> String {
        "\(quoted(flip.source)): \(flip.accepts ? "reject -> accept" : "accept -> reject")"
    }
}
