import TrustEngine

/// Which patterns lie inside which, to write a set of classes as patterns with exceptions.
struct HostNesting {
    /// Patterns on names by the name behind their wildcard; on each level the labels below it.
    private final class Node {
        var children: [Substring: Node] = [:]
        var patterns: [HostPattern] = []
    }

    private let root = Node()
    /// Addresses and networks, those of IPv4 first, by their first address: what lies in a network
    /// stands together.
    private var ranges: [(first: IPAddress, pattern: HostPattern)] = []

    /// Takes the patterns of tables. Cost: linear in their octets.
    init(_ tables: [PolicyTable]) {
        var seen: Set<HostPattern> = []
        for table in tables {
            table.forEachPattern { pattern, _ in
                guard seen.insert(pattern).inserted else { return }
                switch pattern.host {
                case .name(let name), .oneLabel(let name), .anyLabels(let name):
                    node(of: name).patterns.append(pattern)
                case .address(let first), .network(let first, _): ranges.append((first, pattern))
                }
            }
        }
        ranges.sort { HostNesting.precedes($0.first, $1.first) }
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

    private func node(of name: String) -> Node {
        var node = root
        for label in name.split(separator: ".").reversed() {
            let next = node.children[label] ?? Node()
            node.children[label] = next
            node = next
        }
        return node
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
            for inner in node(of: name).patterns where inner.host == pattern.host { look(inner) }
        case .oneLabel(let base):
            let node = node(of: base)
            for inner in node.patterns where inner.host == pattern.host { look(inner) }
            for child in node.children.values {
                for inner in child.patterns {
                    if case .name = inner.host { look(inner) }
                }
            }
        case .anyLabels(let base):
            let node = node(of: base)
            for inner in node.patterns {
                if case .name = inner.host { continue }
                look(inner)
            }
            var open = Array(node.children.values)
            while let child = open.popLast() {
                // A wildcard over all names below says all that stands below it.
                let whole = child.patterns.contains {
                    if case .anyLabels = $0.host {
                        return $0.port == nil && !included.contains($0)
                    }
                    return false
                }
                child.patterns.forEach(look)
                if !whole { open += child.children.values }
            }
        case .address(let address):
            addRanges(from: address, prefix: address.bitCount)
        case .network(let address, let prefix): addRanges(from: address, prefix: prefix)
        }
        return found
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
