public import TrustEngine

/// Everything an OCSP response says, open to change.
public struct OCSPResponseRecipe: Hashable, Sendable {
    /// Who claims to have signed.
    public enum Responder: Hashable, Sendable {
        case name(TestName)
        /// By the SHA-1 of the key.
        case key(TestKey)
    }

    /// The answer about one certificate.
    public struct Single: Hashable, Sendable {
        /// The status.
        public enum Status: Hashable, Sendable {
            case good
            case revoked(RevocationReason?, at: UTCInstant)
            case unknown
        }

        /// The hash of the certificate's name.
        public var hash = TestHash.sha1
        /// The issuer's name, DER.
        public var issuerName: [UInt8]
        /// The issuer's key.
        public var issuerKey: TestKey
        /// The serial number.
        public var serial: [UInt8]
        /// The status.
        public var status = Status.good
        /// thisUpdate.
        public var thisUpdate: UTCInstant
        /// nextUpdate; nil leaves it out.
        public var nextUpdate: UTCInstant?
        /// singleExtensions.
        public var extensions: [TestExtension] = []

        /// A good status of a certificate of an issuer, with the dates of `Authority.ocspResponse`.
        public init(_ certificate: Minted, of issuer: Authority) {
            self.issuerName = issuer.name.der
            self.issuerKey = issuer.key
            self.serial = certificate.recipe.serialOctets
            self.thisUpdate = Scenario.judgedAt.advanced(bySeconds: -86_400)
            self.nextUpdate = Scenario.judgedAt.advanced(bySeconds: 6 * 86_400)
        }

        var der: [UInt8] {
            DER.sequence(
                DER.sequence(
                    hash.algorithmIdentifier, DER.octetString(hash.digest(issuerName)),
                    DER.octetString(hash.digest(issuerKey.publicKeyBits)),
                    DER.integer(unsigned: serial)),
                statusDER, DER.generalizedTime(thisUpdate),
                nextUpdate.map { DER.context(0, DER.generalizedTime($0)) } ?? [],
                extensions.isEmpty
                    ? [] : DER.context(1, DER.sequence(of: extensions.map(\.der))))
        }

        private var statusDER: [UInt8] {
            switch status {
            case .good: return DER.contextPrimitive(0, [])
            case .unknown: return DER.contextPrimitive(2, [])
            case .revoked(let reason, let date):
                return DER.context(
                    1,
                    DER.generalizedTime(date)
                        + (reason.map { DER.context(0, DER.element(0x0a, [$0.rawValue])) } ?? []))
            }
        }
    }

    /// responseStatus; 0 is successful, anything else leaves the rest out.
    public var status: UInt8 = 0
    /// responseType.
    public var type = "1.3.6.1.5.5.7.48.1.1"
    /// Whether the version, which is the default, is written out.
    public var writesVersion = false
    /// Who claims to have signed.
    public var responder: Responder
    /// producedAt.
    public var producedAt: UTCInstant
    /// The answer about each certificate.
    public var singles: [Single]
    /// responseExtensions.
    public var extensions: [TestExtension] = []
    /// Certificates sent along, DER.
    public var certificates: [[UInt8]] = []
    /// The algorithm of its signature; nil is the signer's usual algorithm.
    public var signature: TestSignature?
    /// What becomes of the signature at the end.
    public var damage = SignatureDamage.none

    /// A successful response.
    public init(responder: Responder, singles: [Single]) {
        self.responder = responder
        self.singles = singles
        self.producedAt = Scenario.judgedAt.advanced(bySeconds: -86_400)
    }

    /// Writes the response and signs it.
    public func response(signedBy signer: TestKey) -> [UInt8] {
        guard status == 0 else { return DER.sequence(DER.element(0x0a, [status])) }
        let signature = signature ?? signer.defaultSignature
        let identifier: [UInt8]
        switch responder {
        case .name(let name): identifier = DER.context(1, name.der)
        case .key(let key):
            identifier = DER.context(
                2, DER.octetString(TestHash.sha1.digest(key.publicKeyBits)))
        }
        let tbs = DER.sequence(
            writesVersion ? DER.context(0, DER.integer(0)) : [], identifier,
            DER.generalizedTime(producedAt), DER.sequence(of: singles.map(\.der)),
            extensions.isEmpty ? [] : DER.context(1, DER.sequence(of: extensions.map(\.der))))
        let basic = DER.sequence(
            tbs, signature.algorithmIdentifier,
            DER.bitString(damage.sign(tbs, signer, signature)),
            certificates.isEmpty ? [] : DER.context(0, DER.sequence(of: certificates)))
        return DER.sequence(
            DER.element(0x0a, [0]),
            DER.context(0, DER.sequence(DER.oid(type), DER.octetString(basic))))
    }
}

extension Authority {
    /// This authority's own word about one of its certificates, from a day before the instant that
    /// examples are judged at to six days after it.
    public func ocspResponse(
        for certificate: Minted, _ status: OCSPResponseRecipe.Single.Status = .good,
        _ change: (inout OCSPResponseRecipe) -> Void = { _ in }
    ) -> [UInt8] {
        ocspResponse(for: certificate, status, by: nil, change)
    }

    /// The word of a responder that this authority delegated to, its certificate sent along;
    /// without a delegate the authority's own.
    public func ocspResponse(
        for certificate: Minted, _ status: OCSPResponseRecipe.Single.Status = .good,
        by delegate: Minted?, _ change: (inout OCSPResponseRecipe) -> Void = { _ in }
    ) -> [UInt8] {
        var single = OCSPResponseRecipe.Single(certificate, of: self)
        single.status = status
        var recipe = OCSPResponseRecipe(
            responder: .name(delegate?.recipe.subject ?? name), singles: [single])
        if let delegate { recipe.certificates = [delegate.der] }
        change(&recipe)
        return recipe.response(signedBy: delegate?.key ?? key)
    }

    /// A certificate for a responder, with id-pkix-ocsp-nocheck.
    public func issueResponder(
        _ name: TestName, key: TestKey, _ change: (inout CertificateRecipe) -> Void = { _ in }
    ) -> Minted {
        issueLeaf(subject: name, key: key) { recipe in
            recipe.set(.extendedKeyUsage([OID.ocspSigning]))
            recipe.extensions.append(.ocspNoCheck)
            change(&recipe)
        }
    }
}
