package import TrustEngine

/// Why a host pattern does not cover a host, and how near it comes (LANGUAGE section 11).
package enum PatternDifference: Hashable, Sendable {
    /// The first label from the right that differs.
    case label(pattern: String, host: String)
    /// The host is the name behind `*.` or `**.`; a wildcard never covers that name.
    case apex(base: String)
    /// `*` stands for one label, and the host has several labels before the name behind the
    /// wildcard.
    case severalLabels(base: String, before: Int)
    /// The pattern is an exact name, and the host has these labels before that name.
    case below(labels: String)
    /// The pattern has these labels before the host's name.
    case above(labels: String)
    /// The host is another address.
    case otherAddress
    /// The pattern is a network that reaches from one address to the other.
    case outside(first: IPAddress, last: IPAddress)
    /// The pattern is IPv4 and the host IPv6, or the reverse.
    case otherFamily
    /// The pattern is a name and the host an address, or the reverse.
    case otherKind
    /// The pattern covers the host only on this port.
    case port(UInt16)

    /// The stable name.
    package var id: String {
        switch self {
        case .label: return "label"
        case .apex: return "apex"
        case .severalLabels: return "several-labels"
        case .below: return "below"
        case .above: return "above"
        case .otherAddress: return "other-address"
        case .outside: return "outside"
        case .otherFamily: return "other-family"
        case .otherKind: return "other-kind"
        case .port: return "port"
        }
    }
}

/// A pattern that does not cover a host, and why.
struct PatternMiss {
    let pattern: HostPattern
    let difference: PatternDifference
    /// The number of labels from the right, or of bits from the left, that pattern and host share;
    /// negative where the two cannot be compared.
    let shared: Int
    /// The difference between the numbers of labels of pattern and host.
    private let distance: Int

    /// Nil when the pattern covers the host on the port.
    init?(_ pattern: HostPattern, _ host: CanonicalHost, port: UInt16) {
        guard !pattern.matches(host, port: port) else { return nil }
        self.pattern = pattern
        if let only = pattern.port,
            HostPattern(host: pattern.host, port: nil).matches(host, port: port)
        {
            difference = .port(only)
            (shared, distance) = (.max, 0)
            return
        }
        switch (pattern.host, host) {
        case (.name(let name), .name(let text)):
            (difference, shared, distance) = PatternMiss.names(name, text, wildcard: "")
        case (.oneLabel(let base), .name(let text)):
            (difference, shared, distance) = PatternMiss.names(base, text, wildcard: "*.")
        case (.anyLabels(let base), .name(let text)):
            (difference, shared, distance) = PatternMiss.names(base, text, wildcard: "**.")
        case (.address(let address), .address(let asked)):
            let isAlike = address.isIPv4 == asked.isIPv4
            difference = isAlike ? .otherAddress : .otherFamily
            (shared, distance) = (isAlike ? PatternMiss.sharedBits(address, asked) : -1, 0)
        case (.network(let network, let prefix), .address(let asked)):
            let isAlike = network.isIPv4 == asked.isIPv4
            let last = PatternMiss.last(of: network, prefix: prefix)
            difference = isAlike ? .outside(first: network, last: last) : .otherFamily
            (shared, distance) = (isAlike ? PatternMiss.sharedBits(network, asked) : -1, 0)
        case (.name, .address), (.oneLabel, .address), (.anyLabels, .address), (.address, .name),
            (.network, .name):
            difference = .otherKind
            (shared, distance) = (-2, 0)
        }
    }

    /// Whether this pattern is nearer to the host than another pattern. Patterns that are equally
    /// near are ordered by their texts.
    func isNearer(than other: PatternMiss) -> Bool {
        if shared != other.shared { return shared > other.shared }
        if distance != other.distance { return distance < other.distance }
        return pattern < other.pattern
    }

    private static func names(
        _ base: String, _ host: String, wildcard: String
    ) -> (PatternDifference, shared: Int, distance: Int) {
        let ours = base.split(separator: ".")
        let theirs = host.split(separator: ".")
        let shared = zip(ours.reversed(), theirs.reversed()).prefix { $0 == $1 }.count
        let before = theirs.dropLast(shared)
        let difference: PatternDifference
        switch (shared == ours.count, before.isEmpty) {
        case (true, true): difference = .apex(base: base)
        case (true, false):
            difference =
                wildcard.isEmpty
                ? .below(labels: before.joined(separator: "."))
                : .severalLabels(base: base, before: before.count)
        case (false, true):
            difference = .above(
                labels: wildcard + ours.dropLast(shared).joined(separator: "."))
        case (false, false):
            difference = .label(
                pattern: String(ours[ours.count - 1 - shared]),
                host: String(theirs[theirs.count - 1 - shared]))
        }
        let length = ours.count + (wildcard.isEmpty ? 0 : 1)
        return (difference, shared, abs(theirs.count - length))
    }

    private static func sharedBits(_ left: IPAddress, _ right: IPAddress) -> Int {
        var shared = 0
        for (one, other) in zip(left.bytes, right.bytes) {
            shared += (one ^ other).leadingZeroBitCount
            guard one == other else { break }
        }
        return shared
    }

    /// The last address of a network.
    private static func last(of network: IPAddress, prefix: Int) -> IPAddress {
        var bytes = network.bytes
        for bit in prefix..<bytes.count * 8 { bytes[bit / 8] |= 0x80 >> UInt8(bit % 8) }
        return IPAddress(bytes: bytes.span) ?? network
    }
}
