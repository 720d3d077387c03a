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
        ".pre-commit-config.yaml", "policies", "policies/api", "policies/api/policy.assert.yaml",
        "policies/api/policy.schema.json", "policies/api/policy.test.yaml",
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
        #expect(try place.run("assert", "policies/api").status == 0)
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
        // The test of the first policy says that other hosts are denied.
        let test = place.folder.appending(path: "policy.test.yaml")
        try FileManager.default.removeItem(at: test)
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
        #expect(written.count == 9)
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

    /// The existing files, the arguments, and the name in the refusal.
    private static let refusals: [(there: String, arguments: [String], named: String)] = [
        ("policy.yaml", ["init"], "`policy.yaml` exists"),
        ("unit/policy.yaml", ["init", "unit/"], "`unit/policy.yaml` exists"),
        ("unit/policy.schema.json", ["init", "unit"], "`unit/policy.schema.json` exists"),
        ("policy.yaml", ["init", "sub/folder"], "lies in the unit of"),
        ("unit/policy.yaml", ["init"], "`unit/policy.yaml` is policy already"),
        ("unit/team.policy.yaml", ["init", "unit"], "`unit/team.policy.yaml` is policy already"),
        ("file", ["init", "file"], "`file` is not a folder"),
        ("file", ["init", "file/sub"], "`file` is not a folder"),
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

    // MARK: A private CA

    private static let far: @Sendable (inout CertificateRecipe) -> Void = {
        $0.notAfter = .at("2049-12-31T23:59:59Z")
    }
    private static let root = Workshop.pki.root("Corp Root", key: .p256("init root"), far)
    private static let issuing = root.issueCA("Corp Issuing", key: .p256("init issuing"), far)

    /// What every command takes: no finding at any level but remarks, and the canonical layout.
    private static func expectClean(_ place: Place, _ unit: String) throws {
        for level in ["default", "strict"] {
            let lint = try place.run("lint", unit, "--level", level)
            #expect(lint.status == 0 && lint.output.isEmpty, "\(lint.output)")
        }
        #expect(try place.run("fmt", "--check", unit).status == 0)
        #expect(try place.run("check", unit).status == 0)
        let lines = try place.text("\(unit)/policy.yaml").split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    @Test("a private CA: its files are copied, and its policy accepts what it issued")
    func privateCA() throws {
        let place = try Place()
        try place.write("ca/root.pem", Self.root.pem)
        try place.write("ca/issuing.pem", Self.issuing.pem)
        let run = try place.run(
            "init", "trust", "--private-ca", "ca/root.pem", "ca/issuing.pem", "--host",
            "api.Corp.example.", "--host", "10.0.0.0/8")
        #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
        let policy = try place.text("trust/policy.yaml")
        try expectGolden("init-private-ca", transcript: run.transcript + "\n" + policy)
        #expect(try place.text("trust/anchors/root.pem") == Self.root.pem)
        #expect(try place.text("trust/anchors/issuing.pem") == Self.issuing.pem)
        try Self.expectClean(place, "trust")
        let leaf = Self.issuing.issueLeaf(dns: ["api.corp.example"])
        try place.write("leaf.pem", leaf.pem)
        let verdict = try place.run(
            "explain", "api.corp.example", "--policy", "trust", "--chain", "leaf.pem", "--at",
            "2026-06-01", "--tls-version", "tls1.3")
        #expect(verdict.status == 0, "\(verdict.output)\(verdict.error)")
    }

    @Test("a private CA: one that another CA issued is an intermediate, and version 1 is told")
    func otherKinds() throws {
        let place = try Place()
        try place.write("issuing.crt", Self.issuing.pem)
        let issuing = try place.run("init", "--private-ca", "issuing.crt", "one")
        #expect(issuing.status == 0, "\(issuing.error)")
        #expect(try place.text("one/policy.yaml").contains("    kind: intermediate\n"))
        try Self.expectClean(place, "one")
        let old = Workshop.pki.root("Old Root", key: .p256("init old")) {
            Self.far(&$0)
            $0.version = 1
            $0.extensions = []
        }
        try place.write("old.pem", old.pem)
        let told = try place.run("init", "two", "--private-ca", "old.pem")
        #expect(told.status == 0)
        #expect(told.output.contains("warning[HW314]"), "\(told.output)")
        #expect(told.output.contains("--> two/policy.yaml:"), "\(told.output)")
    }

    @Test("a private CA: a file that is in its place stays there")
    func inPlace() throws {
        let place = try Place()
        try place.write("anchors/root.pem", Self.root.pem)
        #expect(try place.run("init", "--private-ca", "anchors/root.pem").status == 0)
        #expect(try place.text("policy.yaml").contains("- anchors/root.pem"))
        try place.write("other/root.pem", Self.issuing.pem)
        try place.write("new/anchors/root.pem", "mine")
        let run = try place.run("init", "new", "--private-ca", "other/root.pem")
        #expect(run.status == 2 && run.error.contains("nothing was written"), "\(run.error)")
        #expect(try place.text("new/anchors/root.pem") == "mine")
    }

    @Test("a private CA without a file: the policy says where to put one")
    func noFile() throws {
        let place = try Place()
        let run = try place.run("init", "trust", "--private-ca")
        #expect(run.status == 0 && run.error.isEmpty)
        try expectGolden("init-private-ca-no-file", run)
        for command in ["check", "lint"] {
            let found = try place.run(command, "trust")
            #expect(found.status == 1)
            #expect(found.output.contains("`anchors/private-ca.pem` cannot be read"))
        }
        try place.write("trust/anchors/private-ca.pem", Self.root.pem)
        try Self.expectClean(place, "trust")
        // Samples stand three blanks behind their `#`; `path.issuance` is a sample of its own.
        let lines = try place.text("trust/policy.yaml").split(separator: "\n").map(String.init)
        let samples = lines.filter { $0.hasPrefix("    #   ") }
            .map { "    " + $0.dropFirst("    #   ".count) }
        #expect(samples.count == 5)
        let rest = lines.filter { !$0.drop { $0 == " " }.hasPrefix("#") }
        let policy = rest + samples.suffix(3)
        try place.write("trust/policy.yaml", policy.joined(separator: "\n") + "\n")
        #expect(try place.run("check", "trust").status == 0)
    }

    /// The arguments, and the text in the refusal.
    private static let refusedCAs: [(arguments: [String], named: String)] = [
        (["--private-ca", "with-key.pem"], "`with-key.pem` has a private key"),
        (["--private-ca", "key.der"], "`key.der` has a private key"),
        (["--private-ca", "leaf.pem"], "which is not a CA by its basicConstraints"),
        (["--private-ca", "both.pem"], "put each kind into a file of its own"),
        (["--private-ca", "absent.pem"], "`absent.pem` is not there"),
        (["--private-ca", "text.pem"], "holds no certificate"),
        (["--private-ca", "root.pem", "sub/root.pem"], "would both be `anchors/root.pem`"),
        (["--private-ca", "a b.pem"], "cannot be the name of a file of a policy"),
        (["--private-ca", "root.pem", "--host", "https://x/"], "is a URL"),
        (["--host", "x.example"], "`--host` is for `--private-ca`"),
        (["one", "two"], "begins in one folder; named are `one` and `two`"),
    ]

    @Test("a private CA that cannot be one is refused, and nothing is written", arguments: 0..<11)
    func refusedCA(_ row: Int) throws {
        let place = try Place()
        let key = "-----BEGIN PRIVATE KEY-----\nMAoCAQAwBQYDK2Vw\n-----END PRIVATE KEY-----\n"
        let leaf = Self.issuing.issueLeaf(dns: ["api.corp.example"])
        try place.write("with-key.pem", Self.root.pem + key)
        try Data([0x30, 0x03, 0x02, 0x01, 0x00]).write(to: place.folder.appending(path: "key.der"))
        try place.write("leaf.pem", leaf.pem)
        try place.write("both.pem", Self.root.pem + Self.issuing.pem)
        try place.write("text.pem", "-----BEGIN X-----\nAAAA\n-----END X-----\n")
        for path in ["root.pem", "sub/root.pem", "a b.pem"] {
            try place.write(path, Self.root.pem)
        }
        let before = place.files
        let run = try CommandRun(["init"] + Self.refusedCAs[row].arguments, in: place.folder)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.error.contains(Self.refusedCAs[row].named), "\(run.error)")
        #expect(place.files == before)
    }
}
