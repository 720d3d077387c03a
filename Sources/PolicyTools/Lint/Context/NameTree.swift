import PolicyCompiler
import TrustEngine

/// The names of a policy's patterns as a tree of labels, the last label of a name at the top. A
/// pattern on names stands at the name behind its wildcard.
///
/// Each name is read once, and rules that look at the names around a name follow the links up.
struct NameTree {
    /// A label with the labels behind it: the name of a pattern, or the end of the name of a
    /// pattern.
    ///
    /// Its numbers are short, because a large policy has many nodes. A unit holds ten million keys
    /// and values at most, so none of them is too large.
    struct Node: BitwiseCopyable {
        /// Where the label's octets begin among the octets of all labels.
        fileprivate let start: Int
        private let labelLength: Int32
        private let parentNode: Int32
        private var patterns: Int32 = 1
        private let rule: Int32
        private let host: Int32
        private let octetsBefore: Int32

        fileprivate init(
            start: Int, length: Int, parent: Int, rule: Int, host: Int, before: Int
        ) {
            self.start = start
            labelLength = Int32(length)
            parentNode = Int32(parent)
            self.rule = Int32(rule)
            self.host = Int32(host)
            octetsBefore = Int32(before)
        }

        /// The label's octets among the octets of all labels.
        fileprivate var octets: Range<Int> { start..<start + Int(labelLength) }
        /// The number of octets of the label.
        fileprivate var length: Int { Int(labelLength) }
        /// The node of the name behind the label; -1 at the top.
        var parent: Int { Int(parentNode) }
        /// The number of patterns at or below the label.
        var count: Int { Int(patterns) }
        /// The octets in the name of the first of these patterns that stand before the label.
        var before: Int { Int(octetsBefore) }
        /// The first of these patterns: the index of its rule, and its own among the rule's.
        fileprivate var first: (rule: Int, host: Int) { (Int(rule), Int(host)) }

        fileprivate mutating func addPattern() { patterns += 1 }
    }

    /// Where a pattern stands in the tree.
    struct Place: BitwiseCopyable {
        /// The node of the name, or of that behind the wildcard; -1 for a pattern on addresses.
        var node: Int32
        /// Nil for every port.
        var port: UInt16?
        /// 0 for a name, 1 for `*.`, 2 for `**.`; -1 for a pattern on addresses.
        var kind: Int8
        /// Whether a name with two labels before this one fits the maximum length of a name.
        var fitsTwo: Bool
    }

    /// Every label, once below each name. A node stands behind its parent.
    private(set) var nodes: [Node] = []
    /// The nodes of last labels.
    private(set) var tops: [Int] = []
    /// Whether the name of a pattern, or the name behind its wildcard, is one label.
    private(set) var hasSingleLabels = false
    /// Whether a label begins with `xn--`.
    private(set) var hasALabels = false
    /// For each pattern, in the order of the rules, the facts that are asked of it most often.
    private(set) var places: [Place] = []
    private let rules: [BoundRule]
    /// The octets of the nodes' labels.
    private var octets: [UInt8] = []
    /// The nodes by name and label: open addressing, at most half full; -1 for none. The hash is
    /// seeded anew in each process, so nobody can write a policy whose labels collide.
    private var slots = [Int32](repeating: -1, count: 64)
    /// The nodes of the name that was added last, from its last label on: names stand mostly beside
    /// others with the same end.
    private var path: [Int] = []

    /// Cost: linear in the octets of the patterns.
    init(_ rules: [BoundRule]) {
        self.rules = rules
        places.reserveCapacity(rules.count)
        for rule in rules.indices {
            for host in rules[rule].hosts.indices {
                let pattern = rules[rule].hosts[host].pattern
                let (kind, name) = NameTree.parts(pattern)
                places.append(
                    Place(
                        node: name.map { Int32(add($0, rule, host)) } ?? -1, port: pattern.port,
                        kind: kind,
                        fitsTwo: (name?.utf8.count ?? 0) + 2 * 2 <= NameTree.longestName))
            }
        }
    }

    /// Octets of the longest name.
    private static let longestName = 253

    /// The kind of a pattern as `Place` has it, and its name, or that behind its wildcard; nil for
    /// addresses and networks.
    private static func parts(_ pattern: HostPattern) -> (kind: Int8, name: String?) {
        switch pattern.host {
        case .name(let name): return (0, name)
        case .oneLabel(let base): return (1, base)
        case .anyLabels(let base): return (2, base)
        case .address, .network: return (-1, nil)
        }
    }

