/// A SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7) divided into its parts. Ranges point into the
/// buffer that was parsed. What the cases of `Material` say of their numbers holds for every parsed
/// key.
public struct PublicKey: Hashable, Sendable, BitwiseCopyable {
    /// The kind of key, with its numbers.
    public enum Material: Hashable, Sendable, BitwiseCopyable {
        /// RSA: modulus and exponent as unsigned big-endian octets without leading zeros. Both are
        /// odd, and the exponent is not 1.
        case rsa(modulus: ByteRange, exponent: ByteRange)
        /// An RSA key that verifies only RSASSA-PSS (RFC 4055 section 1.2); its numbers are as in
        /// `rsa`. The parameters bind every signature under the key. They are nil when the key has
        /// none; then the parameters of the signature apply.
        case rsaPSS(PSSParameters?, modulus: ByteRange, exponent: ByteRange)
        /// An EC key: a point on a named curve, in the encoding of SEC 1 section 2.3.3.
        case ec(curve: Curve, point: ByteRange)
        /// An Ed25519 key: 32 octets that are a point, not of small order.
        case ed25519(ByteRange)
        /// An Ed448 key: 57 octets that are a point, not of small order.
        case ed448(ByteRange)
        /// An ML-DSA key: ρ and t1, as many octets as the parameter set has (RFC 9881 section 4),
        /// with a t1 that is not next to zero.
        case mldsa(MLDSAParameters, ByteRange)
        /// A DSA key: the public value and the group's numbers; nil where the key inherits its
        /// issuer's numbers (RFC 3279 section 2.3.2). No policy can allow a DSA key.
        case dsa(parameters: DSAParameters?, value: ByteRange)
        /// A key whose algorithm or curve the engine does not know.
        case unsupported
    }

    /// The numbers of a DSA group, as unsigned big-endian octets without leading zeros.
    public struct DSAParameters: Hashable, Sendable, BitwiseCopyable {
        /// The prime p.
        public let prime: ByteRange
        /// The order q of the group.
        public let order: ByteRange
        /// The generator g.
        public let generator: ByteRange

        /// Makes a group from its numbers.
        package init(prime: ByteRange, order: ByteRange, generator: ByteRange) {
            self.prime = prime
            self.order = order
            self.generator = generator
        }
    }

    /// The parameters of a key that verifies RSASSA-PSS alone (RFC 4055 section 3.1). The mask
    /// generation function is MGF1, and the trailer field is 1.
    public struct PSSParameters: Hashable, Sendable, BitwiseCopyable {
        /// The hash of every signature under the key.
        public let hash: SignatureHash
        /// The hash of MGF1 in every signature under the key.
        public let mgfHash: SignatureHash
        /// The least length of a signature's salt, in octets.
        public let saltLength: Int32

        /// Makes the parameters from their parts.
        package init(hash: SignatureHash, mgfHash: SignatureHash, saltLength: Int32) {
            self.hash = hash
            self.mgfHash = mgfHash
            self.saltLength = saltLength
        }
    }

    /// The named curves (RFC 5480 section 2.1.1.1).
    public enum Curve: UInt8, Hashable, Sendable, BitwiseCopyable {
        case p256, p384, p521
    }

    /// The parameter sets of ML-DSA (FIPS 204 section 4).
    public enum MLDSAParameters: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
        case mldsa44, mldsa65, mldsa87

        /// The exact size of a key in octets (FIPS 204 Table 2, RFC 9881 section 4).
        package var keyBytes: Int {
            switch self {
            case .mldsa44: return 1_312
            case .mldsa65: return 1_952
            case .mldsa87: return 2_592
            }
        }

