import Foundation
import JSONSchemaSupport
import Testing

/// The reference of the language as the command prints it: `hawser help language`, and
/// `hawser rule KEY`.
@Suite("the language's reference, printed") struct LanguageTests {
    private static func page() throws -> String {
        try String(
            contentsOf: CommandRun.repository.appending(path: "grammar/language.md"),
            encoding: .utf8)
    }

    @Test("`help language` prints the page without its comments")
    func help() throws {
        let run = try Workshop().run("help", "language")
        #expect(run.status == 0 && run.error.isEmpty)
        let lines = try Self.page().split(separator: "\n").filter { !$0.hasPrefix("<!--") }
        #expect(run.output.split(separator: "\n") == lines)
        #expect(!run.output.contains("\n\n\n") && run.output.hasSuffix("```\n"))
        #expect(!run.output.contains("<!--"))
    }

    @Test("`help PAGE.md` prints each page that a help text names; another name gets the list")
    func pages() throws {
        let workshop = try Workshop()
        for name in ["diff.md", "assert.md", "test.md", "audit.md", "forecast.md", "demands.md"] {
            let run = try workshop.run("help", name)
            #expect(run.status == 0 && run.error.isEmpty)
            let page = try String(
                contentsOf: CommandRun.repository.appending(path: "grammar/\(name)"),
                encoding: .utf8)
            let lines = page.split(separator: "\n").filter { !$0.hasPrefix("<!--") }
            #expect(run.output.split(separator: "\n") == lines)
        }
        #expect(
            try workshop.run("help", "language.md").output
                == workshop.run("help", "language").output)
        let unknown = try workshop.run("help", "spelling.md")
        #expect(unknown.status == 2 && unknown.output.isEmpty)
        #expect(
            unknown.error.contains("hawser has no page `spelling.md`; the pages are `language`"))
    }

    /// The tasks that a reader comes with, by the words that they ask with.
    @Test("`help language` answers tasks")
    func tasks() throws {
        let page = try Workshop().run("help", "language").output
        for task in [
            "exempt one host from a wildcard", "pin with a backup that I do not own",
            "ask for revocation evidence", "allow TLS 1.2 until a date",
        ] {
            #expect(page.contains(" … \(task)?\n"), "\(task)")
        }
    }

    @Test(
        "the entry of a key, as a golden",
        arguments: [
            "revocation.causes", "revocation.causes.stale", "waivers.tls", "hosts", "default",
        ])
    func entry(_ key: String) throws {
        let run = try Workshop().run("rule", key)
        #expect(run.status == 0)
        try expectGolden("rule-\(key)", run)
    }

    @Test("a path of a policy finds the key; a key and a code stand behind one another")
    func paths() throws {
        let workshop = try Workshop()
        let hosts = try workshop.run("rule", "hosts").output
        #expect(try workshop.run("rule", "rules.payments.hosts").output == hosts)
        let code = try workshop.run("rule", "HW211").output
        #expect(try workshop.run("rule", "hosts", "HW211").output == code + "\n" + hosts)
        let markdown = try workshop.run("rule", "hosts", "--format", "markdown").output
        #expect(try Self.page().contains(markdown))
    }

    @Test("an unknown key gets the nearest ones, and where all of them are")
    func unknown() throws {
        let run = try Workshop().run("rule", "revocation.cause")
        #expect(run.status == 2 && run.output.isEmpty)
        try expectGolden("rule-unknown-key", run)
        for (word, meant) in [("host", "hosts"), ("waiver.tls", "waivers.tls")] {
            let error = try Workshop().run("rule", word).error
            #expect(error.contains("did you mean") && error.contains("`\(meant)`"), "\(error)")
        }
    }

    @Test("JSON of keys and codes is of its schema")
    func json() throws {
        let schema = try JSONSchema(
            text: String(
                contentsOf: CommandRun.repository.appending(path: "grammar/rules.schema.json"),
                encoding: .utf8))
        let workshop = try Workshop()
        for arguments in [["revocation.causes"], ["HW211", "tls"], ["--all"]] {
            let run = try workshop.run(["rule"] + arguments + ["--format", "json"])
            #expect(run.status == 0)
            #expect(try schema.violations(of: JSONDocument(text: run.output)) == [])
        }
        let all = try workshop.run("rule", "--all", "--format", "json").output
        #expect(all.contains("\"key\": \"revocation.causes.stale\""))
        try expectGolden(
            "rule-key-json", try workshop.run("rule", "tls.minimum-version", "--format", "json"))
    }

    @Test("the starter policy, the help and the manual page name it")
    func links() throws {
        let workshop = try Workshop()
        _ = try workshop.run("init", "trust")
        let policy = try String(
            contentsOf: workshop.folder.appending(path: "trust/policy.yaml"), encoding: .utf8)
        #expect(policy.contains("# `hawser help language`"))
        #expect(try workshop.run("--help").output.contains("hawser help language"))
        #expect(try workshop.run("man").output.contains("hawser help language"))
        let readme = try String(
            contentsOf: CommandRun.repository.appending(path: "README.md"), encoding: .utf8)
        #expect(readme.contains("(grammar/language.md)"))
    }
}
