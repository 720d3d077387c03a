import PolicyCompiler
import TestPKI
import Testing
import TrustEngine

/// Which rule decides (LANGUAGE sections 11.3 and 11.4), by the table's index and by a reader who
/// compares every pattern.
@Suite("which rule decides, against an obvious matcher")
struct HostAgreementTests {
    /// Pairs of a policy and a host: a million in `.ci/full`, which tests a release build, and a
    /// tenth of them otherwise, because a debug build takes ten seconds or more for the million.
    static let pairs =
        Sample.isWhole ? 1_000_000 : 100_000
    /// Hosts asked of one policy.
    static let hostsPerPolicy = 200

    @Test("the table agrees with it on every pair of policy and host")
    func tables() throws {
        let template = try Self.template()
        var sketches = HostSketches(seed: 20_261_121)
        var counts = AgreementCounts()
        for _ in 0..<Self.pairs / Self.hostsPerPolicy {
            let policy = sketches.policy()
            let patterns = try policy.patterns.map { try Self.enginePattern($0) }
            let table = Self.table(policy, patterns, template)
            counts.count(policy)
            for _ in 0..<Self.hostsPerPolicy {
                let (host, port) = sketches.request(near: policy)
                let ranked = policy.ranked(host, port: port)
                counts.count(ranked, in: policy)
                let canonical = try Self.engineHost(host)
                let found = table.lookUp(canonical, port: UInt16(port))
                var agrees =
                    found.map { table.pattern(at: Int($0.pattern)) }
                    == ranked.first.map {
                        patterns[$0]
                    }
                agrees =
                    agrees && found.map { Int($0.rule) } == ranked.first.map { policy.rules[$0] }
                if counts.pairs.isMultiple(of: 16) {
                    agrees =
                        agrees
                        && table.candidates(canonical, port: UInt16(port)).map {
                            table.pattern(at: Int($0.pattern))
                        } == ranked.map { patterns[$0] }
                }
                guard !agrees else { continue }
                Issue.record(
                    """
                    \(host) on \(port): the table gives \(String(describing: found)), wanted \
                    \(ranked.map { policy.patterns[$0] }) of \(policy.patterns)
                    """)
                return
            }
        }
        #expect(counts.pairs == Self.pairs)
        print("host agreement, tables: \(counts.summary)")
        counts.expectAll(atLeast: Self.pairs / 200)
    }

