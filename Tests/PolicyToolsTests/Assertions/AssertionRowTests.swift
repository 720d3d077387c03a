import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import TestPKI
import Testing
import TrustEngine

/// What the prover answers, a row for each of its rules: which classes of hosts, which instants,
/// and which side of a comparison.
@Suite("answers of the prover, row by row") struct AssertionRowTests {
    private static let time = UTCInstant(secondsSinceEpoch: 1_796_083_200)  // 2026-12-01T00:00:00Z

    private static let lost = CoverageTests.pin(.p256("assertion row lost"))

    static let policy = """
        hawser: 1
        default: deny
        anchors:
          corp: { files: [corp.pem] }
        pins:
          pay:
            keys: { now: { spki: \(CoverageTests.pin(CoverageTests.leafKey)), at: leaf } }
            backups: { spare: { spki: \(CoverageTests.pin(.p256("assertion row spare"))) } }
            enforce-until: 2027-03-31
            on-expiry: report
          held:
            keys: { now: { spki: \(CoverageTests.pin(CoverageTests.leafKey)), at: leaf } }
            backups: { spare: { spki: \(CoverageTests.pin(.p256("assertion row spare"))) } }
        profiles:
          org: { keys: { rsa-minimum: 3072 } }
        rules:
          strict:
            hosts: ["**.pay.example"]
            anchors: [corp]
            profile: org
            pins: [pay]
            owner: payments
          pinned:
            hosts: ["pinned.web.example"]
            anchors: [pinned-keys]
            pins: [held]
            forbidden-keys:
              lost: { spki: \(lost) }
          weak:
            hosts: ["old.pay.example:8443", "older.pay.example"]
            anchors: [corp, system]
            waivers:
              tls: { minimum-version: tls1.1, until: 2027-01-31, reason: rack, owner: net }
            owner: legacy
          lax:
            hosts: ["lax.web.example"]
            anchors: [corp]
            waivers:
              identity: { until: 2027-01-31, reason: names, owner: net }
          plain:
            hosts: ["plain.web.example"]
            anchors: [corp]
            waivers:
              identity: { until: 2027-06-30, reason: names, owner: net }

        """

    /// The same policy, in which every rule asks for longer keys.
    private static let stricter = policy.replacing("rsa-minimum: 3072", with: "rsa-minimum: 4096")

    private static func prove(
        _ lines: [String], hosts: String, beside neighbour: String = policy
    ) throws -> AssertionResult {
        let compilation = CompilerPipeline.compile(
            MarkedLint(policy).unit(), crypto: LibCryptoBackend())
        let checked = try #require(compilation.policy, "\(compilation.diagnostics)")
        let text =
            "hawser-assert: 1\nassertions:\n  row:\n"
            + (["hosts: \(hosts)"] + lines).map { "    \($0)\n" }.joined()
        let file = SourceFile(path: "policy.assert.yaml", bytes: Array(text.utf8))
        let read = AssertionFile.read(
            file, of: checked, resources: MarkedLint(policy).unit().resources,
            crypto: LibCryptoBackend())
        let messages = read.diagnostics.map(\.message)
        let assertion = try #require(read.assertions?.first, "\(messages)")
        let table = try CoverageTests.table(policy)
        let other = try CoverageTests.table(neighbour)
        let prover = AssertionProver(
            table, at: time, neighbours: NeighbourUnits { _ in other },
            crypto: LibCryptoBackend())
        return try prover.prove(assertion, in: file)
    }

