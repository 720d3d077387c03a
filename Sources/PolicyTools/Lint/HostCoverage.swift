import PolicyCompiler
import TrustEngine

// Which pattern decides which hosts, for a whole unit, exactly.
//
// The patterns with one name behind their wildcard (`x`, `*.x`, `**.x`) part the hosts below it into
// classes that every pattern treats alike: the name itself; one label more, if that is no name of the
// policy; two or more labels more, if the first of them leads to no name of the policy. So each pattern
// is judged by one host of its class that no pattern names: a label that nobody writes. With ports it is
// the same: the ports that patterns name, each by itself, and one that none names for all the others.

/// The patterns of a unit, found by the hosts they cover.
struct HostCoverage {
    /// What decides a host.
    enum Decider: Hashable {
        /// A rule by its index.
        case rule(Int)
        /// `default`.
        case fallback
    }

    /// A pattern with its rule.
    struct Entry {
        /// Index among the unit's rules.
        let rule: Int
        let host: BoundHost
    }

    /// Patterns on names by the name behind their wildcard.
    private var names: [String: [Entry]] = [:]
    /// Patterns on addresses, networks before what lies in them.
    private(set) var addresses: [Entry] = []
    /// Of each of `addresses` the index of the narrowest other range around it, -1 for none. Ranges
    /// lie in one another or apart, so these make a forest.
    private var around: [Int] = []
    /// Index among `addresses` of the pattern at a place.
    private var places: [SourceSpan: Int] = [:]

    /// Patterns that stand in two places, so that neither decides; they have findings of their own.
    private(set) var tied: Set<HostPattern> = []

    /// O(n log n) in the number of patterns.
    init(_ rules: [BoundRule]) {
        var seen: Set<HostPattern> = []
        for (index, rule) in rules.enumerated() {
            for host in rule.hosts {
                guard seen.insert(host.pattern).inserted else {
                    tied.insert(host.pattern)
                    continue
                }
                let entry = Entry(rule: index, host: host)
                switch host.pattern.host {
                case .name(let base), .oneLabel(let base), .anyLabels(let base):
                    names[base, default: []].append(entry)
                case .address, .network: addresses.append(entry)
                }
            }
        }
        addresses.sort { left, right in
            let (a, b) = (left.host.pattern.addresses, right.host.pattern.addresses)
            if a.isIPv4 != b.isIPv4 { return a.isIPv4 }
            if a.first != b.first { return a.first.lexicographicallyPrecedes(b.first) }
            if a.prefix != b.prefix { return a.prefix < b.prefix }
            return (left.host.pattern.port ?? 0) < (right.host.pattern.port ?? 0)
        }
        var open: [Int] = []
        for (index, entry) in addresses.enumerated() {
            while let last = open.last,
                !addresses[last].host.pattern.addresses.contains(entry.host.pattern.addresses)
            {
                open.removeLast()
            }
            around.append(open.last ?? -1)
            open.append(index)
            places[entry.host.span] = index
        }
    }

    // MARK: What decides

    /// What each host that a pattern decides would get of the patterns that come after it, those of some
    /// rule left aside: every answer once. Empty where the pattern decides no host.
    func next(after entry: Entry, without rule: Int?) -> [Next] {
        var found: [Next] = []
        for port in ports(beside: entry) {
            let candidates = candidates(around: entry, port: port)
            // A more specific pattern of the same hosts and port takes this port away.
            guard let first = candidates.first, first.host.span == entry.host.span,
                !isFilled(entry, port: port)
            else { continue }
            let next = candidates.dropFirst().first { $0.rule != rule }
            let answer = Next(entry: next, port: port)
            if !found.contains(where: { $0.decider == answer.decider }) { found.append(answer) }
        }
        return found
    }

    /// An answer of `next`.
    struct Next {
        /// Nil for `default`.
        let entry: Entry?
        let port: UInt16
        var decider: Decider { entry.map { .rule($0.rule) } ?? .fallback }
    }

    /// What decides a name.
    func decider(ofName name: String, port: UInt16) -> Entry? {
        matches(name, port: port).first
    }

    /// Patterns that match a name, most specific first.
    func matches(_ name: String, port: UInt16) -> [Entry] {
        var found: [Entry] = []
        var rest = Substring(name)
        var labelsBefore = 0
        while true {
            if let entries = names[String(rest)] {
                found += entries.filter { entry in
                    guard entry.host.pattern.port ?? port == port else { return false }
                    switch entry.host.pattern.host {
                    case .name: return labelsBefore == 0
                    case .oneLabel: return labelsBefore == 1
                    case .anyLabels: return labelsBefore >= 1
                    case .address, .network: return false
                    }
                }.sorted { $0.host.pattern.isMoreSpecific(than: $1.host.pattern) }
            }
            guard let dot = rest.firstIndex(of: ".") else { return found }
            rest = rest[rest.index(after: dot)...]
            labelsBefore += 1
        }
    }

