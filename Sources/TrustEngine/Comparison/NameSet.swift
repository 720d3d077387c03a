/// The DNS names and addresses that host patterns without ports stand for.
///
/// Two patterns lie one inside the other, or have no host in common. A wildcard stands for more
/// names than patterns can list, so a pattern on names lies in a set only if it lies in one member.
/// Networks differ: the two halves of a network fill it. So a network whose halves are members is
/// made a member too.
struct NameSet {
    private struct Network: Hashable {
        let address: IPAddress
        let prefix: Int

        /// The network with a prefix that is one bit shorter; nil where there is none.
        var parent: Network? {
            prefix > 0
                ? Network(address: address.masked(prefix: prefix - 1), prefix: prefix - 1) : nil
        }

        /// The network of IPv4-mapped IPv6 addresses with the same IPv4 addresses.
        var mapped: Network {
            Network(
                address: IPAddress(
                    high: 0, low: 0xFFFF_0000_0000 | address.low, isIPv4: false),
                prefix: prefix + 96)
        }

        var host: HostPattern.Host {
            prefix == address.bitCount
                ? .address(address) : .network(address, prefix: prefix)
        }
    }

    private var names: Set<String> = []
    private var oneLabel: Set<String> = []
    private var anyLabels: Set<String> = []
    private var networks: Set<Network> = []

    /// Takes the hosts of patterns. Cost: linear in the patterns.
    init(_ patterns: some Sequence<HostPattern.Host>) {
        for pattern in patterns {
            switch pattern {
            case .name(let name): names.insert(name)
            case .oneLabel(let base): oneLabel.insert(base)
            case .anyLabels(let base): anyLabels.insert(base)
            case .address(let address):
                networks.insert(Network(address: address, prefix: address.bitCount))
            case .network(let address, let prefix):
                networks.insert(Network(address: address, prefix: prefix))
            }
        }
        join()
    }

    /// Adds every network whose two halves are members.
    private mutating func join() {
        var byPrefix = Dictionary(grouping: networks, by: \.prefix)
        for prefix in stride(from: byPrefix.keys.max() ?? 0, to: 0, by: -1) {
            var halves: [Network: Int] = [:]
            for network in byPrefix[prefix] ?? [] {
                if let parent = network.parent { halves[parent, default: 0] += 1 }
            }
            for (parent, count) in halves where count == 2 && networks.insert(parent).inserted {
                byPrefix[prefix - 1, default: []].append(parent)
            }
        }
    }

    /// The patterns of the set; a pattern may lie inside another.
    var patterns: [HostPattern.Host] {
        names.map { .name($0) } + oneLabel.map { .oneLabel(base: $0) }
            + anyLabels.map { .anyLabels(base: $0) } + networks.map(\.host)
    }

    /// Whether every host of a pattern is in the set. Cost: linear in the labels of a name, or in
    /// the bits of an address.
    func covers(_ pattern: HostPattern.Host) -> Bool {
        switch pattern {
        case .name(let name):
            let above = NameSet.suffixes(of: name)
            return names.contains(name)
                || (above.first.map { oneLabel.contains(String($0)) } ?? false)
                || above.contains { anyLabels.contains(String($0)) }
        case .oneLabel(let base): return oneLabel.contains(base) || coversAll(below: base)
        case .anyLabels(let base): return coversAll(below: base)
        case .address(let address):
            return covers(Network(address: address, prefix: address.bitCount))
        case .network(let address, let prefix):
            return covers(Network(address: address, prefix: prefix))
        }
    }

    private func coversAll(below base: String) -> Bool {
        anyLabels.contains(base)
            || NameSet.suffixes(of: base).contains { anyLabels.contains(String($0)) }
    }

    private func covers(_ network: Network) -> Bool {
        guard !networks.isEmpty else { return false }
        return (0...network.prefix).contains {
            networks.contains(Network(address: network.address.masked(prefix: $0), prefix: $0))
        }
    }

    /// The names above a name, from the nearest on: `a.b.c` has `b.c` and `c`.
    private static func suffixes(of name: String) -> [Substring] {
        var found: [Substring] = []
        var rest = name[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            found.append(rest)
        }
        return found
    }

    /// The hosts that are in both sets.
    func intersection(_ other: NameSet) -> NameSet {
        NameSet(patterns.filter { other.covers($0) } + other.patterns.filter { covers($0) })
    }

    /// The hosts that are in at least one of the two sets.
    func union(_ other: NameSet) -> NameSet { NameSet(patterns + other.patterns) }

    /// The set, and for its IPv4 addresses also the IPv6 addresses that they are mapped to.
    var withMappedAddresses: NameSet {
        NameSet(patterns + networks.filter(\.address.isIPv4).map(\.mapped.host))
    }
}
