public import TrustEngine

extension Violation {
    /// The waiver of LANGUAGE section 10 that could name this very violation, by its key under
    /// `waivers`; nil where none could, whatever its limits.
    ///
    /// What a waiver names is narrower than the check it stands for: `expired` does not cover a
    /// certificate that is not yet valid, `keys` no type of key, and no waiver a hash below SHA-1.
    /// Which violations a waiver names is declared in `grammar/violations.yaml`; here stands how
    /// far it goes.
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
        case .signatures:
            guard case .path(.hashTooWeak(_, let hash, _)) = reason else { return nil }
            isWithinReach = hash != SignatureHash.other.name
        }
        return isWithinReach ? key.rawValue : nil
    }

    /// `waivers.keys` goes down to this many bits of an RSA key.
    private static let fewestWaivedBits = 1_024
}
