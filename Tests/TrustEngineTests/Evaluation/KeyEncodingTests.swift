import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// A key has two encodings if it is a point of a curve or of RSA, and whoever holds it chooses. The
/// demands on keys hold whatever was chosen (LANGUAGE section 8); a pin is the digest of one
/// encoding (section 6).
@Suite("keys in another encoding") struct KeyEncodingTests {
    /// A key, and its SubjectPublicKeyInfo in both encodings.
    struct Case: Sendable, CustomTestStringConvertible {
        let key: TestKey
        let canonical: [UInt8]
        let other: [UInt8]

        var testDescription: String { "\(key.kind)" }

        init(_ key: TestKey) {
            self.key = key
            canonical = key.spki
            if CurvePoint.curves.contains(key.kind) {
                let point = key.publicKeyBits
                let count = CurvePoint.fieldBytes(key.kind)
                other = CurvePoint.spki(
                    [2 | point[2 * count] & 1] + point[1...count], on: key.kind)
            } else {
                other = TestPKI.DER.sequence(
                    TestPKI.DER.sequence(TestPKI.DER.oid("1.2.840.113549.1.1.1")),
                    TestPKI.DER.bitString(key.publicKeyBits))
            }
        }

        /// The digest of an encoding.
        func match(
            isOther: Bool, _ algorithm: DigestAlgorithm = .sha256
        ) -> KeyMatch {
            let octets = isOther ? other : canonical
            return KeyMatch(
                kind: .spki, digest: LibCryptoBackend().digest(algorithm, of: octets.span))
        }
    }

    static let cases = [
        Case(.p256("encodings")), Case(.p384("encodings")), Case(.p521("encodings")),
        Case(.rsa2048("encodings")),
    ]
    private static let root = Scenario().root("Root E", key: .p256("encodings root"))

    // MARK: The encodings

    @Test("each is made of the other, octet by octet", arguments: cases)
    func made(row: Case) throws {
        let (own, other) = (row.canonical, row.other)
        let key = try PublicKey.parse(spki: own.span, at: 0)
        #expect(key.isCanonical)
        #expect(key.canonicalSPKI(in: own.span) == nil)
        #expect(key.otherSPKI(in: own.span) == other)
        let encoded = try PublicKey.parse(spki: other.span, at: 0)
        #expect(!encoded.isCanonical)
        #expect(encoded.canonicalSPKI(in: other.span) == own)
        #expect(PublicKey.encodings(of: own) == (own, other))
        #expect(PublicKey.encodings(of: other) == (own, other))
        #expect(key.type == encoded.type && key.bits == encoded.bits)
    }

    @Test("of many points, of either parity")
    func points() throws {
        for kind in CurvePoint.curves {
            for number in 0..<24 {
                let row = Case(TestKey(kind, "encodings \(number)"))
                let key = try PublicKey.parse(spki: row.other.span, at: 0)
                #expect(key.canonicalSPKI(in: row.other.span) == row.canonical)
            }
        }
    }

    @Test("keys of one encoding have no other")
    func single() throws {
        for key in [TestKey.ed25519("encodings"), .ed448("encodings")] {
            let parsed = try PublicKey.parse(spki: key.spki.span, at: 0)
            #expect(parsed.isCanonical && parsed.otherSPKI(in: key.spki.span) == nil)
        }
        #expect(PublicKey.encodings(of: [1, 2, 3]) == ([1, 2, 3], nil))
    }

    @Test("equal keys are equal, other keys are not", arguments: cases)
    func equality(row: Case) throws {
        func certificate(_ name: TestName, _ spki: [UInt8]) throws -> Certificate {
            try Certificate(
                der: Scenario().root(name, key: row.key) { $0.spki = spki }.der)
        }
        let own = try certificate("Root", row.canonical)
        let other = try certificate("Root", row.other)
        let namesake = try certificate("Other", row.other)
        let stranger = try certificate("Root", Case(TestKey(row.key.kind, "a stranger")).other)
        #expect(own.hasKey(of: other) && other.hasKey(of: own) && other.hasKey(of: other))
        #expect(own.hasNameAndKey(of: other) && other.hasNameAndKey(of: own))
        #expect(own.hasKey(of: namesake) && !own.hasNameAndKey(of: namesake))
        #expect(!own.hasKey(of: stranger) && !stranger.hasKey(of: other))
        #expect(own.keyOctets == other.keyOctets && own.keyOctets != stranger.keyOctets)
        #expect(own.spkiBytes != other.spkiBytes)
    }

    // MARK: Forbidden keys

    /// A chain of three in which the certificate at a place has an encoding of the key.
    private static func world(_ row: Case, isOther: Bool, at place: Int) -> World {
        let spki = isOther ? row.other : row.canonical
        func key(_ number: Int) -> TestKey {
            number == place ? row.key : .p256("encodings \(number)")
        }
        let root = Scenario().root("Root E", key: key(2)) { if place == 2 { $0.spki = spki } }
        let issuing = root.issueCA("Issuing E", key: key(1)) { if place == 1 { $0.spki = spki } }
        let leaf = issuing.issueLeaf(dns: [World.host], key: key(0)) {
            if place == 0 { $0.spki = spki }
        }
        return World([leaf.der, issuing.der], roots: [root.der])
    }

