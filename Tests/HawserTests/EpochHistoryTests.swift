import Testing
import TrustEngine

@testable import Hawser

/// Which connections of earlier epochs may go on.
@Suite struct EpochHistoryTests {
    /// A policy with a rule for each pattern; `strict` are those that take fewer intermediates.
    private func table(_ world: StoreWorld, _ rules: [(pattern: String, isStrict: Bool)]) throws
        -> [UInt8]
    {
        var text = "hawser: 1\ndefault: deny\nanchors:\n  root: { files: [root.pem] }\nrules:\n"
        for (index, rule) in rules.enumerated() {
            text += """
                  rule-\(index):
                    hosts: ["\(rule.pattern)"]
                    anchors: [root]
                    path: { maximum-intermediates: \(rule.isStrict ? 1 : 3) }

                """
        }
        return try world.table(text)
    }

    private func holds(
        _ store: PolicyStore, _ epoch: UInt64, _ host: String, port: UInt16 = 443
    ) -> Bool {
        store.snapshot.holds(epoch: epoch, host: host, port: port, at: store.state.loadedAt)
    }

    @Test func onlyHostsThatBecameStricterLoseTheirSessions() throws {
        let world = try StoreWorld()
        let store = try PolicyStore(
            table: try table(
                world, [("**.a.example", false), ("x.a.example", false), ("b.example", false)]),
            configuration: world.configuration)
        #expect(holds(store, 1, "b.example"))
        #expect(!holds(store, 0, "b.example"))
        #expect(!holds(store, 2, "b.example"))
        // The wildcard becomes stricter, and the name inside it does not.
        store.offer(
            try table(
                world, [("**.a.example", true), ("x.a.example", false), ("b.example", false)]),
            origin: "test")
        #expect(store.snapshot.epoch == 2)
        #expect(!holds(store, 1, "y.a.example"))
        #expect(holds(store, 1, "x.a.example"))
        #expect(holds(store, 1, "b.example"))
        #expect(holds(store, 2, "y.a.example"))
        // A host without a rule, before and after.
        #expect(holds(store, 1, "nobody.example"))
        #expect(!holds(store, 1, "no host"))
        // The name loses its rule, and falls to the stricter wildcard; the wildcard stays.
        store.offer(
            try table(world, [("**.a.example", true), ("b.example", false)]), origin: "test")
        #expect(!holds(store, 2, "x.a.example"))
        #expect(!holds(store, 1, "x.a.example"))
        #expect(holds(store, 2, "y.a.example"))
        #expect(!holds(store, 1, "y.a.example"))
        #expect(holds(store, 1, "b.example"))
        // What becomes weaker holds.
        store.offer(
            try table(world, [("**.a.example", false), ("b.example", false)]), origin: "test")
        #expect(holds(store, 3, "y.a.example"))
        #expect(holds(store, 2, "y.a.example"))
    }

    @Test func portsAndAddresses() throws {
        let world = try StoreWorld()
        let store = try PolicyStore(
            table: try table(
                world,
                [("c.example:8443", false), ("c.example", false), ("10.0.0.0/8", false)]),
            configuration: world.configuration)
        store.offer(
            try table(
                world, [("c.example:8443", true), ("c.example", false), ("10.0.0.0/8", true)]),
            origin: "test")
        #expect(!holds(store, 1, "c.example", port: 8443))
        #expect(holds(store, 1, "c.example"))
        #expect(!holds(store, 1, "10.1.2.3"))
        #expect(holds(store, 1, "11.1.2.3"))
    }

    /// `default` that becomes stricter concerns the hosts of no pattern.
    @Test func theDefault() throws {
        let world = try StoreWorld()
        let open = """
            hawser: 1
            default: { anchors: [root], owner: us }
            anchors:
              root: { files: [root.pem] }
            rules:
              d: { hosts: ["d.example"], anchors: [root] }

            """
        let store = try PolicyStore(
            table: try world.table(open), configuration: world.configuration)
        store.offer(
            try world.table(
                open.replacing("{ anchors: [root], owner: us }", with: "deny")), origin: "test")
        #expect(!holds(store, 1, "nobody.example"))
        #expect(holds(store, 1, "d.example"))
    }

    /// Two hundred policies that alternate for one host: the others go on, however long ago.
    @Test func longAgoIsJudgedByAllSince() throws {
        let world = try StoreWorld()
        let store = try PolicyStore(
            table: world.accepting, configuration: world.configuration)
        for _ in 0..<100 {
            store.offer(world.rejecting, origin: "test")
            store.offer(world.accepting, origin: "test")
        }
        #expect(store.snapshot.epoch == 201)
        #expect(holds(store, 200, StoreWorld.host))
        #expect(!holds(store, 199, StoreWorld.host))
        for epoch in [UInt64(200), 150, 20, 2, 1] {
            #expect(holds(store, epoch, "nobody.example"), "epoch \(epoch)")
            #expect(epoch == 200 || !holds(store, epoch, StoreWorld.host), "epoch \(epoch)")
        }
        #expect(!holds(store, 0, "nobody.example"))
    }

