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
    /// the backend has no SHA-1; then no issuer or key is found by its SHA-1.
    func identifierSHA1(of bytes: Span<UInt8>) -> SHA1Identifier?

    /// Verifies `signature` over `message` under `key`.
    ///
    /// `keyBytes` is the buffer that `key`'s ranges point into (a certificate or a bare
    /// SubjectPublicKeyInfo). The answer is `.unsupported` only for an algorithm or a type of key
    /// that the backend does not have. For any other input that the backend cannot process the
    /// answer is `.invalid`, also for an algorithm that belongs to another type of key.
    func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>
    ) -> SignatureOutcome

    /// Verifies the signature of a certificate. `identity` names the certificate and the key.
    ///
    /// The answer is the same as from `verify` without `identity`. A backend may use `identity` to
    /// find a key that it has prepared, or a signature that it has verified. A backend without a
    /// memory leaves this requirement out.
    func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>, of identity: SignatureIdentity
    ) -> SignatureOutcome

    /// Parses a certificate and computes its digests.
    ///
    /// The answer is the same as from `HashedCertificate.init`, which parses and hashes. A backend
    /// may return a certificate that it has parsed from the same octets before. A backend without a
    /// memory leaves this requirement out.
    ///
    /// - Throws: `CertificateError`, as `Certificate.init`.
    func read(_ der: [UInt8]) throws(CertificateError) -> HashedCertificate
}

extension CryptoBackend {
    /// Verifies the signature without the help of a memory.
    public func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>, of identity: SignatureIdentity
    ) -> SignatureOutcome {
        verify(algorithm, key: key, keyBytes: keyBytes, message: message, signature: signature)
    }

    /// Parses the certificate and hashes it, without the help of a memory.
    public func read(_ der: [UInt8]) throws(CertificateError) -> HashedCertificate {
        try HashedCertificate(der: der, crypto: self)
    }
}

/// A parsed certificate and the digests that are known of it. It comes from parsing, or from a
/// memory of an earlier parse of the same octets.
public struct HashedCertificate: Sendable {
    /// The certificate.
    public let certificate: Certificate
    /// SHA-256 of the certificate.
    public let fingerprint: Digest
    /// SHA-256 of its SubjectPublicKeyInfo; nil when it was not computed.
    public let keyDigest: Digest?

    /// Parses a certificate and hashes it. Linear in `der`.
    ///
    /// - Throws: `CertificateError`, as `Certificate.init`.
    public init(der: [UInt8], crypto: some CryptoBackend) throws(CertificateError) {
        certificate = try Certificate(der: der)
        fingerprint = crypto.digest(.sha256, of: der.span)
        keyDigest = nil
    }

    /// A certificate that was parsed and hashed before, from these octets.
    package init(known certificate: Certificate, fingerprint: Digest, keyDigest: Digest) {
        self.certificate = certificate
        self.fingerprint = fingerprint
        self.keyDigest = keyDigest
    }
}

/// What the verification of a certificate's signature is known by (LANGUAGE section 12.8).
///
/// The two digests determine the outcome. `certificate` covers the signed octets, the algorithm
/// with its parameters, and the signature, because the engine parses all of them from the
/// certificate's octets and from nothing else. `issuerKey` covers the kind of the key and its
/// numbers for the same reason. Two inputs with equal digests would break SHA-256, on which pins
/// rest too. One kind of key is not determined by its SubjectPublicKeyInfo: a DSA key that inherits
/// its parameters. The engine gives signatures under that key no identity.
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
    /// The signature does not verify; or the key or the signature is malformed; or no key of this
    /// type makes signatures of this algorithm.
    case invalid
    /// The backend does not have the algorithm, or does not have keys of this type.
    case unsupported
}
