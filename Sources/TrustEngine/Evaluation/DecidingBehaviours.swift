/// The behaviours of an engine's rules. A behaviour contains the contents that its rule refers to:
/// anchors, pins, requirements. Each behaviour is made at the first call that needs it.
package struct DecidingBehaviours: RuleBehaviours {
    /// The engine's table.
    package let table: PolicyTable
    private let engine: Engine
    private var behaviours: [Int: Behaviour] = [:]
    /// The trusted members of anchor sets, by the indices of the sets. Many rules trust the same
    /// sets, so the members are made once.
    private var trusted: [[Int]: TrustedMembers] = [:]
    /// The indices of the engine's anchors in each set.
    private let anchors: [[Int]]

    /// The index that stands for `default` in place of a rule's index.
    package static let byDefault = HostClass.byDefault

    /// Prepares the behaviours of an engine. Cost: linear in the engine's anchors.
    package init(_ engine: Engine) {
        self.engine = engine
        table = engine.table
        var anchors = [[Int]](repeating: [], count: engine.setIDs.count)
        for (index, anchor) in engine.anchors.anchors.enumerated() {
            anchors[anchor.set].append(index)
        }
        self.anchors = anchors
    }

    /// The behaviour of the rule with an index, for every validation time: it contains the waivers
    /// and report modes with their dates.
    package mutating func behaviour(of index: Int) -> Behaviour {
        if index == DecidingBehaviours.byDefault, table.deniesByDefault { return .deny }
        if let behaviour = behaviours[index] { return behaviour }
        let rule = table.rule(at: index == DecidingBehaviours.byDefault ? table.ruleCount : index)
        let behaviour = Behaviour.body(body(of: rule))
        behaviours[index] = behaviour
        return behaviour
    }

    private mutating func body(of rule: RuleRecord) -> BehaviourBody {
        // Anchors that come from pinned keys have no sets here: they are compared as pins.
        let sets = rule.anchorsArePinnedKeys ? [] : Array(engine.setsTrusted(by: rule))
        var body = BehaviourBody(
            anchors: members(of: sets), anchorNames: engine.idsOfSets(trustedBy: rule),
            anchorsArePinnedKeys: rule.anchorsArePinnedKeys,
            pins: (0..<Int(rule.pins.count)).map {
                PinDemand(table.pinSetContents(at: table.index(rule.pins, $0)))
            }, requirements: engine.requirements(of: rule),
            logList: engine.logList(of: rule).map { LogListTerms($0) },
            identity: table.identity(at: Int(rule.identity)),
            waivers: (0..<Int(rule.waivers.count)).map { table.waiver(rule, $0) },
            reportOnly: (0..<Int(rule.reportModes.count)).map { table.reportMode(rule, $0) })
        body.isOfFormat1 = table.isOfFormat1
        body.algorithms = table.baselineAlgorithms
        return body
    }

    private mutating func members(of sets: [Int]) -> TrustedMembers {
        if let known = trusted[sets] { return known }
        let members = sets.flatMap { anchors[$0] }.map { index in
            let anchor = engine.anchors.anchors[index]
            return TrustedMember(
                anchor, set: engine.setIDs[anchor.set],
                constraints: engine.anchorConstraints[anchor.group])
        }
        let own = Set(sets)
        var repeated: [Int: Set<[UInt8]>] = [:]
        func offers(_ set: Int, _ certificate: Certificate) -> Bool {
            guard own.contains(set) else { return false }
            let known =
                repeated[set]
                ?? TrustedMember.repeatable(members.filter { $0.set == engine.setIDs[set] })
            repeated[set] = known
            return !known.contains(certificate.der)
        }
        let offered = engine.offered.entries.filter { entry in
            entry.sets.contains { offers($0, entry.certificate) }
        }
        let made = TrustedMembers(members, offered: Set(offered.map(\.certificate.der)))
        trusted[sets] = made
        return made
    }
}
