import TrustEngine

/// Tables in which each rule has only the anchor sets that can vouch for its hosts.
///
/// A set with `permitted-names` accepts a certificate only if it permits all names of the
/// certificate, and a certificate that is accepted for a host has the name of the host. So the set
/// decides nothing for other hosts. The order of behaviours compares rules without their hosts and
/// would count the set for all of them.
enum VouchedHosts {
    /// A rule of the new table: a rule or `default` of the old table, and the sets that it keeps.
    private struct Part: Hashable {
        let decider: Int
        let anchors: [String]
    }

    /// The table with a rule for each class of hosts for which other sets can vouch.
    ///
    /// - Throws: where the patterns part the hosts into too many classes.
    static func table(
        _ table: PolicyTable, crypto: any CryptoBackend
    ) throws(AnswerFailure) -> PolicyTable {
        let contents = table.contents()
        let permitted = Set(
            contents.anchorSets.flatMap(\.groups).flatMap(\.constraints)
                .flatMap(\.permittedNames))
        guard !permitted.isEmpty else { return table }
        let mask = HostMask.table(permitted.sorted(), crypto: crypto)
        let sets = Dictionary(contents.anchorSets.map { ($0.id, $0) }) { first, _ in first }
        var fallback = contents.defaultRule
        var order: [Part] = []
        var hosts: [Part: Set<HostPattern>] = [:]
        for hostClass in try HostClasses([table, mask]).everyClass() {
            guard var body = body(hostClass.deciders[0], contents) else { continue }
            body.anchors = vouching(body, for: hostClass.pattern, sets)
            guard let pattern = hostClass.pattern else {
                fallback = .body(body)
                continue
            }
            let part = Part(decider: hostClass.deciders[0], anchors: body.anchors)
            if hosts[part] == nil { order.append(part) }
            hosts[part, default: []].insert(
                HostPattern(host: pattern.host, port: hostClass.port ?? pattern.port))
        }
        var rules: [RuleContents] = []
        var sources: [(id: String, pointer: String)] = []
        var ids = Set(contents.rules.map(\.id))
        var seen: Set<Int> = []
        for part in order {
            guard var body = body(part.decider, contents) else { continue }
            body.anchors = part.anchors
            let isDefault = part.decider == HostClass.byDefault
            let own = isDefault ? "default" : contents.rules[part.decider].id
            var id = own
            if isDefault || !seen.insert(part.decider).inserted {
                var number = 2
                while !ids.insert("\(own)-\(number)").inserted { number += 1 }
                id = "\(own)-\(number)"
                sources.append((id, isDefault ? "/default" : "/rules/\(own)"))
            }
            rules.append(
                RuleContents(id: id, hosts: (hosts[part] ?? []).sorted(), body: body))
        }
        return PolicyTable.encode(
            PolicyContents(
                defaultRule: fallback, rules: rules.sorted { $0.id < $1.id },
                anchorSets: contents.anchorSets, pinSets: contents.pinSets,
                logLists: contents.logLists),
            provenance: places(table.provenance(), sources), crypto: crypto)
    }

    private static func body(_ decider: Int, _ contents: PolicyContents) -> RuleBody? {
        if decider != HostClass.byDefault { return contents.rules[decider].body }
        guard case .body(let body) = contents.defaultRule else { return nil }
        return body
    }

    /// The ids of a body's sets that can vouch for the hosts of a pattern. Without a pattern, for
    /// the hosts that no pattern matches. All sets are returned if none can vouch, and if a
    /// certificate need not have the name of the host.
    private static func vouching(
        _ body: RuleBody, for pattern: HostPattern?, _ sets: [String: AnchorSetContents]
    ) -> [String] {
        let isChecked =
            body.identity.reference == .host && body.reportOnly.isEmpty
            && !body.waivers.contains { $0.tolerance == .identity || $0.tolerance == .path }
        guard isChecked else { return body.anchors }
        let able = body.anchors.filter { id in
            sets[id].map { canVouch($0, for: pattern) } ?? true
        }
        return able.isEmpty ? body.anchors : able
    }

    private static func canVouch(_ set: AnchorSetContents, for pattern: HostPattern?) -> Bool {
        let hosts = pattern.map { HostPattern(host: $0.host, port: nil) }
        return set.groups.contains { group in
            group.constraints.allSatisfy { constraints in
                constraints.permittedNames.isEmpty
                    || constraints.permittedNames.contains { name in
                        hosts.map { name.covers($0) } ?? false
                    }
            }
        }
    }

    /// The places of a table. Each part of a rule has the places of the rule.
    private static func places(
        _ provenance: Provenance?, _ sources: [(id: String, pointer: String)]
    ) -> Provenance? {
        guard var provenance, !sources.isEmpty else { return provenance }
        let wanted = Set(sources.map(\.pointer))
        var found: [String: [(rest: Substring, place: Provenance.Location)]] = [:]
        for (pointer, place) in provenance.locations {
            let isRule = pointer.hasPrefix("/rules/")
            let names = pointer.split(separator: "/", maxSplits: isRule ? 2 : 1)
            guard names.count >= (isRule ? 2 : 1) else { continue }
            let owner = isRule ? "/rules/\(names[1])" : "/\(names[0])"
            guard wanted.contains(owner) else { continue }
            found[owner, default: []].append((pointer.dropFirst(owner.count), place))
        }
        for (id, pointer) in sources {
            for (rest, place) in found[pointer] ?? [] {
                provenance.locations["/rules/\(id)\(rest)"] = place
            }
        }
        return provenance
    }
}
