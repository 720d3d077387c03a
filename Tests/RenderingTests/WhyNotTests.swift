import Foundation
import JSONSchemaSupport
import Rendering
import Testing
import TrustEngine

@Suite("explain --why-not")
struct WhyNotTests {
    private static func ask(
        _ host: String, _ port: UInt16 = 443, of patterns: [HostPattern],
        beside others: [(String, [HostPattern])] = []
    ) throws -> WhyNot {
        let table = SampleTable.table([("asked", patterns)] + others)
        return try #require(
            WhyNot(
                rule: "asked", table: table, host: try CanonicalHost(text: host), port: port))
    }

    /// A host, the patterns of the rule asked about, the one that comes nearest, and what differs.
    static let missRows: [(String, [HostPattern], String, PatternDifference)] = [
        ("a.b.example", [.name("a.c.example")], "a.c.example", .label(pattern: "c", host: "b")),
        // More labels in common are nearer, then fewer labels more or less, then the text.
        (
            "a.b.example", [.name("x.example"), .name("x.b.example"), .name("q.c.example")],
            "x.b.example", .label(pattern: "x", host: "a")
        ),
        (
            "a.b.example", [.any("d.example"), .name("c.example"), .one("e.example")],
            "**.d.example", .label(pattern: "d", host: "b")
        ),
        ("b.example", [.any("b.example")], "**.b.example", .apex(base: "b.example")),
        ("b.example", [.one("b.example")], "*.b.example", .apex(base: "b.example")),
        (
            "x.y.b.example", [.one("b.example")], "*.b.example",
            .severalLabels(base: "b.example", before: 2)
        ),
        ("x.y.b.example", [.name("b.example")], "b.example", .below(labels: "x.y")),
        ("b.example", [.name("w.eu.b.example")], "w.eu.b.example", .above(labels: "w.eu")),
        ("b.example", [.any("eu.b.example")], "**.eu.b.example", .above(labels: "**.eu")),
        ("b.example", [.single("192.0.2.1")], "192.0.2.1", .otherKind),
        ("192.0.2.1", [.name("b.example")], "b.example", .otherKind),
        ("192.0.2.1", [.single("192.0.2.2"), .single("10.0.0.1")], "192.0.2.2", .otherAddress),
        ("192.0.2.1", [.single("::1"), .name("b.example")], "::1", .otherFamily),
        (
            "10.41.0.1", [.network("10.40.0.0", 16), .network("192.168.0.0", 16)], "10.40.0.0/16",
            .outside(
                first: IPAddress(sample: "10.40.0.0"), last: IPAddress(sample: "10.40.255.255"))
        ),
        (
            "2001:db8:1::1", [.network("2001:db8::", 49)], "2001:db8::/49",
            .outside(
                first: IPAddress(sample: "2001:db8::"),
                last: IPAddress(sample: "2001:db8:0:7fff:ffff:ffff:ffff:ffff"))
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
        #expect(
            TextWriter.write(WhyNotDocument.document(answer, version: "")).contains("`\(nearest)`"))
    }

    /// A host, the pattern that loses, the one that decides, and the clause of LANGUAGE section
    /// 11.4.
    static let lossRows: [(String, HostPattern, HostPattern, PatternStep.Outcome)] = [
        ("a.b.example", .one("b.example"), .name("a.b.example"), .exactWins),
        ("a.b.example", .any("example"), .any("b.example"), .moreLabelsWin),
        ("a.b.example", .any("b.example"), .one("b.example"), .oneLabelWins),
        ("a.b.example", .name("a.b.example"), .name("a.b.example", 443), .portWins),
        ("10.0.0.1", .network("10.0.0.0", 8), .network("10.0.0.0", 16), .longerPrefixWins),
        ("10.0.0.1", .network("10.0.0.0", 8), .single("10.0.0.1"), .exactWins),
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
                .name("a.example", 8443), .any("example", 9443), .name("b.example"),
            ])
        #expect(answer.outcome == .otherPort)
        #expect(
            Set(answer.patterns.compactMap(\.difference)) == [.port(8443), .port(9443)])
        #expect(answer.repairs.first?.contains("`a.example:8443`") == true)
        // A pattern that is added for one port says so, and a pattern for every port says that.
        #expect(answer.repairs.contains { $0.hasPrefix("for port 443 only, add ") })
        #expect(answer.repairs.contains { $0.hasPrefix("for this host on every port, add ") })
        #expect(
            answer.repairs.dropFirst().allSatisfy {
                $0.hasSuffix(": the anchors, pins and waivers of `asked` then decide")
            })
        try Self.checkSchema(answer)
        // Asked on that port it does decide.
        let asked = try Self.ask("a.example", 8443, of: [.name("a.example", 8443)])
        #expect(asked.outcome == .decides)
        #expect(asked.repairs.isEmpty)
        try Self.checkSchema(asked)
    }

    @Test("`default` decides where no pattern matches, and says what does otherwise")
    func fallback() throws {
        let table = SampleTable.table(
            [("a", [.name("a.example")]), ("b", [.any("example")])], denies: false)
        func ask(_ host: String) throws -> WhyNot {
            try #require(
                WhyNot(rule: "", table: table, host: try CanonicalHost(text: host), port: 443))
        }
        #expect(try ask("elsewhere.test").outcome == .decides)
        let answer = try ask("a.example")
        #expect(answer.outcome == .loses)
        #expect(
            answer.repairs == [
                "without `**.example` of rule `b` other hosts would be left to `default` too",
                "for this host, write a rule of its own that says what `default` says",
            ])
        try Self.checkSchema(answer)
        // A pattern for the host alone takes nothing from another when it goes.
        let exact = SampleTable.table([("a", [.name("a.example"), .name("a.example", 443)])])
        let alone = try #require(
            WhyNot(rule: "", table: exact, host: .name("a.example"), port: 443))
        #expect(
            alone.repairs == ["take out `a.example:443` of rule `a`, `a.example` of rule `a`"])
        let wide = SampleTable.table([("b", [.any("example")])])
        let denied = try #require(
            WhyNot(rule: "", table: wide, host: .name("a.example"), port: 443))
        #expect(
            denied.repairs == [
                "without `**.example` of rule `b` other hosts would be left to `default` too"
            ])
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
            text: WhyNotDocument.renderJSON(answer, assumptions: ["port 443"]))
        #expect(schema.violations(of: document) == [])
        #expect(document["outcome"] == .string(answer.outcome.rawValue))
    }
}
