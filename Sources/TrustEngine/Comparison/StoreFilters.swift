/// The `only` and `exclude` of all anchor sets between the machine's store and a rule. They are
/// compared by the members that they keep of any store.
///
/// A certificate has one digest of each kind: of its key or of itself, by each algorithm. So a
/// filter that keeps only some keys also removes every other key. A certificate whose key is not in
/// its canonical encoding has two digests of its key, and a digest does not show this. So a policy
/// that names both encodings of one key by digests is compared as if they were two keys.
struct StoreFilters {
    private struct DigestKind: Hashable {
        let kind: KeyMatch.Kind
        let algorithm: DigestAlgorithm

        init(_ match: KeyMatch) {
            kind = match.kind
            algorithm = match.digest.algorithm
        }
    }

    /// The lists of `only`. A member must be in every one.
    private let only: [[KeyMatch]]
    private let exclude: Set<KeyMatch>

    init(_ filters: [AnchorFilter]) {
        only = filters.compactMap(\.only)
        exclude = Set(filters.flatMap(\.exclude))
    }

    /// Whether these filters keep no member of any store, as two lists of `only` do that name
    /// different certificates.
    var keepNothing: Bool { !keepsSome(avoiding: []) }

    /// Whether every member that these filters keep of a store is in a list of `only`.
    func liesIn(only list: [KeyMatch]) -> Bool { !keepsSome(avoiding: Set(list)) }

    /// Whether these filters keep no member that an entry of `exclude` matches.
    func liesOutside(_ match: KeyMatch) -> Bool {
        exclude.contains(match) || !keepsSome([DigestKind(match): match], avoiding: [])
    }

    /// Whether there can be a member that these filters keep, that has the given digests, and that
    /// no match of `avoided` matches. A digest of another kind may be of any value, so the answer
    /// can be true where no such certificate exists.
    private func keepsSome(
        _ given: [DigestKind: KeyMatch] = [:], avoiding avoided: Set<KeyMatch>
    ) -> Bool {
        // Each state has a digest of every kind that was chosen so far, and the number of lists of
        // `only` that these digests meet.
        var states = [(chosen: given, met: 0)]
        var steps = 0
        while let state = states.popLast() {
            guard state.met < only.count else { return true }
            let list = only[state.met]
            if list.contains(where: { state.chosen[DigestKind($0)] == $0 }) {
                states.append((state.chosen, state.met + 1))
                continue
            }
            for match in list
            where state.chosen[DigestKind(match)] == nil && !exclude.contains(match)
                && !avoided.contains(match)
            {
                steps += 1
                guard steps < StoreFilters.mostSteps else { return true }
                var chosen = state.chosen
                chosen[DigestKind(match)] = match
                states.append((chosen, state.met + 1))
            }
        }
        return false
    }

    /// The most digests that are tried. Filters in use have a few lists of digests of one kind.
    private static let mostSteps = 10_000
}