    /// The answer in a line: `proved`, `stale`, or for each refutation the first demand that is not
    /// met, its first instant, its last one and the number of further classes.
    private static func answer(_ result: AssertionResult) -> String {
        switch result.verdict {
        case .proved: return "proved"
        case .stale: return "stale"
        case .refuted(let refutations):
            return refutations.map { one in
                let until = one.until.map { "\($0)" } ?? "for ever"
                let from = one.from == time ? "now" : "\(one.from)"
                return "\(one.gaps.first?.path ?? "") \(from) to \(until) +\(one.further)"
            }.joined(separator: "; ")
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let hosts: String
        let lines: [String]
        let answer: String

        init(_ lines: String..., hosts: String, is answer: String) {
            testDescription = ([hosts] + lines).joined(separator: ", ")
            self.hosts = hosts
            self.lines = lines
            self.answer = answer
        }
    }

    private static let pay = "[\"a.pay.example\"]"
    private static let old = "[\"older.pay.example\"]"
    private static let pinned = "[\"pinned.web.example\"]"
    private static let forbidding =
        "at-least: { forbidden-keys: { gone: { spki: \(lost) } } }"
    private static let unlisted = "[\"none.example\"]"

    private static let rows: [Row] = [
        // Hosts.
        Row("at-least: { keys.rsa-minimum: 3072 }", hosts: pay, is: "proved"),
        Row(
            "at-least: { keys.rsa-minimum: 3072 }", hosts: "[\"**.pay.example\"]",
            is: "keys.rsa-minimum now to for ever +1"),
        Row("at-least: { keys.rsa-minimum: 2048 }", hosts: unlisted, is: "stale"),
        Row("decision: deny", hosts: unlisted, is: "proved"),
        Row("decision: deny", hosts: pay, is: "decision now to for ever +0"),
        // Time.
        Row(
            "at-least: { tls.minimum-version: tls1.2 }", hosts: old,
            is: "tls.minimum-version now to 2027-01-31T23:59:59Z +0"),
        Row(
            "at-least: { tls.minimum-version: tls1.2 }", "during: { from: 2027-02-01 }",
            hosts: old, is: "proved"),
        Row(
            "at-least: { pins: bound }", hosts: pay,
            is: "pins 2027-04-01T00:00:00Z to for ever +0"),
        Row(
            "at-least: { pins: bound }", "during: { until: 2027-03-31 }", hosts: pay,
            is: "proved"),
        Row(
            "at-least: { pins: bound }", "during: { until: 2027-04-01T00:00:00Z }", hosts: pay,
            is: "pins 2027-04-01T00:00:00Z to for ever +0"),
        Row(
            "at-least: { pins: bound }", "during: { until: 2026-12-01T00:00:00Z }", hosts: pay,
            is: "proved"),
        Row(
            "at-least: { pins: bound }", "during: { until: 2026-11-30 }", hosts: pay, is: "stale"),
        Row(
            "exceptions: { waivers.tls: 2027-01-15 }", hosts: old,
            is: "waivers.tls 2027-01-16T00:00:00Z to 2027-01-31T23:59:59Z +0"),
        Row("exceptions: { waivers.tls: 2027-01-31 }", hosts: old, is: "proved"),
        // Anchors and pins of a floor.
        Row("at-least: { anchors: no-system }", hosts: pay, is: "proved"),
        Row("at-least: { anchors: no-system }", hosts: old, is: "anchors now to for ever +0"),
        Row("at-least: { anchors: [corp] }", hosts: pay, is: "proved"),
        Row("at-least: { anchors: [pinned-keys] }", hosts: pinned, is: "proved"),
        Row("at-least: { anchors: [pinned-keys] }", hosts: pay, is: "anchors now to for ever +0"),
        Row(forbidding, hosts: pinned, is: "proved"),
        Row(forbidding, hosts: pay, is: "forbidden-keys.gone now to for ever +0"),
        Row(
            "at-least: { pins: bound }", "during: { until: 2027-01-31 }", hosts: old,
            is: "pins now to for ever +0"),
        // Comparisons.
        Row("no-weaker-than: { rule: strict }", hosts: pay, is: "proved"),
        Row("no-weaker-than: { rule: weak }", hosts: pay, is: "proved"),
        Row(
            "no-weaker-than: { rule: lax }", hosts: "[\"plain.web.example\"]",
            is: "waivers.identity 2027-02-01T00:00:00Z to 2027-06-30T23:59:59Z +0"),
        Row("no-weaker-than: default", hosts: pay, is: "default now to for ever +0"),
        Row("no-weaker-than: { profile: org }", hosts: pay, is: "proved"),
        Row(
            "no-weaker-than: { profile: org }", hosts: "[\"plain.web.example\"]",
            is: "waivers.identity now to for ever +0"),
        Row("no-weaker-than: { unit: ../other }", hosts: pay, is: "proved"),
        Row("owned-by: payments", hosts: pay, is: "proved"),
        Row("owned-by: payments", hosts: old, is: "owner now to for ever +0"),
    ]

    @Test("answers", arguments: rows)
    func answers(row: Row) throws {
        let result = try Self.prove(row.lines, hosts: row.hosts)
        #expect(Self.answer(result) == row.answer)
    }

    @Test("another unit is asked for the same hosts")
    func units() throws {
        let line = "no-weaker-than: { unit: ../other }"
        let result = try Self.prove([line], hosts: Self.pay, beside: Self.stricter)
        #expect(Self.answer(result) == "keys.rsa-minimum now to for ever +0")
        // The rule of the older hosts is the same in both units.
        let same = try Self.prove([line], hosts: Self.old, beside: Self.stricter)
        #expect(same.isProved)
    }

    @Test("classes and refuted classes are counted")
    func counts() throws {
        let result = try Self.prove(
            ["at-least: { keys.rsa-minimum: 3072 }"], hosts: "[\"**.pay.example\"]")
        #expect(result.classes == 3 && result.refuted == 2, "\(result)")
        let all = try Self.prove(["at-least: { keys.rsa-minimum: 2048 }"], hosts: "all")
        #expect(all.isProved && all.refuted == 0)
    }
}
