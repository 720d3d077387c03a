import Foundation
import Testing

/// `hawser diff` with git as people have it: as a hook of a real `git commit`, and in clones.
@Suite("hawser diff and git", .enabled(if: GitWorkshop.isHere, "this machine has no `git`"))
struct GitHookTests {
    static func policy(_ demand: String = "    revocation: { preset: require }\n") -> String {
        """
        hawser: 1
        default: deny
        rules:
          api:
            hosts:
              - "api.acme.example"
            anchors: [system]
            owner: web

        """ + demand
    }

    /// Two commits: the strict policy on `main`, and nothing of weight on `topic`, which is checked
    /// out.
    func shop() throws -> GitWorkshop {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", Self.policy())
        try shop.write("notes", "one\n")
        try shop.commit("one")
        try shop.git(["checkout", "-q", "-b", "topic"])
        try shop.write("notes", "two\n")
        try shop.commit("two")
        return shop
    }

    /// Makes the hook that is run before each commit.
    func hook(_ shop: GitWorkshop, _ call: String) throws {
        let executable = try CommandRun.executable().path
        try ExecutableFile.write(
            script: "set -e\nhawser() { '\(executable)' \"$@\"; }\n\(call)",
            to: shop.repository.appending(path: ".git/hooks/pre-commit"))
    }

    static let call = "hawser diff --require no-weaker --base main git:INDEX:trust"

    func diff(_ shop: GitWorkshop, _ arguments: String..., at place: URL? = nil) throws
        -> CommandRun
    {
        try CommandRun(
            ["diff", "--at", "2026-11-21"] + arguments, in: place ?? shop.repository,
            environment: shop.environment)
    }

    @Test(
        "a commit is judged by what it takes, however it is made",
        arguments: [call, "cd trust && hawser diff --require no-weaker --base main git:INDEX"])
    func commits(_ call: String) throws {
        let shop = try shop()
        try hook(shop, call)
        let weak = Self.policy("")
        func commit(_ arguments: String..., blocked: Bool) throws {
            let text = try shop.git(
                ["commit", "-q", "-m", "x"] + arguments, status: blocked ? 1 : 0)
            #expect(text.contains("weaker: `api.acme.example`") == blocked, "\(text)")
        }
        // What lies in the folder does not count, only what was added.
        try shop.write("trust/policy.yaml", weak)
        try shop.write("notes", "three\n")
        try shop.git(["add", "notes"])
        try commit(blocked: false)
        // `commit -a` and `commit FILE` make an index of their own.
        try commit("-a", blocked: true)
        try commit("trust/policy.yaml", blocked: true)
        try shop.git(["add", "trust/policy.yaml"])
        try shop.write("trust/policy.yaml", Self.policy())
        try commit(blocked: true)
        try shop.write("notes", "four\n")
        try commit("notes", blocked: false)
        try commit("-a", "--allow-empty", blocked: false)
    }

    @Test("a linked work tree has its own index")
    func linked() throws {
        let shop = try shop()
        try hook(shop, Self.call)
        try shop.git(["worktree", "add", "-q", "-b", "side", "../linked"])
        let linked = shop.folder.appending(path: "linked")
        try shop.write("trust/policy.yaml", Self.policy(""), in: linked)
        let text = try shop.git(["commit", "-q", "-a", "-m", "x"], in: linked, status: 1)
        #expect(text.contains("weaker: `api.acme.example`"))
        try shop.write("trust/policy.yaml", Self.policy() + "# text\n", in: linked)
        try shop.git(["commit", "-q", "-a", "-m", "x"], in: linked)
    }

    @Test("a branch that is named is compared with where it began")
    func branch() throws {
        let shop = try shop()
        try shop.write("trust/policy.yaml", Self.policy(""))
        try shop.commit("weak")
        try shop.git(["checkout", "-q", "main"])
        let run = try diff(shop, "--require", "no-weaker", "--base", "main", "git:topic:trust")
        #expect(run.status == 1 && run.output.contains("weaker: `api.acme.example`"))
    }

