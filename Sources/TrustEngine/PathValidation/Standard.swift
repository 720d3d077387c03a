/// The validation rules a path is judged by.
public enum Standard: UInt8, Hashable, Sendable, BitwiseCopyable {
    case rfc5280 = 0
    case webPKI = 1

    /// The word in a policy.
    public var name: String { self == .rfc5280 ? "rfc5280" : "web-pki" }
}

/// What kind of certificates an anchor set holds (LANGUAGE section 5, `kind`).
package enum AnchorKind: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// Self-issued CA certificates.
    case root = 0
    /// CA certificates that are not self-issued.
    case intermediate = 1
    /// Any certificate; it vouches for itself alone.
    case leaf = 2
}
