import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// The classes of hosts, against the tables' own lookup: every class has a host, every host belongs
/// to one class, and the class names the rules that decide.
@Suite("classes of hosts") struct HostClassTests {
    private static func network(_ low: UInt64, _ prefix: Int, port: UInt16? = nil) -> HostPattern {
        HostPattern(
            host: .network(IPAddress(high: 0, low: low, isIPv4: true), prefix: prefix), port: port)
    }

    private static func network6(_ high: UInt64, _ low: UInt64, _ prefix: Int) -> HostPattern {
        HostPattern(
            host: .network(IPAddress(high: high, low: low, isIPv4: false), prefix: prefix),
            port: nil)
    }

    private static func name(_ name: String, port: UInt16? = nil) -> HostPattern {
        HostPattern(host: .name(name), port: port)
    }

    private static func wildcard(_ base: String, port: UInt16? = nil) -> HostPattern {
        HostPattern(host: .oneLabel(base: base), port: port)
    }

    private static func below(_ base: String, port: UInt16? = nil) -> HostPattern {
        HostPattern(host: .anyLabels(base: base), port: port)
    }

    /// A table with a rule for each list of patterns.
    private static func table(_ rules: [[HostPattern]]) throws -> PolicyTable {
        let body = RuleBody(
            anchors: ["corp"], pins: [], profile: "baseline", requirements: Requirements(),
            identity: IdentityRequirement(), waivers: [], owner: nil, note: nil)
        let contents = PolicyContents(
            defaultRule: .deny,
            rules: rules.enumerated().map { index, patterns in
                RuleContents(
                    id: "rule-\(index)",
                    hosts: patterns.sorted { $0.canonicalText < $1.canonicalText },
                    body: body)
            }, anchorSets: [RowRule.set()], pinSets: [])
        let crypto = LibCryptoBackend()
        return try Engine(
            table: PolicyTable.encode(contents, provenance: nil, crypto: crypto),
            inputs: EngineInputs(), crypto: crypto
        ).table
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let tables: [[[HostPattern]]]
        /// The number of classes, with the class of `default`.
        let count: Int
    }

    private static let mapped: UInt64 = 0xFFFF_0000_0000

    private static let rows: [Row] = [
        Row(testDescription: "no patterns", tables: [[]], count: 1),
        Row(
            testDescription: "wildcards of two tables",
            tables: [[[below("x.example")]], [[wildcard("x.example")], [name("a.x.example")]]],
            count: 4),
        Row(
            testDescription: "a host with a port, and without one",
            tables: [[[name("x.example")], [name("x.example", port: 8443)]]], count: 3),
        Row(
            testDescription: "a port of a less specific pattern of another table",
            tables: [[[name("a.x.example")]], [[below("x.example", port: 8443)]]], count: 4),
        Row(
            testDescription: "a port that the same host has in another table",
            tables: [
                [[wildcard("x.example")], [wildcard("x.example", port: 8443)]],
                [[below("x.example", port: 8443)], [below("x.example", port: 9443)]],
            ], count: 6),
        Row(
            testDescription: "two halves fill a network",
            tables: [
                [[network(0x0A00_0000, 8)]],
                [[network(0x0A00_0000, 9)], [network(0x0A80_0000, 9)]],
            ], count: 3),
        Row(
            testDescription: "a gap between networks",
            tables: [
                [
                    [network(0x0A00_0000, 8)], [network(0x0A00_0000, 9)],
                    [network(0x0AC0_0000, 10)],
                ]
            ], count: 4),
        Row(
            testDescription: "a network filled on one port",
            tables: [
                [[network(0x0A00_0000, 8)]],
                [[network(0x0A00_0000, 9, port: 443)], [network(0x0A80_0000, 9, port: 443)]],
            ], count: 4),
        Row(
            testDescription: "the same network with a port",
            tables: [[[network(0x0A00_0000, 8)], [network(0x0A00_0000, 8, port: 443)]]], count: 3),
        Row(
            testDescription: "all IPv4 addresses, by two halves",
            tables: [
                [[network(0, 0)], [network(0, 1)], [network(0x8000_0000, 1)]]
            ], count: 3),
        Row(
            testDescription: "all addresses of each family",
            tables: [[[network(0, 0)], [network6(0, 0, 0)], [network6(0, 0, 1)]]], count: 4),
        Row(
            testDescription: "a network of which only mapped addresses are left",
            tables: [
                [[network6(0, 0xFFFE_0000_0000, 95)], [network6(0, 0xFFFE_0000_0000, 96)]]
            ], count: 2),
    ]

    private static let hosts: [CanonicalHost] =
        ["x.example", "a.x.example", "b.x.example", "b.a.x.example", "other.example"]
        .map { .name($0) }
        + ([0x0A00_0001, 0x0A80_0001, 0x0AC0_0001, 0x0B00_0001, 0xFF00_0001] as [UInt64]).map {
            .address(IPAddress(high: 0, low: $0, isIPv4: true))
        }
        + ([(0, 1), (0, 0xFFFE_0000_0001), (0x8000_0000_0000_0000, 1)] as [(UInt64, UInt64)]).map {
            .address(IPAddress(high: $0.0, low: $0.1, isIPv4: false))
        }

    @Test("every class has a host, and every host a class", arguments: rows)
    func classes(row: Row) throws {
        let tables = try row.tables.map { try Self.table($0) }
        let classes = HostClasses(tables)
        let all = try classes.all()
        #expect(all.count == row.count, "\(all)")
        #expect(Set(all).count == all.count)
        #expect(all.last?.pattern == nil)
        for one in all {
            // The witness is proved by the tables' own lookup.
            let witness = try #require(classes.witness(one), "\(one)")
            let found = tables.map { table in
                table.lookUp(witness.host, port: witness.port).map { Int($0.rule) }
                    ?? HostClass.byDefault
            }
            #expect(found == one.deciders, "\(one)")
            #expect(classes.hosts(of: witness.host, port: witness.port) == one)
        }
        for host in Self.hosts {
            for port: UInt16 in [443, 8443, 9443] {
                let one = classes.hosts(of: host, port: port)
                #expect(all.contains(one), "\(host) \(port): \(one)")
            }
        }
    }
}
