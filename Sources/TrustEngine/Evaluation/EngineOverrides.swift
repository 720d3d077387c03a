/// What public test vectors ask of a validator and no policy may say: demands of the language that an
/// engine lifts in memory. Never for a service.
///
/// There is no way to write these down. The compiler has no words for them, the encoder of tables no
/// fields, and a table whose bytes claim a lower floor or another limit of an anchor does not decode.
/// What vectors demand *beyond* the language is a check that the program registers (`CustomCheck`): that
/// can only refuse.
package struct EngineOverrides: Hashable, Sendable {
    /// Whether service identity is asked. Vectors of path validation name no host.
    package var asksIdentity = true
    /// Whether a key purpose is asked of certificates, and of the end entity's key usage with it.
    package var asksKeyPurposes = true
    /// What is asked of an end entity's key usage.
    package var endEntityKeyUsage = PathParameters.EndEntityKeyUsage.ofPurpose
    /// Limits of every anchor's certificate that do not bind, beside those that its set ignores; not of
    /// one that is trusted as itself alone (kind leaf).
    package var anchorLimits: AnchorLimits = []
    /// Fewest bits of an RSA key, in place of the rule's.
    package var rsaMinimum: Int?
    /// Weakest hash of a certificate's signature, in place of the rule's.
    package var minimumHash: SignatureHash?
    /// Whether DSA keys and signatures are allowed, as NIST's suite has them.
    package var allowsDSA = false
    /// Weakest hash of signatures on revocation evidence, in place of the rule's `signatures`.
    package var evidenceMinimumHash: SignatureHash?

    /// Nothing is lifted.
    package init() {}

    /// The requirements of a rule as far as these overrides leave them.
    func lifting(_ requirements: Requirements) -> Requirements {
        var lifted = requirements
        if !asksKeyPurposes { lifted.keyPurposes = KeyPurposes() }
        if let rsaMinimum { lifted.rsaMinimum = rsaMinimum }
        if let minimumHash { lifted.minimumHash = minimumHash }
        if allowsDSA {
            lifted.keyTypes.formUnion(.dsa)
            lifted.leafKeyTypes.formUnion(.dsa)
            lifted.signatureSchemes.formUnion(.dsa)
        }
        return lifted
    }
}
