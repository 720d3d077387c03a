import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// RSA keys of RSASSA-PSS's own type (RFC 4055 section 1.2): their parameters bind every signature.
@Suite("RSASSA-PSS keys (RFC 4055)") struct PSSKeyTests {
    private static let key = TestKey.rsa2048("pss keys")
    private static let sha256 = TestSignature.rsaPSS(.sha256)

    /// A path of an end entity and a root whose key has the parameters, where the end entity is
    /// signed so.
    private static func world(
        bound: TestSignature?, _ signature: TestSignature,
        root: (inout CertificateRecipe) -> Void = { _ in }
    ) -> World {
        let authority = Scenario().root("PSS Root", key: key) {
            $0.spki = key.spkiForPSS(bound)
            root(&$0)
        }
        let leaf = authority.issueLeaf(dns: [World.host]) { $0.signature = signature }
        return World([leaf.der], roots: [authority.der])
    }

    private static let rows: [Row] = [
        Row("no parameters, SHA-256", ["accept"], world(bound: nil, sha256)),
        Row("no parameters, SHA-512", ["accept"], world(bound: nil, .rsaPSS(.sha512))),
        Row("the same parameters", ["accept"], world(bound: sha256, sha256)),
        Row(
            "a longer salt than bound", ["accept"],
            world(
                bound: .rsaPSS(hash: .sha256, mgfHash: .sha256, saltLength: 20),
                .rsaPSS(hash: .sha256, mgfHash: .sha256, saltLength: 21))),
        Row(
            "a shorter salt than bound", ["bad-signature"],
            world(bound: sha256, .rsaPSS(hash: .sha256, mgfHash: .sha256, saltLength: 31))),
        Row("another hash than bound", ["bad-signature"], world(bound: sha256, .rsaPSS(.sha384))),
        Row(
            "another hash of the message than bound", ["bad-signature"],
            world(bound: sha256, .rsaPSS(hash: .sha384, mgfHash: .sha256, saltLength: 32))),
        Row(
            "another hash of MGF1 than bound", ["bad-signature"],
            world(bound: sha256, .rsaPSS(hash: .sha256, mgfHash: .sha384, saltLength: 32))),
        Row(
            "PKCS #1 under a bound key", ["bad-signature"], world(bound: sha256, .rsaPKCS1(.sha256))
        ),
        Row(
            "PKCS #1 under a key without parameters", ["bad-signature"],
            world(bound: nil, .rsaPKCS1(.sha256))),
        Row(
            "a hash that nobody has equals no other", ["bad-signature"],
            world(
                bound: .rsaPSS(hash: .sha224, mgfHash: .sha224, saltLength: 20),
                .rsaPSS(hash: .sha256, mgfHash: .sha256, saltLength: 32))),
        Row(
            "the policy's hash binds too", ["hash-too-weak"],
            world(bound: nil, sha256).with { $0.requirements.minimumHash = .sha384 }),
        Row(
            "the policy's size binds too", ["key-too-small"],
            world(bound: nil, sha256).with { $0.requirements.rsaMinimum = 3_072 }),
        Row(
            "the policy's types bind too", ["key-type-not-allowed"],
            world(bound: nil, sha256).with { $0.requirements.keyTypes = KeyTypeSet(.p256) }),
        Row(
            "BR 7.1.3.1 never under web-pki", ["key-outside-standard"],
            world(bound: nil, sha256).with { $0.sets[0].standard = .webPKI }),
        Row(
            "RFC 8017 a flipped bit", ["bad-signature"],
            world(bound: sha256, sha256).with { $0.chain[0][$0.chain[0].count - 1] ^= 1 }),
    ]

    @Test("the key's parameters bind every signature", arguments: rows)
    func judged(_ row: Row) throws {
        #expect(try row.world.judge().outcome == row.expected)
    }

    @Test(
        "an end entity's key only signs",
        arguments: [
            (TestExtension.KeyUsage.keyEncipherment, ["key-usage-missing"]),
            (.keyAgreement, ["key-usage-missing"]), (.digitalSignature, ["accept"]),
        ])
    func endEntity(_ usage: TestExtension.KeyUsage, _ expected: [String]) throws {
        let root = Scenario().root("Root A", key: .p256("pss root"))
        let leaf = root.issueLeaf(dns: [World.host], key: Self.key) {
            $0.spki = Self.key.spkiForPSS(Self.sha256)
            $0.set(.keyUsage(usage))
        }
        #expect(try World([leaf.der], roots: [root.der]).judge().outcome == expected)
    }

    @Test("pins are digests of the SubjectPublicKeyInfo as it is")
    func pins() throws {
        let root = Scenario().root("Root A", key: .p256("pss root"))
        let leaf = root.issueLeaf(dns: [World.host], key: Self.key) {
            $0.spki = Self.key.spkiForPSS(nil)
        }
        let digest = TestHash.sha256.digest(Self.key.spkiForPSS(nil))
        let match = KeyMatch(
            kind: .spki, digest: try #require(Digest(.sha256, bytes: digest)))
        var world = World([leaf.der], roots: [root.der])
        world.requirements.forbiddenKeys = [
            ForbiddenKey(id: "leaked", matches: [match])
        ]
        #expect(try world.judge().outcome == ["forbidden-key"])
        world.requirements.forbiddenKeys = [
            ForbiddenKey(
                id: "leaked", matches: [World.key(of: Self.key)])
        ]
        #expect(try world.judge().outcome == ["accept"])
    }

    @Test("one private key is one, whichever of its types a certificate writes")
    func sameKey() throws {
        func certificate(_ spki: [UInt8]) throws -> Certificate {
            try Certificate(
                der: Scenario().root("Root A", key: Self.key) { $0.spki = spki }.der)
        }
        let forms = [Self.key.spki, Self.key.spkiForPSS(nil), Self.key.spkiForPSS(Self.sha256)]
        for one in forms {
            for other in forms {
                #expect(try certificate(one).holdsKey(of: certificate(other)))
            }
            #expect(
                try !certificate(one).holdsKey(
                    of: certificate(TestKey.rsa2048("another").spkiForPSS(nil))))
        }
    }

    // MARK: Reading

    @Test(
        "parameters of a key",
        arguments: [
            (nil, nil),
            (sha256, PublicKey.PSSParameters(hash: .sha256, mgfHash: .sha256, saltLength: 32)),
            (
                .rsaPSS(hash: .sha1, mgfHash: .sha1, saltLength: 20),
                PublicKey.PSSParameters(hash: .sha1, mgfHash: .sha1, saltLength: 20)
            ),
        ] as [(TestSignature?, PublicKey.PSSParameters?)])
    func parameters(_ bound: TestSignature?, _ expected: PublicKey.PSSParameters?) throws {
        let spki = Self.key.spkiForPSS(bound)
        let key = try PublicKey.parse(spki: spki.span, at: 0)
        guard case .rsaPSS(let found, _, _) = key.material else {
            Issue.record("\(key.material)")
            return
        }
        #expect(found == expected)
        #expect(key.type == .rsa)
        #expect(key.bits == 2_048)
        #expect(key.onlySigns)
    }

    @Test(
        "a trailer field of 2 is no key that is checked; parameters that are no list are an error")
    func badParameters() throws {
        func spki(_ parameters: [UInt8]) -> [UInt8] {
            TestPKI.DER.sequence(
                TestPKI.DER.sequence(TestPKI.DER.oid("1.2.840.113549.1.1.10"), parameters),
                TestPKI.DER.bitString(Self.key.publicKeyBits))
        }
        let trailer = spki(TestPKI.DER.sequence(TestPKI.DER.context(3, TestPKI.DER.integer(2))))
        #expect(try PublicKey.parse(spki: trailer.span, at: 0).material == .unsupported)
        let null = spki(TestPKI.DER.null)
        #expect(throws: DERError.self) { try PublicKey.parse(spki: null.span, at: 0) }
    }
}

