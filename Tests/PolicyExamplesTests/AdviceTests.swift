import Foundation
import LibCrypto
import PolicyCompiler
import Rendering
import TestPKI
import Testing
import TrustEngine

/// What `explain` offers to write, over whole policies: lines are for the asked host alone, and do
/// what they say.
@Suite("what explain offers to write") struct AdviceTests {
    /// The parts of the explanation in JSON that are looked at.
    private struct Printed: Decodable {
        struct Repair: Decodable {
            let text: String
            let snippet: [String]
        }
        struct Step: Decodable {
            let step: String
            let rule: String?
        }
        let repairs: [Repair]
        let steps: [Step]
    }

    /// Wherever a recipe's case is offered lines to write, the lines belong to a rule whose only
    /// pattern is the host that was asked for.
    @Test func everyCaseIsOfferedLinesForTheAskedHostAlone() throws {
        var offered = 0
        for recipe in Recipe.all {
            let table = try #require(try recipe.compile().table)
            let contents = table.contents()
            for entry in recipe.cases {
                let json = try entry.json(by: table)
                let printed = try JSONDecoder().decode(Printed.self, from: Data(json.utf8))
                let lines = printed.repairs.flatMap(\.snippet)
                guard !lines.isEmpty else { continue }
                offered += 1
                let rule = printed.steps.last { $0.step == "rule" }?.rule
                let hosts = contents.rules.first { $0.id == rule }?.hosts ?? []
                let asked = try CanonicalHost(text: entry.request().host)
                let covered = hosts.map { HostPattern(host: $0.host, port: nil).canonicalText }
                #expect(covered == [asked.text], "\(entry.name): \(lines)")
                #expect(lines.first == "waivers:", "\(entry.name): \(lines)")
                let text = try String(
                    contentsOf: entry.folder.appending(path: "explain.txt"), encoding: .utf8)
                #expect(lines.allSatisfy(text.contains), "\(entry.name)")
            }
        }
        #expect(offered >= 3)
    }

    // MARK: Policies of their own

    private static let root = Scenario().root("Advice Root", key: .p256("advice root"))
    private static let leaf = root.issueLeaf(dns: ["api.svc.example", "www.svc.example"])
    /// Ten days after the leaf has ended.
    private static let later =
        UTCInstant(text: "2026-09-10T00:00:00Z") ?? UTCInstant(secondsSinceEpoch: 0)

    /// A policy whose last lines are those of its only rule, or of its `default`.
    private static func policy(hosts: String?) -> String {
        let anchors = "anchors:\n  own:\n    pem: |\n" + InlinePolicy.literal(root.pem)
        guard let hosts else {
            return "hawser: 1\n" + anchors + "default:\n    anchors: [own]\n"
        }
        return "hawser: 1\ndefault: deny\n" + anchors
            + "rules:\n  svc:\n    hosts: [\(hosts)]\n    anchors: [own]\n"
    }

    private static func explain(
        _ policy: String, _ host: String, at time: UTCInstant, _ version: TLSVersion = .tls13
    ) throws -> (explanation: Explanation, repairs: [Repair], text: String) {
        let compilation = InlinePolicy.compile(policy)
        #expect(compilation.diagnostics.filter { $0.severity == .error }.map(\.message) == [])
        let table = try #require(compilation.table)
        let engine = try Engine(table: table, inputs: EngineInputs(), crypto: LibCryptoBackend())
        let explanation = engine.explain(
            TrustRequest(
                host: host, port: 443, presentedChain: [leaf.der], time: time,
                tls: .assumed(TLSParameters(version: version))))
        let finder = RepairFinder(
            TraceOutline(explanation.trace), explanation.verdict.violations, table: table)
        return (
            explanation, finder.repairs,
            TraceText.render(explanation)
        )
    }

    /// The faults that a waiver or another name could hide.
    private static let faults: [(String, UTCInstant, TLSVersion, [String])] = [
        ("pay.svc.example", Scenario.judgedAt, .tls13, ["name-mismatch"]),
        ("pay.svc.example", later, .tls13, ["expired", "name-mismatch"]),
        ("api.svc.example", later, .tls13, ["expired"]),
        ("api.svc.example", Scenario.judgedAt, .tls11, ["tls-version"]),
        ("pay.svc.example", later, .tls10, ["tls-version", "expired", "name-mismatch"]),
    ]

    /// Rules that cover more than one host.
    private static let wide = [
        "\"**.svc.example\"", "\"*.svc.example\"", "\"*.svc.example:443\"",
        "\"api.svc.example\", \"pay.svc.example\"", "\"api.svc.example\", \"**.svc.example\"", nil,
    ]

    @Test("a rule for more than one host is offered no line, whatever is wrong", arguments: wide)
    func nothingForARuleThatCoversMore(_ hosts: String?) throws {
        for (host, time, version, violations) in Self.faults {
            let (explanation, repairs, text) = try Self.explain(
                Self.policy(hosts: hosts), host, at: time, version)
            #expect(explanation.verdict.violations.map(\.id) == violations)
            #expect(!repairs.isEmpty)
            #expect(repairs.allSatisfy { $0.snippet.isEmpty }, "\(text)")
            let advice = text.split(separator: "what would change it").last ?? ""
            for part in ["waivers:", "identity:", "reference:", "tolerance", "minimum-version"] {
                #expect(!advice.contains(part), "\(text)")
            }
            #expect(advice.contains("in a rule of its own for `\(host)` alone"), "\(text)")
        }
    }

    @Test("a wrong name under a rule for the host alone is offered no line either")
    func nothingForAWrongName() throws {
        for (host, time, version, violations) in Self.faults
        where violations.contains("name-mismatch") {
            let (_, repairs, _) = try Self.explain(
                Self.policy(hosts: "\"pay.svc.example\""), host, at: time, version)
            #expect(repairs.allSatisfy { $0.snippet.isEmpty })
        }
    }

    @Test("a line written as it is printed lets the asked host pass, and says no more")
    func linesDoWhatTheySay() throws {
        for (host, time, version, violations) in Self.faults where violations.count == 1 {
            guard host == "api.svc.example" else { continue }
            for hosts in ["\"api.svc.example\"", "\"api.svc.example:443\""] {
                let policy = Self.policy(hosts: hosts)
                let (_, repairs, text) = try Self.explain(policy, host, at: time, version)
                let snippets = repairs.map(\.snippet).filter { !$0.isEmpty }
                #expect(snippets.count == 1, "\(text)")
                let lines = snippets.flatMap { $0 }.map { "    \($0)\n" }.joined()
                let after = try Self.explain(policy + lines, host, at: time, version)
                #expect(after.explanation.verdict.isAccept, "\(lines)")
                // A month later the waiver has ended, and is not offered a second time.
                let ended = try Self.explain(
                    policy + lines, host, at: time.advanced(bySeconds: 40 * 86_400), version)
                #expect(!ended.explanation.verdict.isAccept)
                #expect(ended.repairs.allSatisfy { $0.snippet.isEmpty }, "\(ended.text)")
            }
        }
    }
}
