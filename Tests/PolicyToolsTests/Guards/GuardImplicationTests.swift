import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Whether a new assertion or a new case of a test demands less than the old one: every kind of
/// demand, in both directions.
@Suite("guards: what implies what") struct GuardImplicationTests {
    private static let policy = """
        hawser: 1
        default: deny
        anchors:
          corp: { files: [corp.pem] }
          both: { files: [corp.pem, other.pem] }
          mixed: { files: [corp.pem], include: [system] }
        profiles:
          strict: { tls: { minimum-version: tls1.3 }, revocation: { preset: require } }
          loose: { tls: { minimum-version: tls1.2 } }
        rules:
          pay:
            hosts: ["**.pay.example"]
            anchors: [corp]
            profile: strict
          shop:
            hosts: ["**.shop.example"]
            anchors: [both]
        """

    /// How the guard of a file changes; nil where nothing is told.
    private static func relation(
        _ path: String, _ old: String, _ new: String, policies: (String, String) = (policy, policy),
        others: ([String: String], [String: String]) = ([:], [:])
    ) throws -> (relation: Relation, details: [String])? {
        func side(_ policy: String, _ others: [String: String], _ text: String) -> GuardSide {
            GuardSide(policies: others.merging(["": policy]) { $1 }, files: [path: text])
        }
        let changes = try side(policies.0, others.0, old)
            .changes(to: side(policies.1, others.1, new))
        #expect(changes.count <= 1, "\(changes)")
        // A row whose file cannot be read compares nothing.
        #expect(changes.allSatisfy { !"\($0)".contains("cannot be read") }, "\(changes)")
        return changes.first.map { ($0.relation, $0.details) }
    }

    /// Two statements of an assertion, the first of which demands less.
    struct Pair: CustomTestStringConvertible, Sendable {
        let less: String
        let more: String
        var testDescription: String { "\(less) | \(more)" }
    }

    private static let everything = "hosts: all"

    static let statements = rows.map { Pair(less: $0.0, more: $0.1) }

    private static let oldKey =
        "never-trusts: { spki: \(CoverageTests.pin(.p256("guard old"))) }"
    private static let newKey =
        "never-trusts: { spki: \(CoverageTests.pin(.p256("guard new"))) }"
    private static let bothKeys =
        "\(oldKey)\n    no-anchor: { spki: \(CoverageTests.pin(.p256("guard new"))) }"

    private static let rows: [(String, String)] = [
        ("at-least: { tls.minimum-version: tls1.2 }", "at-least: { tls.minimum-version: tls1.3 }"),
        ("at-least: { keys.rsa-minimum: 2048 }", "at-least: { keys.rsa-minimum: 3072 }"),
        ("at-least: { pins: bound }", "at-least: { pins: bound, anchors: no-system }"),
        ("at-least: { anchors: no-system }", "at-least: { pins: bound, anchors: no-system }"),
        ("at-least: { anchors: no-system }", "at-least: { anchors: [both] }"),
        ("at-least: { anchors: [both] }", "at-least: { anchors: [corp] }"),
        ("at-least: { anchors: no-system }", "at-least: { anchors: [pinned-keys] }"),
        (
            "at-least: { revocation.preset: best-effort }",
            "at-least: { revocation.preset: require }"
        ),
        (
            "at-least: { revocation.causes.stale: fail }",
            "at-least: { revocation.preset: require }"
        ),
        // The baseline holds no policy to its values where a waiver is in force.
        (
            "at-least: { tls.minimum-version: tls1.3 }",
            "at-least: { tls.minimum-version: tls1.3, keys.rsa-minimum: 2048 }"
        ),
        (
            "at-least: { tls.minimum-version: tls1.3 }",
            "at-least: { tls.minimum-version: tls1.3, revocation.causes.stale: report }"
        ),
        (
            "at-least: { transparency.minimum-scts: 2 }",
            "at-least: { transparency.minimum-scts: 3 }"
        ),
        (
            "at-least: { validity.maximum-lifetime: 398d }",
            "at-least: { validity.maximum-lifetime: 90d }"
        ),
        ("no-weaker-than: { profile: loose }", "no-weaker-than: { profile: strict }"),
        (
            "no-weaker-than: { profile: ats }",
            "no-weaker-than: { profile: ats }\n    at-least: { pins: bound }"
        ),
        (oldKey, bothKeys),
    ]

