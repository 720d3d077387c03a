/// What the engine asks of cryptography: digests, and one signature under one key.
///
/// The engine parses keys and algorithm identifiers itself; a backend sees numbers and points, never
/// an encoded certificate. Conforming types are pure: same input, same answer, no clock, no disk.
public protocol CryptoBackend: Sendable {
    /// The digest of a run of bytes.
    func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> Digest

    /// SHA-1 as a name that OCSP gives to issuers and keys, never for anything that is to be proved;
    /// nil where there is none, and nothing is then found by such a name.
    func identifierSHA1(of bytes: Span<UInt8>) -> SHA1Identifier?

    /// Whether `signature` over `message` verifies under `key`.
    ///
    /// `keyBytes` is the buffer that `key`'s ranges point into (a certificate or a bare
    /// SubjectPublicKeyInfo). Anything that the backend cannot process answers `.invalid`; only
    /// an algorithm it does not have answers `.unsupported`.
    func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>
    ) -> SignatureOutcome
}

/// The answer of one signature verification.
public enum SignatureOutcome: Hashable, Sendable, BitwiseCopyable {
    /// The signature verifies.
    case valid
    /// It does not, or the key or signature is malformed.
    case invalid
    /// The backend has no such algorithm, or it does not fit the key.
    case unsupported
}
