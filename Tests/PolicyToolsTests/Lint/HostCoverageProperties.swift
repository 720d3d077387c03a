import Foundation
import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import TestPKI
import Testing
import TrustEngine

/// The whole-unit rules on hosts are exact: what they say of random policies is what asking the
/// compiled table about every host of a small world says. `HAWSER_FULL=1` asks of twenty times as
/// many policies.
@Suite("lint: hosts, against the table") struct HostCoverageProperties {
    private static let seed: UInt64 = 20_260_601
    private static var rounds: Int {
        Sample.isWhole ? 1_500 : 75
    }

    @Test("a unit of many ports over many names is given up on, and that is said")
    func tooMuch() {
        func items(_ texts: [String]) -> String {
            texts.map { "      - \"\($0)\"\n" }.joined()
        }
        let text =
            "hawser: 1\ndefault: deny\nrules:\n  a:\n    hosts:\n"
            + items((1...2500).map { "x.example:\($0)" })
            + "    anchors: [system]\n    owner: web\n"
            + "  b:\n    hosts:\n" + items((1...2500).map { "h\($0).x.example" })
            + "    anchors: [system]\n    owner: web\n"
        #expect(!MarkedLint(text).lint().isWhole)
        #expect(MarkedLint("hawser: 1\ndefault: deny\n").lint().isWhole)
    }

    @Test("every finding, and no other")
    func exact() throws {
        var random = SplitMix(state: Self.seed)
        var seen: [DiagnosticCode: Int] = [:]
        for round in 0..<Self.rounds {
            let policy = RandomUnit(&random)
            let world = try World(policy)
            let result = policy.lint()
            for code in [
                DiagnosticCode.shadowedRule, .unreachablePattern, .redundantRule, .weakerInside,
                .coveredPattern,
            ] {
                let found = policy.names(of: result.findings.filter { $0.code == code })
                    .subtracting(["z"])
                #expect(
                    found == world.expected(code),
                    "seed \(Self.seed), policy \(round), \(code.rawValue)\n\(policy.text)")
                seen[code, default: 0] += found.count
            }
        }
        // The world is one in which each of them happens.
        for code in [
            DiagnosticCode.shadowedRule, .unreachablePattern, .redundantRule, .weakerInside,
            .coveredPattern,
        ] {
            #expect((seen[code] ?? 0) > 0, "\(code.rawValue) was found \(seen[code] ?? 0) times")
        }
    }

    /// What the rules of the next test are made of.
    private static let bodies = [
        "anchors: [system]", "anchors: [corp]", "anchors: [corp, other]",
        "anchors: [system], profile: strict", "anchors: [corp], profile: strict",
        "anchors: [corp], tls: { minimum-version: tls1.3 }",
        "anchors: [corp], keys: { types: [rsa, p256] }", "anchors: [corp], keys: { types: [p384] }",
        "anchors: [corp], waivers: { identity: { reason: x, owner: o, until: 2026-09-01 } }",
    ]

    @Test("all fixes of a unit together leave no host with less than it had")
    func fixes() throws {
        var random = SplitMix(state: Self.seed)
        var applied = 0
        var changed = 0
        for round in 0..<Self.rounds {
            let unit = RandomUnit(&random)
            let fallback = (["deny"] + Self.bodies.map { "{ \($0), owner: o }" })
                .randomElement(using: &random)
            var text = """
                hawser: 1
                default: \(fallback ?? "deny")
                anchors:
                  corp: { files: [corp.pem], owner: o }
                  other: { files: [other.pem], owner: o }
                profiles:
                  strict: { keys: { rsa-minimum: 3072 } }
                rules:
                  z: { hosts: ["z.example"], anchors: [corp, other], profile: strict, owner: o }

                """
            for rule in unit.rules {
                let body = Self.bodies.randomElement(using: &random) ?? Self.bodies[0]
                let hosts = rule.hosts.map { "\"\($0)\"" }.joined(separator: ", ")
                text += "  \(rule.id): { hosts: [\(hosts)], \(body), owner: o }\n"
            }
            let marked = MarkedLint(text)
            let outcome = LintFixes.apply(
                to: marked.unit(), MarkedLint.options(), .all, crypto: LibCryptoBackend())
            applied += outcome.applied.count
            let after = outcome.changed[0] ?? marked.bytes
            let (before, now) = (
                try Deciders(text), try Deciders(String(decoding: after, as: UTF8.self))
            )
            for (host, port) in World.hosts {
                let (old, new) = (before.body(of: host, port), now.body(of: host, port))
                if old != new { changed += 1 }
                let lost = now.lost(from: old, to: new)
                #expect(
                    lost.isEmpty,
                    "seed \(Self.seed), unit \(round), \(host):\(port)\n\(lost)\n\(text)")
            }
        }
        // Fixes were made, and some of them changed what decides.
        #expect(applied > 100 && changed > 20, "\(applied) fixes, \(changed) changes")
    }
}

