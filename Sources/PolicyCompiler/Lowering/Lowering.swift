package import TrustEngine

/// Turns a checked policy into the values that a table is made of. It cannot fail: whatever could
/// fail was a check. The values depend only on the policy's meaning, so everything is sorted and
/// joined here, and nothing depends on files, order or spelling.
package enum Lowering {
    /// The sections of the table of a policy, but for its provenance. Rules are lowered one after
    /// the other, each when it is written.
    static func sections(of policy: CheckedPolicy) -> TableSections {
        let sets = sets(of: policy)
        var encoder = TableEncoder(anchorSets: sets.anchors, pinSets: sets.pins)
        var namedLists: Set<Digest> = []
        for rule in rules(of: policy) {
            encoder.add(rule)
            if let digest = logList(of: rule.body) { namedLists.insert(digest) }
        }
        if let body = defaultBody(of: policy) {
            encoder.addDefault(body)
            if let digest = logList(of: body) { namedLists.insert(digest) }
        }
        return encoder.sections(logLists: logLists(of: policy, named: namedLists))
    }

    /// The sets of a policy, sorted by id.
    package static func sets(
        of policy: CheckedPolicy
    ) -> (anchors: [AnchorSetContents], pins: [PinSetContents]) {
        let bound = policy.bound
        var anchorSets = bound.anchorSets.map { anchorSet($0, policy.anchorSets) }
        if bound.bodies.contains(where: { anchors(of: $0).contains("system") }) {
            anchorSets.append(.system)
        }
        let anchoring = Set(
            bound.bodies.filter { $0.pinnedKeys != nil }
                .flatMap { ($0.pins?.items ?? []).map(\.value) })
        let pinSets = bound.pinSets.map { pinSet($0, isAnchor: anchoring.contains($0.id.value)) }
        return (anchorSets.sorted { $0.id < $1.id }, pinSets.sorted { $0.id < $1.id })
    }

    /// The rules of a policy, sorted by id. Each is made when it is asked for.
    package static func rules(
        of policy: CheckedPolicy
    ) -> LazyMapSequence<[Int], RuleContents> {
        WrittenThings(policy).sorted(.rules).lazy
            .map { rule(policy.bound.rules[$0], policy.layers) }
    }

    /// The body of `default`; nil for `deny`.
    package static func defaultBody(of policy: CheckedPolicy) -> RuleBody? {
        policy.defaultAction.body.map { body($0, policy.layers) }
    }

    /// The log list that a rule names, in its own fields or through its layers.
    package static func logList(of body: RuleBody) -> Digest? {
        body.sharedRequirements.value.transparency.logList
    }

    /// The log lists of a policy that are named, sorted by digest.
    package static func logLists(
        of policy: CheckedPolicy, named: Set<Digest>
    ) -> [LogListContents] {
        policy.bound.logLists.filter { named.contains($0.key) }
            .map { LogListContents(digest: $0.key, bytes: $0.value) }
            .sorted { $0.digest.bytes.lexicographicallyPrecedes($1.digest.bytes) }
    }

    /// The ids of the sets that a rule trusts; empty if its pinned keys are its anchors.
    private static func anchors(of body: BoundBody) -> [String] {
        body.pinnedKeys == nil ? unique(body.anchors?.items ?? []) : []
    }

    /// The values sorted, each once.
    private static func unique<Value: Hashable & Comparable>(
        _ values: [Located<Value>]
    ) -> [Value] {
        values.count < 2 ? values.map(\.value) : Set(values.map(\.value)).sorted()
    }

    private static func rule(_ rule: BoundRule, _ layers: ProfileLayers) -> RuleContents {
        var hosts = rule.hosts
        // Equal patterns have equal texts.
        if hosts.count > 1 { hosts.sort { $0.text < $1.text } }
        var patterns: [HostPattern] = []
        patterns.reserveCapacity(hosts.count)
        var last: HostPattern?
        for host in hosts where last != host.pattern {
            patterns.append(host.pattern)
            last = host.pattern
        }
        return RuleContents(
            id: rule.id.value, hosts: patterns, body: body(rule.body, layers))
    }

    /// The body of a rule or of `default`, flattened.
    static func body(_ body: BoundBody, _ layers: ProfileLayers) -> RuleBody {
        let requirements = layers.flatten(body.fields, over: body.profile?.value).requirements
        return RuleBody(
            anchors: anchors(of: body), anchorsArePinnedKeys: body.pinnedKeys != nil,
            pins: unique(body.pins?.items ?? []),
            profile: body.profile?.value ?? "baseline",
            sharing: requirements, identity: identity(body.identity),
            reportOnly: layers.reportedChecks(
                of: body.fields, named: body.name, over: body.profile?.value,
                checks: requirements.value.checks),
            waivers: body.waivers.compactMap(\.waiver).sorted {
                $0.tolerance.number < $1.tolerance.number
            },
            owner: body.owner?.value, note: body.note?.value)
    }

    private static func identity(_ identity: BoundIdentity?) -> IdentityRequirement {
        guard let identity else { return IdentityRequirement() }
        let addresses = Set(identity.ip.map(\.value)).map { (text: $0.description, address: $0) }
        return IdentityRequirement(
            reference: identity.reference?.value ?? .host, dns: unique(identity.dns),
            ip: addresses.sorted { $0.text < $1.text }.map(\.address),
            email: unique(identity.email), uri: unique(identity.uri))
    }

    static func anchorSet(
        _ set: BoundAnchorSet, _ resolved: ResolvedAnchorSets
    ) -> AnchorSetContents {
        let resolution = resolved[set.id.value]
        return AnchorSetContents(
            id: set.id.value, groups: (resolution?.groups ?? []).map { group($0) },
            intermediates: sorted(resolution?.intermediates ?? []),
            owner: set.owner?.value, note: set.note?.value)
    }

    private static func group(_ group: ResolvedAnchorSets.Group) -> AnchorGroup {
        AnchorGroup(
            source: group.isSystem ? .system : .members(sorted(group.members.map(\.der))),
            kind: group.kind, standard: group.standard, ignoredLimits: group.ignoredLimits,
            constraints: Array(group.constraints), filters: Array(group.filters))
    }

    /// Certificates sorted by their octets, each once.
    private static func sorted(_ certificates: some Sequence<[UInt8]>) -> [[UInt8]] {
        Set(certificates).sorted { $0.lexicographicallyPrecedes($1) }
    }

    static func pinSet(_ set: BoundPinSet, isAnchor: Bool) -> PinSetContents {
        PinSetContents(
            id: set.id.value, keys: pins(set.keys, isAnchor), backups: pins(set.backups, isAnchor),
            match: match(set), warnFrom: set.warnFrom?.value, enforceUntil: set.enforceUntil?.value,
            onExpiry: set.onExpiry?.value ?? .fail, owner: set.owner?.value, note: set.note?.value)
    }

    /// The pins of one map. If pinned keys are anchors, the certificates of the pin files are kept:
    /// a path can end at a certificate that the peer did not send.
    private static func pins(_ pins: [BoundPin], _ isAnchor: Bool) -> [PinContents] {
        pins.map { pin in
            PinContents(
                id: pin.id.value, matches: pin.key.matches, position: pin.position,
                certificates: isAnchor ? sorted(pin.key.certificates.map(\.der)) : [],
                note: pin.note?.value)
        }.sorted { $0.id < $1.id }
    }

    private static func match(_ set: BoundPinSet) -> Int {
        switch set.match?.value {
        case nil, .any: return 1
        case .all: return set.keys.count
        case .count(let count): return count
        }
    }
}
