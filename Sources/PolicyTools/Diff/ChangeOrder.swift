import TrustEngine

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
        return (path, path == PolicyDiff.Field.decision ? .max : FieldGravity.rank(path))
    }
}
