import LibCrypto
import TestPKI
import Testing

@testable import TrustEngine

/// What a signature costs the budget, by algorithm and size. The prices stand here a second time,
/// so that one which falls does so on purpose.
@Suite("price of a signature") struct SignatureCostTests {
    /// A key and what one verification under it costs, the hashing of its message left out.
    struct Price: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let spki: [UInt8]
        let units: Int

        init(_ name: String, _ spki: [UInt8], _ units: Int) {
            self.testDescription = name
            self.spki = spki
            self.units = units
        }
    }

    private static func rsa(_ bits: Int, exponentBits: Int = 17, _ index: Int = 0) -> [UInt8] {
        HostileChain.rsaKey(bits: bits, exponentBits: exponentBits, index)
    }

    /// RSA numbers that nobody has a private key for: whoever sends them pays all the same.
    private static let rsaPrices = [
        Price("RSA-1024", rsa(1_024), 10),
        Price("RSA-2048", rsa(2_048), 26),
        Price("RSA-3072", rsa(3_072), 58),
        Price("RSA-4096", rsa(4_096), 104),
        Price("RSA-8192", rsa(8_192), 419),
        Price("RSA-16384", rsa(16_384), 1_677),
        Price("RSA-2048, an exponent of 2 bits", rsa(2_048, exponentBits: 2), 26),
        Price("RSA-2048, an exponent of 18 bits", rsa(2_048, exponentBits: 18), 27),
        Price("RSA-2048, an exponent of 64 bits", rsa(2_048, exponentBits: 64), 97),
        Price("RSA-2048, an exponent of 2047 bits", rsa(2_048, exponentBits: 2_047), 3_130),
        Price("RSA-3072, an exponent of 3071 bits", rsa(3_072, exponentBits: 3_071), 10_477),
    ]

    /// Keys that anyone can sign with.
    private static let keys: [(key: TestKey, units: Int)] = [
        (.rsa2048("price"), 26), (.rsa3072("price"), 58), (.rsa4096("price"), 104),
        (.p256("price"), 85), (.p384("price"), 900), (.p521("price"), 1_800),
        (.ed25519("price"), 140), (.ed448("price"), 500),
    ]

    private static let prices =
        rsaPrices + keys.map { Price(String(describing: $0.key.kind), $0.key.spki, $0.units) }

    /// Keys of ML-DSA, from any octets of the right number.
    private static let latticePrices: [Price] = [
        (PublicKey.MLDSAParameters.mldsa44, 0x11 as UInt8, 280), (.mldsa65, 0x12, 470),
        (.mldsa87, 0x13, 700),
    ].map { set, last, units in
        let identifier = TestPKI.DER.sequence(
            TestPKI.DER.oid("2.16.840.1.101.3.4.3.\(last)"))
        let octets = [UInt8](repeating: 1, count: set.keyBytes)
        return Price(
            String(describing: set),
            TestPKI.DER.sequence(identifier, TestPKI.DER.bitString(octets)), units)
    }

    @Test(
        "ML-DSA hashes more slowly: one unit more for each block of 136 octets",
        arguments: latticePrices)
    func latticePrice(_ price: Price) throws {
        for (messageBytes, more) in [(0, 1), (135, 1), (136, 2), (13_600, 101)] {
            #expect(try Self.units(price.spki, messageBytes) == price.units + more)
        }
    }

    private static func units(_ spki: [UInt8], _ messageBytes: Int) throws -> Int {
        let key = try PublicKey.parse(spki: spki.span, at: 0)
        return SignatureCost.units(
            for: key, exponentBits: key.exponentBits(in: spki.span), messageBytes: messageBytes)
    }

    @Test(
        "each algorithm and size has its price, and one unit more for each 512 octets hashed",
        arguments: prices)
    func priceList(_ price: Price) throws {
        for (octets, hashing) in [
            (0, 1), (511, 1), (512, 2), (1_023, 2), (1_024, 3), (51_200, 101),
        ] {
            #expect(try Self.units(price.spki, octets) == price.units + hashing, "\(octets) octets")
        }
    }

    @Test("DSA, and keys that the engine does not know") func otherPrices() throws {
        for (der, units) in [(DSACertificates.root, 111), (DSACertificates.strongRoot, 382)] {
            let certificate = try Certificate(der: der)
            #expect(
                SignatureCost.units(
                    for: certificate.layout.publicKey, exponentBits: certificate.exponentBits,
                    messageBytes: 0) == units)
        }
        // Nothing is computed under an unsupported key.
        let unknown = PublicKey(
            material: .unsupported, bits: 0, spki: ByteRange(start: 0, count: 0))
        #expect(SignatureCost.units(for: unknown, exponentBits: 0, messageBytes: 0) == 1)
    }

    @Test("the exponent of 3071 bits costs as many times what 65537 does as it has bits more")
    func exponent() throws {
        let usual = try Self.units(Self.rsa(3_072), 0) - 1
        let long = try Self.units(Self.rsa(3_072, exponentBits: 3_071), 0) - 1
        #expect(long == usual * 3_071 / 17)
        // Two such signatures, and the peer has spent most of an evaluation; 50 ms are never
        // reached.
        #expect(3 * long > Engine.standardWorkLimit)
    }

    @Test(
        "the length of an exponent is that of its number",
        arguments: [
            ([3], 2), ([17], 5), ([1, 0, 1], 17), ([3, 0, 1], 18), ([0, 0x80, 1], 16),
            ([0x7F, 0xFF], 15),
        ] as [([UInt8], Int)])
    func exponentBits(_ exponent: [UInt8], _ bits: Int) throws {
        let modulus = DER.element(0x02, [0, 0x80] + [UInt8](repeating: 1, count: 255))
        let numbers = DER.sequence(modulus, DER.element(0x02, exponent))
        let spki = DER.sequence(
            DER.sequence(
                DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1), DER.element(0x05, [])),
            DER.element(0x03, [0] + numbers))
        let key = try PublicKey.parse(spki: spki.span, at: 0)
        #expect(key.exponentBits(in: spki.span) == bits)
        // In the midst of a larger buffer, too.
        let buffer = [0xFF, 0xFF, 0xFF] + spki
        let inside = try PublicKey.parse(spki: spki.span, at: 3)
        #expect(inside.exponentBits(in: buffer.span) == bits)
    }

    // MARK: What an evaluation spends

    /// A path whose two signatures are by one key.
    @Test(
        "what is spent is never below the number of signatures times their price", arguments: keys)
    func spent(_ key: TestKey, units: Int) throws {
        let root = Scenario().root("Price Root", key: key)
        let issuing = root.issueCA("Price Issuing", key: key)
        let world = World(
            [issuing.issueLeaf(dns: [World.host]).der, issuing.der], roots: [root.der])
        let backend = CountingBackend()
        let judged = try world.judge(crypto: backend)
        let work = try #require(judged.work)
        #expect(judged.outcome == ["accept"])
        #expect(work.signatures == 2)
        #expect(work.spent >= 2 * units)
        // `judge` evaluates twice.
        #expect(backend.count == 4)
        #expect(2 * work.spent >= backend.units)
    }

    /// Three issuers of one name, each with a key of this price: only verification shows which of
    /// them signed.
    @Test("numbers that nobody signed with are paid for as well", arguments: rsaPrices)
    func spentInVain(_ price: Price) throws {
        let root = Scenario().root("Price Root", key: .p256("price"))
        let isAllowed = price.testDescription != "RSA-1024"
        let key = try PublicKey.parse(spki: price.spki.span, at: 0)
        let issuers = (0..<3).map { index in
            root.issueCA("Slow Issuer", key: .p256("slow \(index)")) {
                $0.spki = Self.rsa(
                    Int(key.bits), exponentBits: key.exponentBits(in: price.spki.span), index)
                $0.remove(OID.subjectKeyIdentifier)
            }.der
        }
        let leaf = root.issueLeaf(dns: [World.host]) {
            $0.issuer = "Slow Issuer"
            $0.signature = .rsaPKCS1(.sha256)
            $0.damage = .replaced([UInt8](repeating: 0x42, count: Int(key.bits) / 8))
            $0.remove(OID.authorityKeyIdentifier)
        }
        let world = World([leaf.der] + issuers, roots: [root.der]).with {
            $0.workLimit = 1_000_000
        }
        let backend = CountingBackend()
        let judged = try world.judge(crypto: backend)
        let work = try #require(judged.work)
        #expect(!judged.verdict.isAccept)
        // Three signatures of issuers and three tries at the end entity's; a key that no policy
        // allows is tried only by a diagnosis.
        #expect(work.signatures >= (isAllowed ? 6 : 1))
        #expect(work.spent >= work.signatures / 2 * (85 + price.units))
        #expect(2 * work.spent >= backend.units)
    }

    @Test("who signs evidence pays by the exponent, too") func spentOnEvidence() throws {
        let acme = RevocationAcme()
        let spki = Self.rsa(3_072, exponentBits: 3_071)
        let signature = [UInt8](repeating: 0x42, count: 384)
        let stranger = acme.root.issueCA("Issuing R", key: .p256("slow")) { $0.spki = spki }
        let list = acme.issuing.revocationList {
            $0.signature = .rsaPKCS1(.sha256)
            $0.damage = .replaced(signature)
        }
        let delegate = acme.issuing.issueResponder("Delegate", key: .p256("slow")) {
            $0.spki = spki
        }
        let response = acme.issuing.ocspResponse(for: acme.leaf, by: delegate) {
            $0.signature = .rsaPKCS1(.sha256)
            $0.damage = .replaced(signature)
        }
        for world in [
            acme.world(lists: [list]).with { $0.chain.append(stranger.der) },
            acme.world(responses: [response]),
        ] {
            let outcome = try world.judge()
            #expect(outcome.words == ["malformed badSignature"])
            #expect(outcome.work.spent >= 10_477)
        }
    }
}
