/// The inputs of path validation (RFC 5280 section 6.1.1), with the inputs that a policy adds.
package struct PathParameters: Sendable {
    /// The instant at which the path is judged.
    package var time: UTCInstant
    /// Seconds by which each validity period is widened at both ends.
    package var clockSkew: Int64
    /// Key purposes. One of them must be allowed by every certificate of the path.
    package var keyPurposes: KeyPurposes
    /// Most certificates between the end entity and the anchor.
    package var maximumIntermediates: Int
    /// Key types that are allowed on the path, anchor included.
    package var keyTypes: KeyTypeSet
    /// Key types that are allowed for the end entity.
    package var leafKeyTypes: KeyTypeSet
    /// Fewest bits of every RSA key of the path, anchor included.
    package var rsaMinimum: Int
    /// Weakest hash of every signature of the path but the anchor's own.
    package var minimumHash: SignatureHash
    /// Signature schemes that are allowed.
    package var signatureSchemes: SignatureSchemeSet
    /// Longest lifetime of this path's end entity, in seconds; nil for no limit.
    package var maximumLifetime: Int64?
    /// Certificate policies (section 6.1.1(c), (e), (f), (g)).
    package var certificatePolicies: CertificatePolicyGraph.Inputs
    /// Whether a breach of a demand of issuance rejects (`path.issuance`).
    package var enforcesIssuance: Bool
    /// The demand on the end entity's key usage.
    package var endEntityKeyUsage = EndEntityKeyUsage.ofPurpose
    /// The failures that waivers and report modes let through.
    package var leniency: Leniency

    /// Why a breach of a standard's demand does not reject; nil when it does.
    package func excuse(_ demand: StandardDemand) -> Leniency.Excuse? {
        guard demand.isIssuance else { return nil }
        guard enforcesIssuance else { return .noticed }
        guard let waiver = leniency.issuanceWaiver, waiver.limit.contains(demand) else {
            return nil
        }
        return .waived(until: waiver.until)
    }

    /// The demand on the end entity's key usage (RFC 5280 section 4.2.1.3).
    package enum EndEntityKeyUsage: Hashable, Sendable, BitwiseCopyable {
        /// The key usage must have a bit that the demanded key purpose can use.
        case ofPurpose
        /// Nothing is demanded. Only runs of public test vectors use this value
        /// (`EngineOverrides`).
        case unchecked
    }
}
