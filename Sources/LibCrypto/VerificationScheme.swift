import CLibCrypto
package import TrustEngine

/// A signature algorithm that fits a kind of key.
package enum VerificationScheme: Hashable, Sendable {
    /// RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2.2).
    case rsaPKCS1(SignatureHash)
    /// RSASSA-PSS (RFC 8017 section 8.1.2); salt length in octets, not negative.
    case rsaPSS(hash: SignatureHash, mgfHash: SignatureHash, saltLength: Int32)
    /// ECDSA over the key's curve; `scalarBytes` is the length of the group order in octets.
    case ecdsa(SignatureHash, scalarBytes: Int)
    /// DSA; `orderBytes` is the length of the group order in octets.
    case dsa(SignatureHash, orderBytes: Int)
    /// Ed25519 or Ed448, which hash for themselves (RFC 8032).
    case edwards(signatureBytes: Int)
    /// Pure ML-DSA with the empty context (RFC 9881 section 3), which hashes for itself.
    case mldsa(PublicKey.MLDSAParameters)

    /// The scheme of an algorithm for a kind of key; nil when the backend does not have the
    /// algorithm or the algorithm belongs to another kind of key.
    package init?(_ algorithm: SignatureAlgorithm, for material: PublicKey.Material) {
        switch (algorithm, material) {
        case (.rsaPKCS1(let hash), .rsa) where hash != .other:
            self = .rsaPKCS1(hash)
        case (.rsaPSS(let hash, let mgfHash, let saltLength), .rsa),
            (.rsaPSS(let hash, let mgfHash, let saltLength), .rsaPSS):
            // A `where` behind two patterns would guard only the second pattern.
            guard hash != .other, mgfHash != .other, saltLength >= 0 else { return nil }
            self = .rsaPSS(hash: hash, mgfHash: mgfHash, saltLength: saltLength)
        case (.ecdsa(let hash), .ec(let curve, _)) where hash != .other:
            self = .ecdsa(hash, scalarBytes: curve.fieldBytes)
        case (.dsa(let hash), .dsa(let parameters?, _)) where hash != .other:
            self = .dsa(hash, orderBytes: Int(parameters.order.count))
        case (.ed25519, .ed25519):
            self = .edwards(signatureBytes: 64)
        case (.ed448, .ed448):
            self = .edwards(signatureBytes: 114)
        case (.mldsa(let named), .mldsa(let own, _)) where named == own:
            self = .mldsa(named)
        default:
            return nil
        }
    }

    /// The hash of the message that the key verifies; nil where the scheme hashes the message
    /// itself.
    package var hash: SignatureHash? {
        switch self {
        case .rsaPKCS1(let hash), .rsaPSS(let hash, _, _), .ecdsa(let hash, _), .dsa(let hash, _):
            return hash
        case .edwards, .mldsa: return nil
        }
    }

    /// Whether a signature has the form that the scheme demands; this is checked before any
    /// arithmetic. libcrypto compares the length of an RSA signature with the modulus.
    func accepts(signature: Span<UInt8>) -> Bool {
        switch self {
        case .rsaPKCS1, .rsaPSS: return !signature.isEmpty
        case .ecdsa(_, let scalarBytes), .dsa(_, let scalarBytes):
            return ECDSASignature.isStrict(signature, scalarBytes: scalarBytes)
        case .edwards(let count): return signature.count == count
        case .mldsa(let set): return signature.count == set.signatureBytes
        }
    }

    /// Sets up a context for this scheme. Returns false when libcrypto refuses.
    func configure(_ context: OpaquePointer) -> Bool {
        guard unsafe EVP_PKEY_verify_init(context) == 1 else { return false }
        switch self {
        case .rsaPKCS1(let hash):
            return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
                && EVP_PKEY_CTX_set_signature_md(context, DigestMethods.shared.method(hash)) == 1
        case .rsaPSS(let hash, let mgfHash, let saltLength):
            let methods = DigestMethods.shared
            return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
                && EVP_PKEY_CTX_set_signature_md(context, methods.method(hash)) == 1
                && EVP_PKEY_CTX_set_rsa_mgf1_md(context, methods.method(mgfHash)) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, saltLength) == 1
        case .ecdsa(let hash, _), .dsa(let hash, _):
            return unsafe EVP_PKEY_CTX_set_signature_md(
                context, DigestMethods.shared.method(hash)) == 1
        case .edwards, .mldsa:
            return false
        }
    }
}

extension PublicKey.Curve {
    /// Octets of a coordinate and of the group order (SEC 2 sections 2.4 to 2.6).
    package var fieldBytes: Int {
        switch self {
        case .p256: return 32
        case .p384: return 48
        case .p521: return 66
        }
    }

    /// The curve's name in libcrypto's parameters.
    var groupName: StaticString {
        switch self {
        case .p256: return "P-256"
        case .p384: return "P-384"
        case .p521: return "P-521"
        }
    }
}
