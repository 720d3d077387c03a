import PolicyCompiler
import TrustEngine

extension LintRule {
    /// HW404: a pin set has no `enforce-until`. HW405 and HW406 need a day to compare with.
    static let pinNoEnd = LintRule(.pinNoEnd) { context in
        context.bound.pinSets.compactMap { set in
            guard set.enforceUntil == nil, !set.mayHaveEnd else { return nil }
            return Diagnostic(
                .pinNoEnd,
                "`\(set.id.value)` has no `enforce-until`, so nothing reminds anyone of its keys before a "
                    + "renewal brings another",
                at: Diagnostic.Label(set.id.span),
                help: [
                    "add `enforce-until: YYYY-MM-DD`, the last day that its keys are planned for; after it "
                        + "`lint` reports the set, and what is pinned is accepted as before"
                ])
        }
    }
}
