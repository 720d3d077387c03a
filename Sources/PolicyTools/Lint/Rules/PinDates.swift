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
                "`\(set.id.value)` was enforced until \(ViolationSentences.day(end.value)); since then "
                    + PinDates.effect(of: set),
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
            let seconds = end.value.secondsSinceEpoch - context.time.secondsSinceEpoch
            return Diagnostic(
                .pinExpiring,
                "`\(set.id.value)` is enforced until \(ViolationSentences.day(end.value)), "
                    + "\(PinDates.days(seconds)) from now; after it \(PinDates.effect(of: set))",
                at: Diagnostic.Label(end.span),
                labels: set.onExpiry.map { [Diagnostic.Label($0.span, "decides it")] } ?? [],
                help: [
                    "pin the keys of the time after it, and give them a later `enforce-until`"
                ])
        }
    }
}

/// Words for the end of a pin set.
enum PinDates {
    /// What a mismatch does after the end.
    static func effect(of set: BoundPinSet) -> String {
        switch set.onExpiry?.value ?? .fail {
        case .fail:
            return "a key that is not pinned is still rejected, and the next renewal may bring one"
        case .report: return "any key is accepted, and one that is not pinned only reported"
        case .unpinned: return "any key is accepted, as if nothing were pinned"
        }
    }

    /// The whole days in a number of seconds.
    static func days(_ seconds: Int64) -> String {
        let days = seconds / 86_400
        return days == 0 ? "less than a day" : days == 1 ? "1 day" : "\(days) days"
    }
}
