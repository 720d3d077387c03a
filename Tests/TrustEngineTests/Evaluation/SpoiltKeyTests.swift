import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// Keys that are none, or that bind nobody, wherever a policy or a peer may put one: no path that
/// holds one is accepted, though every signature on it verifies.
@Suite("keys that are none") struct SpoiltKeyTests {
    private static let root = Scenario().root("Root K", key: .p256("spoilt keys root"))
    private static let issuing = root.issueCA("Issuing K", key: .p256("spoilt keys issuing"))

    /// A certificate that the issuing authority signed, over whatever key it was asked for.
    private static func leaf(_ spki: [UInt8]) -> Minted {
        issuing.issueLeaf(dns: [World.host]) { $0.spki = spki }
    }

    private static func world(_ leaf: Minted) -> World {
        World([leaf.der, issuing.der], roots: [root.der])
    }

    /// The message about a key, by its fault.
    private static func reason(_ fault: SpoiltKey.Fault) -> String {
        switch fault {
        case .form: return "the key's octets do not fit its algorithm"
        case .offCurve: return "the key names no point of its curve"
        case .smallOrder: return "the key is a point of small order, under which anybody can sign"
        case .nearZero:
            return "the key's numbers are next to zero, so that anybody can sign under it"
        case .rsaNumbers:
            return "an RSA key has an odd modulus and an odd exponent from 3 on"
        }
    }

    // MARK: What the peer presents

    @Test("as the end entity's key", arguments: SpoiltKey.all)
    func endEntity(key: SpoiltKey) throws {
        let judged = try Self.world(Self.leaf(key.spki)).judge()
        #expect(judged.outcome == ["end-entity-unreadable"])
        guard case .endEntityUnreadable(let error)? = judged.verdict.violations.first?.reason else {
            return
        }
        #expect(error.field == "tbsCertificate.subjectPublicKeyInfo")
        #expect(error.reason == Self.reason(key.fault))
    }

    @Test("as the key of an authority that the peer sends", arguments: SpoiltKey.all)
    func authority(key: SpoiltKey) throws {
        let good = Self.leaf(TestKey.p256("spoilt keys leaf").spki)
        let spoilt = Self.root.issueCA("Issuing K", key: Self.issuing.key) {
            $0.spki = key.spki
        }
        let alone = try World([good.der, spoilt.der], roots: [Self.root.der]).judge()
        #expect(alone.outcome == ["issuer-not-found"])
        let reasons = alone.trace.steps.compactMap { step -> String? in
            guard case .certificate(let step) = step, case .setAside(let error) = step.status
            else { return nil }
            return error.reason
        }
        #expect(reasons == [Self.reason(key.fault)])
        // It keeps no other path from being found.
        let both = World([good.der, spoilt.der, Self.issuing.der], roots: [Self.root.der])
        #expect(try both.judge().outcome == ["accept"])
    }

    // MARK: What the policy trusts

    @Test("as the key of an anchor, of every kind", arguments: SpoiltKey.all)
    func anchor(key: SpoiltKey) throws {
        let root = Scenario().root("Root K", key: .p256("spoilt keys root")) { $0.spki = key.spki }
        let rows: [(AnchorKind, [UInt8])] = [
            (.root, root.der), (.leaf, Self.leaf(key.spki).der),
            (
                .intermediate,
                Self.root.issueCA("Issuing K", key: Self.issuing.key) { $0.spki = key.spki }.der
            ),
        ]
        for (kind, der) in rows {
            var world = Self.world(Self.leaf(TestKey.p256("spoilt keys leaf").spki))
            world.trust("spoilt", [der], kind: kind)
            let error = #expect(throws: EngineError.self) { try world.engine() }
            #expect(error?.code == .anchorUnreadable, "\(kind)")
            #expect(error?.context.contains(Self.reason(key.fault)) == true, "\(kind)")
        }
    }

    @Test("as a member of the machine's store it is passed over", arguments: SpoiltKey.all)
    func store(key: SpoiltKey) throws {
        let spoilt = Scenario().root("Root S", key: .p256("spoilt keys store")) {
            $0.spki = key.spki
        }
        var world = Self.world(Self.leaf(TestKey.p256("spoilt keys leaf").spki))
        world.sets = [
            AnchorSetContents(id: "system", groups: [AnchorGroup(source: .system)])
        ]
        world.store = [spoilt.der]
        let error = #expect(throws: EngineError.self) { try world.engine() }
        #expect(error?.code == .systemStoreMissing)
    }

