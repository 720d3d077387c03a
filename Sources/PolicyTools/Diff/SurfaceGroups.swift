import TrustEngine

/// The authorities that could vouch for the hosts of a pair of rules, before and after.
struct TrustSurface: Hashable {
    let before: PolicyDiff.Surface.Count?
    let after: PolicyDiff.Surface.Count?
    let change: PolicyDiff.AuthorityChange
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
    private let surfaces: [TrustSurface]
    /// The index in `list`, by the index in `surfaces`.
    private var indices: [Int?]
    /// The surfaces of added classes, in the order of their first classes.
    private var list: [PolicyDiff.Surface] = []

    /// The surfaces of added classes: those that a waiver opens first, otherwise in the order of
    /// their first classes.
    var sorted: [PolicyDiff.Surface] {
        func isOpen(_ surface: PolicyDiff.Surface) -> Bool { surface.after?.open.isEmpty == false }
        return list.filter(isOpen) + list.filter { !isOpen($0) }
    }

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

extension ChangeWords.Side {
    /// The waivers in force by which a server is accepted for which no authority vouches, or none
    /// for its name.
    func open(at time: UTCInstant) -> [PolicyDiff.Surface.Waived] {
        guard body != nil else { return [] }
        let all = waivers.filter { $0.isInForce(at: time) }.map {
            PolicyDiff.Surface.Waived(path: "waivers.\($0.tolerance.name)", until: $0.until)
        }
        return FieldGravity.strangers.flatMap { path in all.filter { $0.path == path } }
    }
}
