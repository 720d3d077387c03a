import Rendering
import TrustEngine

/// What one field does from the instant of comparison to the end of time, for a pair of rules.
struct FieldTimeline: Hashable {
    struct Name: Hashable {
        let source: PolicyDiff.Source
        let path: String
        /// What tells fields of one path apart: the day from which on it holds, or a number.
        let part: String
    }

    /// The field from an instant on; nil where the two sides are equal in it.
    struct Entry: Hashable {
        let from: UTCInstant
        let field: PolicyDiff.Field?
    }

    let name: Name
    let entries: [Entry]
    let authorities: PolicyDiff.AuthorityChange
    /// What a reader must know besides, where the field says that hosts are newly trusted.
    let terms: [PolicyDiff.Term]
}

/// Puts together the classes that change alike, so that each field is told once: fields that differ
/// in the same classes at the same times are one change.
struct ChangeGroups {
    private typealias Rules = (old: FieldPlaces.Rule, new: FieldPlaces.Rule)

    /// The rules that decide classes, with these classes in the order in which they came.
    private struct Decided {
        let rules: Rules
        /// How the classes compare as a whole.
        let relation: Relation
        /// The numbers of the fields that differ.
        let fields: [Int]
        var classes: [(number: Int, hosts: HostClass)]
    }

    /// One change: where it comes from, when it begins and ends, whose it is.
    private struct Key: Hashable {
        let source: PolicyDiff.Source
        let starts: [UTCInstant]
        let isPresent: [Bool]
        let pairs: [Int]
    }

    /// The fields that pairs have, by their numbers.
    private let fields: [FieldTimeline]
    /// The numbers of those that got stricter at any time.
    private let stricter: Set<Int>
    private var pairs: [Decided] = []
    private var indices: [PolicyDiffer.Pair: Int] = [:]
    /// The numbers of fields in the order of the first classes that have them.
    private var order: [Int] = []
    /// For each field, the pairs that have it.
    private var users: [[Int]]
    private var count = 0

    init(_ fields: [FieldTimeline]) {
        self.fields = fields
        stricter = Set(
            fields.indices.filter { index in
                fields[index].entries.contains { $0.field?.relation == .stricter }
            })
        users = Array(repeating: [], count: fields.count)
    }

    /// Adds a class.
    ///
    /// - Parameters:
    ///   - pair: what decides it in the two tables; two classes of one pair have the same fields.
    ///   - fields: the numbers of its fields.
    ///   - rules: the pair with names and places; asked once for a pair.
    mutating func add(
        _ hosts: HostClass, _ pair: PolicyDiffer.Pair, _ relation: Relation, _ fields: [Int],
        rules: () -> (old: FieldPlaces.Rule, new: FieldPlaces.Rule)
    ) {
        count += 1
        if let index = indices[pair] {
            pairs[index].classes.append((count, hosts))
            return
        }
        indices[pair] = pairs.count
        for field in fields {
            if users[field].isEmpty { order.append(field) }
            users[field].append(pairs.count)
        }
        pairs.append(
            Decided(
                rules: rules(), relation: relation, fields: fields, classes: [(count, hosts)]))
    }

    /// The changes, in the order of their first classes.
    func changes() -> [PolicyDiff.Change] {
        var keys: [Key] = []
        var found: [Key: [FieldTimeline]] = [:]
        for number in order {
            let field = fields[number]
            let key = Key(
                source: field.name.source, starts: field.entries.map(\.from),
                isPresent: field.entries.map { $0.field != nil }, pairs: users[number])
            if found[key] == nil { keys.append(key) }
            found[key, default: []].append(field)
        }
        return keys.map { change($0, found[$0] ?? []) }
    }

