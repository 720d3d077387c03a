/// The behaviours of a table's rules, for comparison. Without an engine the machine's store is one
/// authority that is not looked into, and a registered check is its name.
package struct PolicyBehaviours {
    package let table: PolicyTable
    /// The meaning of the table. The rules are without their hosts.
    package let contents: PolicyContents
    private let sets: TrustedSets
    /// Exceptions that have ended before this instant are left out; nil for none.
    private let since: UTCInstant?

    /// Reads a table. Exceptions that have ended before `time` are left out of the behaviours.
    /// Cost: linear in the table.
    package init(_ table: PolicyTable, since time: UTCInstant) {
        self.table = table
        since = time
        contents = table.contents(listsHosts: false)
        sets = TrustedSets(
            anchorSets: contents.anchorSets, pinSets: contents.pinSets,
            logLists: contents.logLists)
    }

    /// Reads the table of an engine. The behaviours hold for every validation time, and contain the
    /// machine's store and the log lists that the engine has. Cost: linear in the table and the
    /// engine's anchors.
    package init(_ engine: Engine) {
        table = engine.table
        since = nil
        contents = table.contents(listsHosts: false)
        sets = TrustedSets(engine, pinSets: contents.pinSets)
    }

    /// The body of a rule by its index. `HostClass.byDefault` gives the body of `default`; nil if
    /// `default` denies.
    package func body(of index: Int) -> RuleBody? {
        guard index == HostClass.byDefault else { return contents.rules[index].body }
        guard case .body(let fallback) = contents.defaultRule else { return nil }
        return fallback
    }

    /// The behaviour of a rule by its index. `HostClass.byDefault` gives the behaviour of
    /// `default`.
    package func behaviour(of index: Int) -> Behaviour {
        guard let body = body(of: index) else { return .deny }
        return behaviour(ofBody: body)
    }

    /// The behaviour of a body that names the table's sets.
    package func behaviour(ofBody body: RuleBody) -> Behaviour {
        var behaviour = sets.behaviour(of: body)
        if let since {
            behaviour.exceptions = behaviour.exceptions.filter {
                DatedTerm.isInForce(until: $0.until, at: since)
            }
        }
        behaviour.since = since
        return .body(behaviour)
    }

    /// The members of anchor sets, by the ids of the sets.
    package func members(of anchorSets: [String]) -> TrustedMembers { sets.trusted(anchorSets) }
}

extension TrustedSets {
    /// Reads the anchor sets and the log lists that an engine has prepared. Cost: linear in its
    /// anchors.
    fileprivate convenience init(_ engine: Engine, pinSets: [PinSetContents]) {
        let ids = engine.setIDs.prefix(engine.table.anchorSetCount)
        var members: [String: [TrustedMember]] = [:]
        for anchor in engine.anchors.anchors where ids.indices.contains(anchor.set) {
            let id = ids[anchor.set]
            members[id, default: []].append(
                TrustedMember(
                    anchor, set: id, constraints: engine.anchorConstraints[anchor.group]))
        }
        var intermediates: [String: [[UInt8]]] = [:]
        for offer in engine.offered.entries {
            for set in offer.sets where ids.indices.contains(set) {
                intermediates[ids[set], default: []].append(offer.certificate.der)
            }
        }
        self.init(
            members: members, intermediates: intermediates, pinSets: pinSets,
            logLists: engine.logLists.mapValues { LogListTerms($0) })
    }
}
