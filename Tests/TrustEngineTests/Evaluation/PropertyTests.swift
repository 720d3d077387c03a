import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// What holds of every world, whatever it is made of.
@Suite("properties of verdicts") struct PropertyTests {
    /// A small world: three authorities, some of them trusted, some cross-signed, some faulty.
    static func world(seed: Int) -> World {
        var random = SplitMix(state: UInt64(seed))
        func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
        let a = Scenario().root("Root A", key: .p256("property a"))
        let b = Scenario().root("Root B", key: .p256("property b"))
        let issuing = a.issueCA(
            "Issuing", key: chance(3) ? .p384("property i") : .p256("property i")
        ) {
            if chance(4) { $0.notAfter = .at("2026-05-30") }
            if chance(6) { $0.set(.basicConstraints(ca: true, pathLength: 0)) }
            if chance(6) { $0.set(.nameConstraints(permitted: [.dns("other.example")])) }
        }
        let leaf = issuing.issueLeaf(dns: [chance(6) ? "www.example" : World.host]) {
            if chance(6) { $0.notAfter = .at("2026-05-30") }
            if chance(6) { $0.damage = .flippedBit }
            if chance(6) { $0.set(.extendedKeyUsage([OID.clientAuth])) }
        }
        var bag = [issuing.der, a.der, b.crossSign(a).der, b.crossSign(issuing).der, b.der]
        bag.shuffle(using: &random)
        bag.removeLast(Int.random(in: 0...3, using: &random))
        var roots = [a.der]
        if chance(2) { roots = [b.der] }
        if chance(3) { roots = [a.der, b.der].sorted { $0.lexicographicallyPrecedes($1) } }
        var world = World([leaf.der] + bag, roots: roots)
        if chance(4) { world.waive(.expired(seconds: 5 * 86_400)) }
        if chance(6) { world.waive(.identity) }
        if chance(6) { world.waive(.path) }
        if chance(2) {
            let isListed = chance(4)
            world.evidence.crls = [
                issuing.revocationList(isListed ? [leaf] : []) {
                    if chance(3) { $0.nextUpdate = .day(-1) }
                },
                b.revocationList(),
                a.revocationList(chance(6) ? [issuing.certificate] : []),
            ]
        }
        return world
    }

    private static let stricter: [(name: String, change: @Sendable (inout World) -> Void)] = [
        (
            "a pin set",
            { $0.pin([(Scenario().root("Root B", key: .p256("property b")).certificate, .any)]) }
        ),
        ("minimum-hash", { $0.requirements.minimumHash = .sha384 }),
        ("keys.types", { $0.requirements.keyTypes = KeyTypeSet(.p256) }),
        ("maximum-intermediates", { $0.requirements.maximumIntermediates = 1 }),
        ("maximum-lifetime", { $0.requirements.maximumLifetime = 86_400 }),
        ("no waiver", { $0.waivers = [] }),
        ("forward secrecy", { $0.requirements.tls.requiresForwardSecrecy = true }),
        ("minimum-version", { $0.requirements.tls.minimumVersion = .tls13 }),
        ("alpn", { $0.requirements.tls.alpn = ["h2"] }),
        ("revocation causes", { $0.requirements.revocation.causes = .require }),
        ("transparency", { $0.requirements.transparency.preset = .chrome }),
        ("explicit-policy", { $0.requirements.requiresExplicitPolicy = true }),
        (
            "lifetime-steps",
            {
                $0.requirements.lifetimeSteps = [
                    LifetimeStep(issuedFrom: .at("2020-01-01"), maximum: 86_400)
                ]
            }
        ),
        (
            "forbidden-keys",
            {
                let key = World.key(of: .p256("property a"))
                $0.requirements.forbiddenKeys = [ForbiddenKey(id: "a", matches: [key])]
            }
        ),
        (
            "a registered check",
            {
                $0.requirements.checks = ["short"]
                $0.checks["short"] = CustomCheck { subject in
                    subject.path.count < 3 ? .pass : .fail(reason: "too long")
                }
            }
        ),
        (
            "no anchor but Root A",
            {
                $0.sets[0].members = [Scenario().root("Root A", key: .p256("property a")).der]
            }
        ),
    ]

