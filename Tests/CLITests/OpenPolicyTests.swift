import Foundation
import Testing

/// Which policy a command takes that is given none.
@Suite("a policy that the command line leaves open") struct OpenPolicyTests {
    private static let show = ["show", "api.acme.example"]

    private static func workshop(_ units: String...) throws -> Workshop {
        let workshop = try Workshop()
        let folder = workshop.folder
        try FileManager.default.createDirectory(
            at: folder.appending(path: "work"), withIntermediateDirectories: true)
        for unit in units {
            try FileManager.default.copyItem(
                at: folder.appending(path: "unit"), to: folder.appending(path: "work/\(unit)"))
        }
        return workshop
    }

    private static func run(
        _ arguments: [String], in workshop: Workshop, _ folder: String = "work"
    ) throws -> CommandRun {
        try CommandRun(arguments, in: workshop.folder.appending(path: folder))
    }

    @Test(
        "the only unit below the current folder is taken, and named",
        arguments: [
            show, ["check"], ["compile", "-o", "a.table"], ["forecast"],
            ["report", "--format", "json"],
            ["explain", "api.acme.example", "--chain", "../chain.pem", "--at", "2026-06-01"],
        ])
    func only(_ arguments: [String]) throws {
        let workshop = try Self.workshop("trust")
        let run = try Self.run(arguments, in: workshop)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.error.contains("note: the policy is `trust`, the only one below this folder\n"))
        let inside = try Self.run(
            arguments.map { $0.replacing("../", with: "../../") }, in: workshop, "work/trust")
        #expect(inside.status == 0 && !inside.error.contains("note: the policy"))
    }

    @Test("several units are all named, and none is one too")
    func several() throws {
        let workshop = try Self.workshop("a", "b")
        try expectGolden("open-policy-several", try Self.run(Self.show, in: workshop))
        let empty = try Self.workshop()
        try expectGolden("open-policy-none", try Self.run(Self.show, in: empty))
    }

    @Test(
        "the environment names a policy or a table, which is said; the command line is heard first")
    func environment() throws {
        let workshop = try Self.workshop("trust")
        let compiled = try Self.run(["compile", "-o", "a.table"], in: workshop)
        #expect(compiled.status == 0)
        func run(_ environment: [String: String], _ more: String...) throws -> CommandRun {
            try CommandRun(
                Self.show + more, in: workshop.folder.appending(path: "work"),
                environment: environment)
        }
        let policy = try run(["HAWSER_POLICY": "../unit"])
        #expect(policy.status == 0)
        #expect(policy.error.contains("note: the policy is `../unit`, by HAWSER_POLICY\n"))
        let table = try run(["HAWSER_TABLE": "a.table"])
        #expect(table.status == 0)
        #expect(table.error.contains("note: the policy is `a.table`, by HAWSER_TABLE\n"))
        let said = try run(["HAWSER_POLICY": "nowhere"], "--policy", "trust")
        #expect(said.status == 0 && !said.error.contains("nowhere"))
        let both = try run(["HAWSER_POLICY": "trust", "HAWSER_TABLE": "a.table"])
        #expect(both.status == 2 && both.error.contains("are both set and name two policies"))
        let wrong = try run(["HAWSER_POLICY": "a.table"])
        #expect(wrong.status == 2 && wrong.error.contains("`HAWSER_TABLE` names"))
        let empty = try run(["HAWSER_POLICY": ""])
        #expect(empty.status == 0 && empty.error.contains("the only one below this folder"))
    }

    @Test("a table that the environment names has no profiles, and no other policy answers for it")
    func profileOfTable() throws {
        let workshop = try Self.workshop("trust")
        #expect(try Self.run(["compile", "-o", "a.table"], in: workshop).status == 0)
        let run = try CommandRun(
            ["show", "--profile", "org"], in: workshop.folder.appending(path: "work"),
            environment: ["HAWSER_TABLE": "a.table"])
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.error.contains("a table has no profiles any more"))
    }

    /// A variable that was set for another purpose must not change what a gate judges.
    @Test(
        "gates and `compile` take no policy from the environment",
        arguments: [
            ["check"], ["lint"], ["compile", "-o", "a.table"], ["test"], ["assert"], ["diff"],
        ])
    func gates(_ arguments: [String]) throws {
        let workshop = try Self.workshop()
        let run = try CommandRun(
            arguments, in: workshop.folder.appending(path: "work"),
            environment: ["HAWSER_POLICY": "../unit"])
        #expect(run.status == 2)
    }

    @Test(
        "where several policies lie below, every command prints itself with the first of them",
        arguments: [
            (show, "hawser show api.acme.example --policy a"), (["check"], "hawser check a"),
            (["compile", "-o", "x"], "hawser compile -o x a"),
            (["diff"], "hawser diff git:HEAD a"), (["diff", "git:main"], "hawser diff git:main a"),
            (["diff", "--base", "main"], "hawser diff --base main a"),
            (["forecast"], "hawser forecast --policy a"),
            (["report", "--format", "json"], "hawser report --format json a"),
            (["log", "api.acme.example"], "hawser log api.acme.example --policy a"),
            (
                ["explain", "api.acme.example", "--chain", "../chain.pem"],
                "hawser explain api.acme.example --chain ../chain.pem --policy a"
            ),
            (["run", "--", "true", "--policy"], "hawser run --policy a -- true --policy"),
        ])
    func commands(_ arguments: [String], _ command: String) throws {
        let workshop = try Self.workshop("a", "b", "c")
        let run = try Self.run(arguments, in: workshop)
        #expect(run.status == (arguments[0] == "run" ? 125 : 2), "\(run.transcript)")
        #expect(
            run.error.contains(
                "3 policies lie below this folder: `a`, `b`, `c`; name one: `\(command)`\n"),
            "\(run.transcript)")
    }

    @Test("gates without a file of their own name the policies that lie here")
    func named() throws {
        let workshop = try Self.workshop("a", "b")
        for (words, page) in [(["test"], "test.md"), (["assert"], "assert.md")] {
            let run = try Self.run(words, in: workshop)
            #expect(run.status == 2)
            #expect(
                run.error.contains("the 2 policies are `a`, `b`, and `hawser help \(page)` says"),
                "\(run.transcript)")
        }
    }

    @Test("`test` runs the tests of the unit that the current folder lies in")
    func insideUnit() throws {
        let workshop = try Self.workshop("trust")
        try workshop.write(
            "work/trust/policy.test.yaml",
            """
            hawser-test: 1
            at: 2026-06-01
            cases:
              api: { host: "api.acme.example", expect: { rule: api } }

            """)
        let run = try Self.run(["test"], in: workshop, "work/trust/anchors")
        #expect(run.status == 0, "\(run.transcript)")
        #expect(run.output.contains("1 case, 0 failed"), "\(run.transcript)")
    }

    @Test(
        "a policy of the environment is named where a gate does not take it",
        arguments: [["lint"], ["check"], ["test"], ["assert"], ["diff"]])
    func unread(_ arguments: [String]) throws {
        let workshop = try Self.workshop()
        func run(_ folder: String) throws -> CommandRun {
            try CommandRun(
                arguments, in: workshop.folder.appending(path: folder),
                environment: ["HAWSER_POLICY": "/nowhere"])
        }
        let none = try run("work")
        #expect(none.status == 2 && none.error.contains("HAWSER_POLICY is not read here"))
        #expect(none.error.contains(" /nowhere`"), "\(none.transcript)")
        #expect(try !run("unit").transcript.contains("nowhere"))
    }

    @Test("a policy of the environment in place of the policy of the folder is named as such")
    func beside() throws {
        let workshop = try Self.workshop("trust")
        let run = try CommandRun(
            Self.show, in: workshop.folder.appending(path: "work/trust"),
            environment: ["HAWSER_POLICY": "../../unit"])
        #expect(run.status == 0)
        #expect(
            run.error.contains(
                "note: the policy is `../../unit`, by HAWSER_POLICY, which is not the policy of this folder\n"
            ))
    }

    @Test("`diff` and `log` take the only unit below, and a revision is of that unit")
    func repository() throws {
        guard GitWorkshop.isHere else { return }
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", GitHookTests.policy())
        try shop.commit("one")
        try shop.write("trust/policy.yaml", GitHookTests.policy(""))
        try shop.git(["add", "-A"])
        for words in [
            ["diff"], ["diff", "git:HEAD"], ["diff", "git:HEAD", "git:INDEX"],
            ["diff", "--base", "HEAD"], ["diff", "--base", "HEAD", "git:INDEX"],
        ] {
            let run = try CommandRun(
                words + ["--require", "no-weaker", "--at", "2026-11-21"], in: shop.repository,
                environment: shop.environment)
            #expect(run.status == 1, "\(run.transcript)")
            #expect(run.output.contains("weaker: `api.acme.example`"), "\(run.transcript)")
        }
        let log = try CommandRun(
            ["log", "api.acme.example"], in: shop.repository, environment: shop.environment)
        #expect(log.status == 0 && log.error.contains("the policy is `trust`"), "\(log.transcript)")
        try shop.write("other/policy.yaml", GitHookTests.policy())
        let several = try CommandRun(
            ["diff", "git:HEAD", "git:INDEX"], in: shop.repository, environment: shop.environment)
        #expect(several.status == 2)
        #expect(several.error.contains("as in `git:INDEX:other`"), "\(several.transcript)")
    }
}
