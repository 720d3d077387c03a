import PolicyCompiler
import Rendering
import TrustEngine

extension LintRule {
    /// HW405: `enforce-until` has passed. `on-expiry` decides what a mismatch does since then, so
    /// the finding says whether the hosts are rejected or not pinned any more.
    static let pinExpired = LintRule(.pinExpired) { context in
        context.bound.pinSets.compactMap { set in
            guard let end = set.enforceUntil,
                !DatedTerm.isInForce(until: end.value, at: context.time)
            else {
                return nil
            }
            return Diagnostic(
                .pinExpired,
                "`\(set.id.value)` was enforced until \(Words.day(end.value)); since then "
                    + DateSentences.afterEnforcement(set.onExpiry?.value ?? .fail),
                at: Diagnostic.Label(end.span),
                labels: set.onExpiry.map { [Diagnostic.Label($0.span, "decides it")] } ?? [],
                help: [
                    "pin the keys that are in service now, and give them a later `enforce-until`"
                ])
        }
    }

    /// HW406: `enforce-until` is within a third of the horizon, 30 days unless `--horizon` says
    /// otherwise. A new pin reaches its users faster than a new anchor, so it is reported later.
    static let pinExpiring = LintRule(.pinExpiring) { context in
        let horizon = context.time.advanced(bySeconds: context.options.horizon / 3)
        return context.bound.pinSets.compactMap { set in
            guard let end = set.enforceUntil,
                DatedTerm.isInForce(until: end.value, at: context.time),
                end.value <= horizon
            else { return nil }
            return Diagnostic(
                .pinExpiring,
                DateSentences.pins(
                    set.id.value, until: end.value, set.onExpiry?.value ?? .fail,
                    at: context.time),
                at: Diagnostic.Label(end.span),
                labels: set.onExpiry.map { [Diagnostic.Label($0.span, "decides it")] } ?? [],
                help: [
                    "pin the keys of the time after it, and give them a later `enforce-until`"
                ])
        }
    }
}
