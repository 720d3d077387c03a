import Rendering
import TrustEngine

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
    private var indices: [DecidingPair: Int] = [:]
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
        _ hosts: HostClass, _ pair: DecidingPair, _ relation: Relation, _ fields: [Int],
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
    ///
    /// - Parameter details: finds what stands beside the fields of a change.
    /// - Throws: `AnswerFailure` where a claim does not reproduce.
    func changes(_ details: ChangeDetails) throws(AnswerFailure) -> [PolicyDiff.Change] {
        var details = details
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
        var list: [PolicyDiff.Change] = []
        for key in keys { list.append(try change(key, found[key] ?? [], &details)) }
        return list
    }

    /// Puts a change together.
    private func change(
        _ key: Key, _ fields: [FieldTimeline], _ details: inout ChangeDetails
    ) throws(AnswerFailure) -> PolicyDiff.Change {
        let intervals = key.starts.enumerated().map { index, start in
            let own = FieldGravity.sorted(fields.compactMap { $0.entries[index].field })
            return PolicyDiff.Interval(
                from: start, relation: .direction(of: own.map(\.relation)), fields: own)
        }
        let relation = Relation.direction(of: intervals.map(\.relation))
        let (decided, classes, first) = inOrder(key.pairs)
        let rules = decided.map {
            PolicyDiff.RulePair(
                old: $0.rules.old.reference, new: $0.rules.new.reference)
        }
        let terms = fields.flatMap(\.terms)
        let authorities = PolicyDiff.AuthorityChange(fields.map(\.authorities))
        let digests = relation.isNoWeaker ? [:] : details.digests(intervals, key.source, rules)
        let set = details.set(of: key.source)
        return PolicyDiff.Change(
            source: key.source, relation: relation, intervals: intervals, classes: classes,
            firstClass: first, hosts: details.hosts(of: classes),
            witness: try details.witness(of: classes),
            former: classes.first.flatMap(details.former),
            rules: rules, owners: ChangeGroups.owners(decided), setOwner: set?.owner, terms: terms,
            places: places(of: fields, terms, decided, set?.places),
            wholes: ChangeGroups.wholes(decided, besides: relation),
            stricterFields: relation.isNoWeaker ? .none : stricterFields(of: decided),
            authorities: authorities, files: details.files.paths(of: authorities),
            digests: digests,
            allowed: relation.isNoWeaker
                ? nil
                : details.allowed(
                    WeakenedField.all(
                        intervals, of: key.source, authorities: authorities, digests: digests),
                    classes))
    }

    /// How many classes are related otherwise as a whole than a change of theirs, by relation.
    private static func wholes(
        _ decided: [Decided], besides relation: Relation
    ) -> [Relation: Int] {
        decided.filter { $0.relation != relation }.reduce(into: [:]) {
            $0[$1.relation, default: 0] += $1.classes.count
        }
    }

    /// Where the fields of a change are written.
    ///
    /// - Parameter set: the path and the places of the set that the change comes from, which stand
    ///   for the places of that path.
    private func places(
        of fields: [FieldTimeline], _ terms: [PolicyDiff.Term], _ decided: [Decided],
        _ set: (path: String, places: PolicyDiff.Places)?
    ) -> [String: [PolicyDiff.Places]] {
        var places: [String: [PolicyDiff.Places]] = [:]
        for path in Set(fields.map(\.name.path) + terms.map(\.field.path)) {
            if let set, path == set.path {
                places[path] = [set.places]
                continue
            }
            var seen: Set<PolicyDiff.Places> = []
            let isTerm = terms.contains { $0.field.path == path }
            places[path] = decided.map {
                isTerm
                    ? PolicyDiff.Places(old: nil, new: $0.rules.new.origin(of: path))
                    : ChangeGroups.places(of: path, $0.rules, $0.classes[0].hosts)
            }.filter { decided.count == 1 || seen.insert($0).inserted }
        }
        return places
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
        var paths: [String] = []
        let all = decided.map { pair in
            Set(pair.fields.filter { stricter.contains($0) }.map { fields[$0].name.path })
        }
        for number in order where stricter.contains(number) {
            let path = fields[number].name.path
            if !paths.contains(path), all.contains(where: { $0.contains(path) }) {
                paths.append(path)
            }
        }
        return PolicyDiff.StricterFields(
            paths: paths, isOfAll: all.allSatisfy { $0.count == paths.count })
    }

    /// Where a field is written. Where a rule decides what was denied before, or the reverse, it is
    /// the pattern that a reader looks for.
    private static func places(
        of path: String, _ rules: Rules, _ hosts: HostClass
    ) -> PolicyDiff.Places {
        guard path == PolicyDiff.Field.decision, let pattern = hosts.pattern else {
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
