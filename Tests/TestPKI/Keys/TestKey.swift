import Synchronization

/// A key pair of the test PKI, named by its kind and a label. The same name is the same key on
/// every machine and in every run: **nothing signed by one of these is to be trusted anywhere**.
public struct TestKey: Hashable, Sendable {
    /// What kind of key it is.
    public enum Kind: Hashable, Sendable {
        case rsa(bits: Int)
        case p256, p384, p521, ed25519, ed448
    }

    /// What kind of key it is.
    public let kind: Kind
    /// What tells it from others of its kind.
    public let label: String

    /// A key by its kind and label.
    public init(_ kind: Kind, _ label: String) {
        self.kind = kind
        self.label = label
    }

    /// RSA with 1024 bits: too small for any baseline.
    public static func rsa1024(_ label: String) -> TestKey { TestKey(.rsa(bits: 1024), label) }
    /// RSA with 2048 bits, found in about 30 ms.
    public static func rsa2048(_ label: String) -> TestKey { TestKey(.rsa(bits: 2048), label) }
    /// RSA with 3072 bits, found in about 150 ms.
    public static func rsa3072(_ label: String) -> TestKey { TestKey(.rsa(bits: 3072), label) }
    /// RSA with 4096 bits, found in about half a second.
    public static func rsa4096(_ label: String) -> TestKey { TestKey(.rsa(bits: 4096), label) }
    /// ECDSA on P-256: the cheapest key to make.
    public static func p256(_ label: String) -> TestKey { TestKey(.p256, label) }
    /// ECDSA on P-384.
    public static func p384(_ label: String) -> TestKey { TestKey(.p384, label) }
    /// ECDSA on P-521.
    public static func p521(_ label: String) -> TestKey { TestKey(.p521, label) }
    /// Ed25519.
    public static func ed25519(_ label: String) -> TestKey { TestKey(.ed25519, label) }
    /// Ed448.
    public static func ed448(_ label: String) -> TestKey { TestKey(.ed448, label) }

    /// SubjectPublicKeyInfo, DER.
    public var spki: [UInt8] { pair.spki }

    /// SubjectPublicKeyInfo of an RSA key that verifies RSASSA-PSS alone (RFC 4055 section 1.2),
    /// bound to the parameters of `signature`; nil for none.
    public func spkiForPSS(_ signature: TestSignature?) -> [UInt8] {
        DER.sequence(
            signature?.algorithmIdentifier ?? DER.sequence(DER.oid("1.2.840.113549.1.1.10")),
            DER.bitString(publicKeyBits))
    }

    /// SHA-256 of the SubjectPublicKeyInfo.
    public var spkiSHA256: [UInt8] { TestHash.sha256.digest(spki) }

    /// The pin as policies write it: `sha256/BASE64`.
    public var pin: String { "sha256/" + PEMWriter.base64(spkiSHA256) }

    /// The content of the SubjectPublicKeyInfo's BIT STRING.
    public var publicKeyBits: [UInt8] { pair.bits }

    /// The subject key identifier its certificates carry: the leftmost 160 bits of the SHA-256 of
    /// `publicKeyBits` (RFC 7093 section 2, method 1).
    public var keyIdentifier: [UInt8] { Array(TestHash.sha256.digest(publicKeyBits).prefix(20)) }

    /// The algorithm that it signs with by default.
    public var defaultSignature: TestSignature {
        switch kind {
        case .rsa: return .rsaPKCS1(.sha256)
        case .p256: return .ecdsa(.sha256)
        case .p384: return .ecdsa(.sha384)
        case .p521: return .ecdsa(.sha512)
        case .ed25519: return .ed25519
        case .ed448: return .ed448
        }
    }

    /// Signs a message, with the same octets every time. The algorithm must be one for this kind.
    public func sign(_ message: [UInt8], _ signature: TestSignature? = nil) -> [UInt8] {
        pair.sign(message, signature ?? defaultSignature)
    }

    /// The private operation of an RSA key on an encoded message as it stands (RSASP1, RFC 8017
    /// section 5.2.1), for signatures that no signer makes.
    func privateOperation(_ encoded: [UInt8]) -> [UInt8] {
        pair.numbers.privateOperation(encoded)
    }

