import TrustEngine

/// Counts the authorities that could vouch for changed classes, and puts classes together for which
/// the same authorities come and go.
struct SurfaceGroups {
    private(set) var list: [PolicyDiff.Surface] = []
    private var indices: [Key: Int] = [:]

    private struct Key: Hashable {
        let before: PolicyDiff.Surface.Count?
        let after: PolicyDiff.Surface.Count?
        let change: PolicyDiff.AuthorityChange
    }

    mutating func add(
        _ hosts: HostClass, before: Behaviour, after: Behaviour,
        _ change: PolicyDiff.AuthorityChange
    ) {
        let key = Key(
            before: SurfaceGroups.count(before), after: SurfaceGroups.count(after), change: change)
        if let index = indices[key] {
            list[index].classes += 1
            return
        }
        indices[key] = list.count
        list.append(
            PolicyDiff.Surface(
                before: key.before, after: key.after, change: change, classes: 1,
                example: hosts.text))
    }

    private static func count(_ behaviour: Behaviour) -> PolicyDiff.Surface.Count? {
        guard case .body(let body) = behaviour else { return nil }
        return PolicyDiff.Surface.Count(
            listed: body.anchors.listedCount, holdsStore: body.anchors.holdsStore,
            arePinnedKeys: body.anchorsArePinnedKeys)
    }
}