    @Test("a policy's text agrees with it on 20,000 pairs, however hosts are spelled")
    func texts() throws {
        var sketches = HostSketches(seed: 42)
        var counts = AgreementCounts()
        for _ in 0..<200 {
            let policy = sketches.policy()
            let text = Self.policyText(policy, &sketches)
            let unit = MemoryUnit.unit(["policy.yaml": Array(text.utf8)])
            let compilation = CompilerPipeline.compile(unit, crypto: ToyDigests())
            let table = try #require(
                compilation.table, "\(text)\n\(compilation.diagnostics.map(\.message))")
            #expect(table.deniesByDefault != policy.hasDefaultRule)
            counts.count(policy)
            for _ in 0..<100 {
                let (host, port) = sketches.request(near: policy)
                let ranked = policy.ranked(host, port: port)
                counts.count(ranked, in: policy)
                let asked = sketches.text(host)
                let found = table.candidates(
                    try CanonicalHost(text: asked), port: UInt16(port))
                let names = found.map { table.text(table.rule(at: Int($0.rule)).id) }
                guard names != ranked.map({ Self.ruleName(policy.rules[$0]) }) else { continue }
                Issue.record("\(asked) on \(port): \(names) in\n\(text)")
                return
            }
        }
        #expect(counts.pairs == 20_000)
        print("host agreement, texts: \(counts.summary)")
        counts.expectAll(atLeast: 100)
    }

    // MARK: Both forms of a policy

    private static func ruleName(_ rule: Int) -> String { "r\(100_000 + rule)" }

    /// Contents with one rule, to be filled with the patterns of each policy.
    private static func template() throws -> PolicyContents {
        let text = """
            hawser: 1
            default: { anchors: [system] }
            rules: { a: { hosts: ["a.example"], anchors: [system] } }

            """
        let (policy, diagnostics) = MemoryUnit.check(
            MemoryUnit.unit(["policy.yaml": Array(text.utf8)]))
        return MemoryUnit.contents(of: try #require(policy, "\(diagnostics.map(\.message))"))
    }

    private static func table(
        _ policy: PlainPolicy, _ patterns: [HostPattern], _ template: PolicyContents
    ) -> PolicyTable {
        var contents = template
        let body = template.rules[0].body
        contents.rules = (0...(policy.rules.max() ?? 0)).map { rule in
            RuleContents(
                id: ruleName(rule),
                hosts: patterns.indices.filter { policy.rules[$0] == rule }.map { patterns[$0] },
                body: body)
        }
        if !policy.hasDefaultRule { contents.defaultRule = .deny }
        return PolicyTable.encode(contents, provenance: nil, crypto: ToyDigests())
    }

    private static func policyText(
        _ policy: PlainPolicy, _ sketches: inout HostSketches
    ) -> String {
        var text = "hawser: 1\ndefault: \(policy.hasDefaultRule ? "{ anchors: [system] }" : "deny")"
        text += "\nrules:\n"
        for rule in 0...(policy.rules.max() ?? 0) {
            text += "  \(ruleName(rule)):\n    hosts:\n"
            for index in policy.patterns.indices where policy.rules[index] == rule {
                text += "      - \"\(sketches.text(policy.patterns[index]))\"\n"
            }
            text += "    anchors: [system]\n"
        }
        return text
    }

    private static func enginePattern(_ pattern: PlainPattern) throws -> HostPattern {
        let host: HostPattern.Host
        switch pattern.host {
        case .exact(let labels): host = .name(labels.joined(separator: "."))
        case .oneLabel(let base): host = .oneLabel(base: base.joined(separator: "."))
        case .anyLabels(let base): host = .anyLabels(base: base.joined(separator: "."))
        case .address(let octets): host = .address(try address(octets))
        case .network(let octets, let bits): host = .network(try address(octets), prefix: bits)
        }
        return HostPattern(host: host, port: pattern.port.map { UInt16($0) })
    }

    private static func engineHost(_ host: PlainHost) throws -> CanonicalHost {
        switch host {
        case .name(let labels): return .name(labels.joined(separator: "."))
        case .address(let octets): return .address(try address(octets))
        }
    }

    private static func address(_ octets: [UInt8]) throws -> IPAddress {
        let address = IPAddress(bytes: octets.span)
        return try #require(address)
    }
}

/// How often each kind of pattern occurred and won, and by which step of section 11.4.
private struct AgreementCounts {
    private(set) var pairs = 0
    private var policies = 0
    private var patterns: [String: Int] = [:]
    private var winners: [String: Int] = [:]
    private var steps: [String: Int] = [:]

    mutating func count(_ policy: PlainPolicy) {
        policies += 1
        for pattern in policy.patterns { patterns[pattern.kind, default: 0] += 1 }
    }

    /// Counts one pair; `ranked` are the patterns that cover the host.
    mutating func count(_ ranked: [Int], in policy: PlainPolicy) {
        pairs += 1
        guard let first = ranked.first else {
            winners[policy.hasDefaultRule ? "default rule" : "default deny", default: 0] += 1
            return
        }
        winners[policy.patterns[first].kind, default: 0] += 1
        guard ranked.count > 1 else { return }
        let step = policy.patterns[first].precedes(policy.patterns[ranked[1]])
        steps[step?.rawValue ?? "a tie", default: 0] += 1
    }

    var summary: String {
        func list(_ counts: [String: Int]) -> String {
            counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
                .joined(separator: ", ")
        }
        return "\(pairs) pairs, \(policies) policies\n  patterns: \(list(patterns))"
            + "\n  winners: \(list(winners))\n  decided by: \(list(steps))"
    }

    /// Every kind of pattern, of winner and of deciding step, often enough to mean something.
    func expectAll(atLeast floor: Int) {
        for kind in PlainPattern.kinds {
            #expect(patterns[kind, default: 0] >= policies / 4, "\(kind)\n\(summary)")
        }
        for kind in PlainPattern.kinds + ["default rule", "default deny"] {
            #expect(winners[kind, default: 0] >= floor, "\(kind)\n\(summary)")
        }
        for step in PlainPattern.Step.allCases {
            #expect(steps[step.rawValue, default: 0] >= floor, "\(step.rawValue)\n\(summary)")
        }
        #expect(steps["a tie"] == nil)
    }
}
