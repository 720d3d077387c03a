#if NIO

import NIOSSL

/// The entries of the IANA registries "TLS Cipher Suites", "TLS Supported Groups" and "TLS
/// SignatureScheme" that BoringSSL has, as SwiftNIO SSL builds it. A name that is missing here is
/// never negotiated.
enum TLSNames {
    /// Suites of TLS 1.2 and before, by name. TLS 1.3 has suites of its own, which a program cannot
    /// choose.
    static let cipherSuites: [String: NIOTLSCipher] = [
        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256": NIOTLSCipher(0xC02B),
        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384": NIOTLSCipher(0xC02C),
        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256": NIOTLSCipher(0xC02F),
        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384": NIOTLSCipher(0xC030),
        "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256": NIOTLSCipher(0xCCA8),
        "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256": NIOTLSCipher(0xCCA9),
        "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256": NIOTLSCipher(0xC023),
        "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256": NIOTLSCipher(0xC027),
        "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA": NIOTLSCipher(0xC009),
        "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA": NIOTLSCipher(0xC00A),
        "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA": NIOTLSCipher(0xC013),
        "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA": NIOTLSCipher(0xC014),
        "TLS_RSA_WITH_AES_128_GCM_SHA256": NIOTLSCipher(0x009C),
        "TLS_RSA_WITH_AES_256_GCM_SHA384": NIOTLSCipher(0x009D),
        "TLS_RSA_WITH_AES_128_CBC_SHA": NIOTLSCipher(0x002F),
        "TLS_RSA_WITH_AES_256_CBC_SHA": NIOTLSCipher(0x0035),
    ]

    /// The suites for a rule that has no list of its own but demands forward secrecy or a signature
    /// by the server; the best suite first.
    static let ephemeralSuites = [
        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
        "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
    ]

    /// The suites of TLS 1.3 that BoringSSL offers and accepts. It always uses all of them.
    static let cipherSuitesOfTLS13: Set<String> = [
        "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256",
    ]

    /// Key exchange groups.
    static let groups: [String: NIOTLSCurve] = [
        "x25519": .x25519, "secp256r1": .secp256r1, "secp384r1": .secp384r1,
        "secp521r1": .secp521r1, "X25519MLKEM768": .x25519_MLKEM768,
        "MLKEM1024": NIOTLSCurve(0x0202),
    ]

    /// Schemes by which a peer's signature over the handshake is verified.
    static let signatureSchemes: [String: SignatureAlgorithm] = [
        "ecdsa_secp256r1_sha256": .ecdsaSecp256R1Sha256,
        "ecdsa_secp384r1_sha384": .ecdsaSecp384R1Sha384,
        "ecdsa_secp521r1_sha512": .ecdsaSecp521R1Sha512, "ed25519": .ed25519,
        "rsa_pss_rsae_sha256": .rsaPssRsaeSha256, "rsa_pss_rsae_sha384": .rsaPssRsaeSha384,
        "rsa_pss_rsae_sha512": .rsaPssRsaeSha512, "rsa_pkcs1_sha256": .rsaPkcs1Sha256,
        "rsa_pkcs1_sha384": .rsaPkcs1Sha384, "rsa_pkcs1_sha512": .rsaPkcs1Sha512,
    ]
}

#endif
