package import TrustEngine

/// A backend that remembers which certificates' signatures have verified under which keys, and what
/// certificates that it has read twice hold. It asks another backend for everything else.
///
/// It answers as the other backend does (`SignatureIdentity` says why), so verdict, trace and work
/// are the same with and without it. Only the engine's search names signatures. Signatures of CRLs,
/// OCSP responses and timestamps are verified each time, because they change from day to day and
/// their octets have no digest that anybody has computed.
package final class RememberingBackend: ForwardingBackend {
    package let backend: any CryptoBackend
    private let memory: SignatureMemory
    private let certificates = CertificateMemory()

    /// Remembers the signatures that `backend` verifies. The memory takes 80 octets for each
    /// signature, and never more than for its capacity; certificates take at most 1.4 MB.
    package init(_ backend: any CryptoBackend, memory: SignatureMemory) {
        self.backend = backend
        self.memory = memory
    }

    package func read(_ der: [UInt8]) throws(CertificateError) -> HashedCertificate {
        try certificates.read(der, crypto: backend)
    }

    package func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>, of identity: SignatureIdentity
    ) -> SignatureOutcome {
        if memory.holds(identity) { return .valid }
        let outcome = backend.verify(
            algorithm, key: key, keyBytes: keyBytes, message: message, signature: signature,
            of: identity)
        if outcome == .valid { memory.remember(identity) }
        return outcome
    }
}
