import Foundation
import Testing

/// What `hawser diff` says of the guards beside a policy and of other units: an author who wants a
/// weakening merged attacks these first.
@Suite("hawser diff and guards", .enabled(if: GitWorkshop.isHere, "this machine has no `git`"))
struct DiffGuardTests {
    static let policy = """
        hawser: 1
        default: deny
        profiles:
          strict:
            tls: { minimum-version: tls1.3 }
            revocation: { preset: require }
        rules:
          pay:
            hosts:
              - "**.pay.example"
            anchors: [system]
            profile: strict
            owner: payments
          shop:
            hosts:
              - "**.shop.example"
            anchors: [system]
            owner: web

        """
    static let tests = """
        hawser-test: 1
        at: 2026-11-21
        cases:
          payments-are-strict:
            host: api.pay.example
            expect: { rule: pay, tls.minimum-version: tls1.3, revocation.preset: require }
          nobody-else:
            host: stranger.example
            expect: { rule: deny }

        """
    static let assertions = """
        hawser-assert: 1
        assertions:
          payments:
            hosts:
              - "**.pay.example"
            at-least:
              tls.minimum-version: tls1.3
              revocation.preset: require
            owner: security
          shops-too:
            hosts:
              - "**.shop.example"
            no-weaker-than: { profile: ats }

        """
    static let allowances = """
        hawser-allow: 1
        allowances:
          old:
            hosts:
              - "**.shop.example"
            field: revocation.preset
            from: require
            to: best-effort
            reason: responder is replaced
            owner: web
            until: 2026-12-31

        """
    static let baseline = """
        {
          "schema": "hawser/baseline/1",
          "findings": [
            {
              "fingerprint": "0011223344556677",
              "code": "HW205",
              "file": "policy.yaml",
              "message": "one"
            }
          ]
        }

        """
    static let workflow = """
        on: [pull_request]
        jobs:
          trust:
            steps:
              - run: hawser diff --require no-weaker --base origin/main trust

        """

    /// A repository with a policy and each kind of guard, on `main`; `topic` is checked out.
    static func shop() throws -> GitWorkshop {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", policy)
        try shop.write("trust/policy.test.yaml", tests)
        try shop.write("trust/policy.assert.yaml", assertions)
        try shop.write("review/allowances.txt", allowances)
        try shop.write("trust/baseline.json", baseline)
        try shop.write(".github/workflows/trust.yml", workflow)
        try shop.commit("one")
        try shop.git(["checkout", "-q", "-b", "topic"])
        return shop
    }

    static func diff(
        _ shop: GitWorkshop, _ arguments: String..., at day: String = "2026-11-21"
    ) throws -> CommandRun {
        try CommandRun(
            ["diff", "--at", day, "--base", "main", "--require", "no-weaker"] + arguments,
            in: shop.repository,
            environment: shop.environment.merging(CommandRun.wide) { $1 })
    }

    // MARK: Attacks

    /// A change of one file of the repository.
    struct Attack: CustomTestStringConvertible, Sendable {
        let name: String
        let path: String
        var from = ""
        var to = ""
        /// The new name of the file.
        var renamed: String?
        /// What the line of the guard begins with.
        let told: String
        var testDescription: String { name }

        func make(_ shop: GitWorkshop) throws {
            let file = shop.repository.appending(path: path)
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            if let renamed {
                try shop.write(renamed, text)
                try FileManager.default.removeItem(at: file)
            } else if from.isEmpty {
                try shop.write(path, to)
            } else {
                #expect(text.contains(from), "\(name)")
                try shop.write(path, text.replacing(from, with: to))
            }
        }
    }

