import Foundation
import JSONSchemaSupport
import Testing

@Suite("hawser compile, inspect and show")
struct TableCommandTests {
    @Test("compile prints two digests and writes the same bytes again")
    func compile() throws {
        let workshop = try Workshop()
        let first = try workshop.run("compile", "unit", "-o", "a.table")
        let second = try workshop.run("compile", "unit/policy.yaml", "-o", "b.table")
        try expectGolden("compile", first)
        #expect(first.status == 0)
        #expect(first.output == second.output)
        let bytes = try Data(contentsOf: workshop.folder.appending(path: "a.table"))
        #expect(try bytes == Data(contentsOf: workshop.folder.appending(path: "b.table")))
        let lines = first.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("policy digest sha256:") == true)
        #expect(lines.last?.hasPrefix("file digest sha256:") == true)
        let leftovers = try FileManager.default.contentsOfDirectory(atPath: workshop.folder.path)
            .filter { $0.hasSuffix(".new") }
        #expect(leftovers == [])
    }

    @Test("without provenance the meaning is the same and the bytes are not")
    func withoutProvenance() throws {
        let workshop = try Workshop()
        let whole = try workshop.run("compile", "unit", "-o", "a.table").output
            .split(separator: "\n")
        let dropped = try workshop.run("compile", "unit", "-o", "b.table", "--no-provenance")
            .output.split(separator: "\n")
        #expect(whole.first == dropped.first)
        #expect(whole.last != dropped.last)
    }

    @Test("a policy with errors is not compiled")
    func errors() throws {
        let workshop = try Workshop()
        try workshop.write("unit/policy.yaml", "hawser: 1\ndefault: denied\n")
        let run = try workshop.run("compile", "unit", "-o", "a.table")
        #expect(run.status == 1)
        #expect(run.output.contains("policy.yaml"))
        #expect(
            !FileManager.default.fileExists(
                atPath: workshop.folder.appending(path: "a.table").path))
    }

    @Test("a place that cannot be written ends with 2")
    func unwritable() throws {
        let run = try Workshop().run("compile", "unit", "-o", "no/such/folder/a.table")
        #expect(run.status == 2)
        #expect(run.error.contains("no/such/folder/a.table"))
    }

    @Test("inspect reads a table back")
    func inspect() throws {
        let workshop = try Workshop()
        _ = try workshop.run("compile", "unit", "-o", "a.table")
        let text = try workshop.run("inspect", "a.table")
        try expectGolden("inspect", text)
        #expect(text.status == 0)
        let json = try workshop.run("inspect", "a.table", "--format", "json")
        let document = try JSONDocument(text: json.output)
        let schema = try JSONSchema(
            text: String(
                contentsOf: CommandRun.repository.appending(path: "grammar/inspect.schema.json"),
                encoding: .utf8))
        #expect(schema.violations(of: document) == [])
        #expect(document["rules"]?.items.count == 4)
    }

    @Test("a table that was cut or altered is refused by name")
    func damaged() throws {
        let workshop = try Workshop()
        _ = try workshop.run("compile", "unit", "-o", "a.table")
        let file = workshop.folder.appending(path: "a.table")
        let bytes = try Data(contentsOf: file)
        try bytes.dropLast(7).write(to: file)
        let cut = try workshop.run("inspect", "a.table")
        #expect(cut.status == 2)
        #expect(cut.error.contains("truncated"))
        var altered = bytes
        altered[altered.count / 2] ^= 1
        try altered.write(to: file)
        let changed = try workshop.run("inspect", "a.table")
        #expect(changed.status == 2)
        #expect(changed.error.contains("altered"))
        #expect(changed.output == "")
        let explained = try workshop.run(
            "explain", "api.acme.example", "--table", "a.table", "--chain", "chain.pem")
        #expect(explained.status == 2)
    }

    @Test(
        "show flattens the rule of a host, and `default`",
        arguments: [
            ("api", ["api.acme.example"]), ("bare", ["a.b.acme.example:8443"]),
            ("denied", ["elsewhere.example"]), ("default", ["--default"]),
            ("flat", ["api.acme.example", "--format", "flat"]),
            ("api-all", ["api.acme.example", "--all"]), ("default-all", ["--default", "--all"]),
        ])
    func show(_ name: String, _ question: [String]) throws {
        let workshop = try Workshop()
        let run = try workshop.run(["show"] + question + ["--policy", "unit"])
        try expectGolden("show-\(name)", run)
        #expect(run.status == 0)
        let json = try workshop.run(
            ["show"] + question.prefix(1) + ["--policy", "unit", "--format", "json"])
        #expect(json.status == 0)
        let schema = try JSONSchema(
            text: String(
                contentsOf: CommandRun.repository.appending(path: "grammar/show.schema.json"),
                encoding: .utf8))
        #expect(schema.violations(of: try JSONDocument(text: json.output)) == [])
    }

    @Test(
        "hosts of one rule have the same flat form, and a policy file more or less changes nothing")
    func flatForm() throws {
        let workshop = try Workshop()
        let flat = ["--policy", "unit", "--format", "flat"]
        let one = try workshop.run(["show", "a.acme.example"] + flat)
        let before = try workshop.run(["show", "b.acme.example"] + flat)
        #expect(one.output == before.output)
        try workshop.write(
            "unit/more.policy.yaml",
            "hawser: 1\nprofiles:\n  unused:\n    keys: { rsa-minimum: 4096 }\n")
        let after = try workshop.run(["show", "b.acme.example"] + flat)
        #expect(after.output == before.output)
    }

    @Test(
        "show flattens a profile, built-in ones without a policy",
        arguments: ["strict", "ats", "baseline"])
    func profile(_ id: String) throws {
        let workshop = try Workshop()
        try workshop.write("unit/policy.yaml", TableCommandTests.policy(ruleUnder: id))
        let isBuiltIn = id != "strict"
        let question = ["show", "--profile", id] + (isBuiltIn ? [] : ["--policy", "unit"])
        let run = try workshop.run(question)
        try expectGolden("show-profile-\(id)", run)
        #expect(run.status == 0)
        let json = try workshop.run(question + ["--format", "json"])
        let schema = try JSONSchema(
            text: String(
                contentsOf: CommandRun.repository.appending(path: "grammar/show.schema.json"),
                encoding: .utf8))
        #expect(schema.violations(of: try JSONDocument(text: json.output)) == [])
        // A rule under the profile that writes nothing is judged by the same; what `ats` demands of
        // transparency needs a log list, which this policy has not.
        let rule = try workshop.run("show", "under.example", "--policy", "unit", "--format", "flat")
        let flat = try workshop.run(question + ["--format", "flat"])
        let held = Set(rule.output.split(separator: "\n"))
        let lines = flat.output.split(separator: "\n").dropFirst()
        #expect(lines.count > 40)
        for line in lines where !line.hasPrefix("transparency.") {
            #expect(held.contains(line), "\(line)")
        }
    }

    /// The workshop's policy with a profile of two layers and a rule under one.
    private static func policy(ruleUnder profile: String) -> String {
        Workshop.policy.replacing(
            "\nrules:\n",
            with: """

                  strict:
                    extends: org
                    keys: { types: [p256, p384] }
                    validity: { maximum-lifetime: 398d }
                    report-only: { lifetime: { until: 2027-03-31, note: measuring } }
                rules:
                  under:
                    hosts:
                      - "under.example"
                    anchors: [acme]
                    profile: \(profile)
                    transparency: { preset: none }

                """)
    }

    @Test(
        "a profile that is not there, or cannot be told from a table, ends with 2",
        arguments: [
            (["--profile", "orgg", "--policy", "unit"], "did you mean `org`?"),
            (["--profile", "org", "--table", "a.table"], "give the policy"),
            (["--profile", "org", "--default", "--policy", "unit"], "ask one"),
        ])
    func noProfile(_ question: [String], _ part: String) throws {
        let workshop = try Workshop()
        _ = try workshop.run("compile", "unit", "-o", "a.table")
        let run = try workshop.run(["show"] + question)
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.error.contains(part))
    }

    @Test("show asks for a host")
    func showBadHost() throws {
        for question in [["127.1"], [], ["a.example", "--default"]] {
            let run = try Workshop().run(["show"] + question + ["--policy", "unit"])
            #expect(run.status == 2)
            #expect(run.output == "")
        }
    }
}
