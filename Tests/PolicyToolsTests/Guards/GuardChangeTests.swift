import PolicyTools
import Testing
import TrustEngine

/// Changes of allowances, ignore comments, exports and tests, and files of guards that cannot be
/// read: an author who wants a weakening merged makes them look harmless.
@Suite("guards: changes and their relations") struct GuardChangeTests {
    private static let policy = """
        hawser: 1
        default: deny
        anchors:
          corp: { files: [corp.pem] }
        rules:
          pay:
            hosts: ["**.pay.example"]
            anchors: [corp]
            owner: web
          shop:
            hosts: ["**.shop.example"]
            anchors: [corp]
            owner: net
        """

    /// Two texts of one file, how the guard changes from the first to the second, and back.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let path: String
        let old: String
        let new: String
        /// Nil where nothing is told.
        let there: Relation?
        let back: Relation?
    }

    private static func sides(_ row: Row) -> (GuardSide, GuardSide) {
        func side(_ text: String) -> GuardSide {
            // Ignore comments stand in the policy itself.
            row.path == "policy.yaml"
                ? GuardSide(policies: ["": text], files: [row.path: text])
                : GuardSide(policies: ["": policy], files: [row.path: text])
        }
        return (side(row.old), side(row.new))
    }

    static let rows = allowances + ignores + exports + cases

    @Test("a change and its opposite", arguments: rows)
    func changes(_ row: Row) throws {
        let (old, new) = Self.sides(row)
        for (changes, relation) in [
            (try old.changes(to: new), row.there), (try new.changes(to: old), row.back),
        ] {
            #expect(changes.map(\.relation) == [relation].compactMap(\.self), "\(changes)")
            #expect(changes.allSatisfy { !$0.details.isEmpty })
            // A row whose file cannot be read compares nothing.
            #expect(changes.allSatisfy { !"\($0)".contains("cannot be read") }, "\(changes)")
        }
        #expect(try old.changes(to: old) == [])
        #expect(try new.changes(to: new) == [])
    }

    @Test("a guard that is added, and one that is removed")
    func oneSide() throws {
        let finding =
            "{ \"fingerprint\": \"0011\", \"code\": \"HW205\", \"file\": \"policy.yaml\" }"
        let guards: [(path: String, text: String, added: Relation, removed: Relation)] = [
            (
                "a.assert.yaml",
                "hawser-assert: 1\nassertions:\n  a:\n    hosts: all\n    decision: deny\n",
                .stricter, .weaker
            ),
            (
                "a.test.yaml", Self.test("at: 2026-11-21", expecting: "rule: pay"), .stricter,
                .weaker
            ),
            ("exports.yaml", Self.exports[0].old, .stricter, .weaker),
            ("a.allow.yaml", Self.allowances[0].old, .weaker, .stricter),
            (
                "baseline.json",
                "{ \"schema\": \"hawser/baseline/1\", \"findings\": [\(finding)] }", .weaker,
                .stricter
            ),
            ("policy.yaml", Self.ignores[0].old, .weaker, .stricter),
            ("ci/check.yaml", "run: hawser diff\n", .incomparable, .weaker),
        ]
        for one in guards {
            let policy = one.path == "policy.yaml" ? one.text : Self.policy
            let without = GuardSide(policies: ["": Self.policy])
            let with = GuardSide(policies: ["": policy], files: [one.path: one.text])
            #expect(try without.changes(to: with).map(\.relation) == [one.added], "\(one.path)")
            #expect(try with.changes(to: without).map(\.relation) == [one.removed], "\(one.path)")
        }
    }

    // MARK: Allowances

    /// An allowance with one line that differs between the two sides.
    private static func allowance(
        _ old: String, _ new: String, _ there: Relation?, _ back: Relation?
    ) -> Row {
        func file(_ line: String) -> String {
            let lines = [
                "hosts: [\"**.shop.example\"]", "field: revocation.preset", "from: require",
                "to: best-effort", "reason: the responder is replaced", "owner: web",
                "until: 2026-12-31",
            ]
            let key = line.prefix { $0 != ":" }
            let others = lines.filter { !$0.hasPrefix("\(key):") }
            return "hawser-allow: 1\nallowances:\n  slow:\n"
                + (others + [line]).map { "    \($0)\n" }.joined()
        }
        return Row(
            testDescription: "\(old) | \(new)", path: "allowances.yaml", old: file(old),
            new: file(new), there: there, back: back)
    }

    private static let allowances = [
        allowance("hosts: [api.shop.example]", "hosts: [\"*.shop.example\"]", .weaker, .stricter),
        allowance("hosts: [\"**.shop.example\"]", "hosts: default", .weaker, .weaker),
        allowance(
            "hosts: [a.example, b.example]", "hosts: [b.example, a.example]", nil, nil),
        allowance("field: revocation.preset", "field: revocation.causes.stale", .weaker, .weaker),
        allowance("from: require", "from: best-effort", .weaker, .weaker),
        allowance("to: best-effort", "to: none", .weaker, .weaker),
        allowance("also: [a, b]", "also: [a]", .weaker, .weaker),
        allowance("also: [a, b]", "also: [b, a]", nil, nil),
        allowance("until: 2026-12-31", "until: 2027-01-31", .weaker, .stricter),
        // The sides are compared from the first second of 2026-11-21 on.
        allowance("until: 2026-10-31", "until: 2026-11-21T00:00:00Z", .weaker, .stricter),
        allowance("until: 2026-10-31", "until: 2026-11-20", nil, nil),
        allowance("reason: one", "reason: two", nil, nil),
    ]

    // MARK: Ignore comments

    /// The policy with a comment behind the owner of a rule on each side.
    private static func ignore(
        _ name: String, _ old: (owner: String, until: String?),
        _ new: (owner: String, until: String?), _ there: Relation?, _ back: Relation?
    ) -> Row {
        func file(_ comment: (owner: String, until: String?)) -> String {
            let end = comment.until.map { "until=\($0) " } ?? ""
            return policy.replacing(
                "owner: \(comment.owner)",
                with: "owner: \(comment.owner) # hawser:ignore HW605 \(end)-- soon")
        }
        return Row(
            testDescription: name, path: "policy.yaml", old: file(old), new: file(new),
            there: there, back: back)
    }

    private static let ignores = [
        ignore(
            "a comment lasts longer", ("web", "2027-01-31"), ("web", "2027-02-28"), .weaker,
            .stricter),
        ignore("a comment has no end", ("web", "2027-01-31"), ("web", nil), .weaker, .stricter),
        ignore(
            "a comment is of another line", ("web", "2027-01-31"), ("net", "2027-01-31"),
            .incomparable, .incomparable),
        ignore(
            "a comment of another line lasts longer", ("web", "2027-01-31"),
            ("net", "2027-02-28"), .weaker, .incomparable),
        ignore(
            "a comment of another line has no end", ("web", "2027-01-31"), ("net", nil), .weaker,
            .incomparable),
    ]

    // MARK: Exports

    private static func export(
        _ old: [String], _ new: [String], _ there: Relation?, _ back: Relation?
    ) -> Row {
        func file(_ lines: [String]) -> String {
            "hawser-exports: 1\nexports:\n  android:\n"
                + lines.map { "    \($0)\n" }.joined()
        }
        return Row(
            testDescription: "\(old) | \(new)", path: "exports.yaml", old: file(old),
            new: file(new), there: there, back: back)
    }

    private static let exports = [
        export(
            ["to: nsc", "file: a.xml"], ["to: nsc", "file: a.xml", "hosts: [a.example]"], .weaker,
            .stricter),
        export(["to: nsc", "file: a.xml"], ["to: nsc", "file: b.xml"], .weaker, .weaker),
        export(["to: nsc", "file: a.xml"], ["to: curl", "file: a.xml"], .weaker, .weaker),
        export(
            ["to: nsc", "file: a.xml"], ["to: nsc", "file: a.xml", "target-sdk: 23"],
            .incomparable, .incomparable),
    ]

    // MARK: Tests

    /// A case of a test with some lines and one expectation.
    private static func test(_ lines: String..., expecting text: String = "verdict: reject")
        -> String
    {
        "hawser-test: 1\ncases:\n  one:\n    host: api.pay.example\n"
            + lines.map { "    \($0)\n" }.joined() + "    expect: { \(text) }\n"
    }

    private static func asks(_ old: String, _ new: String) -> Row {
        func file(_ line: String) -> String {
            line.hasPrefix("at:")
                ? test(line, "chain: corp.pem") : test("at: 2026-11-21", "chain: corp.pem", line)
        }
        return Row(
            testDescription: "\(old) | \(new)", path: "policy.test.yaml", old: file(old),
            new: file(new), there: .incomparable, back: .incomparable)
    }

    /// A case with another expectation.
    private static func expects(
        _ lines: [String], _ old: String, _ new: String, _ there: Relation?, _ back: Relation?
    ) -> Row {
        func file(_ text: String) -> String {
            test((["at: 2026-11-21"] + lines).joined(separator: "\n    "), expecting: text)
        }
        return Row(
            testDescription: "\(old) | \(new)", path: "policy.test.yaml", old: file(old),
            new: file(new), there: there, back: back)
    }

    /// A case asks of another host.
    private static let otherHost = Row(
        testDescription: "another host", path: "policy.test.yaml",
        old: test("at: 2026-11-21", "chain: corp.pem"),
        new: test("at: 2026-11-21", "chain: corp.pem").replacing("api.pay", with: "www.pay"),
        there: .weaker, back: .weaker)

    private static let cases = [
        otherHost,
        asks("at: 2026-11-21", "at: 2026-11-22"),
        asks("at: 2026-11-21T00:00:00Z", "at: 2026-11-21T12:00:00Z"),
        asks("tls: tls1.3", "tls: tls1.2"),
        asks("system: corp.pem", "system: other.pem"),
        asks("crlite: good", "crlite: revoked"),
        asks(
            "crlite: good\n    crlite-newest: 2026-11-20T06:00:00Z",
            "crlite: good\n    crlite-newest: 2026-11-20T18:00:00Z"),
        expects(["chain: corp.pem"], "verdict: accept", "verdict: reject", .stricter, .weaker),
        expects([], "rule: deny", "rule: pay", .weaker, .stricter),
        expects([], "rule: pay", "rule: shop", .incomparable, .incomparable),
        expects(
            [], "pattern: \"**.pay.example\"", "pattern: \"*.pay.example\"", .incomparable,
            .incomparable),
        Row(
            testDescription: "the engine judges no more", path: "policy.test.yaml",
            old: test("at: 2026-11-21", "chain: corp.pem", expecting: "rule: pay"),
            new: test("at: 2026-11-21", expecting: "rule: pay"), there: .weaker,
            back: .incomparable),
    ]

    @Test("a file or folder of a case has other contents")
    func files() throws {
        func side(_ text: String, _ others: [String: String]) -> GuardSide {
            GuardSide(
                policies: ["": Self.policy], files: ["policy.test.yaml": text], others: others)
        }
        func change(_ text: String, _ old: [String: String], _ new: [String: String]) throws
            -> [GuardChange]
        {
            try side(text, old).changes(to: side(text, new))
        }
        let chain = Self.test("at: 2026-11-21", "chain: corp.pem")
        let proofs = Self.test("at: 2026-11-21", "chain: corp.pem", "evidence: proofs")
        let told = ["`corp.pem` has other contents", "`proofs` has other contents"]
        let file = try change(chain, ["corp.pem": "1"], ["corp.pem": "2"])
        #expect(file.map(\.relation) == [.incomparable] && file[0].details == [told[0]])
        let folder = try change(proofs, ["proofs/one.crl": "1"], ["proofs/one.crl": "2"])
        #expect(folder.map(\.relation) == [.incomparable] && folder[0].details == [told[1]])
        let added = try change(proofs, [:], ["proofs/two.crl": "1"])
        #expect(added.map(\.relation) == [.incomparable] && added[0].details == [told[1]])
        // Neither is a file of the case.
        #expect(try change(proofs, ["proofs-old/a.crl": "1"], ["proofs-old/a.crl": "2"]) == [])
        #expect(try change(proofs, ["proofs": "1"], ["other.pem": "2", "proofs": "1"]) == [])
    }

    // MARK: Files that cannot be read

    @Test("a file whose guards do not count is reported if it is new or changed")
    func unread() throws {
        func side(_ files: [String: String]) -> GuardSide {
            GuardSide(policies: ["": Self.policy], files: files)
        }
        func change(_ old: [String: String], _ new: [String: String]) throws -> [GuardChange] {
            try side(old).changes(to: side(new))
        }
        let broken = "hawser-assert: 1\nassertions:\n  a:\n    hosts: all\n"
        let path = "a.assert.yaml"
        for old in [[:], [path: broken + "# one\n"]] {
            let changes = try change(old, [path: broken])
            #expect(changes.map(\.relation) == [.incomparable], "\(changes)")
            #expect(changes.map(\.kind) == [.assertion] && changes.map(\.name) == [path])
        }
        #expect(try change([path: broken], [path: broken]) == [])
        for (text, kind) in [
            ("hawser-allow: 1\nallow:\n  a:\n    owners: web\n", GuardKind.allowance),
            ("hawser-exports: 1\nexports:\n  a: none\n", .export), (broken, .assertion),
        ] {
            let changes = try change([:], ["any.yaml": text])
            #expect(changes.map(\.relation) == [.incomparable], "\(changes)")
            #expect(changes.map(\.kind) == [kind], "\(changes)")
        }
        // The ending of a file's name decides its kind before its first key does. A file that
        // cannot be read has the same kind as a file that can.
        let allowance = "hawser-allow: 1\nallow:\n  a:\n    owners: web\n"
        #expect(try change([:], ["x.test.yaml": allowance]).map(\.kind) == [.test])
        #expect(try change([:], ["x.assert.yaml": allowance]).map(\.kind) == [.assertion])
        // A test in a hidden folder is skipped.
        let hidden = try change([:], [".later/a.test.yaml": Self.test("tls: none")])
        #expect(hidden.map(\.relation) == [.incomparable] && hidden.map(\.kind) == [.test])
        // An assertion that is lost is told once.
        let sound = broken + "    decision: deny\n"
        let lost = try change([path: sound], [path: broken])
        #expect(lost.map(\.relation) == [.weaker], "\(lost)")
    }
}