/// What keys that the engine does not check are called.
@Suite("names of unsupported keys") struct UnsupportedKeyTests {
    private static let point = TestPKI.DER.bitString([4] + [UInt8](repeating: 1, count: 64))

    private static func name(_ algorithm: [UInt8], _ bits: [UInt8] = point) throws -> String {
        let spki = TestPKI.DER.sequence(algorithm, bits)
        let key = try PublicKey.parse(spki: spki.span, at: 0)
        #expect(key.material == .unsupported)
        return key.unsupportedName(in: spki.span)
    }

    @Test(
        "named curves",
        arguments: [
            ("1.3.36.3.3.2.8.1.1.7", "brainpoolP256r1"),
            ("1.3.36.3.3.2.8.1.1.14", "brainpoolP512t1"), ("1.3.132.0.10", "secp256k1"),
            ("1.3.132.0.33", "P-224"), ("1.2.3.4", "the elliptic curve 1.2.3.4"),
        ])
    func curves(_ identifier: String, _ expected: String) throws {
        let algorithm = TestPKI.DER.sequence(
            TestPKI.DER.oid("1.2.840.10045.2.1"), TestPKI.DER.oid(identifier))
        #expect(try Self.name(algorithm) == expected)
    }

    @Test(
        "other algorithms",
        arguments: [
            ("1.2.840.113549.1.1.7", "RSAES-OAEP, which only encrypts"),
            ("1.3.101.110", "X25519, which signs nothing"),
            ("1.2.3.4", "of the algorithm 1.2.3.4"),
        ])
    func algorithms(_ identifier: String, _ expected: String) throws {
        #expect(try Self.name(TestPKI.DER.sequence(TestPKI.DER.oid(identifier))) == expected)
    }

