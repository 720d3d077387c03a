import CLibSSL

/// Names signature schemes as the IANA registry "TLS SignatureScheme" does (RFC 8446 section
/// 4.2.3). This release of libssl gives the parts of a scheme and not its code point.
enum TLSSignatureScheme {
    /// The name of the scheme that the server signed with, from libssl's numbers. Nil where the
    /// server signed nothing (key exchange by RSA), and for a signature without a scheme (TLS 1.0
    /// and 1.1 sign MD5 and SHA-1 together).
    static func name(type: Int32, hash: Int32, key: Int32) -> String? {
        switch type {
        case EVP_PKEY_RSA: return hashName(hash).map { "rsa_pkcs1_\($0)" }
        case EVP_PKEY_RSA_PSS:
            guard hash != NID_sha1 else { return nil }
            // The kind of key decides: rsaEncryption or id-RSASSA-PSS.
            let form = key == EVP_PKEY_RSA_PSS ? "pss" : "rsae"
            return hashName(hash).map { "rsa_pss_\(form)_\($0)" }
        case EVP_PKEY_EC:
            switch hash {
            case NID_sha1: return "ecdsa_sha1"
            // There is one code point for each hash, whatever the curve in TLS 1.2.
            case NID_sha256: return "ecdsa_secp256r1_sha256"
            case NID_sha384: return "ecdsa_secp384r1_sha384"
            case NID_sha512: return "ecdsa_secp521r1_sha512"
            default: return nil
            }
        case EVP_PKEY_ED25519: return "ed25519"
        case EVP_PKEY_ED448: return "ed448"
        default: return latticeName(type)
        }
    }

    /// The name of a scheme of ML-DSA. The header of OpenSSL 3.0 has no numbers for these; a later
    /// libssl knows them by their names in NIST's registry of object identifiers.
    private static func latticeName(_ type: Int32) -> String? {
        guard let name = unsafe OBJ_nid2ln(type) else { return nil }
        switch unsafe String(cString: name) {
        case "ML-DSA-44": return "mldsa44"
        case "ML-DSA-65": return "mldsa65"
        case "ML-DSA-87": return "mldsa87"
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