    static let attacks: [Attack] = [
        Attack(
            name: "an assertion is removed", path: "trust/policy.assert.yaml",
            from: assertions[assertions.range(of: "  shops-too:")!.lowerBound...].description,
            to: "", told: "assertion `shops-too` is removed"),
        Attack(
            name: "a value of an assertion is weaker", path: "trust/policy.assert.yaml",
            from: "minimum-version: tls1.3", to: "minimum-version: tls1.2",
            told: "assertion `payments` is weaker"),
        Attack(
            name: "a demand of an assertion is gone", path: "trust/policy.assert.yaml",
            from: "      revocation.preset: require\n", to: "",
            told: "assertion `payments` is weaker"),
        Attack(
            name: "an assertion is about fewer hosts", path: "trust/policy.assert.yaml",
            from: "- \"**.pay.example\"", to: "- \"api.pay.example\"",
            told: "assertion `payments` is weaker"),
        Attack(
            name: "an assertion is shorter", path: "trust/policy.assert.yaml",
            from: "    owner: security\n",
            to: "    owner: security\n    during: { until: 2027-01-31 }\n",
            told: "assertion `payments` is weaker"),
        Attack(
            name: "the profile that an assertion names is another",
            path: "trust/policy.assert.yaml",
            from: "profile: ats", to: "profile: baseline",
            told: "assertion `shops-too` is weaker"),
        Attack(
            name: "a file of assertions is renamed", path: "trust/policy.assert.yaml",
            renamed: "trust/policy.assert.yml",
            told: "2 assertions of `trust/policy.assert.yaml` are removed"),
        Attack(
            name: "a test is removed", path: "trust/policy.test.yaml",
            from: "  nobody-else:\n    host: stranger.example\n    expect: { rule: deny }\n",
            to: "", told: "test `nobody-else` is removed"),
        Attack(
            name: "a test expects less", path: "trust/policy.test.yaml",
            from: "minimum-version: tls1.3", to: "minimum-version: tls1.2",
            told: "test `payments-are-strict` expects less"),
        Attack(
            name: "a test drops an expectation", path: "trust/policy.test.yaml",
            from: ", revocation.preset: require", to: "",
            told: "test `payments-are-strict` expects less"),
        Attack(
            name: "a test asks of another host", path: "trust/policy.test.yaml",
            from: "host: stranger.example", to: "host: other.example",
            told: "test `nobody-else` expects less"),
        Attack(
            name: "a test file is renamed", path: "trust/policy.test.yaml",
            renamed: "trust/policy.test.yml",
            told: "2 tests of `trust/policy.test.yaml` are removed"),
        Attack(
            name: "a test file moves to a hidden folder", path: "trust/policy.test.yaml",
            renamed: "trust/.later/policy.test.yaml",
            told: "2 tests of `trust/policy.test.yaml` are removed"),
        Attack(
            name: "a test file is emptied", path: "trust/policy.test.yaml", to: "# later\n",
            told: "2 tests of `trust/policy.test.yaml` are removed"),
        Attack(
            name: "an allowance is added", path: "review/allowances.txt",
            from: "allowances:\n",
            to: "allowances:\n  more:\n    hosts: [\"**.pay.example\"]\n"
                + "    field: tls.minimum-version\n    from: tls1.3\n    to: tls1.2\n"
                + "    reason: soon\n    owner: payments\n    until: 2027-01-31\n",
            told: "allowance `more` is added"),
        Attack(
            name: "an allowance is longer", path: "review/allowances.txt",
            from: "until: 2026-12-31", to: "until: 2027-04-30",
            told: "allowance `old` lets more pass"),
        Attack(
            name: "an allowance is wider", path: "review/allowances.txt",
            from: "**.shop.example", to: "**.example", told: "allowance `old` lets more pass"),
        Attack(
            name: "a baseline hides more", path: "trust/baseline.json", from: "  \"findings\": [\n",
            to:
                "  \"findings\": [\n    { \"fingerprint\": \"8899aabbccddeeff\", \"code\": \"HW211\", "
                + "\"file\": \"policy.yaml\", \"message\": \"two\" },\n",
            told: "1 hidden finding of `trust/baseline.json` is added"),
        Attack(
            name: "an ignore comment is added", path: "trust/policy.yaml",
            from: "    owner: web\n",
            to: "    owner: web # hawser:ignore HW205 until=2027-01-31 -- soon\n",
            told: "the ignore comment of `HW205` on `owner: web` is added"),
        Attack(
            name: "a workflow no longer calls hawser", path: ".github/workflows/trust.yml",
            from: "hawser diff", to: "true diff",
            told: "`.github/workflows/trust.yml` is gone or no longer calls hawser"),
    ]

    @Test("an attack ends with 1, and names the guard in every format", arguments: attacks)
    func attacked(_ attack: Attack) throws {
        let shop = try Self.shop()
        let clean = try Self.diff(shop, "trust")
        #expect(clean.status == 0 && !clean.output.contains("guard"), "\(clean.transcript)")
        try attack.make(shop)
        let outputs = ["json", "markdown", "sarif", "github", "html"]
        let run = try Self.diff(
            shop, "trust", "--output", "json=o.json", "--output", "markdown=o.markdown",
            "--output", "sarif=o.sarif", "--output", "github=o.github", "--output", "html=o.html")
        #expect(run.status == 1, "\(run.transcript)")
        let lines = run.output.split(separator: "\n")
        #expect(lines.prefix(3).contains { $0.contains(attack.told) }, "\(run.output)")
        #expect(lines.contains("  - \(attack.told)"), "\(run.output)")
        for format in outputs {
            let text = try String(
                contentsOf: shop.repository.appending(path: "o.\(format)"), encoding: .utf8)
            // Each format writes code and file names in its own way.
            let bare = text.replacing("`", with: "").replacing("<code>", with: "")
                .replacing("</code>", with: "").replacing("&lt;", with: "<")
            let words = attack.told.replacing("`", with: "")
            #expect(bare.contains(words), "\(format): \(attack.told)\n\(text.prefix(3_000))")
        }
        // Committed and uncommitted changes are judged alike.
        try shop.git(["add", "-A"])
        #expect(try Self.diff(shop, "git:INDEX:trust").status == 1)
        try shop.commit("attack")
        #expect(try Self.diff(shop, "git:HEAD:trust").status == 1)
        let back = try CommandRun(
            ["diff", "git:HEAD:trust", "git:main:trust", "--at", "2026-11-21", "--require"]
                + ["no-weaker"], in: shop.repository, environment: shop.environment)
        // A test that asks of another host has lost the first one in both directions.
        let isLost = attack.to.contains("host: other")
        #expect(back.status == (isLost ? 1 : 0), "\(back.transcript)")
        #expect(back.output.contains("guards: "), "\(back.transcript)")
    }

