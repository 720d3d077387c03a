import Foundation
import JSONSchemaSupport
import Testing

/// `hawser lint` and `hawser rule` as they are called.
@Suite("lint") struct LintTests {
    /// The time of the recipes' cases.
    static let at = ["--at", "2026-06-01T12:00:00Z"]

    static let policy = """
        hawser: 1
        default:
          anchors: [system]
          owner: web
        anchors:
          corp:
            files: [anchors/root.pem]
            owner: pki
        rules:
          all:
            hosts:
              - "**.acme.example"
            anchors: [corp]
            keys: { rsa-minimum: 3072 }
            owner: web
          shop:
            hosts:
              # hawser:ignore HW211 until=2026-12-31 -- the shop moves <b>\u{1F6A2}</b>
              - "shop.acme.example"
            anchors: [corp]
            owner: web
          mail:
            hosts:
              - MAIL.example
            anchors: [corp]
            owner: web

        """

    private static func workshop(_ policy: String = policy) throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write("unit/policy.yaml", policy)
        return workshop
    }

    @Test("what it says, and where, as goldens", arguments: FindingFormatTests.formats)
    func formats(_ format: String) throws {
        let run = try Self.workshop().run(["lint", "unit", "--format", format] + Self.at)
        #expect(run.status == 1)
        try expectGolden("lint-\(format)", format: format, run)
    }

    @Test("an audit tells remarks and what is hidden")
    func audit() throws {
        let run = try Self.workshop().run(["lint", "unit", "--level", "audit"] + Self.at)
        try expectGolden("lint-audit", run)
        #expect(run.output.contains("suppressed[HW211]"))
    }

    @Test("an audit tells in every format what is hidden", arguments: FindingFormatTests.formats)
    func auditFormats(_ format: String) throws {
        let run = try Self.workshop().run(
            ["lint", "unit", "--level", "audit", "--format", format] + Self.at)
        #expect(run.status == 1)
        #expect(run.output.contains("HW211"), "\(run.output)")
        #expect(run.output.contains("the shop moves"), "\(run.output)")
        if ["github", "jsonl", "junit"].contains(format) {
            try expectGolden("lint-audit-\(format)", run)
        }
    }

    @Test("a line of JSON is of the document's schema, told or suppressed")
    func lines() throws {
        let run = try Self.workshop().run(
            ["lint", "unit", "--level", "audit", "--format", "jsonl"] + Self.at)
        let schema = try JSONSchema(
            text: String(
                contentsOf: CommandRun.repository
                    .appending(path: "grammar/diagnostics.schema.json"), encoding: .utf8))
        var seen: [String: Int] = [:]
        for line in run.output.split(separator: "\n") {
            guard case .object(var members) = try JSONDocument(text: String(line)) else {
                Issue.record("\(line)")
                continue
            }
            #expect(members.removeValue(forKey: "schema") == .string("hawser/diagnostics/1"))
            let kind = members["finding"] == nil ? "diagnostic" : "suppressed"
            seen[kind, default: 0] += 1
            #expect(schema.violations(of: .object(members), definition: kind) == [])
        }
        #expect(seen == ["diagnostic": 4, "suppressed": 1])
    }

    @Test("JSON and SARIF are of their schemas, with what is suppressed")
    func schemas() throws {
        let workshop = try Self.workshop()
        let root = CommandRun.repository
        func schema(_ path: String) throws -> JSONSchema {
            try JSONSchema(
                text: String(contentsOf: root.appending(path: path), encoding: .utf8))
        }
        let json = try JSONDocument(
            text: workshop.run(["lint", "unit", "--format", "json"] + Self.at).output)
        let ours = try schema("grammar/diagnostics.schema.json")
        #expect(ours.violations(of: json) == [])
        #expect(json["suppressed"]?.items.count == 1)
        let sarif = try JSONDocument(
            text: workshop.run(["lint", "unit", "--format", "sarif"] + Self.at).output)
        let results = sarif["runs"]?.items.first?["results"]?.items ?? []
        #expect(results.count == 3)
        #expect(results.allSatisfy { $0["suppressions"] != nil })
        #expect(results.filter { !($0["suppressions"]?.items.isEmpty ?? true) }.count == 1)
        let shared = root.appending(path: "../shared/data/sarif-schema-2.1.0.json").standardized
        guard FileManager.default.fileExists(atPath: shared.path) else {
            print("the SARIF schema is absent: \(shared.path)")
            return
        }
        let text = try String(contentsOf: shared, encoding: .utf8)
        #expect(try JSONSchema(text: text).violations(of: sarif) == [])
    }

    @Test("what ends with 1 is asked for, and no format changes it")
    func status() throws {
        let workshop = try Self.workshop()
        func status(_ options: String...) throws -> Int32 {
            try workshop.run(["lint", "unit"] + Self.at + options).status
        }
        #expect(try status() == 1)
        #expect(try status("--fail-on", "error") == 0)
        #expect(try status("--exit-zero") == 0)
        #expect(try status("--ignore", "HW202,HW206") == 0)
        #expect(try status("--select", "HW211") == 0)
        #expect(try status("--select=host-not-canonical") == 1)
        for format in FindingFormatTests.formats {
            #expect(try status("--format", format) == 1)
        }
        try workshop.write("unit/policy.yaml", "hawser: 1\ndefault: deny\nrules: []\n")
        #expect(try status("--select", "HW211", "--fail-on", "error") == 1)
    }

    @Test(
        "what cannot be asked ends with 2",
        arguments: [
            ["--select", "HW999"], ["--ignore", "HW003"], ["--at", "yesterday"],
            ["--horizon", "3m"],
            ["--level", "loud"], ["--fix=everything"], ["--baseline", "absent.json"], ["--unknown"],
            ["absent"],
        ])
    func badUsage(_ options: [String]) throws {
        let run = try Self.workshop().run(["lint", "unit"] + options)
        #expect(run.status == 2)
        #expect(run.output.isEmpty && !run.error.isEmpty)
    }

    @Test("the argument parser and the short way read the same")
    func bothWays() throws {
        let workshop = try Self.workshop()
        // `--` is only for the parser.
        let short = try workshop.run(["lint", "--format", "concise", "unit"] + Self.at)
        let parsed = try workshop.run(["lint", "--format", "concise"] + Self.at + ["--", "unit"])
        #expect(short.output == parsed.output && short.status == parsed.status)
        #expect(!short.output.isEmpty)
        for option in ["--fix", "--fix=safe", "--fix=unsafe", "--fix-unsafe"] {
            let short = try workshop.run(["lint", "unit", option, "--diff"] + Self.at)
            let parsed = try workshop.run(["lint", option, "--diff"] + Self.at + ["--", "unit"])
            #expect(short.output == parsed.output && short.status == parsed.status)
        }
    }

    @Test("fixes are shown, then written, and nothing else is")
    func fixes() throws {
        let workshop = try Self.workshop()
        let path = workshop.folder.appending(path: "unit/policy.yaml")
        func text() throws -> String { try String(contentsOf: path, encoding: .utf8) }
        let shown = try workshop.run(["lint", "unit", "--diff"] + Self.at)
        #expect(shown.status == 1)
        try expectGolden("lint-diff", shown)
        #expect(try text() == Self.policy)
        let run = try workshop.run(["lint", "unit", "--fix", "--format", "concise"] + Self.at)
        try expectGolden("lint-fix", run)
        #expect(
            try text()
                == Self.policy.replacingOccurrences(of: "MAIL.example", with: "\"mail.example\""))
        let all = try workshop.run(["lint", "unit", "--fix=unsafe"] + Self.at)
        #expect(all.status == 0)
        #expect(try text().contains("      - \"acme.example\"\n      - \"**.acme.example\"\n"))
    }

    @Test("a baseline leaves aside what it lists, wherever its lines have gone")
    func baseline() throws {
        let workshop = try Self.workshop()
        let written = try workshop.run(
            ["lint", "unit", "--write-baseline", "known.json"] + Self.at)
        #expect(written.status == 0)
        let file = workshop.folder.appending(path: "known.json")
        let document = try JSONDocument(text: String(contentsOf: file, encoding: .utf8))
        let schema = try JSONSchema(
            text: String(
                contentsOf: CommandRun.repository.appending(path: "grammar/baseline.schema.json"),
                encoding: .utf8))
        #expect(schema.violations(of: document) == [])
        #expect(document["findings"]?.items.count == 2)

        let known = ["lint", "unit", "--baseline", "known.json"] + Self.at
        let quiet = try workshop.run(known)
        #expect(quiet.status == 0)
        #expect(quiet.error == "1 file linted: nothing found; 3 suppressed\n")
        try workshop.write(
            "unit/policy.yaml",
            Self.policy.replacingOccurrences(of: "rules:", with: "# a\n\nrules:"))
        #expect(try workshop.run(known).status == 0)
        // One more of the same kind is new, and one less is told.
        try workshop.write(
            "unit/policy.yaml",
            Self.policy.replacingOccurrences(
                of: "      - MAIL.example\n", with: "      - MAIL2.example\n"))
        let changed = try workshop.run(known + ["--format", "concise"])
        #expect(changed.status == 1)
        #expect(changed.output.contains("mail2.example"))
        #expect(changed.error.contains("1 finding of the baseline is gone"))
        // What no load accepts is told all the same.
        try workshop.write("unit/policy.yaml", Self.policy + "rules: {}\n")
        _ = try workshop.run(["lint", "unit", "--write-baseline", "all.json"] + Self.at)
        let refused = try workshop.run(["lint", "unit", "--baseline", "all.json"] + Self.at)
        #expect(refused.status == 1 && refused.output.contains("error[HW003]"))
    }

    @Test("a folder outside any unit stands for those below it, each by itself")
    func severalUnits() throws {
        let workshop = try Self.workshop()
        for name in ["b/one", "b/two"] {
            try FileManager.default.createDirectory(
                at: workshop.folder.appending(path: name), withIntermediateDirectories: true)
            try workshop.write(
                "\(name)/policy.yaml",
                "hawser: 1\ndefault: deny\npins: { a: { keys: { k: { spki-file: x } } } }\n")
        }
        let run = try workshop.run(["lint", ".", "--format", "concise"] + Self.at)
        #expect(run.status == 1)
        let files = run.output.split(separator: "\n").compactMap { $0.split(separator: ":").first }
        #expect(Set(files) == ["b/one/policy.yaml", "b/two/policy.yaml", "unit/policy.yaml"])
        let inside = try CommandRun(
            ["lint", "--format", "concise"] + Self.at,
            in: workshop.folder.appending(path: "b/one"))
        #expect(inside.output.hasPrefix("policy.yaml:3:"))
        let beside = try CommandRun(
            ["lint", "../two", "--format", "concise"] + Self.at,
            in: workshop.folder.appending(path: "b/one"))
        #expect(beside.output.hasPrefix("../two/policy.yaml:3:"))
        let none = try workshop.run("lint", "unit/anchors/..", "chain.pem")
        #expect(none.status == 1)
        let empty = try CommandRun(["lint", "b/one/.."], in: workshop.folder)
        #expect(empty.status == 1)
    }

    @Test("a page of the catalogue, by code and by name")
    func rule() throws {
        let workshop = try Workshop()
        let page = try workshop.run("rule", "HW211")
        #expect(page.status == 0)
        try expectGolden("rule-HW211", page)
        #expect(try workshop.run("rule", "weaker-inside").output == page.output)
        #expect(try workshop.run("rule", "hw211").output == page.output)
        let all = try workshop.run("rule", "--all", "--format", "markdown")
        let path = CommandRun.repository.appending(path: "grammar/diagnostics.md")
        let document = try String(contentsOf: path, encoding: .utf8)
        #expect(all.output == document)
        for arguments in [["rule"], ["rule", "HW999"], ["rule", "HW211", "--all"]] {
            #expect(try workshop.run(arguments).status == 2)
        }
        #expect(try workshop.run("rule", "weaker-insid").error.contains("did you mean"))
    }
}

