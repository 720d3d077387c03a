public import TrustEngine

/// Everything a CRL says, open to change.
public struct RevocationListRecipe: Hashable, Sendable {
    /// One entry of revokedCertificates.
    public struct Entry: Hashable, Sendable {
        /// The serial number, as CertificateRecipe has it.
        public var serial: [UInt8]
        /// revocationDate.
        public var date: UTCInstant
        /// crlEntryExtensions.
        public var extensions: [TestExtension]

        /// An entry.
        public init(_ serial: [UInt8], at date: UTCInstant, _ extensions: [TestExtension] = []) {
            self.serial = serial
            self.date = date
            self.extensions = extensions
        }

        var der: [UInt8] {
            DER.sequence(
                DER.integer(unsigned: serial), DER.time(date),
                extensions.isEmpty ? [] : DER.sequence(of: extensions.map(\.der)))
        }
    }

    /// 1 or 2; anything else is written as it stands. 1 is left out.
    public var version = 2
    /// AlgorithmIdentifier inside, when it shall not be the true one.
    public var innerAlgorithm: [UInt8]?
    /// The algorithm of its signature; nil is the signer's usual algorithm.
    public var signature: TestSignature?
    /// Whose CRL it claims to be.
    public var issuer: TestName
    /// thisUpdate.
    public var thisUpdate: UTCInstant
    /// nextUpdate; nil leaves it out.
    public var nextUpdate: UTCInstant?
    /// Left out when empty.
    public var entries: [Entry] = []
    /// crlExtensions, in the order written.
    public var extensions: [TestExtension] = []
    /// What becomes of the signature at the end.
    public var damage = SignatureDamage.none

    /// A version 2 CRL that lists nothing.
    public init(issuer: TestName, thisUpdate: UTCInstant, nextUpdate: UTCInstant?) {
        self.issuer = issuer
        self.thisUpdate = thisUpdate
        self.nextUpdate = nextUpdate
    }

    /// Puts an extension in, in the place of the one with the same identifier if there is one.
    public mutating func set(_ new: TestExtension) {
        extensions.removeAll { $0.oid == new.oid }
        extensions.append(new)
    }

    /// Writes the CRL and signs it.
    public func list(signedBy signer: TestKey) -> [UInt8] {
        let signature = signature ?? signer.defaultSignature
        let tbs = DER.sequence(
            version == 1 ? [] : DER.integer(version - 1),
            innerAlgorithm ?? signature.algorithmIdentifier, issuer.der, DER.time(thisUpdate),
            nextUpdate.map(DER.time) ?? [],
            entries.isEmpty ? [] : DER.sequence(of: entries.map(\.der)),
            extensions.isEmpty ? [] : DER.context(0, DER.sequence(of: extensions.map(\.der))))
        return DER.sequence(
            tbs, signature.algorithmIdentifier,
            DER.bitString(damage.sign(tbs, signer, signature)))
    }
}

extension Authority {
    /// A CRL of this authority's that lists certificates, from ten days before the instant that
    /// examples are judged at to twenty days after it, with number 1.
    public func revocationList(
        _ revoked: [Minted] = [], reason: RevocationReason? = nil,
        _ change: (inout RevocationListRecipe) -> Void = { _ in }
    ) -> [UInt8] {
        var recipe = RevocationListRecipe(
            issuer: name, thisUpdate: Scenario.judgedAt.advanced(bySeconds: -10 * 86_400),
            nextUpdate: Scenario.judgedAt.advanced(bySeconds: 20 * 86_400))
        recipe.entries = revoked.map {
            RevocationListRecipe.Entry(
                $0.recipe.serialOctets, at: .at("2026-05-01T12:00:00Z"),
                reason.map { [.reasonCode($0)] } ?? [])
        }
        recipe.extensions = [.authorityKeyIdentifier(key.keyIdentifier), .crlNumber(1)]
        change(&recipe)
        return recipe.list(signedBy: key)
    }
}
