public import TrustEngine

/// Everything a certificate says, open to change: a recipe starts from good defaults and a test
/// spoils the one thing it is about. The same recipe and signer give the same octets on every
/// machine.
public struct CertificateRecipe: Hashable, Sendable {
    /// 1, 2 or 3; anything else is written as it stands. 1 is left out, as its DEFAULT.
    public var version = 3
    /// serialNumber, unsigned; nil derives one from names, key and validity.
    public var serial: [UInt8]?
    /// The whole INTEGER of the serial number, when it shall be something else.
    public var rawSerial: [UInt8]?
    /// The algorithm of its signature; nil is the signer's usual algorithm.
    public var signature: TestSignature?
    /// AlgorithmIdentifier inside, when it shall not be the true one.
    public var innerAlgorithm: [UInt8]?
    /// AlgorithmIdentifier beside the signature, when it shall not be the true one.
    public var outerAlgorithm: [UInt8]?
    /// Whose certificate it claims to be.
    public var issuer: TestName
    /// Whom it names.
    public var subject: TestName
    /// First second of the validity period.
    public var notBefore: UTCInstant
    /// Last second of the validity period.
    public var notAfter: UTCInstant
    /// The whole Validity SEQUENCE, when it shall be something else.
    public var rawValidity: [UInt8]?
    /// SubjectPublicKeyInfo, DER.
    public var spki: [UInt8]
    /// In the order written; the same one may stand twice.
    public var extensions: [TestExtension] = []
    /// What becomes of the signature at the end.
    public var damage = SignatureDamage.none

    /// A version 3 certificate without extensions.
    public init(
        issuer: TestName, subject: TestName, key: TestKey, notBefore: UTCInstant,
        notAfter: UTCInstant
    ) {
        self.issuer = issuer
        self.subject = subject
        self.spki = key.spki
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// Puts an extension in, in the place of the one with the same identifier if there is one.
    public mutating func set(_ new: TestExtension) {
        if let index = extensions.firstIndex(where: { $0.oid == new.oid }) {
            extensions[index] = new
        } else {
            extensions.append(new)
        }
    }

    /// Takes every extension with an identifier out, see `OID`.
    public mutating func remove(_ oid: String) {
        extensions.removeAll { $0.oid == oid }
    }

    /// Writes the certificate and signs it.
    public func certificate(signedBy signer: TestKey) -> [UInt8] {
        let signature = signature ?? signer.defaultSignature
        let tbs = toBeSigned(with: signature)
        return DER.sequence(
            tbs, outerAlgorithm ?? signature.algorithmIdentifier,
            DER.bitString(damage.sign(tbs, signer, signature)))
    }

    /// The serial number that the certificate has, unsigned.
    public var serialOctets: [UInt8] { serial ?? derivedSerial }

    /// Sets a serial number of this many octets, derived like the number of `serialOctets`. At most
    /// 32.
    public mutating func setSerial(octets count: Int) {
        var octets = Array(TestHash.sha256.digest(derivedSerial).prefix(count))
        octets[0] = octets[0] & 0x3f | 0x40
        serial = octets
    }

    /// The serial number as it stands in the certificate, an INTEGER.
    public var serialInteger: [UInt8] { rawSerial ?? DER.integer(unsigned: serialOctets) }

    /// TBSCertificate, DER.
    public func toBeSigned(with signature: TestSignature) -> [UInt8] {
        let validity = rawValidity ?? DER.sequence(DER.time(notBefore), DER.time(notAfter))
        return DER.sequence(
            version == 1 ? [] : DER.context(0, DER.integer(version - 1)),
            serialInteger,
            innerAlgorithm ?? signature.algorithmIdentifier, issuer.der, validity, subject.der,
            spki,
            extensions.isEmpty
                ? [] : DER.context(3, DER.sequence(of: extensions.map(\.der))))
    }

    /// 16 octets, positive, different when the certificate is for somebody else or another time.
    private var derivedSerial: [UInt8] {
        let seed = issuer.der + subject.der + spki + DER.time(notBefore) + DER.time(notAfter)
        var octets = Array(TestHash.sha256.digest(seed).prefix(16))
        octets[0] = octets[0] & 0x3f | 0x40
        return octets
    }
}

/// What a certificate signing request says (PKCS #10, RFC 2986).
public struct RequestRecipe: Hashable, Sendable {
    /// Whom it names.
    public var subject: TestName
    /// The key asked for, which signs.
    public var key: TestKey
    /// SubjectPublicKeyInfo, DER, when it shall not be the key's.
    public var spki: [UInt8]?
    /// Asked for through the extensionRequest attribute of PKCS #9.
    public var extensions: [TestExtension]

    /// A request.
    public init(subject: TestName, key: TestKey, extensions: [TestExtension] = []) {
        self.subject = subject
        self.key = key
        self.extensions = extensions
    }

    /// CertificationRequest, DER, signed by its own key.
    public var der: [UInt8] {
        let attribute = DER.sequence(
            DER.oid("1.2.840.113549.1.9.14"),
            DER.set(of: [DER.sequence(of: extensions.map(\.der))]))
        let info = DER.sequence(
            DER.integer(0), subject.der, spki ?? key.spki,
            DER.context(0, extensions.isEmpty ? [] : attribute))
        return DER.sequence(
            info, key.defaultSignature.algorithmIdentifier, DER.bitString(key.sign(info)))
    }

    /// The request as PEM.
    public var pem: String { PEMWriter.block("CERTIFICATE REQUEST", der) }
}
