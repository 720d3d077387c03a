public import TrustEngine

extension Violation {
    /// The waiver of LANGUAGE section 10 that could name this violation, by its key under
    /// `waivers`; nil when no waiver could, whatever its limits.
    ///
    /// A waiver names less than its check: `expired` does not cover a certificate that is not yet
    /// valid, `keys` covers no type of key. A hash below SHA-1 cannot be waived.
    /// `grammar/violations.yaml` declares which violations a waiver names. This property adds the
    /// limits.
    public var waiver: String? {
        guard let key = reason.kind.declaration.waiver else { return nil }
        let isWithinReach: Bool
        switch key {
        case .identity, .path, .expired, .revocation, .pins, .transparency, .cleartext:
            isWithinReach = true
        case .tls:
            guard case .tlsVersion(let version, let minimum, _) = reason else { return nil }
            isWithinReach = version < minimum
        case .keys:
            guard case .path(.keyTooSmall(_, let bits, _)) = reason else { return nil }
            isWithinReach = bits >= Violation.fewestWaivedBits
        case .issuance:
            guard case .path(.standardNotMet(_, let demand, _)) = reason else { return nil }
            isWithinReach = demand.isIssuance
        case .signatures:
            let weak: String
            switch reason {
            case .path(.hashTooWeak(_, let hash, _)): weak = hash
            case .path(.maskHashTooWeak(_, _, let mask, _)): weak = mask
            default: return nil
            }
            isWithinReach = weak != SignatureHash.other.name
        }
        return isWithinReach ? key.rawValue : nil
    }

    /// The least bits of an RSA key that `waivers.keys` may permit.
    private static let fewestWaivedBits = 1_024
}
