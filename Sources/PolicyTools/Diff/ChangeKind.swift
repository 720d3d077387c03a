package import TrustEngine

/// What a change does to its hosts. The order of the cases is the order in which every format tells
/// changes.
package enum ChangeKind: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// A waiver of `path`, `identity` or `cleartext` is new, or goes further: a stranger's server
    /// is accepted.
    case unguarded
    /// `default` denied, and now a body decides every host that no rule names.
    case opened
    /// Hosts that were trusted accept more.
    case weaker
    /// Hosts that were trusted accept other chains than before.
    case incomparable
    /// Hosts that were denied are trusted.
    case trusted
    /// Hosts refuse more than before.
    case stricter
    case equal

    package static func < (one: ChangeKind, other: ChangeKind) -> Bool {
        one.rawValue < other.rawValue
    }

    /// The kind as JSON names it.
    package var name: String {
        switch self {
        case .unguarded: return "unguarded"
        case .opened: return "default-opened"
        case .weaker: return "weaker"
        case .incomparable: return "incomparable"
        case .trusted: return "newly-trusted"
        case .stricter: return "stricter"
        case .equal: return "equal"
        }
    }
}

/// The gravity of a field among others: exceptions first, then what the rest of a policy rests on.
enum FieldGravity {
    /// The waivers that let a stranger's server pass, the widest first.
    static let strangers = ["waivers.path", "waivers.cleartext", "waivers.identity"]
    static let unguarded = Set(strangers)

    private static let sections = [
        "waivers", "report-only", ChangeWords.decision, "anchors", "pins", "identity",
        "revocation", "tls",
    ]

    /// The place of a field by its path; the gravest has the smallest number.
    static func rank(_ path: String) -> Int {
        if let place = strangers.firstIndex(of: path) { return place }
        let section = path.prefix { $0 != "." }
        return strangers.count + (sections.firstIndex { $0 == section } ?? sections.count)
    }

    /// A path without the ids that an author chooses: as many sets, forbidden keys or checks as one
    /// likes are one field.
    static func general(_ path: String) -> String {
        var parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1 else { return path }
        switch parts[0] {
        case "anchors", "pins", "forbidden-keys": parts[1] = "*"
        case "report-only" where !checks.contains(parts[1]): parts[1] = "*"
        default: return path
        }
        return parts.joined(separator: ".")
    }

    private static let checks = Set(ReportOnly.Check.builtIn.map(\.name))

    /// Fields in their order: weaker ones first, then by gravity. Fields of one
    /// place keep their order.
    static func sorted(_ fields: [PolicyDiff.Field]) -> [PolicyDiff.Field] {
        func key(_ index: Int) -> (Int, Int, Int) {
            let relation = fields[index].relation
            let word = relation == .weaker ? 0 : relation == .incomparable ? 1 : 2
            return (word, rank(fields[index].path), index)
        }
        return fields.indices.sorted { key($0) < key($1) }.map { fields[$0] }
    }
}

extension PolicyDiff.Change {
    /// What the change does to its hosts.
    package var kind: ChangeKind {
        if !strangers.isEmpty { return .unguarded }
        let weak = weakFields
        if weak.contains(where: { $0.path == ChangeWords.decision }) {
            return rules.first?.new.id.isEmpty == true ? .opened : .trusted
        }
        if relation == .weaker { return .weaker }
        if !weak.isEmpty || !relation.isNoWeaker { return .incomparable }
        return relation == .stricter ? .stricter : .equal
    }

    /// The fields and terms that are not equal or stricter.
    private var weakFields: [PolicyDiff.Field] {
        (intervals.flatMap(\.fields) + terms.map(\.field)).filter { !$0.relation.isNoWeaker }
    }

    /// The waivers that are new or go further, and by which a stranger's server passes.
    fileprivate var strangers: Set<String> {
        FieldGravity.unguarded.intersection(weakFields.map(\.path))
    }

    /// The paths of the terms and fields, the gravest first. Each once.
    package var paths: [String] {
        let own = intervals.flatMap(\.fields).map(\.path)
        var paths: [String] = []
        for path in terms.map(\.field.path) + own where !paths.contains(path) {
            paths.append(path)
        }
        guard !terms.isEmpty else { return paths }
        return paths.indices.sorted {
            (FieldGravity.rank(paths[$0]), $0) < (FieldGravity.rank(paths[$1]), $1)
        }.map { paths[$0] }
    }
}

/// Sorts changes so that none hides behind others: by kind; within a kind one of each field, and
/// one of each field and source, before a second of any, by the gravity of the field; then hosts of
/// small domains first, and few hosts before many.
struct ChangeOrder {
    private struct Cause: Hashable {
        let path: String
        let source: PolicyDiff.Source
    }

    static func sorted(_ changes: [PolicyDiff.Change]) -> [PolicyDiff.Change] {
        guard changes.count > 1 else { return changes }
        var kinds: [ChangeKind: [Int]] = [:]
        for (index, change) in changes.enumerated() {
            kinds[change.kind, default: []].append(index)
        }
        return kinds.sorted { $0.key < $1.key }.flatMap { _, indices in
            order(indices, changes).map { changes[$0] }
        }
    }

