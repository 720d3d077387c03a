import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// Which hosts may be judged more strictly after a change.
@Suite struct StricterHostsTests {
    private static let acme = Acme()
    private static let other = Scenario().root("Root B", key: .p256("evaluation root b"))

    /// A small policy, open to change.
    private struct Small {
        var rules: [(id: String, hosts: [String], body: RuleBody)]
        var fallback: RuleBody?
        var sets = [
            AnchorSetContents(id: "good", groups: [AnchorGroup(source: .members([acme.root.der]))]),
            AnchorSetContents(id: "other", groups: [AnchorGroup(source: .members([other.der]))]),
        ]
        var pins = [
            StricterHostsTests.pinSet("right", acme.issuing.key),
            StricterHostsTests.pinSet("wrong", other.key),
        ]

        init(_ rules: [(String, [String], RuleBody)], fallback: RuleBody? = nil) {
            self.rules = rules.map { (id: $0.0, hosts: $0.1, body: $0.2) }
            self.fallback = fallback
        }

        func engine() throws -> Engine {
            let contents = PolicyContents(
                defaultRule: fallback.map { .body($0) } ?? .deny,
                rules: rules.sorted { $0.id < $1.id }.map { rule in
                    RuleContents(
                        id: rule.id, hosts: rule.hosts.sorted().map(StricterHostsTests.pattern),
                        body: rule.body)
                },
                anchorSets: sets, pinSets: pins)
            return try Engine(
                table: PolicyTable.encode(contents, provenance: nil, crypto: LibCryptoBackend()),
                crypto: LibCryptoBackend())
        }
    }

    /// A pattern from its canonical text; enough of it for these tests.
    private static func pattern(_ text: String) -> HostPattern {
        var host = text
        var port: UInt16?
        if let colon = text.firstIndex(of: ":") {
            host = String(text[..<colon])
            port = UInt16(text[text.index(after: colon)...])
        }
        if host.hasPrefix("**.") {
            return HostPattern(host: .anyLabels(base: String(host.dropFirst(3))), port: port)
        }
        if host.hasPrefix("*.") {
            return HostPattern(host: .oneLabel(base: String(host.dropFirst(2))), port: port)
        }
        if let slash = host.firstIndex(of: "/"),
            let address = IPAddress(text: String(host[..<slash])),
            let prefix = Int(host[host.index(after: slash)...])
        {
            return HostPattern(host: .network(address, prefix: prefix), port: port)
        }
        if let address = IPAddress(text: host) {
            return HostPattern(host: .address(address), port: port)
        }
        return HostPattern(host: .name(host), port: port)
    }

    private static func pinSet(_ id: String, _ key: TestKey) -> PinSetContents {
        PinSetContents(
            id: id,
            keys: [
                PinContents(id: "key", matches: [World.key(of: key)], position: .any, note: nil)
            ],
            backups: [
                PinContents(
                    id: "spare", matches: [World.key(of: .p256("a backup in a safe"))],
                    position: .any, note: nil)
            ],
            match: 1, warnFrom: nil, enforceUntil: nil, onExpiry: .fail, owner: nil, note: nil)
    }

    /// A rule that accepts the good chain for any host.
    private static func body(_ change: (inout RuleBody) -> Void = { _ in }) -> RuleBody {
        var body = RuleBody(
            anchors: ["good"], pins: [], profile: "baseline", requirements: Requirements(),
            identity: IdentityRequirement(reference: .listed, dns: [World.host]), waivers: [],
            owner: nil, note: nil)
        change(&body)
        return body
    }

    private func stricter(_ before: Small, _ after: Small) throws -> [String] {
        let hosts = try StricterHosts(from: before.engine(), to: after.engine())
        #expect(hosts.isEmpty == (hosts.patterns.isEmpty && !hosts.includesDefault))
        return hosts.patterns + (hosts.includesDefault ? ["default"] : [])
    }

    // MARK: Which patterns

