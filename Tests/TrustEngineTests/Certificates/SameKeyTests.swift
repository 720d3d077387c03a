import TestPKI
import Testing
import TrustEngine

/// When two certificates hold one private key.
@Suite("the same key in two certificates") struct SameKeyTests {
    private typealias Writer = TestPKI.DER

    private static let root = Scenario().root("Root", key: .p256("same key root"))

    private static func certificate(
        _ key: TestKey, spki: [UInt8]? = nil
    ) throws -> Certificate {
        try root.issueLeaf(dns: [World.host], key: key) { if let spki { $0.spki = spki } }.parsed()
    }

    /// The key with its point in compressed form.
    private static func compressed(
        _ key: TestKey, form: UInt8? = nil
    ) -> [UInt8] {
        let point = key.publicKeyBits
        let octets = point.count / 2
        return CurvePoint.spki(
            [form ?? 2 + point[2 * octets] % 2] + point[1...octets], on: key.kind)
    }

    /// An RSA key with another exponent, or without parameters.
    private static func rsa(
        _ key: TestKey, exponent: [UInt8] = [1, 0, 1], parameters: [UInt8] = [5, 0]
    ) throws -> [UInt8] {
        let certificate = try root.issueLeaf(dns: [World.host], key: key).parsed()
        guard case .rsa(let modulus, _) = certificate.layout.publicKey.material else {
            throw NoRSAKey()
        }
        return Writer.sequence(
            Writer.sequence(Writer.oid("1.2.840.113549.1.1.1"), parameters),
            Writer.bitString(
                Writer.sequence(
                    Writer.integer(unsigned: Array(certificate.der[modulus.indices])),
                    Writer.integer(unsigned: exponent))))
    }

    private struct NoRSAKey: Error {}

    private static let kinds: [TestKey] = [
        .rsa2048("same key"), .p256("same key"), .p384("same key"), .p521("same key"),
        .ed25519("same key"), .ed448("same key"),
    ]

    @Test("each kind of key is itself and no other", arguments: kinds)
    func itself(key: TestKey) throws {
        let mine = try Self.certificate(key)
        for other in Self.kinds {
            #expect(mine.holdsKey(of: try Self.certificate(other)) == (other == key))
        }
    }

    @Test("another key of the same kind is another key")
    func another() throws {
        for (left, right) in [
            (TestKey.rsa2048("same key"), TestKey.rsa2048("another key")),
            (.p256("same key"), .p256("another key")),
            (.ed25519("same key"), .ed25519("another key")),
        ] {
            #expect(try !Self.certificate(left).holdsKey(of: Self.certificate(right)))
        }
    }

    @Test(
        "an EC key is the same as a compressed point, whatever the sign of y",
        arguments: [TestKey.p256("same key"), .p384("same key"), .p521("same key")])
    func compressedPoints(key: TestKey) throws {
        let mine = try Self.certificate(key)
        for form in [nil, 2, 3] as [UInt8?] {
            let other = try Self.certificate(key, spki: Self.compressed(key, form: form))
            #expect(mine.holdsKey(of: other) && other.holdsKey(of: mine))
        }
    }

    @Test("an RSA key is the same with another exponent, and without parameters")
    func rsaSpellings() throws {
        let key = TestKey.rsa2048("same key")
        let mine = try Self.certificate(key)
        for spki in [
            try Self.rsa(key, exponent: [3]), try Self.rsa(key, parameters: []),
        ] {
            #expect(mine.holdsKey(of: try Self.certificate(key, spki: spki)))
        }
    }
}
