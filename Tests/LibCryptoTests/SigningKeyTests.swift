import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// Private keys that sign tables, against the test PKI's own Ed25519.
@Suite struct SigningKeyTests {
    private func der(_ key: TestKey) throws -> [UInt8] {
        try #require(try PEM.decode(Array(key.privateKeyPEM.utf8).span).first).der
    }

    @Test func aKeySignsAsEveryEd25519Does() throws {
        for label in ["one", "two"] {
            let test = TestKey.ed25519("signing key \(label)")
            guard let key = SigningKey(pkcs8: try der(test)) else {
                Issue.record("the key is not read")
                return
            }
            #expect(key.publicKey == test.publicKeyBits)
            for message in [[], [0], Array("a longer message".utf8)] as [[UInt8]] {
                #expect(key.sign(message) == test.sign(message))
            }
        }
    }

    @Test func whatIsNoEd25519KeyIsNotRead() throws {
        func isRead(_ der: [UInt8]) -> Bool { SigningKey(pkcs8: der) != nil }
        let good = try der(.ed25519("signing key one"))
        #expect(isRead(good))
        #expect(!isRead([]))
        #expect(!isRead(good + [0]))
        for count in 1..<good.count { #expect(!isRead(Array(good[..<count])), "\(count)") }
        for other in [TestKey.p256("no signing key"), .ed448("no signing key")] {
            #expect(!isRead(try der(other)))
        }
        #expect(!isRead(TestKey.ed25519("signing key one").spki))
    }
}
