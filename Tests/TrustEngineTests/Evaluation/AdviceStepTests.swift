import LibCrypto
import Synchronization
import TestPKI
import Testing
import TrustEngine

/// The steps of a trace that serve advice, and the facts beside it: the evaluation reads each
/// presented certificate once, and an explanation reads none again.
@Suite("steps that serve advice") struct AdviceStepTests {
    private static let acme = Acme()

    /// The good chain after the end of its certificates, with an address of the issuer.
    private static let rejected = acme.presenting {
        $0.extensions.append(
            .authorityInfoAccess(ocsp: [], issuers: ["http://pki.acme.example/issuing.der"]))
    }.at(.at("2040-01-01"))

    /// A backend that records the octets that it reads and hashes.
    private final class WatchingBackend: ForwardingBackend {
        let backend: any CryptoBackend = LibCryptoBackend()
        private let seen = Mutex((read: [[UInt8]](), hashed: [[UInt8]]()))
        /// Octets that the backend does not read.
        private let unreadable: [UInt8]?

        init(unreadable: [UInt8]? = nil) { self.unreadable = unreadable }

        var read: [[UInt8]] { seen.withLock { $0.read } }
        var hashed: [[UInt8]] { seen.withLock { $0.hashed } }
        func forget() { seen.withLock { $0 = ([], []) } }

        func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> Digest {
            let octets = bytes.indices.map { bytes[$0] }
            seen.withLock { $0.hashed.append(octets) }
            return backend.digest(algorithm, of: bytes)
        }

        func read(_ der: [UInt8]) throws(CertificateError) -> HashedCertificate {
            seen.withLock { $0.read.append(der) }
            return try HashedCertificate(der: der == unreadable ? [] : der, crypto: self)
        }
    }

    private static func request(_ world: World) -> TrustRequest {
        TrustRequest(
            host: world.host, port: 443, presentedChain: world.chain, time: world.time,
            tls: world.tls)
    }

    private static func explain(
        _ world: World, crypto: any CryptoBackend = LibCryptoBackend()
    ) throws -> Explanation {
        try world.engine(crypto: crypto).explain(request(world))
    }

