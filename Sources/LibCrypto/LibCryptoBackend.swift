public import TrustEngine

/// Signatures and digests through libcrypto.
///
/// Keys are built from their numbers with `EVP_PKEY_fromdata`, never through OpenSSL 3.0's decoder,
/// which costs five times a verification. Anything libcrypto refuses is `.invalid`.
public struct LibCryptoBackend: CryptoBackend {
    /// A backend. All of them share one set of digest algorithms and one key cache in the process.
    public init() {}

    public func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> Digest {
        MessageDigests.shared.digest(algorithm, of: bytes)
    }

    public func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>
    ) -> SignatureOutcome {
        SignatureVerifier.verify(
            algorithm, key: key, keyBytes: keyBytes, message: message, signature: signature)
    }
}
