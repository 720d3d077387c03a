import Synchronization
import TestPKI
import Testing
import TrustEngine

@testable import LibCrypto

@Suite("a backend that remembers")
struct RememberingBackendTests {
    /// One answer for every signature, counted.
    private final class OneAnswer: CryptoBackend {
        let outcome: SignatureOutcome
        private let calls = Atomic<Int>(0)
        private let named = Atomic<Int>(0)
        private let libcrypto = LibCryptoBackend()

        init(_ outcome: SignatureOutcome) { self.outcome = outcome }

        var count: Int { calls.load(ordering: .relaxed) }
        var namedCount: Int { named.load(ordering: .relaxed) }

        func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> Digest {
            libcrypto.digest(algorithm, of: bytes)
        }

        func identifierSHA1(of bytes: Span<UInt8>) -> SHA1Identifier? {
            libcrypto.identifierSHA1(of: bytes)
        }

        func verify(
            _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
            message: Span<UInt8>, signature: Span<UInt8>
        ) -> SignatureOutcome {
            calls.wrappingAdd(1, ordering: .relaxed)
            return outcome
        }

        func verify(
            _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
            message: Span<UInt8>, signature: Span<UInt8>, of identity: SignatureIdentity
        ) -> SignatureOutcome {
            named.wrappingAdd(1, ordering: .relaxed)
            return verify(
                algorithm, key: key, keyBytes: keyBytes, message: message, signature: signature)
        }
    }

    private let key = BufferedKey.ed25519([UInt8](repeating: 1, count: 32))

    private func identity(_ key: UInt8, _ certificate: UInt8) -> SignatureIdentity {
        let crypto = LibCryptoBackend()
        return SignatureIdentity(
            issuerKey: crypto.digest(.sha256, of: [key].span),
            certificate: crypto.digest(.sha256, of: [certificate].span))
    }

    private func ask(
        _ backend: some CryptoBackend, _ identity: SignatureIdentity?
    ) -> SignatureOutcome {
        let octets: [UInt8] = [1, 2, 3]
        guard let identity else {
            return backend.verify(
                .ed25519, key: key.key, keyBytes: key.buffer.span, message: octets.span,
                signature: octets.span)
        }
        return backend.verify(
            .ed25519, key: key.key, keyBytes: key.buffer.span, message: octets.span,
            signature: octets.span, of: identity)
    }

    @Test("a signature that has verified is not verified again; every other one is")
    func remembers() {
        let inner = OneAnswer(.valid)
        let backend = RememberingBackend(inner, memory: SignatureMemory(capacity: 64))
        for _ in 0..<3 { #expect(ask(backend, identity(1, 1)) == .valid) }
        #expect(inner.count == 1)
        #expect(inner.namedCount == 1, "the name is handed on")
        #expect(ask(backend, identity(2, 1)) == .valid)
        #expect(ask(backend, identity(1, 2)) == .valid)
        #expect(inner.count == 3)
        for _ in 0..<2 { #expect(ask(backend, nil) == .valid) }
        #expect(inner.count == 5, "a signature without a name")
    }

    @Test("a failure is not remembered", arguments: [SignatureOutcome.invalid, .unsupported])
    func failures(_ outcome: SignatureOutcome) {
        let inner = OneAnswer(outcome)
        let memory = SignatureMemory(capacity: 64)
        let backend = RememberingBackend(inner, memory: memory)
        for _ in 0..<3 { #expect(ask(backend, identity(1, 1)) == outcome) }
        #expect(inner.count == 3)
        #expect(memory.count == 0)
    }

    @Test("a backend that knows no names answers as without them")
    func withoutNames() {
        struct Plain: CryptoBackend {
            let inner: OneAnswer
            func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> Digest {
                inner.digest(algorithm, of: bytes)
            }
            func identifierSHA1(of bytes: Span<UInt8>) -> SHA1Identifier? { nil }
            func verify(
                _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
                message: Span<UInt8>, signature: Span<UInt8>
            ) -> SignatureOutcome {
                inner.verify(
                    algorithm, key: key, keyBytes: keyBytes, message: message,
                    signature: signature)
            }
        }
        let inner = OneAnswer(.valid)
        let backend = RememberingBackend(
            Plain(inner: inner), memory: SignatureMemory(capacity: 64))
        for _ in 0..<2 { #expect(ask(backend, identity(1, 1)) == .valid) }
        #expect(inner.count == 1)
        #expect(inner.namedCount == 0)
    }
}
