import LibCrypto
import PolicyTools
import Rendering
import TestPKI
import Testing
import TrustEngine

/// `diff` is exact: it says of random pairs of policies what a slow comparison of `show` says of
/// every host, port and instant. `HAWSER_FULL=1` asks a million times.
@Suite("diff against a slow comparison") struct DiffProperties {
    private static let seeds: [UInt64] = [0xD1FF_0001, 0xD1FF_0002, 0xD1FF_0003, 0xD1FF_0004]
    /// The questions that are asked about each pair.
    private static let questions = 20

    /// The question about a pair of policies.
    private struct Asked {
        let pair: RandomPair
        let classes: [HostClass]
        private let changes: [HostClass: [PolicyDiff.Change]]
        let diff: PolicyDiff

        init(_ pair: RandomPair) throws {
            self.pair = pair
            diff = try RandomPair.question(pair.tables, since: RandomPair.since)
                .compare(crypto: LibCryptoBackend())
            classes = try HostClasses(pair.tables).all()
            var changes: [HostClass: [PolicyDiff.Change]] = [:]
            for change in diff.changes {
                for hosts in change.classes { changes[hosts, default: []].append(change) }
            }
            self.changes = changes
        }

        /// What `diff` says of a class at an instant: its changes together.
        func relation(of hosts: HostClass, at time: UTCInstant) -> Relation {
            .direction(
                of: (changes[hosts] ?? []).compactMap { change in
                    change.intervals.last { $0.from <= time }?.relation
                })
        }

        /// The pattern that decides a host, among the patterns of one policy or of both: each is
        /// asked.
        func pattern(
            of host: CanonicalHost, _ port: UInt16, among patterns: [HostPattern]
        ) -> HostPattern? {
            patterns.filter { $0.matches(host, port: port) }.reduce(nil) { best, next in
                guard let best else { return next }
                return next.isMoreSpecific(than: best) ? next : best
            }
        }

        /// The index of the rule of a policy that decides a host.
        func rule(of host: CanonicalHost, _ port: UInt16, in side: Int) -> Int? {
            let rules = pair.contents[side].rules
            let best = pattern(of: host, port, among: rules.flatMap(\.hosts))
            return best.flatMap { best in rules.firstIndex { $0.hosts.contains(best) } }
        }

        /// The classes that a host belongs to by the meaning of a class.
        func classes(of host: CanonicalHost, _ port: UInt16) -> [HostClass] {
            let best = pattern(of: host, port, among: pair.patterns)
            let own = classes.filter { $0.pattern == best }
            let exact = own.filter { $0.port == port }
            return exact.isEmpty ? own.filter { $0.port == nil } : exact
        }

        /// What a table's class says of the rule, by id; `default` is empty.
        func id(_ decider: Int, in side: Int) -> String {
            guard decider != HostClass.byDefault else { return "" }
            let table = pair.tables[side]
            return table.text(table.rule(at: decider).id)
        }
    }

