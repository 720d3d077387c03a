public import TrustEngine

extension Violation {
    /// The waiver of LANGUAGE section 10 that could name this very violation, by its key under
    /// `waivers`; nil where none could, whatever its limits.
    ///
    /// What a waiver names is narrower than the check it stands for: `expired` does not cover a
    /// certificate that is not yet valid, `keys` no type of key, and no waiver a hash below SHA-1. A
    /// violation that is not listed here is one that none names.
    public var waiver: String? {
        switch self {
        case .nameMismatch: return "identity"
        case .issuerNotFound, .selfSignedLeaf, .anchorNotTrusted: return "path"
        case .expired: return "expired"
        case .revoked, .revocationUndetermined, .stapleMissing: return "revocation"
        case .pinMismatch: return "pins"
        case .transparencyNotMet, .logListStale: return "transparency"
        case .tlsVersion(let version, let minimum, _):
            return version < minimum ? "tls" : nil
        case .keyTooSmall(_, let bits, _):
            return bits >= Violation.fewestWaivedBits ? "keys" : nil
        case .hashTooWeak(_, let hash, _):
            return hash == SignatureHash.other.name ? nil : "signatures"
        case .cleartext: return "cleartext"
        default: return nil
        }
    }

    /// `waivers.keys` goes down to this many bits of an RSA key.
    private static let fewestWaivedBits = 1_024
}
