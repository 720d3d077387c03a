import PolicyCompiler
import TrustEngine

// Computes exactly which pattern decides which hosts, for a whole policy.
//
// Consider the patterns with one name `x`: `x`, `*.x` and `**.x`. They divide the hosts at and
// below `x` into three classes, and every pattern treats all hosts of a class alike: the name `x`
// itself; the names with one label more that the policy does not name; the names with two or more
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

    /// A pattern with its rule.
    struct Entry {
        /// The index of the rule among the policy's rules.
        let rule: Int
        let host: BoundHost
    }

    /// What would decide a host if the pattern that decides it were missing.
    struct Next: BitwiseCopyable {
        /// The index of the pattern that would decide; -1 for `default`.
        fileprivate let index: Int32
        private let ruleIndex: Int32

        fileprivate init(_ index: Int, of rule: Int) {
            self.index = Int32(index)
            ruleIndex = Int32(rule)
        }

        /// Stands for `default`.
        fileprivate static let fallback = Next(-1, of: -1)

        var decider: Decider { ruleIndex < 0 ? .fallback : .rule(Int(ruleIndex)) }
    }

    /// What would decide the hosts of a pattern if the pattern were missing. Each answer stands
    /// once.
    struct Answers {
        /// The answers if only this pattern were missing. Empty where the pattern decides no host.
        fileprivate(set) var withoutPattern: [Next] = []
        /// The answers if all patterns of its rule were missing.
        fileprivate(set) var withoutRule: [Next] = []
    }

    /// The facts that are most often asked of a pattern, beside each other for all patterns.
    private struct Place: BitwiseCopyable {
        /// The index of the rule, and of the pattern among the rule's.
        var rule: Int32
        var host: Int32
        /// The node of the pattern's name; -1 for addresses.
        var node: Int32
        /// The labels before the name that stand for the pattern's class; -1 for addresses.
        var labelsBefore: Int8
        /// Whether the pattern is written twice, so that neither decides. These have findings of
        /// their own.
        var isTied = false
        /// Nil for every port.
        var port: UInt16?
    }

    private let rules: [BoundRule]
    /// Every pattern, once.
    private let entries: [Place]
    /// For each pattern, in the order of the rules, its index among `entries`; -1 for the second of
    /// two equal patterns.
    private let indices: [Int32]
    /// For each rule, the number of patterns before its first.
    private let starts: [Int32]
    /// The names of the patterns, and the patterns at each of its nodes.
    private let names: NameTree
    private let bases: [Base]
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

        /// Adds a pattern on this name. Returns the equal pattern that is there already; -1 for
        /// none.
        mutating func add(_ kind: Int, _ port: UInt16?, _ index: Int) -> Int {
            let none = SIMD4<Int32>(repeating: -1)
            guard let port else {
                guard any[kind] < 0 else { return Int(any[kind]) }
                any[kind] = Int32(truncatingIfNeeded: index)
                return -1
            }
            let first = ports[port, default: none][kind]
            guard first < 0 else { return Int(first) }
            ports[port, default: none][kind] = Int32(truncatingIfNeeded: index)
            return -1
        }
    }

    /// Cost: O(n log n) in the number of patterns.
    init(_ rules: [BoundRule], _ names: NameTree) {
        self.rules = rules
        self.names = names
        var bases = [Base](repeating: Base(), count: names.nodes.count)
        var seen: [HostPattern: Int] = [:]
        var entries: [Place] = []
        var indices: [Int32] = []
        var starts: [Int32] = []
        entries.reserveCapacity(names.places.count)
        indices.reserveCapacity(names.places.count)
        starts.reserveCapacity(rules.count + 1)
        for rule in rules.indices {
            starts.append(Int32(indices.count))
            for number in rules[rule].hosts.indices {
                let place = names.places[indices.count]
                let first: Int
                if place.node >= 0 {
                    first = bases[Int(place.node)].add(
                        Int(place.kind), place.port, entries.count)
                } else {
                    let pattern = rules[rule].hosts[number].pattern
                    first = seen[pattern] ?? -1
                    if first < 0 { seen[pattern] = entries.count }
                }
                guard first < 0 else {
                    entries[first].isTied = true
                    indices.append(-1)
                    continue
                }
                indices.append(Int32(entries.count))
                entries.append(
                    Place(
                        rule: Int32(rule), host: Int32(number), node: place.node,
                        labelsBefore: HostCoverage.labelsBefore(place), port: place.port))
            }
        }
        starts.append(Int32(indices.count))
        self.bases = bases
        self.entries = entries
        self.indices = indices
        self.starts = starts
        answered = [Answers?](repeating: nil, count: entries.count)
        budget += HostCoverage.workPerPattern * entries.count
        addresses = HostCoverage.sortedAddresses(entries, rules)
        (around, places) = HostCoverage.nesting(addresses, entries, rules)
    }

    /// The number of labels before the name of a pattern in the host that stands for the pattern's
    /// class; -1 for addresses.
    private static func labelsBefore(_ place: NameTree.Place) -> Int8 {
        // The host of `**.` has two labels more, because hosts with one label more are another
        // class, which a `*.` pattern with the same name would decide.
        place.kind == 2 && !place.fitsTwo ? 1 : place.kind
    }

    /// The pattern of an entry.
    private func pattern(_ index: Int) -> HostPattern {
        HostCoverage.pattern(entries[index], rules)
    }

    private static func pattern(_ place: Place, _ rules: [BoundRule]) -> HostPattern {
        rules[Int(place.rule)].hosts[Int(place.host)].pattern
    }

    private func entry(_ index: Int) -> Entry {
        let place = entries[index]
        return Entry(
            rule: Int(place.rule), host: rules[Int(place.rule)].hosts[Int(place.host)])
    }

    /// The pattern that would decide; nil for `default`.
    func entry(_ next: Next) -> Entry? { next.index < 0 ? nil : entry(Int(next.index)) }

    private func next(_ index: Int) -> Next { Next(index, of: Int(entries[index].rule)) }

    /// The indices of the patterns on addresses, each range before the ranges inside it.
    private static func sortedAddresses(_ entries: [Place], _ rules: [BoundRule]) -> [Int] {
        let found = entries.indices.filter { entries[$0].node < 0 }
        guard !found.isEmpty else { return [] }
        let ranges = Dictionary(
            found.map { ($0, pattern(entries[$0], rules).addresses) },
            uniquingKeysWith: { first, _ in first })
        let none = AddressRange(first: [], prefix: 0)
        return found.sorted { left, right in
            let (a, b) = (ranges[left] ?? none, ranges[right] ?? none)
            if a.isIPv4 != b.isIPv4 { return a.isIPv4 }
            if a.first != b.first { return a.first.lexicographicallyPrecedes(b.first) }
            if a.prefix != b.prefix { return a.prefix < b.prefix }
            return (entries[left].port ?? 0) < (entries[right].port ?? 0)
        }
    }

    /// `around` and `places`.
    private static func nesting(
        _ addresses: [Int], _ entries: [Place], _ rules: [BoundRule]
    ) -> (around: [Int], places: [Int: Int]) {
        let ranges = addresses.map { pattern(entries[$0], rules).addresses }
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

    private func port(_ index: Int) -> UInt16? { entries[index].port }

    private func range(_ place: Int) -> AddressRange { pattern(addresses[place]).addresses }

    // MARK: What decides

    /// The indices of a rule's patterns among them.
    func hosts(of rule: Int) -> Range<Int> { 0..<Int(starts[rule + 1] - starts[rule]) }

    /// What would decide the hosts of a pattern if the pattern were missing: the pattern of a rule
    /// by its index among the rule's. Nil for a pattern that is written twice, and where comparing
    /// takes too much work.
    func answers(to host: Int, of rule: Int) -> Answers? {
        let index = Int(indices[Int(starts[rule]) + host])
        guard index >= 0, !entries[index].isTied else { return nil }
        if let answers = answered[index] { return answers }
        var answers = Answers()
        for port in ports(beside: index) {
            let around = entries[index].node < 0 ? range(index, port) : name(index, port)
            // A more specific pattern for the same hosts and this port decides this port.
            guard around.first == index, !isFilled(index, port: port) else { continue }
            HostCoverage.add(around.next, to: &answers.withoutPattern)
            HostCoverage.add(around.other, to: &answers.withoutRule)
        }
        guard !isExhausted else { return nil }
        answered[index] = answers
        return answers
    }

    /// The patterns that match the host which stands for a pattern's class, on one port.
    private struct Around {
        /// The most specific one; -1 for none.
        var first = -1
        /// The one after it.
        var next = Next.fallback
        /// The first one after it that another rule has.
        var other = Next.fallback
        private var hasNext = false
        private var hasOther = false

        /// Adds the pattern after those that were added.
        mutating func add(_ index: Int, _ next: Next, isOfSameRule: Bool) {
            guard first >= 0 else {
                first = index
                return
            }
            if !hasNext {
                self.next = next
                hasNext = true
            }
            if !hasOther, !isOfSameRule {
                other = next
                hasOther = true
            }
        }
    }

    private func name(_ index: Int, _ port: UInt16) -> Around {
        var around = Around()
        let own = entries[index]
        walk(from: Int(own.node), labelsBefore: Int(own.labelsBefore), port: port) { other in
            around.add(other, next(other), isOfSameRule: entries[other].rule == own.rule)
        }
        return around
    }

    private func range(_ index: Int, _ port: UInt16) -> Around {
        var around = Around()
        let own = entries[index].rule
        let found = chain(of: index).map { addresses[$0] }
            .filter { self.port($0) ?? port == port }
            .sorted { pattern($0).isMoreSpecific(than: pattern($1)) }
        for other in found {
            around.add(other, next(other), isOfSameRule: entries[other].rule == own)
        }
        return around
    }

    /// For most patterns only `default` would decide, so that answer is made once.
    private static let byDefault = [Next.fallback]

    private static func add(_ next: Next, to list: inout [Next]) {
        if list.isEmpty, next.index < 0 {
            list = byDefault
        } else if !list.contains(where: { $0.decider == next.decider }) {
            list.append(next)
        }
    }

    /// The pattern that decides a name; nil for `default`.
    func decider(ofName name: String, port: UInt16) -> Entry? {
        let (node, labelsBefore) = names.deepest(name)
        return decider(node, labelsBefore: labelsBefore, port: port)
    }

    /// The pattern that decides the name behind a wildcard, of a rule by its index; nil for
    /// `default`. The name is in the tree, so it need not be looked for.
    func decider(behindWildcard host: Int, of rule: Int, port: UInt16) -> Entry? {
        let node = names.places[Int(starts[rule]) + host].node
        return decider(Int(node), labelsBefore: 0, port: port)
    }

    private func decider(_ node: Int, labelsBefore: Int, port: UInt16) -> Entry? {
        var first = -1
        walk(from: node, labelsBefore: labelsBefore, port: port) { index in
            if first < 0 { first = index }
        }
        return first < 0 ? nil : entry(first)
    }

    /// Gives the patterns that match a name, most specific first: the name of a node, with labels
    /// before it that the tree does not have there.
    @inline(__always)
    private func walk(
        from node: Int, labelsBefore: Int, port: UInt16, _ take: (Int) -> Void
    ) {
        var work = labelsBefore
        var (node, labelsBefore) = (node, labelsBefore)
        while node >= 0 {
            work += 1
            let any = bases[node].any
            let single = bases[node].ports.isEmpty ? nil : bases[node].ports[port]
            // `*` comes before `**`; a pattern with a port comes before one without.
            for kind in HostCoverage.kinds(labelsBefore) {
                if let single, single[kind] >= 0 { take(Int(single[kind])) }
                if any[kind] >= 0 { take(Int(any[kind])) }
            }
            node = names.nodes[node].parent
            labelsBefore += 1
        }
        budget -= work
    }

    /// Which of `x`, `*.x` and `**.x` match a name with this number of labels before `x`.
    private static func kinds(_ labelsBefore: Int) -> ClosedRange<Int> {
        switch labelsBefore {
        case 0: return 0...0
        case 1: return 1...2
        default: return 2...2
        }
    }

    /// A label that no pattern can contain, because patterns do not allow this character. It stands
    /// for every label that the policy does not name.
    static let unwritten = "?"

    /// The ports that must be judged: each port that a pattern at or around the same hosts names,
    /// and one port that stands for all others.
    private func ports(beside index: Int) -> [UInt16] {
        if let port = port(index) { return [port] }
        var named: Set<UInt16> = []
        if entries[index].node >= 0 {
            var node = Int(entries[index].node)
            while node >= 0, budget > 0 {
                if !bases[node].ports.isEmpty {
                    budget -= bases[node].ports.count
                    named.formUnion(bases[node].ports.keys)
                }
                node = names.nodes[node].parent
            }
            if named.isEmpty { return HostCoverage.usualPort }
        } else {
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

    /// The port that stands for all ports where no pattern names any.
    private static let usualPort: [UInt16] = [443]

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