    private static func forbid(_ match: KeyMatch, in world: World) -> World {
        world.with {
            $0.requirements.forbiddenKeys = [
                ForbiddenKey(id: "stolen", matches: [match], notBefore: nil)
            ]
        }
    }

    @Test("the canonical digest forbids the key in any encoding", arguments: cases, 0..<3)
    func forbidden(row: Case, place: Int) throws {
        for isOther in [false, true] {
            let world = Self.world(row, isOther: isOther, at: place)
            #expect(try world.judge().outcome == ["accept"])
            for algorithm in DigestAlgorithm.allCases {
                let match = row.match(isOther: false, algorithm)
                let judged = try Self.forbid(match, in: world).judge()
                #expect(judged.outcome == ["forbidden-key"], "\(isOther) \(algorithm)")
                guard case .forbiddenKey(let found)? = judged.verdict.violations.first?.reason
                else { continue }
                #expect(found.digest == match.text && found.certificate.position == place)
            }
        }
    }

    @Test("the digest of another encoding forbids that encoding", arguments: cases)
    func otherDigest(row: Case) throws {
        let match = row.match(isOther: true)
        let world = Self.forbid(match, in: Self.world(row, isOther: true, at: 0))
        #expect(try world.judge().outcome == ["forbidden-key"])
        let canonical = Self.forbid(match, in: Self.world(row, isOther: false, at: 0))
        #expect(try canonical.judge().outcome == ["accept"])
    }

    // MARK: Pins

    @Test("a pin is the digest of one encoding", arguments: cases)
    func pins(row: Case) throws {
        for (isOther, isPinnedOther) in [
            (false, false), (true, true), (false, true), (true, false),
        ] {
            let world = Self.world(row, isOther: isOther, at: 1).with {
                $0.pins = [Self.set([row.match(isOther: isPinnedOther)], match: 1)]
            }
            let expected = isOther == isPinnedOther ? "accept" : "pin-mismatch"
            #expect(try world.judge().outcome == [expected])
        }
    }

    private static func set(_ matches: [KeyMatch], match: Int) -> PinSetContents {
        PinSetContents(
            id: "acme",
            keys: matches.enumerated().map {
                PinContents(id: "key-\($0)", matches: [$1], position: .any, note: nil)
            },
            backups: [
                PinContents(
                    id: "spare", matches: [World.key(of: .p256("a backup in a safe"))],
                    position: .any, note: nil)
            ],
            match: match, warnFrom: nil, enforceUntil: nil, onExpiry: .fail, owner: nil, note: nil)
    }

    @Test("12.2 one key in two encodings counts once", arguments: cases)
    func distinct(row: Case) throws {
        let upper = Self.root.issueCA("Issuing E1", key: row.key)
        let lower = upper.issueCA("Issuing E2", key: row.key) { $0.spki = row.other }
        let leaf = lower.issueLeaf(dns: [World.host])
        var world = World([leaf.der, lower.der, upper.der], roots: [Self.root.der])
        let both = [row.match(isOther: false), row.match(isOther: true)]
        world.pins = [Self.set(both, match: 1)]
        #expect(try world.judge().outcome == ["accept"])
        world.pins = [Self.set(both, match: 2)]
        #expect(try world.judge().outcome == ["pin-mismatch"])
        world.pins = [Self.set(both + [World.key(of: Self.root.key)], match: 2)]
        #expect(try world.judge().outcome == ["accept"])
    }

    // MARK: Anchors

    @Test("`only` and `exclude` know a member of the store in any encoding", arguments: cases)
    func filters(row: Case) throws {
        for isOther in [false, true] {
            let base = Self.world(row, isOther: isOther, at: 2)
            let store = [
                Scenario().root("Root E", key: row.key) {
                    $0.spki = isOther ? row.other : row.canonical
                }.der, Self.root.der,
            ]
            func outcome(_ filter: AnchorFilter) throws -> [String] {
                var world = base
                world.sets = [
                    AnchorSetContents(
                        id: "system",
                        groups: [AnchorGroup(source: .system, filters: [filter])])
                ]
                world.store = store
                return try world.judge().outcome
            }
            let match = row.match(isOther: false)
            #expect(try outcome(AnchorFilter(only: [match])) == ["accept"])
            #expect(try outcome(AnchorFilter(exclude: [match])) != ["accept"])
        }
    }

