import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// Requests that ask for a status (RFC 6960 section 4.1).
@Suite("OCSP requests") struct OCSPRequestTests {
    private typealias DER = TestPKI.DER

    private static let root = Scenario().root("Root", key: .p256("ocsp request root"))
    private static let leaf = root.issueLeaf(dns: ["a.example"]) { recipe in
        recipe.serial = [0x80, 1, 2, 3]
    }

    private func request(
        _ hash: OCSPRequest.NameHash = .sha1, nonce: [UInt8]? = nil
    ) throws -> [UInt8]? {
        OCSPRequest(
            about: try Self.leaf.parsed(), issuer: try Self.root.certificate.parsed(), hash: hash,
            nonce: nonce, crypto: LibCryptoBackend())?.der
    }

    private func expected(_ hash: TestHash, _ algorithm: String, _ rest: [UInt8] = []) -> [UInt8] {
        DER.sequence(
            DER.sequence(
                DER.sequence(
                    DER.sequence(
                        DER.sequence(
                            DER.sequence(DER.oid(algorithm), DER.null),
                            DER.octetString(hash.digest(Self.root.name.der)),
                            DER.octetString(hash.digest(Self.root.key.publicKeyBits)),
                            DER.integer(unsigned: [0x80, 1, 2, 3])))),
                rest))
    }

    @Test("name, key and serial number by SHA-1 and by SHA-256")
    func names() throws {
        #expect(try request() == expected(.sha1, "1.3.14.3.2.26"))
        #expect(try request(.sha256) == expected(.sha256, "2.16.840.1.101.3.4.2.1"))
    }

    @Test("a nonce of 1 to 32 octets (RFC 8954 section 2.1)")
    func nonces() throws {
        for count in [1, 32] {
            let nonce = [UInt8](repeating: 0xAB, count: count)
            let rest = DER.context(
                2,
                DER.sequence(
                    DER.sequence(
                        DER.oid("1.3.6.1.5.5.7.48.1.2"), DER.octetString(DER.octetString(nonce)))))
            #expect(try request(nonce: nonce) == expected(.sha1, "1.3.14.3.2.26", rest))
        }
        #expect(try request(nonce: []) == nil)
        #expect(try request(nonce: [UInt8](repeating: 0, count: 33)) == nil)
    }
}
