import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// Namesakes of a CA whose key is of another type. Anybody can make one, so its signatures read as
/// somebody else's, and never as what the engine lacks.
@Suite("signatures of another kind than the key")
struct SignatureKindTests {
    private static let pki = Scenario()

    private static func world(_ anchor: TestKey, signedBy other: TestKey) -> World {
        let root = pki.root("Kind R", key: anchor)
        let namesake = pki.root("Kind R", key: other)
        let issuing = namesake.issueCA("Kind I", key: .p256("kind issuing"))
        return World(
            [issuing.issueLeaf(dns: [World.host]).der, issuing.der],
            roots: [root.der])
    }

    private static func found(_ world: World, crypto: any CryptoBackend = LibCryptoBackend()) throws
        -> [String?]
    {
        let judged = try world.judge(crypto: crypto)
        #expect(judged.outcome == ["bad-signature"])
        guard
            case .path(.badSignature(_, let issuer, let type, let kind))? =
                judged.verdict.violations.first?.reason
        else { return [] }
        #expect(issuer.origin == .anchor(set: "corp"))
        return [type, kind]
    }

    @Test(
        "both kinds are told, whichever they are",
        arguments: [
            (TestKey.rsa3072("kind a"), TestKey.p256("kind b"), ["rsa", "ecdsa"]),
            (.p256("kind a"), .rsa3072("kind b"), ["p256", "rsa"]),
            (.rsa3072("kind a"), .ed25519("kind b"), ["rsa", "ed25519"]),
            (.ed25519("kind a"), .ed448("kind b"), ["ed25519", "ed448"]),
            // Curves make signatures of one kind.
            (.p256("kind a"), .p384("kind b"), [nil, nil]),
            (.rsa3072("kind a"), .rsa3072("kind b"), [nil, nil]),
        ] as [(TestKey, TestKey, [String?])])
    func kinds(_ anchor: TestKey, _ other: TestKey, _ expected: [String?]) throws {
        #expect(try Self.found(Self.world(anchor, signedBy: other)) == expected)
    }

    /// A backend that calls a signature of another kind unsupported.
    private struct Older: ForwardingBackend {
        let backend: any CryptoBackend = LibCryptoBackend()

        func verify(
            _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
            message: Span<UInt8>, signature: Span<UInt8>
        ) -> SignatureOutcome {
            let outcome = backend.verify(
                algorithm, key: key, keyBytes: keyBytes, message: message, signature: signature)
            return outcome == .invalid ? .unsupported : outcome
        }

        func verify(
            _ algorithm: SignatureAlgorithm, key: PublicKey, keyBytes: Span<UInt8>,
            message: Span<UInt8>, signature: Span<UInt8>, of identity: SignatureIdentity
        ) -> SignatureOutcome {
            verify(
                algorithm, key: key, keyBytes: keyBytes, message: message, signature: signature)
        }
    }

    @Test("a backend that calls it unsupported is not believed")
    func older() throws {
        let world = Self.world(.rsa3072("kind a"), signedBy: .p256("kind b"))
        #expect(try Self.found(world, crypto: Older()) == ["rsa", "ecdsa"])
    }

    @Test("of two namesakes the one whose key makes such signatures leads", arguments: [0, 1])
    func namesakes(_ first: Int) throws {
        let world = Self.world(.rsa3072("kind a"), signedBy: .p256("kind b"))
        let fitting = Self.pki.root("Kind R", key: .p256("kind c"))
        var roots = [Self.pki.root("Kind R", key: .rsa3072("kind a")).der, fitting.der]
        if first == 1 { roots.reverse() }
        var both = World(world.chain, roots: [roots[0]])
        both.trust("more", [roots[1]])
        let judged = try both.judge()
        #expect(judged.outcome == ["bad-signature"])
        guard
            case .path(.badSignature(_, let issuer, let type, _))? =
                judged.verdict.violations.first?.reason
        else {
            Issue.record("no bad signature")
            return
        }
        #expect(type == nil)
        #expect(issuer.fingerprint.bytes == fitting.certificate.fingerprint)
    }

    @Test("the anchor itself as the server's certificate is told as an anchor of its sets")
    func anchorAlone() throws {
        let root = Self.pki.root("Kind R", key: .p256("kind a"))
        func sets(_ world: World) throws -> [String] {
            guard
                case .selfSignedLeaf(_, let sets)? =
                    try world.judge().verdict.violations.first?.reason
            else { return ["none"] }
            return sets
        }
        #expect(try sets(World([root.der], roots: [root.der])) == ["corp"])
        let stranger = Self.pki.root("Kind S", key: .p256("kind b"))
        #expect(try sets(World([stranger.der], roots: [root.der])) == [])
        // A set that the rule does not trust does not count.
        var other = World([stranger.der], roots: [root.der])
        other.trust("other", [stranger.der])
        other.anchors = ["corp"]
        #expect(try sets(other) == [])
    }

    @Test(
        "names that a reader takes for one, and in what they differ",
        arguments: [
            ("CN=A,O=B", "O=B,CN=A", .order), ("CN=A,O=B", "CN=A+O=B", .grouping),
            ("CN=Ä", "CN=ä", .letters), ("CN=A\\,O\\=B", "O=B,CN=A", nil),
            ("CN=A", "CN=B", nil), ("CN=A,O=B", "CN=A", nil), ("CN=A,CN=A,O=B", "CN=A,O=B", nil),
            ("", "CN=A", nil),
        ] as [(String, String, NameTwin.Difference?)])
    func twins(_ left: String, _ right: String, _ difference: NameTwin.Difference?) {
        #expect(NameTwin.difference(left, right) == difference)
        #expect(NameTwin.difference(right, left) == difference)
    }
}
