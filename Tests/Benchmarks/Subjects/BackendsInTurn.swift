import Synchronization
import TrustEngine

/// Backends that take turns: one is asked until `turn` is called, and then the next. So one engine
/// judges with an empty memory again and again.
final class BackendsInTurn: CryptoBackend {
    private let backends: [any CryptoBackend]
    private let index = Atomic<Int>(0)

    /// Takes at least one backend.
    init(_ backends: [any CryptoBackend]) { self.backends = backends }

    /// Lets the next backend answer; the last one goes on.
    func turn() {
        let now = index.load(ordering: .relaxed)
        index.store(min(now + 1, backends.count - 1), ordering: .relaxed)
    }

    private var current: any CryptoBackend { backends[index.load(ordering: .relaxed)] }

    func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> Digest {
        current.digest(algorithm, of: bytes)
    }

    func identifierSHA1(of bytes: Span<UInt8>) -> SHA1Identifier? {
        current.identifierSHA1(of: bytes)
    }

    func read(_ der: [UInt8]) throws(CertificateError) -> HashedCertificate {
        try current.read(der)
    }

    func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>
    ) -> SignatureOutcome {
        current.verify(
            algorithm, key: key, keyBytes: keyBytes, message: message, signature: signature)
    }

    func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>, of identity: SignatureIdentity
    ) -> SignatureOutcome {
        current.verify(
            algorithm, key: key, keyBytes: keyBytes, message: message, signature: signature,
            of: identity)
    }
}
