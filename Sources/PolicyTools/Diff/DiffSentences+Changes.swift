import Rendering
import TrustEngine

/// The sentences about a change: how it compares, its cause, the deciding rules.
extension DiffSentences {
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
        return "and \(stricter.isOfAll ? "" : "in part ")stricter in "
            + Cut.line(stricter.paths, most: 3)
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
            let classes = Words.count(number, "of these classes is", "of these classes are")
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

    /// When an interval begins; nil where it is the instant from which on the policies are
    /// compared.
    package static func start(_ interval: PolicyDiff.Interval, _ diff: PolicyDiff) -> String? {
        interval.from == diff.since ? nil : Words.day(interval.from)
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
    static func text(_ rule: RuleReference) -> String {
        let owner = rule.owner.map { ", owner \($0)" } ?? ""
        if rule.id.isEmpty { return "`default`\(owner)" }
        return "rule `\(rule.id)`\(owner.isEmpty ? ", no owner" : owner)"
    }

    /// Rules by their number, and who answers for them.
    private static func some(
        _ rules: [RuleReference], of owners: [PolicyDiff.OwnerCount]
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
            + (more > 0 ? [Words.count(more, "more owner", "more owners")] : [])
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
}