/// The bodies that decide the hosts of a unit.
private struct Deciders {
    private let table: PolicyTable
    private let bodies: [String: RuleBody]
    private let fallback: RuleBody?
    private let sets: TrustedSets

    init(_ text: String) throws {
        table = try World.table(text)
        let parts = CompilerPipeline.read(MarkedLint(text).unit(), crypto: LibCryptoBackend()).parts
        bodies = Dictionary(
            uniqueKeysWithValues: parts.bound.rules.map { ($0.id.value, parts.lowered($0.body)) })
        if case .body(let body)? = parts.bound.defaults.first?.action {
            fallback = parts.lowered(body)
        } else {
            fallback = nil
        }
        let lowered = parts.loweredSets
        sets = TrustedSets(anchorSets: lowered.anchors, pinSets: lowered.pins)
    }

    /// Nil where it is denied.
    func body(of host: CanonicalHost, _ port: UInt16) -> RuleBody? {
        table.lookUp(host, port: port).map { match in
            bodies[table.text(table.rule(at: Int(match.rule)).id)]
        } ?? fallback
    }

    /// What one body does not demand that another one did.
    func lost(from old: RuleBody?, to new: RuleBody?) -> [String] {
        guard let new, old != new else { return [] }
        guard let old else { return ["it was denied"] }
        return Weakening(sets, .notAsStrict).fields(of: new, against: old).map(\.comparison)
    }
}

/// A unit of random rules over few names, addresses and ports, no pattern twice.
private struct RandomUnit {
    struct Rule {
        var id: String
        var hosts: [String]
        var isStrict: Bool
    }
    var rules: [Rule] = []
    var fallback: String

    init(_ random: inout SplitMix) {
        fallback =
            ["deny", "{ anchors: [system] }", "{ anchors: [system], profile: strict }"]
            .randomElement(using: &random) ?? "deny"
        var left = RandomUnit.patterns.shuffled(using: &random)
        for index in 0..<Int.random(in: 2...5, using: &random) {
            let isAddress = Int.random(in: 0..<3, using: &random) == 0
            let count = Int.random(in: 1...(isAddress ? 2 : 4), using: &random)
            let chosen = left.filter { $0.hasPrefix("192") == isAddress }.prefix(count)
            guard !chosen.isEmpty else { continue }
            left.removeAll { chosen.contains($0) }
            rules.append(
                Rule(id: "r\(index)", hosts: Array(chosen), isStrict: Bool.random(using: &random)))
        }
    }

    static let patterns: [String] = {
        let names = ["x", "a.x", "b.x", "a.a.x", "b.a.x"]
        let forms = names.flatMap { name in ["", "*.", "**."].map { $0 + name } }
        let addresses = ["192.0.2.0", "192.0.2.1", "192.0.2.0/31", "192.0.2.0/30"]
        return (forms + addresses).flatMap { [$0, $0 + ":8443"] }
    }()

    func text(without left: String? = nil) -> String {
        var text = "hawser: 1\ndefault: \(fallback)\nprofiles:\n"
        text += "  strict: { keys: { rsa-minimum: 3072 } }\nrules:\n"
        for rule in rules where rule.id != left {
            let hosts = rule.hosts.map { "\"\($0)\"" }.joined(separator: ", ")
            let profile = rule.isStrict ? ", profile: strict" : ""
            text += "  \(rule.id): { hosts: [\(hosts)], anchors: [system]\(profile), owner: o }\n"
        }
        // Keeps the unit whole when all other rules are gone.
        return text
            + "  z: { hosts: [\"z.example\"], anchors: [system], profile: strict, owner: o }\n"
    }

    var text: String { text() }

    func lint() -> LintResult { MarkedLint(text).lint() }

