import TrustEngine

/// Which patterns lie inside which, to write a set of classes as patterns with exceptions.
struct HostNesting {
    /// A name that patterns have behind their wildcards, or are.
    private struct Node {
        let name: String
        /// Indices in `names`.
        var patterns: Range<Int>
        /// The number of labels.
        let labels: Int
        /// The index of the first node that does not lie beneath this one.
        var end: Int
    }

    /// Patterns on names in the order of `HostOrder`, each once.
    private let names: [HostPattern]
    /// In the same order: the nodes beneath a node stand behind it.
    private let nodes: [Node]
    /// The indices of nodes by their names.
    private let indices: [String: Int]
    /// Addresses and networks, those of IPv4 first, by their first address: what lies in a network
    /// stands together.
    private let ranges: [(first: IPAddress, pattern: HostPattern)]

    /// Takes the patterns of the tables of classes. Cost: O(n log n) in the patterns.
    init(_ hosts: HostClasses) {
        var names: [HostPattern] = []
        var ranges: Set<HostPattern> = []
        for pattern in hosts.allPatterns {
            switch pattern.host {
            case .name, .oneLabel, .anyLabels: names.append(pattern)
            case .address, .network: ranges.insert(pattern)
            }
        }
        self.names = HostNesting.distinct(
            HostOrder.indices(names) { ($0, $0.port) }.map { names[$0] })
        nodes = HostNesting.nodes(self.names)
        indices = Dictionary(uniqueKeysWithValues: zip(nodes.map(\.name), nodes.indices))
        self.ranges = ranges.compactMap { pattern in
            HostNesting.firstAddress(pattern).map { ($0, pattern) }
        }.sorted { HostNesting.precedes($0.first, $1.first) }
    }

    private static func distinct(_ sorted: [HostPattern]) -> [HostPattern] {
        var found: [HostPattern] = []
        found.reserveCapacity(sorted.count)
        for pattern in sorted where found.last != pattern { found.append(pattern) }
        return found
    }

    private static func nodes(_ names: [HostPattern]) -> [Node] {
        var nodes: [Node] = []
        // The nodes that what follows may lie beneath.
        var open: [Int] = []
        for (index, pattern) in names.enumerated() {
            guard let name = name(pattern) else { continue }
            if let last = nodes.last, last.name == name {
                nodes[nodes.count - 1].patterns = last.patterns.lowerBound..<index + 1
                continue
            }
            while let last = open.last, !lies(name, beneath: nodes[last].name) {
                nodes[last].end = nodes.count
                open.removeLast()
            }
            open.append(nodes.count)
            nodes.append(
                Node(
                    name: name, patterns: index..<index + 1,
                    labels: name.utf8.count { $0 == UInt8(ascii: ".") } + 1, end: 0))
        }
        for index in open { nodes[index].end = nodes.count }
        return nodes
    }

    /// The name of a pattern; nil for addresses and networks.
    private static func name(_ pattern: HostPattern) -> String? {
        switch pattern.host {
        case .name(let name), .oneLabel(let name), .anyLabels(let name): return name
        case .address, .network: return nil
        }
    }

    private static func firstAddress(_ pattern: HostPattern) -> IPAddress? {
        switch pattern.host {
        case .name, .oneLabel, .anyLabels: return nil
        case .address(let first), .network(let first, _): return first
        }
    }

    /// Whether a name has more labels before another.
    private static func lies(_ name: String, beneath base: String) -> Bool {
        let (ours, theirs) = (name.utf8.span, base.utf8.span)
        let start = ours.count - theirs.count
        guard start > 0, ours[start - 1] == UInt8(ascii: ".") else { return false }
        for index in 0..<theirs.count where ours[start + index] != theirs[index] { return false }
        return true
    }

    private static func precedes(_ left: IPAddress, _ right: IPAddress) -> Bool {
        if left.isIPv4 != right.isIPv4 { return left.isIPv4 }
        return (left.high, left.low) < (right.high, right.low)
    }

