import Rendering
package import TrustEngine

/// Compares two tables. `BehaviourOrder` compares, `HostClasses` says whose hosts; this type joins
/// them and puts what it finds into groups that a reader takes in at once.
package struct PolicyDiffer {
    private let old: PolicyBehaviours
    private let new: PolicyBehaviours
    private let oldPlaces: FieldPlaces
    private let newPlaces: FieldPlaces
    private let since: UTCInstant
    private let crypto: any CryptoBackend
    private let order = BehaviourOrder()
    /// Whether equal bodies of the two tables decide alike: all that they name is the same.
    private let bodiesSuffice: Bool
    private let rules = RuleMemory()

    /// The rules of both sides that were looked at, by index.
    private final class RuleMemory {
        var old: [Int: FieldPlaces.Rule] = [:]
        var new: [Int: FieldPlaces.Rule] = [:]
    }

    /// The rules that decide one class.
    private struct Pair: Hashable {
        let old: Int
        let new: Int
    }

    /// What is known of a pair of rules.
    private struct Answer {
        /// The relation of the pair as a whole.
        var relation = Relation.equal
        var intervals = 1
        /// The fields that differ at any time.
        var fields: [FieldTimeline] = []
        /// Differences that change no verdict.
        var idle: [PolicyDiff.Field] = []
    }

    /// Compares two tables.
    ///
    /// - Parameters:
    ///   - sides: the two policies as the user named them.
    ///   - since: the instant from which on they are compared.
    /// - Throws: `DiffFailure` where there are too many classes, or where a claim does not
    ///   reproduce.
    ///
    /// Cost: linear in the patterns of both tables and in the classes that differ.
    package static func compare(
        _ old: PolicyTable, _ new: PolicyTable, sides: (old: PolicyDiff.Side, new: PolicyDiff.Side),
        since: UTCInstant, crypto: any CryptoBackend
    ) throws(DiffFailure) -> PolicyDiff {
        try PolicyDiffer(old, new, since: since, crypto: crypto).run(sides.old, sides.new)
    }

    private init(
        _ old: PolicyTable, _ new: PolicyTable, since: UTCInstant, crypto: any CryptoBackend
    ) {
        self.old = PolicyBehaviours(old, since: since)
        self.new = PolicyBehaviours(new, since: since)
        oldPlaces = FieldPlaces(old, self.old.contents)
        newPlaces = FieldPlaces(new, self.new.contents)
        bodiesSuffice =
            self.old.contents.anchorSets == self.new.contents.anchorSets
            && self.old.contents.pinSets == self.new.contents.pinSets
            && old.isOfFormat1 == new.isOfFormat1
        self.since = since
        self.crypto = crypto
    }

    private func run(
        _ oldSide: PolicyDiff.Side, _ newSide: PolicyDiff.Side
    ) throws(DiffFailure) -> PolicyDiff {
        let hosts = HostClasses([old.table, new.table])
        let classes: [HostClass]
        do throws(HostClasses.TooMany) {
            classes = try hosts.all()
        } catch {
            throw DiffFailure(
                "the patterns and ports part the hosts into more than \(error.classes) classes")
        }
        var answers: [Pair: Answer] = [:]
        var counts = PolicyDiff.Counts()
        var changed: [(hosts: HostClass, pair: Pair)] = []
        for one in classes {
            let pair = Pair(old: one.deciders[0], new: one.deciders[1])
            let answer = answers[pair] ?? self.answer(pair)
            answers[pair] = answer
            counts.classes += 1
            counts.intervals += answer.intervals
            switch answer.relation {
            case .weaker: counts.weaker += 1
            case .incomparable: counts.incomparable += 1
            case .stricter: counts.stricter += 1
            case .equal: break
            }
            if answer.relation != .equal { changed.append((one, pair)) }
        }
        var groups = ChangeGroups()
        var surfaces = SurfaceGroups()
        for (one, pair) in HostOrder.sorted(changed, by: { $0.hosts }) {
            guard let answer = answers[pair] else { continue }
            groups.add(one, [pair.old, pair.new], answer.relation, answer.fields) {
                rules(of: pair)
            }
            surfaces.add(
                one, before: old.behaviour(of: pair.old), after: new.behaviour(of: pair.new),
                answer.fields.reduce(into: PolicyDiff.AuthorityChange()) {
                    $0.added += $1.authorities.added
                    $0.removed += $1.authorities.removed
                })
        }
        let idle = IdleChanges(
            old: old.contents, new: new.contents, oldPlaces: oldPlaces, newPlaces: newPlaces,
            pairs: answers.map { (old: $0.key.old, new: $0.key.new, fields: $0.value.idle) })
        return PolicyDiff(
            old: oldSide, new: newSide, since: since,
            changes: try finished(groups.changes(newSide.policyDigest), hosts),
            surfaces: surfaces.list, idle: idle.list(), counts: counts)
    }

    private func rules(of pair: Pair) -> (old: FieldPlaces.Rule, new: FieldPlaces.Rule) {
        let oldRule = rules.old[pair.old] ?? oldPlaces.rule(pair.old)
        let newRule = rules.new[pair.new] ?? newPlaces.rule(pair.new)
        rules.old[pair.old] = oldRule
        rules.new[pair.new] = newRule
        return (oldRule, newRule)
    }

    /// Gives a change that comes from a set the set's own place and owner.
    private func nameSet(of change: inout PolicyDiff.Change) {
        let (section, id): (String, String)
        switch change.source {
        case .rules: return
        case .anchors(let name): (section, id) = ("anchors", name)
        case .pins(let name): (section, id) = ("pins", name)
        }
        let (was, now) = (oldPlaces.set(section, id), newPlaces.set(section, id))
        change.setOwner = now.owner ?? was.owner
        let path = "\(section).\(id)"
        guard change.places[path] != nil else { return }
        change.places[path] = [
            PolicyDiff.Places(
                old: was.location.map { FieldOrigin(.named("\(section) \(id)"), $0) },
                new: now.location.map { FieldOrigin(.named("\(section) \(id)"), $0) })
        ]
    }

    // MARK: One pair of rules

    private func answer(_ pair: Pair) -> Answer {
        if bodiesSuffice, sayTheSame(old.body(of: pair.old), new.body(of: pair.new)) {
            return Answer()
        }
        let (before, after) = (old.behaviour(of: pair.old), new.behaviour(of: pair.new))
        let timeline = order.timeline(after, before, since: since)
        var answer = Answer()
        answer.intervals = timeline.count
        answer.relation = PolicyDiffer.worst(timeline.map(\.comparison.relation))
        guard timeline.contains(where: { !$0.comparison.fields.isEmpty }) else { return answer }
        let words = ChangeWords(
            old: ChangeWords.Side(before, old.contents, pair.old),
            new: ChangeWords.Side(after, new.contents, pair.new), order: order, crypto: crypto)
        (answer.fields, answer.idle) = words.fields(of: timeline)
        return answer
    }

    /// Whether two bodies differ in annotations alone.
    private func sayTheSame(_ before: RuleBody?, _ after: RuleBody?) -> Bool {
        guard var before, var after else { return before == nil && after == nil }
        (before.owner, before.note, before.profile) = (nil, nil, "")
        (after.owner, after.note, after.profile) = (nil, nil, "")
        return before == after
    }

    /// The relation of a whole from those of its parts.
    static func worst(_ relations: some Sequence<Relation>) -> Relation {
        let all = Set(relations)
        return [.weaker, .incomparable, .stricter].first { all.contains($0) } ?? .equal
    }

    // MARK: Groups

    /// The groups with their hosts as patterns and a proven witness each, weaker first.
    private func finished(
        _ changes: [PolicyDiff.Change], _ hosts: HostClasses
    ) throws(DiffFailure) -> [PolicyDiff.Change] {
        var list: [PolicyDiff.Change] = []
        guard !changes.isEmpty else { return [] }
        let nesting = HostNesting([old.table, new.table])
        for var change in changes {
            guard let first = change.classes.first, let witness = hosts.witness(first) else {
                throw DiffFailure(
                    "no host of `\(change.classes.first?.text ?? "")` is decided as was found; "
                        + "this is a fault of hawser", isOurs: true)
            }
            change.witness = PolicyDiff.Witness(host: witness.host, port: witness.port)
            change.hosts = nesting.texts(of: change.classes)
            nameSet(of: &change)
            list.append(change)
        }
        return Dictionary(grouping: list, by: \.rank).sorted { $0.key < $1.key }.flatMap(\.value)
    }
}

