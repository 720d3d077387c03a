/// How soon a revocation takes effect under a rule, even when an attacker stands between the
/// parties. It is the weakest of the rule's actions for the causes of `revocation`. The
/// certificates of one path can make it stronger (short lifetimes, evidence that ends sooner);
/// renderers of traces add that.
public enum RevocationGuarantee: Hashable, Sendable {
    /// A revocation may never take effect: an attacker who withholds or spoils the evidence brings
    /// about this cause, and this cause does not reject.
    case none(RevocationCause)
    /// A revocation takes effect within this number of seconds (`maximum-age`), because older
    /// evidence is refused.
    case within(seconds: Int64)
    /// A revocation takes effect when the evidence that says *good* ends.
    case window
}

extension RevocationRequirement {
    /// The guarantee of these requirements.
    package var guarantee: RevocationGuarantee {
        // The causes, ordered by how easily an attacker brings them about, the easiest first.
        let order: [RevocationCause] = [
            .unreachable, .stale, .malformed, .notCovered, .unknown, .notEnrolled, .noEndpoint,
        ]
        let possible = possibleCauses
        if let cause = order.first(where: { possible.contains($0) && causes[$0] != .fail }) {
            return .none(cause)
        }
        guard asksFilters else { return maximumAge.map { .within(seconds: $0) } ?? .window }
        // A filter says *good* for its longest age, and a new certificate needs none for a while.
        let ofFilters = max(crliteMaximumAge, crliteGrace)
        if sources == [.crlite] { return .within(seconds: ofFilters) }
        return maximumAge.map { .within(seconds: max($0, ofFilters)) } ?? .window
    }

    /// Whether the rule asks filters.
    package var asksFilters: Bool { sources.contains(.crlite) }

    /// Whether an unknown status can be reported and not reject: by a cause, or by grace for new
    /// certificates.
    package var mayReport: Bool { causes.someReport || (asksFilters && crliteGrace > 0) }

    /// The causes that can arise under these sources: only filters know of enrolment.
    package var possibleCauses: [RevocationCause] {
        RevocationCause.allCases.filter { $0 != .notEnrolled || asksFilters }
    }
}
