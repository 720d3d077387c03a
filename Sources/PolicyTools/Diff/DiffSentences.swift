import Rendering
package import TrustEngine

/// The sentences of a comparison, which every format prints. They hold text from hosts, files and
/// certificates; each renderer escapes them.
package enum DiffSentences {
    /// The first line: what a reviewer must know before anything else.
    package static func headline(_ diff: PolicyDiff) -> String {
        let counts = diff.counts
        // A class can be incomparable as a whole where one field is weaker and another stricter.
        let told = diff.relation == .equal ? nil : diff.changes.first
        guard
            let first = diff.changes.first(where: { $0.relation == diff.relation && $0.isOwn })
                ?? diff.changes.first(where: { $0.relation == diff.relation }) ?? told
        else {
            guard diff.idle.isEmpty else {
                return "equal: no host is decided otherwise; "
                    + count(diff.idle.count, "change decides nothing", "changes decide nothing")
            }
            return "equal: no host is decided otherwise"
        }
        switch diff.relation {
        case .weaker:
            return "weaker: \(classes(first, of: counts.weaker)) "
                + "accept\(counts.weaker == 1 ? "s" : "") what was refused"
                + fields(first) + others(counts, without: .weaker)
        case .incomparable:
            return "incomparable: \(classes(first, of: counts.incomparable)) "
                + "accept\(counts.incomparable == 1 ? "s" : "") other chains than before"
                + fields(first) + others(counts, without: .incomparable)
        case .stricter:
            return "stricter: \(classes(first, of: counts.stricter)) "
                + "refuse\(counts.stricter == 1 ? "s" : "") more than before" + fields(first)
        case .equal: return "equal: no host is decided otherwise"
        }
    }

    /// The first hosts of a change and the number of the other classes.
    private static func classes(_ change: PolicyDiff.Change, of total: Int) -> String {
        let first =
            change.hosts.first.map { "`\(text($0, exceptions: false))`" } ?? "a class of hosts"
        guard total > 1 else { return first }
        return "\(first) and \(count(total - 1, "more class", "more classes")) of hosts"
    }

    /// What changes, in brackets: one field with its values, several by their names, the weaker
    /// ones first.
    private static func fields(_ change: PolicyDiff.Change) -> String {
        let all = change.intervals.flatMap(\.fields)
        var names: [String] = []
        for field in all.filter({ $0.relation == .weaker }) + all
        where !names.contains(field.path) {
            names.append(field.path)
        }
        guard let first = all.first(where: { $0.path == names.first }) else { return "" }
        guard names.count == 1 else {
            let more = names.count > 3 ? " and \(names.count - 3) more" : ""
            return " (\(names.prefix(3).joined(separator: ", "))\(more))"
        }
        if first.path == ChangeWords.decision, first.from == "deny" { return " (denied before)" }
        if case .pins = change.source {
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

    private static func others(_ counts: PolicyDiff.Counts, without: Relation) -> String {
        let parts =
            (without == .incomparable || counts.incomparable == 0
                ? [] : ["\(counts.incomparable) incomparable"])
            + (counts.stricter == 0 ? [] : ["\(counts.stricter) stricter"])
        return parts.isEmpty ? "" : "; \(parts.joined(separator: ", "))"
    }

    /// The last line of every answer.
    package static func totals(_ diff: PolicyDiff) -> String {
        let counts = diff.counts
        return "compared \(count(counts.classes, "class", "classes")) of hosts, "
            + "\(count(counts.intervals, "interval", "intervals")); \(counts.weaker) weaker, "
            + "\(counts.incomparable) incomparable, \(counts.stricter) stricter, "
            + "\(counts.equal) equal; not compared: 0"
    }

    /// A policy with what its revision stands for: `git:HEAD` (`HEAD` (1a2b3c4d5e6f)).
    package static func text(_ side: PolicyDiff.Side) -> String {
        side.revision.map { "\(side.name), \($0)" } ?? side.name
    }

    /// Hosts as a pattern with its exceptions: `**.cdn.example except static.cdn.example`. Each
    /// pattern goes through `quoted`.
    package static func text(
        _ hosts: PolicyDiff.HostText, exceptions: Bool = true,
        quoted: (String) -> String = { $0 }
    ) -> String {
        var text = hosts.pattern.map(quoted) ?? HostClass.others
        if let port = hosts.port { text += " on port \(port)" }
        guard exceptions, !hosts.exceptions.isEmpty else { return text }
        let more = hosts.omitted > 0 ? [count(hosts.omitted, "more pattern", "more patterns")] : []
        return text + " except " + (hosts.exceptions.map(quoted) + more).joined(separator: ", ")
    }

    /// The first hosts of a change, the number of the others, and an example, in one sentence.
    package static func hosts(_ change: PolicyDiff.Change, most: Int) -> String {
        let hosts = change.hosts.prefix(most).map { text($0) { "`\($0)`" } }
        let more = change.hosts.count - hosts.count
        let rest = more > 0 ? " and \(count(more, "more class", "more classes")) of hosts" : ""
        let example = change.witness.map { " (for example `\($0.text)`)" } ?? ""
        return hosts.joined(separator: ", ") + rest + example
    }

    /// The first of several sentences and the number of the others.
    package static func some(_ sentences: [String], most: Int) -> [String] {
        let more = sentences.count - most
        return Array(sentences.prefix(most)) + (more > 0 ? ["and \(more) more"] : [])
    }

    /// The authorities that come and go, a line each.
    package static func authorities(
        _ change: PolicyDiff.AuthorityChange, most: Int
    ) -> [String] {
        some(change.added.map { "added: \(text($0))" }, most: most)
            + some(change.removed.map { "removed: \(text($0))" }, most: most)
    }

    /// The title of one of several comparisons; nil where there is one alone.
    package static func title(_ index: Int, of diffs: [PolicyDiff]) -> String? {
        guard diffs.count > 1 else { return nil }
        let unit = diffs[index].unit
        let alike = diffs.indices.filter { diffs[$0].unit == unit }
        let number = alike.firstIndex(of: index) ?? 0
        let base = alike.count > 1 ? "merge base \(number + 1) of \(alike.count)" : nil
        let isAmongOthers = alike.count < diffs.count
        let name = unit.map { "the other unit `\($0)`" } ?? (isAmongOthers ? "the policy" : nil)
        return [name, base].compactMap(\.self).joined(separator: ", ")
    }

    /// How many authorities could vouch for a group of classes, before and after.
    package static func line(
        _ surface: PolicyDiff.Surface, quoted: (String) -> String = { $0 }
    ) -> String {
        let more =
            surface.classes > 1
            ? " and \(count(surface.classes - 1, "more class", "more classes"))" : ""
        return "\(text(surface.example, quoted: quoted))\(more): \(text(surface))"
    }

    /// How many changes decide nothing.
    package static func idleTitle(_ diff: PolicyDiff) -> String {
        count(diff.idle.count, "change that decides nothing", "changes that decide nothing")
    }

    /// How many recorded requests were judged, and how many verdicts flip.
    package static func judgedTitle(_ diff: PolicyDiff) -> String {
        "recorded requests: \(diff.judged) judged under both, "
            + count(diff.flips.count, "verdict flips", "verdicts flip")
            + "; not judged: \(diff.unjudged.count)"
    }

    /// A recorded request whose verdict flips, and which way.
    package static func line(
        _ flip: PolicyDiff.Flip, quoted: (String) -> String = { $0 }
    ) -> String {
        "\(quoted(flip.source)): \(flip.accepts ? "reject -> accept" : "accept -> reject")"
    }

    /// The title of a change: how it compares, for how many classes, and what it comes from.
    package static func title(_ change: PolicyDiff.Change) -> String {
        let classes = count(change.classes.count, "class", "classes")
        let head = "\(relation(change.relation)) for \(classes) of hosts"
        switch change.source {
        case .rules: return head
        case .anchors(let id):
            return "\(head), by the contents of anchor set `\(id)`\(owner(change))"
        case .pins(let id): return "\(head), by the contents of pin set `\(id)`\(owner(change))"
        }
    }

    /// The set that a change comes from, and who answers for it; nothing where it comes from rules.
    package static func answerable(_ change: PolicyDiff.Change) -> [String] {
        switch change.source {
        case .rules: return []
        case .anchors(let id): return ["anchor set `\(id)`\(owner(change))"]
        case .pins(let id): return ["pin set `\(id)`\(owner(change))"]
        }
    }

    private static func owner(_ change: PolicyDiff.Change) -> String {
        change.setOwner.map { ", owner \($0)" } ?? ", no owner"
    }

    /// How the classes of a change compare as a whole, where other fields of theirs change too; one
    /// sentence each.
    package static func wholes(_ change: PolicyDiff.Change) -> [String] {
        sortedWholes(change).map { whole, number in
            let classes = count(number, "of these classes is", "of these classes are")
            return "\(classes) \(relation(whole)) as a whole: other fields change, too"
        }
    }

    /// The same as pairs, the most classes first.
    static func sortedWholes(
        _ change: PolicyDiff.Change
    ) -> [(relation: Relation, classes: Int)] {
        change.wholes.map { (relation: $0.key, classes: $0.value) }
            .sorted {
                ($1.classes, relation($0.relation)) < ($0.classes, relation($1.relation))
            }
    }

    /// A relation as the word that every format prints.
    package static func relation(_ relation: Relation) -> String {
        switch relation {
        case .equal: return "equal"
        case .stricter: return "stricter"
        case .weaker: return "weaker"
        case .incomparable: return "incomparable"
        }
    }

    /// When an interval begins; nil where it is the instant from which on the policies are
    /// compared.
    package static func start(_ interval: PolicyDiff.Interval, _ diff: PolicyDiff) -> String? {
        interval.from == diff.since ? nil : day(interval.from)
    }

    /// An instant, as a date where it is midnight.
    package static func day(_ instant: UTCInstant) -> String { ViolationSentences.day(instant) }

    /// The last instant of a dated term, as a date where it is the last second of a day.
    package static func last(_ instant: UTCInstant) -> String {
        let next = instant.advanced(bySeconds: 1)
        return next.secondsSinceEpoch % 86_400 == 0
            ? String(instant.description.prefix(10)) : instant.description
    }

    /// An authority with its key: what a reviewer compares with what a CA publishes.
    package static func text(_ authority: PolicyDiff.Authority) -> String {
        guard let subject = authority.subject, let digest = authority.keyDigest else {
            return "the machine's store (`\(authority.set)`)"
        }
        return "`\(subject)` of `\(authority.set)`, key \(digest.text)"
    }

    /// The number of authorities that could vouch.
    package static func text(_ count: PolicyDiff.Surface.Count?) -> String {
        guard let count else { return "none (deny)" }
        if count.arePinnedKeys { return "the pinned keys" }
        let listed = count.listed == 0 && count.holdsStore ? nil : "\(count.listed) listed"
        let name = "the machine's store"
        let store = count.stored.map { "\($0) of \(name)" } ?? name
        return [listed, count.holdsStore ? store : nil].compactMap { $0 }
            .joined(separator: " and ")
    }

    /// The machine's store that was counted; nil where none was, and where nothing is said of it.
    static func store(_ diff: PolicyDiff) -> String? {
        guard let store = diff.store, !diff.surfaces.isEmpty else { return nil }
        return "the machine's store has \(count(store.count, "authority", "authorities")), "
            + "digest \(store.digest.text)"
    }

    /// The rules of a change with their owners: `rule `cdn`, owner web-team`.
    package static func rules(_ change: PolicyDiff.Change) -> [String] {
        change.rules.map { pair in
            func name(_ rule: PolicyDiff.Rule) -> String {
                let owner = rule.owner.map { ", owner \($0)" } ?? ""
                if rule.id.isEmpty { return "`default`\(owner)" }
                return "rule `\(rule.id)`\(owner.isEmpty ? ", no owner" : owner)"
            }
            return pair.old.id == pair.new.id
                ? name(pair.new) : "\(name(pair.old)) -> \(name(pair.new))"
        }
    }

    /// Where a field is written: `policy.yaml:12:5 -> policy.yaml:14:5 (profile `internal`)`. Where
    /// the same layer writes it in the same file, the new place says it all.
    package static func text(_ places: PolicyDiff.Places) -> String {
        let (old, new) = (places.old?.text ?? "", places.new?.text ?? "")
        if let was = places.old, let now = places.new, was.layer == now.layer, was.by == now.by,
            was.location?.file == now.location?.file
        {
            return new
        }
        if old.isEmpty || new.isEmpty { return old + new }
        return "\(old) -> \(new)"
    }

    /// The authorities of a surface that come and go.
    package static func text(_ surface: PolicyDiff.Surface) -> String {
        let (before, after) = (text(surface.before), text(surface.after))
        let change = surface.change
        if change.isEmpty {
            return before == after ? "\(after), as before" : "\(before) -> \(after)"
        }
        let parts =
            (change.added.isEmpty ? [] : ["\(change.added.count) added"])
            + (change.removed.isEmpty ? [] : ["\(change.removed.count) removed"])
        guard before == after else {
            let isCounted =
                surface.before != nil && surface.after != nil
                && surface.before?.holdsStore == surface.after?.holdsStore
            return "\(before) -> \(after)"
                + (isCounted ? " (\(parts.joined(separator: ", ")))" : "")
        }
        return "\(after), \(parts.joined(separator: ", "))"
    }

    package static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }
}
