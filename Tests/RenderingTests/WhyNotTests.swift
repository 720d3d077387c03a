import Foundation
import JSONSchemaSupport
import LibCrypto
import Rendering
import Testing
import TrustEngine

@Suite("explain --why-not")
struct WhyNotTests {
    /// A table whose rules have these patterns, each rule under its id.
    private static func table(
        _ rules: [(String, [HostPattern])], denies: Bool = true
    ) -> PolicyTable {
        let body = RuleBody(
            anchors: ["system"], pins: [], profile: "baseline", requirements: Requirements(),
            identity: IdentityRequirement(), waivers: [], owner: nil, note: nil)
        return PolicyTable.encode(
            PolicyContents(
                defaultRule: denies ? .deny : .body(body),
                rules: rules.map { RuleContents(id: $0.0, hosts: $0.1.sorted(), body: body) }
                    .sorted { $0.id < $1.id },
                anchorSets: [.system], pinSets: []),
            provenance: nil, crypto: LibCryptoBackend())
    }

    private static func name(_ name: String, _ port: UInt16? = nil) -> HostPattern {
        HostPattern(host: .name(name), port: port)
    }
    private static func one(_ base: String, _ port: UInt16? = nil) -> HostPattern {
        HostPattern(host: .oneLabel(base: base), port: port)
    }
    private static func any(_ base: String, _ port: UInt16? = nil) -> HostPattern {
        HostPattern(host: .anyLabels(base: base), port: port)
    }
    private static func address(_ text: String) -> IPAddress {
        IPAddress(text: text) ?? IPAddress(high: 0, low: 0, isIPv4: true)
    }
    private static func network(_ text: String, _ prefix: Int) -> HostPattern {
        HostPattern(host: .network(address(text), prefix: prefix), port: nil)
    }
    private static func single(_ text: String) -> HostPattern {
        HostPattern(host: .address(address(text)), port: nil)
    }