    /// Patterns that match a host which stands for those of a pattern's own, most specific first.
    private func candidates(around entry: Entry, port: UInt16) -> [Entry] {
        switch entry.host.pattern.host {
        case .name(let name): return matches(name, port: port)
        case .oneLabel(let base):
            return matches("\(HostCoverage.unwritten).\(base)", port: port)
        case .anyLabels(let base):
            // One label more is another class, which `*.` beside it would decide.
            let unwritten = HostCoverage.unwritten
            let fitsTwo = base.utf8.count + 2 * 2 <= HostCoverage.longestName
            let name = fitsTwo ? "\(unwritten).\(unwritten).\(base)" : "\(unwritten).\(base)"
            return matches(name, port: port)
        case .address, .network:
            return ranges(around: entry, port: port)
        }
    }

    /// A label that no policy can hold, since patterns have no such character: it stands for every
    /// label that this policy does not name.
    static let unwritten = "?"
    /// Octets of the longest name.
    private static let longestName = 253

    /// Ports to look at: those that patterns around this one name, and one more for all others.
    private func ports(beside entry: Entry) -> [UInt16] {
        if let port = entry.host.pattern.port { return [port] }
        var named: Set<UInt16> = []
        switch entry.host.pattern.host {
        case .name(let base), .oneLabel(let base), .anyLabels(let base):
            var rest = Substring(base)
            while true {
                for other in names[String(rest)] ?? [] {
                    if let port = other.host.pattern.port { named.insert(port) }
                }
                guard let dot = rest.firstIndex(of: ".") else { break }
                rest = rest[rest.index(after: dot)...]
            }
        case .address, .network:
            // Those of narrower ranges, too: they may fill this one on some ports.
            let own = entry.host.pattern.addresses
            var inner = place(of: entry)
            while inner < addresses.count, own.contains(addresses[inner].host.pattern.addresses) {
                if let port = addresses[inner].host.pattern.port { named.insert(port) }
                inner += 1
            }
            for index in chain(of: entry) {
                if let port = addresses[index].host.pattern.port { named.insert(port) }
            }
        }
        guard let other = (1...UInt16.max).first(where: { $0 != 443 && !named.contains($0) })
        else { return named.sorted() }
        return named.sorted() + [named.contains(443) ? other : 443]
    }

    // MARK: Addresses

    private func place(of entry: Entry) -> Int { places[entry.host.span] ?? -1 }

    /// The ranges that hold all of a pattern's addresses for a port, most specific first.
    private func ranges(around entry: Entry, port: UInt16) -> [Entry] {
        chain(of: entry).map { addresses[$0] }
            .filter { $0.host.pattern.port ?? port == port }
            .sorted { $0.host.pattern.isMoreSpecific(than: $1.host.pattern) }
    }

    /// Indices of the ranges that hold all of a pattern's addresses, its own and equal ones among them.
    private func chain(of entry: Entry) -> [Int] {
        let own = place(of: entry)
        guard own >= 0 else { return [] }
        var index = own
        // Equal ranges for other ports stand side by side, each around the next.
        while index + 1 < addresses.count,
            addresses[index + 1].host.pattern.addresses == entry.host.pattern.addresses
        {
            index += 1
        }
        var chain: [Int] = []
        while index >= 0 {
            chain.append(index)
            index = around[index]
        }
        return chain
    }

    /// Whether other patterns decide every address of a range on a port: the narrower ranges in it that
    /// hold for the port, the outermost of them, fill it. False for names.
    private func isFilled(_ entry: Entry, port: UInt16) -> Bool {
        let start = place(of: entry)
        guard start >= 0 else { return false }
        let own = entry.host.pattern.addresses
        // Each range that begins where the one before it ended is a step to its own end.
        var next = own.first
        var index = start + 1
        while index < addresses.count, own.contains(addresses[index].host.pattern.addresses) {
            let inner = addresses[index].host.pattern
            if inner.port ?? port == port, inner.addresses.prefix > own.prefix,
                inner.addresses.first == next
            {
                guard let after = inner.addresses.after else { return true }
                next = after
            }
            index += 1
        }
        return own.after.map { next == $0 } ?? false
    }
}

/// A range of addresses: the octets of its first, and its prefix.
struct AddressRange: Equatable {
    let first: [UInt8]
    let prefix: Int

    var isIPv4: Bool { first.count == 4 }

    func contains(_ other: AddressRange) -> Bool {
        guard let own = IPAddress(bytes: first.span), let inner = IPAddress(bytes: other.first.span)
        else { return false }
        return prefix <= other.prefix && own.contains(inner, prefix: prefix)
    }

    /// The first address behind the range; nil behind the last of all.
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
    /// The addresses of a pattern on addresses; of one on names an empty range.
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
