import Synchronization
import TestPKI
import Testing
import TrustEngine

@testable import LibCrypto

@Suite("a backend that remembers signatures without a name")
struct UnnamedSignaturesTests {
    /// One answer for every signature, counted.
    private final class OneAnswer: CryptoBackend {
        private let outcome: SignatureOutcome
        private let calls = Atomic<Int>(0)
        private let libcrypto = LibCryptoBackend()

        init(_ outcome: SignatureOutcome) { self.outcome = outcome }

        var count: Int { calls.load(ordering: .relaxed) }

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
    }

    /// What a verification is asked.
    private struct Asked {
        var algorithm = SignatureAlgorithm.rsaPSS(hash: .sha256, mgfHash: .sha256, saltLength: 32)
        var key = BufferedKey.ed25519([UInt8](repeating: 1, count: 32))
        var message: [UInt8] = [1, 2, 3, 4]
        var signature: [UInt8] = [5, 6]

        func ask(_ backend: some CryptoBackend) -> SignatureOutcome {
            backend.verify(
                algorithm, key: key.key, keyBytes: key.buffer.span, message: message.span,
                signature: signature.span)
        }

        static func with(_ change: (inout Asked) -> Void) -> Asked {
            var asked = Asked()
            change(&asked)
            return asked
        }
    }

    /// Questions that differ from the first one in one thing each.
    private static let others: [Asked] = [
        .with { $0.message = [1, 2, 3, 5] }, .with { $0.signature = [5, 7] },
        // The same octets, cut elsewhere.
        .with { ($0.message, $0.signature) = ([1, 2, 3], [4, 5, 6]) },
        .with { ($0.message, $0.signature) = ([1, 2, 3, 4, 5], [6]) },
        .with { $0.key = .ed25519([UInt8](repeating: 2, count: 32)) },
        .with { $0.algorithm = .rsaPSS(hash: .sha384, mgfHash: .sha256, saltLength: 32) },
        .with { $0.algorithm = .rsaPSS(hash: .sha256, mgfHash: .sha384, saltLength: 32) },
        .with { $0.algorithm = .rsaPSS(hash: .sha256, mgfHash: .sha256, saltLength: 33) },
        .with { $0.algorithm = .rsaPSS(hash: .sha256, mgfHash: .sha256, saltLength: 32 << 8) },
        .with { $0.algorithm = .rsaPKCS1(.sha256) }, .with { $0.algorithm = .ecdsa(.sha256) },
        .with { $0.algorithm = .ecdsa(.sha384) }, .with { $0.algorithm = .ed25519 },
        .with { $0.algorithm = .ed448 }, .with { $0.algorithm = .mldsa(.mldsa44) },
        .with { $0.algorithm = .mldsa(.mldsa65) }, .with { $0.algorithm = .mldsa(.mldsa87) },
    ]

    private static func memory() -> SignatureMemory { SignatureMemory(capacity: 4_096) }

    @Test("a signature that has verified is not verified again; what differs in anything is")
    func remembers() {
        let inner = OneAnswer(.valid)
        let backend = UnnamedSignatures(inner, memory: Self.memory())
        for (number, asked) in ([Asked()] + Self.others).enumerated() {
            for _ in 0..<3 { #expect(asked.ask(backend) == .valid) }
            #expect(inner.count == number + 1, "\(asked.algorithm)")
        }
    }

    @Test(
        "an outcome that is not valid is not remembered",
        arguments: [
            SignatureOutcome.invalid, .unsupported,
        ])
    func failures(_ outcome: SignatureOutcome) {
        let inner = OneAnswer(outcome)
        let memory = Self.memory()
        let backend = UnnamedSignatures(inner, memory: memory)
        for _ in 0..<2 { #expect(Asked().ask(backend) == outcome) }
        #expect(inner.count == 2 && memory.count == 0)
    }

    @Test("of DSA and of algorithms that are not known nothing is remembered")
    func unknown() {
        let inner = OneAnswer(.valid)
        let memory = Self.memory()
        let backend = UnnamedSignatures(inner, memory: memory)
        let none = PublicKey(
            material: .dsa(parameters: nil, value: ByteRange(start: 0, count: 1)), bits: 0,
            spki: ByteRange(start: 0, count: 32))
        let octets = [UInt8](repeating: 1, count: 32)
        for _ in 0..<2 {
            _ = Asked.with { $0.algorithm = .unsupported }.ask(backend)
            _ = Asked.with { $0.algorithm = .dsa(.sha256) }.ask(backend)
            _ = backend.verify(
                .ecdsa(.sha256), key: none, keyBytes: octets.span, message: octets.span,
                signature: octets.span)
        }
        #expect(inner.count == 6 && memory.count == 0)
    }

    @Test("a signature with a name is handed on")
    func named() {
        let inner = OneAnswer(.valid)
        let memory = Self.memory()
        let backend = UnnamedSignatures(inner, memory: memory)
        let asked = Asked()
        let digest = inner.digest(.sha256, of: asked.message.span)
        for _ in 0..<2 {
            _ = backend.verify(
                asked.algorithm, key: asked.key.key, keyBytes: asked.key.buffer.span,
                message: asked.message.span, signature: asked.signature.span,
                of: SignatureIdentity(issuerKey: digest, certificate: digest))
        }
        #expect(inner.count == 2 && memory.count == 0)
    }
}
