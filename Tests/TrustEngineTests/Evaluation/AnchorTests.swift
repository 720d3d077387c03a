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

    private static let ignoredRows: [Row] = {
        let acme = Acme()
        let sub = acme.issuing.issueCA("Sub A", key: .p256("evaluation sub a"))
        let deep = sub.issueLeaf(dns: [World.host])
        let limits: [(name: String, limit: AnchorLimits, violation: String, root: World)] = [
            ("dates", .dates, "expired", acme.root { $0.notAfter = .at("2026-01-01") }),
            (
                "names", .nameConstraints, "name-not-permitted",
                acme.root { $0.set(.nameConstraints(excluded: [.dns("example")])) }
            ),
            (
                "purposes", .keyPurposes, "purpose-not-allowed",
                acme.root { $0.set(.extendedKeyUsage([OID.codeSigning])) }
            ),
            (
                "path length", .pathLength, "path-length-exceeded",
                acme.root { $0.set(.basicConstraints(ca: true, pathLength: 0)) }
            ),
        ]
        let all: AnchorLimits = [.dates, .nameConstraints, .keyPurposes, .pathLength]
        return limits.flatMap { name, limit, violation, world in
            [
                Row("5 \(name) bind", [violation], world),
                Row(
                    "5 \(name) ignored", ["accept"],
                    world.with { $0.sets[0].groups[0].ignoredLimits = limit }),
                Row(
                    "5 \(name) bind, all others ignored", [violation],
                    world.with { $0.sets[0].groups[0].ignoredLimits = all.subtracting(limit) }),
                Row(
                    "5 \(name) ignored in another set", [violation],
                    world.with {
                        $0.trust("other", $0.sets[0].members)
                        $0.sets[1].groups[0].ignoredLimits = limit
                        $0.anchors = ["corp"]
                    }),
            ]
        } + [
            Row(
                "5 limits of intermediates bind whatever is ignored", ["path-length-exceeded"],
                {
                    let issuing = acme.root.issueCA(
                        "Issuing A", key: acme.issuing.key, pathLength: 0)
                    return World([deep.der, sub.der, issuing.der], roots: [acme.root.der])
                        .with { $0.sets[0].groups[0].ignoredLimits = all }
                }()),
            Row(
                "5 a root that is no CA", ["not-a-ca"],
                acme.root { $0.set(.basicConstraints(ca: false)) }
                    .with { $0.sets[0].groups[0].ignoredLimits = all }),
            Row(
                "5 a root that may not sign certificates", ["key-usage-missing"],
                acme.root { $0.set(.keyUsage([.cRLSign])) }
                    .with { $0.sets[0].groups[0].ignoredLimits = all }),
            Row(
                "5 dates of a leaf anchor", ["accept"],
                {
                    let own = Scenario().selfSignedLeaf(dns: [World.host]) {
                        $0.notAfter = .at("2026-04-01")
                    }
                    var world = World([own.der], roots: [acme.root.der])
                    world.trust("devices", [own.der], kind: .leaf)
                    world.sets[1].groups[0].ignoredLimits = .dates
                    return world
                }()),
        ]
    }()

    @Test("limits written in an anchor bind unless its set ignores them", arguments: ignoredRows)
    func ignored(_ row: Row) throws {
        let outcome = try row.world.judge().outcome
        #expect(outcome == row.expected)
    }

    @Test("5 an ignored date stands in no validity that a trace shows") func ignoredDates() throws {
        let judged = try acme.root { $0.notAfter = .at("2026-01-01") }
            .with { $0.sets[0].groups[0].ignoredLimits = .dates }.judge()
        let shown = judged.trace.steps.compactMap { step -> UTCInstant? in
            guard case .check(let check) = step,
                case .passed(.validity(_, let notAfter)) = check.outcome
            else { return nil }
            return notAfter
        }
        #expect(shown == [.at("2026-08-31T23:59:59Z")])
    }

    // MARK: The machine's store, filtered when it is loaded

    private static let filterRows: [Row] = {
        let acme = Acme()
        let other = Scenario().root("Root B", key: .p256("evaluation root b"))
        let ours = World.certificate(of: acme.root.certificate)
        let theirs = World.certificate(of: other.certificate)
        func filtered(_ filters: [AnchorFilter]) -> World {
            acme.world.with {
                $0.store = [acme.root.der, other.der]
                $0.sets[0].groups = [
                    AnchorGroup(source: .system, standard: .webPKI, filters: filters)
                ]
            }
        }
        let refused = ["issuer-not-found"]
        return [
            Row("5 the whole store", ["accept"], filtered([])),
            Row("5 only what is kept", ["accept"], filtered([AnchorFilter(only: [ours])])),
            Row("5 only another", refused, filtered([AnchorFilter(only: [theirs])])),
            Row(
                "5 only, by key", ["accept"],
                filtered([AnchorFilter(only: [World.key(of: acme.root.key)])])),
            Row("5 excluded", refused, filtered([AnchorFilter(exclude: [ours])])),
            Row(
                "5 excluded, by key", refused,
                filtered([AnchorFilter(exclude: [World.key(of: acme.root.key)])])),
            Row("5 another excluded", ["accept"], filtered([AnchorFilter(exclude: [theirs])])),
            Row(
                "5 kept and then excluded", refused,
                filtered([AnchorFilter(only: [ours, theirs], exclude: [ours])])),
            Row(
                "5 kept by one set, excluded by the one that includes it", refused,
                filtered([AnchorFilter(only: [ours, theirs]), AnchorFilter(exclude: [ours])])),
        ]
    }()

    @Test("only and exclude of the machine's members", arguments: filterRows)
    func filters(_ row: Row) throws {
        let outcome = try row.world.judge().outcome
        #expect(outcome == row.expected)
    }

    @Test("5 a store of which nothing is left does not load") func nothingLeft() throws {
        var world = acme.world
        world.store = [acme.root.der]
        world.sets[0].groups = [
            AnchorGroup(
                source: .system,
                filters: [AnchorFilter(exclude: [World.certificate(of: acme.root.certificate)])])
        ]
        #expect(throws: EngineError.self) { try world.engine() }
    }

    // MARK: Intermediates that a set offers

    @Test("5 an offered intermediate completes a chain, and the verdict says where it came from")
    func offered() throws {
        var world = acme.world
        world.chain.removeLast()
        let bare = try world.judge().outcome
        #expect(bare == ["issuer-not-found"])
        world.sets[0].intermediates = [acme.issuing.der]
        let judged = try world.judge()
        #expect(judged.path == [World.host, "Issuing A", "Root A"])
        #expect(judged.acceptance?.path[1].origin == .offered(set: "corp"))
    }

    @Test("5 what is offered is not trusted") func offeredIsNoAnchor() throws {
        var world = acme.world.with { $0.sets = [] }
        world.trust("corp", [Scenario().root("Root B", key: .p256("evaluation root b")).der])
        world.sets[0].intermediates = [acme.issuing.der, acme.root.der]
        world.chain.removeLast()
        let outcome = try world.judge().outcome
        #expect(outcome == ["anchor-not-trusted"])
    }

    @Test("5 a set that the rule does not name offers nothing") func offeredOutOfScope() throws {
        var world = acme.world
        world.chain.removeLast()
        world.trust("others", [Scenario().root("Root B", key: .p256("evaluation root b")).der])
        world.sets[1].intermediates = [acme.issuing.der]
        world.anchors = ["corp"]
        let outcome = try world.judge().outcome
        #expect(outcome == ["issuer-not-found"])
    }

    @Test("5 what the peer sent comes before its offered twin") func offeredAndSent() throws {
        var world = acme.world
        world.sets[0].intermediates = [acme.issuing.der]
        let judged = try world.judge()
        #expect(judged.acceptance?.path[1].origin == .presented(1))
        #expect(judged.work?.paths == 1)
    }

    @Test("5 an offered cross-sign leads to the other root") func crossSign() throws {
        let old = Scenario().root("Root B", key: .p256("evaluation root b"))
        var world = World([acme.good.der, acme.issuing.der], roots: [old.der])
        world.sets[0].intermediates = [old.crossSign(acme.root).der]
        let judged = try world.judge()
        #expect(judged.path == [World.host, "Issuing A", "Root A", "Root B"])
        #expect(judged.acceptance?.path[2].origin == .offered(set: "corp"))
    }

    @Test("5 many offered twins of one name cost a bounded search") func manyOffered() throws {
        var world = acme.world
        world.chain.removeLast()
        world.sets[0].intermediates = (0..<400).map { index in
            acme.root.issueCA("Issuing A", key: .p256("evaluation other \(index)")).der
        }
        let judged = try world.judge()
        #expect(!judged.verdict.isAccept)
        #expect((judged.work?.spent ?? .max) <= Engine.standardWorkLimit)
    }

    @Test("5 members of one set on terms of their own: each is tried on its own")
    func groups() throws {
        var world = acme.world
        var shut = AnchorConstraints()
        shut.permittedNames = [HostPattern(host: .name("other.example"), port: nil)]
        world.sets[0].groups = [
            AnchorGroup(source: .members([acme.root.der]), constraints: [shut]),
            AnchorGroup(source: .members([acme.root.der]), standard: .webPKI),
        ]
        let judged = try world.judge()
        #expect(judged.outcome == ["accept"])
        #expect(judged.work?.paths ?? 0 <= 2)
        let shutAlone = try world.with { $0.sets[0].groups.removeLast() }.judge().outcome
        let openAlone = try world.with { $0.sets[0].groups.removeFirst() }.judge().outcome
        #expect(Set([shutAlone, openAlone]) == [["accept"], ["anchor-constraint-not-met"]])
    }

    @Test("5 an anchor in two sets is judged on each set's terms", arguments: [true, false])
    func twoSets(strictFirst: Bool) throws {
        var world = acme.presenting { $0.remove(OID.extendedKeyUsage) }.with { $0.sets = [] }
        world.trust(strictFirst ? "a" : "z", [acme.root.der], standard: .webPKI)
        let alone = try world.judge().outcome
        #expect(alone == ["purpose-not-named"])
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
