import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW412: `on-expiry` is not `fail`. After the day has passed, HW405 reports its effect.
    static let pinOpenOnExpiry = LintRule(.pinOpenOnExpiry) { context in
        context.bound.pinSets.compactMap { set in
            guard let choice = set.onExpiry, choice.value != .fail else { return nil }
            if let end = set.enforceUntil, !DatedTerm.isInForce(until: end.value, at: context.time)
            {
                return nil
            }
            let end = set.enforceUntil.map { Words.day($0.value) }
            return Diagnostic(
                .pinOpenOnExpiry,
                "`\(set.id.value)` opens by itself: after \(end ?? "its `enforce-until`") "
                    + DateSentences.afterEnforcement(set.onExpiry?.value ?? .fail),
                at: Diagnostic.Label(choice.span),
                labels: set.enforceUntil.map { [Diagnostic.Label($0.span, "the last day closed")] }
                    ?? [],
                help: [
                    "leave `on-expiry` out: what is pinned is accepted after that day, too; or say why "
                        + "not: `# hawser:ignore HW412 -- REASON`"
                ])
        }
    }
}