extension PolicyDiff.Change {
    /// The place among other changes: what a reviewer must see first has the smallest number.
    fileprivate var rank: Int {
        switch relation {
        case .weaker: return 0
        case .incomparable: return hasWeakerField ? 1 : 2
        case .stricter: return 3
        case .equal: return 4
        }
    }
}

/// The order in which classes are shown: by the name from the right, the wider pattern first.
enum HostOrder {
    /// Elements in the order of their classes. Each class is taken apart once.
    static func sorted<Element>(
        _ elements: [Element], by hosts: (Element) -> HostClass
    ) -> [Element] {
        elements.map { (key: key(hosts($0)), element: $0) }
            .sorted { precedes($0.key, $1.key) }.map(\.element)
    }

    private typealias Key = (labels: [String], kind: Int, port: Int)

    private static func precedes(_ ours: Key, _ theirs: Key) -> Bool {
        if ours.labels != theirs.labels {
            return ours.labels.lexicographicallyPrecedes(theirs.labels)
        }
        if ours.kind != theirs.kind { return ours.kind > theirs.kind }
        return ours.port < theirs.port
    }

    private static func key(_ hosts: HostClass) -> Key {
        let port = Int(hosts.port ?? 0)
        switch hosts.pattern?.host {
        case nil: return (["\u{10FFFF}"], 0, port)
        case .name(let name): return (labels(name), 0, port)
        case .oneLabel(let base): return (labels(base), 1, port)
        case .anyLabels(let base): return (labels(base), 2, port)
        case .address(let address), .network(let address, _):
            return (["\u{10FFFE}", hosts.pattern?.canonicalText ?? address.description], 0, port)
        }
    }

    private static func labels(_ name: String) -> [String] {
        name.split(separator: ".").reversed().map(String.init)
    }
}

extension HostClass {
    /// The class for a reader: its pattern, with the port that it is about.
    package var text: String {
        guard let pattern else { return "default" }
        guard let port, pattern.port == nil else { return pattern.canonicalText }
        return HostPattern(host: pattern.host, port: port).canonicalText
    }
}
