/// The inputs of path validation (RFC 5280 section 6.1.1) with what a policy adds to them.
package struct PathParameters: Sendable {
    /// The instant to judge at.
    package var time: UTCInstant
    /// Seconds by which validity periods are widened at both ends.
    package var clockSkew: Int64
    /// One of them must be allowed along the whole path.
    package var keyPurposes: KeyPurposes
    /// Most certificates between end entity and anchor.
    package var maximumIntermediates: Int
    /// Key types allowed for every key of the path, anchor included.
    package var keyTypes: KeyTypeSet
    /// Key types allowed for the end entity.
    package var leafKeyTypes: KeyTypeSet
    /// Fewest bits of every RSA key of the path, anchor included.
    package var rsaMinimum: Int
    /// Weakest hash of every signature of the path but the anchor's own.
    package var minimumHash: SignatureHash
    /// Signature schemes allowed.
    package var signatureSchemes: SignatureSchemeSet
    /// Longest lifetime of the end entity that is judged, seconds; nil for none.
    package var maximumLifetime: Int64?
    /// Certificate policies (section 6.1.1(c), (e), (f), (g)).
    package var certificatePolicies: CertificatePolicyGraph.Inputs
    /// What is asked of the end entity's key usage.
    package var endEntityKeyUsage = EndEntityKeyUsage.ofPurpose
    /// What waivers and report modes let through of all these.
    package var leniency: Leniency

    /// What is asked of the end entity's key usage (RFC 5280 section 4.2.1.3).
    package enum EndEntityKeyUsage: Hashable, Sendable, BitwiseCopyable {
        /// A bit that the demanded purpose can use.
        case ofPurpose
        /// Nothing; only runs of public vectors ask so (`EngineOverrides`).
        case unchecked
    }
}
