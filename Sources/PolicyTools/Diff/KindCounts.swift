import TrustEngine

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
