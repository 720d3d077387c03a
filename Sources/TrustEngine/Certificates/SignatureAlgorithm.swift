/// A signature algorithm as an AlgorithmIdentifier names it (RFC 5280 section 4.1.1.2, RFC 3279,
/// RFC 4055, RFC 5758, RFC 8410, RFC 9881).
public enum SignatureAlgorithm: Hashable, Sendable, BitwiseCopyable {
    /// RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2).
    case rsaPKCS1(SignatureHash)
    /// RSASSA-PSS (RFC 8017 section 8.1). `saltLength` is in octets.
    case rsaPSS(hash: SignatureHash, mgfHash: SignatureHash, saltLength: Int32)
    /// ECDSA (RFC 5758 section 3.2).
    case ecdsa(SignatureHash)
    /// Ed25519 (RFC 8410).
    case ed25519
    /// Ed448 (RFC 8410).
    case ed448
    /// Pure ML-DSA with the empty context (RFC 9881 section 3). Its variant that signs a digest,
    /// HashML-DSA, is not for certificates (section 8.3), and so it is `unsupported`.
    case mldsa(PublicKey.MLDSAParameters)
    /// DSA (RFC 3279 section 2.2.2, RFC 5758 section 3.1). No policy can allow DSA.
    case dsa(SignatureHash)
    /// Another identifier, or parameters that the algorithm does not allow.
    case unsupported

    /// Stands where the name of an algorithm is wanted and the engine does not have the algorithm.
    package static let unknownName = "an unknown algorithm"
}

/// The hash of a signature algorithm. SHA-1 is known only so that a policy can name it.
public enum SignatureHash: UInt8, Hashable, Sendable, Comparable, BitwiseCopyable {
    case sha1 = 0
    case sha256 = 1
    case sha384 = 2
    case sha512 = 3
    /// MD5, SHA-224, SHA-3 and every other hash. Always refused.
    case other = 255

    /// Orders hashes by strength, the weaker hash first. `other` comes before all other hashes.
    public static func < (left: SignatureHash, right: SignatureHash) -> Bool {
        left.strength < right.strength
    }

    private var strength: Int { self == .other ? -1 : Int(rawValue) }

    /// The name in policies and traces.
    public var name: String {
        switch self {
        case .sha1: return "sha1"
        case .sha256: return "sha256"
        case .sha384: return "sha384"
        case .sha512: return "sha512"
        case .other: return "another hash"
        }
    }
}
