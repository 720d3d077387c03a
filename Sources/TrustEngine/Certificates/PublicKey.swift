/// A SubjectPublicKeyInfo taken apart (RFC 5280 section 4.1.2.7); ranges point into the buffer it
/// was parsed from. What stands at `Material` of its numbers holds for each that was parsed.
public struct PublicKey: Hashable, Sendable, BitwiseCopyable {
    /// What kind of key it is, with its numbers.
    public enum Material: Hashable, Sendable, BitwiseCopyable {
        /// Modulus and exponent as unsigned big-endian octets without leading zeros; both odd, the exponent
        /// not 1.
        case rsa(modulus: ByteRange, exponent: ByteRange)
        /// A point on a named curve, in the encoding of SEC 1 section 2.3.3.
        case ec(curve: Curve, point: ByteRange)
        /// A raw 32-octet key: a point, not of small order.
        case ed25519(ByteRange)
        /// A raw 57-octet key: a point, not of small order.
        case ed448(ByteRange)
        /// A DSA public value, with the numbers it counts in unless they are its issuer's (RFC 3279
        /// section 2.3.2). No policy can allow one.
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

        /// A group from its numbers.
        public init(prime: ByteRange, order: ByteRange, generator: ByteRange) {
            self.prime = prime
            self.order = order
            self.generator = generator
        }
    }

    /// The named curves (RFC 5480 section 2.1.1.1).
    public enum Curve: UInt8, Hashable, Sendable, BitwiseCopyable {
        case p256, p384, p521
    }

    /// The key's numbers.
    public let material: Material
    /// Size in bits: of the modulus for RSA, of the field for a curve, of the prime for DSA; 0 when
    /// unsupported, and for DSA without parameters.
    public let bits: Int32
    /// The whole SubjectPublicKeyInfo, tag and length included: what SPKI pins hash.
    public let spki: ByteRange

    /// A key from its parts.
    public init(material: Material, bits: Int32, spki: ByteRange) {
        self.material = material
        self.bits = bits
        self.spki = spki
    }

    /// The key type by the name policies use, or nil when unsupported.
    public var type: KeyType? {
        switch material {
        case .rsa: return .rsa
        case .ec(.p256, _): return .p256
        case .ec(.p384, _): return .p384
        case .ec(.p521, _): return .p521
        case .ed25519: return .ed25519
        case .ed448: return .ed448
        case .dsa: return .dsa
        case .unsupported: return nil
        }
    }
}

/// The key types that the engine has. Those that a policy can allow are `allCases` (LANGUAGE section 8,
/// `keys.types`).
public enum KeyType: UInt8, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    case rsa, p256, p384, p521, ed25519, ed448
    /// For NIST's test suite alone: no policy names it and no table holds it.
    case dsa

    /// The types that a policy can allow, in the order of the language; not `dsa`.
    public static let allCases: [KeyType] = [.rsa, .p256, .p384, .p521, .ed25519, .ed448]

    /// The word in a policy.
    public var name: String {
        switch self {
        case .rsa: return "rsa"
        case .p256: return "p256"
        case .p384: return "p384"
        case .p521: return "p521"
        case .ed25519: return "ed25519"
        case .ed448: return "ed448"
        case .dsa: return "dsa"
        }
    }
}
