internal import TrustEngine

/// Checks that a path can end at one anchor at least of each anchor set. A set without one may
/// stand in a rule as if it were trusted, and the rule accepts nothing through it. The reasons are
/// in `AnchorDeadEnd`; keys that are too weak are one more. Dates are left to the linter, and a
/// waiver or report mode counts as in force whatever its end, because compiling reads no clock.
enum AnchorSetDeadEndCheck {
    static func run(
        _ policy: BoundPolicy, sets: ResolvedAnchorSets, layers: ProfileLayers,
        into diagnostics: inout [Diagnostic]
    ) {
        guard !policy.anchorSets.isEmpty else { return }
        let rules = RulesOfSets(policy, layers)
        TrustedUsesCheck.run(policy, sets: sets, rules: rules, into: &diagnostics)
        // One second of work for a unit. A certificate of a usual unit takes a few units, and of a
        // set with a sound anchor few certificates are judged.
        var budget = WorkBudget(limit: 1_000_000)
        var found: [String: Found] = [:]
        for set in policy.anchorSets {
            found[set.id.value] = deadEnd(of: set, in: policy, sets, rules, &budget)
        }
        for set in policy.anchorSets {
            guard let own = found[set.id.value] else { continue }
            // Where every anchor comes from an included set that is reported itself, that says it.
            let included = set.include?.items ?? []
            guard own.isOwn || !included.allSatisfy({ found[$0.value] != nil }) else { continue }
            diagnostics.append(finding(set, own))
        }
    }

    /// The first certificate of a set of dead ends.
    private struct Found {
        let anchor: BoundAnchor
        let reason: AnchorDeadEnd
        /// The certificates of the set, the first one included.
        let count: Int
        /// How many of them have another reason than the first one.
        let others: Int
        /// Whether the first certificate is one of the set's own `files` and `pem`.
        let isOwn: Bool
    }

    /// The first dead end of a set that holds nothing else; nil where a path can end at one of its
    /// anchors, or may.
    private static func deadEnd(
        of set: BoundAnchorSet, in policy: BoundPolicy, _ sets: ResolvedAnchorSets,
        _ rules: RulesOfSets, _ budget: inout WorkBudget
    ) -> Found? {
        guard !set.hasUnreadableKind, let resolution = sets[set.id.value], resolution.isComplete
        else { return nil }
        var reasons: [Certificate: AnchorDeadEnd] = [:]
        for group in resolution.groups {
            guard !group.isSystem else { return nil }
            let terms = AnchorDeadEnd.Terms(
                kind: group.kind, standard: group.standard, ignoredLimits: group.ignoredLimits)
            for certificate in group.members {
                // A reason under every rule is one under the first of them, which is soon known.
                guard budget.spend(1),
                    reason(certificate, terms, rules.first(of: set.id.value), &budget) != nil,
                    let reason = reason(certificate, terms, rules.all(of: set.id.value), &budget)
                else { return nil }
                reasons[certificate] = reason
            }
        }
        // Members of included sets come after the set's own, each in the order of the text.
        let all = set.members + policy.anchorSets.flatMap(\.members)
        guard let index = all.firstIndex(where: { reasons[$0.certificate] != nil }),
            let reason = reasons[all[index].certificate]
        else { return nil }
        return Found(
            anchor: all[index], reason: reason, count: reasons.count,
            others: reasons.values.filter { $0 != reason }.count, isOwn: index < set.members.count)
    }

    private static func reason(
        _ certificate: Certificate, _ terms: AnchorDeadEnd.Terms, _ rules: [PathParameters]?,
        _ budget: inout WorkBudget
    ) -> AnchorDeadEnd? {
        AnchorDeadEnd.reason(certificate, terms, budget: &budget) { _ in rules }
            ?? rules.flatMap { AnchorDeadEnd.weakKey(of: certificate, terms.kind, $0) }
    }

    private static func finding(_ set: BoundAnchorSet, _ found: Found) -> Diagnostic {
        var notes = ["its subject is `\(found.anchor.certificate.subjectText)`"]
        if found.count > 1 {
            let others =
                found.others == 0
                ? "for this reason" : "\(found.others) of them for another reason"
            notes.append("none of the \(found.count) certificates can end a path, \(others)")
        }
        return Diagnostic(
            .anchorSetDeadEnd,
            "no path can end at any anchor of `\(set.id.value)`: \(found.anchor.name) "
                + found.reason.words,
            at: Diagnostic.Label(set.id.span),
            labels: [
                Diagnostic.Label(
                    found.anchor.span, found.isOwn ? "named here" : "included from here")
            ],
            help: [found.reason.help], notes: notes)
    }
}
