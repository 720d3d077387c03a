import Testing

@testable import TestPKI

@Suite("test keys")
struct TestKeyTests {
    /// The keys must be the same on every machine, for ever: goldens depend on them.
    @Test(
        "a label is one key everywhere",
        arguments: [
            (TestKey.rsa1024("fixed"), "rsa1024"), (.rsa2048("fixed"), "rsa2048"),
            (.p256("fixed"), "p256"), (.p384("fixed"), "p384"), (.p521("fixed"), "p521"),
            (.ed25519("fixed"), "ed25519"), (.ed448("fixed"), "ed448"),
        ])
    func fixed(_ key: TestKey, _ name: String) {
        #expect(key.pin == TestKeyTests.pins[name])
    }

    @Test("another label or kind is another key")
    func distinct() {
        let keys: [TestKey] = [
            .rsa1024("a"), .rsa1024("b"), .p256("a"), .p256("b"), .p384("a"), .ed25519("a"),
            .ed25519("b"), .ed448("a"),
        ]
        #expect(Set(keys.map(\.pin)).count == keys.count)
    }

    /// RFC 6979 appendix A.2.5, P-256 with SHA-256, message "sample".
    @Test("ECDSA nonces are those of RFC 6979")
    func nonces() {
        let key = ECKeyMaterial(
            scalar: BigNumber(
                [
                    0xc9afa9d845ba7516, 0x6b5c215767b1d693, 0x4e50c3db36e89b12,
                    0x7b8a622b120f6721,
                ].flatMap(octets)), curve: .p256)
        let r: [UInt64] = [
            0xefd48b2aacb6a8fd, 0x1140dd9cd45e81d6, 0x9d2c877b56aaf991, 0xc34d0ea84eaf3716,
        ]
        let s: [UInt64] = [
            0xf7cb1c942d657c41, 0xd436c7a1b6e29f65, 0xf3e900dbb9aff406, 0x4dc4ab2f843acda8,
        ]
        let expected = DER.sequence(
            DER.integer(unsigned: r.flatMap(octets)), DER.integer(unsigned: s.flatMap(octets)))
        #expect(key.sign(Array("sample".utf8), .sha256) == expected)
    }

    private func octets(_ word: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
    }

    private static let pins = [
        "rsa1024": "sha256/D3+2uiReTcb+5V1J9SJYPaho7PNfNyXFiCiahXVdSO8=",
        "rsa2048": "sha256/wq1qe2xYx0xEaXkJZVzy0YPIVjeQ5/QwyAaoww3FRss=",
        "p256": "sha256/8s1XjPyN/xFgqCx9gLuHyErRinDwCUaOjS3vpAJ2V90=",
        "p384": "sha256/su+i1Sp9DuCKqjIM2eC/RU76W2nCnL3MmHdO6nxRuMs=",
        "p521": "sha256/ZbcGl8/jyFZszlENHOBzOIp6gpJXTlVJEYsYwYidJhU=",
        "ed25519": "sha256/dtCrb/gMyFqQHroSJuM34xKorGPkOuuC5d88V5mrjTc=",
        "ed448": "sha256/7mubM6MTkw1OqCQ13b04R/ObJUh+SldWqWM96vNVX+g=",
    ]
}
