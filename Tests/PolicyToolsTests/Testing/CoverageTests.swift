import Foundation
import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import TestPKI
import Testing
import TrustEngine

/// What the cases of a test ask of a policy, and what they leave out.
@Suite("coverage") struct CoverageTests {
    static let policy = """
        hawser: 1
        default: deny
        anchors:
          corp: { files: [corp.pem] }
        pins:
          pay:
            keys: { now: { spki: \(pin(leafKey)), at: leaf } }
            backups: { spare: { spki: \(pin(.p256("coverage spare"))) } }
        profiles:
          strict: { keys: { rsa-minimum: 3072 } }
        rules:
          payments:
            hosts: ["**.pay.example", "pay.example"]
            anchors: [corp]
            profile: strict
            pins: [pay]
            waivers:
              expired: { tolerance: 7d, until: 2027-03-01, reason: renewal, owner: net }
          site:
            hosts: ["*.site.example:8443"]
            anchors: [corp]
        """

    static let leafKey = TestKey.p256("coverage leaf")
    static let chain: [[UInt8]] = {
        let leaf = MarkedLint.root.issueLeaf(
            dns: ["pay.example"], key: leafKey, notBefore: day("2026-12-01"),
            notAfter: day("2027-06-01"))
        return [leaf.der]
    }()

    /// Parts of the answer as a text.
    static func text(_ blocks: [Block]) -> String {
        var document = Document(kind: "test", version: "0")
        document.blocks = blocks
        return TextWriter.write(document)
    }

    static func pin(_ key: TestKey) -> String {
        "sha256/\(Data(key.spkiSHA256).base64EncodedString())"
    }

    static func day(_ text: String) -> UTCInstant {
        UTCInstant(text: "\(text)T00:00:00Z") ?? UTCInstant(secondsSinceEpoch: 0)
    }

    static func table(_ text: String = policy) throws -> PolicyTable {
        let unit = PolicyUnit(
            files: [SourceFile(path: "policy.yaml", bytes: Array(text.utf8))],
            resources: FilesInMemory(files: MarkedLint.files), isDirectory: true)
        let compilation = CompilerPipeline.compile(unit, crypto: LibCryptoBackend())
        let problems = compilation.diagnostics.map(\.message)
        return try #require(compilation.table, "\(problems)")
    }

    static func observe(
        _ host: String, _ at: String, port: UInt16 = 443, chain: [[UInt8]]? = nil,
        _ table: PolicyTable
    ) throws -> CaseObservation {
        let engine = try Engine(table: table, crypto: LibCryptoBackend())
        let time = day(at)
        return CaseObservation(
            host: try CanonicalHost(text: host), port: port, time: time,
            explanation: chain.map {
                engine.explain(
                    TrustRequest(
                        host: host, port: port, presentedChain: $0, time: time,
                        tls: .assumed(TLSParameters(version: .tls13))))
            })
    }

