import Testing
import TrustEngine

@Suite("Host lookup")
struct HostLookupTests {
    /// A table with one rule for each pattern, in the order given.
    static func table(_ patterns: [HostPattern]) -> PolicyTable {
        let body = RuleBody(
            anchors: ["corp"], pins: [], profile: "baseline", requirements: Requirements(),
            identity: IdentityRequirement(), waivers: [], owner: nil, note: nil)
        let rules = patterns.enumerated().map { index, pattern in
            let digits = String(index + 100_000)
            return RuleContents(id: "r\(digits)", hosts: [pattern], body: body)
        }
        let contents = PolicyContents(
            defaultRule: .deny, rules: rules,
            anchorSets: [
                AnchorSetContents(
                    id: "corp", groups: [AnchorGroup(source: .members([[0x30, 0]]))])
            ],
            pinSets: [])
        return PolicyTable.encode(contents, provenance: nil, crypto: TableDigests())
    }

    /// LANGUAGE section 11.4: each pattern beats the next one for the host and port of its row.
    @Test(
        "which pattern decides",
        arguments: [
            ("api.a.example:443", ["api.a.example:443", "api.a.example", "*.a.example:443"]),
            ("x.a.example:443", ["*.a.example:443", "*.a.example", "**.a.example:443"]),
            ("x.y.a.example:443", ["**.a.example:443", "**.a.example", "**.example"]),
            ("x.example:443", ["x.example", "*.example", "**.example:443"]),
            ("z.x.a.example:1", ["**.x.a.example", "**.a.example", "**.example"]),
            ("10.1.2.3:443", ["10.1.2.3", "10.1.2.0/24:443", "10.1.2.0/24", "10.0.0.0/8:443"]),
            ("2001:db8::1:443", ["2001:db8::1", "[2001:db8::/64]:443", "2001:db8::/32", "::/0"]),
        ])
    func order(request: String, ranked: [String]) throws {
        let patterns = try ranked.map { try #require(HostLookupTests.pattern($0)) }
        let split = try #require(request.lastIndex(of: ":"))
        let host = try CanonicalHost(text: String(request[..<split]))
        let port = try #require(UInt16(request[request.index(after: split)...]))
        for (index, pattern) in patterns.enumerated() {
            #expect(pattern.canonicalText == ranked[index])
            for later in patterns[(index + 1)...] {
                #expect(pattern.isMoreSpecific(than: later))
                #expect(!later.isMoreSpecific(than: pattern))
            }
        }
        for first in patterns.indices {
            let table = HostLookupTests.table(Array(patterns[first...].reversed()))
            let matching = patterns[first...].filter { $0.matches(host, port: port) }
            #expect(matching.count == patterns.count - first)
            let winner = try #require(table.lookUp(host, port: port))
            #expect(table.pattern(at: Int(winner.pattern)).canonicalText == ranked[first])
            let all = table.candidates(host, port: port)
            #expect(
                all.map { table.pattern(at: Int($0.pattern)).canonicalText }
                    == Array(ranked[first...]))
        }
    }

    @Test(
        "what a pattern does not cover",
        arguments: [
            ("*.a.example", "a.example"), ("**.a.example", "a.example"),
            ("*.a.example", "x.y.a.example"), ("*.a.example", "xa.example"),
            ("**.a.example", "xa.example"), ("a.example", "b.a.example"),
            ("a.example:1", "a.example"),
            ("10.0.0.0/8", "11.0.0.0"), ("0.0.0.0/0", "::1"), ("::/0", "1.2.3.4"),
            ("0.0.0.0/0", "a.example"), ("a.example", "1.2.3.4"),
        ])
    func misses(pattern: String, host: String) throws {
        let pattern = try #require(HostLookupTests.pattern(pattern))
        let host = try CanonicalHost(text: host)
        let table = HostLookupTests.table([pattern])
        #expect(!pattern.matches(host, port: 443))
        #expect(table.lookUp(host, port: 443) == nil)
        #expect(table.candidates(host, port: 443).isEmpty)
    }

