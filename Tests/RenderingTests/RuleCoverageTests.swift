import Rendering
import Testing
import TrustEngine

@Suite("how much a rule covers")
struct RuleCoverageTests {
    /// A host, its port, the patterns of the rule that decides, and the rule's coverage.
    static let rows: [(String, UInt16, [HostPattern], RuleCoverage)] = [
        ("a.example", 443, [.name("a.example")], .askedHostAlone),
        ("a.example", 443, [.name("a.example", 443)], .askedHostAlone),
        (
            "a.example", 443,
            [.name("a.example", 443), .name("a.example", 8443)], .more
        ),
        (
            "a.example", 443, [.name("a.example"), .name("b.example")], .more
        ),
        ("a.example", 443, [.name("a.example"), .any("b.example")], .more),
        ("a.example", 443, [.any("example")], .more),
        ("a.example", 443, [.one("example")], .more),
        ("a.example", 443, [], .more),
        ("10.0.0.1", 443, [.single("10.0.0.1")], .askedHostAlone),
        ("10.0.0.1", 443, [.network("10.0.0.0", 31)], .more),
        (
            "10.0.0.1", 443,
            [.single("10.0.0.1"), .network("192.0.2.0", 24)], .more
        ),
        ("2001:db8::1", 8443, [.single("2001:db8::1", 8443)], .askedHostAlone),
    ]

    private static func outline(
        _ host: String, _ port: UInt16, _ table: PolicyTable
    ) throws -> TraceOutline {
        let match = table.candidates(try CanonicalHost(text: host), port: port).first
        let selection = match.map {
            RuleStep.Selection.pattern(table.pattern(at: Int($0.pattern)).canonicalText)
        }
        return TraceOutline(
            Trace(steps: [
                .engine(EngineStep(policyDigest: table.policyDigest, systemStoreDigest: nil)),
                .request(
                    RequestStep(
                        host: host, canonicalHost: host, port: port, time: TraceSamples.noon,
                        presented: 0, tls: .notSupplied)),
                .rule(
                    RuleStep(
                        rule: match == nil ? "" : "asked", selection: selection ?? .defaultBody,
                        profile: "baseline", anchors: ["system"], pins: [], guarantee: nil)),
            ]))
    }

    @Test("the table says what else the deciding rule is for", arguments: rows)
    func coverage(_ row: (String, UInt16, [HostPattern], RuleCoverage)) throws {
        let (host, port, patterns, coverage) = row
        // Another rule's patterns count for nothing.
        let table = SampleTable.table(
            (patterns.isEmpty ? [] : [("asked", patterns)])
                + [("beside", [.any("elsewhere.test")])], denies: false)
        let outline = try Self.outline(host, port, table)
        #expect(RuleCoverage(outline, table) == coverage)
        // Without the table that judged, an exact pattern says nothing of the others.
        let other = SampleTable.table([("asked", [.any("example")])], denies: true)
        let exact = patterns.contains {
            $0.host == .name(host) || $0.host == IPAddress(text: host).map { .address($0) }
        }
        for missing in [nil, other] {
            #expect(RuleCoverage(outline, missing) == (exact ? .unknown : .more))
        }
    }
}
