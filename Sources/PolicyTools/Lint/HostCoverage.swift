import PolicyCompiler
import TrustEngine

// Computes exactly which pattern decides which hosts, for a whole policy.
//
// Consider the patterns with one name `x`: `x`, `*.x` and `**.x`. They divide the hosts at and
// below `x` into three classes, and every pattern treats all hosts of a class alike: the name `x`
// itself; the names with one label more that are no names of the policy; the names with two or more
// labels more whose label directly before `x` leads to no name of the policy. So each pattern is
// judged by one host of its class that no pattern names. This host has a label that no policy can
// write. Ports are treated in the same way: each port that a pattern names is judged by itself, and
// one port that no pattern names stands for all others.

/// The patterns of a policy, found by the hosts that they cover.
final class HostCoverage {
    /// The thing that decides a host.
    enum Decider: Hashable {
        /// A rule by its index.
        case rule(Int)
        /// `default`.
        case fallback
    }

    /// A pattern with its rule. A class, because every answer names some.
    final class Entry {
        /// The index of the rule among the policy's rules.
        let rule: Int
        let host: BoundHost

        init(rule: Int, host: BoundHost) {
            self.rule = rule
            self.host = host
        }
    }

    /// What would decide a host if the pattern that decides it were missing.
    struct Next {
        /// The pattern that would decide; nil for `default`.
        let entry: Entry?
        var decider: Decider { entry.map { .rule($0.rule) } ?? .fallback }
    }

    /// What would decide the hosts of a pattern if the pattern were missing. Each answer stands
    /// once.
    struct Answers {
        /// The answers if only this pattern were missing. Empty where the pattern decides no host.
        fileprivate(set) var withoutPattern: [Next] = []
        /// The answers if all patterns of its rule were missing.
        fileprivate(set) var withoutRule: [Next] = []
    }

    /// Every pattern, once.
    private let entries: [Entry]
    /// The index among `entries` of the pattern at a place in the file.
    private let indices: [SourceSpan: Int]
    /// The names of the patterns, and the patterns at each of its nodes.
    private let names: NameTree
    private let bases: [Base]
    /// The node of the name of a pattern, by index among `entries`; -1 for addresses.
    private let nodes: [Int]
    /// Patterns on addresses, as indices among `entries`. A range stands before the ranges inside
    /// it.
    private let addresses: [Int]
    /// For each of `addresses`, the place in `addresses` of the narrowest other range around it; -1
    /// for none. Two ranges lie one in the other or apart, so these links form a forest.
    private let around: [Int]
    /// The place in `addresses`, by index among `entries`.
    private let places: [Int: Int]
    private var answered: [Answers?] = []
    private var budget = HostCoverage.baseWork

    /// Patterns that are written twice, so that neither decides. They have findings of their own.
    let tied: Set<HostPattern>

    /// Whether comparing the patterns took more work than the budget allows. The answers are then
    /// incomplete.
    var isExhausted: Bool { budget <= 0 }

    /// Steps of comparing that all patterns of a policy may take together; each pattern adds more.
    /// A usual pattern takes a dozen steps. But where patterns name one host with thousands of
    /// ports, and thousands of names lie below that host, each of these names takes thousands of
    /// steps.
    private static let baseWork = 5_000_000
    private static let workPerPattern = 60

    /// The patterns with one name behind their wildcard, for any port and for single ports, in the
    /// order `x`, `*.x`, `**.x`; -1 for none.
    private struct Base {
        var any = SIMD4<Int32>(repeating: -1)
        var ports: [UInt16: SIMD4<Int32>] = [:]

        /// Adds a pattern on this name. Returns false if it is there already.
        mutating func add(_ pattern: HostPattern, _ index: Int) -> Bool {
            let kind: Int
            switch pattern.host {
            case .name: kind = 0
            case .oneLabel: kind = 1
            case .anyLabels: kind = 2
            case .address, .network: return false
            }
            let none = SIMD4<Int32>(repeating: -1)
            guard let port = pattern.port else {
                guard any[kind] < 0 else { return false }
                any[kind] = Int32(truncatingIfNeeded: index)
                return true
            }
            guard ports[port, default: none][kind] < 0 else { return false }
            ports[port, default: none][kind] = Int32(truncatingIfNeeded: index)
            return true
        }
    }

    /// Cost: O(n log n) in the number of patterns.
    init(_ rules: [BoundRule], _ names: NameTree) {
        var bases = [Base](repeating: Base(), count: names.nodes.count)
        var entries: [Entry] = []
        var nodes: [Int] = []
        var indices = [SourceSpan: Int](minimumCapacity: names.places.count)
        var tied: Set<HostPattern> = []
        var seen: Set<HostPattern> = []
        var places = names.places.makeIterator()
        for (index, rule) in rules.enumerated() {
            for host in rule.hosts {
                let node = places.next() ?? -1
                let isFirst =
                    node >= 0
                    ? bases[node].add(host.pattern, entries.count)
                    : seen.insert(host.pattern).inserted
                guard isFirst else {
                    tied.insert(host.pattern)
                    continue
                }
                indices[host.span] = entries.count
                entries.append(Entry(rule: index, host: host))
                nodes.append(node)
            }
        }
        self.names = names
        self.bases = bases
        self.entries = entries
        self.nodes = nodes
        self.indices = indices
        self.tied = tied
        answered = [Answers?](repeating: nil, count: entries.count)
        budget += HostCoverage.workPerPattern * entries.count
        addresses = HostCoverage.sortedAddresses(entries)
        (around, self.places) = HostCoverage.nesting(addresses, entries)
    }