    private static func assertion(_ statement: String, _ terms: String = everything) -> String {
        "hawser-assert: 1\nassertions:\n  said:\n    \(terms)\n    \(statement)\n"
    }

    @Test("demands of an assertion", arguments: statements)
    func demands(_ pair: Pair) throws {
        let (less, more) = (Self.assertion(pair.less), Self.assertion(pair.more))
        #expect(try Self.relation("a.assert.yaml", more, less)?.relation == .weaker)
        #expect(try Self.relation("a.assert.yaml", less, more)?.relation == .stricter)
        for text in [less, more] {
            #expect(try Self.relation("a.assert.yaml", text, text) == nil)
        }
    }

    @Test("neither demand implies the other: the old one is lost")
    func neither() throws {
        let unlike: [(String, String)] = [
            ("at-least: { tls.minimum-version: tls1.3 }", "at-least: { keys.rsa-minimum: 3072 }"),
            ("no-weaker-than: { rule: pay }", "no-weaker-than: { rule: shop }"),
            ("no-weaker-than: default", "no-weaker-than: { profile: ats }"),
            ("at-least: { anchors: no-system }", "at-least: { anchors: [mixed] }"),
            (Self.oldKey, Self.newKey),
            (Self.oldKey.asAnchor, Self.newKey.asAnchor),
        ]
        for (one, other) in unlike {
            for (old, new) in [(one, other), (other, one)] {
                let change = try Self.relation(
                    "a.assert.yaml", Self.assertion(old), Self.assertion(new))
                #expect(change?.relation == .weaker, "\(old) | \(new)")
                #expect(change?.details.isEmpty == false)
            }
        }
    }