    /// The octets of a node's label.
    func label(_ node: Int) -> ArraySlice<UInt8> { octets[nodes[node].octets] }

    /// The first pattern at or below a node.
    func first(_ node: Int) -> BoundHost {
        let (rule, host) = nodes[node].first
        return rules[rule].hosts[host]
    }

    /// The node of the longest end of a name that is in the tree, and the number of labels before
    /// that end. The node is -1 where not even the last label is in the tree.
    func deepest(_ name: String) -> (node: Int, labelsBefore: Int) {
        let name = name.utf8.span
        var node = -1
        var end = name.count
        while true {
            let start = NameTree.labelStart(name, end)
            let next = Int(slots[slot(of: name.extracting(start..<end), below: node)])
            guard next >= 0 else {
                var labels = 1
                for index in 0..<end where name[index] == UInt8(ascii: ".") { labels += 1 }
                return (node, labels)
            }
            node = next
            guard start > 0 else { return (node, 0) }
            end = start - 1
        }
    }

    /// Adds a name, and returns its node.
    private mutating func add(_ name: String, _ rule: Int, _ host: Int) -> Int {
        let name = name.utf8.span
        var node = -1
        var end = name.count
        // The labels that the name has in common with the one before it.
        var shared = 0
        var isShared = true
        while true {
            let start = NameTree.labelStart(name, end)
            let label = name.extracting(start..<end)
            if isShared, shared < path.count, isLabel(label, of: nodes[path[shared]]) {
                node = path[shared]
                shared += 1
                nodes[node].addPattern()
                guard start > 0 else { break }
                end = start - 1
                continue
            }
            if isShared {
                isShared = false
                path.removeLast(path.count - shared)
            }
            let slot = slot(of: label, below: node)
            if slots[slot] >= 0 {
                node = Int(slots[slot])
                nodes[node].addPattern()
            } else {
                let first = octets.count
                for index in start..<end { octets.append(name[index]) }
                if octets[first...].starts(with: "xn--".utf8) { hasALabels = true }
                nodes.append(
                    Node(
                        start: first, length: end - start, parent: node, rule: rule, host: host,
                        before: start))
                if node < 0 { tops.append(nodes.count - 1) }
                node = nodes.count - 1
                slots[slot] = Int32(node)
                if nodes.count * 2 > slots.count { widen() }
            }
            path.append(node)
            guard start > 0 else { break }
            end = start - 1
        }
        if end == name.count { hasSingleLabels = true }
        return node
    }

    /// Where the label begins that ends before an offset.
    private static func labelStart(_ name: Span<UInt8>, _ end: Int) -> Int {
        var start = end
        while start > 0, name[start - 1] != UInt8(ascii: ".") { start -= 1 }
        return start
    }

    /// The slot of a label below a name, or the empty slot where it belongs.
    private func slot(of label: Span<UInt8>, below parent: Int) -> Int {
        var slot = NameTree.hash(label, parent) & (slots.count - 1)
        while slots[slot] >= 0 {
            let node = nodes[Int(slots[slot])]
            if node.parent == parent, isLabel(label, of: node) { break }
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private func isLabel(_ label: Span<UInt8>, of node: Node) -> Bool {
        guard node.length == label.count else { return false }
        for index in 0..<label.count where octets[node.start + index] != label[index] {
            return false
        }
        return true
    }

    private mutating func widen() {
        var wider = [Int32](repeating: -1, count: slots.count * 4)
        for node in nodes.indices {
            let label = octets.span.extracting(nodes[node].octets)
            var slot = NameTree.hash(label, nodes[node].parent) & (wider.count - 1)
            while wider[slot] >= 0 { slot = (slot + 1) & (wider.count - 1) }
            wider[slot] = Int32(node)
        }
        slots = wider
    }

    /// A hash of a label, without the octet at one index, and a number. The hasher gets eight
    /// octets at a time and then their number, so that two different labels never feed it the same
    /// values: a hasher that gets single octets takes several times as long.
    static func hash(_ label: Span<UInt8>, without left: Int = -1, _ number: Int) -> Int {
        var hasher = Hasher()
        var word: UInt64 = 0
        var count = 0
        for index in 0..<label.count where index != left {
            word = word << 8 | UInt64(label[index])
            count += 1
            if count % 8 == 0 { hasher.combine(word) }
        }
        hasher.combine(word)
        hasher.combine(number << 16 | count)
        return hasher.finalize()
    }
}