    @Test("what no case asks is told with its place and a host to ask")
    func tellsGaps() throws {
        let table = try Self.table()
        let coverage = try PolicyCoverage(
            table,
            [
                Self.observe("pay.example", "2027-01-15", chain: Self.chain, table),
                Self.observe("a.pay.example", "2027-02-01", table),
            ])
        let text = Self.text(
            TestDocument.coverage(coverage, listsGaps: true) { "unit/\($0)" })
        #expect(
            text == """
                coverage 31.8% (7 of 22), from 2027-01-15 on
                  rules                1 of 3
                  hosts in time        2 of 6
                  outcomes of demands  4 of 13
                  no case asks a host that `default` decides (3 missing in all)
                      unit/policy.yaml:2:1, such as unlisted.example:443 at 2027-01-15T00:00:00Z
                  no case asks a host that rule `site` decides (6 missing in all)
                      unit/policy.yaml:19:3, such as x.site.example:8443 at 2027-01-15T00:00:00Z
                  no case asks a host of `**.pay.example` after 2027-03-01, when waiver `expired` ends
                      unit/policy.yaml:13:13, such as x.pay.example:443 at 2027-03-02T00:00:00Z
                  no case asks `pay.example` after 2027-03-01, when waiver `expired` ends
                      unit/policy.yaml:13:31, such as pay.example:443 at 2027-03-02T00:00:00Z
                  no case is refused by the demands on keys of `payments`
                      unit/policy.yaml:10:34, such as x.pay.example:443 at 2027-01-15T00:00:00Z
                  no case is refused by the service identity of `payments`
                      unit/policy.yaml:12:3, such as x.pay.example:443 at 2027-01-15T00:00:00Z
                  no case is refused by the anchors of `payments`
                      unit/policy.yaml:14:14, such as x.pay.example:443 at 2027-01-15T00:00:00Z
                  no case is refused by the pins of `payments`
                      unit/policy.yaml:16:11, such as x.pay.example:443 at 2027-01-15T00:00:00Z

                """)
    }

    @Test("a case at every gap closes it")
    func gapsClose() throws {
        let table = try Self.table()
        var cases = try [Self.observe("pay.example", "2027-01-15", chain: Self.chain, table)]
        let first = try PolicyCoverage(table, cases)
        for gap in first.gaps where gap.kind != .outcomes {
            cases.append(
                CaseObservation(
                    host: gap.witness.host, port: gap.witness.port, time: gap.time,
                    explanation: nil))
        }
        let second = try PolicyCoverage(table, cases)
        let left = second.gaps.filter { $0.kind != .outcomes }.map(\.sentence)
        // A class that no case asked was told once for all its intervals.
        #expect(
            left == [
                "no case asks a host of `**.pay.example` after 2027-03-01, when waiver `expired` "
                    + "ends"
            ])
    }

    @Test("an outcome is seen only where the verdict shows it")
    func outcomes() throws {
        let table = try Self.table()
        let other = MarkedLint.root.issueLeaf(
            dns: ["pay.example"], key: .p256("coverage other"), notBefore: Self.day("2026-12-01"),
            notAfter: Self.day("2027-06-01"))
        func left(_ chains: [[[UInt8]]]) throws -> [String] {
            try PolicyCoverage(
                table,
                chains.map { try Self.observe("pay.example", "2027-01-15", chain: $0, table) }
            ).gaps.filter { $0.kind == .outcomes && $0.sentence.contains("the pins") }
                .map(\.sentence)
        }
        #expect(try left([]) == ["no case meets or is refused by the pins of `payments`"])
        #expect(try left([Self.chain]) == ["no case is refused by the pins of `payments`"])
        #expect(
            try left([[other.der]]) == ["no case meets the pins of `payments` and is accepted"])
        #expect(try left([Self.chain, [other.der]]) == [])
    }

    @Test("a threshold that fails says where and by how many")
    func shortfall() throws {
        let table = try Self.table()
        let coverage = try PolicyCoverage(
            table, [Self.observe("pay.example", "2027-01-15", chain: Self.chain, table)])
        #expect(coverage.shortfall(below: coverage.tenths) == nil)
        let parts = "rules 1 of 3, hosts in time 1 of 6, outcomes of demands 4 of 13"
        #expect(
            coverage.shortfall(below: 875)
                == "coverage is 27.2% (6 of 22), below the 87.5% that `--minimum-coverage` asks "
                + "for: 14 more must be covered; \(parts)")
        #expect(coverage.shortfall(below: 1000)?.contains("16 more must be covered") == true)
        #expect(coverage.shortfall(below: 0) == nil)
    }

    @Test("lcov has the lines of rules, patterns and demands")
    func lcov() throws {
        let table = try Self.table()
        let coverage = try PolicyCoverage(
            table, [Self.observe("pay.example", "2027-01-15", chain: Self.chain, table)])
        #expect(
            CoverageLcov.render([(coverage, { "unit/\($0)" })])
                == """
                TN:
                SF:unit/policy.yaml
                DA:2,0
                DA:10,0
                DA:12,1
                DA:13,0
                DA:14,0
                DA:16,0
                DA:19,0
                DA:20,0
                DA:21,0
                LF:9
                LH:1
                end_of_record

                """)
    }

    /// Random policies: exactly the hosts and rules without a test are reported.
    @Test("random policies", arguments: [UInt64(0xC0_0001), 0xC0_0002])
    func random(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        for round in 0..<(Sample.isWhole ? 60 : 20) {
            let pair = RandomPair(&random)
            let (table, contents) = (pair.tables[0], pair.contents[0])
            var cases = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                CaseObservation(
                    host: pair.host(&random), port: RandomPair.port(&random),
                    time: RandomPair.instant(&random), explanation: nil)
            }
            cases.append(
                CaseObservation(
                    host: .name("x"), port: 443, time: RandomPair.since, explanation: nil))
            let note: Comment = "seed \(seed), round \(round)"
            // Every step closes at least one gap of rules or hosts, and none of another kind.
            var coverage = try PolicyCoverage(table, cases)
            let outcomes = coverage[.outcomes]
            var steps = 0
            while let gap = coverage.gaps.first(where: { $0.kind != .outcomes }) {
                cases.append(
                    CaseObservation(
                        host: gap.witness.host, port: gap.witness.port, time: gap.time,
                        explanation: nil))
                let next = try PolicyCoverage(table, cases)
                #expect(next.total.covered > coverage.total.covered, note)
                #expect(next.total.all == coverage.total.all, note)
                coverage = next
                steps += 1
                try #require(steps < 500, note)
            }
            #expect(coverage[.outcomes] == outcomes, note)
            #expect(coverage[.rules].covered == coverage[.rules].all, note)
            #expect(coverage[.hosts].covered == coverage[.hosts].all, note)
            // Each class has an interval for each of the deciding rule's ends.
            let classes = try HostClasses([table]).all()
            let expected = classes.reduce(0) { total, one in
                let index = one.deciders[0]
                let body: RuleBody?
                if index == HostClass.byDefault {
                    if case .body(let fallback) = contents.defaultRule {
                        body = fallback
                    } else {
                        body = nil
                    }
                } else {
                    body = contents.rules[index].body
                }
                guard let body else { return total + 1 }
                let ends =
                    body.waivers.map(\.until) + body.reportOnly.map(\.until)
                    + body.pins.compactMap { id in
                        contents.pinSets.first { $0.id == id }
                            .flatMap { $0.onExpiry == .fail ? nil : $0.enforceUntil }
                    }
                return total + 1 + Set(ends).count { $0 >= RandomPair.since }
            }
            #expect(coverage[.hosts].all == expected, note)
        }
    }
}