    /// The changes of one kind in their order. Cost: O(n log n) in their classes.
    private static func order(_ indices: [Int], _ changes: [PolicyDiff.Change]) -> [Int] {
        guard indices.count > 1 else { return indices }
        var sizes: [String: Int] = [:]
        var domains: [Int: Set<String>] = [:]
        for index in indices {
            for hosts in changes[index].classes {
                let domain = HostGroups.domain(of: hosts)
                sizes[domain, default: 0] += 1
                domains[index, default: []].insert(domain)
            }
        }
        let causes = indices.map { index -> (index: Int, cause: Cause, rank: Int, size: Int) in
            let change = changes[index]
            let (path, rank) = lead(change)
            return (
                index, Cause(path: path, source: change.source), rank,
                (domains[index] ?? []).lazy.compactMap { sizes[$0] }.min() ?? 0
            )
        }.sorted {
            ($0.rank, $0.size, changes[$0.index].classes.count, $0.index)
                < ($1.rank, $1.size, changes[$1.index].classes.count, $1.index)
        }
        var seen: [Cause: Int] = [:]
        var fields: Set<String> = []
        return causes.enumerated().map { place, one -> (round: Int, place: Int, index: Int) in
            seen[one.cause, default: 0] += 1
            let isNew = fields.insert(FieldGravity.general(one.cause.path)).inserted
            return (isNew ? 0 : seen[one.cause] ?? 0, place, one.index)
        }.sorted { ($0.round, $0.place) < ($1.round, $1.place) }.map(\.index)
    }

    /// The field by which a change has its place, and its gravity. Newly trusted hosts with a term
    /// come before newly trusted hosts without.
    private static func lead(_ change: PolicyDiff.Change) -> (path: String, rank: Int) {
        let terms = change.terms.map(\.field).filter { !$0.relation.isNoWeaker }.map(\.path)
        if let gravest = terms.min(by: { FieldGravity.rank($0) < FieldGravity.rank($1) }) {
            return (gravest, FieldGravity.rank(gravest))
        }
        let path = change.paths.first ?? ""
        return (path, path == ChangeWords.decision ? .max : FieldGravity.rank(path))
    }
}

/// How many classes of hosts each kind has; a class counts under its gravest kind.
package struct KindCounts: Sendable {
    package struct Count: Sendable {
        package let kind: ChangeKind
        package fileprivate(set) var classes = 0
        /// Whether every class is one host.
        package fileprivate(set) var areHosts = true
        /// The index of the first change of the kind.
        package let first: Int
        /// The waivers that let a stranger's server pass.
        package fileprivate(set) var waivers: Set<String> = []
    }

    /// The kinds that occur, the gravest first.
    package private(set) var list: [Count] = []

    /// Cost: linear in the classes of all changes.
    package init(_ diff: PolicyDiff) {
        var seen: Set<HostClass> = []
        for (index, change) in diff.changes.enumerated() {
            let kind = change.kind
            if list.last?.kind != kind { list.append(Count(kind: kind, first: index)) }
            for hosts in change.classes where seen.insert(hosts).inserted {
                list[list.count - 1].classes += 1
                if !hosts.isOneHost { list[list.count - 1].areHosts = false }
            }
            if kind == .unguarded {
                list[list.count - 1].waivers.formUnion(change.strangers)
            }
        }
        list.removeAll { $0.classes == 0 || $0.kind == .equal }
    }
}

extension HostClass {
    /// Whether a class is one name or one address.
    package var isOneHost: Bool {
        switch pattern?.host {
        case .name, .address: return true
        case .oneLabel, .anyLabels, .network, nil: return false
        }
    }
}

/// Chooses which findings a format shows that has no room for all: one of each kind, one of each
/// field, one of each field and source, then the others.
enum FindingChoice {
    /// A field of a kind of change; without a source, whatever set it is of.
    private struct Cause: Hashable {
        let kind: ChangeKind
        let path: String
        var source: PolicyDiff.Source?
    }

    /// The indices of findings in the order in which they are given room.
    static func order(_ findings: [DiffFinding]) -> [Int] {
        var kinds: Set<ChangeKind> = []
        var causes: Set<Cause> = []
        var rounds: [[Int]] = [[], [], [], []]
        for (index, finding) in findings.enumerated() {
            let cause = Cause(
                kind: finding.ownKind, path: finding.path, source: finding.change.source)
            let field = Cause(kind: finding.ownKind, path: FieldGravity.general(finding.path))
            let isNewKind = kinds.insert(finding.ownKind).inserted
            let isNewField = causes.insert(field).inserted
            let isNewCause = causes.insert(cause).inserted
            rounds[isNewKind ? 0 : isNewField ? 1 : isNewCause ? 2 : 3].append(index)
        }
        return rounds.flatMap(\.self)
    }

    /// The changes that are left out, counted by kind: "3 weaker, 290 newly trusted".
    static func counts(_ left: [DiffFinding]) -> String {
        let kinds = Dictionary(grouping: left, by: \.ownKind)
        return kinds.sorted { $0.key < $1.key }.map { "\($0.value.count) \($0.key.words)" }
            .joined(separator: ", ")
    }
}

extension ChangeKind {
    /// The kind in words.
    package var words: String {
        switch self {
        case .unguarded: return "accept anyone"
        case .opened: return "of `default` opened"
        case .weaker: return "weaker"
        case .incomparable: return "incomparable"
        case .trusted: return "newly trusted"
        case .stricter: return "stricter"
        case .equal: return "equal"
        }
    }

    /// What a number of hosts of this kind does, behind their count.
    func verb(_ isOne: Bool) -> String {
        switch self {
        case .unguarded: return isOne ? "accepts anyone" : "accept anyone"
        case .opened, .trusted: return isOne ? "is newly trusted" : "are newly trusted"
        case .weaker: return isOne ? "accepts more than before" : "accept more than before"
        case .incomparable:
            return isOne ? "accepts other chains than before" : "accept other chains than before"
        case .stricter: return isOne ? "refuses more than before" : "refuse more than before"
        case .equal: return isOne ? "is as before" : "are as before"
        }
    }
}