    private func change(
        _ key: Key, _ fields: [FieldTimeline]
    ) -> PolicyDiff.Change {
        let intervals = key.starts.enumerated().map { index, start in
            let own = FieldGravity.sorted(fields.compactMap { $0.entries[index].field })
            return PolicyDiff.Interval(
                from: start, relation: .direction(of: own.map(\.relation)), fields: own)
        }
        let (decided, classes, first) = inOrder(key.pairs)
        let terms = fields.flatMap(\.terms)
        let relation = Relation.direction(of: intervals.map(\.relation))
        var wholes: [Relation: Int] = [:]
        for pair in decided where pair.relation != relation {
            wholes[pair.relation, default: 0] += pair.classes.count
        }
        var places: [String: [PolicyDiff.Places]] = [:]
        for path in Set(fields.map(\.name.path) + terms.map(\.field.path)) {
            var seen: Set<PolicyDiff.Places> = []
            let isTerm = terms.contains { $0.field.path == path }
            places[path] = decided.map {
                isTerm
                    ? PolicyDiff.Places(old: nil, new: $0.rules.new.origin(of: path))
                    : ChangeGroups.places(of: path, $0.rules, $0.classes[0].hosts)
            }.filter { decided.count == 1 || seen.insert($0).inserted }
        }
        return PolicyDiff.Change(
            source: key.source, relation: relation, intervals: intervals,
            classes: classes, firstClass: first,
            rules: decided.map {
                PolicyDiff.RulePair(
                    old: $0.rules.old.reference, new: $0.rules.new.reference)
            }, owners: ChangeGroups.owners(decided), terms: terms, places: places,
            wholes: wholes,
            stricterFields: relation.isNoWeaker
                ? PolicyDiff.StricterFields() : stricterFields(of: decided),
            authorities: fields.reduce(into: PolicyDiff.AuthorityChange()) {
                $0 += $1.authorities
            })
    }

    /// Pairs of rules and their classes, the hosts of small domains first, and the class whose
    /// pattern is the first.
    private func inOrder(_ numbers: [Int]) -> ([Decided], [HostClass], HostClass?) {
        var all: [(number: Int, hosts: HostClass, pair: Int)] = []
        for pair in numbers {
            for (number, hosts) in pairs[pair].classes { all.append((number, hosts, pair)) }
        }
        all.sort { $0.number < $1.number }
        let order = HostGroups.indices(all.map(\.hosts))
        var seen: Set<Int> = []
        let decided = order.filter { seen.insert(all[$0].pair).inserted }.map {
            pairs[all[$0].pair]
        }
        return (decided, order.map { all[$0].hosts }, all.first?.hosts)
    }

    /// Who answers for pairs of rules: the owner in the new policy, or in the old one where the new
    /// has none.
    private static func owners(_ decided: [Decided]) -> [PolicyDiff.OwnerCount] {
        var counts: [String?: (rules: Int, classes: Int)] = [:]
        for pair in decided {
            let owner = pair.rules.new.owner ?? pair.rules.old.owner
            let known = counts[owner] ?? (0, 0)
            counts[owner] = (known.rules + 1, known.classes + pair.classes.count)
        }
        return counts.map {
            PolicyDiff.OwnerCount(owner: $0.key, rules: $0.value.rules, classes: $0.value.classes)
        }.sorted { ($0.classes, $0.owner ?? "") < ($1.classes, $1.owner ?? "") }
    }

    /// The fields in which classes got stricter at any time, whatever change tells of them.
    private func stricterFields(of decided: [Decided]) -> PolicyDiff.StricterFields {
        var found = PolicyDiff.StricterFields()
        let all = decided.map { pair in
            Set(pair.fields.filter { stricter.contains($0) }.map { fields[$0].name.path })
        }
        for number in order where stricter.contains(number) {
            let path = fields[number].name.path
            if !found.paths.contains(path), all.contains(where: { $0.contains(path) }) {
                found.paths.append(path)
            }
        }
        found.isOfAll = all.allSatisfy { $0.count == found.paths.count }
        return found
    }

    /// Where a field is written. Where a rule decides what was denied before, or the reverse, it is
    /// the pattern that a reader looks for.
    private static func places(
        of path: String, _ rules: Rules, _ hosts: HostClass
    ) -> PolicyDiff.Places {
        guard path == ChangeWords.decision, let pattern = hosts.pattern else {
            return PolicyDiff.Places(
                old: rules.old.origin(of: path), new: rules.new.origin(of: path))
        }
        func place(_ rule: FieldPlaces.Rule) -> FieldOrigin? {
            rule.id.isEmpty
                ? nil : rule.place(of: pattern).map { FieldOrigin(.rule(rule.id), $0) }
        }
        return PolicyDiff.Places(old: place(rules.old), new: place(rules.new))
    }
}
