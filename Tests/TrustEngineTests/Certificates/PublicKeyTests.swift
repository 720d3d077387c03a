import TestPKI
import Testing
import TrustEngine

@Suite("keys and signature algorithms")
struct PublicKeyTests {
    private static let rsa: [UInt8] = DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1)
    private static let ec: [UInt8] = DER.oid(0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1)
    private static let p256: [UInt8] = DER.oid(0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7)
    private static let p384: [UInt8] = DER.oid(0x2B, 0x81, 4, 0, 0x22)
    private static let p521: [UInt8] = DER.oid(0x2B, 0x81, 4, 0, 0x23)
    private static let ed25519: [UInt8] = DER.oid(0x2B, 0x65, 0x70)
    private static let ed448: [UInt8] = DER.oid(0x2B, 0x65, 0x71)
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

    /// A point of P-256 by its x and whether its y is odd.
    private static func compressed(_ key: TestKey) -> [UInt8] {
        let point = key.publicKeyBits
        return [2 | point[64] & 1] + point[1...32]
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
        ("RFC 5480 2.2 P-256", TestKey.p256("row").spki, .p256, 256),
        ("P-256 compressed", key(ec, p256, bits: compressed(.p256("row"))), .p256, 256),
        ("P-256 hybrid", key(ec, p256, bits: point(6, 64)), nil, nil),
        ("P-256 too short", key(ec, p256, bits: point(4, 63)), nil, nil),
        (
            "P-256 with an octet behind the point",
            key(ec, p256, bits: TestKey.p256("row").publicKeyBits + [0]), nil, nil
        ),
        ("P-256 compressed too long", key(ec, p256, bits: point(3, 33)), nil, nil),
        ("P-256 infinity", key(ec, p256, bits: [0]), nil, nil),
        ("P-256 empty", key(ec, p256, bits: []), nil, nil),
        ("P-384", TestKey.p384("row").spki, .p384, 384),
        ("P-521", TestKey.p521("row").spki, .p521, 521),
        (
            "P-521 with P-384's point", key(ec, p521, bits: TestKey.p384("row").publicKeyBits), nil,
            nil
        ),
        ("another curve", key(ec, DER.oid(0x2B, 0x81, 4, 0, 0x0A), bits: point(4, 64)), nil, 0),
        ("a curve that is not named", key(ec, DER.sequence(), bits: point(4, 64)), nil, 0),
        ("no curve", key(ec, bits: point(4, 64)), nil, nil),
        ("RFC 8410 4 Ed25519", DER.ed25519Key, .ed25519, 256),
        (
            "Ed25519 with parameters",
            key(ed25519, null, bits: TestKey.ed25519("row").publicKeyBits),
            nil, nil
        ),
        ("Ed448", TestKey.ed448("row").spki, .ed448, 456),
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

    // MARK: Points

    private func isRead(_ spki: [UInt8]) -> Bool {
        (try? PublicKey.parse(spki: spki.span, at: 0)) != nil
    }

    /// libcrypto decodes points by code of its own, which takes square roots where this does not.
    @Test("RFC 5480 2.2 the points that libcrypto knows", arguments: CurvePoint.curves)
    func points(kind: TestKey.Kind) {
        var random = SplitMix(state: 2_026)
        let count = CurvePoint.fieldBytes(kind)
        // The field of P-521 uses one bit of its first octet.
        let mask: UInt8 = kind == .p521 ? 0x01 : 0xff
        var known = 0
        for turn in 0..<200 {
            var x = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            x[0] &= mask
            // Numbers of few octets, and such as are near the prime.
            if turn < 40 { x = [UInt8](repeating: 0, count: count - 1) + [UInt8(turn)] }
            if turn >= 180 { for index in 0..<count / 2 { x[index] = index == 0 ? mask : 0xff } }
            for form in [UInt8(2), 3] {
                let point = CurvePoint.uncompressed([form] + x, on: kind)
                #expect(isRead(CurvePoint.spki([form] + x, on: kind)) == (point != nil), "\(x)")
                guard var point else { continue }
                known += 1
                #expect(isRead(CurvePoint.spki(point, on: kind)), "\(point)")
                let place = 1 + Int.random(in: 0..<2 * count, using: &random)
                point[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                let isPoint = CurvePoint.uncompressed(point, on: kind) != nil
                #expect(isRead(CurvePoint.spki(point, on: kind)) == isPoint, "\(point)")
            }
        }
        #expect(known > 100 && known < 300)
    }

    /// Which small y belong to a point (RFC 8032 sections 5.1.3 and 5.2.3), computed elsewhere.
    @Test("RFC 8032 the y that have an x")
    func edwardsPoints() {
        let with25519: Set<UInt8> = [3, 4, 5, 6, 9, 10, 14, 15, 16, 18, 19]
        let with448: Set<UInt8> = [3, 4, 5, 7, 8, 9, 12, 13, 19]
        for y in UInt8(2)...19 {
            for sign in [UInt8(0), 0x80] {
                let zeros = [UInt8](repeating: 0, count: 54)
                #expect(
                    isRead(Self.key(Self.ed25519, bits: [y] + zeros[..<30] + [sign]))
                        == with25519.contains(y), "\(y)")
                #expect(
                    isRead(Self.key(Self.ed448, bits: [y] + zeros + [0, sign]))
                        == with448.contains(y), "\(y)")
            }
        }
    }

    @Test("no key that is none is read", arguments: SpoiltKey.all)
    func spoilt(key: SpoiltKey) { #expect(!isRead(key.spki)) }

    @Test("every test key is read")
    func good() {
        for label in 0..<20 {
            for kind in CurvePoint.curves + [.ed25519, .ed448] {
                #expect(isRead(TestKey(kind, "public key \(label)").spki), "\(kind) \(label)")
            }
        }
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

    @Test("RFC 4055 3.1 the weaker of the two hashes of PSS is its hash")
    func weakestHash() {
        for (hash, mask) in [(SignatureHash.sha256, SignatureHash.sha1), (.sha1, .sha256)] {
            let algorithm = SignatureAlgorithm.rsaPSS(hash: hash, mgfHash: mask, saltLength: 32)
            #expect(algorithm.weakestHash == .sha1)
        }
    }

    @Test("AlgorithmIdentifier", arguments: algorithms.indices)
    func parsesAlgorithm(index: Int) {
        let row = PublicKeyTests.algorithms[index]
        let algorithm = SignatureAlgorithm.parse(algorithmIdentifier: row.der.span)
        #expect(algorithm == row.expected, "\(row.name)")
    }
}
