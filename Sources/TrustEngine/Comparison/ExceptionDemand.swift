// Demands on a behaviour that no field has: whose certificate it is, which exceptions are in force,
// and whether anything is accepted (`hawser assert`).

/// Exceptions that may be in force, each with its last second.
package struct AllowedExceptions: Hashable, Sendable {
    private let last: [String: UTCInstant]

    /// The path that stands for every entry of `report-only`.
    package static let allModes = "report-only.all"
    /// The path of pin sets that are past their last day of enforcement and whose mismatch does not
    /// reject.
    package static let onExpiry = "pins.on-expiry"

    /// Makes a list; an empty one allows none. The keys are paths as `DatedException` has them,
    /// `allModes` or `onExpiry`.
    package init(_ last: [String: UTCInstant]) { self.last = last }

    /// The last second in which an exception may be in force; nil if it never may.
    package func last(of path: String) -> UTCInstant? {
        let all = path.hasPrefix("report-only.") ? last[AllowedExceptions.allModes] : nil
        return [last[path], all].compactMap(\.self).max()
    }

    /// Whether an exception may be in force at an instant.
    fileprivate func allows(_ path: String, at time: UTCInstant) -> Bool {
        last(of: path).map { DatedTerm.isInForce(until: $0, at: time) } ?? false
    }

    /// The instants after `time` at which less is allowed than before.
    package func changes(after time: UTCInstant) -> [UTCInstant] {
        last.values.map { $0.advanced(bySeconds: 1) }.filter { $0 > time }
    }
}

extension Behaviour {
    /// Why a certificate that does not name the host may be accepted at an instant; empty where
    /// each accepted certificate names it.
    package func shortfallsOfHost(at time: UTCInstant) -> [Shortfall] {
        guard case .body(let body) = self else { return [] }
        let found = body.shortfalls("identity", at: time, \.letsAnyName)
        guard body.identity.reference == .listed else { return found }
        return found + [Shortfall(path: "identity.reference", cause: .listedNames)]
    }

    /// The exceptions in force at an instant that are not allowed. An exception in force counts,
    /// also where it lets nothing pass.
    package func shortfalls(
        allowing allowed: AllowedExceptions, at time: UTCInstant
    ) -> [Shortfall] {
        guard case .body(let body) = self else { return [] }
        let inForce = body.exceptions.filter {
            DatedTerm.isInForce(until: $0.until, at: time) && !allowed.allows($0.path, at: time)
        }.map {
            Shortfall(path: $0.path, cause: .excepted(by: $0.path, until: $0.until))
        }
        guard !allowed.allows(AllowedExceptions.onExpiry, at: time) else { return inForce }
        return inForce
            + body.pins.compactMap { set in
                guard let end = set.end, !DatedTerm.isInForce(until: end.last, at: time) else {
                    return nil
                }
                return Shortfall(
                    path: AllowedExceptions.onExpiry, cause: .unenforced(set.id, end))
            }
    }

    /// Why something may be accepted; empty where nothing is.
    package var shortfallsOfDenial: [Shortfall] {
        switch self {
        case .deny: return []
        case .body: return [Shortfall(path: "decision", cause: .decides)]
        }
    }

    /// Why the owner of the rule that decides is not the one that is wanted.
    package func shortfalls(owner wanted: String, found: String?) -> [Shortfall] {
        switch self {
        case .deny: return []
        case .body:
            return found == wanted ? [] : [Shortfall(path: "owner", cause: .owned(by: found))]
        }
    }
}

extension BehaviourBody {
    /// The exceptions in force at an instant that meet a condition, each as the reason why the
    /// demand of a path is not enforced.
    func shortfalls(
        _ path: String, at time: UTCInstant, _ condition: (DatedException) -> Bool
    ) -> [Shortfall] {
        exceptions.filter {
            condition($0) && DatedTerm.isInForce(until: $0.until, at: time)
        }.map { Shortfall(path: path, cause: .excepted(by: $0.path, until: $0.until)) }
    }
}