    @Test("no demand more turns a reject into an accept", arguments: 0..<60)
    func monotonicity(seed: Int) throws {
        let world = PropertyTests.world(seed: seed)
        let before = try world.judge()
        for (name, change) in PropertyTests.stricter {
            // Fewer anchors is stricter only where all of them were trusted.
            if name == "no anchor but Root A", world.sets[0].members.count < 2 { continue }
            let after = try world.with(change).judge()
            #expect(before.verdict.isAccept || !after.verdict.isAccept, "seed \(seed), \(name)")
        }
    }

    @Test("the worlds hold accepts and rejects of many kinds") func coverage() throws {
        var outcomes: Set<String> = []
        for seed in 0..<60 {
            outcomes.formUnion(try PropertyTests.world(seed: seed).judge().outcome)
        }
        #expect(outcomes.contains("accept"))
        #expect(outcomes.count >= 5, "\(outcomes)")
    }

    @Test("the order of the bag decides neither accept nor reject", arguments: 0..<60)
    func order(seed: Int) throws {
        let world = PropertyTests.world(seed: seed)
        let reversed = world.with {
            $0.chain = [$0.chain[0]] + Array($0.chain.dropFirst().reversed())
        }
        #expect(try world.judge().verdict.isAccept == reversed.judge().verdict.isAccept)
    }

    @Test("a backend that calls every signature bad lets nothing be accepted", arguments: 0..<60)
    func allInvalid(seed: Int) throws {
        let world = PropertyTests.world(seed: seed).with { $0.waivers = [] }
        for outcome in [SignatureOutcome.invalid, .unsupported] {
            let judged = try world.judge(crypto: ConstantBackend(outcome: outcome))
            #expect(!judged.verdict.isAccept, "seed \(seed)")
        }
    }

    private static let acme = Acme()
    private static let faults: [Row] = [
        Row(
            "bit flipped, which it believes", ["accept"],
            acme.presenting { $0.damage = .flippedBit }),
        Row(
            "name", ["name-mismatch"],
            acme.world.with {
                $0.identity = IdentityRequirement(reference: .listed, dns: ["b.example"])
            }),
        Row("dates", ["expired"], acme.world.at(.at("2027-01-01"))),
        Row(
            "purposes", ["purpose-not-allowed"],
            acme.presenting { $0.set(.extendedKeyUsage([OID.clientAuth])) }),
        Row("not a CA", ["not-a-ca"], acme.issuing { $0.remove(OID.basicConstraints) }),
        Row(
            "anchor", ["issuer-not-found"],
            acme.world.with {
                $0.sets[0].members = [Scenario().root("Root C", key: .p256("property c")).der]
            }),
    ]

    @Test("a backend that calls every signature good excuses nothing else", arguments: faults)
    func allValid(_ row: Row) throws {
        let outcome = try row.world.judge(crypto: ConstantBackend(outcome: .valid)).outcome
        #expect(outcome == row.expected)
    }
}

/// Real digests, and one answer for every signature.
private struct ConstantBackend: CryptoBackend {
    let outcome: SignatureOutcome
    private let libcrypto = LibCryptoBackend()

    init(outcome: SignatureOutcome) { self.outcome = outcome }

    func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> Digest {
        libcrypto.digest(algorithm, of: bytes)
    }

    func identifierSHA1(of bytes: Span<UInt8>) -> SHA1Identifier? {
        libcrypto.identifierSHA1(of: bytes)
    }

    func verify(
        _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
        message: Span<UInt8>, signature: Span<UInt8>
    ) -> SignatureOutcome { outcome }
}