        /// The exact size of a signature in octets (FIPS 204 Table 2).
        package var signatureBytes: Int {
            switch self {
            case .mldsa44: return 2_420
            case .mldsa65: return 3_309
            case .mldsa87: return 4_627
            }
        }
    }

    /// The key's kind and numbers.
    public let material: Material
    /// Size in bits: of the modulus for RSA, of the field for a curve, of the prime for DSA. 0 for
    /// an ML-DSA key, for an unsupported key and for DSA without parameters.
    public let bits: Int32
    /// The whole SubjectPublicKeyInfo, tag and length included. An SPKI pin is a hash of these
    /// octets.
    public let spki: ByteRange

    /// Whether `spki` is the canonical encoding of the key. Two encodings are not, of keys that
    /// have another: a compressed point (RFC 5480 section 2.2 asks for uncompressed ones), and RSA
    /// without the NULL that RFC 3279 section 2.3.1 asks for. All else of a key that can be read
    /// has one encoding.
    package let isCanonical: Bool

    /// Makes a key from its parts.
    package init(material: Material, bits: Int32, spki: ByteRange, isCanonical: Bool = true) {
        self.material = material
        self.bits = bits
        self.spki = spki
        self.isCanonical = isCanonical
    }

    /// Whether the key's own identifier leaves no other use than signatures: ML-DSA (RFC 9881
    /// section 5) and RSASSA-PSS (RFC 4055 section 1.2).
    package var onlySigns: Bool {
        switch material {
        case .mldsa, .rsaPSS: return true
        case .rsa, .ec, .ed25519, .ed448, .dsa, .unsupported: return false
        }
    }

    /// Whether the key's own identifier allows a signature of this algorithm. Only a key of
    /// RSASSA-PSS's type restricts it (RFC 4055 section 1.2): the scheme is RSASSA-PSS, both hashes
    /// are as in the key's parameters, and the salt is at least as long as the parameters say. A
    /// hash that the engine does not know equals no other.
    package func permits(_ algorithm: SignatureAlgorithm) -> Bool {
        guard case .rsaPSS(let bound, _, _) = material else { return true }
        guard case .rsaPSS(let hash, let mgfHash, let saltLength) = algorithm else { return false }
        guard let bound else { return true }
        return hash == bound.hash && mgfHash == bound.mgfHash && hash != .other
            && mgfHash != .other && saltLength >= bound.saltLength
    }

    /// Whether the key is of ML-DSA, of any parameter set.
    package var isMLDSA: Bool {
        guard case .mldsa = material else { return false }
        return true
    }

    /// The key type by the name that policies use; nil when the key is unsupported.
    public var type: KeyType? {
        switch material {
        case .rsa, .rsaPSS: return .rsa
        case .ec(.p256, _): return .p256
        case .ec(.p384, _): return .p384
        case .ec(.p521, _): return .p521
        case .ed25519: return .ed25519
        case .ed448: return .ed448
        case .mldsa(.mldsa44, _): return .mldsa44
        case .mldsa(.mldsa65, _): return .mldsa65
        case .mldsa(.mldsa87, _): return .mldsa87
        case .dsa: return .dsa
        case .unsupported: return nil
        }
    }
}

/// The key types that the engine knows. `allCases` are the types that a policy can allow (LANGUAGE
/// section 8, `keys.types`).
public enum KeyType: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    // The numbers stand for the words in tables.
    case rsa = 0
    case p256 = 1
    case p384 = 2
    case p521 = 3
    case ed25519 = 4
    case ed448 = 5
    case mldsa44 = 6
    case mldsa65 = 7
    case mldsa87 = 8
    /// DSA, only for NIST's test suite. Policies cannot name it, and tables cannot hold it.
    case dsa = 15

    /// Whether a text is the name of a type that the engine can check. A violation about a key of
    /// any other type has words for the type in place of the name.
    package static func isKnown(_ name: String) -> Bool {
        allCases.contains { $0.name == name } || name == KeyType.dsa.name
    }

    /// The types that a policy can allow, in the order of the language. `dsa` is not among them.
    public static let allCases: [KeyType] = [
        .rsa, .p256, .p384, .p521, .ed25519, .ed448, .mldsa44, .mldsa65, .mldsa87,
    ]

    /// The word in a policy.
    public var name: String {
        switch self {
        case .rsa: return "rsa"
        case .p256: return "p256"
        case .p384: return "p384"
        case .p521: return "p521"
        case .ed25519: return "ed25519"
        case .ed448: return "ed448"
        case .mldsa44: return "mldsa44"
        case .mldsa65: return "mldsa65"
        case .mldsa87: return "mldsa87"
        case .dsa: return "dsa"
        }
    }
}