    @Test("a yardstick that is weakened weakens the assertion that names it")
    func yardstick() throws {
        let shop = try Self.shop()
        try shop.write(
            "trust/policy.assert.yaml",
            Self.assertions.replacing("profile: ats", with: "profile: strict"))
        try shop.write(
            "trust/policy.yaml",
            Self.policy.replacing("    owner: web\n", with: "    profile: strict\n    owner: web\n")
        )
        try shop.commit("two")
        try shop.git(["branch", "-q", "-f", "main"])
        try shop.write(
            "trust/policy.yaml",
            Self.policy.replacing("    owner: web\n", with: "    profile: strict\n    owner: web\n")
                .replacing("tls1.3", with: "tls1.2"))
        let run = try Self.diff(shop, "trust")
        #expect(run.output.contains("  - assertion `shops-too` is weaker\n"), "\(run.output)")
        #expect(run.output.contains("(the named object changed)"))
    }

    @Test("what changes nothing is not told: a moved case, another order, a reason, an owner")
    func harmless() throws {
        let shop = try Self.shop()
        try shop.write(
            "trust/other.test.yaml",
            "hawser-test: 1\nat: 2026-11-21\ncases:\n  nobody-else:\n"
                + "    host: stranger.example\n    expect: { rule: deny }\n")
        try shop.write(
            "trust/policy.test.yaml",
            Self.tests.replacing(
                "  nobody-else:\n    host: stranger.example\n    expect: { rule: deny }\n", with: ""
            ))
        try shop.write(
            "trust/policy.assert.yaml",
            Self.assertions.replacing("owner: security", with: "owner: audit"))
        try shop.write(
            "review/other.yaml", Self.allowances.replacing("responder is", with: "responders are"))
        try FileManager.default.removeItem(
            at: shop.repository.appending(path: "review/allowances.txt"))
        try shop.write("notes/page.md", "call `hawser diff`\n")
        let run = try Self.diff(shop, "trust")
        #expect(run.status == 0 && !run.output.contains("guards"), "\(run.transcript)")
    }

    @Test("the opposite of each attack is stricter, and a date that moves is seen")
    func opposite() throws {
        let shop = try Self.shop()
        try shop.write(
            "trust/policy.test.yaml", Self.tests.replacing("at: 2026-11-21", with: "at: 2026-11-22")
        )
        try shop.write(
            "trust/policy.assert.yaml",
            Self.assertions.replacing(
                "- \"**.shop.example\"", with: "- \"**.shop.example\"\n      - \"**.mall.example\"")
        )
        try shop.write(
            ".github/workflows/trust.yml", Self.workflow.replacing("no-weaker", with: "equal"))
        let run = try Self.diff(shop, "trust")
        #expect(run.status == 0, "\(run.transcript)")
        #expect(run.output.contains("  + assertion `shops-too` is stricter\n"), "\(run.output)")
        #expect(run.output.contains("  ~ test `payments-are-strict` changes\n"))
        #expect(run.output.contains("at: 2026-11-21 -> 2026-11-22"))
        #expect(run.output.contains("`.github/workflows/trust.yml` changes, and calls hawser"))
        #expect(run.output.contains("now: - run: hawser diff --require equal"))
    }

