// Parts all hosts into classes, on which every pattern of several tables agrees.
//
// Take the patterns of all tables together. Each host belongs to the most specific pattern that
// matches it, or to none. For the hosts of one pattern on one port, the same rule decides in each
// table. The reason: the other patterns that match the host are less specific, and a less specific
// name or network that covers one host of a pattern covers all of them (LANGUAGE section 11.4). So
// one pattern is one class. A pattern without a port is one class more for each port that a less
// specific pattern names.
//
// A class that no host can fill is left out: a network that narrower networks fill, a wildcard
// whose names would be too long, a host of which every port is named.

/// The hosts and ports that one pattern decides, and what decides them in each table.
package struct HostClass: Hashable, Sendable {
    /// The pattern; nil for the hosts that no pattern of any table matches.
    package let pattern: HostPattern?
    /// The port. Nil stands for every port that is not the port of another class with the same
    /// host part.
    package let port: UInt16?
    /// For each table, the index of the rule that decides; `byDefault` for `default`.
    package let deciders: [Int]

    /// The index that stands for `default` in place of a rule's index.
    package static let byDefault = -1

    package init(pattern: HostPattern?, port: UInt16?, deciders: [Int]) {
        self.pattern = pattern
        self.port = port
        self.deciders = deciders
    }
}

/// The classes of the hosts of one or more tables.
package struct HostClasses: Sendable {
    /// Why the classes cannot be made.
    package struct TooMany: Error, Hashable, Sendable {
        /// The number of classes at which the work was given up.
        package let classes: Int
    }

    /// The tables, in the order of `HostClass.deciders`.
    package let tables: [PolicyTable]
    /// Every address and network of the tables.
    let addresses: AddressRanges
    /// The ports that at least one pattern names.
    let namedPorts: Set<UInt16>
    /// The patterns of each table with their rules.
    private let patterns: [[(pattern: HostPattern, rule: UInt32)]]
    /// The number of patterns. A pattern of several tables counts once for each table.
    let patternCount: Int

    /// Every pattern of every table; a pattern of several tables comes several times.
    package var allPatterns: some Sequence<HostPattern> { patterns.joined().lazy.map(\.pattern) }

    /// Prepares the classes of tables. Cost: linear in the patterns, but O(n log n) in the
    /// addresses.
    package init(_ tables: [PolicyTable]) {
        self.tables = tables
        var ranges: [HostPattern] = []
        var ports: Set<UInt16> = []
        var patterns: [[(pattern: HostPattern, rule: UInt32)]] = []
        for table in tables {
            patterns.append([])
            table.forEachPattern { pattern, rule in
                patterns[patterns.count - 1].append((pattern, rule))
                if let port = pattern.port { ports.insert(port) }
                switch pattern.host {
                case .address, .network: ranges.append(pattern)
                case .name, .oneLabel, .anyLabels: break
                }
            }
        }
        addresses = AddressRanges(ranges)
        namedPorts = ports
        self.patterns = patterns
        patternCount = patterns.reduce(0) { $0 + $1.count }
    }

    /// The classes that each pattern may have on the average before the work is given up. A usual
    /// pattern has one or two. But where patterns name one host with thousands of ports, each name
    /// below it has a class for each of these ports.
    private static let mostPerPattern = 64
    private static let mostAtLeast = 1_000_000

    /// Every class; the class of `default` is the last.
    ///
    /// Cost: linear in the classes.
    package func all() throws(TooMany) -> [HostClass] {
        let most = max(HostClasses.mostAtLeast, HostClasses.mostPerPattern * patternCount)
        var found: [HostClass] = []
        found.reserveCapacity(patternCount)
        for (index, own) in patterns.enumerated() {
            for (pattern, rule) in own where found.count < most {
                if tables[..<index].contains(where: { $0.rule(of: pattern) != nil }) { continue }
                add(pattern, firstIn: index, Int(rule), most, &found)
            }
        }
        guard found.count < most else { throw TooMany(classes: most) }
        found.append(
            HostClass(
                pattern: nil, port: nil,
                deciders: tables.map { _ in HostClass.byDefault }))
        return found
    }

    /// Adds the classes of a pattern.
    ///
    /// - Parameters:
    ///   - first: the first table that has the pattern.
    ///   - rule: the pattern's rule in that table.
    private func add(
        _ pattern: HostPattern, firstIn first: Int, _ rule: Int, _ most: Int,
        _ found: inout [HostClass]
    ) {
        func add(_ port: UInt16?) {
            guard !isEmpty(pattern, port: port) else { return }
            var deciders = [Int](repeating: rule, count: tables.count)
            for index in tables.indices where index != first {
                deciders[index] = decider(of: pattern, port: port, in: tables[index])
            }
            found.append(HostClass(pattern: pattern, port: port, deciders: deciders))
        }
        if let port = pattern.port { return add(port) }
        let ports = portsOfOthers(pattern)
        guard !ports.named.isEmpty else { return add(nil) }
        // A pattern with the same host and a port decides that port; it is a class of its own.
        for port in ports.named.subtracting(ports.taken).sorted() where found.count < most {
            add(port)
        }
        if ports.named.count < Int(UInt16.max) { add(nil) }
    }

    /// The ports on which a pattern without a port must be judged separately. `named`: ports in
    /// patterns that match the same hosts and are more specific only by their port. `taken`: the
    /// `named` ports that stand in a pattern with the same host.
    func portsOfOthers(_ pattern: HostPattern) -> (named: Set<UInt16>, taken: Set<UInt16>) {
        guard !namedPorts.isEmpty else { return ([], []) }
        let named = tables.reduce(into: Set<UInt16>()) {
            $0.formUnion($1.ports(covering: pattern, most: Int(UInt16.max)) ?? [])
        }
        guard !named.isEmpty else { return ([], []) }
        let taken = named.filter { port in
            let own = HostPattern(host: pattern.host, port: port)
            return tables.contains { $0.rule(of: own) != nil }
        }
        return (named, taken)
    }

    /// The rule that decides the hosts of a pattern that no more specific pattern decides.
    private func decider(of pattern: HostPattern, port: UInt16?, in table: PolicyTable) -> Int {
        if port == pattern.port, let own = table.rule(of: pattern) { return Int(own) }
        return table.covering(pattern, port: port).first.map { Int($0.rule) }
            ?? HostClass.byDefault
    }

    /// Whether no host belongs to the class of a pattern on a port.
    private func isEmpty(_ pattern: HostPattern, port: UInt16?) -> Bool {
        switch pattern.host {
        case .name: return false
        case .address, .network: return addresses.isFilled(pattern, port: port)
        case .oneLabel(let base), .anyLabels(let base):
            // Names that are much shorter than the longest name have more labels before them than
            // any policy has patterns.
            guard base.utf8.count > HostClasses.longestName - 16 else { return false }
            return witness(
                HostClass(
                    pattern: pattern, port: port,
                    deciders: tables.map { decider(of: pattern, port: port, in: $0) })) == nil
        }
    }

    /// Octets of the longest name.
    static let longestName = 253
}