    private static func ask(
        _ host: String, _ port: UInt16 = 443, of patterns: [HostPattern],
        beside others: [(String, [HostPattern])] = []
    ) throws -> WhyNot {
        let table = table([("asked", patterns)] + others)
        return try #require(
            WhyNot(
                rule: "asked", table: table, host: try CanonicalHost(text: host), port: port))
    }

    /// A host, the patterns of the rule asked about, the one that comes nearest, and what differs.
    static let missRows: [(String, [HostPattern], String, PatternDifference)] = [
        ("a.b.example", [name("a.c.example")], "a.c.example", .label(pattern: "c", host: "b")),
        // More labels in common are nearer, then fewer labels more or less, then the text.
        (
            "a.b.example", [name("x.example"), name("x.b.example"), name("q.c.example")],
            "x.b.example", .label(pattern: "x", host: "a")
        ),
        (
            "a.b.example", [any("d.example"), name("c.example"), one("e.example")],
            "**.d.example", .label(pattern: "d", host: "b")
        ),
        ("b.example", [any("b.example")], "**.b.example", .apex(base: "b.example")),
        ("b.example", [one("b.example")], "*.b.example", .apex(base: "b.example")),
        (
            "x.y.b.example", [one("b.example")], "*.b.example",
            .severalLabels(base: "b.example", before: 2)
        ),
        ("x.y.b.example", [name("b.example")], "b.example", .below(labels: "x.y")),
        ("b.example", [name("w.eu.b.example")], "w.eu.b.example", .above(labels: "w.eu")),
        ("b.example", [any("eu.b.example")], "**.eu.b.example", .above(labels: "**.eu")),
        ("b.example", [single("192.0.2.1")], "192.0.2.1", .otherKind),
        ("192.0.2.1", [name("b.example")], "b.example", .otherKind),
        ("192.0.2.1", [single("192.0.2.2"), single("10.0.0.1")], "192.0.2.2", .otherAddress),
        ("192.0.2.1", [single("::1"), name("b.example")], "::1", .otherFamily),
        (
            "10.41.0.1", [network("10.40.0.0", 16), network("192.168.0.0", 16)], "10.40.0.0/16",
            .outside(first: address("10.40.0.0"), last: address("10.40.255.255"))
        ),
        (
            "2001:db8:1::1", [network("2001:db8::", 49)], "2001:db8::/49",
            .outside(
                first: address("2001:db8::"), last: address("2001:db8:0:7fff:ffff:ffff:ffff:ffff"))
        ),
    ]

    @Test("what does not match is named by the pattern that comes nearest", arguments: missRows)
    func misses(_ row: (String, [HostPattern], String, PatternDifference)) throws {
        let (host, patterns, nearest, difference) = row
        let answer = try Self.ask(host, of: patterns)
        #expect(answer.outcome == .noMatch)
        #expect(answer.patterns.map(\.text) == [nearest])
        #expect(answer.patterns.first?.difference == difference)
        #expect(answer.winner.isDenied)
        try Self.checkSchema(answer)
        #expect(WhyNotText.render(answer).contains("`\(nearest)`"))
    }

    /// A host, the pattern that loses, the one that decides, and the clause of LANGUAGE section 11.4.
    static let lossRows: [(String, HostPattern, HostPattern, PatternStep.Outcome)] = [
        ("a.b.example", one("b.example"), name("a.b.example"), .exactWins),
        ("a.b.example", any("example"), any("b.example"), .moreLabelsWin),
        ("a.b.example", any("b.example"), one("b.example"), .oneLabelWins),
        ("a.b.example", name("a.b.example"), name("a.b.example", 443), .portWins),
        ("10.0.0.1", network("10.0.0.0", 8), network("10.0.0.0", 16), .longerPrefixWins),
        ("10.0.0.1", network("10.0.0.0", 8), single("10.0.0.1"), .exactWins),
    ]

    @Test("what matches and loses is told to what, and by which clause", arguments: lossRows)
    func losses(_ row: (String, HostPattern, HostPattern, PatternStep.Outcome)) throws {
        let (host, losing, winning, clause) = row
        let answer = try Self.ask(host, of: [losing], beside: [("better", [winning])])
        #expect(answer.outcome == .loses)
        #expect(answer.patterns.map(\.text) == [losing.canonicalText])
        #expect(answer.clause == clause)
        #expect(answer.winner.rule == "better")
        #expect(answer.winner.pattern == winning)
        try Self.checkSchema(answer)
    }

    @Test("a pattern for another port is no match, and says the ports")
    func ports() throws {
        let answer = try Self.ask(
            "a.example",
            of: [
                Self.name("a.example", 8443), Self.any("example", 9443), Self.name("b.example"),
            ])
        #expect(answer.outcome == .otherPort)
        #expect(
            Set(answer.patterns.compactMap(\.difference)) == [.port(8443), .port(9443)])
        #expect(answer.repairs.first?.contains("`a.example:8443`") == true)
        try Self.checkSchema(answer)
        // Asked on that port it does decide.
        let asked = try Self.ask("a.example", 8443, of: [Self.name("a.example", 8443)])
        #expect(asked.outcome == .decides)
        #expect(asked.repairs.isEmpty)
        try Self.checkSchema(asked)
    }

    @Test("`default` decides where no pattern matches, and says what does otherwise")
    func fallback() throws {
        let table = Self.table(
            [("a", [Self.name("a.example")]), ("b", [Self.any("example")])], denies: false)
        func ask(_ host: String) throws -> WhyNot {
            try #require(
                WhyNot(rule: "", table: table, host: try CanonicalHost(text: host), port: 443))
        }
        #expect(try ask("elsewhere.test").outcome == .decides)
        let answer = try ask("a.example")
        #expect(answer.outcome == .loses)
        #expect(
            answer.repairs == ["take `a.example` out of rule `a`, `**.example` out of rule `b`"])
        try Self.checkSchema(answer)
        #expect(WhyNot(rule: "c", table: table, host: .name("a.example"), port: 443) == nil)
    }

    @Test("every repair does what it says", arguments: lossRows.map { ($0.0, $0.1, $0.2) })
    func repairs(_ host: String, _ losing: HostPattern, _ winning: HostPattern) throws {
        let others = [("better", [winning])]
        let answer = try Self.ask(host, of: [losing], beside: others)
        for repair in answer.repairs {
            guard let text = repair.split(separator: "\"").dropFirst().first else { continue }
            // The pattern to add: the exact host, with the port where the host alone is taken.
            let exact: HostPattern.Host =
                IPAddress(text: host).map { .address($0) } ?? .name(host)
            let added = [nil, UInt16(443)].map { HostPattern(host: exact, port: $0) }
                .first { $0.canonicalText == text }
            let pattern = try #require(added)
            #expect(pattern != winning)
            let repaired = try Self.ask(host, of: [losing, pattern], beside: others)
            #expect(repaired.outcome == .decides, "\(repair)")
        }
    }

    private static func checkSchema(_ answer: WhyNot) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let schema = try JSONSchema(
            text: String(
                contentsOf: root.appending(path: "grammar/why-not.schema.json"), encoding: .utf8))
        let document = try JSONDocument(
            text: WhyNotText.renderJSON(answer, assumptions: ["port 443"]))
        #expect(schema.violations(of: document) == [])
        #expect(document["outcome"] == .string(answer.outcome.rawValue))
    }
}
