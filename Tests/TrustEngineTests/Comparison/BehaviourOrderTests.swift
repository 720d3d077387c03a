import TestPKI
import Testing
import TrustEngine

/// The laws of the order, and that it is sound: a behaviour that is called equal or stricter
/// accepts no request that the other rejects.
@Suite("the order of behaviours") struct BehaviourOrderTests {
    private static let seeds: [UInt64] = [0x0DE4_0001, 0x0DE4_0002, 0x0DE4_0003, 0x0DE4_0004]

    private static func behaviour(_ engine: Engine) -> Behaviour {
        let behaviours = PolicyBehaviours(engine)
        return behaviours.behaviour(of: 0)
    }

    @Test("every field takes part")
    func complete() {
        for field in ProfileField.allCases {
            let values = RandomWorlds.values(of: field)
            #expect(!values.isEmpty, "`\(field.rawValue)`")
            #expect(values.allSatisfy { field.descriptor.admits($0) }, "`\(field.rawValue)`")
        }
    }

    // MARK: Laws

    @Test("reflexive, antisymmetric, transitive", arguments: seeds)
    func laws(seed: UInt64) throws {
        var random = RandomWorlds(seed: seed)
        let order = BehaviourOrder()
        var seen: [Relation: Int] = [:]
        for round in 0..<(Sample.isWhole ? 1_000 : 24) {
            let first = random.world()
            let second = random.changed(first)
            let worlds = [first, second, random.changed(second), random.changed(first)]
            let behaviours = try worlds.map { Self.behaviour(try $0.engine()) } + [.deny]
            for a in behaviours {
                #expect(order.relation(a, a) == .equal)
                let whole = order.compare(a, a)
                #expect(whole.fields.isEmpty && whole.relation == .equal)
                for b in behaviours {
                    let comparison = order.compare(a, b)
                    let relation = comparison.relation
                    seen[relation, default: 0] += 1
                    #expect(order.relation(b, a) == relation.reversed, "round \(round)")
                    #expect(order.relation(a, b) == relation)
                    // The fields together say what the whole does.
                    let joined = comparison.fields.reduce(Relation.equal) { $0.and($1.relation) }
                    #expect(joined == relation, "round \(round): \(comparison.fields)")
                    for c in behaviours
                    where relation.isNoWeaker && order.relation(b, c).isNoWeaker {
                        #expect(
                            order.relation(a, c).isNoWeaker,
                            "seed \(seed), round \(round): \(order.compare(a, c).fields)")
                    }
                }
            }
        }
        #expect(seen.count == 4 && seen.values.allSatisfy { $0 > 50 }, "\(seen)")
    }

    // MARK: Soundness

    /// Each field by itself, under causes that reject and causes that do not.
    @Test("a stricter value accepts nothing more", arguments: ProfileField.allCases)
    func soundAlone(field: ProfileField) throws {
        let requests = Sample.of(
            RandomWorlds.requests, atMost: RandomWorlds.requests.count / 3, field.rawValue)
        for preset in [RevocationPreset.bestEffort, .require] {
            var judged: [(behaviour: Behaviour, accepts: [Bool])] = []
            for value in RandomWorlds.values(of: field) {
                var world = Chains.plain
                world.requirements.revocation.causes = RevocationCauses(preset)
                world.requirements.write(field, value)
                let engine = try world.engine()
                judged.append(
                    (
                        Self.behaviour(engine),
                        requests.map { engine.evaluate($0).isAccept }
                    ))
            }
            let order = BehaviourOrder()
            for one in judged {
                for other in judged where order.relation(one.behaviour, other.behaviour).isNoWeaker
                {
                    let wrong = zip(one.accepts, other.accepts).enumerated()
                        .filter { $0.element.0 && !$0.element.1 }.map(\.offset)
                    #expect(wrong.isEmpty, "`\(field.rawValue)`, \(preset): requests \(wrong)")
                }
            }
        }
    }

    @Test("what is equal or stricter accepts nothing that the other rejects", arguments: seeds)
    func sound(seed: UInt64) throws {
        var random = RandomWorlds(seed: seed)
        var ordered = 0
        var accepted = 0
        var told = 0
        for round in 0..<(Sample.isWhole ? 3_000 : 60) {
            let (one, other) = random.pair()
            let engines = [try one.engine(), try other.engine()]
            let order = BehaviourOrder()
            let behaviours = engines.map { Self.behaviour($0) }
            let relation = order.relation(behaviours[0], behaviours[1])
            guard relation != .incomparable else { continue }
            ordered += 1
            for _ in 0..<8 {
                let request = random.request()
                let verdicts = engines.map { $0.evaluate(request).isAccept }
                if verdicts[0] || verdicts[1] { accepted += 1 }
                if verdicts[0] != verdicts[1] { told += 1 }
                let isWrong =
                    (relation.isNoWeaker && verdicts[0] && !verdicts[1])
                    || (relation.isNoStricter && verdicts[1] && !verdicts[0])
                #expect(
                    !isWrong,
                    """
                    seed \(seed), round \(round): \(relation), \(verdicts), \
                    \(order.compare(behaviours[0], behaviours[1]).fields.map(\.path)), \
                    \(engines.map { $0.evaluate(request).violations.map(\.id) })
                    """)
            }
        }
        // An order that calls everything incomparable would pass, and so would requests that all
        // are rejected.
        #expect(ordered > 15 && accepted > 24 && told > 5, "\(ordered) \(accepted) \(told)")
    }

    /// REVIEW section 1: `web-pki` is stricter than `rfc5280` where demands of issuance are only
    /// reported, because then only demands of validation reject, and it has all of theirs.
    @Test("`web-pki` and `rfc5280`, by what becomes of demands of issuance")
    func standards() throws {
        func judged(_ standard: Standard, enforces: Bool) throws -> (Behaviour, [Bool]) {
            var world = Chains.plain
            world.sets[0].groups[0].standard = standard
            world.requirements.enforcesIssuance = enforces
            let engine = try world.engine()
            return (
                Self.behaviour(engine), RandomWorlds.requests.map { engine.evaluate($0).isAccept }
            )
        }
        let order = BehaviourOrder()
        let rows: [(web: Bool, rfc: Bool, relation: Relation)] = [
            (false, false, .stricter), (true, false, .stricter),
            (false, true, .incomparable), (true, true, .incomparable),
        ]
        for row in rows {
            let (web, webAccepts) = try judged(.webPKI, enforces: row.web)
            let (rfc, rfcAccepts) = try judged(.rfc5280, enforces: row.rfc)
            #expect(order.relation(web, rfc) == row.relation, "\(row)")
            #expect(order.relation(rfc, web) == row.relation.reversed, "\(row)")
            let webAlone = zip(webAccepts, rfcAccepts).contains { $0 && !$1 }
            // Incomparable sides are so for a reason: the requests hold one.
            #expect(webAlone == (row.relation == .incomparable), "\(row)")
        }
        let (web, _) = try judged(.webPKI, enforces: false)
        let (rfc, _) = try judged(.rfc5280, enforces: false)
        let told = order.compare(rfc, web).fields
        #expect(told.map(\.path) == ["anchors.corp.standard"])
        #expect(told.map(\.relation) == [.weaker])
    }

    @Test("a waiver of more demands is weaker, and of other demands incomparable")
    func issuanceWaivers() throws {
        func behaviour(_ demands: StandardDemand..., enforces: Bool = true) throws -> Behaviour {
            var world = Chains.plain
            world.requirements.enforcesIssuance = enforces
            if !demands.isEmpty {
                world.waive(.issuance(IssuanceDemands(demands)), until: .day(30))
            }
            return Self.behaviour(try world.engine())
        }
        let order = BehaviourOrder()
        let none = try behaviour()
        let one = try behaviour(.serialNotPositive)
        let other = try behaviour(.extendedKeyUsageCritical)
        let both = try behaviour(.serialNotPositive, .extendedKeyUsageCritical)
        let reported = try behaviour(enforces: false)
        #expect(order.relation(none, one) == .stricter)
        #expect(order.relation(one, both) == .stricter)
        #expect(order.relation(one, other) == .incomparable)
        #expect(order.relation(both, reported) == .stricter)
        // A waiver of a failure that is only reported lets nothing more through.
        let idle = try behaviour(.serialNotPositive, enforces: false)
        #expect(order.relation(idle, reported) == .equal)
    }

    /// A hold on a complete CRL that has ended is kept on by a delta CRL, however weakly that is
    /// signed.
    @Test("a rule that asks for stronger hashes hears of the same hold")
    func hold() throws {
        let leaf = Chains.issuing.issueLeaf(dns: [World.host])
        var world = Chains.plain
        world.chain = [leaf.der, Chains.issuing.der]
        world.evidence.crls = [
            Chains.issuing.revocationList([leaf], reason: .certificateHold) {
                $0.set(.crlNumber(5))
                $0.nextUpdate = .day(-1)
            },
            Chains.issuing.revocationList {
                $0.thisUpdate = .day(-5)
                $0.nextUpdate = .day(5)
                $0.set(.crlNumber(7))
                $0.set(.deltaIndicator(base: 4))
                $0.signature = .ecdsa(.sha256)
            },
        ]
        let strict = world.with { $0.requirements.minimumHash = .sha384 }
        let young = world.with { $0.requirements.revocation.maximumAge = 86_400 }
        for world in [world, strict, young] {
            #expect(try world.judge().outcome == ["revoked"])
        }
    }

    /// Whoever signs a CRL may stand under more intermediates than the rule allows a server's
    /// certificate.
    @Test("a rule that allows fewer intermediates hears of the same revocation")
    func signer() throws {
        let leaf = Chains.issuing.issueLeaf(dns: [World.host])
        let first = Chains.root.issueCA("Way 1", key: .p384("order way 1"))
        let second = first.issueCA("Way 2", key: .p384("order way 2"))
        let signer = second.issueCA("Issuing O", key: .p384("order issuing, second key"))
        var world = Chains.plain
        world.chain = [leaf.der, Chains.issuing.der, signer.der, second.der, first.der]
        world.evidence.crls = [signer.revocationList([leaf])]
        let strict = world.with { $0.requirements.maximumIntermediates = 1 }
        let explicit = world.with { $0.requirements.certificatePolicies = [[42, 3]] }
        for world in [world, strict, explicit] {
            #expect(try world.judge().outcome == ["revoked"])
        }
    }

    // MARK: As of an instant

    @Test("what has ended by an instant is not compared")
    func instant() throws {
        let plain = Chains.plain
        let behaviours = [
            plain.with { $0.waive(.identity, until: .day(10)) },
            plain.with {
                $0.pin([(Chains.issuing.certificate, .any)]) {
                    $0.enforceUntil = .day(10)
                    $0.onExpiry = .unpinned
                }
            }, plain,
        ]
        let all = try behaviours.map { Self.behaviour(try $0.engine()) }
        let order = BehaviourOrder()
        func relation(_ index: Int, at day: Int64) -> Relation {
            order.relation(all[index].asOf(.day(day)), all[2].asOf(.day(day)))
        }
        #expect(relation(0, at: 10) == .weaker && relation(0, at: 11) == .equal)
        #expect(relation(1, at: 10) == .stricter && relation(1, at: 11) == .equal)
        #expect(order.relation(all[0], all[2]) == .weaker)
        #expect(order.relation(all[1], all[2]) == .stricter)
    }

    @Test("pins by what they can match")
    func pins() {
        func set(_ keys: [String], match: Int = 1, at position: PinPosition = .any) -> PinDemand {
            let pins = keys.map { name in
                PinContents(
                    id: name, matches: [World.key(of: .p256("order pin \(name)"))],
                    position: position, note: nil)
            }
            return PinDemand(
                PinSetContents(
                    id: "set", keys: pins, backups: [], match: match, warnFrom: nil,
                    enforceUntil: nil, onExpiry: .fail, owner: nil, note: nil))
        }
        let rows: [(PinDemand, PinDemand, Relation)] = [
            (set(["a"]), set(["a", "b"]), .stricter),
            (set(["a"]), set(["b"]), .incomparable),
            (set(["a", "b"], match: 2), set(["a"]), .stricter),
            (set(["a", "b"], match: 2), set(["a", "b"]), .stricter),
            (set(["a", "b", "c"], match: 2), set(["a", "b"]), .stricter),
            (set(["a", "b", "c"], match: 2), set(["a"]), .incomparable),
            (set(["a", "b", "c"], match: 2), set(["a", "b"], match: 2), .weaker),
            (set(["a"], at: .anchor), set(["a"], at: .ca), .stricter),
            (set(["a"], at: .leaf), set(["a"], at: .ca), .incomparable),
            (set(["a"], at: .leaf), set(["a"], at: .anchor), .incomparable),
            (set(["a"], at: .leaf), set(["a"]), .stricter),
            (set(["b", "a"]), set(["a", "b"]), .equal),
            // The contents of a set are not at hand: it implies only the set of the same id.
            (PinDemand(named: "set"), PinDemand(named: "set"), .equal),
            (PinDemand(named: "set"), PinDemand(named: "other"), .incomparable),
            (PinDemand(named: "set"), set(["a"]), .incomparable),
        ]
        for (own, other, expected) in rows {
            let relation = Relation(
                isNoWeaker: own.implies(other), isNoStricter: other.implies(own))
            #expect(relation == expected, "\(own) \(other)")
        }
    }
}
