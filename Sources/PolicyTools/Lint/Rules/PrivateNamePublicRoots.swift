import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW213: a host for which no public CA may issue, in a rule that trusts the machine's store.
    static let privateNamePublicRoots = LintRule(.privateNamePublicRoots) { context in
        let arePublic = context.bound.outlines.anchors.map {
            $0.contains(where: context.holdsStore)
        }
        let holdsNames = PrivateHosts.mayHold(context.names)
        return context.bound.outlines.all.enumerated().flatMap { index, outline -> [Diagnostic] in
            guard holdsNames || outline.has(.ranges), arePublic[Int(outline.anchors)] else {
                return []
            }
            let rule = context.bound.rules[index]
            // While the path is waived, the anchors are not needed.
            guard let item = context.publicAnchors(of: rule.body),
                !rule.body.waivers.contains(where: { $0.check == .path })
            else { return [] }
            // One host is enough: all hosts of the rule have the same anchors.
            let first = rule.hosts.first { PrivateHosts.reason($0.pattern) != nil }
            guard let host = first, let reason = PrivateHosts.reason(host.pattern) else {
                return []
            }
            return [
                Diagnostic(
                    .privateNamePublicRoots,
                    "`\(host.text)` \(reason), so no public CA may issue for it, and `\(rule.id.value)` "
                        + "trusts them all",
                    at: Diagnostic.Label(host.span),
                    labels: [Diagnostic.Label(item.span, "every public CA")],
                    help: ["trust the private CA that issues for it, and it alone"])
            ]
        }
    }
}

extension LintContext {
    /// The item of a rule's anchors that names a set with members from the machine's store; nil if
    /// there is none.
    fileprivate func publicAnchors(of body: BoundBody) -> Located<String>? {
        body.anchors?.items.first { holdsStore($0.value) }
    }

    /// Whether an anchor set has members from the machine's store.
    fileprivate func holdsStore(_ id: String) -> Bool {
        id == "system"
            || parts.anchorSets[id]?.groups.contains { group in
                // Somebody chose the members of a filtered store.
                group.isSystem && group.filters.isEmpty
            } ?? false
    }
}

/// Hosts that mean different machines in different networks.
enum PrivateHosts {
    /// Why no one can own the host alone; nil if somebody can.
    static func reason(_ pattern: HostPattern) -> String? {
        switch pattern.host {
        case .name(let name):
            if !name.utf8.contains(UInt8(ascii: ".")) { return "has one label only" }
            return suffix(of: name)
        case .oneLabel(let base), .anyLabels(let base): return suffix(of: base)
        case .address(let address):
            return ranges.contains { $0.address.contains(address, prefix: $0.prefix) }
                ? "is a private address" : nil
        case .network(let network, let prefix):
            return ranges.contains {
                $0.prefix <= prefix && $0.address.contains(network, prefix: $0.prefix)
            } ? "is a private network" : nil
        }
    }

    /// Whether a policy may have a pattern on names that has a reason. The last labels of names
    /// tell for nearly all policies that it has none.
    static func mayHold(_ names: NameTree) -> Bool {
        names.hasSingleLabels
            || names.tops.contains { top in
                let label = String(decoding: names.label(top), as: UTF8.self)
                return label == "arpa" || suffixes.contains(label)
            }
    }

    /// Whether every name under the last label at a node is reserved (`isReserved`).
    static func isReserved(_ names: NameTree, _ top: Int) -> Bool {
        isReserved(String(decoding: names.label(top), as: UTF8.self))
    }

    /// Whether a name is reserved for private use, or for examples and tests by RFC 2606. Nobody
    /// registers names under it, although no list of suffixes has it.
    static func isReserved(_ name: String) -> Bool {
        let last = lastLabel(of: name)
        return suffix(of: name) != nil || ["example", "test", "invalid"].contains(last)
    }

    private static func suffix(of name: String) -> String? {
        let last = lastLabel(of: name)
        if suffixes.contains(last) { return "ends in `.\(last)`" }
        guard last == "arpa" else { return nil }
        return name == "home.arpa" || name.hasSuffix(".home.arpa") ? "ends in `.home.arpa`" : nil
    }

    private static func lastLabel(of name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return name }
        return String(name[name.utf8.index(after: dot)...])
    }

    /// Top-level names that are reserved for private use or that many networks use so: `.internal`
    /// (ICANN 2024), `.local` (RFC 6762), `.localhost` (RFC 6761), and the names of RFC 6762
    /// appendix G.
    private static let suffixes = [
        "internal", "local", "localhost", "intranet", "private", "corp", "home", "lan",
    ]

    /// RFC 1918, RFC 3927, RFC 1122 section 3.2.1.3 (g), RFC 6598, RFC 4193, RFC 4291 section 2.5.
    private static let ranges: [(address: IPAddress, prefix: Int)] = [
        ([10, 0, 0, 0], 8), ([172, 16, 0, 0], 12), ([192, 168, 0, 0], 16), ([169, 254, 0, 0], 16),
        ([127, 0, 0, 0], 8), ([100, 64, 0, 0], 10), (six([0xFC]), 7), (six([0xFE, 0x80]), 10),
        (six([], last: 1), 128),
    ].compactMap { octets, prefix in
        IPAddress(bytes: octets.span).map { ($0, prefix) }
    }

    private static func six(_ octets: [UInt8], last: UInt8 = 0) -> [UInt8] {
        octets + [UInt8](repeating: 0, count: 15 - octets.count) + [last]
    }
}
