import Foundation
import HawserYAML
import PolicyCompiler
import Testing

/// The files that are compiled together (LANGUAGE section 2), and the files that must not be
/// skipped in silence.
@Suite struct UnitLoaderTests {
    private static let policy = "hawser: 1\ndefault: deny\n"
    private static let part = "hawser: 1\n"

    private func unit(_ folder: TemporaryFolder, _ names: String...) throws -> PolicyUnit {
        try UnitLoader.load(paths: names.map { $0.isEmpty ? folder.path : folder.at($0) })
    }

    private func failure(_ folder: TemporaryFolder, _ names: String...) -> UnitLoadError.Code? {
        do throws(UnitLoadError) {
            _ = try UnitLoader.load(paths: names.map { $0.isEmpty ? folder.path : folder.at($0) })
            return nil
        } catch {
            return error.code
        }
    }

    // MARK: Which files

    @Test func aFolderWithPolicyYAMLIsAUnit() throws {
        let folder = try TemporaryFolder()
        try folder.write("policy.yaml", Self.policy)
        try folder.write("team/payments.policy.yaml", Self.part)
        try folder.write("team/deep/er/x.policy.yaml", Self.part)
        try folder.write("team/payments.test.yaml", "hawser-test: 1\n")
        try folder.write("all.assert.yaml", "hawser-assert: 1\n")
        try folder.write("values.yaml", "key: hawser\n")
        try folder.write("notes.txt", "hawser: 1\n")
        let loaded = try unit(folder, "")
        #expect(
            loaded.files.map(\.path) == [
                "policy.yaml", "team/deep/er/x.policy.yaml", "team/payments.policy.yaml",
            ])
        #expect(loaded.files[0].bytes == Array(Self.policy.utf8))
        #expect(loaded.diagnostics == [])
        #expect(loaded.isDirectory)
    }

    @Test func hiddenFoldersAreLeftOut() throws {
        let folder = try TemporaryFolder()
        try folder.write("policy.yaml", Self.policy)
        try folder.write(".git/x.policy.yaml", Self.part)
        try folder.write(".git/policy.yml", Self.part)
        let loaded = try unit(folder, "")
        #expect(loaded.files.map(\.path) == ["policy.yaml"])
        #expect(loaded.diagnostics == [])
    }

    @Test(arguments: [
        ["team"], ["team/payments.policy.yaml"], ["policy.yaml"], ["team", "policy.yaml", ""],
    ])
    func aPathInsideAUnitStandsForTheUnit(_ paths: [String]) throws {
        let folder = try TemporaryFolder()
        try folder.write("policy.yaml", Self.policy)
        try folder.write("team/payments.policy.yaml", Self.part)
        let loaded = try UnitLoader.load(
            paths: paths.map { $0.isEmpty ? folder.path : folder.at($0) })
        #expect(loaded.files.map(\.path) == ["policy.yaml", "team/payments.policy.yaml"])
        #expect(loaded.isDirectory)
    }

    @Test func aUnitIsTheSameByWhateverWayOneCame() throws {
        let folder = try TemporaryFolder()
        try folder.write("unit/policy.yaml", Self.policy)
        try folder.link("door", to: "unit")
        #expect(try unit(folder, "door").files.map(\.path) == ["policy.yaml"])
        #expect(try unit(folder, "unit/../door/policy.yaml").files.map(\.path) == ["policy.yaml"])
    }

    @Test func outsideAnyUnitAFileIsAUnitOfOneWhateverItsName() throws {
        let folder = try TemporaryFolder()
        try folder.write("anything.txt", Self.policy)
        try folder.write("beside.policy.yaml", Self.part)
        let loaded = try unit(folder, "anything.txt")
        #expect(loaded.files.map(\.path) == ["anything.txt"])
        #expect(!loaded.isDirectory)
    }

    @Test func severalFilesFormOneUnitAtTheirNearestCommonFolder() throws {
        let folder = try TemporaryFolder()
        try folder.write("a/b/one.yaml", Self.policy)
        try folder.write("a/bc/two.yaml", Self.part)
        try folder.write("a/bc/root.pem", "pem")
        let loaded = try unit(folder, "a/bc/two.yaml", "a/b/one.yaml", "a/b/one.yaml")
        #expect(loaded.files.map(\.path) == ["b/one.yaml", "bc/two.yaml"])
        #expect(try loaded.resources.read("bc/root.pem", limit: 10) == Array("pem".utf8))
    }

    @Test func whatIsNoUnitIsSaid() throws {
        let folder = try TemporaryFolder()
        try folder.folder("empty")
        try folder.write("one/policy.yaml", Self.policy)
        try folder.write("two/policy.yaml", Self.policy)
        try folder.write("loose.yaml", Self.policy)
        try folder.fifo("pipe")
        #expect(failure(folder) == .noInputs)
        #expect(failure(folder, "empty") == .noPolicy)
        #expect(failure(folder, "absent") == .unreadable)
        #expect(failure(folder, "pipe") == .unreadable)
        #expect(failure(folder, "one", "two") == .severalUnits)
        #expect(failure(folder, "one", "loose.yaml") == .severalUnits)
    }

    // MARK: Nothing is skipped in silence (LANGUAGE 2.1 and 2.4)

    @Test(arguments: [
        "policy.yml", "team/policy.yaml", "Policy.yaml", "team/POLICY.YAML", "x.policy.yml",
        "team/x.Policy.Yaml", ".policy.yaml", "team/rules.yaml", "team/rules.yml", "RULES.YAML",
        ".rules.yaml",
    ])
    func aFileThatLooksLikePolicyIsAFinding(_ name: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("policy.yaml", Self.policy)
        try folder.write(name, "# rules\n---\nhawser: 1\n")
        let loaded = try unit(folder, "")
        #expect(loaded.files.map(\.path) == ["policy.yaml"])
        #expect(loaded.diagnostics.map(\.code) == [.policyFileMisnamed])
        #expect(loaded.diagnostics.map(\.severity) == [.error])
        #expect(loaded.mentioned.map(\.path) == [name])
        #expect(loaded.diagnostics[0].primary.span == SourceSpan(file: 1, start: 12, end: 18))
        #expect(loaded.diagnostics[0].message.contains("`\(name)`"))
    }

    @Test(arguments: [
        "hawser: 1", "\u{FEFF}hawser: 1", "\"hawser\": 1", "'hawser' : 1", "{ hawser: 1 }",
        "{\"hawser\": 1}", "--- {hawser: 1}", "%YAML 1.2\n---\nhawser: 1", "\n\n  # x\n\thawser: 1",
        "# a\r\nhawser: 1",
    ])
    func theFirstKeyIsFoundHoweverItIsWritten(_ text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("policy.yaml", Self.policy)
        try folder.write("other.yaml", text)
        #expect(try unit(folder, "").diagnostics.map(\.code) == [.policyFileMisnamed])
    }

    @Test(arguments: ["", "hawsers: 1", "hawser-version: 1", "a: 1\nhawser: 1", "# hawser: 1", "-"])
    func anotherFirstKeyIsNobodysPolicy(_ text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("policy.yaml", Self.policy)
        try folder.write("other.yaml", text)
        #expect(try unit(folder, "").diagnostics == [])
    }

    @Test(arguments: [
        ("b_test.yaml", "hawser-test: 1\n", "rename it to `b.test.yaml`"),
        ("team/b.tests.yaml", "# x\n\"hawser-test\": 1\n", "rename it to `team/b.test.yaml`"),
        ("tests.yml", "{ hawser-test: 1 }", "rename it to `tests.test.yaml`"),
        ("b.assert.yaml", "hawser-test: 1\n", "rename it to `b.test.yaml`"),
        ("b_assert.yaml", "---\nhawser-assert: 1\n", "rename it to `b.assert.yaml`"),
        ("b.test.yaml", "hawser-assert: 1\n", "rename it to `b.assert.yaml`"),
        ("assertions.yaml", "hawser-assert : 1\n", "rename it to `assertions.assert.yaml`"),
        ("allowed.yaml", "hawser-allow: 1\n", "rename it to `allowed.allow.yaml`"),
        ("my-exports.yaml", "hawser-exports: 1\n", "rename it to `exports.yaml`"),
        ("b.test.yaml", "hawser: 1\n", "rename it to `NAME.policy.yaml`"),
        ("b.test.yml", "", "rename it to `b.test.yaml`"),
        ("b.Test.YAML", "", "rename it to `b.test.yaml`"),
        ("team/b.assert.yml", "", "rename it to `team/b.assert.yaml`"),
        ("Exports.yml", "", "rename it to `exports.yaml`"),
    ])
    func aFileOfOursUnderAnotherNameIsAFinding(_ name: String, _ text: String, _ help: String)
        throws
    {
        let folder = try TemporaryFolder()
        try folder.write("policy.yaml", Self.policy)
        try folder.write(name, text)
        let loaded = try unit(folder, "")
        #expect(loaded.diagnostics.map(\.code) == [.policyFileMisnamed])
        #expect(loaded.diagnostics.first?.help == [help])
        let found = try CompanionFiles.below(folder.path, .tests)
        #expect(found.misnamed.map(\.path) == [name])
    }

    @Test func aTestInUTF16IsAFinding() throws {
        let folder = try TemporaryFolder()
        try folder.write("policy.yaml", Self.policy)
        let text = "hawser-test: 1\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        try folder.write("b_test.yaml", [0xFF, 0xFE] + text)
        #expect(try unit(folder, "").diagnostics.map(\.code) == [.policyFileMisnamed])
    }

    @Test(arguments: [
        ("b.test.yaml", "hawser-test: 1\n"), ("b.assert.yaml", "hawser-assert: 1\n"),
        ("b.allow.yaml", "hawser-allow: 1\n"), ("exports.yaml", "hawser-exports: 1\n"),
        ("b.test.yaml", ""), ("other.yaml", "hawser-tests: 1\n"), ("b.test.json", "{}"),
        (".hidden/b_test.yaml", "hawser-test: 1\n"),
    ])
    func aFileOfOursUnderItsNameIsNone(_ name: String, _ text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("policy.yaml", Self.policy)
        try folder.write(name, text)
        #expect(try unit(folder, "").diagnostics == [])
    }

    /// A ConfigMap as Kubernetes mounts it: every name is a link into `..data`, which is a link to
    /// a folder that is exchanged as a whole. So is a Secret with a path of two names.
    @Test func whatKubernetesMountsIsAUnit() throws {
        let folder = try TemporaryFolder()
        let version = "mnt/..2026_11_27.1"
        try folder.write("\(version)/policy.yaml", Self.policy)
        try folder.write("\(version)/team.policy.yaml", "hawser: 1\n# in team\n")
        try folder.write("\(version)/a.test.yaml", "hawser-test: 1\n")
        try folder.write("\(version)/pki/ca.pem", "a certificate")
        try folder.write("\(version)/pki/more.policy.yaml", "hawser: 1\n# below a link\n")
        try folder.link("mnt/..data", to: "..2026_11_27.1")
        for name in ["policy.yaml", "team.policy.yaml", "a.test.yaml", "pki"] {
            try folder.link("mnt/\(name)", to: "..data/\(name)")
        }
        for path in ["mnt", "mnt/policy.yaml", "mnt/team.policy.yaml"] {
            let loaded = try unit(folder, path)
            #expect(loaded.diagnostics == [])
            #expect(
                loaded.files.map(\.path) == [
                    "pki/more.policy.yaml", "policy.yaml", "team.policy.yaml",
                ])
            #expect(
                try loaded.resources.read("pki/ca.pem", limit: 100) == Array("a certificate".utf8))
            #expect(try loaded.resources.list("pki") == ["ca.pem", "more.policy.yaml"])
        }
        #expect(try CompanionFiles.below(folder.at("mnt"), .tests).files == ["a.test.yaml"])
    }

    /// A link to a folder that is walked by its own path is not walked twice, and links in a circle
    /// end.
    @Test func aFolderIsWalkedOnce() throws {
        let folder = try TemporaryFolder()
        try folder.write("policy.yaml", Self.policy)
        try folder.write("team/x.policy.yaml", "hawser: 1\n# x\n")
        try folder.write(".kept/y.policy.yaml", "hawser: 1\n# y\n")
        try folder.link("again", to: "team")
        try folder.link("team/up", to: "..")
        try folder.link("kept", to: ".kept")
        try folder.link("twice", to: ".kept")
        try folder.link(".kept/round", to: "../.kept")
        let loaded = try unit(folder, "")
        #expect(loaded.diagnostics == [])
        #expect(loaded.files.map(\.path).count == 3)
        #expect(loaded.files.map(\.path).contains("team/x.policy.yaml"))
    }

    @Test(arguments: ["link", "fifo", "folder", "dangling"])
    func aPolicyNameOnWhatIsNoFileIsAFinding(_ kind: String) throws {
        for name in ["x.policy.yaml", "team/policy.yaml", "X.POLICY.YML"] {
            let folder = try TemporaryFolder()
            try folder.write("policy.yaml", Self.policy)
            try folder.write("real.txt", Self.part)
            try folder.folder("team")
            switch kind {
            case "link": try folder.link(name, to: folder.at("real.txt"))
            case "dangling": try folder.link(name, to: folder.at("none"))
            case "fifo": try folder.fifo(name)
            default: try folder.folder(name)
            }
            let loaded = try unit(folder, "")
            #expect(loaded.files.map(\.path) == ["policy.yaml"])
            #expect(loaded.diagnostics.map(\.code) == [.policyFileMisnamed], "\(name)")
        }
    }

    @Test func aRootPolicyThatIsALinkIsAFindingAndNotFollowed() throws {
        let folder = try TemporaryFolder()
        try folder.write("elsewhere", Self.policy)
        try folder.folder("unit")
        try folder.link("unit/policy.yaml", to: folder.at("elsewhere"))
        let loaded = try unit(folder, "unit")
        #expect(loaded.files.map(\.path) == [])
        #expect(loaded.diagnostics.map(\.code) == [.policyFileMisnamed])
    }

    /// A finding on a file that is not compiled can be shown: its file stands with the
    /// compilation's.
    @Test func everySpanPointsIntoAFileOfTheCompilation() throws {
        let folder = try TemporaryFolder()
        try folder.write("policy.yaml", Self.policy)
        try folder.write("b.policy.yml", Self.part)
        try folder.write("a.policy.yml", Self.part)
        let compilation = CompilerPipeline.compile(try unit(folder, ""), crypto: crypto)
        #expect(compilation.table == nil)
        #expect(
            compilation.diagnostics.map { compilation.files[Int($0.primary.span.file)].path }
                == ["a.policy.yml", "b.policy.yml"])
    }

    // MARK: What policies name

    @Test func resourcesStayBeneathTheUnit() throws {
        let folder = try TemporaryFolder()
        try folder.write("secret.pem", "outside")
        try folder.write("unit/policy.yaml", Self.policy)
        try folder.write("unit/certs/a.pem", "a")
        try folder.write("unit/certs/b.CRT", "b")
        try folder.write("unit/certs/readme", "")
        try folder.folder("unit/certs/sub")
        try folder.link("unit/link.pem", to: folder.at("secret.pem"))
        let resources = try unit(folder, "unit").resources
        #expect(try resources.list("certs") == ["a.pem", "b.CRT", "readme"])
        #expect(refusal { try resources.read("../secret.pem", limit: 99) } == .leavesRoot)
        #expect(refusal { try resources.read("link.pem", limit: 99) } == .leavesRoot)
        #expect(refusal { try resources.read("certs/none.pem", limit: 99) } == .notFound)
        #expect(refusal { try resources.read("certs/a.pem", limit: 0) } == .tooLarge)
        try folder.link("unit/certs/c.pem", to: "a.pem")
        #expect(try resources.list("certs") == ["a.pem", "b.CRT", "c.pem", "readme"])
        try folder.link("unit/certs/d.pem", to: "../../secret.pem")
        #expect(refusal { try resources.list("certs") } == .leavesRoot)
    }

    private func refusal(_ body: () throws -> some Any) -> ResourceError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? ResourceError)?.code
        }
    }
}
