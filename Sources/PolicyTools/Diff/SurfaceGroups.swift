import TrustEngine

/// The authorities that could vouch for the hosts of a pair of rules, before and after.
struct TrustSurface: Hashable {
    let before: PolicyDiff.Surface.Count?
    let after: PolicyDiff.Surface.Count?
    let change: PolicyDiff.AuthorityChange
    let hasOtherPinnedKeys: Bool
}

/// Counts the authorities that a rule trusts.
struct SurfaceCounter {
    /// The machine's store, if its authorities are counted.
    private let store: StoreCertificates?
    /// The counts so far. The rules of one policy share the members of their anchor sets.
    private var stored: [Swift.ObjectIdentifier: Int] = [:]

    init(store: StoreCertificates?) { self.store = store }

    /// The authorities of a rule, and the waivers that let others vouch; nil where it denies. The
    /// members of its anchor sets must live as long as the counter.
    mutating func count(
        _ behaviour: Behaviour, _ open: [PolicyDiff.Surface.Waived]
    ) -> PolicyDiff.Surface.Count? {
        guard case .body(let body) = behaviour else { return nil }
        return PolicyDiff.Surface.Count(
            listed: body.anchors.listedCount, holdsStore: body.anchors.holdsStore,
            arePinnedKeys: body.anchorsArePinnedKeys, stored: stored(body.anchors), open: open)
    }

    private mutating func stored(_ anchors: TrustedMembers) -> Int? {
        guard let store, anchors.holdsStore else { return nil }
        let count = stored[Swift.ObjectIdentifier(anchors)] ?? store.count(in: anchors)
        stored[Swift.ObjectIdentifier(anchors)] = count
        return count
    }
}

/// Counts the changed classes of each trust surface.
struct SurfaceGroups {
    /// The classes of one surface.
    private struct Group {
        let surface: TrustSurface
        let first: HostClass
        var classes = 1
    }

    private let surfaces: [TrustSurface]
    /// The index in `groups`, by the index in `surfaces`.
    private var indices: [Int?]
    /// In the order of their first classes.
    private var groups: [Group] = []

    init(_ surfaces: [TrustSurface]) {
        self.surfaces = surfaces
        indices = Array(repeating: nil, count: surfaces.count)
    }

    /// Adds a class with the index of its surface.
    mutating func add(_ hosts: HostClass, _ number: Int) {
        if let index = indices[number] {
            groups[index].classes += 1
            return
        }
        indices[number] = groups.count
        groups.append(Group(surface: surfaces[number], first: hosts))
    }

    /// The surfaces of added classes: those that a waiver opens first, otherwise in the order of
    /// their first classes.
    func list(_ spellings: HostSpellings) -> [PolicyDiff.Surface] {
        func isOpen(_ group: Group) -> Bool { group.surface.after?.open.isEmpty == false }
        return (groups.filter(isOpen) + groups.filter { !isOpen($0) }).map { group in
            PolicyDiff.Surface(
                before: group.surface.before, after: group.surface.after,
                change: group.surface.change,
                hasOtherPinnedKeys: group.surface.hasOtherPinnedKeys, classes: group.classes,
                example: spellings.spelled(PolicyDiff.HostText(group.first)))
        }
    }
}