    @Test("an explanation of a reject reads and hashes each presented certificate once")
    func onceRead() throws {
        let world = Self.rejected
        let backend = WatchingBackend()
        let engine = try world.engine(crypto: backend)
        backend.forget()
        let explanation = engine.explain(Self.request(world))
        #expect(explanation.verdict.violations.contains { $0.id == "expired" })
        #expect(explanation.facts.subjects.count == 2)
        #expect(backend.read == world.chain)
        for der in world.chain { #expect(backend.hashed.count { $0 == der } == 1) }
    }

    @Test("facts know no certificate that the backend does not read")
    func pastTheBackend() throws {
        let world = Self.rejected
        let backend = WatchingBackend(unreadable: world.chain[1])
        let explanation = try Self.explain(world, crypto: backend)
        #expect(explanation.facts.subjects.count == 1)
        #expect(explanation.presentedKeys.count == 1)
    }

    @Test("an evaluation hashes no key for advice")
    func withoutTrace() throws {
        let world = Self.acme.world
        let key = try Certificate(der: world.chain[0]).spkiBytes
        let backend = WatchingBackend()
        let engine = try world.engine(crypto: backend)
        backend.forget()
        _ = engine.evaluate(Self.request(world))
        #expect(!backend.hashed.contains(key))
        _ = engine.explain(Self.request(world))
        #expect(backend.hashed.count { $0 == key } == 1)
    }

    @Test("the trace has the keys and the addresses of the issuers, of whatever verdict")
    func steps() throws {
        for time in [Self.rejected.time, Scenario.judgedAt] {
            let explanation = try Self.explain(Self.rejected.at(time))
            let crypto = LibCryptoBackend()
            var keys: [Digest: Digest] = [:]
            for der in Self.rejected.chain {
                let spki = try Certificate(der: der).spkiBytes
                keys[crypto.digest(.sha256, of: der.span)] = crypto.digest(.sha256, of: spki.span)
            }
            #expect(explanation.presentedKeys == keys)
            let first = Self.rejected.chain[0]
            let leaf = crypto.digest(.sha256, of: first.span)
            #expect(
                explanation.issuerAddresses == [leaf: ["http://pki.acme.example/issuing.der"]])
            // A trace that was recorded gives the same facts.
            let replayed = Explanation(verdict: explanation.verdict, trace: explanation.trace)
            #expect(replayed.presentedKeys == keys)
            #expect(replayed.issuerAddresses == explanation.issuerAddresses)
            #expect(
                explanation.trace.steps.filter { !$0.isListed }.map(\.id)
                    == ["presented-key", "issuer-addresses", "presented-key"])
        }
    }

    @Test("a chain that begins with a CA names the server's own certificate")
    func misplaced() throws {
        let (leaf, issuing) = (Self.acme.good.der, Self.acme.issuing.der)
        func index(_ chain: [[UInt8]]) throws -> Int? {
            try Self.explain(World(chain, roots: [Self.acme.root.der])).misplacedEndEntity
        }
        #expect(try index([issuing, leaf]) == 1)
        #expect(try index([issuing, [0x30, 0x00], issuing, leaf]) == 3)
        #expect(try index([issuing, issuing]) == nil)
        #expect(try index([[0x30, 0x00], leaf]) == nil)
        #expect(try index([leaf, issuing]) == nil)
    }

    @Test("a replay refuses a step of advice about a certificate that was not read")
    func replayed() throws {
        let explanation = try Self.explain(Self.rejected)
        let steps = explanation.trace.steps
        #expect(Trace(steps: steps).replayedVerdict() == explanation.verdict)
        let key = try #require(explanation.presentedKeys.values.first)
        let added: [TraceStep] = [
            .presentedKey(PresentedKeyStep(index: 0, key: key)),
            .presentedKey(PresentedKeyStep(index: 2, key: key)),
            .issuerAddresses(IssuerAddressesStep(index: 2, addresses: ["http://a.example/"])),
            .issuerAddresses(IssuerAddressesStep(index: 1, addresses: [])),
            .misplacedEndEntity(MisplacedEndEntityStep(index: 0)),
            .misplacedEndEntity(MisplacedEndEntityStep(index: 2)),
        ]
        for step in added {
            let verdict = Trace(steps: steps + [step]).replayedVerdict()
            #expect(verdict.violations.map(\.id) == ["engine-error"], "\(step)")
        }
    }

    @Test("a twin of the issuer's name has its index in the presented chain")
    func twin() throws {
        let issuing = Self.acme.root.issueCA("Issuing \u{E4}", key: .p256("twin issuing"))
        let twin = Self.acme.root.issueCA("Issuing \u{C4}", key: .p256("twin"))
        let leaf = issuing.issueLeaf(dns: [World.host])
        let explanation = try Self.explain(
            World([leaf.der, [0x30, 0x00], twin.der], roots: [Self.acme.root.der]))
        #expect(explanation.facts.twins.map(\.holder) == [.presented(2)])
    }

    @Test("evidence that an evaluation has read serves the facts, whatever its size")
    func evidence() throws {
        let list = Self.acme.issuing.revocationList()
        var world = Self.acme.world
        world.requirements.revocation.causes = .require
        world.requirements.revocation.sources = [.crl]
        world.evidence = Evidence(crls: [list, [0x30, 0x00]])
        let backend = WatchingBackend()
        let engine = try world.engine(crypto: backend)
        backend.forget()
        var request = Self.request(world)
        request.evidence = world.evidence
        let explanation = engine.explain(request)
        #expect(explanation.verdict.violations.map(\.check) == [.revocation])
        #expect(explanation.facts.supplied?.map(\.source) == [.crl, .crl])
        #expect(explanation.facts.supplied?.last?.about == .unread)
        #expect(backend.hashed.count { $0 == list } == 1)
    }
}
