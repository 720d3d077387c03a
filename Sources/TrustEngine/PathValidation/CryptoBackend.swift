/// The cryptography that the engine needs: digests, and the verification of one signature under one
/// key.
///
/// The engine parses keys and algorithm identifiers itself. A backend gets numbers and points,
/// never an encoded certificate. Conforming types are pure: the same input gives the same answer,
/// without clock and disk.
public protocol CryptoBackend: Sendable {
    /// The digest of octets.
    func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> Digest

    /// SHA-1 of octets, by which OCSP names issuers and keys. It never proves anything. Nil where
    /// the backend has no SHA-1; then no issuer and no key is found by such a name.
    func identifierSHA1(of bytes: Span<UInt8>) -> SHA1Identifier?

    /// Verifies `signature` over `message` under `key`.
    ///
    /// `keyBytes` is the buffer that `key`'s ranges point into (a certificate or a bare
    /// SubjectPublicKeyInfo). The answer is `.unsupported` only for an algorithm that the backend
    /// does not have. For any other input that the backend cannot process the answer is `.invalid`.
    func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>
    ) -> SignatureOutcome
}

/// The answer of one signature verification.
public enum SignatureOutcome: Hashable, Sendable, BitwiseCopyable {
    /// The signature verifies.
    case valid
    /// The signature does not verify, or the key or the signature is malformed.
    case invalid
    /// The backend does not have the algorithm, or the algorithm does not fit the key.
    case unsupported
}