/// The recipes, and the report of a fault in each.
@Suite("lint of the recipes") struct LintOfRecipesTests {
    static let policies = CommandRun.repository.appending(path: "policies")

    /// The commands that pages of `policies/` give for `lint`, by the page's path.
    private static let commands: [String: String] = {
        var found: [String: String] = [:]
        for page in ["README.md"] + recipes.map({ "\($0)/README.md" }) {
            let text = try? String(contentsOf: policies.appending(path: page), encoding: .utf8)
            found[page] = text?.split(separator: "`").first {
                $0.hasPrefix("hawser lint policies/")
            }
            .map(String.init)
        }
        return found
    }()

    @Test("every page names the same date, and lints its own policy at it")
    func dates() throws {
        let whole = try #require(Self.commands["README.md"])
        let date = try #require(whole.split(separator: " ").last)
        #expect(LintTests.at[1].hasPrefix(date))
        #expect(whole == "hawser lint policies/ --at \(date)")
        for recipe in Self.recipes {
            #expect(
                Self.commands["\(recipe)/README.md"]
                    == "hawser lint policies/\(recipe) --at \(date)", "\(recipe)")
        }
    }

    @Test("nothing is found by the command of a page", arguments: commands.values.sorted())
    func commandsFindNothing(_ command: String) throws {
        let words = command.split(separator: " ").dropFirst().map(String.init)
        let run = try CommandRun(words, in: CommandRun.repository)
        #expect(run.status == 0 && run.output.isEmpty, "\(run.output)")
    }

    @Test("nothing is found in them", arguments: ["default", "strict"])
    func clean(_ level: String) throws {
        let run = try CommandRun(
            ["lint", "policies/", "--level", level] + LintTests.at, in: CommandRun.repository)
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.isEmpty)
        #expect(run.error.contains("nothing found"))
    }

    static let recipes: [String] = {
        let all = try? FileManager.default.contentsOfDirectory(atPath: policies.path)
        return (all ?? []).sorted().filter {
            FileManager.default.fileExists(
                atPath: policies.appending(path: "\($0)/policy.yaml").path)
        }
    }()

    @Test("one fault in each is found", arguments: recipes)
    func seeded(_ recipe: String) throws {
        let copy = FileManager.default.temporaryDirectory
            .appending(path: "hawser-lint-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: copy) }
        try FileManager.default.copyItem(at: Self.policies.appending(path: recipe), to: copy)
        let path = copy.appending(path: "policy.yaml")
        let text = try String(contentsOf: path, encoding: .utf8)
        var found = 0
        for (right, wrong) in [
            ("anchors:", "ancors:"), (".example\"", ".example.\""), ("hosts: [\"", "hosts: [\"-"),
            ("system]", "sistem]"), ("\nrules:\n", "\nrules:\n\t"),
        ] {
            guard let place = text.range(of: right) else { continue }
            try Data(text.replacingCharacters(in: place, with: wrong).utf8).write(to: path)
            let run = try CommandRun(["lint", "."] + LintTests.at, in: copy)
            #expect(run.status == 1, "\(right) as \(wrong)\n\(run.error)")
            found += 1
        }
        #expect(found > 0)
    }
}
