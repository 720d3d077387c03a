import TestPKI
import Testing
import TrustEngine

/// Path building from whatever a peer sends (RFC 4158).
@Suite("path search") struct SearchTests {
    private static let acme = Acme()
    private static let other = Scenario().root("Root B", key: .p256("evaluation root b"))

    private static func roots(_ certificates: [UInt8]...) -> [[UInt8]] {
        certificates.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static let deep: (leaf: [UInt8], authorities: [[UInt8]]) = {
        var authority = acme.root
        var authorities: [[UInt8]] = []
        for depth in 1...4 {
            authority = authority.issueCA("Depth \(depth)", key: .p256("evaluation depth \(depth)"))
            authorities.append(authority.der)
        }
        return (authority.issueLeaf(dns: [World.host]).der, authorities)
    }()

    @Test("4158 2.4 the order of what follows the end entity means nothing", arguments: 0..<12)
    func shuffled(seed: Int) throws {
        var rest = SearchTests.deep.authorities + [SearchTests.acme.root.der]
        var generator = SplitMix(state: UInt64(seed))
        rest.shuffle(using: &generator)
        let judged = try World(
            [SearchTests.deep.leaf] + rest, roots: [SearchTests.acme.root.der]
        ).judge()
        #expect(
            judged.path == [World.host, "Depth 4", "Depth 3", "Depth 2", "Depth 1", "Root A"],
            "seed \(seed)")
    }

    private static let bagRows: [Row] = {
        let good = acme.world
        let namesake = Scenario().root("Root A", key: .p256("evaluation namesake"))
        let wrongKey = acme.root.issueCA("Issuing A", key: .p256("evaluation wrong key"))
        let expired = acme.root.issueCA("Issuing A", key: acme.issuing.key) {
            $0.notAfter = .at("2026-01-01")
        }
        let longer = acme.root.issueCA("Between", key: .p256("evaluation between"))
        let again = longer.crossSign(acme.issuing)
        let ab = other.crossSign(acme.root)
        let ba = acme.root.crossSign(other)
        let rolled = acme.issuing.issueCA("Issuing A", key: .p256("evaluation next key"))
        func bag(_ rest: [UInt8]...) -> World { good.with { $0.chain = [acme.good.der] + rest } }
        let issuing = acme.issuing.der
        return [
            Row("duplicates", ["accept"], bag(issuing, issuing, acme.good.der, issuing)),
            Row(
                "junk", ["accept"],
                bag([], [0x30, 0x82], Array(repeating: 0xFF, count: 64), issuing)),
            Row(
                "an authority that has signed its own next key", ["accept"],
                bag(rolled.der, issuing).with {
                    $0.chain[0] = rolled.issueLeaf(dns: [World.host]).der
                }),
            Row("only junk", ["issuer-not-found"], bag([], [0x30])),
            Row("an authority cut short", ["issuer-not-found"], bag(Array(issuing.dropLast()))),
            Row("cross-signs both ways", ["accept"], bag(ab.der, ba.der, issuing)),
            Row(
                "cross-signs both ways, the other root trusted", ["accept"],
                bag(ab.der, ba.der, issuing).with { $0.sets[0].members = [other.der] }),
            Row(
                "cross-signs both ways, no root trusted", ["issuer-not-found"],
                bag(ab.der, ba.der, issuing).with {
                    $0.sets[0].members = [Scenario().root("Root C", key: .p256("c")).der]
                }),
            Row(
                "expired shorter, valid longer", ["accept"],
                bag(expired.der, again.der, longer.der)),
            Row("expired alone", ["expired"], bag(expired.der)),
            Row("namesake of another key first", ["accept"], bag(wrongKey.der, issuing)),
            Row("namesake of another key alone", ["bad-signature"], bag(wrongKey.der)),
            Row("namesake of the root sent", ["accept"], bag(issuing, namesake.der)),
            Row(
                "namesake of the root trusted, too", ["accept"],
                bag(issuing).with { $0.sets[0].members = roots(namesake.der, acme.root.der) }),
            Row(
                "namesake of the root trusted instead", ["bad-signature"],
                bag(issuing).with { $0.sets[0].members = [namesake.der] }),
        ]
    }()

    @Test("whatever else is sent", arguments: bagRows) func bags(_ row: Row) throws {
        let outcome = try row.world.judge().outcome
        #expect(outcome == row.expected)
    }

    @Test("whatever else is sent, in any other order", arguments: bagRows)
    func reversedBags(_ row: Row) throws {
        let world = row.world.with {
            $0.chain = [$0.chain[0]] + Array($0.chain.dropFirst().reversed())
        }
        let outcome = try world.judge().outcome
        #expect(outcome == row.expected)
    }

    @Test("a path to an anchor is named although ten others come first", arguments: [false, true])
    func anchoredPathBehindOthers(isReversed: Bool) throws {
        let (acme, other) = (SearchTests.acme, SearchTests.other)
        let around = other.crossSign(acme.issuing)
        let mail = acme.root.issueCA("Issuing A", key: acme.issuing.key) {
            $0.set(.extendedKeyUsage([OID.clientAuth]))
        }
        let stranger = Scenario().root("Stranger", key: .p256("evaluation stranger"))
        let namesakes = (1...10).map {
            stranger.issueCA("Root B", key: .p256("evaluation root b \($0)")).der
        }
        let bag = [around.der] + namesakes + [mail.der]
        let world = acme.world.with {
            $0.chain = [acme.good.der] + (isReversed ? bag.reversed() : bag)
        }
        let outcome = try world.judge().outcome
        #expect(outcome == ["purpose-not-allowed"])
    }

    @Test("a loop of two authorities ends") func loop() throws {
        let one = Scenario().root("One", key: .p256("evaluation one"))
        let two = Scenario().root("Two", key: .p256("evaluation two"))
        let leaf = one.issueLeaf(dns: [World.host])
        let world = World(
            [leaf.der, two.crossSign(one).der, one.crossSign(two).der],
            roots: [SearchTests.acme.root.der])
        #expect(try world.judge().outcome == ["issuer-not-found"])
    }
}
