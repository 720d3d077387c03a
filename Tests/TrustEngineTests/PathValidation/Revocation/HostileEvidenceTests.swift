import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// Evidence from strangers: changed in every bit, too much of it, prepared or raw.
@Suite("hostile revocation evidence") struct HostileEvidenceTests {
    private static let acme = RevocationAcme()
    private static let issuing = acme.issuing
    private static let leaf = acme.leaf

    // MARK: Mutations

    @Test("no changed bit leaves an answer standing")
    func flippedBits() throws {
        let responder = Self.issuing.issueResponder("Responder", key: .p256("responder"))
        let samples: [(isList: Bool, der: [UInt8], end: Int)] = [
            (true, Self.issuing.revocationList(), 0),
            (true, Self.issuing.revocationList([Self.leaf], reason: .keyCompromise), 0),
            (false, Self.issuing.ocspResponse(for: Self.leaf), 0),
            // What the delegate's certificate loses by a change, the answer loses too; only its own
            // unsigned octets could be changed, and there are none.
            (false, Self.issuing.ocspResponse(for: Self.leaf, by: responder), 0),
        ]
        var changed = 0
        for sample in samples {
            for bit in stride(from: 0, to: sample.der.count * 8, by: 3) {
                var der = sample.der
                der[bit / 8] ^= 0x80 >> UInt8(bit % 8)
                let world = Self.acme.world(
                    lists: sample.isList ? [der] : [], responses: sample.isList ? [] : [der])
                let words = try world.judge().words
                #expect(
                    words.allSatisfy { $0 != "good" && !$0.hasPrefix("revoked") },
                    "bit \(bit): \(words)")
                changed += 1
            }
        }
        #expect(changed > 3_500)
    }

    // MARK: Amounts

    @Test("work that is not there stops the judge")
    func exhausted() throws {
        let world = Self.acme.world(
            lists: [Self.issuing.revocationList([Self.leaf])],
            responses: [Self.issuing.ocspResponse(for: Self.leaf)])
        let spent = try world.judge().work.spent
        for limit in stride(from: 8, to: spent, by: 7) {
            #expect(throws: WorkExhausted.self) {
                try world.with { $0.workLimit = limit }.judge()
            }
        }
        #expect(try world.with { $0.workLimit = spent }.judge().words.count == 2)
    }

    @Test("a raw CRL costs by its size, a prepared one hardly anything")
    func largeList() throws {
        let list = Self.issuing.revocationList {
            $0.entries = (0..<20_000).map { number in
                .init([UInt8(number >> 8), UInt8(number & 0xff), 1, 2, 3, 4, 5, 6], at: .day(-30))
            }
        }
        let raw = try Self.acme.world(lists: [list]).judge()
        #expect(raw.words == ["good"])
        #expect((2_000..<8_000).contains(raw.work.spent), "\(raw.work.spent)")
        let signer = try Certificate(der: Self.issuing.der)
        let evidence = try PreparedEvidence(
            crl: list, signers: [signer], crypto: LibCryptoBackend())
        let prepared = try Self.acme.world().with { $0.prepared = [(evidence, .crl)] }.judge()
        #expect(prepared.words == ["good"])
        #expect(prepared.work.spent < 50, "\(prepared.work.spent)")
        #expect(prepared.work.signatures == 0)
    }

    @Test("one serial number in many entries, and one certificate in many single responses")
    func repetitions() throws {
        let list = Self.issuing.revocationList {
            $0.entries = (0..<5_000).map { _ in
                .init(
                    Self.leaf.recipe.serialOctets, at: .day(-30), [.reasonCode(.certificateHold)])
            }
        }
        let listed = try Self.acme.world(lists: [list]).judge()
        #expect(listed.words == ["revoked certificateHold"])
        #expect(listed.work.spent < 20_000)
        let response = Self.issuing.ocspResponse(for: Self.leaf) {
            $0.singles = [OCSPResponseRecipe.Single](repeating: $0.singles[0], count: 500)
        }
        let answered = try Self.acme.world(responses: [response]).judge()
        #expect(answered.words.count == 500)
        // The response's signature is verified once.
        #expect(answered.work.signatures == 1)
    }

    @Test("many strangers with the issuer's name cost a signature each and hide nothing")
    func strangers() throws {
        let strangers = (0..<20).map {
            Self.acme.root.issueCA("Issuing R", key: .p256("stranger \($0)")).der
        }
        let second = Self.acme.root.issueCA("Issuing R", key: .p256("issuing, new"))
        let world = Self.acme.world(lists: [second.revocationList([Self.leaf])]).with {
            $0.chain += strangers + [second.der]
        }
        let outcome = try world.judge()
        #expect(outcome.words == ["revoked unspecified"])
        #expect(outcome.work.signatures < 30)
        #expect(throws: WorkExhausted.self) {
            try world.with { $0.workLimit = 1_000 }.judge()
        }
    }

    // MARK: Preparation

    @Test("prepared evidence is verified once, and only under the keys it was prepared with")
    func preparation() throws {
        let crypto = LibCryptoBackend()
        let issuer = try Certificate(der: Self.issuing.der)
        let stranger = try Certificate(
            der: Self.acme.root.issueCA("Issuing R", key: .p256("a stranger")).der)
        let delegate = Self.issuing.issueResponder("Responder", key: .p256("responder"))
        let list = Self.issuing.revocationList([Self.leaf])
        let response = Self.issuing.ocspResponse(for: Self.leaf, by: delegate)
        let rows: [(PreparedEvidence, RevocationSource, [String], Int)] = [
            (
                try PreparedEvidence(crl: list, signers: [stranger, issuer], crypto: crypto), .crl,
                ["revoked unspecified"], 0
            ),
            (
                try PreparedEvidence(crl: list, signers: [stranger], crypto: crypto), .crl,
                ["revoked unspecified"], 1
            ),
            (
                try PreparedEvidence(ocspResponse: response, signers: [issuer], crypto: crypto),
                .ocsp, ["good"], 0
            ),
            (
                try PreparedEvidence(ocspResponse: response, signers: [], crypto: crypto), .stapled,
                ["good"], 1
            ),
        ]
        for (evidence, source, words, signatures) in rows {
            let outcome = try Self.acme.world().with { $0.prepared = [(evidence, source)] }.judge()
            #expect(outcome.words == words)
            #expect(outcome.work.signatures == signatures)
        }
        let spoilt = Self.issuing.revocationList { $0.damage = .flippedBit }
        let bad = try PreparedEvidence(crl: spoilt, signers: [issuer], crypto: crypto)
        #expect(
            try Self.acme.world().with { $0.prepared = [(bad, .crl)] }.judge().words
                == ["malformed badSignature"])
    }

    /// Certificates of responders, `count` of them, each with the responder's name.
    private static func delegates(_ count: Int, named name: TestName) -> [[UInt8]] {
        (0..<count).map {
            issuing.issueResponder(name, key: .p256("delegate \($0)")).der
        }
    }

    @Test(
        "however many certificates a response carries, preparing it tries only what it names",
        arguments: [0, 1, 8, 60])
    func preparedCertificates(_ count: Int) throws {
        let responder = Self.issuing.issueResponder("Responder", key: .p256("responder"))
        let issuers =
            try [Self.issuing, Self.acme.root].map { try Certificate(der: $0.der) }
            + (0..<20).map {
                try Certificate(
                    der: Self.acme.root.issueCA("Issuing R", key: .p256("stranger \($0)")).der)
            }
        func verifications(_ others: TestName) throws -> Int {
            let backend = CountingBackend()
            let response = Self.issuing.ocspResponse(for: Self.leaf, by: responder) {
                $0.certificates = [responder.der] + Self.delegates(count, named: others)
            }
            let evidence = try PreparedEvidence(
                ocspResponse: response, signers: issuers, crypto: backend)
            let outcome = try Self.acme.world().with { $0.prepared = [(evidence, .ocsp)] }.judge()
            #expect(outcome.words == ["good"])
            return backend.count
        }
        // The response under its responder's key, and that certificate under each issuer of its
        // name.
        #expect(try verifications("Somebody") == 22)
        // 85 units each, and 4,000 of them.
        #expect(try verifications("Responder") <= 46)
    }

    @Test("a response that names a key is tried under that key alone")
    func preparedByKey() throws {
        let responder = Self.issuing.issueResponder("Responder", key: .p256("responder"))
        let backend = CountingBackend()
        let response = Self.issuing.ocspResponse(for: Self.leaf, by: responder) {
            $0.responder = .key(responder.key)
            $0.certificates = [responder.der] + Self.delegates(7, named: "Responder")
        }
        let issuer = try Certificate(der: Self.issuing.der)
        _ = try PreparedEvidence(ocspResponse: response, signers: [issuer], crypto: backend)
        #expect(backend.count == 2)
    }

    @Test("eight delegates with the largest keys cost a preparation no more than its limit")
    func preparedSlowly() throws {
        let chain = HostileChain.slowDelegates()
        let staple = try #require(chain.evidence.stapledOCSP)
        let signers = try chain.chain.map { try Certificate(der: $0) }
        let backend = CountingBackend()
        _ = try PreparedEvidence(ocspResponse: staple, signers: signers, crypto: backend)
        #expect(backend.units <= 4_000 && backend.count >= 2)
    }

    /// Serial numbers of few octets, so that they repeat, share beginnings and lie side by side.
    @Test("an index finds what a scan finds")
    func indexAgrees() throws {
        var random = SplitMix(state: 0x5EED)
        for round in 0..<60 {
            let isIndirect = round % 2 == 0
            let der = Self.issuing.revocationList { recipe in
                recipe.entries = (0..<Int(random.next() % 60)).map { _ in
                    let octets = (0..<Int(random.next() % 3) + 1).map { _ in
                        UInt8(random.next() % 4)
                    }
                    let name = TestName("Issuer \(random.next() % 3)")
                    let isNamed = isIndirect && random.next() % 3 == 0
                    return .init(
                        octets, at: .day(-30), isNamed ? [.certificateIssuer(name)] : [])
                }
                if isIndirect {
                    recipe.set(.issuingDistributionPoint(TestIssuingPoint { $0.isIndirect = true }))
                }
            }
            let list = try CertificateRevocationList(der: der)
            let indexed = PreparedRevocationList(list, isIndexed: true)
            let scanned = PreparedRevocationList(list, isIndexed: false)
            var work = WorkBudget(limit: 1_000_000)
            for first in UInt8(0)..<5 {
                for second in [nil, 0, 1, 2, 3] as [UInt8?] {
                    let serial = [first] + (second.map { [$0] } ?? [])
                    let found = try indexed.matches(serial.span, budget: &work)
                    let expected = try scanned.matches(serial.span, budget: &work)
                    #expect(found == expected)
                }
            }
        }
    }
}
