import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// `forbidden-keys` (LANGUAGE sections 8 and 12.2): a path that holds one is never accepted.
@Suite("forbidden keys") struct ForbiddenKeyTests {
    private static let acme = Acme()

    private static func forbid(
        _ match: KeyMatch, _ window: DateWindow? = nil, in world: World = acme.world
    ) -> World {
        world.with {
            $0.requirements.forbiddenKeys.append(
                ForbiddenKey(id: "leaked", matches: [match], notBefore: window))
        }
    }

    private static func certificate(_ minted: Minted) -> KeyMatch {
        KeyMatch(
            kind: .certificate,
            digest: LibCryptoBackend().digest(.sha256, of: minted.der.span))
    }

    private static let issued = Scenario().leafValidity.lowerBound

    private static let rows: [Row] = [
        Row("leaf", ["forbidden-key"], forbid(World.key(of: acme.good.key))),
        Row("intermediate", ["forbidden-key"], forbid(World.key(of: acme.issuing.key))),
        Row("anchor", ["forbidden-key"], forbid(World.key(of: acme.root.key))),
        Row("a certificate", ["forbidden-key"], forbid(certificate(acme.good))),
        Row("elsewhere", ["accept"], forbid(World.key(of: .p256("nobody's")))),
        Row(
            "a leaf that is its own anchor", ["forbidden-key"],
            forbid(
                World.key(of: acme.good.key),
                in: World([acme.good.der], roots: [acme.root.der])
                    .with { $0.trust("pinned", [acme.good.der], kind: .leaf) })),
        Row(
            "wins over a pin of the same key", ["forbidden-key"],
            forbid(
                World.key(of: acme.issuing.key),
                in: acme.world.with { $0.pin([(acme.issuing.certificate, .ca)]) })),
        Row(
            "whatever waivers there are", ["forbidden-key"],
            forbid(
                World.key(of: acme.good.key),
                in: acme.world.with {
                    $0.waive(.path)
                    $0.waive(.identity)
                    $0.waive(.pins)
                })),
        Row(
            "issued in the window", ["forbidden-key"],
            forbid(
                World.key(of: acme.root.key), DateWindow(from: issued, until: issued))),
        Row(
            "issued before it", ["accept"],
            forbid(
                World.key(of: acme.root.key),
                DateWindow(from: issued.advanced(bySeconds: 1)))),
        Row(
            "issued after it", ["accept"],
            forbid(
                World.key(of: acme.root.key),
                DateWindow(until: issued.advanced(bySeconds: -1)))),
    ]

    @Test("on the path", arguments: rows) func onThePath(_ row: Row) throws {
        #expect(try row.world.judge().outcome == row.expected)
    }

    @Test("an entry of two digests forbids either", arguments: [true, false])
    func eitherDigest(isFirst: Bool) throws {
        let matches = try World.beside(World.key(of: Self.acme.good.key), isFirst: isFirst)
        let world = Self.acme.world.with {
            $0.requirements.forbiddenKeys = [
                ForbiddenKey(id: "leaked", matches: matches, notBefore: nil)
            ]
        }
        #expect(try world.judge().outcome == ["forbidden-key"])
    }

    @Test("12.2 kills the path that holds it, not the request") func otherPath() throws {
        let acme = ForbiddenKeyTests.acme
        let other = Scenario().root("Root B", key: .p256("evaluation root b"))
        var world = World(
            [acme.good.der, acme.issuing.der, other.crossSign(acme.issuing).der],
            roots: [acme.root.der])
        world.trust("partner", [other.der])
        #expect(try world.judge().path.last == "Root A")
        let forbidding = ForbiddenKeyTests.forbid(World.key(of: acme.root.key), in: world)
        #expect(try forbidding.judge().path.last == "Root B")
        let both = ForbiddenKeyTests.forbid(World.key(of: acme.issuing.key), in: world)
        #expect(try both.judge().outcome == ["forbidden-key"])
    }

    @Test("the violation names both sides") func sides() throws {
        let acme = ForbiddenKeyTests.acme
        let window = DateWindow(from: .at("2026-01-01"), until: .at("2026-12-31"))
        let key = World.key(of: acme.issuing.key)
        let judged = try ForbiddenKeyTests.forbid(key, window).judge()
        guard case .forbiddenKey(let found)? = judged.verdict.violations.first?.reason else {
            Issue.record("not forbidden-key")
            return
        }
        #expect(found.entry == "leaked")
        #expect(found.digest == key.text)
        #expect(found.certificate.position == 1)
        #expect(found.from == window.from)
        #expect(found.until == window.until)
        #expect(found.issued == ForbiddenKeyTests.issued)
    }
}
