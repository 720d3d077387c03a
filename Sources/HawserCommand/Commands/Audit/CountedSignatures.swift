import Synchronization
import TrustEngine

/// Counts the signatures of certificates that a backend verifies, and the time that they take. It
/// stands below the memory of signatures, so remembered signatures are not counted.
final class CountedSignatures: ForwardingBackend {
    let backend: any CryptoBackend
    private let verified = Atomic<Int>(0)
    private let nanoseconds = Atomic<Int>(0)

    init(_ backend: any CryptoBackend) { self.backend = backend }

    /// The signatures that were verified.
    var count: Int { verified.load(ordering: .relaxed) }
    /// The time of all threads in them.
    var seconds: Double { Double(nanoseconds.load(ordering: .relaxed)) / 1e9 }

    func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>
    ) -> SignatureOutcome {
        let begun = ContinuousClock.now
        let outcome = backend.verify(
            algorithm, key: key, keyBytes: keyBytes, message: message, signature: signature)
        count(since: begun)
        return outcome
    }

    func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>, of identity: SignatureIdentity
    ) -> SignatureOutcome {
        let begun = ContinuousClock.now
        let outcome = backend.verify(
            algorithm, key: key, keyBytes: keyBytes, message: message, signature: signature,
            of: identity)
        count(since: begun)
        return outcome
    }

    private func count(since begun: ContinuousClock.Instant) {
        let (seconds, attoseconds) = begun.duration(to: .now).components
        verified.add(1, ordering: .relaxed)
        nanoseconds.add(
            Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000), ordering: .relaxed)
    }
}
