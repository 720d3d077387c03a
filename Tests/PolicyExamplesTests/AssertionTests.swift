import Foundation
import HawserYAML
import LibCrypto
import PolicyCompiler
import PolicyTools
import Testing
import TrustEngine

/// Every recipe of `policies/` has assertions, and all of them are proved.
@Suite("assertions of recipes") struct AssertionTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "policies")

    /// The folders with a policy.
    static let recipes: [String] = {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
        return all.filter {
            FileManager.default.fileExists(
                atPath: folder.appending(path: "\($0)/policy.yaml").path())
        }.sorted()
    }()

    @Test("each is proved, and about something", arguments: recipes)
    func proved(_ recipe: String) throws {
        let root = Self.folder.appending(path: recipe).path()
        let crypto = LibCryptoBackend()
        let unit = try UnitLoader.load(paths: [root])
        let compilation = CompilerPipeline.compile(unit, crypto: crypto)
        let table = try #require(compilation.table)
        let files = try AssertionFiles(below: root)
        #expect(files.paths == ["policy.assert.yaml"])
        let inputs = AssertionInputs(
            files: try files.read(), resources: unit.resources,
            neighbours: NeighbourUnits { (path) throws(ResourceError) in
                throw ResourceError(code: .notFound, context: path)
            })
        let (assertions, diagnostics, trees) = inputs.read(
            of: compilation.policy, first: 0, crypto: crypto)
        #expect(diagnostics == [])
        #expect(!assertions.isEmpty)
        let time = try #require(UTCInstant(text: "2026-06-01T00:00:00Z"))
        let prover = AssertionProver(table, at: time, neighbours: .none, crypto: crypto)
        for (file, assertion) in assertions {
            let result = try prover.prove(assertion, in: file)
            #expect(result.isProved, "\(assertion.id.value)")
            #expect(result.classes > 0)
        }
        for (file, tree) in zip(inputs.files, trees) {
            #expect(try PolicyFormatter.format(tree) == file.bytes, "\(file.path) is not formatted")
        }
    }
}
