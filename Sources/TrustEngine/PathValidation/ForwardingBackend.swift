/// A backend in front of another one. It asks the other backend for everything that it does not
/// answer itself.
package protocol ForwardingBackend: CryptoBackend {
    /// The backend that is asked.
    var backend: any CryptoBackend { get }
}

extension ForwardingBackend {
    package func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> Digest {
        backend.digest(algorithm, of: bytes)
    }

    package func identifierSHA1(of bytes: Span<UInt8>) -> SHA1Identifier? {
        backend.identifierSHA1(of: bytes)
    }

    package func read(_ der: [UInt8]) throws(CertificateError) -> HashedCertificate {
        try backend.read(der)
    }

    package func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>
    ) -> SignatureOutcome {
        backend.verify(
            algorithm, key: key, keyBytes: keyBytes, message: message, signature: signature)
    }

    package func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>, of identity: SignatureIdentity
    ) -> SignatureOutcome {
        backend.verify(
            algorithm, key: key, keyBytes: keyBytes, message: message, signature: signature,
            of: identity)
    }
}
