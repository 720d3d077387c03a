import TrustEngine

/// Compares a policy with its mutants by the one order, over every class of hosts and every
/// interval of time.
struct MutationJudge {
    enum Judgement {
        /// Every host is decided as before.
        case equal
        /// Nothing is accepted that was not.
        case stricter
        /// Something may be accepted that was not: of this host, from this instant on.
        case accepts(PolicyDiff.Witness, UTCInstant)
    }

    private struct Pair: Hashable {
        let policy: Int
        let mutant: Int
    }

    private let table: PolicyTable
    private let behaviours: PolicyBehaviours
    private let since: UTCInstant
    private let order = BehaviourOrder()

    init(_ table: PolicyTable, since: UTCInstant) {
        self.table = table
        self.since = since
        behaviours = PolicyBehaviours(table, since: since)
    }

    mutating func judge(_ mutant: PolicyTable) throws(AnswerFailure) -> Judgement {
        guard mutant.policyDigest != table.policyDigest else { return .equal }
        let mutated = PolicyBehaviours(mutant, since: since)
        let hosts = HostClasses([table, mutant])
        let classes = try hosts.everyClass()
        var known: [Pair: [DatedComparison]] = [:]
        var isEqual = true
        // A weaker class says more than an incomparable one.
        var found: (hosts: HostClass, time: UTCInstant, isWeaker: Bool)?
        for one in classes {
            let pair = Pair(policy: one.deciders[0], mutant: one.deciders[1])
            let timeline =
                known[pair]
                ?? order.timeline(
                    mutated.behaviour(of: pair.mutant), behaviours.behaviour(of: pair.policy),
                    since: since)
            known[pair] = timeline
            for interval in timeline where interval.comparison.relation != .equal {
                isEqual = false
                guard !interval.comparison.relation.isNoWeaker else { continue }
                let isWeaker = interval.comparison.direction == .weaker
                if found == nil || isWeaker && found?.isWeaker == false {
                    found = (one, interval.from, isWeaker)
                }
            }
        }
        guard let found else { return isEqual ? .equal : .stricter }
        guard let witness = hosts.witness(found.hosts) else {
            throw AnswerFailure(
                "no host of `\(found.hosts.text)` is decided as was found; "
                    + "this is a fault of hawser", isOurs: true)
        }
        return .accepts(PolicyDiff.Witness(host: witness.host, port: witness.port), found.time)
    }
}
