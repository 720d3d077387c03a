import Rendering
import TrustEngine

/// What only a rule writes: its sets, its identity, its hosts, and the rule itself.
extension MutationMaker {
    func ofRule(_ index: Int) -> [Mutation] {
        guard let body = body(index) else { return [] }
        let rule = places.rule(index)
        var made: [Mutation] = []
        let pins = rule.origin(of: "pins")?.location
        // The pinned keys may be the rule's only anchors.
        for id in body.pins where body.pins.count > 1 || !body.anchorsArePinnedKeys {
            let change =
                body.pins.count == 1
                ? "\(name(index)) loses its pins" : "\(name(index)) loses its pins `\(id)`"
            made.append(
                mutation(change, pins, changed([index]) { $0.pins.removeAll { $0 == id } }))
        }
        if let id = stranger(to: body) {
            made.append(
                mutation(
                    "\(name(index)) also trusts `\(id)`", rule.origin(of: "anchors")?.location,
                    changed([index]) { body in
                        body.anchorsArePinnedKeys = false
                        body.anchors = (body.anchors + [id]).sorted()
                    }))
        }
        for reference in weakerReferences(than: body.identity) {
            made.append(
                mutation(
                    "\(name(index)) has `identity.reference: \(reference.name)` in place of "
                        + "`\(body.identity.reference.name)`",
                    rule.origin(of: "identity.reference")?.location,
                    changed([index]) { body in
                        // Names are listed only where one of them is demanded.
                        if reference == .host { body.identity = IdentityRequirement() }
                        body.identity.reference = reference
                    }))
        }
        return made
    }

    /// An anchor set that a rule does not trust: `system` where the policy names it, otherwise the
    /// first one by id. A policy without `system` needs no machine's store, so it is not made to
    /// need one.
    private func stranger(to body: RuleBody) -> String? {
        let others = contents.anchorSets.map(\.id).filter { !body.anchors.contains($0) }
        let system = AnchorSetContents.system.id
        return others.contains(system) ? system : others.first
    }

    private func weakerReferences(
        than identity: IdentityRequirement
    ) -> [IdentityRequirement.Reference] {
        switch identity.reference {
        case .host: return []
        case .listed: return [.host]
        case .hostAndListed: return [.host, .listed]
        }
    }

    // MARK: Hosts

    func ofHosts(_ index: Int) -> [Mutation] {
        let rule = contents.rules[index]
        let place = places.rule(index)
        var without = contents
        without.rules.remove(at: index)
        var made = [mutation("rule \(name(index)) is gone", place.location, without)]
        let taken = Set(contents.rules.flatMap(\.hosts))
        for pattern in rule.hosts {
            let location = place.place(of: pattern)
            func replaced(by other: HostPattern?) -> PolicyContents {
                var contents = contents
                let rest = rule.hosts.filter { $0 != pattern } + [other].compactMap { $0 }
                contents.rules[index].hosts = rest.sorted { $0.canonicalText < $1.canonicalText }
                return contents
            }
            if rule.hosts.count > 1 {
                made.append(
                    mutation(
                        "\(name(index)) loses its hosts `\(pattern.canonicalText)`", location,
                        replaced(by: nil)))
            }
            guard let wider = MutationMaker.wider(pattern), !taken.contains(wider) else { continue }
            made.append(
                mutation(
                    "\(name(index)) has the hosts `\(wider.canonicalText)` in place of "
                        + "`\(pattern.canonicalText)`", location, replaced(by: wider)))
        }
        return made
    }

    /// The next wider pattern: `**.` for `*.`, and every port for one.
    private static func wider(_ pattern: HostPattern) -> HostPattern? {
        if case .oneLabel(let base) = pattern.host {
            return HostPattern(host: .anyLabels(base: base), port: pattern.port)
        }
        return pattern.port == nil ? nil : HostPattern(host: pattern.host, port: nil)
    }

    // MARK: The default

    /// `default: deny` becomes a body with the demands of the baseline.
    func ofDefault() -> [Mutation] {
        guard contents.defaultRule == .deny, let anchors = anchorsForDefault() else { return [] }
        var loosened = contents
        loosened.defaultRule = .body(
            RuleBody(
                anchors: [anchors], pins: [], profile: BuiltInProfile.baseline.rawValue,
                requirements: .baseline, identity: IdentityRequirement(), waivers: [], owner: nil,
                note: nil))
        return [
            mutation(
                "`default` trusts `\(anchors)` and no longer denies", exact("/default"), loosened)
        ]
    }

    private func anchorsForDefault() -> String? {
        let ids = contents.anchorSets.map(\.id)
        let system = AnchorSetContents.system.id
        return ids.contains(system) ? system : ids.first
    }
}