    private static func explicit(generator: [UInt8]) -> [UInt8] {
        func octets(_ digits: String) -> [UInt8] {
            stride(from: 0, to: digits.count, by: 2).map { offset in
                let start = digits.index(digits.startIndex, offsetBy: offset)
                return UInt8(digits[start...].prefix(2), radix: 16) ?? 0
            }
        }
        let prime = octets("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
        let a = octets("ffffffff00000001000000000000000000000000fffffffffffffffffffffffc")
        let b = octets("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b")
        let order = octets("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        return TestPKI.DER.sequence(
            TestPKI.DER.oid("1.2.840.10045.2.1"),
            TestPKI.DER.sequence(
                TestPKI.DER.integer(1),
                TestPKI.DER.sequence(
                    TestPKI.DER.oid("1.2.840.10045.1.1"), TestPKI.DER.integer(unsigned: prime)),
                TestPKI.DER.sequence(TestPKI.DER.octetString(a), TestPKI.DER.octetString(b)),
                TestPKI.DER.octetString(generator),
                TestPKI.DER.integer(unsigned: order), TestPKI.DER.integer(1)))
    }

    @Test("explicit parameters have the name of a curve only where every number is that curve's")
    func explicitCurves() throws {
        let x: [UInt8] = [
            0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47, 0xf8, 0xbc, 0xe6, 0xe5, 0x63, 0xa4,
            0x40, 0xf2, 0x77, 0x03, 0x7d, 0x81, 0x2d, 0xeb, 0x33, 0xa0, 0xf4, 0xa1, 0x39, 0x45,
            0xd8, 0x98, 0xc2, 0x96,
        ]
        let forbidden = " by explicit parameters, which RFC 5480 forbids"
        #expect(try Self.name(Self.explicit(generator: [3] + x)) == "P-256" + forbidden)
        #expect(
            try Self.name(Self.explicit(generator: [2] + x)) == "an elliptic curve" + forbidden)
        #expect(
            try Self.name(
                TestPKI.DER.sequence(
                    TestPKI.DER.oid("1.2.840.10045.2.1"), TestPKI.DER.sequence(of: [])))
                == "an elliptic curve" + forbidden)
    }
}
