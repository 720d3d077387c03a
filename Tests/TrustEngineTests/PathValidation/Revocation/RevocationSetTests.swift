import LibCrypto
import TestPKI
import Testing

@testable import TrustEngine

/// Revocation sets: they say what the CRLs said that they were made of, and nothing that is not one
/// is taken for one.
@Suite("revocation sets") struct RevocationSetTests {
    private static let acme = RevocationAcme()
    private static let issuing = acme.issuing
    private static let leaf = acme.leaf
    private static let clerk = acme.root.issueCA("Clerk", key: .p256("revocation clerk"))
    private static let crypto = LibCryptoBackend()
    private static let signers = [issuing, acme.root, clerk].compactMap {
        try? Certificate(der: $0.der)
    }

    private static func prepared(_ lists: [[UInt8]]) throws -> [PreparedEvidence] {
        try lists.map { try PreparedEvidence(crl: $0, signers: signers, crypto: crypto) }
            .sorted { $0.digest.bytes.lexicographicallyPrecedes($1.digest.bytes) }
    }

    private static func set(_ lists: [[UInt8]]) throws -> RevocationSet {
        try RevocationSet(
            decoding: RevocationSet.encode(prepared(lists), crypto: crypto), crypto: crypto)
    }

    // MARK: As the CRLs themselves

    /// CRLs of every kind that is known here, about a certificate and others, and a world to ask
    /// them in.
    private struct Generator {
        var random: SplitMix

        mutating func chance(_ one: UInt64) -> Bool { random.next() % one == 0 }

        mutating func pick<Value>(_ values: [Value]) -> Value {
            values[Int(random.next() % UInt64(values.count))]
        }

        mutating func leaf() -> Minted {
            guard chance(2) else { return RevocationSetTests.leaf }
            var points: [TestPoint] = []
            for _ in 0..<Int(random.next() % 3) {
                let isNamed = chance(2)
                points.append(
                    TestPoint(
                        isNamed ? .full([.uri("http://crl.example/\(random.next() % 2)")]) : nil,
                        reasons: chance(3) ? pick([.compromise, .others]) : nil,
                        issuer: !isNamed || chance(3)
                            ? [.directory(pick(["Clerk", "Issuing R"]))] : []))
            }
            return RevocationSetTests.issuing.issueLeaf(dns: [World.host]) { recipe in
                if !points.isEmpty { recipe.extensions.append(.distributionPoints(points)) }
            }
        }

        mutating func list(about leaf: Minted) -> [UInt8] {
            let authority = chance(3) ? RevocationSetTests.clerk : RevocationSetTests.issuing
            let isDelta = chance(4)
            let isIndirect = chance(3)
            let reasons: [RevocationReason?] =
                [nil, .keyCompromise, .superseded, .certificateHold, .certificateHold]
                + (isDelta ? [.removeFromCRL] : [])
            return authority.revocationList { recipe in
                for _ in 0..<Int(random.next() % 6) {
                    var extensions: [TestExtension] = []
                    if let reason = pick(reasons) { extensions.append(.reasonCode(reason)) }
                    if isIndirect, chance(2) {
                        extensions.append(
                            .certificateIssuer(pick(["Issuing R", "Clerk", "Root R"])))
                    }
                    let serial =
                        chance(2)
                        ? leaf.recipe.serialOctets
                        : (0...random.next() % 3).map { _ in UInt8(random.next() % 5) }
                    recipe.entries.append(
                        .init(serial, at: .day(-Int64(random.next() % 60)), extensions))
                }
                if chance(4) { recipe.nextUpdate = chance(2) ? .day(-2) : nil }
                if chance(6) { recipe.thisUpdate = .day(2) }
                recipe.set(.crlNumber(Int(random.next() % 8)))
                if isDelta { recipe.set(.deltaIndicator(base: Int(random.next() % 5))) }
                if isIndirect || chance(3) {
                    recipe.set(
                        .issuingDistributionPoint(
                            TestIssuingPoint {
                                $0.isIndirect = isIndirect
                                $0.isForUsers = chance(4) || !isIndirect
                                if chance(3) { $0.reasons = pick([.compromise, .others]) }
                                if chance(3) {
                                    $0.name = .full([
                                        .uri("http://crl.example/\(random.next() % 2)")
                                    ])
                                }
                            }))
                }
            }
        }

        mutating func world(of leaf: Minted) -> StatusWorld {
            RevocationSetTests.acme.world().with {
                $0.chain = [leaf.der, RevocationSetTests.issuing.der, RevocationSetTests.clerk.der]
                if chance(4) { $0.maximumAge = Int64(random.next() % 20) * 86_400 }
                if chance(6) { $0.clockSkew = 86_400 * 3 }
                if chance(8) { $0.minimumHash = .sha384 }
            }
        }
    }

