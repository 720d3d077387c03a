import TestPKI
import Testing
import TrustEngine

/// Work is bounded by the budget, whatever a peer sends, and counted in units, never in seconds.
@Suite("work") struct WorkTests {
    private static let acme = Acme()

    /// Authorities that all sign each other, none of them trusted.
    private static let mesh: World = {
        let authorities = (0..<12).map {
            Scenario().root("Mesh \($0)", key: .p256("evaluation mesh \($0)"))
        }
        var bag: [[UInt8]] = []
        for issuer in authorities {
            for subject in authorities where subject.name != issuer.name {
                bag.append(issuer.crossSign(subject).der)
            }
        }
        return World(
            [authorities[0].issueLeaf(dns: [World.host]).der] + bag, roots: [acme.root.der])
    }()

    /// 200 issuers of the right name, none with the right key.
    private static let namesakes: World = {
        let bag = (0..<200).map { index in
            acme.root.issueCA("Issuing A", key: .p256("evaluation namesake \(index)")).der
        }
        return World([acme.good.der] + bag, roots: [acme.root.der])
    }()

    @Test("a mesh of authorities ends") func meshEnds() throws {
        let judged = try WorkTests.mesh.judge()
        let work = try #require(judged.work)
        #expect(judged.outcome.first == "budget-exhausted")
        #expect(work.spent <= work.limit)
        #expect(work.signatures <= 12 * 12)
    }

    @Test("a mesh of authorities with a root that signed one of them is accepted or out of budget")
    func meshWithRoot() throws {
        var world = WorkTests.mesh
        let last = Scenario().root("Mesh 0", key: .p256("evaluation mesh 0"))
        world.chain.append(WorkTests.acme.root.crossSign(last).der)
        let judged = try world.judge()
        let work = try #require(judged.work)
        #expect(judged.outcome == ["accept"] || judged.outcome.first == "budget-exhausted")
        #expect(work.spent <= work.limit)
    }

    @Test("namesakes cost a signature each and no more") func namesakesEnd() throws {
        let judged = try WorkTests.namesakes.judge()
        let work = try #require(judged.work)
        #expect(!judged.verdict.isAccept)
        #expect(work.spent <= work.limit)
        #expect(work.signatures <= 400)
        var world = WorkTests.namesakes
        world.chain.append(WorkTests.acme.issuing.der)
        world.workLimit = 200_000
        #expect(try world.judge().outcome == ["accept"])
    }

    @Test("every budget gives a verdict that its trace leads to", arguments: [false, true])
    func everyBudget(isWaived: Bool) throws {
        let acme = WorkTests.acme
        let cross = Scenario().root("Root B", key: .p256("evaluation root b")).crossSign(acme.root)
        var world = World(
            [acme.good.der, acme.issuing.der, cross.der],
            roots: [Scenario().root("Root C", key: .p256("evaluation root c")).der])
        if isWaived { world.waive(.path) }
        for limit in 0...160 {
            world.workLimit = limit
            let judged = try world.judge()
            let work = try #require(judged.work)
            #expect(work.spent <= limit)
            #expect(!judged.outcome.contains("engine-error"), "limit \(limit)")
        }
    }

    @Test("no budget that is too small accepts what a large one rejects") func smallBudgets() throws
    {
        let bad = WorkTests.acme.presenting { $0.damage = .flippedBit }
        let good = WorkTests.acme.world
        for limit in stride(from: 0, through: 400, by: 7) {
            #expect(try !bad.with { $0.workLimit = limit }.judge().verdict.isAccept)
            let outcome = try good.with { $0.workLimit = limit }.judge().outcome
            #expect(outcome == ["accept"] || outcome.first == "budget-exhausted", "limit \(limit)")
        }
    }

    @Test("a budget is spent to its last unit, and once refused it stays refused") func lastUnit() {
        var budget = WorkBudget(limit: 10)
        let granted = [4, 6, 0].map { budget.spend($0) }
        #expect(granted == [true, true, true])
        #expect(!budget.isExhausted)
        var refused = WorkBudget(limit: 10)
        let answers = [11, 1, 0].map { refused.spend($0) }
        #expect(answers == [false, false, false])
        #expect(refused.spent == 0)
    }

    private func spent(_ world: World) throws -> Int { try #require(world.judge().work).spent }

    @Test("reading what is sent costs a unit a kilobyte") func reading() throws {
        let padding = TestExtension.raw("1.3.6.1.4.1.32473.7", [UInt8](repeating: 0, count: 50_000))
        let extra = (0..<20).map {
            Scenario().root("Padding \($0)", key: .p256("evaluation padding")) { $0.set(padding) }
                .der
        }
        let world = WorkTests.acme.world
        #expect(try spent(world.with { $0.chain += extra }) - spent(world) >= 20 * 48)
    }

    @Test("every entry of pins and forbidden keys that is compared costs a unit") func entries()
        throws
    {
        let world = WorkTests.acme.world
        let keys = (0..<40).map { TestKey.p256("evaluation entry \($0)") }
        let pinned = world.with {
            $0.pin([]) {
                $0.keys = keys.enumerated().map { index, key in
                    PinContents(
                        id: "key-\(index + 10)", matches: [World.key(of: key)], position: .any,
                        note: nil)
                }
                $0.backups[0].matches = [World.key(of: WorkTests.acme.good.key)]
            }
        }
        #expect(try spent(pinned) - spent(world) >= 41)
        let forbidding = world.with {
            $0.requirements.forbiddenKeys = keys.enumerated().map { index, key in
                ForbiddenKey(id: "key-\(index + 10)", matches: [World.key(of: key)], notBefore: nil)
            }
        }
        #expect(try spent(forbidding) - spent(world) >= 40)
    }

    @Test("finding pinned keys among what is sent costs two units a certificate") func pinnedKeys()
        throws
    {
        let extra = (0..<30).map {
            Scenario().root("Extra \($0)", key: .p256("evaluation extra")).der
        }
        let world = WorkTests.acme.world.with {
            $0.pin([(WorkTests.acme.issuing.certificate, .any)])
        }
        let trusting = world.with { $0.anchorsArePinnedKeys = true }
        let more = try spent(world.with { $0.chain += extra }) - spent(world)
        let moreTrusting = try spent(trusting.with { $0.chain += extra }) - spent(trusting)
        #expect(moreTrusting - more >= 2 * 30)
    }

    @Test("pins hash each certificate once, however many paths it is on") func pinDigests() throws {
        let padding = TestExtension.raw("1.3.6.1.4.1.32473.7", [UInt8](repeating: 0, count: 50_000))
        let leaf = WorkTests.acme.issuing.issueLeaf(dns: [World.host]) { $0.set(padding) }
        var world = WorkTests.namesakes
        world.chain[0] = leaf.der
        world.chain.removeLast(160)
        world.pin([(WorkTests.acme.root.certificate, .leaf)]) {
            $0.keys[0].matches[0].kind = .certificate
        }
        let backend = CountingBackend()
        let engine = try world.engine(crypto: backend)
        let before = backend.digested
        let verdict = engine.evaluate(
            TrustRequest(
                host: world.host, port: 443, presentedChain: world.chain, time: world.time,
                tls: world.tls))
        #expect(!verdict.isAccept)
        // Once as fingerprint, once as pin, and its key.
        let sent = world.chain.reduce(0) { $0 + $1.count }
        #expect(backend.digested - before <= 3 * sent)
    }
}
