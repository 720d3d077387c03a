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
            .unreachable, .stale, .malformed, .notCovered, .unknown, .noEndpoint,
        ]
        if let cause = order.first(where: { causes[$0] != .fail }) { return .none(cause) }
        return maximumAge.map { .within(seconds: $0) } ?? .window
    }
}
