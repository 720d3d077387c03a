/// The hosts that a rule is for: a name, a wildcard, an address or a network, with or without a
/// port (LANGUAGE section 11). Always in canonical form: ASCII lower case, A-labels, no trailing
/// dot.
package struct HostPattern: Hashable, Sendable {
    /// The host part.
    package enum Host: Hashable, Sendable {
        /// Exactly one name.
        case name(String)
        /// `*.base`: every name with exactly one label more than `base`.
        case oneLabel(base: String)
        /// `**.base`: every name with one or more labels more than `base`, never `base` itself.
        case anyLabels(base: String)
        /// One address.
        case address(IPAddress)
        /// A network. The host bits of `address` are zero, and `prefix` is shorter than the whole
        /// address.
        case network(IPAddress, prefix: Int)
    }

    /// The host part.
    package let host: Host
    /// The port; nil for every port.
    package let port: UInt16?

    /// Makes a pattern from canonical parts. Only the compiler's scanner checks texts of patterns.
    package init(host: Host, port: UInt16?) {
        self.host = host
        self.port = port
    }
}

extension HostPattern.Host {
    /// Every host part that matches a host, the most specific first (LANGUAGE section 11).
    static func covering(_ host: CanonicalHost) -> [HostPattern.Host] {
        switch host {
        case .name(let name):
            var found: [HostPattern.Host] = [.name(name)]
            var rest = Substring(name)
            while let dot = rest.firstIndex(of: ".") {
                let base = String(rest[rest.index(after: dot)...])
                if found.count == 1 { found.append(.oneLabel(base: base)) }
                found.append(.anyLabels(base: base))
                rest = rest[rest.index(after: dot)...]
            }
            return found
        case .address(let address):
            let networks = (0..<address.bitCount).reversed().map { prefix in
                HostPattern.Host.network(address.masked(prefix: prefix), prefix: prefix)
            }
            return [.address(address)] + networks
        }
    }
}
