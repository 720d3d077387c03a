/// The behaviours of a table's rules where no engine is made. The machine's store is one authority
/// that is not looked into, and a registered check is its name.
package struct PolicyBehaviours: RuleBehaviours {
    package let table: PolicyTable
    /// The meaning of the table. The rules are without their hosts.
    package let contents: PolicyContents
    private let sets: TrustedSets
    private let time: UTCInstant

    /// Reads a table. Exceptions that have ended before `time` are left out of the behaviours.
    /// Cost: linear in the table.
    package init(_ table: PolicyTable, since time: UTCInstant) {
        self.table = table
        self.time = time
        contents = table.contents(listsHosts: false)
        sets = TrustedSets(
            anchorSets: contents.anchorSets, pinSets: contents.pinSets,
            logLists: contents.logLists)
    }

    /// The body of a rule by its index. `DecidingBehaviours.byDefault` is the index of `default`;
    /// nil where `default` denies.
    package func body(of index: Int) -> RuleBody? {
        guard index == DecidingBehaviours.byDefault else { return contents.rules[index].body }
        guard case .body(let fallback) = contents.defaultRule else { return nil }
        return fallback
    }

    /// The behaviour of a rule by its index; `DecidingBehaviours.byDefault` is the index of
    /// `default`.
    package func behaviour(of index: Int) -> Behaviour {
        guard let body = body(of: index) else { return .deny }
        return behaviour(ofBody: body)
    }

    /// The behaviour of a body that names the table's sets.
    package func behaviour(ofBody body: RuleBody) -> Behaviour {
        var behaviour = sets.behaviour(of: body)
        behaviour.exceptions = behaviour.exceptions.filter {
            DatedTerm.isInForce(until: $0.until, at: time)
        }
        behaviour.since = time
        behaviour.isOfFormat1 = table.isOfFormat1
        behaviour.algorithms = table.baselineAlgorithms
        return .body(behaviour)
    }

    /// The members of anchor sets, by the ids of the sets.
    package func members(of anchorSets: [String]) -> TrustedMembers { sets.trusted(anchorSets) }
}
