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
    /// Addresses and networks, IPv4 first, by their first address: the parts of a network stand
    /// together.
    private let ranges: [(first: IPAddress, pattern: HostPattern)]
    /// For patterns without a port, the ports on which their hosts are classes of their own.
    private let split: [HostPattern: Set<UInt16>]

    /// Takes the patterns of tables and the classes that they make. Cost: O(n log n) in the
    /// patterns.
    init(_ hosts: HostClasses, _ classes: [HostClass]) {
        var split: [HostPattern: Set<UInt16>] = [:]
        for case let (pattern?, port?) in classes.lazy.map({ ($0.pattern, $0.port) })
        where pattern.port == nil {
            split[pattern, default: []].insert(port)
        }
        self.split = split
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

    /// Classes that are shown together.
    private struct Shown {
        /// The patterns of classes: for their own port, or for every port that is not a class by
        /// itself.
        var patterns: Set<HostPattern> = []
        /// The ports that are classes by themselves, of patterns without a port.
        var ports: [HostPattern: Set<UInt16>] = [:]

        init(_ classes: [HostClass]) {
            for hosts in classes {
                guard let pattern = hosts.pattern else { continue }
                if let port = hosts.port, pattern.port == nil {
                    ports[pattern, default: []].insert(port)
                } else {
                    patterns.insert(pattern)
                }
            }
        }

        func contains(_ pattern: HostPattern, on port: UInt16) -> Bool {
            ports[pattern]?.contains(port) ?? false
        }
    }

    /// Classes as patterns: together they say exactly the hosts and ports of the list. A pattern
    /// inside a shown pattern that is not a class of the list is one of its exceptions; a pattern
    /// of the list is left out where the pattern around it covers it.
    func texts(of classes: [HostClass]) -> [PolicyDiff.HostText] {
        let shown = Shown(classes)
        return classes.map { hosts in
            guard let pattern = hosts.pattern else { return PolicyDiff.HostText(hosts) }
            let inside = exceptions(of: pattern, port: hosts.port, shown).map(\.canonicalText)
                .sorted()
            let most = PolicyDiff.HostText.mostExceptions
            return PolicyDiff.HostText(
                hosts, exceptions: Array(inside.prefix(most)), omitted: max(0, inside.count - most))
        }
    }

    /// The widest patterns inside a pattern that are not shown with it.
    ///
    /// - Parameter port: the only port that is meant, where the pattern names none.
    private func exceptions(
        of pattern: HostPattern, port: UInt16?, _ shown: Shown
    ) -> [HostPattern] {
        let port = pattern.port ?? port
        let own = split[pattern] ?? []
        func on(_ port: UInt16, _ inner: HostPattern) -> HostPattern {
            HostPattern(host: inner.host, port: port)
        }
        // The ports that are classes by themselves.
        var found =
            port == nil
            ? own.filter { !shown.contains(pattern, on: $0) }.map { on($0, pattern) } : []
        /// Whether the hosts of a pattern inside are not shown, on the ports that are meant.
        func isAbsent(_ inner: HostPattern) -> Bool {
            if let port, inner.port == nil, split[inner]?.contains(port) ?? false {
                return !shown.contains(inner, on: port)
            }
            return !shown.patterns.contains(inner)
        }
        /// Whether the pattern itself is not shown on a port.
        func isException(_ port: UInt16) -> Bool {
            let whole = on(port, pattern)
            return has(whole)
                ? !shown.patterns.contains(whole)
                : own.contains(port) && !shown.contains(pattern, on: port)
        }
        func look(_ inner: HostPattern) {
            // Of two patterns for the same hosts the one with a port decides.
            guard inner != pattern, inner.host != pattern.host || inner.port != nil,
                inner.port == nil || port == nil || inner.port == port
            else { return }
            if isAbsent(inner) {
                found.append(inner)
            } else if port == nil, inner.port == nil, let parts = split[inner] {
                // Its other ports are shown. A port that is an exception of the whole says it all.
                found += parts.filter {
                    !shown.contains(inner, on: $0) && !isException($0)
                }.map { on($0, inner) }
            }
        }
        func addRanges(from address: IPAddress, prefix: Int) {
            let outer = HostPattern(host: pattern.host, port: nil)
            for (first, inner) in ranges[firstRange(notBefore: address)...] {
                guard address.contains(first, prefix: prefix) else { return }
                if outer.covers(inner) { look(inner) }
            }
        }
        switch pattern.host {
        case .name(let name):
            for inner in patterns(of: name) where inner.host == pattern.host { look(inner) }
        case .oneLabel(let base):
            for inner in patterns(of: base) where inner.host == pattern.host { look(inner) }
            guard let node = indices[base] else { return found }
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
            guard let node = indices[base] else { return found }
            var child = node + 1
            while child < nodes[node].end {
                names[nodes[child].patterns].forEach(look)
                // A wildcard over all names below says all that stands below it.
                let whole = names[nodes[child].patterns].contains {
                    if case .anyLabels = $0.host {
                        return $0.port == nil && isAbsent($0)
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

    /// Whether a table has a pattern.
    private func has(_ pattern: HostPattern) -> Bool {
        switch pattern.host {
        case .name(let name), .oneLabel(let name), .anyLabels(let name):
            return patterns(of: name).contains(pattern)
        case .address(let first), .network(let first, _):
            return ranges[firstRange(notBefore: first)...].prefix { $0.first == first }
                .contains { $0.pattern == pattern }
        }
    }
}