    @Test(
        "a merge in progress is judged as its commit will be: what the base has is not the branch's",
        arguments: ["git:INDEX:trust", "trust"])
    func merging(_ new: String) throws {
        let shop = try shop()
        try shop.git(["checkout", "-q", "main"])
        try shop.write("trust/policy.yaml", Self.policy("    keys: { rsa-minimum: 3072 }\n"))
        try shop.commit("main asks for no status")
        try shop.git(["checkout", "-q", "topic"])
        try shop.git(["merge", "-q", "--no-ff", "--no-commit", "main"])
        let main = try shop.git(["rev-parse", "main"]).prefix(12)
        let own = try diff(shop, "--require", "no-weaker", "--base", "main", new)
        #expect(own.status == 0 && own.output.hasPrefix("equal: "), "\(own.transcript)")
        #expect(
            own.output.replacing("\n  ", with: " ")
                .contains("with the merge of `\(main)` in progress"))
        let lint = try CommandRun(
            ["lint", "--at", "2026-11-21", "--select", "HW803", "--base", "main", "trust"],
            in: shop.repository, environment: shop.environment)
        #expect(lint.status == 0, "\(lint.transcript)")
        // What the branch adds to the merge is its own.
        try shop.write("trust/policy.yaml", Self.policy(""))
        try shop.git(["add", "-A"])
        let more = try diff(shop, "--require", "no-weaker", "--base", "main", new)
        #expect(more.status == 1 && more.output.contains("keys.rsa-minimum"), "\(more.transcript)")
    }

    @Test("what a merge in progress brings from elsewhere than the base is the branch's")
    func mergingAnother() throws {
        let shop = try shop()
        try shop.git(["checkout", "-q", "-b", "side", "main"])
        try shop.write("trust/policy.yaml", Self.policy(""))
        try shop.commit("side is weaker")
        try shop.git(["checkout", "-q", "topic"])
        try shop.git(["merge", "-q", "--no-ff", "--no-commit", "side"])
        let run = try diff(shop, "--require", "no-weaker", "--base", "main", "git:INDEX:trust")
        #expect(run.status == 1 && run.output.hasPrefix("weaker: "), "\(run.transcript)")
    }

    @Test(
        "annotations name files from the repository's top, wherever the command runs",
        arguments: [["git:HEAD", "."], ["git:HEAD"], ["git:main", "git:INDEX"]])
    func annotations(_ sides: [String]) throws {
        let shop = try shop()
        try shop.write("trust/policy.yaml", Self.policy(""))
        try shop.git(["add", "-A"])
        let unit = shop.repository.appending(path: "trust")
        for format in ["github", "sarif"] {
            let run = try CommandRun(
                ["diff", "--at", "2026-11-21", "--format", format] + sides, in: unit,
                environment: shop.environment)
            let place = format == "github" ? "file=trust/policy.yaml,line=" : "trust/policy.yaml\""
            #expect(run.status == 0 && run.output.contains(place), "\(run.transcript)")
        }
        // Outside any work tree they are from the current folder.
        let folder = shop.folder.appending(path: "loose")
        try FileManager.default.copyItem(at: unit, to: folder)
        let loose = try CommandRun(
            ["diff", "--at", "2026-11-21", "--format", "github", "none", "."], in: folder,
            environment: shop.environment)
        #expect(loose.output.contains("file=policy.yaml,line="), "\(loose.transcript)")
    }

    @Test("each of several merge bases is compared, and said")
    func crissCross() throws {
        let shop = try shop()
        let topic = try shop.git(["rev-parse", "topic"])
        try shop.git(["checkout", "-q", "main"])
        try shop.write("other", "x\n")
        let main = try shop.commit("main")
        try shop.git(["merge", "-q", "--no-ff", "-m", "m", topic])
        try shop.git(["checkout", "-q", "topic"])
        try shop.git(["merge", "-q", "--no-ff", "-m", "m", main])
        let run = try diff(shop, "--base", "main", "trust")
        #expect(run.status == 0)
        #expect(run.output.contains("merge base 1 of 2") && run.output.contains("base 2 of 2"))
    }

    @Test("what cannot be compared ends with 2, and never reads as no change")
    func notCompared() throws {
        let shop = try shop()
        let unit = shop.repository.appending(path: "trust")
        try shop.git(
            ["clone", "-q", "--depth=1", "file://\(shop.repository.path)", "cut"], in: shop.folder)
        let cut = shop.folder.appending(path: "cut")
        let bare = shop.folder.appending(path: "bare.git")
        try shop.git(["clone", "-q", "--bare", shop.repository.path, "bare.git"], in: shop.folder)
        let home = shop.folder.appending(path: "home")
        try shop.write("trust/policy.yaml", Self.policy(), in: home)
        let runs = [
            try diff(shop, "git:gone", "trust"), try diff(shop, "--base", "gone", "trust"),
            try diff(shop, "git:HEAD:gone", "trust"), try diff(shop, "git:--all", "trust"),
            try diff(shop, "git:HEAD:../x", "trust"),
            try diff(shop, "git:HEAD~1", "trust", at: cut),
            try diff(shop, "git:INDEX:trust", "git:main:trust", at: bare),
            try diff(shop, "git:HEAD", "trust", at: home),
            try CommandRun(
                ["diff", "git:HEAD", "."], in: unit,
                environment: shop.environment.merging(["PATH": "/nowhere"]) { $1 }),
        ]
        for run in runs {
            #expect(run.status == 2 && run.output.hasPrefix("not compared: "), "\(run.transcript)")
            #expect(run.error.contains("not compared: "), "\(run.transcript)")
        }
        #expect(try diff(shop, at: unit).status == 0)
        #expect(try diff(shop, "git:topic:trust", "git:main:trust", at: bare).status == 0)
    }
}
