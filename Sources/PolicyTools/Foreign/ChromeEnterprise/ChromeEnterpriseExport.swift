import PolicyCompiler
import Rendering
import TrustEngine

/// Writes the anchors of a policy as Chrome's enterprise lists: a certificate that a rule trusts
/// may vouch for the hosts of the rule, within the names that its set permits.
struct ChromeEnterpriseExport {
    /// The names that a certificate may vouch for.
    private enum Names {
        case all
        case listed(PermittedHosts)
    }

    private let policy: ExportedPolicy
    private var order: [[UInt8]] = []
    private var names: [[UInt8]: Names] = [:]

    static func file(
        _ policy: ExportedPolicy, over existing: [UInt8]?
    ) throws(ForeignError) -> ExportedFile {
        var export = ChromeEnterpriseExport(policy)
        export.gather()
        var dropped: [String] = []
        if let existing {
            let file = try ChromeEnterpriseReader.read(existing)
            dropped = file.otherKeys.map { "the policy `\($0.prefix(60))`" }
            if file.hints != nil { dropped.append("`\(ChromeEnterpriseFile.hintsKey)`") }
            if !file.distrusted.isEmpty {
                dropped.append("`\(ChromeEnterpriseFile.distrustedKey)`")
            }
        }
        return ExportedFile(
            Array(export.text.utf8), dropped: dropped,
            wasExported: existing.map { ExportMark.isIn($0) } ?? false)
    }

    private init(_ policy: ExportedPolicy) { self.policy = policy }

    // MARK: Anchors

    private mutating func gather() {
        if let body = policy.body(of: policy.fallback) { gather(body, hosts: nil) }
        let rules = policy.contents.rules
        for index in rules.indices {
            let decision = DatedRules.Decision(rule: index, pattern: nil)
            guard let body = policy.body(of: decision) else { continue }
            gather(body, hosts: PermittedHosts(rules[index].hosts.map(\.host)))
        }
    }

    /// Adds the anchors of a body for its hosts; nil for every host.
    private mutating func gather(_ body: RuleBody, hosts: PermittedHosts?) {
        guard !body.anchorsArePinnedKeys else { return }
        for set in policy.anchorSets(of: body) where set.canEndPaths {
            for group in set.groups {
                // Of the certificates of an administrator Chrome takes only CAs.
                guard case .members(let members) = group.source, group.kind != .leaf else {
                    continue
                }
                var permitted = hosts
                for constraints in group.constraints where !constraints.permittedNames.isEmpty {
                    let own = PermittedHosts(constraints.permittedNames.map(\.host))
                    permitted = permitted.map { $0.intersection(own) } ?? own
                }
                for member in members { add(member, permitted) }
            }
        }
    }

    private mutating func add(_ member: [UInt8], _ permitted: PermittedHosts?) {
        if let permitted, permitted.hosts.isEmpty { return }
        if names[member] == nil { order.append(member) }
        switch (names[member], permitted) {
        case (.all?, _), (_, nil): names[member] = .all
        case (.listed(let known)?, let more?):
            names[member] = .listed(PermittedHosts(known.hosts.union(more.hosts)))
        case (nil, let more?): names[member] = .listed(more)
        }
    }

    // MARK: Text

    private var text: String {
        let marks = ExportMark.lines(policy).map { "// \($0)\n" }
        let plain = order.compactMap { member -> JSONValue? in
            guard case .all? = names[member] else { return nil }
            return .string(Base64.encode(member))
        }
        let constrained = order.compactMap { member -> JSONValue? in
            guard case .listed(let permitted)? = names[member] else { return nil }
            return Self.entry(member, permitted.hosts)
        }
        let lists = [
            (ChromeEnterpriseFile.plainKey, plain),
            (ChromeEnterpriseFile.constrainedKey, constrained),
        ]
        let document = JSONValue.members(
            lists.filter { !$0.1.isEmpty }.map { ($0.0, .array($0.1)) })
        return marks.joined() + document.render(.pretty) + "\n"
    }

    /// An entry with its constraints. A list that would be empty permits every name of its type, so
    /// it gets a name that no server has.
    private static func entry(
        _ member: [UInt8], _ hosts: Set<HostPattern.Host>
    ) -> JSONValue {
        var (dns, networks): (Set<String>, Set<String>) = ([], [])
        for host in hosts {
            switch host {
            case .name(let name): dns.insert(name)
            case .oneLabel(let base), .anyLabels(let base): dns.insert(".\(base)")
            case .address(let address):
                networks.insert("\(address.description)/\(address.bitCount)")
            case .network(let network, let prefix):
                networks.insert("\(network.description)/\(prefix)")
            }
        }
        // A name permits all below it, too.
        dns = dns.filter { name in
            !name.hasPrefix(".") || !dns.contains(String(name.dropFirst()))
        }
        if dns.isEmpty { dns = [ChromeEnterpriseFile.noName] }
        let everyAddress: Set<String> = ["0.0.0.0/0", "::/0"]
        if networks.isEmpty { networks = [ChromeEnterpriseFile.noNetwork] }
        let permitsEveryAddress = everyAddress.isSubset(of: networks)
        return .object([
            "certificate": Base64.encode(member),
            "constraints": JSONValue.object([
                "permitted_cidrs": permitsEveryAddress ? nil : JSONValue.strings(networks.sorted()),
                "permitted_dns_names": JSONValue.strings(dns.sorted()),
            ]),
        ])
    }
}