    /// The indices of the patterns on addresses, each range before the ranges inside it.
    private static func sortedAddresses(_ entries: [Entry]) -> [Int] {
        let ranges = entries.map(\.host.pattern.addresses)
        return entries.indices.filter { !ranges[$0].first.isEmpty }.sorted { left, right in
            let (a, b) = (ranges[left], ranges[right])
            if a.isIPv4 != b.isIPv4 { return a.isIPv4 }
            if a.first != b.first { return a.first.lexicographicallyPrecedes(b.first) }
            if a.prefix != b.prefix { return a.prefix < b.prefix }
            return (entries[left].host.pattern.port ?? 0) < (entries[right].host.pattern.port ?? 0)
        }
    }

    /// `around` and `places`.
    private static func nesting(
        _ addresses: [Int], _ entries: [Entry]
    ) -> (around: [Int], places: [Int: Int]) {
        let ranges = addresses.map { entries[$0].host.pattern.addresses }
        var around: [Int] = []
        var places: [Int: Int] = [:]
        var open: [Int] = []
        for place in ranges.indices {
            while let last = open.last, !ranges[last].contains(ranges[place]) { open.removeLast() }
            around.append(open.last ?? -1)
            open.append(place)
            places[addresses[place]] = place
        }
        return (around, places)
    }

    private func port(_ index: Int) -> UInt16? { entries[index].host.pattern.port }

    private func range(_ place: Int) -> AddressRange {
        entries[addresses[place]].host.pattern.addresses
    }

    // MARK: What decides

    /// What would decide the hosts of a pattern if the pattern were missing. Nil for a pattern that
    /// is written twice, and where comparing takes too much work.
    func answers(to host: BoundHost) -> Answers? {
        guard !tied.contains(host.pattern), let index = indices[host.span] else { return nil }
        if let answers = answered[index] { return answers }
        var answers = Answers()
        for port in ports(beside: index) {
            let candidates = candidates(around: index, port: port)
            // A more specific pattern for the same hosts and this port decides this port.
            guard candidates.first == index, !isFilled(index, port: port) else { continue }
            let own = entries[index].rule
            let others = candidates.dropFirst()
            HostCoverage.add(others.first.map { entries[$0] }, to: &answers.withoutPattern)
            HostCoverage.add(
                others.first { entries[$0].rule != own }.map { entries[$0] },
                to: &answers.withoutRule)
        }
        guard !isExhausted else { return nil }
        answered[index] = answers
        return answers
    }

    private static func add(_ entry: Entry?, to list: inout [Next]) {
        let next = Next(entry: entry)
        if !list.contains(where: { $0.decider == next.decider }) { list.append(next) }
    }

    /// The pattern that decides a name; nil for `default`.
    func decider(ofName name: String, port: UInt16) -> Entry? {
        let (node, labelsBefore) = names.deepest(name)
        return matches(node, labelsBefore: labelsBefore, port: port).first.map { entries[$0] }
    }

    /// The patterns that match a name, most specific first: the name of a node, with labels before
    /// it that the tree does not have there.
    private func matches(_ node: Int, labelsBefore: Int, port: UInt16) -> [Int] {
        var found: [Int] = []
        budget -= labelsBefore
        var (node, labelsBefore) = (node, labelsBefore)
        while node >= 0 {
            budget -= 1
            let any = bases[node].any
            let single = bases[node].ports.isEmpty ? nil : bases[node].ports[port]
            // `*` comes before `**`; a pattern with a port comes before one without.
            for kind in HostCoverage.kinds(labelsBefore) {
                if let single, single[kind] >= 0 { found.append(Int(single[kind])) }
                if any[kind] >= 0 { found.append(Int(any[kind])) }
            }
            node = names.nodes[node].parent
            labelsBefore += 1
        }
        return found
    }

    /// Which of `x`, `*.x` and `**.x` match a name with this number of labels before `x`.
    private static func kinds(_ labelsBefore: Int) -> ClosedRange<Int> {
        switch labelsBefore {
        case 0: return 0...0
        case 1: return 1...2
        default: return 2...2
        }
    }

