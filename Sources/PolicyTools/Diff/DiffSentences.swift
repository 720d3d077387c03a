import Rendering
package import TrustEngine

/// The sentences of a comparison, which every format prints. They hold text from hosts, files and
/// certificates; each renderer escapes them.
///
/// One file because all formats must use the same words about a change.
package enum DiffSentences {
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
                    + count(diff.idle.count, "change decides nothing", "changes decide nothing")
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
                ? count(one.classes, "host", "hosts")
                : count(one.classes, "class", "classes") + " of hosts"
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
            ? "\(first) and \(count(more, "more host", "more hosts"))"
            : "\(first) and \(count(more, "more class", "more classes")) of hosts"
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
        let all = change.intervals.flatMap(\.fields)
        let fields = (all.filter { $0.relation == .weaker } + all)
            .filter { seen.insert($0.path).inserted }
        guard fields.count > 1 else { return head }
        let had = fields.prefix(mostFormer).map { "\($0.path) \($0.from)" }
        let more = fields.count > mostFormer ? " and \(fields.count - mostFormer) more" : ""
        return "\(head), which had \(had.joined(separator: ", "))\(more)"
    }

    /// The former values that a headline gives.
    private static let mostFormer = 3

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
        if first.path == ChangeWords.decision {
            return " (\(terms(change, "\(first.from) -> \(first.to)")))"
        }
        if let rekeyed = change.authorities.rekeyed.first {
            let path = names.first { $0.hasPrefix("anchors") } ?? first.path
            let others = change.authorities.rekeyed.count - 1 + names.count - 1
            return " (\(path): \(rekeyed.short)\(others > 0 ? "; and \(others) more" : ""))"
        }
        guard names.count == 1 else {
            let more = names.count > 3 ? " and \(names.count - 3) more" : ""
            return " (\(names.prefix(3).joined(separator: ", "))\(more))"
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
            let names = weaker.prefix(3).map(\.field.path).joined(separator: ", ")
            let more = weaker.count > 3 ? " and \(weaker.count - 3) more" : ""
            parts.append("weaker than \(usual) in \(names)\(more)")
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
        if let spelling = hosts.spelling { text += spelling.text(quoted: quoted) }
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

    /// The number of a change's classes: as hosts where each is one.
    package static func classes(_ change: PolicyDiff.Change) -> String {
        change.classes.allSatisfy(\.isOneHost)
            ? count(change.classes.count, "host", "hosts")
            : count(change.classes.count, "class", "classes") + " of hosts"
    }

    /// The owners of the rules with the number of their hosts, the fewest first: "1 of treasury,
    /// 97 of web"; nil where there is one owner.
    package static func hostsOfOwners(_ change: PolicyDiff.Change) -> String? {
        guard change.owners.count > 1 else { return nil }
        var parts: [(number: Int, names: [String])] = []
        for one in change.owners {
            if parts.last?.number != one.classes { parts.append((one.classes, [])) }
            parts[parts.count - 1].names.append(one.owner ?? "no owner")
        }
        return parts.map { number, names in
            let each = names.count > 1 ? "\(number) each" : "\(number)"
            return "\(each) of \(names.joined(separator: ", "))"
        }.joined(separator: "; ")
    }

    /// How many hosts and for whom: "98 hosts: 1 of treasury; 97 of web".
    package static func ownedHosts(_ change: PolicyDiff.Change) -> String {
        "\(classes(change))" + (hostsOfOwners(change).map { ": \($0)" } ?? "")
    }

    /// Every host of a change, the hosts of one domain in one sentence; each pattern goes through
    /// `quoted`.
    package static func hostParts(
        _ change: PolicyDiff.Change, quoted: (String) -> String = { $0 }
    ) -> [[String]] {
        HostGroups.parts(change).flatMap { part -> [[String]] in
            // A host with exceptions stands alone: what follows would be one of them.
            var parts: [[String]] = []
            var isOpen = false
            for hosts in part {
                let isAlone = !hosts.exceptions.isEmpty
                if isAlone || !isOpen { parts.append([]) }
                parts[parts.count - 1].append(text(hosts, quoted: quoted))
                isOpen = !isAlone
            }
            return parts
        }
    }

    /// Every host of a change in lines, as many as have room in a number of octets. Where that cuts
    /// the list, the last line counts the hosts that are left out, and names the command that shows
    /// them.
    package static func allHosts(
        _ change: PolicyDiff.Change, octets: Int, command: String
    ) -> [String] {
        var lines = ["\(ownedHosts(change)):"]
        var left = octets
        var shown = 0
        for part in hostParts(change, quoted: { "`\($0)`" }) {
            var own: [String] = []
            for host in part {
                left -= host.utf8.count + 2
                guard left > 0 else { break }
                own.append(host)
            }
            shown += own.count
            if !own.isEmpty { lines.append(own.joined(separator: ", ")) }
            guard left > 0 else { break }
        }
        let more = change.hosts.count - shown
        return lines
            + (more > 0
                ? ["\(count(more, "more is", "more are")) left out; all of them: \(command)"] : [])
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

    /// The title of one of several comparisons; nil where there is only one.
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

    /// The title of a change: how it compares, for how many classes, and its cause.
    package static func title(_ change: PolicyDiff.Change) -> String {
        let told: String
        switch change.kind {
        case .unguarded: told = ", which accept\(change.classes.count == 1 ? "s" : "") anyone"
        case .opened: told = ", newly trusted by `default`"
        case .trusted: told = ", newly trusted"
        case .weaker, .incomparable, .stricter, .equal: told = ""
        }
        let head =
            "\(relation(change.relation)) for \(classes(change))\(told)"
            + (besides(change).map { ", \($0)" } ?? "")
        switch change.source {
        case .rules: return head
        case .anchors(let id):
            return "\(head), by the contents of anchor set `\(id)`\(owner(change))"
        case .pins(let id): return "\(head), by the contents of pin set `\(id)`\(owner(change))"
        }
    }

    /// What got stricter in the classes of a change that is weaker or incomparable, for example
    /// `and stricter in waivers.expired`. Nil where nothing did.
    package static func besides(_ change: PolicyDiff.Change) -> String? {
        let stricter = change.stricterFields
        guard !stricter.paths.isEmpty else { return nil }
        let shown = stricter.paths.prefix(3).joined(separator: ", ")
        let more = stricter.paths.count > 3 ? " and \(stricter.paths.count - 3) more" : ""
        return "and \(stricter.isOfAll ? "" : "in part ")stricter in \(shown)\(more)"
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
    package static func day(_ instant: UTCInstant) -> String { Words.day(instant) }

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
        guard !count.open.isEmpty else { return vouching(count) }
        let waivers = count.open.map { "until \(last($0.until)) (`\($0.path)`)" }
        let anyone = "anyone, \(waivers.joined(separator: ", "))"
        // Under a waiver of `identity` alone a certificate must still be of these authorities.
        guard count.open.allSatisfy({ $0.path == "waivers.identity" }) else { return anyone }
        return "\(anyone), with a certificate of \(vouching(count))"
    }

    /// The authorities that can vouch, in numbers.
    private static func vouching(_ count: PolicyDiff.Surface.Count) -> String {
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

    /// The rules of a change with their owners: `rule `cdn`, owner web-team`. More than a few are
    /// one sentence that counts them: "12 rules of platform, core, payments".
    package static func rules(_ change: PolicyDiff.Change, most: Int = 3) -> [String] {
        guard change.rules.count > most else {
            return change.rules.map { text($0) }
        }
        let after = some(change.rules.map(\.new), of: change.owners)
        if change.rules.allSatisfy({ $0.old.id == $0.new.id }) { return [after] }
        return ["\(some(change.rules.map(\.old), of: [])) -> \(after)"]
    }

    /// Owners that the sentence about many rules names.
    private static let mostOwners = 12

    /// What decided and what decides, each with its owner; once where it is the same rule.
    static func text(_ pair: PolicyDiff.RulePair) -> String {
        pair.old.id == pair.new.id ? text(pair.new) : "\(text(pair.old)) -> \(text(pair.new))"
    }

    /// A rule with its owner: `rule `cdn`, owner web-team`.
    static func text(_ rule: PolicyDiff.Rule) -> String {
        let owner = rule.owner.map { ", owner \($0)" } ?? ""
        if rule.id.isEmpty { return "`default`\(owner)" }
        return "rule `\(rule.id)`\(owner.isEmpty ? ", no owner" : owner)"
    }

    /// Rules by their number, and who answers for them.
    private static func some(
        _ rules: [PolicyDiff.Rule], of owners: [PolicyDiff.OwnerCount]
    ) -> String {
        let ids = Set(rules.map(\.id))
        guard ids.count > 1, let first = rules.first else {
            return rules.first.map { text($0) } ?? ""
        }
        let own = ids.contains("") ? " and `default`" : ""
        let number = ids.count - (own.isEmpty ? 0 : 1)
        let more = owners.count - mostOwners
        let names =
            owners.prefix(mostOwners).map { $0.owner ?? "no owner" }
            + (more > 0 ? [count(more, "more owner", "more owners")] : [])
        guard number > 1 else {
            return text(rules.first { !$0.id.isEmpty } ?? first) + own
        }
        return "\(number) rules\(own)"
            + (names.isEmpty ? "" : " of \(names.joined(separator: ", "))")
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
                && surface.before?.open.isEmpty == true && surface.after?.open.isEmpty == true
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