    /// More patterns than are kept: earlier changes are not known.
    @Test func tooManyPatternsAreForgotten() throws {
        let world = try StoreWorld()
        let store = try PolicyStore(
            table: try table(world, [("a.example", false), ("b.example", false)]),
            configuration: world.configuration)
        store.offer(
            try table(world, [("a.example", true), ("b.example", true)]), origin: "test")
        let (snapshot, host) = (store.snapshot, try CanonicalHost(text: "nobody.example"))
        #expect(snapshot.stricter.patterns == ["a.example", "b.example"])
        for (most, isKnown) in [(2, true), (1, false)] {
            var history = EpochHistory(mostPatterns: most).adding(epoch: 2, snapshot.stricter)
            #expect(
                history.holds(1, now: 2, snapshot.engine.table, host: host, port: 443) == isKnown)
            history = history.adding(epoch: 3, .none)
            #expect(history.holds(2, now: 3, snapshot.engine.table, host: host, port: 443))
            #expect(
                history.holds(1, now: 3, snapshot.engine.table, host: host, port: 443) == isKnown)
        }
    }

    /// The first step became stricter for `a.example`, and is joined with the next.
    @Test func stepsThatAreJoinedKeepTheHostsOfEach() throws {
        let (table, stricter) = try stricterForA()
        let host = try CanonicalHost(text: "a.example")
        var history = EpochHistory().adding(epoch: 2, stricter)
        for epoch in UInt64(3)...70 { history = history.adding(epoch: epoch, .none) }
        #expect(!history.holds(1, now: 70, table, host: host, port: 443))
        #expect(history.holds(60, now: 70, table, host: host, port: 443))
        let other = try CanonicalHost(text: "b.example")
        #expect(history.holds(1, now: 70, table, host: other, port: 443))
    }

    @Test func epochsThatTheHistoryDoesNotKnow() throws {
        let (table, stricter) = try stricterForA()
        let host = try CanonicalHost(text: "a.example")
        let known = EpochHistory().adding(epoch: 2, .none)
        #expect(known.holds(1, now: 2, table, host: host, port: 443))
        // The step that led to epoch 3 is missing.
        #expect(!known.holds(1, now: 3, table, host: host, port: 443))
        // No connection is of epoch 0.
        let first = EpochHistory().adding(epoch: 1, .none)
        #expect(!first.holds(0, now: 1, table, host: host, port: 443))
        // An epoch is added once.
        let twice = known.adding(epoch: 2, stricter)
        #expect(twice.holds(1, now: 2, table, host: host, port: 443))
    }

    /// A table and the hosts that it judges more strictly than the table before it: `a.example`.
    private func stricterForA() throws -> (PolicyTable, StricterHosts) {
        let world = try StoreWorld()
        let store = try PolicyStore(
            table: try table(world, [("a.example", false), ("b.example", false)]),
            configuration: world.configuration)
        store.offer(try table(world, [("a.example", true), ("b.example", false)]), origin: "test")
        return (store.snapshot.engine.table, store.snapshot.stricter)
    }

    /// The name is weaker than the wildcard that decided for it in epoch 2, and stricter than the
    /// one of epoch 1.
    @Test func theTableInForceDoesNotDecideForEarlierSteps() throws {
        let world = try StoreWorld()
        func policy(_ wildcard: Int, _ name: Int?) throws -> [UInt8] {
            var text = """
                hawser: 1
                default: deny
                anchors:
                  root: { files: [root.pem] }
                rules:
                  all:
                    hosts: ["**.a.example"]
                    anchors: [root]
                    path: { maximum-intermediates: \(wildcard) }

                """
            if let name {
                text += """
                      name:
                        hosts: ["x.a.example"]
                        anchors: [root]
                        path: { maximum-intermediates: \(name) }

                    """
            }
            return try world.table(text)
        }
        let store = try PolicyStore(table: policy(3, nil), configuration: world.configuration)
        store.offer(try policy(1, nil), origin: "test")
        store.offer(try policy(1, 2), origin: "test")
        #expect(store.snapshot.epoch == 3)
        #expect(holds(store, 2, "x.a.example"))
        #expect(!holds(store, 1, "x.a.example"))
    }

    @Test func nothingHoldsUnderAStaleTable() throws {
        let world = try StoreWorld()
        var configuration = world.configuration
        configuration.staleness = .reject(after: .seconds(60))
        let store = try PolicyStore(table: world.accepting, configuration: configuration)
        world.clock.advance(61)
        let snapshot = store.snapshot
        #expect(
            !snapshot.holds(epoch: 1, host: StoreWorld.host, port: 443, at: world.clock.now()))
        store.confirm()
        #expect(
            store.snapshot.holds(
                epoch: 1, host: StoreWorld.host, port: 443, at: world.clock.now()))
    }
}
