/// The behaviours of an engine's rules with everything that they refer to, made when they are asked
/// for.
package struct DecidingBehaviours {
    /// The engine's table.
    package let table: PolicyTable
    private let engine: Engine
    private var behaviours: [Int: Behaviour] = [:]
    /// What rules trust, by the places of their sets: many have the same.
    private var trusted: [[Int]: TrustedMembers] = [:]
    /// Positions of the engine's anchors by set.
    private let anchors: [[Int]]

    /// Stands for `default` where the index of a rule is asked for.
    package static let byDefault = -1

    /// The behaviours of an engine. Cost: linear in its anchors.
    package init(_ engine: Engine) {
        self.engine = engine
        table = engine.table
        var anchors = [[Int]](repeating: [], count: engine.setIDs.count)
        for (index, anchor) in engine.anchors.anchors.enumerated() {
            anchors[anchor.set].append(index)
        }
        self.anchors = anchors
    }

    /// What decides under the rule with an index, for all time.
    package mutating func behaviour(of index: Int) -> Behaviour {
        if index == DecidingBehaviours.byDefault, table.deniesByDefault { return .deny }
        if let behaviour = behaviours[index] { return behaviour }
        let rule = table.rule(at: index == DecidingBehaviours.byDefault ? table.ruleCount : index)
        let behaviour = Behaviour.body(body(of: rule))
        behaviours[index] = behaviour
        return behaviour
    }

    private mutating func body(of rule: RuleRecord) -> BehaviourBody {
        // What pinned keys make anchors is compared as pins.
        let sets = rule.anchorsArePinnedKeys ? [] : engine.setsTrusted(by: rule)
        return BehaviourBody(
            anchors: members(of: sets), anchorNames: engine.idsOfSets(trustedBy: rule),
            anchorsArePinnedKeys: rule.anchorsArePinnedKeys,
            pins: (0..<Int(rule.pins.count)).map {
                PinDemand(table.pinSetContents(at: table.index(rule.pins, $0)))
            }, requirements: engine.requirements[Int(rule.requirements)],
            logList: engine.logList(of: rule)?.digest,
            identity: table.identity(at: Int(rule.identity)),
            waivers: (0..<Int(rule.waivers.count)).map { table.waiver(rule, $0) },
            reportOnly: (0..<Int(rule.reportModes.count)).map { table.reportMode(rule, $0) })
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
        let offered = engine.offered.entries.filter { !own.isDisjoint(with: $0.sets) }
        let made = TrustedMembers(members, offered: Set(offered.map(\.certificate.der)))
        trusted[sets] = made
        return made
    }
}