    /// The words that came, so that it is known what the generator reaches.
    @Test("2,000 generated cases answer as with the CRLs, seed 0x5EED")
    func generated() throws {
        var generator = Generator(random: SplitMix(state: 0x5EED))
        var words: [String: Int] = [:]
        for round in 0..<2_000 {
            let leaf = generator.leaf()
            let lists = (0...generator.random.next() % 3).map { _ in generator.list(about: leaf) }
            let world = generator.world(of: leaf)
            let pieces = try Self.prepared(lists)
            let expected = try world.with { $0.prepared = pieces.map { ($0, .crl) } }.judge()
            let set = try Self.set(lists)
            let found = try world.with { $0.prepared = set.evidence.map { ($0, .crl) } }.judge()
            let unique = Set(lists).count
            guard unique == lists.count else { continue }
            #expect(found.answers == expected.answers, "round \(round)")
            #expect(found.work.signatures == expected.work.signatures, "round \(round)")
            for word in found.words { words[word, default: 0] += 1 }
        }
        let reached = [
            "good", "revoked keyCompromise", "revoked certificateHold", "revoked unspecified",
            "stale expired", "stale notYetValid", "stale tooOld", "not-covered otherScope",
            "not-covered someReasonsOnly", "not-covered baseMissing",
            "malformed algorithmNotAllowed",
        ]
        for word in reached { #expect(words[word, default: 0] > 5, "\(word): \(words)") }
    }

    @Test("an index, a scan and a set find the same entries, in the same order")
    func entries() throws {
        var generator = Generator(random: SplitMix(state: 7))
        for count in [0, 1, 2, 40, 3_000] {
            let list = Self.issuing.revocationList { recipe in
                recipe.entries = (0..<count).map { place in
                    .init(
                        (0...generator.random.next() % 3).map { _ in
                            UInt8(generator.random.next() % 9)
                        }, at: .day(-Int64(place)))
                }
            }
            let scanned = PreparedRevocationList(
                try CertificateRevocationList(der: list), isIndexed: false)
            guard case .list(let compact)? = try Self.set([list]).evidence.first?.content,
                case .list(let indexed)? = try Self.prepared([list]).first?.content
            else {
                Issue.record("no list")
                return
            }
            var work = WorkBudget(limit: 10_000_000)
            for first in UInt8(0)..<10 {
                for second in [nil, 0, 1, 8] as [UInt8?] {
                    let serial = [first] + (second.map { [$0] } ?? [])
                    let expected = try scanned.matches(serial.span, budget: &work).map(\.entry.date)
                    #expect(
                        try indexed.matches(serial.span, budget: &work).map(\.entry.date)
                            == expected)
                    #expect(
                        try compact.matches(serial.span, budget: &work).map(\.entry.date)
                            == expected)
                }
            }
        }
    }

    @Test("a set vouches only for what the key signed that signed the CRL")
    func keys() throws {
        let set = try Self.set([Self.issuing.revocationList([Self.leaf])])
        let other = Self.acme.root.issueCA("Issuing R", key: .p256("another key"))
        let leaf = other.issueLeaf(dns: [World.host])
        let outcome = try Self.acme.world().with {
            $0.chain = [leaf.der, other.der]
            $0.prepared = set.evidence.map { ($0, .crl) }
        }.judge()
        #expect(outcome.words == ["malformed badSignature"])
        // Nothing is verified that carries no signature.
        #expect(outcome.work.signatures == 0)
    }

    // MARK: Making one

    @Test("the same CRLs give the same octets, in any order and twice")
    func deterministic() throws {
        let lists = [
            Self.issuing.revocationList([Self.leaf]), Self.clerk.revocationList(),
            Self.acme.root.revocationList(),
        ]
        let pieces = try Self.prepared(lists)
        let bytes = try RevocationSet.encode(pieces, crypto: Self.crypto)
        let again = try RevocationSet.encode(pieces.reversed() + pieces, crypto: Self.crypto)
        #expect(bytes == again)
        let set = try RevocationSet(decoding: bytes, crypto: Self.crypto)
        #expect(set.bytes == bytes)
        #expect(set.evidence == pieces)
        #expect(set.evidence.allSatisfy { $0.revocationSet == bytes })
        let none = try RevocationSet.encode([], crypto: Self.crypto)
        #expect(try RevocationSet(decoding: none, crypto: Self.crypto).evidence.isEmpty)
    }

    @Test("what nobody vouches for, or is no CRL, does not go in")
    func obstacles() throws {
        let unknown = Self.issuing.revocationList {
            $0.extensions.append(.raw("1.2.3.4", critical: true, [5, 0]))
        }
        let rows: [(PreparedEvidence, RevocationSetObstacle)] = [
            (
                try PreparedEvidence(
                    crl: Self.issuing.revocationList(), signers: [], crypto: Self.crypto),
                .notVerified
            ),
            (
                try Self.prepared([Self.issuing.revocationList { $0.damage = .flippedBit }])[0],
                .notVerified
            ),
            (try Self.prepared([unknown])[0], .unknownCritical("1.2.3.4")),
            (try Self.set([Self.issuing.revocationList()]).evidence[0], .notAList),
            (
                try PreparedEvidence(
                    ocspResponse: Self.issuing.ocspResponse(for: Self.leaf), signers: Self.signers,
                    crypto: Self.crypto), .notAList
            ),
        ]
        for (piece, obstacle) in rows {
            #expect(RevocationSet.obstacle(to: piece) == obstacle)
            #expect(throws: obstacle) {
                _ = try RevocationSet.encode([piece], crypto: Self.crypto)
            }
        }
    }

    // MARK: Hostile octets

    private static func code(_ bytes: [UInt8]) -> RevocationSetError.Code? {
        do throws(RevocationSetError) {
            _ = try RevocationSet(decoding: bytes, crypto: crypto)
            return nil
        } catch {
            return error.code
        }
    }

    /// With a length and a seal that fit, as anyone can write them.
    private static func resealed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = Array(bytes.dropLast(32))
        var length = UInt64(bytes.count + 32)
        for place in 16..<24 {
            bytes[place] = UInt8(truncatingIfNeeded: length)
            length >>= 8
        }
        return bytes + crypto.digest(.sha256, of: bytes.span).bytes
    }

    @Test("every octet changed is refused, and every end cut off")
    func changed() throws {
        let bytes = try Self.set([
            Self.issuing.revocationList([Self.leaf]), Self.clerk.revocationList(),
        ]).bytes
        for place in bytes.indices {
            var other = bytes
            other[place] ^= 1
            #expect(Self.code(other) != nil, "octet \(place)")
            #expect(Self.code(Array(bytes.prefix(place))) != nil, "cut at \(place)")
        }
        #expect(Self.code(bytes + [0]) == .altered)
        #expect(Self.code([]) == .truncated)
    }

    @Test("an octet changed and sealed anew is refused, or is judged as what it then says")
    func changedAndSealed() throws {
        let list = Self.issuing.revocationList([Self.leaf])
        let bytes = try Self.set([list]).bytes
        var decoded = 0
        for place in 24..<bytes.count - 32 {
            for change in [UInt8(1), 0x80, 0xFF] {
                var other = bytes
                other[place] ^= change
                guard
                    let set = try? RevocationSet(
                        decoding: Self.resealed(other), crypto: Self.crypto)
                else { continue }
                decoded += 1
                // It reads as some set: judged without a trap.
                _ = try Self.acme.world().with {
                    $0.prepared = set.evidence.map { ($0, .crl) }
                }.judge()
            }
        }
        #expect(decoded > 100)
    }

    @Test("what contradicts itself is refused")
    func contradictions() throws {
        let first = Self.issuing.revocationList {
            $0.entries = [.init([1, 2], at: .day(-3)), .init([3, 4], at: .day(-3))]
        }
        let good = try Self.set([first]).bytes
        // The last run is two records of 8 octets, before the seal.
        let records = good.count - 32 - 16
        func changed(_ change: (inout [UInt8]) -> Void) -> RevocationSetError.Code? {
            var bytes = good
            change(&bytes)
            return Self.code(Self.resealed(bytes))
        }
        #expect(changed { _ in } == nil)
        #expect(changed { $0.swapAt(records, records + 8) } == .malformed, "serials out of order")
        #expect(changed { $0[records + 7] = 7 } == .malformed, "a reason that is none")
        #expect(changed { $0[records + 7] = 8 } == .malformed, "removeFromCRL in a complete CRL")
        #expect(changed { $0[records + 6] = 0xFF } == .malformed, "a date past the year 9999")
        #expect(
            changed { $0[records - 4] = 3 } == .malformed, "more entries than there is room for")
        #expect(changed { $0[records - 1] = 0xFF } == .malformed, "billions of entries")
        #expect(changed { $0[records - 4] = 1 } == .malformed, "fewer entries than are there")
        #expect(changed { $0[records - 6] = 0 } == .malformed, "serial numbers of no octets")
        #expect(changed { $0[12] = 2 } == .malformed, "more lists than are there")
        #expect(changed { $0[15] = 0xFF } == .malformed, "billions of lists")
        #expect(changed { $0[8] = 2 } == .unsupportedVersion)
        #expect(changed { $0[0] = 0 } == .notASet)
        // The same list twice: digests must ascend.
        #expect(
            changed {
                $0.insert(contentsOf: good[24..<good.count - 32], at: 24)
                $0[12] = 2
            } == .malformed)
    }
}
