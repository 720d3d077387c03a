public import TrustEngine

/// Signatures and digests through libcrypto.
public struct LibCryptoBackend: CryptoBackend {
    /// A backend.
    public init() {}

    public func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> Digest {
        preconditionFailure("backend")
    }

    public func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>
    ) -> SignatureOutcome { .unsupported }
}
