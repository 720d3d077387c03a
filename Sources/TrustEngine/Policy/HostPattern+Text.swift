// Host patterns as text, and the two orders on them: by text, which is how lists are kept, and by
// specificity, which is how a rule is chosen (LANGUAGE section 11.4).

extension HostPattern {
    /// The canonical text of LANGUAGE section 11: `api.acme.example`, `*.acme.example:443`,
    /// `192.0.2.0/24`, `2001:db8::1`, `[2001:db8::/32]:443`.
    public var canonicalText: String {
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

    /// IPv6 needs brackets before a port, and only there.
    private func bracketed(_ text: String, _ address: IPAddress) -> String {
        address.isIPv4 || port == nil ? text : "[\(text)]"
    }

    /// Whether this pattern decides where both match: exact name or address first, then more labels,
    /// then `*` before `**`, then the longer prefix; at equal host, with port before without.
    package func isMoreSpecific(than other: HostPattern) -> Bool {
        let (left, right) = (rank, other.rank)
        for (ours, theirs) in zip(left, right) where ours != theirs { return ours > theirs }
        return false
    }

    /// Numbers to be compared from the first on, the greater one more specific.
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

    /// Whether the pattern covers a host on a port. The obvious way to decide it, one pattern at a
    /// time; tables answer the same by their index.
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

    /// What stands before `.base` in a name, or nil when the name does not end so.
    private static func labels(of name: String, before base: String) -> Substring? {
        let suffix = "." + base
        guard name.hasSuffix(suffix), name.utf8.count > suffix.utf8.count else { return nil }
        return name.dropLast(suffix.count)
    }
}

extension HostPattern: Comparable {
    /// The order of lists: by the octets of the canonical text.
    public static func < (left: HostPattern, right: HostPattern) -> Bool {
        left.canonicalText.utf8.lexicographicallyPrecedes(right.canonicalText.utf8)
    }
}