    private static let strict = body { $0.pins = ["right"] }

    @Test(
        arguments: [
            ("the same", ["a.example"], ["a.example"], []),
            (
                "a pattern that goes falls to what covers it", ["a.example", "b.example"],
                ["b.example"],
                ["a.example"]
            ),
            ("a pattern that comes, under nothing", ["b.example"], ["*.example", "b.example"], []),
        ] as [(String, [String], [String], [String])])
    func underADefaultThatDenies(
        name: String, before: [String], after: [String], expected: [String]
    ) throws {
        #expect(
            try stricter(
                Small([("r", before, Self.body())]), Small([("r", after, Self.body())]))
                == expected, "\(name)")
    }

    @Test func aStricterRuleListsItsPatternsAndNoOthers() throws {
        let before = Small([
            ("api", ["**.a.example", "10.0.0.0/8", "x.a.example"], Self.body()),
            ("web", ["b.example"], Self.body()),
        ])
        var after = before
        after.rules[0].body = Self.strict
        #expect(try stricter(before, after) == ["**.a.example", "10.0.0.0/8", "x.a.example"])
        #expect(try stricter(after, before) == [])
    }

    /// Hosts of a pattern that is added fall to it from whatever decided them before.
    @Test func aPatternUnderAWiderOneIsComparedWithIt() throws {
        let loose = Small([("wide", ["**.example"], Self.body())])
        let tight = Small([
            ("wide", ["**.example"], Self.body()), ("api", ["*.a.example"], Self.strict),
        ])
        #expect(try stricter(loose, tight) == ["*.a.example"])
        #expect(try stricter(tight, loose) == [])
    }

    @Test func aNetworkUnderAWiderOneIsComparedWithIt() throws {
        let loose = Small([("wide", ["10.0.0.0/8"], Self.body())])
        let tight = Small([
            ("wide", ["10.0.0.0/8"], Self.body()),
            ("api", ["10.1.0.0/16", "10.2.3.4"], Self.strict),
        ])
        #expect(try stricter(loose, tight) == ["10.1.0.0/16", "10.2.3.4"])
        #expect(try stricter(tight, loose) == [])
    }

    /// A wider pattern with a port decides hosts of a pattern without one, at that port.
    @Test func portsOfWiderPatternsAreLookedAt() throws {
        let before = Small([
            ("api", ["a.example"], Self.strict), ("wide", ["**.example"], Self.body()),
        ])
        var after = Small([("wide", ["**.example"], Self.body())])
        #expect(try stricter(before, after) == [])
        after.rules.append((id: "port", hosts: ["**.example:8443"], body: Self.strict))
        // Stricter at the port for what `**.example` decided there, and for nobody else: the name
        // itself was held to as much.
        #expect(try stricter(before, after) == ["**.example:8443"])
        after.rules[1].body = Self.body { $0.pins = ["right", "wrong"] }
        #expect(try stricter(before, after) == ["**.example:8443", "a.example"])
        let network = Small([("api", ["10.1.0.0/16"], Self.strict)], fallback: Self.body())
        let ports = Small(
            [("port", ["10.0.0.0/8:8443"], Self.body { $0.pins = ["wrong"] })],
            fallback: Self.body())
        #expect(try stricter(network, ports) == ["10.0.0.0/8:8443", "10.1.0.0/16"])
    }

    @Test func whatNoPatternMatchesIsItsOwnFlag() throws {
        let before = Small([("r", ["a.example"], Self.body())], fallback: Self.body())
        let after = Small([("r", ["a.example"], Self.body())], fallback: Self.strict)
        #expect(try stricter(before, after) == ["default"])
        #expect(try stricter(after, before) == [])
        #expect(try stricter(before, Small([("r", ["a.example"], Self.body())])) == ["default"])
    }

    // MARK: Which fields

    /// Changes of a rule, and whether its hosts may be judged more strictly.
    private static let changes: [(String, Bool, @Sendable (inout RuleBody) -> Void)] = [
        ("owner and note", false, { $0.owner = "us" }),
        ("another profile of the same fields", false, { $0.profile = "ats" }),
        ("one anchor set more", false, { $0.anchors = ["good", "other"] }),
        ("another anchor set", true, { $0.anchors = ["other"] }),
        ("a pin set", true, { $0.pins = ["right"] }),
        ("more intermediates", false, { $0.requirements.maximumIntermediates = 9 }),
        ("fewer intermediates", true, { $0.requirements.maximumIntermediates = 0 }),
        ("a lifetime", true, { $0.requirements.maximumLifetime = 5 }),
        ("TLS 1.3 only", true, { $0.requirements.tls.minimumVersion = .tls13 }),
        ("groups", true, { $0.requirements.tls.groups = ["x25519"] }),
        ("revocation required", true, { $0.requirements.revocation.causes = .require }),
        (
            "revocation passed over", false,
            { $0.requirements.revocation.causes[.unreachable] = .pass }
        ),
        ("a scope of the leaf", false, { $0.requirements.revocation.scope = .leaf }),
        ("a scope of the chain", true, { $0.requirements.revocation.scope = .chain }),
        // Evidence is heard that was not, and it may say `revoked`.
        ("a wider skew", true, { $0.requirements.clockSkew = 60 }),
        ("RSA keys of fewer sizes", true, { $0.requirements.rsaMinimum = 3_072 }),
        ("another name", true, { $0.identity.dns = ["z.example"] }),
        ("one more name", false, { $0.identity.dns = [World.host, "z.example"] }),
        (
            "a check", true,
            {
                $0.requirements.checks = []; $0.requirements.inhibitsAnyPolicy = true
            }
        ),
        (
            "a waiver", false,
            {
                $0.waivers = [
                    Waiver(
                        tolerance: .pins, until: .at("2026-12-31T23:59:59Z"), reason: "r",
                        owner: "o", ticket: nil)
                ]
            }
        ),
        (
            "a report", false,
            {
                $0.reportOnly = [
                    ReportOnly(check: .pins, until: .at("2026-12-31T23:59:59Z"), note: nil)
                ]
            }
        ),
        (
            "a report on signatures", false,
            {
                $0.reportOnly = [
                    ReportOnly(check: .signatures, until: .at("2026-12-31T23:59:59Z"), note: nil)
                ]
            }
        ),
    ]

    @Test func aFieldIsListedUnlessItDemandsNoMore() throws {
        for (name, isStricter, change) in Self.changes {
            let after = Small([("r", ["a.example"], Self.body { change(&$0) })])
            #expect(
                try stricter(Small([("r", ["a.example"], Self.body())]), after)
                    == (isStricter ? ["a.example"] : []), "\(name)")
        }
    }

    /// Contents count, and not ids: what a set holds may change under its name, and a name over its
    /// contents.
    @Test func whatAReferenceLeadsToIsCompared() throws {
        let before = Small([("r", ["a.example"], Self.strict)])
        var renamed = before
        renamed.pins[0].id = "renamed"
        renamed.pins[0].note = "moved"
        renamed.rules[0].body.pins = ["renamed"]
        #expect(try stricter(before, renamed) == [])
        var changed = before
        changed.pins[0] = Self.pinSet("right", Self.other.key)
        #expect(try stricter(before, changed) == ["a.example"])
        var constrained = before
        var constraints = AnchorConstraints()
        constraints.maximumLifetime = 86_400
        constrained.sets[0].groups[0].constraints = [constraints]
        #expect(try stricter(before, constrained) == ["a.example"])
    }

    @Test func aTrustStoreThatLosesAnAnchorIsSeen() throws {
        let contents = PolicyContents(
            defaultRule: .deny,
            rules: [
                RuleContents(
                    id: "r", hosts: [Self.pattern("a.example")],
                    body: Self.body { $0.anchors = ["system"] })
            ],
            anchorSets: [.system], pinSets: [])
        let table = PolicyTable.encode(contents, provenance: nil, crypto: LibCryptoBackend())
        func engine(_ store: [[UInt8]]) throws -> Engine {
            try Engine(
                table: table, inputs: EngineInputs(systemStore: store), crypto: LibCryptoBackend())
        }
        let both = try engine([Self.acme.root.der, Self.other.der])
        let one = try engine([Self.acme.root.der])
        #expect(StricterHosts(from: both, to: one).patterns == ["a.example"])
        #expect(StricterHosts(from: one, to: both) == .none)
    }

    @Test func tablesAreComparedWithoutAStore() {
        func table(
            _ anchors: [String], _ change: (inout RuleBody) -> Void = { _ in }
        ) -> PolicyTable {
            let contents = PolicyContents(
                defaultRule: .deny,
                rules: [
                    RuleContents(
                        id: "r", hosts: [Self.pattern("a.example")],
                        body: Self.body {
                            $0.anchors = anchors
                            change(&$0)
                        })
                ],
                anchorSets: [Small([]).sets[0], .system], pinSets: [])
            return PolicyTable.encode(contents, provenance: nil, crypto: LibCryptoBackend())
        }
        func stricter(_ before: PolicyTable, _ after: PolicyTable) -> [String] {
            StricterHosts(from: before, to: after, since: Scenario.judgedAt).patterns
        }
        let (own, store, both) = (table(["good"]), table(["system"]), table(["good", "system"]))
        #expect(stricter(own, store) == ["a.example"] && stricter(store, own) == ["a.example"])
        #expect(stricter(both, own) == ["a.example"] && stricter(own, both) == [])
        #expect(stricter(store, store) == [])
        // An exception that has ended changes nothing from then on; one in force does.
        func excused(_ seconds: Int64) -> PolicyTable {
            table(["good"]) {
                $0.waivers = [
                    Waiver(
                        tolerance: .identity, until: Scenario.judgedAt.advanced(bySeconds: seconds),
                        reason: "r", owner: "o", ticket: nil)
                ]
            }
        }
        #expect(stricter(excused(60), own) == ["a.example"])
        #expect(stricter(excused(-60), own) == [])
        #expect(stricter(excused(120), excused(60)) == ["a.example"])
    }

    // MARK: Never missing one

    /// Random pairs of small policies: whoever was accepted and is rejected is under a pattern that
    /// is listed.
    @Test(arguments: [0x57A1_0001, 0x57A1_0002, 0x57A1_0003, 0x57A1_0004] as [UInt64])
    func whoIsRejectedNowIsListed(seed: UInt64) throws {
        var random = RandomPolicies(seed: seed)
        let pairs = Sample.isWhole ? 400 : 12
        var (listed, left, lost) = (0, 0, 0)
        for pair in 0..<pairs {
            let before = Self.small(&random)
            let after = random.flip() ? Self.small(&random) : Self.changed(before, &random)
            let (earlier, later) = (try before.engine(), try after.engine())
            let stricter = StricterHosts(from: earlier, to: later)
            // The tables without a store, whatever exceptions have ended by then.
            let tables = StricterHosts(
                from: earlier.table, to: later.table, since: Scenario.judgedAt)
            for host in Self.hosts {
                for port in [443, 8443, 9443] as [UInt16] {
                    let isListed = try Self.isListed(host, port, stricter, earlier, later)
                    if isListed { listed += 1 } else { left += 1 }
                    let request = TrustRequest(
                        host: host, port: port,
                        presentedChain: [Self.acme.good.der, Self.acme.issuing.der],
                        time: Scenario.judgedAt, tls: .observed(TLSParameters(version: .tls12)))
                    guard earlier.evaluate(request).isAccept, !later.evaluate(request).isAccept
                    else { continue }
                    lost += 1
                    #expect(isListed, "\(host):\(port) of pair \(pair), seed \(seed)")
                    #expect(
                        try Self.isListed(host, port, tables, earlier, later),
                        "\(host):\(port) of the tables of pair \(pair), seed \(seed)")
                }
            }
        }
        // A list of everything would pass, and so would policies that reject everything.
        #expect(left > 0 && listed > 0 && lost > 0)
    }

    private static let hosts = [
        "a", "b.a", "c.b.a", "b", "a.b", "c.a.b", "10.0.0.1", "10.255.0.1", "192.0.2.1",
    ]

    /// Whether the most specific pattern of both tables that matches is listed.
    private static func isListed(
        _ host: String, _ port: UInt16, _ stricter: StricterHosts, _ earlier: Engine,
        _ later: Engine
    ) throws -> Bool {
        let host = try CanonicalHost(text: host)
        let patterns = [earlier.table, later.table].compactMap { table in
            table.lookUp(host, port: port).map { table.pattern(at: Int($0.pattern)) }
        }
        guard let first = patterns.first, let last = patterns.last else {
            return stricter.includesDefault
        }
        let winner = last.isMoreSpecific(than: first) ? last : first
        return stricter.patterns.contains(winner.canonicalText)
    }

    private static let patterns = [
        "a", "b.a", "c.b.a", "b", "*.a", "**.a", "*.b.a", "**.b.a", "*.b", "**.b", "**.b:8443",
        "**.a:443", "*.a:8443", "b.a:443", "10.0.0.1", "10.0.0.0/8", "10.0.0.0/16", "0.0.0.0/0",
        "10.0.0.0/8:8443", "10.0.0.1:443", "192.0.2.0/24",
    ]

    private static func small(_ random: inout RandomPolicies) -> Small {
        var left = random.some(patterns)
        var rules: [(String, [String], RuleBody)] = []
        for index in 0..<random.number(1...4) {
            let count = random.number(0...6)
            rules.append(("rule-\(index)", Array(left.prefix(count)), randomBody(&random)))
            left.removeFirst(min(count, left.count))
        }
        return Small(rules, fallback: random.flip() ? randomBody(&random) : nil)
    }

    /// The same policy with one thing changed.
    private static func changed(_ policy: Small, _ random: inout RandomPolicies) -> Small {
        var policy = policy
        let index = random.below(policy.rules.count)
        switch random.below(4) {
        case 0: policy.rules[index].body = randomBody(&random)
        case 1: policy.rules[index].hosts = Array(policy.rules[index].hosts.dropFirst())
        case 2: policy.fallback = random.flip() ? randomBody(&random) : nil
        default: policy.pins[0] = pinSet("right", other.key)
        }
        return policy
    }

    /// A rule that accepts the good chain, or one thing of it does not.
    private static func randomBody(_ random: inout RandomPolicies) -> RuleBody {
        let day = UTCInstant.at("2027-01-01T00:00:00Z")
        return body { body in
            switch random.below(14) {
            case 0: body.anchors = ["other"]
            case 1: body.anchors = ["good", "other"]
            case 2: body.pins = ["right"]
            case 3: body.pins = ["wrong"]
            case 4: body.requirements.maximumIntermediates = 0
            case 5: body.requirements.tls.minimumVersion = .tls13
            case 6: body.requirements.tls.maximumVersion = .tls12
            case 7: body.requirements.keyTypes = KeyTypeSet(rawValue: 1)
            case 8: body.requirements.revocation.causes = .require
            case 9:
                body.requirements.forbiddenKeys = [
                    ForbiddenKey(id: "k", matches: [World.key(of: acme.issuing.key)])
                ]
            case 10: body.identity.dns = ["z.example"]
            case 11:
                body.pins = ["wrong"]
                body.reportOnly = [ReportOnly(check: .pins, until: day, note: nil)]
            case 12:
                body.identity.dns = ["z.example"]
                body.waivers = [
                    Waiver(tolerance: .identity, until: day, reason: "r", owner: "o", ticket: nil)
                ]
            default: break
            }
        }
    }
}