    /// The index of the first range that does not begin before an address.
    private func firstRange(notBefore address: IPAddress) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if HostNesting.precedes(ranges[middle].first, address) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// Classes as patterns. A pattern inside a shown pattern that is no class of the list is one of
    /// its exceptions; one that is in the list is left out where the pattern around it says it.
    func texts(of classes: [HostClass]) -> [PolicyDiff.HostText] {
        let included = Set(classes.compactMap { $0.pattern })
        return classes.map { hosts in
            guard let pattern = hosts.pattern else {
                return PolicyDiff.HostText(
                    pattern: "default", port: nil, exceptions: [], omitted: 0)
            }
            let inside = exceptions(of: pattern, port: hosts.port, included).map(\.canonicalText)
                .sorted()
            let most = PolicyDiff.HostText.mostExceptions
            return PolicyDiff.HostText(
                pattern: pattern.canonicalText,
                port: pattern.port == nil ? hosts.port : nil,
                exceptions: Array(inside.prefix(most)), omitted: max(0, inside.count - most))
        }
    }

    /// The widest patterns inside a pattern that are not in a list.
    ///
    /// - Parameter port: the only port that is meant, where the pattern names none.
    private func exceptions(
        of pattern: HostPattern, port: UInt16?, _ included: Set<HostPattern>
    ) -> [HostPattern] {
        var found: [HostPattern] = []
        let port = pattern.port ?? port
        func look(_ inner: HostPattern) {
            // Of two patterns for the same hosts the one with a port decides.
            guard inner != pattern, inner.host != pattern.host || inner.port != nil,
                inner.port == nil || port == nil || inner.port == port
            else { return }
            if !included.contains(inner) { found.append(inner) }
        }
        func addRanges(from address: IPAddress, prefix: Int) {
            for (first, inner) in ranges[firstRange(notBefore: address)...] {
                guard address.contains(first, prefix: prefix) else { return }
                if HostNesting.contains(pattern, inner) { look(inner) }
            }
        }
        switch pattern.host {
        case .name(let name):
            for inner in patterns(of: name) where inner.host == pattern.host { look(inner) }
        case .oneLabel(let base):
            for inner in patterns(of: base) where inner.host == pattern.host { look(inner) }
            guard let node = indices[base] else { return [] }
            var child = node + 1
            while child < nodes[node].end {
                if nodes[child].labels == nodes[node].labels + 1 {
                    for inner in names[nodes[child].patterns] {
                        if case .name = inner.host { look(inner) }
                    }
                }
                child = nodes[child].end
            }
        case .anyLabels(let base):
            for inner in patterns(of: base) {
                if case .name = inner.host { continue }
                look(inner)
            }
            guard let node = indices[base] else { return [] }
            var child = node + 1
            while child < nodes[node].end {
                names[nodes[child].patterns].forEach(look)
                // A wildcard over all names below says all that stands below it.
                let whole = names[nodes[child].patterns].contains {
                    if case .anyLabels = $0.host {
                        return $0.port == nil && !included.contains($0)
                    }
                    return false
                }
                child = whole ? nodes[child].end : child + 1
            }
        case .address(let address):
            addRanges(from: address, prefix: address.bitCount)
        case .network(let address, let prefix): addRanges(from: address, prefix: prefix)
        }
        return found
    }

    private func patterns(of name: String) -> ArraySlice<HostPattern> {
        indices[name].map { names[nodes[$0].patterns] } ?? []
    }

    private static func contains(_ outer: HostPattern, _ inner: HostPattern) -> Bool {
        switch (outer.host, inner.host) {
        case (.network(let network, let prefix), .network(let other, let longer)):
            return prefix <= longer && network.contains(other, prefix: prefix)
        case (.network(let network, let prefix), .address(let other)):
            return network.contains(other, prefix: prefix)
        default: return outer.host == inner.host
        }
    }
}
