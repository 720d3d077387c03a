import TestPKI
import Testing
import TrustEngine

/// How log lists compare by their logs and dates, and that this is sound.
@Suite("the order of log lists") struct LogListOrderTests {
    private static let larch = TestLog("Larch 1", of: "Larch")
    private static let maple = TestLog("Maple 1", of: "Maple")
    private static let yew = TestLog("Yew 1", of: "Yew")

    private static func world(
        _ logs: [TestLog], issued: UTCInstant = .at("2026-05-15"),
        _ change: (inout World) -> Void = { _ in }
    ) -> World {
        Chains.plain.with {
            $0.requirements.transparency.preset = .chrome
            $0.logList = TestLogList.json(logs, issued: issued)
            change(&$0)
        }
    }

    private static func behaviour(_ world: World) throws -> Behaviour {
        let behaviours = PolicyBehaviours(try world.engine())
        return behaviours.behaviour(of: 0)
    }

    private static func relation(
        _ here: World, _ there: World, since time: UTCInstant? = nil
    ) throws -> Relation {
        var sides = [try behaviour(here), try behaviour(there)]
        if let time { sides = sides.map { $0.asOf(time) } }
        return BehaviourOrder().relation(sides[0], sides[1])
    }

    /// A list beside the list of Larch 1 and Maple 1, by its entries for them.
    private struct Row: Sendable {
        let logs: [TestLog]
        let relation: Relation
        /// The relation for requests of the day that examples are judged at, and later ones.
        var later: Relation?
    }

    private static let rows: [Row] = {
        func larch(_ change: (inout TestLog) -> Void) -> [TestLog] {
            [Self.larch.with(change), Self.maple]
        }
        func maple(_ change: (inout TestLog) -> Void) -> [TestLog] {
            [Self.larch, Self.maple.with(change)]
        }
        let both = [Self.larch, Self.maple]
        return [
            Row(logs: both, relation: .equal),
            Row(logs: [Self.larch], relation: .stricter),
            Row(logs: [Self.larch, Self.maple, yew], relation: .weaker),
            Row(logs: [Self.larch, yew], relation: .incomparable),
            // A log of which no timestamp counts is as no log.
            Row(logs: both + [yew.with { $0.state = .pending }], relation: .equal),
            Row(logs: both + [yew.with { $0.state = .rejected }], relation: .equal),
            Row(logs: both + [yew.with { $0.interval = .day(9)..<(.day(9)) }], relation: .equal),
            Row(logs: larch { $0.state = nil }, relation: .stricter),
            Row(logs: larch { $0.state = .qualified }, relation: .equal),
            // A log that is read only was approved at all times.
            Row(logs: larch { $0.state = .readonly }, relation: .weaker, later: .equal),
            Row(logs: larch { $0.since = .at("2025-06-01") }, relation: .stricter, later: .equal),
            Row(logs: larch { $0.since = .at("2030-01-01") }, relation: .stricter),
            // A retired log was approved before, and the list does not say since when.
            Row(
                logs: larch {
                    $0.state = .retired
                    $0.since = .at("2026-04-01")
                }, relation: .incomparable, later: .stricter),
            Row(logs: larch { $0.interval = .day(0)..<(.day(400)) }, relation: .stricter),
            Row(logs: larch { $0.isTiled = true }, relation: .stricter),
            // Names decide nothing; who is independent of whom does.
            Row(logs: maple { $0.operatorName = "Acer" }, relation: .equal),
            Row(logs: maple { $0.operatorName = "Larch" }, relation: .stricter),
            Row(
                logs: maple { $0.previousOperators = [.init(name: "Larch", until: .day(-20))] },
                relation: .incomparable),
            Row(
                logs: maple { $0.previousOperators = [.init(name: "Acer", until: .day(-20))] },
                relation: .weaker),
        ]
    }()

