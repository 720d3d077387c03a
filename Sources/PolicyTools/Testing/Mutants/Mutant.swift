import Rendering
package import TrustEngine

/// A policy with one mistake in it, by which it accepts something that it should not.
package struct Mutant: Sendable {
    /// The mistake, for a sentence that ends with it: "`payments` loses its pins".
    package let change: String
    /// Where the policy writes what the mistake changes.
    package let location: Provenance.Location?
    /// A host and a port that the mistake is about, and an instant at which it accepts more.
    package let witness: PolicyDiff.Witness
    package let time: UTCInstant
    private let contents: PolicyContents

    init(
        _ mutation: Mutation, witness: PolicyDiff.Witness, time: UTCInstant
    ) {
        change = mutation.change
        location = mutation.location
        contents = mutation.contents
        self.witness = witness
        self.time = time
    }

    /// The policy with the mistake. It has no places.
    package func table(crypto: some CryptoBackend) -> PolicyTable {
        PolicyTable.encode(contents, provenance: nil, crypto: crypto)
    }
}

/// A change of a policy. Nothing is known of its effect.
struct Mutation: Sendable {
    let change: String
    let location: Provenance.Location?
    let contents: PolicyContents
}

/// Every mutant of a policy, in the order of the policy's lines.
package struct Mutants: Sendable {
    /// The mutants that accept something which the policy refuses.
    package let list: [Mutant]
    /// How many changes are left out, because the policy with the change decides every host as
    /// before.
    package let equal: Int
    /// How many changes were not looked at, because a policy has too many.
    package let omitted: Int
    /// The most changes of a policy that are looked at. Each costs a comparison of all classes, and
    /// a run of all cases.
    package static let most = 5000

    /// Makes the mutants of a policy.
    ///
    /// - Parameter since: the earliest clock of the tests; what ended before is not changed.
    /// - Throws: `AnswerFailure` where there are too many classes of hosts, or where no host of a
    ///   class is decided as was found.
    ///
    /// Cost: linear in the patterns for each change.
    package init(
        _ table: PolicyTable, since: UTCInstant, crypto: some CryptoBackend
    ) throws(AnswerFailure) {
        let maker = MutationMaker(table)
        let all = maker.all(since: since)
        var judge = MutationJudge(table, since: since)
        var (list, equal): ([Mutant], Int) = ([], 0)
        for mutation in all.prefix(Mutants.most) {
            let mutated = PolicyTable.encode(mutation.contents, provenance: nil, crypto: crypto)
            switch try judge.judge(mutated) {
            case .equal: equal += 1
            case .stricter: continue
            case .accepts(let witness, let time):
                list.append(Mutant(mutation, witness: witness, time: time))
            }
        }
        self.list = list
        self.equal = equal
        omitted = max(0, all.count - Mutants.most)
    }
}
