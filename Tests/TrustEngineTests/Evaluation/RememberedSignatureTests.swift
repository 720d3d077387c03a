import LibCrypto
import TestPKI
import Testing

@testable import TrustEngine

/// A memory of signatures changes no verdict, no step of a trace and no unit of work (LANGUAGE
/// section 12.8).
@Suite("remembered signatures (LANGUAGE 12.8)") struct RememberedSignatureTests {
    private static let acme = Acme()

    /// The good chain with one octet of the end entity changed.
    private static func spoilt(at octet: (Certificate) -> Int) throws -> World {
        let certificate = try Certificate(der: acme.good.der)
        return acme.world.with { $0.chain[0][octet(certificate)] ^= 1 }
    }

    /// Whatever a peer may try before and after the good chain is judged.
    private static func attempts() throws -> [(name: String, world: World)] {
        let stranger = Scenario().root("Root A", key: .p256("another root a"))
        let strangerIssuing = stranger.issueCA("Issuing A", key: .p256("another issuing a"))
        let underLeaf = Authority.forged(by: acme)
        return [
            ("a bit of the signature", acme.presenting { $0.damage = .flippedBit }),
            (
                "the last octet of the signature",
                try spoilt { Int($0.layout.signature.indices.upperBound) - 1 }
            ),
            (
                "an octet of the signed part",
                try spoilt { Int($0.layout.serial.indices.lowerBound) }
            ),
            (
                "both algorithm identifiers",
                acme.world.with {
                    // ecdsa-with-SHA256 becomes ecdsa-with-SHA384, whose last octet is 3.
                    $0.chain[0] = swappedHash($0.chain[0])
                }
            ),
            (
                "the same certificate under another key of the same name",
                World([acme.good.der, strangerIssuing.der], roots: [stranger.der])
            ),
            (
                "the same certificate under another key, whose issuer is trusted",
                World(
                    [acme.good.der, acme.root.issueCA("Issuing A", key: .p256("third")).der],
                    roots: [acme.root.der])
            ),
            (
                "an issuer that nobody trusts",
                World([acme.good.der, acme.issuing.der], roots: [stranger.der])
            ),
            ("a certificate that an end entity signed", underLeaf),
            ("the good chain", acme.world),
        ]
    }

    private static func swappedHash(_ der: [UInt8]) -> [UInt8] {
        let sha256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
        var octets = der
        for start in octets.indices.dropLast(sha256.count)
        where Array(octets[start..<start + sha256.count]) == sha256 {
            octets[start + sha256.count - 1] = 3
        }
        return octets
    }

    @Test("what a peer tries before and after a success changes nothing")
    func poisoned() throws {
        let attempts = try RememberedSignatureTests.attempts()
        let expected = try attempts.map { try $0.world.judge() }
        #expect(expected.count(where: \.verdict.isAccept) == 1)
        let rows: [(String, SignatureMemory)] = [
            ("large", SignatureMemory(capacity: 4_096)), ("full", SignatureMemory(capacity: 64)),
        ]
        for (size, memory) in rows {
            let backend = RememberingBackend(LibCryptoBackend(), memory: memory)
            if size == "full" { RememberedSignatureTests.fill(memory) }
            // Forwards and backwards: each attempt is made before the success and after it. A
            // certificate is remembered when it is read for the second time, so all of it twice.
            let order = Array(attempts.indices) + attempts.indices.reversed()
            for index in order + order {
                let judged = try attempts[index].world.judge(crypto: backend)
                let name = "\(attempts[index].name), \(size)"
                #expect(judged.verdict == expected[index].verdict, "\(name)")
                #expect(judged.trace == expected[index].trace, "\(name)")
                #expect(judged.work == expected[index].work, "\(name)")
            }
        }
    }

    /// Fills every place of a memory with signatures that nobody asks for.
    private static func fill(_ memory: SignatureMemory) {
        let crypto = LibCryptoBackend()
        var number = 0
        while memory.count < memory.capacity {
            let octets = Array("filler \(number)".utf8)
            let digest = crypto.digest(.sha256, of: octets.span)
            memory.remember(SignatureIdentity(issuerKey: digest, certificate: digest))
            number += 1
        }
    }

    @Test("random worlds come out alike, one after another with one memory", arguments: 0..<2)
    func randomWorlds(_ round: Int) throws {
        let memory = SignatureMemory(capacity: round == 0 ? 4_096 : 64)
        let backend = RememberingBackend(LibCryptoBackend(), memory: memory)
        for seed in 0..<60 {
            let world = PropertyTests.world(seed: seed)
            let expected = try world.judge()
            for _ in 0..<3 {
                let judged = try world.judge(crypto: backend)
                #expect(judged.verdict == expected.verdict, "seed \(seed)")
                #expect(judged.trace == expected.trace, "seed \(seed)")
                #expect(judged.work == expected.work, "seed \(seed)")
            }
        }
        #expect(memory.count > 0)
    }

    @Test("a chain that is known costs its whole work and no verification")
    func charged() throws {
        let counting = CountingBackend()
        let backend = RememberingBackend(counting, memory: SignatureMemory(capacity: 64))
        let engine = try RememberedSignatureTests.acme.world.engine(crypto: backend)
        let world = RememberedSignatureTests.acme.world
        let request = TrustRequest(
            host: world.host, port: 443, presentedChain: world.chain, time: world.time,
            tls: world.tls)
        let first = engine.explain(request)
        #expect(first.verdict.isAccept)
        #expect(counting.count == 2)
        let second = engine.explain(request)
        #expect(counting.count == 2)
        #expect(second.trace == first.trace)
        guard case .work(let work)? = second.trace.steps.last else {
            Issue.record("the last step is the work")
            return
        }
        #expect(work.signatures == 2)
        #expect(work.spent >= 2 * 85)
    }

    @Test("only what an anchor vouches for is remembered")
    func junk() throws {
        for attempt in try RememberedSignatureTests.attempts() {
            let memory = SignatureMemory(capacity: 64)
            let backend = RememberingBackend(LibCryptoBackend(), memory: memory)
            let judged = try attempt.world.judge(crypto: backend)
            // The issuing certificate under the root that is trusted, and nothing below a
            // signature that is bad.
            let expected: Int
            switch attempt.name {
            case "the good chain": expected = 2
            case "an issuer that nobody trusts": expected = 0
            case "a certificate that an end entity signed": expected = 0
            default: expected = 1
            }
            #expect(memory.count == expected, "\(attempt.name): \(judged.outcome)")
        }
    }

    @Test("a signature under a key that inherits its parameters is never named")
    func inherited() throws {
        let memory = SignatureMemory(capacity: 64)
        let backend = RememberingBackend(LibCryptoBackend(), memory: memory)
        let world = World(
            [DSACertificates.underInheriting, DSACertificates.inheriting],
            roots: [DSACertificates.root]
        ).with {
            $0.overrides.allowsDSA = true
            $0.overrides.minimumHash = .sha1
        }
        #expect(try world.judge(crypto: backend).outcome == ["accept"])
        // The key that inherits was signed under a key with parameters.
        #expect(memory.count == 1)
        let alone = World([DSACertificates.underInheriting], roots: [DSACertificates.inheriting])
            .with {
                $0.overrides.allowsDSA = true
                $0.overrides.minimumHash = .sha1
            }
        #expect(try alone.judge(crypto: backend).outcome == ["unsupported-signature"])
    }

    @Test("the digests of keys that a load computes are those of the keys")
    func keyDigests() throws {
        let acme = RememberedSignatureTests.acme
        let crypto = LibCryptoBackend()
        var world = acme.world
        world.sets[0].intermediates = [acme.issuing.der]
        let engine = try world.engine()
        for anchor in engine.anchors.anchors {
            let digest = crypto.digest(.sha256, of: anchor.certificate.spkiBytes.span)
            #expect(anchor.keyDigest == digest)
        }
        #expect(engine.offered.entries.count == 1)
        for offer in engine.offered.entries {
            let digest = crypto.digest(.sha256, of: offer.certificate.spkiBytes.span)
            #expect(offer.keyDigest == digest)
        }
    }

    @Test("certificates that a set offers are named as those that a peer sends")
    func offered() throws {
        let acme = RememberedSignatureTests.acme
        let counting = CountingBackend()
        let backend = RememberingBackend(counting, memory: SignatureMemory(capacity: 64))
        #expect(try acme.world.judge(crypto: backend).verdict.isAccept)
        #expect(counting.count == 2)
        let offering = acme.world.with {
            $0.chain = [acme.good.der]
            $0.sets[0].intermediates = [acme.issuing.der]
        }
        #expect(try offering.judge(crypto: backend).verdict.isAccept)
        #expect(counting.count == 2)
    }
}

extension Authority {
    /// A chain whose issuer is the good end entity, which is not a CA.
    fileprivate static func forged(by acme: Acme) -> World {
        let key = TestKey.p256("a leaf that issues")
        let leaf = acme.issuing.issueCA("Leaf", key: key) { $0.remove(OID.basicConstraints) }
        let below = leaf.issueLeaf(dns: [World.host])
        return World([below.der, leaf.der, acme.issuing.der], roots: [acme.root.der])
    }
}