    @Test("as a pinned key that is its own anchor", arguments: SpoiltKey.all)
    func pinned(key: SpoiltKey) throws {
        let spoilt = Self.leaf(key.spki)
        let digest = try #require(
            Digest(.sha256, bytes: TestHash.sha256.digest(spoilt.recipe.spki)))
        for match in [World.certificate(of: spoilt), KeyMatch(kind: .spki, digest: digest)] {
            var world = World([spoilt.der], roots: [])
            world.sets = []
            world.anchorsArePinnedKeys = true
            world.pins = [
                PinSetContents(
                    id: "spoilt",
                    keys: [PinContents(id: "it", matches: [match], position: .any, note: nil)],
                    backups: [
                        PinContents(
                            id: "spare", matches: [World.key(of: .p256("spoilt keys spare"))],
                            position: .any, note: nil)
                    ], match: 1, warnFrom: nil, enforceUntil: nil, onExpiry: .fail, owner: nil,
                    note: nil)
            ]
            #expect(try world.judge().outcome == ["end-entity-unreadable"])
        }
    }

    // MARK: What judges it

    /// Accepts every signature, as a backend at fault might.
    private struct Credulous: CryptoBackend {
        private let libcrypto = LibCryptoBackend()

        func digest(_ algorithm: DigestAlgorithm, of bytes: Span<UInt8>) -> Digest {
            libcrypto.digest(algorithm, of: bytes)
        }

        func identifierSHA1(of bytes: Span<UInt8>) -> SHA1Identifier? {
            libcrypto.identifierSHA1(of: bytes)
        }

        func verify(
            _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
            message: Span<UInt8>, signature: Span<UInt8>
        ) -> SignatureOutcome { .valid }
    }

    @Test("no backend is asked about it", arguments: SpoiltKey.all)
    func anyBackend(key: SpoiltKey) throws {
        let judged = try Self.world(Self.leaf(key.spki)).judge(crypto: Credulous())
        #expect(judged.outcome == ["end-entity-unreadable"])
    }

    @Test("a waiver of the path does not cover it", arguments: SpoiltKey.all)
    func waived(key: SpoiltKey) throws {
        var world = Self.world(Self.leaf(key.spki))
        world.waive(.path)
        world.waive(.identity)
        #expect(try world.judge().outcome == ["end-entity-unreadable"])
    }

    @Test("a responder with such a key vouches for nothing")
    func responder() throws {
        let good = Self.leaf(TestKey.p256("spoilt keys leaf").spki)
        for key in SpoiltKey.all {
            let delegate = Self.issuing.issueResponder("Responder", key: .p256("spoilt responder"))
            {
                $0.spki = key.spki
            }
            var world = Self.world(good)
            world.requirements.revocation.causes = .require
            world.requirements.revocation.scope = .leaf
            world.evidence.stapledOCSP = Self.issuing.ocspResponse(for: good, by: delegate)
            #expect(
                try world.judge(crypto: LibCryptoBackend()).outcome == ["revocation-undetermined"],
                "\(key)")
        }
    }

    // MARK: What stays

    @Test("good keys in every form stay good")
    func good() throws {
        for kind in CurvePoint.curves {
            let point = TestKey(kind, "spoilt keys good").publicKeyBits
            let count = CurvePoint.fieldBytes(kind)
            let compressed = [2 | point[2 * count] & 1] + point[1...count]
            for octets in [point, compressed] {
                let leaf = Self.leaf(CurvePoint.spki(octets, on: kind))
                #expect(try Self.world(leaf).judge().outcome == ["accept"], "\(kind)")
            }
        }
        for key in [TestKey.ed25519("spoilt keys good"), .ed448("spoilt keys good")] {
            #expect(try Self.world(Self.leaf(key.spki)).judge().outcome == ["accept"])
        }
        let lattice = Self.leaf(SpoiltKey.mldsa44(distance: 64))
        #expect(try Self.world(lattice).judge().outcome == ["accept"])
    }
}