    @Test("between tables and folders of no repository")
    func places() throws {
        let workshop = try Workshop(old: Self.policy, new: Self.policy)
        try workshop.write("old/policy.test.yaml", Self.tests)
        let folders = try workshop.run(
            "diff", "old", "new", "--at", "2026-11-21", "--require", "no-weaker")
        #expect(folders.status == 1, "\(folders.transcript)")
        #expect(folders.output.contains("2 tests of `policy.test.yaml` are removed"))
        #expect(folders.output.contains("      old/policy.test.yaml:4:3\n"))
        #expect(try workshop.run("compile", "old", "-o", "old.hwt").status == 0)
        let tables = try workshop.run(
            "diff", "old.hwt", "new", "--at", "2026-11-21", "--require", "no-weaker")
        #expect(tables.status == 0)
        #expect(
            tables.output.contains(
                "guards: not compared: `old.hwt` is a table, which has none\n"), "\(tables.output)")
    }

    // MARK: Allowances

    private static let allowed = """
          slow:
            hosts: ["**.pay.example"]
            field: tls.minimum-version
            from: tls1.3
            to: tls1.2
            also: ["now accepted: tls1.2"]
            reason: terminals are replaced
            owner: payments
            until: 2027-01-31

        """

    @Test(
        "an allowance of the very change passes, must be approved, and does not count with --allow-base"
    )
    func veryChange() throws {
        let shop = try Self.shop()
        let weak = Self.policy.replacing("tls1.3", with: "tls1.2")
        try shop.write("trust/policy.yaml", weak)
        try shop.write("review/allowances.txt", "hawser-allow: 1\nallowances:\n" + Self.allowed)
        // The assertion and the test that stand in the way are not part of this test.
        for name in ["test", "assert"] {
            try FileManager.default.removeItem(
                at: shop.repository.appending(path: "trust/policy.\(name).yaml"))
        }
        try shop.git(["checkout", "-q", "main"])
        try shop.git(["rm", "-q", "trust/policy.test.yaml", "trust/policy.assert.yaml"])
        try shop.git(["commit", "-q", "-m", "no tests"])
        try shop.git(["checkout", "-q", "-B", "topic"])
        let bare = try Self.diff(shop, "trust")
        #expect(bare.status == 1, "\(bare.transcript)")
        let run = try Self.diff(shop, "trust", "--allow", "review/allowances.txt")
        #expect(run.status == 0, "\(run.transcript)")
        #expect(run.output.contains("guards: 1 to approve (allowance `slow` is added), 1 stricter"))
        #expect(
            run.output.contains("      a change of this comparison needs it; it must be approved"))
        let base = try Self.diff(shop, "trust", "--allow", "review/allowances.txt", "--allow-base")
        #expect(base.status == 1, "\(base.transcript)")
        #expect(base.error.contains("allowance `slow` does not stand in the old policy's files"))
        // Once it is merged by itself, it counts.
        try shop.write("trust/policy.yaml", Self.policy)
        try shop.commit("allowance")
        try shop.git(["branch", "-q", "-f", "main"])
        try shop.write("trust/policy.yaml", weak)
        let merged = try Self.diff(
            shop, "trust", "--allow", "review/allowances.txt", "--allow-base")
        #expect(merged.status == 0, "\(merged.transcript)")
    }

    // MARK: Other units

    @Test("another unit that the change touches is named and compared")
    func otherUnit() throws {
        let shop = try Self.shop()
        try shop.write("mesh/policy.yaml", Self.policy)
        try shop.write("gone/policy.yaml", Self.policy)
        try shop.commit("two")
        try shop.git(["branch", "-q", "-f", "main"])
        try shop.write("trust/policy.yaml", Self.policy + "# text\n")
        try shop.write("mesh/policy.yaml", Self.policy.replacing("tls1.3", with: "tls1.2"))
        try shop.write("fresh/policy.yaml", Self.policy)
        try FileManager.default.removeItem(at: shop.repository.appending(path: "gone"))
        let run = try Self.diff(
            shop, "trust", "--output", "json=o.json", "--output", "sarif=o.sarif", "--output",
            "markdown=o.markdown", "--output", "github=o.github", "--output", "html=o.html")
        #expect(run.status == 1)
        for line in ["the policy\n", "the other unit `mesh`\n", "the other unit `fresh`\n"] {
            #expect(run.output.contains(line), "\(run.output)")
        }
        #expect(run.output.contains("the other unit `gone` is gone: moved or deleted"))
        // The pattern is the same in both units; neither hides the other.
        for (format, text) in [
            ("json", "\"unit\": \"mesh\""), ("sarif", "\"uri\": \"mesh/policy.yaml\""),
            ("sarif", "\"uri\": \"fresh/policy.yaml\""), ("github", "file=mesh/policy.yaml"),
            ("markdown", "the other unit `mesh`"), ("html", "the other unit <code>mesh</code>"),
        ] {
            let file = try String(
                contentsOf: shop.repository.appending(path: "o.\(format)"), encoding: .utf8)
            #expect(file.contains(text), "\(format)")
        }
        let apart = try Self.diff(shop, "trust", "--apart", "mesh/", "--apart", "fresh")
        #expect(apart.status == 0 && !apart.output.contains("mesh"), "\(apart.transcript)")
        // What cannot be compared is not passed over.
        try shop.write("mesh/policy.yaml", "hawser: 1\ndefault: maybe\n")
        let broken = try Self.diff(shop, "trust")
        #expect(broken.status == 2 && broken.error.contains("the other unit `mesh`"))
    }
}
