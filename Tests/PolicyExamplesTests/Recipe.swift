import Foundation
import Hawser
import HawserYAML
import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import Testing
import TrustEngine

/// One folder of `policies/`: a unit with its cases.
struct Recipe: CustomTestStringConvertible {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    static let policies = root.appending(path: "policies")

    let folder: URL
    var name: String { folder.lastPathComponent }
    var testDescription: String { name }

    /// Every folder of `policies/` that holds a `policy.yaml`.
    static let all: [Recipe] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: policies.path)) ?? []
        return names.sorted().map { Recipe(folder: policies.appending(path: $0)) }.filter {
            FileManager.default.fileExists(
                atPath: $0.folder.appending(path: "policy.yaml").path)
        }
    }()

    /// The unit.
    func unit() throws -> PolicyUnit { try UnitLoader.load(paths: [folder.path]) }

    /// The unit compiled.
    func compile() throws -> Compilation {
        CompilerPipeline.compile(try unit(), crypto: LibCryptoBackend())
    }

    /// Folders below `cases/`, sorted.
    var cases: [RecipeCase] {
        let place = folder.appending(path: "cases")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return names.sorted().filter { !$0.hasPrefix(".") }.map {
            RecipeCase(recipe: self, folder: place.appending(path: $0))
        }
    }
}

/// One request to a recipe's policy, with the verdict it must get.
struct RecipeCase: CustomTestStringConvertible {
    let recipe: Recipe
    let folder: URL
    var name: String { "\(recipe.name)/\(folder.lastPathComponent)" }
    var testDescription: String { name }

    /// Whether the case has a golden in JSON: where a kind of step is shown for the first time.
    var hasJSONGolden: Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: "explain.json").path)
    }

    /// What `explain --format json` prints of the case by a table of its recipe.
    func json(by table: PolicyTable) throws -> String {
        let wanted = try request()
        let engine = try Engine(table: table, inputs: inputs(wanted), crypto: LibCryptoBackend())
        let explanation = engine.explain(try trustRequest(wanted))
        return TraceJSON.render(explanation, repairs: try repairs(explanation, by: engine))
    }

    /// The repairs that `explain` prints of a reject: what was proven, and words. Nil of an accept.
    func repairs(_ explanation: Explanation, by engine: Engine) throws -> [Repair]? {
        guard !explanation.verdict.isAccept else { return nil }
        let wanted = try request()
        let inputs = try inputs(wanted)
        return RepairProof(try recipe.unit(), engine, try trustRequest(wanted)) { table in
            try? Engine(table: table, inputs: inputs, crypto: LibCryptoBackend())
        }.repairs(explanation)
    }

    /// What `request.yaml` says.
    struct Request {
        let prepared: PreparedCase
        let inputs: EngineInputs
        var isCleartext: Bool {
            if case .cleartext = prepared.test.subject { return true }
            return false
        }
        var accepts: Bool { prepared.test.expected.verdict?.value == .accept }
        var violations: [String] { Request.words(prepared.test.expected.violations) }
        var reported: [String] { Request.words(prepared.test.expected.reported) }
        var notices: [String] { Request.words(prepared.test.expected.notices) }

        private static func words(_ list: BoundList<String>?) -> [String] {
            list?.items.map(\.value) ?? []
        }
    }

    /// Why `request.yaml` cannot be used.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads `request.yaml` as `hawser test` does.
    func request() throws -> Request {
        guard let tester = RecipeTests.testers[recipe.name] else {
            throw Problem(description: "\(recipe.name) has no test file that can be read")
        }
        let file = "cases/\(folder.lastPathComponent)/request.yaml"
        for suite in tester.files {
            for one in suite.cases
            where suite.suite.files[Int(one.test.place.file)].path == file {
                guard let judged = one.judged else { break }
                return Request(prepared: one, inputs: tester.inputs[judged.inputs])
            }
        }
        let problems = tester.files.flatMap(\.diagnostics).map(\.message)
        throw Problem(description: "\(name): \(problems)")
    }

    /// The request as the engine takes it. Blocks of the chain file that are not certificates stand
    /// for whatever else a server may send. Without TLS the chain is empty.
    func trustRequest(_ request: Request) throws -> TrustRequest {
        guard let judged = request.prepared.judged else {
            throw Problem(description: "\(name): no chain")
        }
        return judged.request
    }

    func inputs(_ request: Request) throws -> EngineInputs { request.inputs }
}
