import TrustEngine

/// The names that a certificate may vouch for, as patterns without ports. Two patterns have no host
/// in common, or one covers the other.
struct PermittedHosts {
    private(set) var hosts: Set<HostPattern.Host>

    init(_ hosts: some Sequence<HostPattern.Host>) { self.hosts = Set(hosts) }

    /// The hosts that both permit. Cost: linear in the patterns and their labels.
    func intersection(_ other: PermittedHosts) -> PermittedHosts {
        PermittedHosts(
            hosts.filter { other.covers($0) } + other.hosts.filter { covers($0) })
    }

    /// Whether one of these patterns covers all hosts of a pattern.
    private func covers(_ host: HostPattern.Host) -> Bool {
        if hosts.contains(host) { return true }
        switch host {
        case .name(let name):
            guard let dot = name.firstIndex(of: ".") else { return false }
            let base = String(name[name.index(after: dot)...])
            return hosts.contains(.oneLabel(base: base)) || coversBelow(base)
        case .oneLabel(let base): return coversBelow(base)
        case .anyLabels(let base): return coversBelow(base)
        case .address(let address): return coversNetwork(address, address.bitCount)
        case .network(let address, let prefix): return coversNetwork(address, prefix)
        }
    }

    /// Whether a `**.` pattern covers every name below a name.
    private func coversBelow(_ base: String) -> Bool {
        ForeignHosts.ends(of: base).contains { hosts.contains(.anyLabels(base: String($0))) }
    }

    private func coversNetwork(_ address: IPAddress, _ prefix: Int) -> Bool {
        (0...prefix).contains {
            hosts.contains(.network(address.masked(prefix: $0), prefix: $0))
        }
    }
}
