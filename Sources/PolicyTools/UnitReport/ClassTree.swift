import TrustEngine

/// The classes of a policy as a tree: each stands behind the nearest class whose pattern covers
/// all its hosts.
struct ClassTree {
    struct Node {
        let entry: PolicyClasses.Entry
        /// The index of the group of demands.
        let group: Int
        /// The number of classes around it.
        let depth: Int
        /// The number of the nearest class around it, from 1.
        let outer: Int?
    }

    let entries: [Node]

    /// Cost: linear in the classes, and for each in the patterns that cover it.
    init(_ classes: PolicyClasses, _ table: PolicyTable) {
        var sorted: [(entry: PolicyClasses.Entry, group: Int)] = []
        for (index, group) in classes.groups.enumerated() {
            sorted += group.entries.map { ($0, index) }
        }
        sorted.sort { $0.entry.number < $1.entry.number }
        var indices: [Place: Int] = [:]
        for (index, one) in sorted.enumerated() {
            guard let pattern = one.entry.hostClass.pattern else { continue }
            indices[Place(pattern: pattern, port: one.entry.hostClass.port)] = index
        }
        var children: [Int: [Int]] = [:]
        var tops: [Int] = []
        for (index, one) in sorted.enumerated() {
            if let outer = ClassTree.outer(of: one.entry.hostClass, table, indices) {
                children[outer, default: []].append(index)
            } else {
                tops.append(index)
            }
        }
        var nodes: [Node] = []
        nodes.reserveCapacity(sorted.count)
        // The classes that follow, the next one last.
        var open = tops.reversed().map { (index: $0, depth: 0, outer: Int?.none) }
        while let next = open.popLast() {
            let one = sorted[next.index]
            nodes.append(
                Node(entry: one.entry, group: one.group, depth: next.depth, outer: next.outer))
            let number = nodes.count
            open += (children[next.index] ?? []).reversed().map { ($0, next.depth + 1, number) }
        }
        entries = nodes
    }

    /// A pattern, and the only port that is meant of it.
    private struct Place: Hashable {
        let pattern: HostPattern
        let port: UInt16?
    }

    /// The index of the nearest class around a class. A class whose hosts are all of other classes
    /// does not exist, and the next one is taken.
    private static func outer(
        of one: HostClass, _ table: PolicyTable, _ indices: [Place: Int]
    ) -> Int? {
        guard let pattern = one.pattern else { return nil }
        for match in table.covering(pattern, port: one.port) {
            let around = table.pattern(at: Int(match.pattern))
            guard around != pattern else { continue }
            if let port = one.port, around.port == nil,
                let index = indices[Place(pattern: around, port: port)]
            {
                return index
            }
            if let index = indices[Place(pattern: around, port: around.port)]
                ?? indices[Place(pattern: around, port: nil)]
            {
                return index
            }
        }
        return nil
    }
}
