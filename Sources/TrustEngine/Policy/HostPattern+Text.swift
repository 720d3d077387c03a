// Host patterns as text, and two orders of host patterns: by text, in which lists are sorted, and
// by specificity, by which a rule is chosen (LANGUAGE section 11.4).

extension HostPattern {
    /// The canonical text of LANGUAGE section 11: `api.acme.example`, `*.acme.example:443`,
    /// `192.0.2.0/24`, `2001:db8::1`, `[2001:db8::/32]:443`.
    package var canonicalText: String {
        let suffix = port.map { ":\($0)" } ?? ""
        switch host {
        case .name(let name): return name + suffix
        case .oneLabel(let base): return "*." + base + suffix
        case .anyLabels(let base): return "**." + base + suffix
        case .address(let address):
            return bracketed(address.description, address) + suffix
        case .network(let address, let prefix):
            return bracketed("\(address.description)/\(prefix)", address) + suffix
        }
    }

    /// The text of an address, in brackets where IPv6 stands before a port.
    private func bracketed(_ text: String, _ address: IPAddress) -> String {
        address.isIPv4 || port == nil ? text : "[\(text)]"
    }

    /// Whether this pattern decides where both patterns match. An exact name or address comes
    /// first, then more labels, then `*` before `**`, then the longer prefix. Of two patterns with
    /// equal hosts the one with a port decides.
    package func isMoreSpecific(than other: HostPattern) -> Bool {
        let (left, right) = (rank, other.rank)
        for (ours, theirs) in zip(left, right) where ours != theirs { return ours > theirs }
        return false
    }

    /// Numbers that are compared one after the other. The pattern with the greater number is more
    /// specific.
    private var rank: [Int] {
        let hasPort = port == nil ? 0 : 1
        switch host {
        case .name, .address: return [1, 0, 0, 0, hasPort]
        case .oneLabel(let base): return [0, HostPattern.labelCount(base), 1, 0, hasPort]
        case .anyLabels(let base): return [0, HostPattern.labelCount(base), 0, 0, hasPort]
        case .network(_, let prefix): return [0, 0, 0, prefix, hasPort]
        }
    }

    private static func labelCount(_ name: String) -> Int {
        name.utf8.count { $0 == UInt8(ascii: ".") } + 1
    }

    /// Whether the pattern covers a host and a port. This is the plain way to decide it, one
    /// pattern at a time. A table gives the same answer by its index.
    package func matches(_ requested: CanonicalHost, port requestedPort: UInt16) -> Bool {
        if let port, port != requestedPort { return false }
        switch (host, requested) {
        case (.name(let name), .name(let text)): return name == text
        case (.oneLabel(let base), .name(let text)):
            guard let label = HostPattern.labels(of: text, before: base) else { return false }
            return !label.utf8.contains(UInt8(ascii: "."))
        case (.anyLabels(let base), .name(let text)):
            return HostPattern.labels(of: text, before: base) != nil
        case (.address(let address), .address(let requested)): return address == requested
        case (.network(let network, let prefix), .address(let requested)):
            return network.contains(requested, prefix: prefix)
        case (.name, .address), (.oneLabel, .address), (.anyLabels, .address), (.address, .name),
            (.network, .name):
            return false
        }
    }

    /// Whether this pattern matches every host and port that another pattern matches.
    package func covers(_ other: HostPattern) -> Bool {
        if let port, port != other.port { return false }
        switch (host, other.host) {
        case (.oneLabel(let base), .name(let name)):
            return HostPattern.labels(of: name, before: base)
                .map { !$0.utf8.contains(UInt8(ascii: ".")) } ?? false
        case (.anyLabels(let base), .name(let name)):
            return HostPattern.labels(of: name, before: base) != nil
        case (.anyLabels(let base), .oneLabel(let inner)),
            (.anyLabels(let base), .anyLabels(let inner)):
            return inner == base || HostPattern.labels(of: inner, before: base) != nil
        case (.network(let network, let prefix), .address(let address)):
            return network.contains(address, prefix: prefix)
        case (.network(let network, let prefix), .network(let inner, let longer)):
            return prefix <= longer && network.contains(inner, prefix: prefix)
        case (.name, _), (.address, _), (.oneLabel, _), (.anyLabels, _), (.network, _):
            return host == other.host
        }
    }

    /// The labels before `.base` in a name; nil when the name does not end with `.base`.
    private static func labels(of name: String, before base: String) -> Substring? {
        let suffix = "." + base
        guard name.hasSuffix(suffix), name.utf8.count > suffix.utf8.count else { return nil }
        return name.dropLast(suffix.count)
    }
}

extension HostPattern: Comparable {
    /// Orders patterns by the octets of their canonical text.
    package static func < (left: HostPattern, right: HostPattern) -> Bool {
        left.canonicalText.utf8.lexicographicallyPrecedes(right.canonicalText.utf8)
    }
}
