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
        var classes: [(number: Int, hosts: HostClass)]
    }

    /// One change: where it comes from, when it begins and ends, whose it is.
    private struct Key: Hashable {
        let source: PolicyDiff.Source
        let starts: [UTCInstant]
        let isPresent: [Bool]
        let pairs: [Int]
    }

    private var pairs: [Decided] = []
    private var indices: [[Int]: Int] = [:]
    private var order: [FieldTimeline] = []
    private var users: [FieldTimeline: [Int]] = [:]
    private var count = 0

    /// Adds a class.
    ///
    /// - Parameters:
    ///   - pair: what decides it in the two tables; two classes of one pair have the same fields.
    ///   - rules: the same with names and places; asked once for a pair.
    mutating func add(
        _ hosts: HostClass, _ pair: [Int], _ relation: Relation, _ fields: [FieldTimeline],
        rules: () -> (old: FieldPlaces.Rule, new: FieldPlaces.Rule)
    ) {
        count += 1
        if let index = indices[pair] {
            pairs[index].classes.append((count, hosts))
            return
        }
        indices[pair] = pairs.count
        for field in fields {
            if users[field] == nil { order.append(field) }
            users[field, default: []].append(pairs.count)
        }
        pairs.append(
            Decided(rules: rules(), relation: relation, classes: [(count, hosts)]))
    }

    /// The changes, in the order of their first classes.
    ///
    /// - Parameter newPolicy: SHA-256 of the meaning of the new policy.
    func changes(_ newPolicy: Digest) -> [PolicyDiff.Change] {
        var keys: [Key] = []
        var fields: [Key: [FieldTimeline]] = [:]
        for field in order {
            let key = Key(
                source: field.name.source, starts: field.entries.map(\.from),
                isPresent: field.entries.map { $0.field != nil }, pairs: users[field] ?? [])
            if fields[key] == nil { keys.append(key) }
            fields[key, default: []].append(field)
        }
        return keys.map { change($0, fields[$0] ?? [], newPolicy) }
    }

    private func change(
        _ key: Key, _ fields: [FieldTimeline], _ newPolicy: Digest
    ) -> PolicyDiff.Change {
        let intervals = key.starts.enumerated().map { index, start in
            let own = fields.compactMap { $0.entries[index].field }
            return PolicyDiff.Interval(
                from: start, relation: own.reduce(.equal) { $0.and($1.relation) }, fields: own)
        }
        let decided = key.pairs.map { pairs[$0] }
        let relation = PolicyDiffer.worst(intervals.map(\.relation))
        var wholes: [Relation: Int] = [:]
        for pair in decided where pair.relation != relation {
            wholes[pair.relation, default: 0] += pair.classes.count
        }
        var places: [String: [PolicyDiff.Places]] = [:]
        for field in fields {
            var seen: Set<PolicyDiff.Places> = []
            for pair in decided {
                let own = ChangeGroups.places(
                    of: field.name.path, pair.rules, pair.classes[0].hosts)
                if seen.insert(own).inserted { places[field.name.path, default: []].append(own) }
            }
        }
        return PolicyDiff.Change(
            source: key.source, relation: relation, intervals: intervals,
            classes: decided.flatMap(\.classes).sorted { $0.number < $1.number }.map(\.hosts),
            rules: decided.map {
                PolicyDiff.RulePair(
                    old: PolicyDiff.Rule($0.rules.old), new: PolicyDiff.Rule($0.rules.new))
            }, places: places,
            wholes: wholes,
            authorities: fields.reduce(into: PolicyDiff.AuthorityChange()) {
                $0.added += $1.authorities.added
                $0.removed += $1.authorities.removed
            }, newPolicy: newPolicy)
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

extension PolicyDiff.Rule {
    fileprivate init(_ rule: FieldPlaces.Rule) {
        self.init(id: rule.id, location: rule.location, owner: rule.owner)
    }
}
