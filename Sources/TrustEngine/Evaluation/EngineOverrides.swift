/// Demands of the language that an engine lifts in memory, for runs of public test vectors. A
/// service never uses them.
///
/// A policy cannot lift these demands. The compiler has no words for it, the encoder of tables has
/// no fields for it, and a table whose bytes state a lower floor or another limit of an anchor does
/// not decode. A demand that vectors make *beyond* the language is a check that the program
/// registers (`CustomCheck`); it can only refuse.
package struct EngineOverrides: Hashable, Sendable {
    /// Whether service identity is demanded. Vectors of path validation name no host.
    package var asksIdentity = true
    /// Whether a key purpose is demanded of certificates, and with it a fitting key usage of the
    /// end entity.
    package var asksKeyPurposes = true
    /// What the end entity's key usage must contain.
    package var endEntityKeyUsage = PathParameters.EndEntityKeyUsage.ofPurpose
    /// Limits in every anchor's certificate that do not bind, beside the limits that its set
    /// ignores. They do not apply to an anchor of kind leaf.
    package var anchorLimits: AnchorLimits = []
    /// Fewest bits of an RSA key, instead of the rule's number; nil for the rule's number.
    package var rsaMinimum: Int?
    /// Weakest hash of a certificate's signature, instead of the rule's hash; nil for the rule's
    /// hash.
    package var minimumHash: SignatureHash?
    /// Whether DSA keys and signatures are allowed. The test suite of NIST uses them.
    package var allowsDSA = false
    /// Weakest hash of a signature on revocation evidence, instead of the hash in the rule's
    /// `signatures`; nil for the rule's hash.
    package var evidenceMinimumHash: SignatureHash?

    /// Makes overrides that lift nothing.
    package init() {}

    /// The requirements of a rule without the demands that these overrides lift.
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
