import TrustEngine

/// The authorities that could vouch for the hosts of a pair of rules, before and after.
struct TrustSurface: Hashable {
    let before: PolicyDiff.Surface.Count?
    let after: PolicyDiff.Surface.Count?
    let change: PolicyDiff.AuthorityChange

    init(before: Behaviour, after: Behaviour, _ change: PolicyDiff.AuthorityChange) {
        self.before = TrustSurface.count(before)
        self.after = TrustSurface.count(after)
        self.change = change
    }

    private static func count(_ behaviour: Behaviour) -> PolicyDiff.Surface.Count? {
        guard case .body(let body) = behaviour else { return nil }
        return PolicyDiff.Surface.Count(
            listed: body.anchors.listedCount, holdsStore: body.anchors.holdsStore,
            arePinnedKeys: body.anchorsArePinnedKeys)
    }
}

/// Counts the changed classes of each trust surface.
struct SurfaceGroups {
    private let surfaces: [TrustSurface]
    /// The index in `list`, by the index in `surfaces`.
    private var indices: [Int?]
    /// The surfaces of added classes, in the order of their first classes.
    private(set) var list: [PolicyDiff.Surface] = []

    init(_ surfaces: [TrustSurface]) {
        self.surfaces = surfaces
        indices = Array(repeating: nil, count: surfaces.count)
    }

    /// Adds a class with the index of its surface.
    mutating func add(_ hosts: HostClass, _ number: Int) {
        if let index = indices[number] {
            list[index].classes += 1
            return
        }
        indices[number] = list.count
        let surface = surfaces[number]
        list.append(
            PolicyDiff.Surface(
                before: surface.before, after: surface.after, change: surface.change, classes: 1,
                example: PolicyDiff.HostText(hosts)))
    }
}