    /// The sum of a big-endian number and an RSA key's modulus, without leading zeros.
    func addingModulus(to number: [UInt8]) -> [UInt8] {
        (BigNumber(number) + pair.numbers.modulus).octets()
    }

    /// The private key as PKCS #8 PEM, for servers that a test starts.
    public var privateKeyPEM: String { PEMWriter.block("PRIVATE KEY", pair.pkcs8) }

    private var pair: KeyPair {
        KeyPair.known.withLock { known in
            if let pair = known[self] { return pair }
            let pair = KeyPair(self)
            known[self] = pair
            return pair
        }
    }
}

/// A key pair in octets, computed once per process; numbers are rebuilt for each signature.
private struct KeyPair: Sendable {
    static let known = Mutex<[TestKey: KeyPair]>([:])

    let key: TestKey
    /// AlgorithmIdentifier of the key.
    let algorithm: [UInt8]
    /// Content of the BIT STRING.
    let bits: [UInt8]
    /// Content of the OCTET STRING of PKCS #8.
    let secret: [UInt8]
    /// The two primes of an RSA key, whose search is what costs.
    let rsa: RSAKeyMaterial.Stored?

    init(_ key: TestKey) {
        self.key = key
        switch key.kind {
        case .rsa(let bits):
            let material = RSAKeyMaterial(label: key.label, bits: bits)
            self.algorithm = DER.sequence(DER.oid("1.2.840.113549.1.1.1"), DER.null)
            self.bits = material.publicKey
            self.secret = material.privateKey
            self.rsa = material.stored
        case .p256, .p384, .p521:
            let curve = KeyPair.curve(key.kind)
            let material = ECKeyMaterial(label: key.label, curve: curve)
            self.algorithm = DER.sequence(DER.oid("1.2.840.10045.2.1"), DER.oid(curve.oid))
            self.bits = material.point
            self.secret = material.privateKey
            self.rsa = nil
        case .ed25519, .ed448:
            let is448 = key.kind == .ed448
            let material = EdwardsKeyMaterial(label: key.label, is448: is448)
            self.algorithm = DER.sequence(DER.oid(is448 ? "1.3.101.113" : "1.3.101.112"))
            self.bits = material.publicKey
            self.secret = DER.octetString(material.seed)
            self.rsa = nil
        }
    }

    var spki: [UInt8] { DER.sequence(algorithm, DER.bitString(bits)) }

    var pkcs8: [UInt8] { DER.sequence(DER.integer(0), algorithm, DER.octetString(secret)) }

    func sign(_ message: [UInt8], _ signature: TestSignature) -> [UInt8] {
        switch (key.kind, signature) {
        case (.rsa(let bits), .rsaPKCS1(let hash)):
            return numbers.privateOperation(
                RSAEncoding.pkcs1(message, hash, modulusBits: bits))
        case (.rsa(let bits), .rsaPSS(let hash, let mgfHash, let saltLength)):
            return numbers.privateOperation(
                RSAEncoding.pss(message, hash, mgfHash, saltLength: saltLength, modulusBits: bits))
        case (.p256, .ecdsa(let hash)), (.p384, .ecdsa(let hash)), (.p521, .ecdsa(let hash)):
            return ECKeyMaterial(label: key.label, curve: KeyPair.curve(key.kind))
                .sign(message, hash)
        case (.ed25519, .ed25519), (.ed448, .ed448):
            return EdwardsKeyMaterial(label: key.label, is448: key.kind == .ed448).sign(message)
        default:
            preconditionFailure("\(key) cannot sign with \(signature)")
        }
    }

    /// The numbers of an RSA key.
    var numbers: RSAKeyMaterial {
        guard let rsa else { preconditionFailure("not an RSA key") }
        return RSAKeyMaterial(rsa)
    }

    private static func curve(_ kind: TestKey.Kind) -> TestCurve {
        switch kind {
        case .p256: return .p256
        case .p384: return .p384
        default: return .p521
        }
    }
}