    @Test("the index answers as the obvious matcher does, on 210,000 seeded pairs")
    func differential() throws {
        var random = RandomPolicies(seed: 20_261_121)
        var winners: [String: Int] = [:]
        for _ in 0..<1_400 {
            let patterns = Array(
                Set((0..<random.number(1...40)).map { _ in random.pattern() })
            ).sorted()
            let table = HostLookupTests.table(patterns)
            for _ in 0..<150 {
                let host = random.host()
                let port = random.pick([0, 1, 443, 8443, 65535] as [UInt16])
                var best: Int?
                for (index, pattern) in patterns.enumerated()
                where pattern.matches(host, port: port) {
                    if let current = best, !pattern.isMoreSpecific(than: patterns[current]) {
                        continue
                    }
                    best = index
                }
                let found = table.lookUp(host, port: port)
                winners[HostLookupTests.kind(best.map { patterns[$0] }), default: 0] += 1
                guard found.map({ Int($0.rule) }) != best else { continue }
                Issue.record("\(host) on \(port): \(patterns.map(\.canonicalText))")
                return
            }
        }
        #expect(winners.values.reduce(0, +) == 210_000)
        for kind in [
            "none", "name", "name:port", "*", "*:port", "**", "**:port", "address", "address:port",
            "network", "network:port",
        ] {
            #expect(winners[kind, default: 0] >= 1_000, "\(kind): \(winners)")
        }
    }

    @Test("candidates are all that match, most specific first")
    func candidates() throws {
        var random = RandomPolicies(seed: 77)
        var several = 0
        for _ in 0..<200 {
            let patterns = Array(
                Set((0..<random.number(1...40)).map { _ in random.pattern() })
            ).sorted()
            let table = HostLookupTests.table(patterns)
            for _ in 0..<20 {
                let host = random.host()
                let port = random.pick([1, 443, 9] as [UInt16])
                let expected = patterns.filter { $0.matches(host, port: port) }
                    .sorted { $0.isMoreSpecific(than: $1) }
                let found = table.candidates(host, port: port)
                #expect(found.map { table.pattern(at: Int($0.pattern)) } == expected)
                #expect(found.map { patterns[Int($0.rule)] } == expected)
                #expect(found.first == table.lookUp(host, port: port))
                if expected.count > 1 { several += 1 }
            }
        }
        #expect(several > 500)
    }

    @Test("many ports of one name, and a name of 127 labels")
    func extremes() throws {
        let ports = (1...2_000).map { HostPattern(host: .name("a.example"), port: UInt16($0 * 7)) }
        let deep = (0..<127).map { _ in "a" }.joined(separator: ".")
        let table = HostLookupTests.table(
            ports + [
                HostPattern(host: .name(deep), port: nil),
                HostPattern(host: .anyLabels(base: String(deep.dropFirst(2))), port: nil),
                HostPattern(host: .anyLabels(base: String(deep.dropFirst(4))), port: 9),
            ])
        let again = try PolicyTable(decoding: table.bytes, crypto: TableDigests())
        for index in stride(from: 0, to: 2_000, by: 97) {
            let match = try #require(
                again.lookUp(.name("a.example"), port: UInt16((index + 1) * 7)))
            #expect(Int(match.rule) == index)
            #expect(again.pattern(at: Int(match.pattern)) == ports[index])
        }
        #expect(again.lookUp(.name("a.example"), port: 8) == nil)
        #expect(again.lookUp(.name(deep), port: 9)?.rule == 2_000)
        #expect(again.candidates(.name(deep), port: 9).map(\.rule) == [2_000, 2_001, 2_002])
        #expect(again.lookUp(.name(String(deep.dropFirst(2))), port: 9)?.rule == 2_002)
    }

    private static func kind(_ pattern: HostPattern?) -> String {
        guard let pattern else { return "none" }
        let suffix = pattern.port == nil ? "" : ":port"
        switch pattern.host {
        case .name: return "name" + suffix
        case .oneLabel: return "*" + suffix
        case .anyLabels: return "**" + suffix
        case .address: return "address" + suffix
        case .network: return "network" + suffix
        }
    }

    /// A pattern from canonical text; the language's own scanner lives above the engine.
    static func pattern(_ text: String) -> HostPattern? {
        var host = text
        var port: UInt16?
        if host.hasPrefix("[") {
            let parts = host.dropFirst().split(separator: "]")
            host = String(parts[0])
            port = UInt16(parts[1].dropFirst())
        } else if host.filter({ $0 == ":" }).count == 1 {
            let parts = host.split(separator: ":")
            host = String(parts[0])
            port = UInt16(parts[1])
        }
        if host.hasPrefix("**.") {
            return HostPattern(host: .anyLabels(base: String(host.dropFirst(3))), port: port)
        }
        if host.hasPrefix("*.") {
            return HostPattern(host: .oneLabel(base: String(host.dropFirst(2))), port: port)
        }
        let parts = host.split(separator: "/")
        if let address = IPAddress(text: String(parts[0])) {
            guard parts.count == 2, let prefix = Int(parts[1]) else {
                return HostPattern(host: .address(address), port: port)
            }
            return HostPattern(host: .network(address, prefix: prefix), port: port)
        }
        return HostPattern(host: .name(host), port: port)
    }
}
