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

    /// Verifies the signature of a certificate. `identity` names the certificate and the key.
    ///
    /// The answer is that of `verify` without `identity`. A backend may use `identity` to find what
    /// it has prepared or verified before. A backend without such a memory leaves this requirement
    /// out.
    func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>, of identity: SignatureIdentity
    ) -> SignatureOutcome
}

extension CryptoBackend {
    /// Verifies the signature without the help of a memory.
    public func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>, of identity: SignatureIdentity
    ) -> SignatureOutcome {
        verify(algorithm, key: key, keyBytes: keyBytes, message: message, signature: signature)
    }
}

/// What the verification of a certificate's signature is known by (LANGUAGE section 12.8).
///
/// The two digests determine the outcome. `certificate` covers the signed octets, the algorithm
/// with its parameters, and the signature, because the engine parses all of them from the
/// certificate's octets and from nothing else. `issuerKey` covers the kind of the key and its
/// numbers for the same reason. Who finds two inputs with equal digests has broken SHA-256, on
/// which pins rest too. One key is not determined by its SubjectPublicKeyInfo: a DSA key that
/// inherits its parameters. The engine names no signature under such a key.
public struct SignatureIdentity: Hashable, Sendable, BitwiseCopyable {
    /// SHA-256 of the SubjectPublicKeyInfo of the issuer.
    public let issuerKey: Digest
    /// SHA-256 of the whole certificate whose signature is verified.
    public let certificate: Digest

    /// Names a signature. Both digests must be SHA-256.
    package init(issuerKey: Digest, certificate: Digest) {
        self.issuerKey = issuerKey
        self.certificate = certificate
    }
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