    @Test("hosts, ports and instants", arguments: seeds)
    func exact(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var seen: [Relation: Int] = [:]
        var asked = 0
        for round in 0..<(Sample.isWhole ? 12_500 : 40) {
            let one = try Asked(RandomPair(&random))
            var shown: [[String: EffectiveRule]] = [[:], [:]]
            for _ in 0..<Self.questions {
                let host = one.pair.host(&random)
                let port = RandomPair.port(&random)
                let time = RandomPair.instant(&random)
                let place: Comment =
                    "seed \(seed), round \(round), \(host.text):\(port) at \(time.description)"
                let classes = one.classes(of: host, port)
                #expect(classes.count == 1, place)
                guard let hosts = classes.first else { continue }
                var sides: [ShownOrder] = []
                for side in 0..<2 {
                    let rule = one.rule(of: host, port, in: side)
                    let id = rule.map { one.pair.contents[side].rules[$0].id } ?? ""
                    #expect(one.id(hosts.deciders[side], in: side) == id, place)
                    let effective =
                        shown[side][id]
                        ?? EffectiveRule(
                            table: one.pair.tables[side], host: host, port: port,
                            crypto: LibCryptoBackend())
                    shown[side][id] = effective
                    #expect(effective.rule == id, place)
                    sides.append(ShownOrder(effective, at: time))
                }
                let slow = sides[1].directions(to: sides[0])
                let fast = one.relation(of: hosts, at: time)
                #expect(
                    slow.contains(fast),
                    "\(place): \(one.diff.changes.filter { $0.classes.contains(hosts) }.map(\.intervals))"
                )
                #expect(sides[0].unknownDifferences(from: sides[1]) == [], place)
                seen[fast, default: 0] += 1
                asked += 1
            }
        }
        print("diff, seed \(seed): \(asked) questions, \(seen.map { "\($0.key) \($0.value)" })")
        // Each answer is common.
        #expect(seen.count == 4 && seen.values.allSatisfy { $0 * 50 >= asked }, "\(seen)")
    }

    @Test("the patterns of a change with their exceptions say exactly its hosts", arguments: seeds)
    func texts(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var (inside, outside) = (0, 0)
        let rounds = Sample.isWhole ? 5_000 : 60
        for round in 0..<rounds {
            let one = try Asked(RandomPair(&random))
            let hosts = HostClasses(one.pair.tables)
            let ports = [nil] + Set(one.pair.patterns.compactMap(\.port)).map(Optional.some)
            let patterns = Dictionary(
                one.pair.patterns.flatMap { pattern in
                    (ports + [pattern.port]).map { HostPattern(host: pattern.host, port: $0) }
                }.map { ($0.canonicalText, $0) }, uniquingKeysWith: { first, _ in first })
            let witnesses = one.classes.compactMap { found in
                hosts.witness(found).map { (found: found, host: $0.host, port: $0.port) }
            }
            // A text that leaves exceptions out says how many.
            for change in one.diff.changes where change.hosts.allSatisfy({ $0.omitted == 0 }) {
                let texts = try change.hosts.map { try Self.read($0, patterns) }
                for (found, host, port) in witnesses where found.pattern != nil {
                    let isTold = texts.contains { $0.matches(host, port) }
                    #expect(
                        isTold == change.classes.contains(found),
                        "seed \(seed), round \(round), \(found.text): \(change.hosts)")
                    if isTold { inside += 1 } else { outside += 1 }
                }
            }
        }
        #expect(min(inside, outside) * 2 > rounds * 5, "\(inside), \(outside)")
    }

    /// Hosts as they are written.
    private struct Written {
        let pattern: HostPattern?
        let port: UInt16?
        let exceptions: [HostPattern]

        func matches(_ host: CanonicalHost, _ asked: UInt16) -> Bool {
            guard let pattern, pattern.matches(host, port: asked), port ?? asked == asked else {
                return false
            }
            return !exceptions.contains { $0.matches(host, port: asked) }
        }
    }

    private static func read(
        _ hosts: PolicyDiff.HostText, _ patterns: [String: HostPattern]
    ) throws -> Written {
        func pattern(_ text: String) throws -> HostPattern { try #require(patterns[text]) }
        return Written(
            pattern: try hosts.pattern.map(pattern), port: hosts.port,
            exceptions: try hosts.exceptions.map(pattern))
    }

    @Test("every class has a host, and the table confirms it", arguments: seeds)
    func witnesses(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var count = 0
        var withoutHosts = 0
        let rounds = Sample.isWhole ? 5_000 : 60
        for round in 0..<rounds {
            let pair = RandomPair(&random)
            let one = try Asked(pair)
            let hosts = HostClasses(pair.tables)
            #expect(Set(one.classes).count == one.classes.count)
            let present = Set(one.classes.compactMap(\.pattern))
            withoutHosts += pair.patterns.count { !present.contains($0) }
            for found in one.classes {
                let place: Comment = "seed \(seed), round \(round), \(found.text)"
                let witness = hosts.witness(found)
                #expect(witness != nil, place)
                guard let (host, port) = witness else { continue }
                count += 1
                #expect(hosts.hosts(of: host, port: port) == found, place)
                // A real host, in the form in which hosts are asked for.
                #expect(try CanonicalHost(text: host.text) == host, place)
                #expect(one.classes(of: host, port) == [found], place)
                for side in 0..<2 {
                    let rule = one.rule(of: host, port, in: side)
                    #expect(
                        one.id(found.deciders[side], in: side)
                            == rule.map { pair.contents[side].rules[$0].id } ?? "", place)
                }
            }
        }
        #expect(count > rounds * 5 && withoutHosts * 4 > rounds, "\(count), \(withoutHosts)")
    }

    /// Names so long that a pattern matches few of them, and almost all of these have rules of
    /// their own.
    @Test("the last host of a class is found") func lastHost() throws {
        func base(_ octets: Int) -> String {
            let labels = Array(repeating: String(repeating: "l", count: 49), count: 4)
            return ([String(repeating: "m", count: octets - 200)] + labels)
                .joined(separator: ".")
        }
        func witnesses(_ names: [String], _ wildcards: [HostPattern.Host]) throws -> [String?] {
            let body = RuleBody(
                anchors: ["system"], pins: [], profile: "baseline", requirements: Requirements(),
                identity: IdentityRequirement(), waivers: [], owner: nil, note: nil)
            let wide = wildcards.map { HostPattern(host: $0, port: nil) }
            let contents = PolicyContents(
                defaultRule: .deny,
                rules: [
                    RuleContents(
                        id: "names",
                        hosts: names.map { HostPattern(host: .name($0), port: nil) }.sorted(),
                        body: body), RuleContents(id: "wide", hosts: wide.sorted(), body: body),
                ], anchorSets: [.system], pinSets: [])
            let table = PolicyTable.encode(
                contents, provenance: nil, crypto: LibCryptoBackend())
            let hosts = HostClasses([table])
            let classes = try hosts.all()
            return wide.map { pattern in
                classes.first { $0.pattern == pattern }.flatMap { hosts.witness($0)?.host.text }
            }
        }
        let letters = "abcdefghijklmnopqrstuvwxyz0123456789".map(String.init)
        let (one, two) = (base(251), base(249))
        let names = letters.map { "\($0).\(one)" }
        #expect(try witnesses(names, [.oneLabel(base: one)]) == ["_.\(one)"])
        #expect(try witnesses(names + ["_.\(one)"], [.oneLabel(base: one)]) == [nil])
        let deeper = (letters + ["_"]).map { "y.\($0).\(two)" }
        let both = try witnesses(
            deeper, [.oneLabel(base: two), .anyLabels(base: two)])
        #expect(both == ["a.\(two)", "a.a.\(two)"])
        let all = (letters + ["_"]).flatMap { last in
            (letters + ["_"]).map { "\($0).\(last).\(two)" }
        }
        let none = try witnesses(all, [.oneLabel(base: two), .anyLabels(base: two)])
        #expect(none == ["a.\(two)", nil])
    }

    @Test("no class is called equal or stricter that accepts more", arguments: seeds)
    func sound(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var (accepted, told) = (0, 0)
        let rounds = Sample.isWhole ? 5_000 : 30
        for round in 0..<rounds {
            let one = try Asked(RandomPair(&random))
            let engines = try one.pair.tables.map { try RandomWorld.engine($0) }
            for _ in 0..<4 {
                let host = one.pair.host(&random)
                let port = RandomPair.port(&random)
                let time = RandomPair.instant(&random)
                guard let hosts = one.classes(of: host, port).first else { continue }
                let request = TrustRequest(
                    host: host.text, port: port,
                    presentedChain: RandomWorld.chain(for: host, &random), time: time,
                    tls: .observed(RandomWorld.parameters(&random)), evidence: Evidence())
                let accepts = engines.map { $0.evaluate(request).isAccept }
                accepted += accepts.count { $0 }
                if accepts[0] != accepts[1] { told += 1 }
                let relation = one.relation(of: hosts, at: time)
                // A class that is weaker in one field may be stricter in another one.
                let isWrong =
                    relation.isNoWeaker && accepts[1] && !accepts[0]
                    || relation == .equal && accepts[0] != accepts[1]
                #expect(
                    !isWrong,
                    """
                    seed \(seed), round \(round), \(host.text):\(port) at \(time.description): \
                    \(relation), \(accepts), \(engines.map { $0.evaluate(request).violations.map(\.id) })
                    """)
            }
        }
        print("diff, seed \(seed): \(accepted) accepts, \(told) verdicts that differ")
        #expect(accepted * 3 > rounds && told * 20 > rounds, "\(accepted) \(told)")
    }
}
