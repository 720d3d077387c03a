import Foundation
import Hawser
import HawserYAML
import PolicyCompiler
import Testing
import TrustEngine

@testable import HawserCommand

@Suite("policies of git revisions", .enabled(if: GitWorkshop.isHere, "this machine has no `git`"))
struct GitRevisionTests {
    static let policy = """
        hawser: 1
        default: deny
        rules:
          api:
            hosts:
              - "api.acme.example"
            anchors: [system]
            owner: web

        """

    static func rule(_ id: String, _ host: String) -> String {
        """
        hawser: 1
        rules:
          \(id):
            hosts:
              - "\(host)"
            anchors: [system]
            owner: web

        """
    }

    func open(
        _ shop: GitWorkshop, at place: URL? = nil, more: [String: String] = [:], seconds: Int = 30
    ) throws -> GitRepository {
        let folder = (place ?? shop.repository).path
        return try GitRepository.open(
            for: folder, current: folder, caller: shop.environment.merging(more) { $1 },
            seconds: seconds)
    }

    /// The code that a call throws; nil if it throws nothing.
    func refusal(_ body: () throws -> Void) throws -> NotCompared.Code? {
        do {
            try body()
            return nil
        } catch let problem as NotCompared {
            #expect(!problem.context.isEmpty && !problem.context.hasSuffix("."))
            return problem.code
        }
    }

    func refusal(
        _ revision: String, _ repository: GitRepository, path: String = "trust",
        limits: RootFolder.Limits = RootFolder.Limits()
    ) throws -> NotCompared.Code? {
        try refusal {
            let found = try repository.unit(
                try PolicyRevision.parse(revision), defaultPath: path, limits: limits)
            _ = CompilerPipeline.compile(found.unit, crypto: EngineLoader.makeBackend())
            if let problem = found.problem { throw problem }
        }
    }

    func compile(_ unit: PolicyUnit) -> Compilation {
        CompilerPipeline.compile(unit, crypto: EngineLoader.makeBackend())
    }

    /// Each file's path and octets, in the order of the unit.
    func octets(_ files: [SourceFile]) -> [[UInt8]] {
        files.map { Array($0.path.utf8) + [0] + $0.bytes }
    }

    // MARK: Names