    /// What findings stand at: ids of rules, or patterns without their quotes.
    func names(of findings: [Diagnostic]) -> Set<String> {
        let bytes = Array(text.utf8)
        return Set(
            findings.map { finding in
                let span = finding.primary.span
                let text = String(
                    decoding: bytes[Int(span.start)..<Int(span.end)], as: UTF8.self)
                let name = text.filter { $0 != "\"" }
                // Of rules that are weaker the first pattern is told; the rule is what counts.
                guard finding.code == .weakerInside else { return name }
                return rules.first { $0.hosts.contains(name) }?.id ?? name
            })
    }
}

/// Every host that matters, asked of the table.
private struct World {
    let unit: RandomUnit
    let whole: PolicyTable

    init(_ unit: RandomUnit) throws {
        self.unit = unit
        whole = try World.table(unit.text)
    }

    static func table(_ text: String) throws -> PolicyTable {
        let compilation = CompilerPipeline.compile(
            MarkedLint(text).unit(), crypto: LibCryptoBackend())
        return try #require(compilation.table, "\(compilation.diagnostics.map(\.message))")
    }

    /// Names of up to five labels, with one label that no policy has, and addresses; three ports,
    /// one of which no policy has.
    static let hosts: [(host: CanonicalHost, port: UInt16)] = {
        var names = ["x"]
        var layer = names
        for _ in 0..<4 {
            layer = layer.flatMap { name in ["a", "b", "q"].map { "\($0).\(name)" } }
            names += layer
        }
        let all = names + (0..<8).map { "192.0.2.\($0)" }
        return all.flatMap { text in
            [443, 8443].compactMap { port in
                (try? CanonicalHost(text: text)).map { ($0, port) }
            }
        }
    }()

    /// The pattern and the rule that decide a host; nil for `default`.
    private static func decision(
        _ table: PolicyTable, _ host: CanonicalHost, _ port: UInt16
    ) -> (pattern: String, rule: String)? {
        table.lookUp(host, port: port).map { match in
            (
                table.pattern(at: Int(match.pattern)).canonicalText,
                table.text(table.rule(at: Int(match.rule)).id)
            )
        }
    }

    func expected(_ code: DiagnosticCode) -> Set<String> {
        var deciding: [String: [(CanonicalHost, UInt16)]] = [:]
        for (host, port) in World.hosts {
            guard let found = World.decision(whole, host, port) else { continue }
            deciding[found.pattern, default: []].append((host, port))
        }
        var names: Set<String> = []
        for rule in unit.rules {
            let idle = rule.hosts.filter { deciding[$0] == nil }
            switch code {
            case .shadowedRule:
                if idle.count == rule.hosts.count { names.insert(rule.id) }
            case .unreachablePattern:
                if idle.count < rule.hosts.count { names.formUnion(idle) }
            case .coveredPattern: names.formUnion(covered(rule, deciding))
            default:
                let decided = rule.hosts.flatMap { deciding[$0] ?? [] }
                guard !decided.isEmpty, let other = try? World.table(unit.text(without: rule.id))
                else { continue }
                let others = decided.map { World.decision(other, $0, $1)?.rule }
                if code == .redundantRule {
                    if others.allSatisfy({ isStrict($0) == rule.isStrict }) {
                        names.insert(rule.id)
                    }
                } else if others.contains(where: { $0 != nil && isStrict($0) == true }),
                    !rule.isStrict
                {
                    names.insert(rule.id)
                }
            }
        }
        return names
    }

    /// Patterns of a rule without which the rule decides each of their hosts all the same.
    private func covered(
        _ rule: RandomUnit.Rule, _ deciding: [String: [(CanonicalHost, UInt16)]]
    ) -> Set<String> {
        guard rule.hosts.count > 1 else { return [] }
        var names: Set<String> = []
        for pattern in rule.hosts {
            guard let hosts = deciding[pattern] else { continue }
            var fewer = unit
            for index in fewer.rules.indices where fewer.rules[index].id == rule.id {
                fewer.rules[index].hosts.removeAll { $0 == pattern }
            }
            guard let table = try? World.table(fewer.text) else { continue }
            if hosts.allSatisfy({ World.decision(table, $0, $1)?.rule == rule.id }) {
                names.insert(pattern)
            }
        }
        return names
    }

    /// Whether what decides is strict: a rule by its id, `default` for nil; nil where it denies.
    private func isStrict(_ id: String?) -> Bool? {
        guard let id else {
            return unit.fallback == "deny" ? nil : unit.fallback.contains("strict")
        }
        return id == "z" || unit.rules.contains { $0.id == id && $0.isStrict }
    }
}
