import CLibSSL

/// Signature schemes by the names of the IANA registry "TLS SignatureScheme" (RFC 8446 section 4.2.3).
/// This release of libssl says what a scheme is made of and not which it was.
enum TLSSignatureScheme {
    /// The name of what the server signed with, from libssl's numbers; nil where nothing was signed (key
    /// exchange by RSA), and for what no scheme stands for (TLS 1.0 and 1.1 sign MD5 and SHA-1 together).
    static func name(type: Int32, hash: Int32, key: Int32) -> String? {
        switch type {
        case EVP_PKEY_RSA: return hashName(hash).map { "rsa_pkcs1_\($0)" }
        case EVP_PKEY_RSA_PSS:
            guard hash != NID_sha1 else { return nil }
            // The scheme follows the kind of key: rsaEncryption or id-RSASSA-PSS.
            let form = key == EVP_PKEY_RSA_PSS ? "pss" : "rsae"
            return hashName(hash).map { "rsa_pss_\(form)_\($0)" }
        case EVP_PKEY_EC:
            switch hash {
            case NID_sha1: return "ecdsa_sha1"
            // One code point each, whatever the curve was in TLS 1.2.
            case NID_sha256: return "ecdsa_secp256r1_sha256"
            case NID_sha384: return "ecdsa_secp384r1_sha384"
            case NID_sha512: return "ecdsa_secp521r1_sha512"
            default: return nil
            }
        case EVP_PKEY_ED25519: return "ed25519"
        case EVP_PKEY_ED448: return "ed448"
        default: return nil
        }
    }

    private static func hashName(_ hash: Int32) -> String? {
        switch hash {
        case NID_sha1: return "sha1"
        case NID_sha256: return "sha256"
        case NID_sha384: return "sha384"
        case NID_sha512: return "sha512"
        default: return nil
        }
    }
}
