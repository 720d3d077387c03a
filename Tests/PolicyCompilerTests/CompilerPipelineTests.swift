import LibCrypto
import PolicyCompiler
import Testing
import TrustEngine

/// From text to a table.
@Suite("compiling")
struct CompilerPipelineTests {
    static func compile(
        _ files: [String: String], resources: [String: [UInt8]] = [:]
    ) throws -> PolicyTable {
        let unit = MemoryUnit.unit(files.mapValues { Array($0.utf8) }, resources: resources)
        let compilation = CompilerPipeline.compile(unit, crypto: LibCryptoBackend())
        return try #require(
            compilation.table, "\(compilation.diagnostics.map { "\($0.code): \($0.message)" })")
    }

    @Test("the startup's policy reads back from its table")
    func startup() throws {
        let table = try CompilerPipelineTests.compile(["policy.yaml": ExampleTests.startup])
        let contents = try LoweringTests.lower(["policy.yaml": ExampleTests.startup])
        #expect(table.contents() == contents)
        #expect(
            table.provenance()?.locations["/rules/api/pins"]?.description == "policy.yaml:16:11")
    }

    @Test("compiling twice gives the same bytes")
    func deterministic() throws {
        let once = try CompilerPipelineTests.compile(["policy.yaml": ExampleTests.startup])
        let again = try CompilerPipelineTests.compile(["policy.yaml": ExampleTests.startup])
        #expect(once.bytes == again.bytes)
        #expect(once.fileDigest == again.fileDigest)
    }

    @Test("shuffled rules in other files have the same policy digest and another file digest")
    func shuffled() throws {
        let rules = [
            "  a: { hosts: [\"a.example\"], anchors: [corp] }\n",
            "  b: { hosts: [\"*.b.example\", \"b.example\"], anchors: [system, corp] }\n",
            "  c: { hosts: [\"10.0.0.0/8\"], anchors: [system], note: \"why\" }\n",
        ]
        let head = "hawser: 1\ndefault: deny\nanchors: { corp: { files: [root.pem] } }\n"
        let pem = Array(KeyMaterialTests.root.pem.utf8)
        let one = try CompilerPipelineTests.compile(
            ["policy.yaml": head + "rules:\n" + rules.joined()], resources: ["root.pem": pem])
        let reversed = try CompilerPipelineTests.compile(
            ["policy.yaml": head + "rules:\n" + rules.reversed().joined()],
            resources: ["root.pem": pem])
        let split = try CompilerPipelineTests.compile(
            [
                "policy.yaml": head + "rules:\n" + rules[1],
                "z/a.policy.yaml": "hawser: 1\nrules:\n" + rules[2] + rules[0],
            ], resources: ["root.pem": pem])
        let other = try CompilerPipelineTests.compile(
            ["policy.yaml": head + "rules:\n" + rules[0] + rules[1]], resources: ["root.pem": pem])
        #expect(one.policyDigest == reversed.policyDigest)
        #expect(one.policyDigest == split.policyDigest)
        #expect(one.fileDigest != split.fileDigest)
        #expect(one.policyDigest != other.policyDigest)
    }

    @Test("owner, note, reason and ticket are no part of the policy digest; dates are")
    func meaning() throws {
        func policy(_ text: String) throws -> Digest {
            try CompilerPipelineTests.compile([
                "policy.yaml": "hawser: 1\ndefault:\n  anchors: [system]\n" + text
            ]).policyDigest
        }
        let plain = try policy(
            "  waivers: { identity: { reason: a, owner: b, until: 2027-01-01 } }\n")
        #expect(
            try plain
                == policy(
                    "  owner: me\n  note: why\n"
                        + "  waivers: { identity: { reason: c, owner: d, until: 2027-01-01, ticket: T } }\n"
                ))
        #expect(
            try plain
                != policy("  waivers: { identity: { reason: a, owner: b, until: 2027-01-02 } }\n"))
    }

    @Test("an error leaves no table and every tree")
    func errors() {
        let unit = MemoryUnit.unit(["policy.yaml": Array("hawser: 1\ndefault: denied\n".utf8)])
        let compilation = CompilerPipeline.compile(unit, crypto: LibCryptoBackend())
        #expect(compilation.table == nil)
        #expect(compilation.policy == nil)
        #expect(compilation.hasErrors)
        #expect(compilation.trees.count == 1)
    }

    @Test("problems of gathering the unit leave no table either")
    func unitProblems() {
        let file = SourceFile(path: "policy.yaml", bytes: Array(ExampleTests.startup.utf8))
        let problem = Diagnostic(
            .policyFileMisnamed, "a stray file",
            at: Diagnostic.Label(SourceSpan(file: 0, start: 0, end: 0)))
        let unit = PolicyUnit(
            files: [file], resources: MemoryResources(files: [:]), diagnostics: [problem],
            isDirectory: true)
        let compilation = CompilerPipeline.compile(unit, crypto: LibCryptoBackend())
        #expect(compilation.table == nil)
        #expect(compilation.diagnostics == [problem])
    }
}
