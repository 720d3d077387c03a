import Synchronization
import TestPKI
import Testing
import TrustEngine

@testable import LibCrypto

@Suite("another library in libcrypto's place")
struct SignatureLibraryTests {
    /// Takes some keys and some schemes, gives one answer to all, and counts the questions.
    private final class Oracle: SignatureLibrary {
        struct Asked: Equatable {
            var prepared = 0
            var verified = 0
        }

        let takesKey: @Sendable (KeyNumbers) -> Bool
        let takesScheme: @Sendable (VerificationScheme) -> Bool
        let answer: Bool
        private let counts = Mutex(Asked())

        var asked: Asked { counts.withLock { $0 } }

        init(
            answer: Bool, takesKey: @escaping @Sendable (KeyNumbers) -> Bool = { _ in true },
            takesScheme: @escaping @Sendable (VerificationScheme) -> Bool = { _ in true }
        ) {
            self.answer = answer
            self.takesKey = takesKey
            self.takesScheme = takesScheme
        }

        func prepare(_ numbers: KeyNumbers) -> (any LibraryKey)? {
            counts.withLock { $0.prepared += 1 }
            return takesKey(numbers) ? Key(oracle: self) : nil
        }

        struct Key: LibraryKey {
            let oracle: Oracle

            func takes(_ scheme: VerificationScheme) -> Bool { oracle.takesScheme(scheme) }

            func verify(
                _ scheme: VerificationScheme, message: Span<UInt8>, signature: Span<UInt8>
            ) -> Bool {
                oracle.counts.withLock { $0.verified += 1 }
                return oracle.answer
            }
        }
    }

    private func verify(
        _ backend: LibCryptoBackend, _ algorithm: SignatureAlgorithm, _ key: BufferedKey,
        _ message: [UInt8], _ signature: [UInt8]
    ) -> SignatureOutcome {
        backend.verify(
            algorithm, key: key.key, keyBytes: key.buffer.span, message: message.span,
            signature: signature.span)
    }

    @Test(
        "what the library takes, it answers alone; its key is prepared once",
        arguments: KnownAnswer.all)
    func taken(_ answer: KnownAnswer) throws {
        let key = try BufferedKey(spki: #require(KnownAnswer.keys[answer.key]))
        let yes = Oracle(answer: true)
        let backend = LibCryptoBackend(library: yes)
        for _ in 0..<3 {
            #expect(verify(backend, answer.algorithm, key, [1, 2], answer.signature) == .valid)
        }
        #expect(yes.asked == Oracle.Asked(prepared: 1, verified: 3))

        let no = Oracle(answer: false)
        let strict = LibCryptoBackend(library: no)
        for _ in 0..<2 {
            #expect(
                verify(strict, answer.algorithm, key, KnownAnswer.message, answer.signature)
                    == .invalid)
        }
        #expect(no.asked == Oracle.Asked(prepared: 2, verified: 2), "no key without a signature")
    }

    @Test("what the library leaves is libcrypto's, key or scheme", arguments: KnownAnswer.all)
    func left(_ answer: KnownAnswer) throws {
        let key = try BufferedKey(spki: #require(KnownAnswer.keys[answer.key]))
        for oracle in [
            Oracle(answer: true, takesKey: { _ in false }),
            Oracle(answer: true, takesScheme: { _ in false }),
        ] {
            let backend = LibCryptoBackend(library: oracle)
            for _ in 0..<2 {
                #expect(
                    verify(backend, answer.algorithm, key, KnownAnswer.message, answer.signature)
                        == .valid)
                #expect(verify(backend, answer.algorithm, key, [1], answer.signature) == .invalid)
            }
            #expect(oracle.asked == Oracle.Asked(prepared: 1, verified: 0))
        }
    }

    @Test("one key, one scheme of the library and one of libcrypto")
    func shared() throws {
        let oracle = Oracle(
            answer: true,
            takesScheme: {
                if case .rsaPSS = $0 { return false }
                return true
            })
        let backend = LibCryptoBackend(library: oracle)
        for answer in KnownAnswer.all where answer.key == "rsa2048" {
            let key = try BufferedKey(spki: #require(KnownAnswer.keys[answer.key]))
            let outcome = verify(backend, answer.algorithm, key, [1], answer.signature)
            if case .rsaPSS = answer.algorithm {
                #expect(outcome == .invalid, "libcrypto's answer")
            } else {
                #expect(outcome == .valid, "the oracle's answer")
            }
        }
    }

    @Test("no library is asked about what is refused before")
    func refusedBefore() throws {
        let oracle = Oracle(answer: true)
        let backend = LibCryptoBackend(library: oracle)
        let identity = [1] + [UInt8](repeating: 0, count: 31)
        let p256 = try BufferedKey(spki: #require(KnownAnswer.keys["p256"]))
        let rsa = try BufferedKey(spki: #require(KnownAnswer.keys["rsa2048"]))
        let sound = try #require(KnownAnswer.all.first { $0.name == "ECDSA p256 sha256" }).signature
        let ones = [UInt8](repeating: 1, count: 64)
        #expect(verify(backend, .ed25519, .ed25519(identity), [1], ones) == .invalid)
        #expect(
            verify(backend, .ed25519, .ed25519([UInt8](repeating: 9, count: 31)), [1], ones)
                == .invalid)
        #expect(verify(backend, .ecdsa(.sha256), p256, [1], sound + [0]) == .invalid)
        #expect(verify(backend, .ecdsa(.sha256), p256, [1], []) == .invalid)
        #expect(verify(backend, .ecdsa(.sha256), .ec(.p256, [0]), [1], sound) == .invalid)
        #expect(verify(backend, .rsaPKCS1(.sha256), rsa, [1], []) == .invalid)
        let wide = [UInt8](repeating: 0xff, count: 256)
        for exponent in [[], [1], [2], [UInt8](repeating: 0xff, count: 9)] as [[UInt8]] {
            let key = BufferedKey.rsa(modulus: wide, exponent: exponent)
            #expect(verify(backend, .rsaPKCS1(.sha256), key, [1], ones) == .invalid)
        }
        #expect(verify(backend, .ed25519, p256, [1], ones) == .invalid)
        #expect(verify(backend, .ecdsa(.other), p256, [1], sound) == .unsupported)
        #expect(oracle.asked == Oracle.Asked())
    }

    @Test("r and s of a signature, where they stand")
    func scalars() throws {
        let signature: [UInt8] = [0x30, 0x08, 2, 2, 0, 0x80, 2, 2, 1, 2]
        let scalars = ECDSASignature.scalars(in: signature.span, scalarBytes: 32)
        let found = try #require(scalars)
        #expect(found.r == 4..<6)
        #expect(found.s == 8..<10)
        let empty: [UInt8] = [0x30, 0]
        let none = ECDSASignature.scalars(in: empty.span, scalarBytes: 32)
        #expect(none == nil)
    }
}