    @Test("a peer's copy of an anchor is the anchor, whose limits bind", arguments: cases)
    func copies(row: Case) throws {
        let anchor = Scenario().root("Root E", key: row.key) {
            $0.extensions[0] = .basicConstraints(ca: true, pathLength: 0)
        }
        let copy = Scenario().root("Root E", key: row.key) { $0.spki = row.other }
        let issuing = anchor.issueCA("Issuing E", key: .p256("encodings 1"))
        let leaf = issuing.issueLeaf(dns: [World.host])
        // The pin of the copy's own octets makes it an authority only where the policy does not
        // hold that authority itself.
        var world = World([leaf.der, issuing.der, copy.der], roots: [])
        world.sets = []
        world.anchorsArePinnedKeys = true
        var set = Self.set([row.match(isOther: true), row.match(isOther: false)], match: 1)
        world.pins = [set]
        #expect(try world.judge().outcome == ["accept"])
        set.keys[1].certificates = [anchor.der]
        world.pins = [set]
        #expect(try world.judge().outcome == ["path-length-exceeded"])
    }

    // MARK: Assertions

    /// The key of a file, as an assertion knows it: by the digests of both encodings.
    private static func identity(_ row: Case) -> KeyIdentity {
        KeyIdentity(
            [row.match(isOther: false), row.match(isOther: true)],
            ofOtherEncodings: [row.match(isOther: true)])
    }

    private static func behaviour(_ world: World) throws -> Behaviour {
        let behaviours = PolicyBehaviours(try world.engine())
        return behaviours.behaviour(of: 0)
    }

    @Test("a key is forbidden where the digest of its canonical encoding is", arguments: cases)
    func neverTrusts(row: Case) throws {
        let world = Self.world(row, isOther: false, at: 2)
        for (isOther, isForbidden) in [(false, true), (true, false)] {
            let behaviour = try Self.behaviour(Self.forbid(row.match(isOther: isOther), in: world))
            let shortfalls = BehaviourOrder().shortfalls(
                of: behaviour, forbidding: [Self.identity(row)], at: Scenario.judgedAt)
            #expect(shortfalls.isEmpty == isForbidden)
        }
    }

    @Test("a key is an anchor in whatever encoding the anchor has it", arguments: cases)
    func noAnchor(row: Case) throws {
        let crypto = LibCryptoBackend()
        for isOther in [false, true] {
            let behaviour = try Self.behaviour(Self.world(row, isOther: isOther, at: 2))
            for key in [Self.identity(row), KeyIdentity([row.match(isOther: false)])] {
                let shortfalls = BehaviourOrder().shortfalls(
                    of: behaviour, withoutAnchors: [key], at: Scenario.judgedAt, crypto: crypto)
                #expect(!shortfalls.isEmpty)
            }
            let stranger = KeyIdentity([World.key(of: .p256("nobody's"))])
            #expect(
                BehaviourOrder().shortfalls(
                    of: behaviour, withoutAnchors: [stranger], at: Scenario.judgedAt,
                    crypto: crypto
                ).isEmpty)
        }
    }

    @Test("an anchor with another encoding of its key is the same authority", arguments: cases)
    func sameAuthority(row: Case) throws {
        let remarks = BehaviourOrder().compare(
            try Self.behaviour(Self.world(row, isOther: false, at: 2)),
            try Self.behaviour(Self.world(row, isOther: true, at: 2))
        ).fields.map(\.remark)
        // The certificates differ, and with them what a pin of the anchor matches.
        let isReissued = remarks.contains { remark in
            guard case .reissued(let members) = remark else { return false }
            return members.count == 1
        }
        let isAdded = remarks.contains { remark in
            guard case .anchors = remark else { return false }
            return true
        }
        #expect(isReissued && !isAdded)
    }

    // MARK: Revocation

    @Test("a response that names the issuer's key in the canonical encoding is about it")
    func responses() throws {
        for row in Self.cases {
            let issuing = Self.root.issueCA("Issuing E", key: row.key) { $0.spki = row.other }
            let leaf = issuing.issueLeaf(dns: [World.host])
            for namesByKey in [false, true] {
                var world = World([leaf.der, issuing.der], roots: [Self.root.der])
                world.evidence.stapledOCSP = issuing.ocspResponse(
                    for: leaf, .revoked(.keyCompromise, at: .at("2026-05-01"))
                ) {
                    if namesByKey { $0.responder = .key(issuing.key) }
                }
                #expect(try world.judge().outcome == ["revoked"], "\(row) \(namesByKey)")
            }
        }
    }

    // MARK: Work

    @Test("another encoding is charged, the canonical one is not", arguments: cases)
    func charged(row: Case) throws {
        func units(_ spki: [UInt8]) throws -> Int {
            SignatureCost.readingUnits(of: try PublicKey.parse(spki: spki.span, at: 0))
        }
        #expect(try units(row.canonical) == 0)
        let more = try units(row.other)
        #expect(more > 0)
        func spent(isOther: Bool) throws -> Int {
            let world = Self.forbid(
                World.key(of: .p256("nobody's")), in: Self.world(row, isOther: isOther, at: 0))
            return try #require(world.judge().work).spent
        }
        #expect(try spent(isOther: true) >= spent(isOther: false) + more)
    }
}
