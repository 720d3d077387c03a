extension HostClasses {
    /// The class that a host and a port belong to.
    ///
    /// Cost: a look-up in each table, and a look-up of the ports that patterns name for the host.
    package func hosts(of host: CanonicalHost, port: UInt16) -> HostClass {
        let matches = tables.map { $0.lookUp(host, port: port) }
        let deciders = matches.map { $0.map { Int($0.rule) } ?? HostClass.byDefault }
        var pattern: HostPattern?
        for (table, match) in zip(tables, matches) {
            guard let own = match.map({ table.pattern(at: Int($0.pattern)) }) else { continue }
            // Of patterns that match one host, one is the more specific, or they are equal.
            if pattern.map({ own.isMoreSpecific(than: $0) }) ?? true { pattern = own }
        }
        guard let pattern else {
            return HostClass(pattern: nil, port: nil, deciders: deciders)
        }
        if let named = pattern.port {
            return HostClass(pattern: pattern, port: named, deciders: deciders)
        }
        let own = portsOfOthers(pattern).named.contains(port) ? port : nil
        return HostClass(pattern: pattern, port: own, deciders: deciders)
    }
}
