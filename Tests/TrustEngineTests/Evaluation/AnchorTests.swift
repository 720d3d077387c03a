import TestPKI
import Testing
import TrustEngine

/// What an anchor vouches for, and on whose terms (LANGUAGE section 5).
@Suite("anchors") struct AnchorTests {
    private let acme = Acme()

    @Test("5 a leaf anchor vouches for itself alone, by its bytes") func leafKind() throws {
        let own = Scenario().selfSignedLeaf(dns: [World.host])
        let twin = Scenario().selfSignedLeaf(dns: [World.host]) { $0.serial = [1, 2, 3] }
        var world = World([own.der], roots: [acme.root.der])
        world.trust("devices", [own.der], kind: .leaf)
        let judged = try world.judge()
        #expect(judged.outcome == ["accept"])
        #expect(judged.path == [World.host])
        let other = try world.with { $0.chain = [twin.der] }.judge()
        #expect(other.outcome == ["self-signed-leaf"])
    }

    @Test("5 a certificate of a set of roots is not its own anchor") func rootKind() throws {
        let own = Scenario().selfSignedLeaf(dns: [World.host]) {
            $0.set(.basicConstraints(ca: true))
            $0.set(.keyUsage([.digitalSignature, .keyCertSign]))
        }
        let outcome = try World([own.der], roots: [own.der]).judge().outcome
        #expect(outcome == ["self-signed-leaf"])
    }

    @Test("5 a leaf anchor that is a CA vouches for nothing that it signed")
    func leafKindAuthority() throws {
        var world = acme.world.with {
            $0.sets = []
            $0.chain.append(acme.root.der)
        }
        world.trust("devices", [acme.root.der], kind: .leaf)
        let outcome = try world.judge().outcome
        #expect(outcome == ["anchor-not-trusted"])
    }

    @Test("5 an issuing authority among leaf anchors ends no path") func leafKindIssuing() throws {
        var world = acme.world.with { $0.sets = [] }
        world.trust("devices", [acme.issuing.der], kind: .leaf)
        let outcome = try world.judge().outcome
        #expect(outcome == ["issuer-not-found"])
    }

    private static let limitRows: [Row] = {
        let acme = Acme()
        func copy(_ change: @escaping (inout CertificateRecipe) -> Void) -> World {
            let copy = Scenario().root("Root A", key: acme.root.key, change)
            return acme.world.with { $0.chain.append(copy.der) }
        }
        return [
            Row("5 dates of a copy", ["accept"], copy { $0.notAfter = .at("2026-01-01") }),
            Row(
                "5 path length of a copy", ["accept"],
                copy { $0.set(.basicConstraints(ca: true, pathLength: 0)) }),
            Row(
                "5 purposes of a copy", ["accept"],
                copy { $0.set(.extendedKeyUsage([OID.codeSigning])) }),
            Row(
                "5 names of a copy", ["accept"],
                copy { $0.set(.nameConstraints(excluded: [.dns("example")])) }),
            Row(
                "5 a copy that is no CA", ["accept"], copy { $0.set(.basicConstraints(ca: false)) }),
            Row(
                "5 dates of the anchor, good copy", ["expired"],
                acme.root { $0.notAfter = .at("2026-01-01") }
                    .with { $0.chain.append(acme.root.der) }),
            Row(
                "5 names of the anchor, good copy", ["name-not-permitted"],
                acme.root { $0.set(.nameConstraints(excluded: [.dns("example")])) }
                    .with { $0.chain.append(acme.root.der) }),
        ]
    }()

    @Test("limits are those of the member's own certificate, never of a copy", arguments: limitRows)
    func limits(_ row: Row) throws {
        let outcome = try row.world.judge().outcome
        #expect(outcome == row.expected)
    }

    @Test("5 an anchor in two sets is judged on each set's terms", arguments: [true, false])
    func twoSets(strictFirst: Bool) throws {
        var world = acme.presenting { $0.remove(OID.extendedKeyUsage) }.with { $0.sets = [] }
        world.trust(strictFirst ? "a" : "z", [acme.root.der], standard: .webPKI)
        let alone = try world.judge().outcome
        #expect(alone == ["purpose-not-allowed"])
        world.trust("m", [acme.root.der])
        let both = try world.judge()
        #expect(both.outcome == ["accept"])
        #expect(both.acceptance?.path.last?.origin == .anchor(set: "m"))
    }

    @Test("5 the shorter path first, and on through an anchor when a pin demands it")
    func throughAnAnchor() throws {
        var world = acme.world
        world.trust("issuers", [acme.issuing.der], kind: .intermediate)
        let short = try world.judge()
        #expect(short.path == [World.host, "Issuing A"])
        world.pin([(acme.root.certificate, .anchor)])
        let long = try world.judge()
        #expect(long.path == [World.host, "Issuing A", "Root A"])
        world.chain.removeLast()
        let unsent = try world.judge()
        #expect(unsent.path == [World.host, "Issuing A", "Root A"])
    }

    @Test(
        "5 on through an anchor that another set holds, too",
        arguments: [AnchorKind.intermediate, .leaf])
    func throughAnAnchorOfTwoSets(kind: AnchorKind) throws {
        var world = acme.world
        world.trust("another", [acme.issuing.der], kind: kind)
        world.trust("issuers", [acme.issuing.der], kind: .intermediate)
        world.anchors = kind == .leaf ? nil : ["corp", "issuers"]
        world.pin([(acme.root.certificate, .anchor)])
        world.chain.removeLast()
        let judged = try world.judge()
        #expect(judged.path == [World.host, "Issuing A", "Root A"])
    }

    @Test("5 sets that the rule does not name are no anchors") func outOfScope() throws {
        var world = acme.world.with { $0.sets = [] }
        world.trust("corp", [Scenario().root("Root B", key: .p256("evaluation root b")).der])
        world.trust("others", [acme.root.der])
        world.anchors = ["corp"]
        let outcome = try world.judge().outcome
        #expect(outcome == ["anchor-not-trusted"])
    }
}