    @Test("a revision is split at the first colon outside braces")
    func parse() throws {
        let rows: [(String, PolicyRevision)] = [
            ("git:main", PolicyRevision(place: .commit("main"))),
            ("git:HEAD~2:a/b", PolicyRevision(place: .commit("HEAD~2"), path: "a/b")),
            ("git:HEAD:", PolicyRevision(place: .commit("HEAD"), path: "")),
            ("git:HEAD:a b/ü/", PolicyRevision(place: .commit("HEAD"), path: "a b/ü")),
            ("git:INDEX", PolicyRevision(place: .index)),
            ("git:INDEX:x:y", PolicyRevision(place: .index, path: "x:y")),
            ("git:refs/heads/INDEX", PolicyRevision(place: .commit("refs/heads/INDEX"))),
            (
                "git:main@{2026-11-01 09:00}:trust",
                PolicyRevision(place: .commit("main@{2026-11-01 09:00}"), path: "trust")
            ),
        ]
        for (text, revision) in rows { #expect(try PolicyRevision.parse(text) == revision) }
        let refused: [(String, NotCompared.Code)] = [
            ("git:", .badRevision), ("git::trust", .badRevision), ("main", .badRevision),
            ("git:--all", .badRevision), ("git:a\nb", .badRevision), ("git:main:/etc", .badPath),
            ("git:main:../x", .badPath), ("git:main:a//b", .badPath), ("git:main:./a", .badPath),
            ("git:main:a\nb", .badPath), ("git:main:/", .badPath),
        ]
        for (text, code) in refused {
            #expect(try refusal { _ = try PolicyRevision.parse(text) } == code, "\(text)")
        }
    }

    // MARK: The same unit

    @Test(
        "a unit of a commit is that of the folder, octet by octet", arguments: ["sha1", "sha256"])
    func sameUnit(_ format: String) throws {
        let shop = try GitWorkshop(objectFormat: format)
        let folder = "trust of \"Ü\" & 'co'"
        let workshop = try Workshop()
        let unit = shop.repository.appending(path: folder)
        try FileManager.default.copyItem(
            at: workshop.folder.appending(path: "unit"), to: unit)
        try shop.write("\(folder)/teams/blue team.policy.yaml", Self.rule("blue", "b.acme.example"))
        try shop.write("\(folder)/README.md", "text\n")
        let id = try shop.commit("policy")
        let onDisk = try UnitLoader.load(paths: [unit.path])
        let repository = try open(shop)
        let path = try repository.path(of: unit.path)
        #expect(path == folder)
        let found = try repository.unit(try PolicyRevision.parse("git:HEAD"), defaultPath: path)
        #expect(found.root == folder && found.commit?.id == id)
        #expect(found.words == "`HEAD` (\(id.prefix(12)))")
        #expect(octets(found.unit.files) == octets(onDisk.files) && found.unit.isDirectory)
        let table = try #require(compile(found.unit).table)
        #expect(try table.bytes == #require(compile(onDisk).table).bytes)
        #expect(found.problem == nil)
        // A file inside a unit names that unit, as on disk. A folder stands only for its own unit.
        let head = try PolicyRevision.parse("git:HEAD")
        let inner = "\(folder)/teams/blue team.policy.yaml"
        let same = try repository.unit(head, defaultPath: inner)
        #expect(same.root == folder && octets(same.unit.files) == octets(onDisk.files))
        #expect(
            try refusal { _ = try repository.unit(head, defaultPath: "\(folder)/teams") } == .absent
        )
        #expect(
            try octets(repository.indexUnit(path: folder).unit.files) == octets(onDisk.files))
    }

    @Test("what would be skipped is told in the same words as on disk")
    func sameDiagnostics() throws {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", Self.policy)
        try shop.write("trust/Policy.YAML", Self.policy)
        try shop.write("trust/web.policy.yml", Self.rule("web", "w.acme.example"))
        try shop.write("trust/inner/policy.yaml", Self.policy)
        try shop.write("trust/inner/notes.yaml", "# text\nhawser: 1\n")
        try shop.write("trust/inner/other.yaml", "values: 1\n")
        try shop.write("trust/x.test.yaml", "hawser-test: 1\n")
        try shop.write("trust/.hidden/web.policy.yml", "hawser: 1\n")
        try shop.write("elsewhere/a", "text\n")
        try shop.link("trust/team.policy.yaml", to: "policy.yaml")
        try shop.link("trust/shared", to: "../elsewhere")
        try shop.link("trust/near", to: "inner")
        try shop.link("trust/far", to: "../elsewhere/a")
        try shop.link("trust/nowhere", to: "gone")
        try shop.link("trust/.link", to: "/etc")
        try shop.commit("policy")
        let onDisk = try UnitLoader.load(paths: [shop.repository.appending(path: "trust").path])
        let repository = try open(shop)
        let units = [
            try repository.unit(try PolicyRevision.parse("git:HEAD:trust"), defaultPath: ""),
            try repository.indexUnit(path: "trust"),
        ]
        #expect(onDisk.diagnostics.count == 5)
        for unit in units {
            #expect(unit.unit.diagnostics == onDisk.diagnostics)
            #expect(octets(unit.unit.files) == octets(onDisk.files))
            #expect(octets(unit.unit.mentioned) == octets(onDisk.mentioned))
        }
    }

    @Test("the top itself, a file outside any unit, and a path that is not there")
    func places() throws {
        let shop = try GitWorkshop()
        try shop.write("loose/only.yaml", Self.policy)
        try shop.write("empty/README.md", "text\n")
        try shop.commit("one")
        try shop.write("policy.yaml", Self.policy)
        try shop.commit("two")
        let repository = try open(shop)
        let top = try repository.unit(try PolicyRevision.parse("git:HEAD:"), defaultPath: "empty")
        #expect(top.root == "" && top.unit.files.map(\.path) == ["policy.yaml"])
        let old = try PolicyRevision.parse("git:HEAD~1")
        let loose = try repository.unit(old, defaultPath: "loose/only.yaml")
        #expect(loose.root == "loose" && !loose.unit.isDirectory)
        #expect(loose.unit.files.map(\.path) == ["only.yaml"])
        #expect(try refusal("git:HEAD~1:empty", repository) == .absent)
        #expect(try refusal("git:HEAD~1:", repository) == .absent)
        #expect(try refusal("git:HEAD~1:trust", repository) == .absent)
        #expect(try refusal("git:HEAD~1:loose/only.yaml/more", repository) == .absent)
        #expect(try refusal("git:INDEX:trust", repository) == .absent)
    }

    // MARK: Commits

    @Test("a missing, an odd and an ambiguous revision")
    func revisions() throws {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", Self.policy)
        let first = try shop.commit("one")
        try shop.git(["tag", "-a", "-m", "x", "annotated"])
        try shop.git(["branch", "both"])
        try shop.write("trust/policy.yaml", Self.policy + "# more\n")
        try shop.commit("two")
        try shop.git(["tag", "both"])
        // A repository may not hide an ambiguity.
        try shop.git(["config", "core.warnAmbiguousRefs", "false"])
        let repository = try open(shop)
        #expect(try refusal("git:gone", repository) == .unknownRevision)
        #expect(try refusal("git:HEAD~7", repository) == .unknownRevision)
        #expect(try refusal("git:HEAD^{tree}", repository) == .unknownRevision)
        #expect(try refusal("git:^HEAD", repository) == .unknownRevision)
        #expect(try refusal("git:HEAD~1..HEAD", repository) == .unknownRevision)
        #expect(try refusal("git:\(String(repeating: "0", count: 40))", repository) != nil)
        #expect(try refusal("git:both", repository) == .ambiguousRevision)
        #expect(try repository.commit("refs/heads/both").id == first)
        #expect(try repository.commit("annotated").id == first)
        #expect(try repository.commit(first).words == "`\(first.prefix(12))`")
    }

    @Test("a criss-cross merge has two merge bases, unrelated histories none")
    func mergeBases() throws {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", Self.policy)
        let root = try shop.commit("root")
        try shop.git(["checkout", "-q", "-b", "left"])
        try shop.write("left", "x")
        let left = try shop.commit("left")
        try shop.git(["checkout", "-q", "-b", "right", root])
        try shop.write("right", "x")
        let right = try shop.commit("right")
        try shop.git(["merge", "-q", "--no-ff", "-m", "m", left])
        try shop.git(["checkout", "-q", "left"])
        try shop.git(["merge", "-q", "--no-ff", "-m", "m", right])
        try shop.git(["checkout", "-q", "--orphan", "alone"])
        try shop.commit("alone")
        let repository = try open(shop)
        func bases(_ one: String, _ other: String) throws -> [String] {
            try repository.mergeBases(
                try repository.branch(of: .commit(one)), try repository.commit(other)
            ).map(\.id)
        }
        #expect(try bases("left", "right") == [left, right].sorted())
        #expect(try bases("main", "right") == [root])
        #expect(try refusal { _ = try bases("alone", "right") } == .noMergeBase)
    }

    @Test("a shallow clone says so, and has no merge base that it may be wrong about")
    func shallow() throws {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", Self.policy)
        for name in ["one", "two"] { try shop.commit(name) }
        try shop.git(["checkout", "-q", "-b", "topic"])
        for name in ["three", "four"] { try shop.commit(name) }
        try shop.git(["checkout", "-q", "main"])
        try shop.commit("five")
        let from = "file://\(shop.repository.path)"
        try shop.git(
            ["clone", "-q", "--depth=1", "--no-single-branch", from, "cut"], in: shop.folder)
        try shop.git(
            ["clone", "-q", "--depth=3", "--no-single-branch", from, "deep"], in: shop.folder)
        let cut = try open(shop, at: shop.folder.appending(path: "cut"))
        #expect(cut.isShallow)
        #expect(try refusal("git:HEAD", cut) == nil)
        #expect(try refusal("git:HEAD~1", cut) == .shallowClone)
        #expect(try refusal("git:origin/gone", cut) == .shallowClone)
        let tip = try cut.branch(of: nil)
        let topic = try cut.commit("origin/topic")
        #expect(try refusal { _ = try cut.mergeBases(tip, topic) } == .shallowClone)
        let deep = try open(shop, at: shop.folder.appending(path: "deep"))
        #expect(deep.isShallow)
        let bases = try deep.mergeBases(
            try deep.branch(of: nil), try deep.commit("origin/topic"))
        #expect(try bases.map(\.id) == [shop.git(["rev-parse", "main~1"])])
    }

    // MARK: Objects

    @Test("a partial clone with a blob missing fetches nothing and runs nothing")
    func partialClone() throws {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", Self.policy)
        try shop.write("other/big", "text\n")
        try shop.commit("one")
        try shop.git(["config", "uploadpack.allowFilter", "true"])
        try shop.git(["config", "uploadpack.allowAnySHA1InWant", "true"])
        for filter in ["blob:none", "tree:0"] {
            let name = "partial-\(filter.prefix(4))"
            let clone = shop.folder.appending(path: name)
            try shop.git(
                [
                    "clone", "-q", "--no-checkout", "--filter=\(filter)",
                    "file://\(shop.repository.path)", name,
                ], in: shop.folder)
            let trap = try shop.trap(name)
            try shop.git(["config", "remote.origin.uploadpack", trap.program.path], in: clone)
            try shop.git(["config", "protocol.allow", "always"], in: clone)
            try shop.git(["config", "protocol.file.allow", "always"], in: clone)
            let before = try shop.snapshot(of: clone)
            #expect(try refusal("git:HEAD", open(shop, at: clone)) == .missingObject, "\(filter)")
            #expect(try shop.snapshot(of: clone) == before)
            #expect(!FileManager.default.fileExists(atPath: trap.marker.path))
            // The trap works: without the switches, git runs it.
            _ = try? shop.git(["cat-file", "-p", "HEAD:trust/policy.yaml"], in: clone)
            #expect(FileManager.default.fileExists(atPath: trap.marker.path))
        }
    }

    @Test("a blob that is missing is told only where it is read")
    func missingBlob() throws {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", Self.policy)
        try shop.write("trust/README.md", "text\n")
        try shop.commit("one")
        func remove(_ path: String) throws {
            let id = try shop.git(["rev-parse", "HEAD:\(path)"])
            try FileManager.default.removeItem(
                at: shop.repository.appending(
                    path: ".git/objects/\(id.prefix(2))/\(id.dropFirst(2))"))
        }
        try remove("trust/README.md")
        #expect(try refusal("git:HEAD", open(shop)) == nil)
        try remove("trust/policy.yaml")
        #expect(try refusal("git:HEAD", open(shop)) == .missingObject)
        #expect(try refusal("git:INDEX", open(shop)) == .missingObject)
    }

    @Test("a link, a submodule, a pointer and a path with a line break")
    func oddFiles() throws {
        let shop = try GitWorkshop()
        try shop.create("module")
        let module = shop.folder.appending(path: "module")
        try shop.write("policy.yaml", Self.policy, in: module)
        let id = try shop.commit("module", in: module)
        try shop.write("plain", "text\n")
        try shop.commit("start")
        func refusal(_ change: () throws -> Void) throws -> [NotCompared.Code?] {
            try shop.git(["checkout", "-q", "-f", "main"])
            try shop.git(["clean", "-qdffx"])
            try shop.write("trust/policy.yaml", Self.policy)
            try change()
            try shop.git(["checkout", "-q", "--detach"])
            let tree = try shop.git(["ls-files", "--stage"])
            if !tree.contains("160000") { try shop.git(["add", "-A"]) }
            try shop.git(["commit", "-q", "-m", "odd"])
            let repository = try open(shop)
            return [
                try self.refusal("git:HEAD", repository), try self.refusal("git:INDEX", repository),
            ]
        }
        func both(_ code: NotCompared.Code) -> [NotCompared.Code?] { [code, code] }
        #expect(
            try refusal {
                try FileManager.default.removeItem(
                    at: shop.repository.appending(path: "trust"))
                try shop.write("real/policy.yaml", Self.policy)
                try shop.link("trust", to: "real")
            } == both(.link))
        #expect(
            try refusal { try shop.link("trust/shared", to: "/etc") } == both(.link))
        #expect(
            try refusal {
                try shop.git(["add", "-A"])
                try shop.git(
                    ["update-index", "--add", "--cacheinfo", "160000,\(id),trust/module"])
            } == both(.submodule))
        #expect(
            try refusal {
                try FileManager.default.removeItem(
                    at: shop.repository.appending(path: "trust"))
                try shop.git(["update-index", "--add", "--cacheinfo", "160000,\(id),trust"])
            } == both(.submodule))
        #expect(
            try refusal {
                try shop.write(
                    "trust/web.policy.yaml",
                    "version https://git-lfs.github.com/spec/v1\n"
                        + "oid sha256:\(String(repeating: "a", count: 64))\nsize 12345\n")
            } == both(.pointer))
        #expect(
            try refusal {
                try shop.write(
                    "trust/anchors/root.pem",
                    "version https://git-lfs.github.com/spec/v1\n"
                        + "oid sha256:\(String(repeating: "a", count: 64))\nsize 12345\n")
                try shop.write(
                    "trust/policy.yaml",
                    "hawser: 1\ndefault: deny\nanchors:\n  a:\n    files: [anchors/]\n"
                        + "rules:\n  r:\n    hosts:\n      - \"a.example\"\n    anchors: [a]\n")
            } == both(.pointer))
        #expect(
            try refusal {
                try shop.write("trust/a\nb.policy.yaml", Self.rule("r", "r.example"))
            } == both(.badPath))
        #expect(
            try refusal {
                try shop.write("trust/a\nb/c.policy.yaml", Self.rule("r", "r.example"))
            } == both(.badPath))
    }

    @Test("limits are those of a folder")
    func limits() throws {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", Self.policy)
        try shop.write("trust/a/b/c.policy.yaml", Self.rule("r", "r.example"))
        try shop.commit("one")
        let repository = try open(shop)
        let folder = shop.repository.appending(path: "trust").path
        for limits in [
            RootFolder.Limits(octets: 150), RootFolder.Limits(octets: 20),
            RootFolder.Limits(entries: 2), RootFolder.Limits(depth: 1),
        ] {
            #expect(try refusal("git:HEAD", repository, limits: limits) == .tooLarge)
            // In the same words as on disk.
            var onDisk = ""
            do throws(UnitLoadError) {
                _ = try UnitLoader.load(paths: [folder], limits: limits)
            } catch {
                onDisk = error.context
            }
            var told = ""
            do throws(NotCompared) {
                _ = try repository.indexUnit(path: "trust", limits: limits)
            } catch {
                told = error.context
            }
            #expect(told == "the index: \(onDisk)")
        }
    }

    // MARK: Hostile repositories

    @Test("nothing that a repository says is run, and nothing is written into it")
    func nothingRuns() throws {
        let shop = try GitWorkshop()
        let names = [
            "fsmonitor", "textconv", "clean", "smudge", "process", "external", "pager", "hook",
            "alias", "ssh", "editor", "askpass", "alternates", "credential",
        ]
        let traps = try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try shop.trap($0)) })
        func program(_ name: String) -> String { traps[name]?.program.path ?? "" }
        try shop.write("trust/policy.yaml", Self.policy)
        try shop.write(
            ".gitattributes",
            "*.yaml diff=conv\ntrust/* filter=bad\nother/* filter=worse\n* text=auto eol=crlf\n")
        try shop.commit("one")
        let settings = [
            "core.fsmonitor": program("fsmonitor"), "diff.conv.textconv": program("textconv"),
            "filter.bad.clean": program("clean"), "filter.bad.smudge": program("smudge"),
            "filter.bad.required": "true", "filter.worse.process": program("process"),
            "diff.external": program("external"), "core.pager": program("pager"),
            "alias.cat-file": "!\(program("alias"))", "core.sshCommand": program("ssh"),
            "core.editor": program("editor"), "core.askPass": program("askpass"),
            "core.alternateRefsCommand": program("alternates"),
            "credential.helper": "!\(program("credential"))", "core.untrackedCache": "true",
        ]
        for (name, value) in settings { try shop.git(["config", name, value]) }
        let hooks = shop.repository.appending(path: ".git/hooks")
        try FileManager.default.createDirectory(at: hooks, withIntermediateDirectories: true)
        for hook in ["post-index-change", "reference-transaction", "fsmonitor-watchman"] {
            let file = hooks.appending(path: hook)
            try? FileManager.default.removeItem(at: file)
            try FileManager.default.copyItem(
                at: URL(filePath: program("hook")), to: file)
        }
        // A file that only its content tells from the index.
        try shop.write("trust/policy.yaml", Self.policy + "# more\n")
        let before = try shop.snapshot(of: shop.repository)
        let repository = try open(shop)
        for revision in ["git:HEAD", "git:INDEX"] {
            let found = try repository.unit(
                try PolicyRevision.parse(revision), defaultPath: "trust")
            // The repository's octets, before any filter.
            #expect(found.unit.files.map(\.bytes) == [Array(Self.policy.utf8)])
            #expect(compile(found.unit).table != nil)
        }
        let head = try repository.commit("HEAD")
        #expect(
            try repository.mergeBases(GitBranch(tips: [head]), head)
                == [GitCommit(id: head.id, name: head.id)])
        #expect(try shop.snapshot(of: shop.repository) == before)
        for (name, trap) in traps {
            #expect(!FileManager.default.fileExists(atPath: trap.marker.path), "\(name) ran")
        }
        // The traps are some: git itself runs them.
        _ = try? shop.git(["status"])
        _ = try? shop.git(["hash-object", "--path=trust/policy.yaml", "trust/policy.yaml"])
        #expect(
            FileManager.default.fileExists(atPath: try #require(traps["fsmonitor"]).marker.path))
        #expect(FileManager.default.fileExists(atPath: try #require(traps["clean"]).marker.path))
    }

    @Test("objects and parents that stand for others are not used")
    func replaced() throws {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", Self.policy)
        let one = try shop.commit("one")
        try shop.write("trust/policy.yaml", Self.policy + "# two\n")
        let two = try shop.commit("two")
        try shop.git(["replace", one, two])
        let blob = try shop.git(["--no-replace-objects", "rev-parse", "\(one):trust/policy.yaml"])
        let other = try shop.git(["rev-parse", "\(two):trust/policy.yaml"])
        try shop.git(["replace", blob, other])
        let repository = try open(shop)
        let found = try repository.unit(
            try PolicyRevision.parse("git:\(one)"), defaultPath: "trust")
        #expect(found.unit.files.map(\.bytes) == [Array(Self.policy.utf8)])
        try shop.git(["replace", "-d", one])
        try shop.write(".git/info/grafts", "\(two)\n")
        let bases = try repository.mergeBases(
            try repository.branch(of: .commit(one)), try repository.commit(two))
        #expect(bases.map(\.id) == [one])
    }

    @Test("a folder that looks like a repository does not choose what it is compared with")
    func embedded() throws {
        let shop = try GitWorkshop()
        let trust = shop.repository.appending(path: "trust")
        try shop.write("trust/policy.yaml", Self.policy)
        let right = try shop.commit("one")
        // A pull request adds a bare repository with a `main` of its choice.
        try shop.create("evil")
        let evil = shop.folder.appending(path: "evil")
        try shop.write("policy.yaml", Self.policy + "# weak\n", in: evil)
        try shop.commit("evil", in: evil)
        for name in ["HEAD", "objects", "refs", "config"] {
            try FileManager.default.copyItem(
                at: evil.appending(path: ".git/\(name)"), to: trust.appending(path: name))
        }
        #expect(try shop.git(["rev-parse", "HEAD"], in: trust) != right)
        let repository = try open(shop, at: trust)
        #expect(repository.top == shop.repository.path)
        #expect(try repository.commit("main").id == right)
        #expect(try repository.path(of: trust.path) == "trust")
    }

    // MARK: Kinds of repositories

    @Test("bare repositories, linked work trees, and no repository at all")
    func kinds() throws {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", Self.policy)
        let id = try shop.commit("one")
        try shop.git(["clone", "-q", "--bare", shop.repository.path, "bare.git"], in: shop.folder)
        let bare = try open(shop, at: shop.folder.appending(path: "bare.git"))
        #expect(bare.top == nil)
        #expect(try refusal("git:main:trust", bare) == nil)
        #expect(try refusal("git:INDEX:trust", bare) == .noIndex)
        #expect(try refusal { _ = try bare.path(of: shop.repository.path) } == .noRepository)
        try shop.git(["worktree", "add", "-q", "-b", "side", "../linked"])
        let place = shop.folder.appending(path: "linked")
        let linked = try open(shop, at: place.appending(path: "trust"))
        #expect(linked.top == place.path)
        #expect(try linked.commit("side").id == id)
        #expect(try linked.path(of: place.appending(path: "trust").path) == "trust")
        #expect(try refusal("git:INDEX", linked) == nil)
        #expect(
            try refusal { _ = try open(shop, at: shop.folder.appending(path: "home")) }
                == .noRepository)
        #expect(try refusal { _ = try linked.path(of: shop.folder.path) } == .noRepository)
    }

    @Test("a submodule's unit is compared in the repository that is looked at")
    func submodule() throws {
        let shop = try GitWorkshop()
        try shop.create("module")
        try shop.write("policy.yaml", Self.policy, in: shop.folder.appending(path: "module"))
        try shop.commit("module", in: shop.folder.appending(path: "module"))
        try shop.commit("start")
        try shop.git(
            ["-c", "protocol.file.allow=always", "submodule", "add", "-q", "../module", "trust"],
            environment: ["GIT_ALLOW_PROTOCOL": "file"])
        try shop.commit("two")
        let repository = try GitRepository.open(
            for: shop.repository.appending(path: "trust").path, current: shop.repository.path,
            caller: shop.environment)
        #expect(repository.top == shop.repository.path)
        #expect(try refusal("git:HEAD", repository) == .submodule)
        let inner = try open(shop, at: shop.repository.appending(path: "trust"))
        #expect(inner.top == shop.repository.appending(path: "trust").path)
        #expect(try refusal("git:HEAD:", inner) == nil)
    }

    @Test("a repository of another user is refused in words")
    func ownership() throws {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", Self.policy)
        try shop.commit("one")
        // Git has a variable for tests that makes every repository another user's.
        let more = ["PATH": shop.environment["PATH"] ?? ""]
        let command = try GitCommand.find(caller: shop.environment.merging(more) { $1 })
        let other = command.adding(["GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"])
        var code: NotCompared.Code?
        do throws(NotCompared) {
            _ = try GitRepository.discover(from: shop.repository.path, other)
        } catch {
            code = error.code
            #expect(error.context.contains("git config --global --add safe.directory"))
        }
        #expect(code == .unsafeRepository)
    }

    // MARK: The index

    @Test("the index is what was added, not what lies in the folder")
    func index() throws {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", Self.policy)
        try shop.commit("one")
        let staged = Self.policy + "# staged\n"
        try shop.write("trust/policy.yaml", staged)
        try shop.git(["add", "-A"])
        try shop.write("trust/policy.yaml", Self.policy + "# later\n")
        try shop.write("trust/new.policy.yaml", Self.rule("n", "n.acme.example"))
        try shop.git(["add", "--intent-to-add", "trust/new.policy.yaml"])
        let repository = try open(shop)
        let found = try repository.indexUnit(path: "trust")
        #expect(found.commit == nil && found.words == "the index")
        #expect(found.unit.files.map(\.path) == ["policy.yaml"])
        #expect(found.unit.files.map(\.bytes) == [Array(staged.utf8)])
        // An empty file that was added is one.
        try shop.write("trust/empty.policy.yaml", "")
        try shop.git(["add", "trust/empty.policy.yaml"])
        let more = try repository.indexUnit(path: "trust")
        #expect(more.unit.files.map(\.path) == ["empty.policy.yaml", "policy.yaml"])
    }

    @Test("an index with a merge that is not resolved")
    func unmerged() throws {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", Self.policy)
        try shop.commit("one")
        try shop.git(["checkout", "-q", "-b", "side"])
        try shop.write("trust/policy.yaml", Self.policy + "# side\n")
        try shop.commit("side")
        try shop.git(["checkout", "-q", "main"])
        try shop.write("trust/policy.yaml", Self.policy + "# main\n")
        try shop.commit("main")
        try shop.git(["merge", "side"], status: 1)
        #expect(try refusal("git:INDEX", open(shop)) == .unmerged)
        #expect(try refusal("git:HEAD", open(shop)) == nil)
    }

    // MARK: Git itself

    /// A `git` that does something else.
    func fake(_ shop: GitWorkshop, _ script: String) throws -> [String: String] {
        let folder = shop.folder.appending(path: "bin-\(UUID().uuidString)")
        try ExecutableFile.write(script: script, to: folder.appending(path: "git"))
        return ["PATH": "\(folder.path):/usr/bin:/bin"]
    }

    @Test("no git, a git that hangs, one that talks too much, one that talks nonsense")
    func brokenGit() throws {
        let shop = try GitWorkshop()
        try shop.write("trust/policy.yaml", Self.policy)
        try shop.commit("one")
        func code(_ more: [String: String], seconds: Int = 30) throws -> NotCompared.Code? {
            try refusal {
                let repository = try open(shop, more: more, seconds: seconds)
                _ = try repository.unit(try PolicyRevision.parse("git:HEAD"), defaultPath: "trust")
            }
        }
        #expect(try code(["PATH": shop.folder.path]) == .noGit)
        // A program of the tree that is looked at is not git.
        try ExecutableFile.write(
            script: "touch ran", to: shop.repository.appending(path: "git"))
        #expect(try code(["PATH": ".:"]) == .noGit)
        #expect(try code(fake(shop, "sleep 60"), seconds: 1) == .timeLimit)
        // Its child holds its streams.
        #expect(try code(fake(shop, "sleep 60 & exit 0"), seconds: 1) == .timeLimit)
        #expect(try code(fake(shop, "exec >&- 2>&-; sleep 60"), seconds: 1) == .timeLimit)
        #expect(try code(fake(shop, "echo nonsense")) == .failed)
        #expect(try code(fake(shop, "kill -9 $$")) == .failed)
        // Much on standard error does not stop it.
        let loud = "head -c 3000000 /dev/zero >&2; exec '\(GitWorkshop.git)' \"$@\""
        #expect(try code(fake(shop, loud)) == nil)
    }

    @Test("answers without end are refused, and the child is gone")
    func flood() throws {
        let shop = try GitWorkshop()
        let command = try GitCommand.find(
            caller: shop.environment.merging(fake(shop, "exec cat /dev/zero")) { $1 })
        #expect(
            try refusal { _ = try command.run(["x"], in: shop.folder.path, limit: 1 << 20) }
                == .tooLarge)
    }

    @Test("a child reads and writes at the same time")
    func bothWays() throws {
        let input = [UInt8](repeating: 0x61, count: 5_000_000)
        var child = try ChildProcess.start("/bin/cat", [], environment: [:])
        let end = ContinuousClock.now.advanced(by: .seconds(60))
        let answer = try child.finish(input, limit: 6_000_000, until: end)
        #expect(answer.output == input && answer.status == 0)
        // One that reads nothing does not end us by a signal.
        var deaf = try ChildProcess.start("/bin/true", [], environment: [:])
        let silent = try deaf.finish(input, limit: 10, until: end)
        #expect(silent.output == [] && silent.status == 0)
    }
}
