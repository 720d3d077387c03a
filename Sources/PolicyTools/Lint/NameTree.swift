import PolicyCompiler
import TrustEngine

/// The names of a policy's patterns as a tree of labels, the last label of a name at the top. A
/// pattern on names stands at the name behind its wildcard.
///
/// Each name is read once, and rules that look at the names around a name follow the links up.
struct NameTree {
    /// A label with the labels behind it: a name that a pattern is about, or the end of such a
    /// name.
    struct Node {
        /// The label's octets among those of all labels.
        let octets: Range<Int>
        /// The node of the name behind the label; -1 at the top.
        let parent: Int
        /// The number of patterns at or below the label.
        fileprivate(set) var count: Int
        /// The first of these patterns.
        let first: BoundHost
        /// The octets in the name of `first` that stand before the label.
        let before: Int
    }

    /// Every label, once below each name. A node stands behind its parent.
    private(set) var nodes: [Node] = []
    /// For each pattern, in the order of the rules, its node; -1 for a pattern on addresses.
    private(set) var places: [Int] = []
    /// The octets of the nodes' labels.
    private var octets: [UInt8] = []
    /// The nodes by name and label: open addressing, at most half full; -1 for none. The hash is
    /// seeded anew in each process, so nobody can write a policy whose labels collide.
    private var slots = [Int](repeating: -1, count: 64)

    /// Cost: linear in the octets of the patterns.
    init(_ rules: [BoundRule]) {
        for rule in rules {
            for host in rule.hosts {
                places.append(host.pattern.dnsName.map { add($0, of: host) } ?? -1)
            }
        }
    }

    /// The octets of a node's label.
    func label(_ node: Int) -> ArraySlice<UInt8> { octets[nodes[node].octets] }

    /// The node of the longest end of a name that is in the tree, and the number of labels before
    /// that end. The node is -1 where not even the last label is in the tree.
    func deepest(_ name: String) -> (node: Int, labelsBefore: Int) {
        let name = Array(name.utf8)
        var node = -1
        var end = name.count
        while true {
            let start = NameTree.labelStart(name, end)
            let next = slots[slot(of: name[start..<end], below: node)]
            guard next >= 0 else {
                return (node, 1 + name[..<end].count { $0 == UInt8(ascii: ".") })
            }
            node = next
            guard start > 0 else { return (node, 0) }
            end = start - 1
        }
    }

    /// Adds a name, and returns its node.
    private mutating func add(_ name: String, of host: BoundHost) -> Int {
        let name = Array(name.utf8)
        var node = -1
        var end = name.count
        while true {
            let start = NameTree.labelStart(name, end)
            let slot = slot(of: name[start..<end], below: node)
            if slots[slot] >= 0 {
                node = slots[slot]
                nodes[node].count += 1
            } else {
                octets += name[start..<end]
                nodes.append(
                    Node(
                        octets: octets.count - (end - start)..<octets.count, parent: node,
                        count: 1, first: host, before: start))
                node = nodes.count - 1
                slots[slot] = node
                if nodes.count * 2 > slots.count { widen() }
            }
            guard start > 0 else { return node }
            end = start - 1
        }
    }

    /// Where the label begins that ends before an offset.
    private static func labelStart(_ name: [UInt8], _ end: Int) -> Int {
        var start = end
        while start > 0, name[start - 1] != UInt8(ascii: ".") { start -= 1 }
        return start
    }

    /// The slot of a label below a name, or the empty slot where it belongs.
    private func slot(of label: ArraySlice<UInt8>, below parent: Int) -> Int {
        var slot = NameTree.hash(label, parent) & (slots.count - 1)
        while slots[slot] >= 0 {
            let node = slots[slot]
            if nodes[node].parent == parent, octets[nodes[node].octets] == label { break }
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private mutating func widen() {
        slots = [Int](repeating: -1, count: slots.count * 4)
        for node in nodes.indices {
            slots[slot(of: label(node), below: nodes[node].parent)] = node
        }
    }

    /// A hash of a label and a number. The hasher gets eight octets at a time and then their
    /// number, so that two different labels never feed it the same values: a hasher that gets
    /// single octets takes several times as long.
    static func hash(_ label: some Sequence<UInt8>, _ number: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(number)
        var word: UInt64 = 0
        var count = 0
        for octet in label {
            word = word << 8 | UInt64(octet)
            count += 1
            if count % 8 == 0 { hasher.combine(word) }
        }
        hasher.combine(word)
        hasher.combine(count)
        return hasher.finalize()
    }
}

extension HostPattern {
    /// The name, or the name behind the wildcard; nil for addresses and networks.
    fileprivate var dnsName: String? {
        if case .name(let name) = host { return name }
        return wildcardBase
    }
}