    @Test("hosts and time of an assertion")
    func terms() throws {
        let demand = "at-least: { tls.minimum-version: tls1.3 }"
        let wide = "hosts: [\"**.pay.example\"]"
        let terms: [(String, String)] = [
            ("hosts: [\"api.pay.example\"]", wide), (wide, "hosts: all"),
            ("hosts: [\"**.pay.example:443\"]", wide), ("hosts: [\"*.pay.example\"]", wide),
            ("\(wide)\n    during: { until: 2027-01-31 }", wide),
            ("\(wide)\n    during: { from: 2027-01-31 }", wide),
            (
                "\(wide)\n    during: { until: 2027-01-31 }",
                "\(wide)\n    during: { until: 2027-02-28 }"
            ),
        ]
        for (less, more) in terms {
            let (old, new) = (Self.assertion(demand, more), Self.assertion(demand, less))
            #expect(try Self.relation("a.assert.yaml", old, new)?.relation == .weaker, "\(less)")
            #expect(try Self.relation("a.assert.yaml", new, old)?.relation == .stricter, "\(less)")
        }
        // A beginning in the past, and an assertion whose time is over.
        let ended = Self.assertion(demand, "\(wide)\n    during: { until: 2026-01-31 }")
        let earlier = Self.assertion(demand, "\(wide)\n    during: { until: 2026-01-30 }")
        #expect(try Self.relation("a.assert.yaml", ended, earlier) == nil)
        #expect(
            try Self.relation(
                "a.assert.yaml", Self.assertion(demand, wide),
                Self.assertion(demand, "\(wide)\n    during: { from: 2026-01-31 }")) == nil)
    }

    @Test("what an assertion names is followed to its meaning")
    func names() throws {
        let edits: [(String, String, String)] = [
            ("no-weaker-than: { profile: strict }", "version: tls1.3", "version: tls1.2"),
            ("no-weaker-than: { rule: pay }", "preset: require", "preset: best-effort"),
            (
                "at-least: { anchors: [corp] }", "corp: { files: [corp.pem] }",
                "corp: { files: [corp.pem, other.pem] }"
            ),
            ("no-weaker-than: default", "default: deny", "default: { anchors: [corp] }"),
            // Weaker until the waiver ends, and equal from then on.
            (
                "no-weaker-than: { rule: pay }", "    profile: strict",
                "    profile: strict\n    waivers:\n"
                    + "      identity: { until: 2027-01-31, reason: names, owner: net }"
            ),
        ]
        for (statement, from, to) in edits {
            let text = Self.assertion(statement)
            let weak = Self.policy.replacing(from, with: to)
            #expect(weak != Self.policy)
            #expect(
                try Self.relation("a.assert.yaml", text, text, policies: (Self.policy, weak))?
                    .relation == .weaker, "\(statement)")
            #expect(
                try Self.relation("a.assert.yaml", text, text, policies: (weak, Self.policy))?
                    .relation == .stricter, "\(statement)")
        }
    }

    @Test("another unit that an assertion names")
    func units() throws {
        let text = Self.assertion("no-weaker-than: { unit: base }")
        func change(_ old: String?, _ new: String?) throws -> Relation? {
            func units(_ text: String?) -> [String: String] { text.map { ["base": $0] } ?? [:] }
            return try Self.relation(
                "a.assert.yaml", text, text, others: (units(old), units(new)))?.relation
        }
        let weak = Self.policy.replacing("version: tls1.3", with: "version: tls1.2")
        let unlike = Self.policy.replacing("anchors: [corp]", with: "anchors: [next]")
            .replacing("  both:", with: "  next: { files: [other.pem] }\n  both:")
        #expect(try change(Self.policy, Self.policy) == nil)
        #expect(try change(Self.policy, weak) == .weaker)
        #expect(try change(weak, Self.policy) == .stricter)
        // Neither unit is as strict as the other.
        #expect(try change(Self.policy, unlike) == .weaker)
        #expect(try change(unlike, Self.policy) == .weaker)
        // A unit that is gone is as strict as nothing.
        #expect(try change(Self.policy, nil) == .weaker)
    }

    @Test("expectations of a test")
    func expectations() throws {
        func test(_ expected: String) -> String {
            "hawser-test: 1\nat: 2026-11-21\ncases:\n  one:\n    host: api.pay.example\n"
                + "    expect: { rule: pay, \(expected) }\n"
        }
        let values: [(String, String)] = [
            ("tls.minimum-version: tls1.2", "tls.minimum-version: tls1.3"),
            ("keys.rsa-minimum: 2048", "keys.rsa-minimum: 3072"),
            ("validity.maximum-lifetime: none", "validity.maximum-lifetime: 90d"),
            ("pins: none", "pins: [a]"), ("pins: [a]", "pins: [b, a]"),
            ("anchors: [both, corp]", "anchors: [corp]"),
            ("identity.reference: host", "identity.reference: host-and-listed"),
            (
                "waivers.path: { until: 2027-02-28 }", "waivers.path: { until: 2027-01-31 }"
            ),
            ("waivers.path: { until: 2027-02-28 }", "waivers.path: none"),
            ("owner: web", "owner: web, tls.minimum-version: tls1.3"),
        ]
        for (less, more) in values {
            let (old, new) = (test(more), test(less))
            #expect(try Self.relation("a.test.yaml", old, new)?.relation == .weaker, "\(less)")
            #expect(try Self.relation("a.test.yaml", new, old)?.relation == .stricter, "\(less)")
            #expect(try Self.relation("a.test.yaml", old, old) == nil)
        }
        let unlike: [(String, String)] = [
            ("owner: web", "owner: net"), ("pins: [a]", "pins: [b]"),
            (
                "waivers.expired: { tolerance: 7d, until: 2027-02-28 }",
                "waivers.expired: { tolerance: 30d, until: 2027-01-31 }"
            ),
        ]
        for (one, other) in unlike {
            for (old, new) in [(one, other), (other, one)] {
                let change = try Self.relation("a.test.yaml", test(old), test(new))
                #expect(change?.relation == .incomparable, "\(old) | \(new)")
            }
        }
    }
}

extension String {
    /// The demand of `no-anchor` in place of `never-trusts`.
    fileprivate var asAnchor: String { replacing("never-trusts", with: "no-anchor") }
}
