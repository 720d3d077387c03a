import Foundation
import TestPKI
import Testing

@Suite("hawser init")
struct InitTests {
    /// A folder of its own, which may be a git repository.
    private final class Place {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "hawser-init-\(UUID().uuidString)")

        init(repository: Bool = true) throws {
            try FileManager.default.createDirectory(
                at: folder.appending(path: repository ? ".git" : ""),
                withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func run(_ arguments: String...) throws -> CommandRun {
            try CommandRun(arguments, in: folder)
        }

        func text(_ path: String) throws -> String {
            try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        }

        func write(_ path: String, _ text: String) throws {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }

        /// Every file below, git's own left out.
        var files: [String] {
            let all = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
            return all.filter { !$0.hasPrefix(".git") }.sorted()
        }
    }

    private static let written = [
        ".pre-commit-config.yaml", "policies", "policies/api", "policies/api/policy.schema.json",
        "policies/api/policy.yaml",
    ]

    @Test("writes what every command takes as it is")
    func clean() throws {
        let place = try Place()
        let run = try place.run("init", "policies/api")
        #expect(run.status == 0 && run.error.isEmpty)
        try expectGolden("init", run)
        #expect(place.files == Self.written)
        #expect(try place.run("check", "policies/api").status == 0)
        for level in ["default", "strict"] {
            let lint = try place.run("lint", "policies/api", "--level", level)
            #expect(lint.status == 0 && lint.output.isEmpty, "\(lint.output)")
        }
        let audit = try place.run("lint", "policies/api", "--level", "audit")
        #expect(audit.output.isEmpty, "\(audit.output)")
        #expect(try place.run("fmt", "--check", "policies/api").status == 0)
        #expect(try place.run("show", "www.example.com", "--policy", "policies/api").status == 0)
        let schema = try place.run("schema").output
        #expect(try place.text("policies/api/policy.schema.json") == schema)
    }

    @Test("editors find the schema by the policy's first line")
    func modeline() throws {
        let place = try Place()
        #expect(try place.run("init").status == 0)
        let first = try place.text("policy.yaml").prefix { $0 != "\n" }
        #expect(first == "# yaml-language-server: $schema=policy.schema.json")
        #expect(FileManager.default.fileExists(atPath: place.folder.path + "/policy.schema.json"))
    }

    @Test("what its comments offer is a policy, too")
    func comments() throws {
        let place = try Place()
        #expect(try place.run("init").status == 0)
        let lines = try place.text("policy.yaml").split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 })
        // Samples stand three blanks behind their `#`.
        let samples = lines.map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("#   ") }
            .map { String($0.dropFirst(4)) }
        #expect(samples.count == 7)
        let rest = lines.filter { !$0.drop { $0 == " " }.hasPrefix("#") && $0 != "default: deny" }
            .map { $0.replacingOccurrences(of: "[system]", with: "[corp]") }
        try place.write("anchors/corp.pem", Workshop.root.pem)
        let policy = rest.prefix(1) + samples + rest.dropFirst()
        try place.write("policy.yaml", policy.joined(separator: "\n") + "\n")
        let lint = try place.run("lint", "--level", "strict", "--at", "2026-06-01")
        #expect(lint.status == 0 && lint.output.isEmpty, "\(lint.output)")
    }

    @Test("its hooks are those of the repository's own list")
    func hooks() throws {
        let place = try Place()
        #expect(try place.run("init").status == 0)
        func lines(_ text: String) -> Set<String> {
            let keys = ["files: ", "entry: ", "pass_filenames: "]
            return Set(
                text.split(separator: "\n").map { $0.drop { $0 == " " } }
                    .filter { line in keys.contains { line.hasPrefix($0) } }.map(String.init))
        }
        let offered = try String(
            contentsOf: CommandRun.repository.appending(path: ".pre-commit-hooks.yaml"),
            encoding: .utf8)
        let written = lines(try place.text(".pre-commit-config.yaml"))
        #expect(written.count == 5)
        #expect(written.isSubset(of: lines(offered)), "\(written.subtracting(lines(offered)))")
    }

    @Test("hooks that stand already stay, and what to add is said")
    func hooksThere() throws {
        let place = try Place()
        try place.write(".pre-commit-config.yaml", "repos: []\n")
        let first = try place.run("init", "one")
        #expect(first.status == 0)
        #expect(try place.text(".pre-commit-config.yaml") == "repos: []\n")
        try expectGolden("init-hooks", first)
        try place.write(".pre-commit-config.yaml", "repos:\n  - repo: hawser\n")
        let second = try place.run("init", "two")
        #expect(second.status == 0 && !second.output.contains("- repo"))
        #expect(second.output.contains("runs hawser already"))
    }

    @Test("without a repository the hooks go into the folder")
    func noRepository() throws {
        let place = try Place(repository: false)
        #expect(try place.run("init", "a/b").status == 0)
        #expect(place.files.contains("a/b/.pre-commit-config.yaml"))
    }

    /// What stands there, what is asked for, and what the refusal names.
    private static let refusals: [(there: String, arguments: [String], named: String)] = [
        ("policy.yaml", ["init"], "`policy.yaml` exists"),
        ("unit/policy.yaml", ["init", "unit/"], "`unit/policy.yaml` exists"),
        ("unit/policy.schema.json", ["init", "unit"], "`unit/policy.schema.json` exists"),
        ("policy.yaml", ["init", "sub/folder"], "lies in the unit of"),
        ("unit/policy.yaml", ["init"], "`unit/policy.yaml` is policy already"),
        ("unit/team.policy.yaml", ["init", "unit"], "`unit/team.policy.yaml` is policy already"),
        ("file", ["init", "file"], "`file` is no folder"),
        ("file", ["init", "file/sub"], "`file` is no folder"),
        ("file", ["init", "absent/../sub"], "leads through a folder that does not exist"),
        ("file", ["init", ""], "empty name"),
    ]

    @Test("a policy that stands already is refused, and nothing is written", arguments: 0..<10)
    func refused(_ row: Int) throws {
        let (there, arguments, named) = Self.refusals[row]
        let place = try Place()
        try place.write(there, "hawser: 1\n")
        let before = place.files
        let run = try CommandRun(arguments, in: place.folder)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.error.contains(named), "\(run.error)")
        #expect(place.files == before)
        #expect(try place.text(there) == "hawser: 1\n")
    }

    @Test("a link that leads nowhere is not written through")
    func link() throws {
        let place = try Place()
        for name in ["policy.yaml", "policy.schema.json"] {
            let link = place.folder.appending(path: name)
            try FileManager.default.createSymbolicLink(
                atPath: link.path, withDestinationPath: "elsewhere")
            #expect(try place.run("init").status == 2)
            #expect(place.files == [name])
            try FileManager.default.removeItem(at: link)
        }
    }

    @Test("what cannot be written whole is not written at all")
    func halfway() throws {
        let place = try Place()
        // A name of 300 octets: longer than any file system takes, and the folders before it are
        // new.
        let name = String(repeating: "x", count: 300)
        let run = try place.run("init", "new/\(name)")
        #expect(run.status == 2 && run.error.contains("nothing was written"))
        #expect(place.files.isEmpty)
    }
}