    /// The patterns that match the host which stands for a pattern's class, most specific first.
    private func candidates(around index: Int, port: UInt16) -> [Int] {
        let node = nodes[index]
        switch entries[index].host.pattern.host {
        case .name: return matches(node, labelsBefore: 0, port: port)
        case .oneLabel: return matches(node, labelsBefore: 1, port: port)
        case .anyLabels(let base):
            // The host has two labels more, because hosts with one label more are another class,
            // which a `*.` pattern with the same name would decide.
            let fitsTwo = base.utf8.count + 2 * 2 <= HostCoverage.longestName
            return matches(node, labelsBefore: fitsTwo ? 2 : 1, port: port)
        case .address, .network:
            return chain(of: index).map { addresses[$0] }
                .filter { self.port($0) ?? port == port }
                .sorted {
                    entries[$0].host.pattern.isMoreSpecific(than: entries[$1].host.pattern)
                }
        }
    }

    /// A label that no pattern can contain, because patterns do not allow this character. It stands
    /// for every label that the policy does not name.
    static let unwritten = "?"
    /// Octets of the longest name.
    private static let longestName = 253

    /// The ports that must be judged: each port that a pattern at or around the same hosts names,
    /// and one port that stands for all others.
    private func ports(beside index: Int) -> [UInt16] {
        if let port = port(index) { return [port] }
        var named: Set<UInt16> = []
        switch entries[index].host.pattern.host {
        case .name, .oneLabel, .anyLabels:
            var node = nodes[index]
            while node >= 0, budget > 0 {
                if !bases[node].ports.isEmpty {
                    budget -= bases[node].ports.count
                    named.formUnion(bases[node].ports.keys)
                }
                node = names.nodes[node].parent
            }
        case .address, .network:
            // Ports of narrower ranges count too, because these ranges may fill this range on some
            // ports.
            for place in inner(of: index) {
                if let port = port(addresses[place]) { named.insert(port) }
            }
            for place in chain(of: index) {
                if let port = port(addresses[place]) { named.insert(port) }
            }
        }
        guard let other = HostCoverage.other(than: named) else { return named.sorted() }
        guard !named.isEmpty else { return [other] }
        return named.sorted() + [other]
    }

    /// A port that stands for all ports that no pattern names; nil where the patterns name every
    /// port.
    private static func other(than named: Set<UInt16>) -> UInt16? {
        named.contains(443) ? (1...UInt16.max).first { !named.contains($0) } : 443
    }

    // MARK: Addresses

    /// The places of a range and of all ranges inside it.
    private func inner(of index: Int) -> Range<Int> {
        guard let start = places[index] else { return 0..<0 }
        let own = range(start)
        var end = start
        while end < addresses.count, budget > 0, own.contains(range(end)) {
            end += 1
            budget -= 1
        }
        return start..<end
    }

    /// The places of the ranges that contain all addresses of a pattern, its own range and equal
    /// ranges included.
    private func chain(of index: Int) -> [Int] {
        guard var place = places[index] else { return [] }
        let own = range(place)
        // Equal ranges with other ports stand side by side, each around the next.
        while place + 1 < addresses.count, range(place + 1) == own { place += 1 }
        var chain: [Int] = []
        while place >= 0 {
            chain.append(place)
            place = around[place]
        }
        budget -= chain.count
        return chain
    }

    /// Whether other patterns decide every address of a range on a port. This is so where the
    /// outermost of the narrower ranges inside it, among those that hold for the port, together
    /// cover the range. False for names.
    private func isFilled(_ index: Int, port: UInt16) -> Bool {
        guard let start = places[index] else { return false }
        let own = range(start)
        // `next` is the first address that is not covered so far. A range that begins there covers
        // the addresses up to its own end.
        var next = own.first
        for place in inner(of: index).dropFirst() {
            let inner = range(place)
            guard self.port(addresses[place]) ?? port == port, inner.prefix > own.prefix,
                inner.first == next
            else { continue }
            guard let after = inner.after else { return true }
            next = after
        }
        return own.after.map { next == $0 } ?? false
    }
}

/// A range of addresses: the octets of its first address, and the length of its prefix.
struct AddressRange: Equatable {
    let first: [UInt8]
    let prefix: Int

    var isIPv4: Bool { first.count == 4 }

    func contains(_ other: AddressRange) -> Bool {
        guard let own = IPAddress(bytes: first.span), let inner = IPAddress(bytes: other.first.span)
        else { return false }
        return prefix <= other.prefix && own.contains(inner, prefix: prefix)
    }

    /// The first address after the range; nil where the range ends with the last address.
    var after: [UInt8]? {
        var address = first
        var bit = prefix - 1
        while bit >= 0 {
            let mask = UInt8(0x80) >> UInt8(bit % 8)
            if address[bit / 8] & mask == 0 {
                address[bit / 8] |= mask
                return address
            }
            address[bit / 8] &= ~mask
            bit -= 1
        }
        return nil
    }
}

extension HostPattern {
    /// The addresses of a pattern on addresses; an empty range for a pattern on names.
    var addresses: AddressRange {
        switch host {
        case .address(let address):
            return AddressRange(first: address.bytes, prefix: address.bitCount)
        case .network(let address, let prefix):
            return AddressRange(first: address.bytes, prefix: prefix)
        case .name, .oneLabel, .anyLabels: return AddressRange(first: [], prefix: 0)
        }
    }
}