    @Test("what a list says of its logs")
    func logs() throws {
        let plain = Self.world([Self.larch, Self.maple])
        for (index, row) in Self.rows.enumerated() {
            let other = Self.world(row.logs)
            let later = row.later ?? row.relation
            #expect(try Self.relation(other, plain) == row.relation, "row \(index)")
            #expect(try Self.relation(plain, other) == row.relation.reversed, "row \(index)")
            #expect(try Self.relation(other, plain, since: .day(0)) == later, "row \(index)")
            #expect(
                try Self.relation(plain, other, since: .day(0)) == later.reversed, "row \(index)")
        }
    }

    @Test("two retired logs, and intervals that are not one inside the other")
    func others() throws {
        func retired(_ day: Int64) -> World {
            Self.world([
                Self.larch.with {
                    $0.state = .retired
                    $0.since = .day(day)
                }
            ])
        }
        #expect(try Self.relation(retired(-30), retired(-10)) == .stricter)
        #expect(try Self.relation(retired(-30), retired(-10), since: .day(0)) == .stricter)
        func taking(_ interval: Range<UTCInstant>) -> World {
            Self.world([Self.larch.with { $0.interval = interval }])
        }
        #expect(
            try Self.relation(taking(.day(0)..<(.day(9))), taking(.day(5)..<(.day(20))))
                == .incomparable)
        #expect(
            try Self.relation(taking(.day(1)..<(.day(9))), taking(.day(0)..<(.day(9))))
                == .stricter)
    }

    @Test("behaviours as of two instants are compared from the earlier instant on")
    func instants() throws {
        let plain = try Self.behaviour(Self.world([Self.larch]))
        let younger = try Self.behaviour(
            Self.world([Self.larch.with { $0.since = .at("2025-06-01") }]))
        let (early, late) = (UTCInstant.at("2025-03-01"), UTCInstant.at("2025-09-01"))
        func relation(_ own: UTCInstant, _ other: UTCInstant) -> Relation {
            BehaviourOrder().relation(younger.asOf(own), plain.asOf(other))
        }
        #expect(relation(early, early) == .stricter)
        #expect(relation(early, late) == .stricter)
        #expect(relation(late, early) == .stricter)
        #expect(relation(late, late) == .equal)
    }

    /// A load can give a younger list than the policy's. The rules name the policy's list.
    @Test("two engines with one list of the policy, one of them with a younger list")
    func younger() throws {
        func world(_ given: [TestLog]?) -> World {
            Self.world([Self.larch, Self.maple]) {
                $0.requirements.transparency.whenStale = .pass
                $0.laterLogList = given.map { TestLogList.json($0, issued: .at("2026-05-20")) }
            }
        }
        #expect(try Self.relation(world([Self.larch]), world(nil)) == .stricter)
        #expect(
            try Self.relation(world([Self.larch, Self.maple, Self.yew]), world(nil)) == .weaker)
        #expect(try Self.relation(world([Self.larch, Self.maple]), world(nil)) == .equal)
    }

    @Test("the date of a list counts where the rule looks at it")
    func dates() throws {
        func world(_ logs: [TestLog], _ issued: String, _ action: CauseAction) -> World {
            Self.world(logs, issued: .at(issued)) {
                $0.requirements.transparency.whenStale = action
            }
        }
        let both = [Self.larch, Self.maple]
        for (action, older, fewer) in [
            (CauseAction.fail, Relation.stricter, Relation.incomparable),
            (.report, .stricter, .incomparable), (.pass, .equal, .stricter),
        ] {
            let plain = world(both, "2026-05-15", action)
            #expect(try Self.relation(world(both, "2026-05-01", action), plain) == older)
            #expect(
                try Self.relation(world([Self.larch], "2026-05-20", action), plain) == fewer)
            #expect(
                try Self.relation(world([Self.larch], "2026-05-01", action), plain) == .stricter)
        }
    }

    @Test("windows of timestamps: which one is the earliest")
    func windows() throws {
        func world(_ logs: [TestLog], _ window: DateWindow, issued: String = "2026-05-15") -> World
        {
            Self.world(logs, issued: .at(issued)) {
                $0.requirements.transparency.preset = .none
                $0.constrain { $0.sct = window }
            }
        }
        let (one, both) = ([Self.larch], [Self.larch, Self.maple])
        let until = DateWindow(until: .day(-10))
        let from = DateWindow(from: .day(-300))
        #expect(try Self.relation(world(one, until), world(both, until)) == .stricter)
        // Without the log of the first timestamp, the earliest one is a later one.
        #expect(try Self.relation(world(one, from), world(both, from)) == .incomparable)
        #expect(
            try Self.relation(world(both, from, issued: "2026-05-01"), world(both, from))
                == .stricter)
        #expect(
            try Self.relation(world(one, until, issued: "2026-05-20"), world(both, until))
                == .incomparable)
        #expect(
            try Self.relation(
                world([Self.larch, Self.maple.with { $0.operatorName = "Larch" }], from),
                world(both, from)) == .equal)
    }

    @Test("windows of timestamps: when a list is too old")
    func tooOld() throws {
        func world(_ action: CauseAction, days: Int64 = 30) -> World {
            Self.world([Self.larch]) {
                $0.requirements.transparency.preset = .none
                $0.requirements.transparency.whenStale = action
                $0.requirements.transparency.logListMaximumAge = days * 86_400
                $0.constrain { $0.sct = DateWindow(until: .day(-10)) }
            }
        }
        let rows: [(World, World, Relation)] = [
            (world(.fail, days: 20), world(.fail, days: 30), .stricter),
            (world(.fail), world(.report), .stricter),
            (world(.fail), world(.pass), .stricter),
            // A list that is too old only rejects by `when-stale: fail`.
            (world(.report), world(.pass), .equal),
            (world(.report, days: 20), world(.report, days: 30), .equal),
        ]
        for (index, row) in rows.enumerated() {
            #expect(try Self.relation(row.0, row.1) == row.2, "row \(index)")
            #expect(try Self.relation(row.1, row.0) == row.2.reversed, "row \(index)")
        }
    }

    @Test("the change names the logs")
    func change() throws {
        let here = Self.world([Self.larch.with { $0.state = .readonly }, Self.yew])
        let comparison = BehaviourOrder().compare(
            try Self.behaviour(here), try Self.behaviour(Self.world([Self.larch, Self.maple])))
        #expect(comparison.fields.map(\.path) == ["transparency.log-list"])
        guard case .logList(let change) = comparison.fields.first?.remark else {
            Issue.record("no log list")
            return
        }
        #expect(change.added == ["Yew 1"] && change.removed == ["Maple 1"])
        #expect(change.changed == ["Larch 1"])
        #expect(change.issuedHere == .at("2026-05-15") && change.age == .equal)
        #expect(change.here != change.there)
    }

    @Test("two tables are compared by the lists that they hold")
    func tables() throws {
        let plain = try Self.world([Self.larch, Self.maple]).engine().table
        let more = try Self.world([Self.larch, Self.maple, Self.yew]).engine().table
        #expect(StricterHosts(from: plain, to: more, since: .day(0)) == .none)
        #expect(StricterHosts(from: more, to: plain, since: .day(0)).patterns == [World.host])
    }

    @Test("a stricter list accepts no certificate that the other rejects")
    func sound() throws {
        func chain(_ timestamps: [TestTimestamp], long: Bool = false) -> [[UInt8]] {
            let leaf = Chains.issuing.issueLeaf(dns: [World.host]) {
                // Above 180 days three timestamps are wanted.
                $0.notAfter = $0.notBefore.advanced(bySeconds: (long ? 300 : 150) * 86_400)
                $0.embed(timestamps, issuedBy: Chains.issuing.key)
            }
            return [leaf.der, Chains.issuing.der]
        }
        let times: [UTCInstant] = [.at("2026-03-01"), .at("2026-05-01"), .at("2026-05-20")]
        var chains: [[[UInt8]]] = []
        for time in times {
            for other in times {
                chains.append(
                    chain([Self.larch.timestamp(at: time), Self.maple.timestamp(at: other)]))
                chains.append(
                    chain([Self.larch.timestamp(at: time), Self.yew.timestamp(at: other)]))
            }
            chains.append(chain([Self.larch.timestamp(at: time)]))
            chains.append(
                chain([
                    Self.larch.with { $0.isTiled = true }.timestamp(at: time),
                    Self.maple.timestamp(at: time),
                ]))
            chains.append(
                chain(
                    [
                        Self.larch.timestamp(at: time), Self.maple.timestamp(at: time),
                        Self.yew.timestamp(at: time),
                    ], long: true))
        }
        let all = chains.flatMap { chain in
            [.day(0), .day(20), .day(-20)].map { time in
                TrustRequest(
                    host: World.host, port: 443, presentedChain: chain, time: time,
                    tls: .observed(TLSParameters(version: .tls13)), evidence: Evidence())
            }
        }
        let requests = Sample.of(all, atMost: 30, "requests about log lists")
        for number in [nil, 1] {
            let worlds = Self.rows.map { row in
                Self.world(row.logs) { $0.requirements.transparency.minimumSCTs = number }
            }
            let judged = try worlds.map { world in
                let engine = try world.engine()
                return (
                    behaviour: try Self.behaviour(world),
                    accepts: requests.map { engine.evaluate($0).isAccept }
                )
            }
            #expect(judged[0].accepts.contains(true) && judged[0].accepts.contains(false))
            let order = BehaviourOrder()
            for (index, one) in judged.enumerated() {
                for (number, other) in judged.enumerated()
                where order.relation(one.behaviour, other.behaviour).isNoWeaker {
                    let wrong = zip(one.accepts, other.accepts).enumerated()
                        .filter { $0.element.0 && !$0.element.1 }.map(\.offset)
                    #expect(wrong.isEmpty, "rows \(index) and \(number): requests \(wrong)")
                }
            }
        }
    }
}
