// Hosts and host patterns as a person reads LANGUAGE sections 11.3 and 11.4, to hold the compiler
// and the table to: lists of labels, octets and a count of bits, compared one by one. Slow and
// obvious; nothing of the engine is used.

/// A host that somebody asks for: labels of a name, or 4 or 16 octets of an address.
enum PlainHost: Hashable {
    case name([String])
    case address([UInt8])
}

/// A host pattern in its parts.
struct PlainPattern: Hashable {
    enum Host: Hashable {
        /// `a.b`
        case exact([String])
        /// `*.a.b`, with the labels behind the star.
        case oneLabel([String])
        /// `**.a.b`, with the labels behind the stars.
        case anyLabels([String])
        /// `10.0.0.1`
        case address([UInt8])
        /// `10.0.0.0/8`; at least one bit is left open.
        case network([UInt8], bits: Int)
    }

    var host: Host
    var port: Int?

    /// What kind of pattern it is, for counting.
    var kind: String {
        let suffix = port == nil ? "" : ":port"
        switch host {
        case .exact: return "name" + suffix
        case .oneLabel: return "*" + suffix
        case .anyLabels: return "**" + suffix
        case .address(let octets): return (octets.count == 4 ? "ipv4" : "ipv6") + suffix
        case .network(let octets, _):
            return (octets.count == 4 ? "ipv4 network" : "ipv6 network") + suffix
        }
    }

    /// Every kind there is.
    static let kinds = [
        "name", "*", "**", "ipv4", "ipv6", "ipv4 network", "ipv6 network",
    ].flatMap { [$0, $0 + ":port"] }

    /// Whether the pattern covers a host on a port: a name never matches a network, nor an address
    /// a name; the apex is never included; without a port every port is meant (section 11.3).
    func covers(_ requested: PlainHost, port requestedPort: Int) -> Bool {
        if let port, port != requestedPort { return false }
        switch (host, requested) {
        case (.exact(let labels), .name(let asked)):
            return asked == labels
        case (.oneLabel(let base), .name(let asked)):
            return asked.count == base.count + 1 && Array(asked.dropFirst()) == base
        case (.anyLabels(let base), .name(let asked)):
            return asked.count > base.count && Array(asked.suffix(base.count)) == base
        case (.address(let octets), .address(let asked)):
            return asked == octets
        case (.network(let octets, let bits), .address(let asked)):
            return asked.count == octets.count
                && (0..<bits).allSatisfy { Self.bit($0, of: asked) == Self.bit($0, of: octets) }
        default:
            return false
        }
    }

    /// A bit counted from the first one of an address.
    private static func bit(_ index: Int, of octets: [UInt8]) -> UInt8 {
        octets[index / 8] >> UInt8(7 - index % 8) & 1
    }

    /// The steps of section 11.4, in their order.
    enum Step: String, CaseIterable {
        case exactness = "exact before wildcard or network"
        case labels = "more labels"
        case stars = "* before **"
        case prefix = "longer prefix"
        case port = "port before none"
    }

    /// The step that puts this pattern before another one that covers the same host, or nil when
    /// the other one goes first.
    func precedes(_ other: PlainPattern) -> Step? {
        if isExact != other.isExact { return isExact ? .exactness : nil }
        if labelCount != other.labelCount { return labelCount > other.labelCount ? .labels : nil }
        if stars != other.stars { return stars < other.stars ? .stars : nil }
        if bits != other.bits { return bits > other.bits ? .prefix : nil }
        return port != nil && other.port == nil ? .port : nil
    }

    private var isExact: Bool {
        switch host {
        case .exact, .address: return true
        case .oneLabel, .anyLabels, .network: return false
        }
    }

    private var labelCount: Int {
        switch host {
        case .exact(let labels), .oneLabel(let labels), .anyLabels(let labels): return labels.count
        case .address, .network: return 0
        }
    }

    private var stars: Int {
        switch host {
        case .oneLabel: return 1
        case .anyLabels: return 2
        case .exact, .address, .network: return 0
        }
    }

    private var bits: Int {
        if case .network(_, let bits) = host { return bits }
        return 0
    }
}

/// The patterns of one policy, and what they say of a host.
struct PlainPolicy {
    /// Each pattern once.
    var patterns: [PlainPattern]
    /// The rule of each pattern, counted from 0.
    var rules: [Int]
    /// Whether `default` is a rule's body; otherwise it is `deny`.
    var hasDefaultRule: Bool

    /// The indices of the patterns that cover a host, the one that decides first.
    func ranked(_ host: PlainHost, port: Int) -> [Int] {
        patterns.indices.filter { patterns[$0].covers(host, port: port) }
            .sorted { patterns[$0].precedes(patterns[$1]) != nil }
    }
}
