/// How soon a revocation takes effect under a rule, whoever stands between the parties: the weakest of
/// what its `revocation` does about each cause. What the certificates of a path add (short-lived ones,
/// evidence that ends sooner) is for whoever shows a trace.
public enum RevocationGuarantee: Hashable, Sendable {
    /// Not at all, where evidence of it is kept away or spoilt: this cause does not reject.
    case none(RevocationCause)
    /// Within `maximum-age`, seconds: evidence that is older is refused.
    case within(seconds: Int64)
    /// When the evidence that says *good* has ended.
    case window
}

extension RevocationRequirement {
    /// What the requirement guarantees.
    package var guarantee: RevocationGuarantee {
        // What is easiest to bring about comes first.
        let order: [RevocationCause] = [
            .unreachable, .stale, .malformed, .notCovered, .unknown, .noEndpoint,
        ]
        if let cause = order.first(where: { causes[$0] != .fail }) { return .none(cause) }
        return maximumAge.map { .within(seconds: $0) } ?? .window
    }
}
