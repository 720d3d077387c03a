import Testing
import TrustEngine

@Suite("keys and signature algorithms")
struct PublicKeyTests {
    private static let rsa: [UInt8] = DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1)
    private static let ec: [UInt8] = DER.oid(0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1)
    private static let p256: [UInt8] = DER.oid(0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7)
    private static let p384: [UInt8] = DER.oid(0x2B, 0x81, 4, 0, 0x22)
    private static let p521: [UInt8] = DER.oid(0x2B, 0x81, 4, 0, 0x23)
    private static let null: [UInt8] = [5, 0]

    private static func key(_ algorithm: [UInt8]..., bits: [UInt8]) -> [UInt8] {
        DER.sequence(
            DER.element(0x30, algorithm.flatMap { $0 }), DER.element(0x03, [0] + bits))
    }

    private static func rsaKey(_ modulus: [UInt8], _ exponent: [UInt8]) -> [UInt8] {
        key(
            rsa, null,
            bits: DER.sequence(DER.element(0x02, modulus), DER.element(0x02, exponent)))
    }

    private static func point(_ form: UInt8, _ count: Int) -> [UInt8] {
        [form] + [UInt8](repeating: 1, count: count)
    }

    private static let modulus = [0x00, 0x80] + [UInt8](repeating: 1, count: 127)

    /// Rows: a key, its type and bits; nil type is unsupported, nil bits an error.
    private static let rows: [(name: String, spki: [UInt8], type: KeyType?, bits: Int32?)] = [
        ("RFC 8017 A.1.1 RSA 1024", rsaKey(modulus, [1, 0, 1]), .rsa, 1024),
        ("RSA 1017", rsaKey([1] + modulus[2...], [3]), .rsa, 1017),
        (
            "RSA without parameters",
            key(rsa, bits: DER.sequence(DER.element(2, modulus), DER.integer(3))), .rsa, 1024
        ),
        ("RSA negative modulus", rsaKey(Array(modulus[1...]), [3]), nil, nil),
        ("RSA padded modulus", rsaKey([0] + modulus, [3]), nil, nil),
        ("RSA modulus zero", rsaKey([0], [3]), nil, nil),
        ("RSA exponent zero", rsaKey(modulus, [0]), nil, nil),
        (
            "RSA third number",
            key(rsa, null, bits: DER.sequence(DER.integer(3), DER.integer(3), DER.integer(3))), nil,
            nil
        ),
        (
            "RSA other parameters",
            key(rsa, p256, bits: DER.sequence(DER.integer(3), DER.integer(3))), nil, nil
        ),
        ("RFC 5480 2.2 P-256", key(ec, p256, bits: point(4, 64)), .p256, 256),
        ("P-256 compressed", key(ec, p256, bits: point(2, 32)), .p256, 256),
        ("P-256 hybrid", key(ec, p256, bits: point(6, 64)), nil, nil),
        ("P-256 too short", key(ec, p256, bits: point(4, 63)), nil, nil),
        ("P-256 compressed too long", key(ec, p256, bits: point(3, 33)), nil, nil),
        ("P-256 infinity", key(ec, p256, bits: [0]), nil, nil),
        ("P-256 empty", key(ec, p256, bits: []), nil, nil),
        ("P-384", key(ec, p384, bits: point(4, 96)), .p384, 384),
        ("P-521", key(ec, p521, bits: point(4, 132)), .p521, 521),
        ("P-521 with P-384's point", key(ec, p521, bits: point(4, 96)), nil, nil),
        ("another curve", key(ec, DER.oid(0x2B, 0x81, 4, 0, 0x0A), bits: point(4, 64)), nil, 0),
        ("a curve that is not named", key(ec, DER.sequence(), bits: point(4, 64)), nil, 0),
        ("no curve", key(ec, bits: point(4, 64)), nil, nil),
        ("RFC 8410 4 Ed25519", DER.ed25519Key, .ed25519, 256),
        (
            "Ed25519 with parameters", key(DER.oid(0x2B, 0x65, 0x70), null, bits: point(1, 31)),
            nil, nil
        ),
        ("Ed448", key(DER.oid(0x2B, 0x65, 0x71), bits: point(1, 56)), .ed448, 456),
        ("Ed448 too short", key(DER.oid(0x2B, 0x65, 0x71), bits: point(1, 55)), nil, nil),
        ("X25519", key(DER.oid(0x2B, 0x65, 0x6E), bits: point(1, 31)), nil, 0),
        ("octets behind", DER.ed25519Key + [0], nil, nil),
    ]

    @Test("SubjectPublicKeyInfo", arguments: rows.indices)
    func parsesKey(index: Int) {
        let row = PublicKeyTests.rows[index]
        let key = try? PublicKey.parse(spki: row.spki.span, at: 0)
        #expect(key?.bits == row.bits, "\(row.name)")
        #expect(key?.type == row.type, "\(row.name)")
        #expect(key.map { Int($0.spki.count) } == (row.bits == nil ? nil : row.spki.count))
    }

    @Test("ranges point into the larger buffer, without the sign octet")
    func ranges() throws {
        let spki = PublicKeyTests.rsaKey(PublicKeyTests.modulus, [1, 0, 1])
        let buffer = [9, 9, 9] + spki
        let key = try PublicKey.parse(spki: spki.span, at: 3)
        guard case .rsa(let modulus, let exponent) = key.material else {
            Issue.record("no RSA key")
            return
        }
        #expect(Array(buffer[modulus.indices]) == Array(PublicKeyTests.modulus[1...]))
        #expect(Array(buffer[exponent.indices]) == [1, 0, 1])
        #expect(Array(buffer[key.spki.indices]) == spki)
    }

    private static func rsaSignature(_ last: UInt8) -> [UInt8] {
        DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, last)
    }

    private static func hash(_ last: UInt8) -> [UInt8] {
        DER.sequence(DER.oid(0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, last), null)
    }

    private static let mgf = DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 8)

    private static func pss(_ parameters: [UInt8]...) -> [UInt8] {
        DER.sequence(rsaSignature(0x0A), DER.element(0x30, parameters.flatMap { $0 }))
    }

    private static let algorithms: [(name: String, der: [UInt8], expected: SignatureAlgorithm)] = [
        ("RFC 4055 5 SHA-256", DER.sequence(rsaSignature(0x0B), null), .rsaPKCS1(.sha256)),
        ("SHA-384 without parameters", DER.sequence(rsaSignature(0x0C)), .rsaPKCS1(.sha384)),
        ("SHA-512", DER.sequence(rsaSignature(0x0D), null), .rsaPKCS1(.sha512)),
        ("RFC 3279 2.2.1 SHA-1", DER.sequence(rsaSignature(0x05), null), .rsaPKCS1(.sha1)),
        ("MD5", DER.sequence(rsaSignature(0x04), null), .rsaPKCS1(.other)),
        (
            "SHA-256 with other parameters", DER.sequence(rsaSignature(0x0B), DER.integer(1)),
            .unsupported
        ),
        ("RFC 5758 3.2 ECDSA", DER.ecdsaSHA256, .ecdsa(.sha256)),
        (
            "ECDSA with parameters",
            DER.sequence(DER.oid(0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2), null), .unsupported
        ),
        ("ECDSA SHA-1", DER.sequence(DER.oid(0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 1)), .ecdsa(.sha1)),
        ("RFC 8410 3 Ed25519", DER.sequence(DER.oid(0x2B, 0x65, 0x70)), .ed25519),
        ("Ed448", DER.sequence(DER.oid(0x2B, 0x65, 0x71)), .ed448),
        ("Ed448 with parameters", DER.sequence(DER.oid(0x2B, 0x65, 0x71), null), .unsupported),
        ("RFC 4055 3.1 PSS defaults", pss(), .rsaPSS(hash: .sha1, mgfHash: .sha1, saltLength: 20)),
        (
            "PSS SHA-256",
            pss(
                DER.element(0xA0, hash(1)), DER.element(0xA1, DER.sequence(mgf, hash(1))),
                DER.element(0xA2, DER.integer(32))),
            .rsaPSS(hash: .sha256, mgfHash: .sha256, saltLength: 32)
        ),
        (
            "PSS with its trailer", pss(DER.element(0xA3, DER.integer(1))),
            .rsaPSS(hash: .sha1, mgfHash: .sha1, saltLength: 20)
        ),
        ("PSS with another trailer", pss(DER.element(0xA3, DER.integer(2))), .unsupported),
        (
            "PSS with two hashes",
            pss(
                DER.element(0xA0, hash(2)), DER.element(0xA1, DER.sequence(mgf, hash(3)))),
            .rsaPSS(hash: .sha384, mgfHash: .sha512, saltLength: 20)
        ),
        (
            "PSS with another generator", pss(DER.element(0xA1, DER.sequence(rsa, hash(1)))),
            .unsupported
        ),
        (
            "PSS out of order", pss(DER.element(0xA2, DER.integer(32)), DER.element(0xA0, hash(1))),
            .unsupported
        ),
        ("PSS without parameters", DER.sequence(rsaSignature(0x0A)), .unsupported),
        (
            "RFC 3279 2.2.2 DSA", DER.sequence(DER.oid(0x2A, 0x86, 0x48, 0xCE, 0x38, 4, 3)),
            .dsa(.sha1)
        ),
        (
            "RFC 3279 2.2.2 DSA with parameters",
            DER.sequence(DER.oid(0x2A, 0x86, 0x48, 0xCE, 0x38, 4, 3), [0x05, 0x00]), .unsupported
        ),
        ("nothing", [], .unsupported),
        ("octets behind", DER.ecdsaSHA256 + [0], .unsupported),
    ]

    @Test("AlgorithmIdentifier", arguments: algorithms.indices)
    func parsesAlgorithm(index: Int) {
        let row = PublicKeyTests.algorithms[index]
        let algorithm = SignatureAlgorithm.parse(algorithmIdentifier: row.der.span)
        #expect(algorithm == row.expected, "\(row.name)")
    }
}
