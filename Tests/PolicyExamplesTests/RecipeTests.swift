import Foundation
import Hawser
import JSONSchemaSupport
import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import Testing
import TrustEngine

/// Every recipe of `policies/`, run through the whole pipeline and held to its goldens.
@Suite struct RecipeTests {
    @Test func thereAreRecipes() {
        #expect(Recipe.all.count >= 6)
        for recipe in Recipe.all {
            #expect(recipe.cases.count >= 2, "\(recipe.name)")
        }
    }

    @Test(arguments: Recipe.all)
    func compilesWithoutAWord(_ recipe: Recipe) throws {
        let compilation = try recipe.compile()
        #expect(compilation.diagnostics.map(\.message) == [])
        #expect(compilation.table != nil)
    }

    /// The tests of every recipe that compiles, by its name.
    static let testers: [String: PolicyTester] = {
        var testers: [String: PolicyTester] = [:]
        for recipe in Recipe.all {
            testers[recipe.name] = try? tester(of: recipe)
        }
        return testers
    }()

    private static func tester(of recipe: Recipe) throws -> PolicyTester {
        let unit = try recipe.unit()
        let crypto = LibCryptoBackend()
        let table = try #require(CompilerPipeline.compile(unit, crypto: crypto).table)
        let path = "policy.test.yaml"
        let file = SourceFile(path: path, bytes: try unit.resources.read(path, limit: 1 << 20))
        let suite = TestFile.read(file, resources: unit.resources, crypto: crypto)
        return PolicyTester(
            table, suites: [suite], resources: unit.resources, below: "", crypto: crypto)
    }

    /// What `hawser test` runs in each recipe passes, and is every case of its folders.
    @Test(arguments: Recipe.all)
    func passesItsTests(_ recipe: Recipe) throws {
        let tester = try #require(RecipeTests.testers[recipe.name])
        #expect(tester.files.flatMap(\.diagnostics).map(\.message) == [])
        let outcomes = tester.run(on: OneWorker())
        for (one, outcome) in zip(tester.cases, outcomes) {
            #expect(outcome.passes, "\(one.test.name): \(outcome.mismatches)")
        }
        let folders = Set(recipe.cases.map(\.folder.lastPathComponent))
        #expect(folders.subtracting(tester.cases.map(\.test.name)) == [])
        #expect(outcomes.count == tester.cases.count)
    }

    @Test(arguments: Recipe.all)
    func decidesEveryCaseAsItSays(_ recipe: Recipe) throws {
        let compilation = try recipe.compile()
        let table = try #require(compilation.table)
        let schema = try JSONSchema(
            text: String(
                contentsOf: Recipe.root.appending(path: "grammar/trace.schema.json"),
                encoding: .utf8))
        for entry in recipe.cases {
            let wanted = try entry.request()
            let engine = try Engine(
                table: table, inputs: entry.inputs(wanted), crypto: LibCryptoBackend())
            let request = try entry.trustRequest(wanted)
            let explanation = engine.explain(request)

            #expect(engine.evaluate(request) == explanation.verdict, "\(entry.name)")
            #expect(explanation.trace.replayedVerdict() == explanation.verdict, "\(entry.name)")
            #expect(explanation.verdict.isAccept == wanted.accepts, "\(entry.name)")
            #expect(
                explanation.verdict.violations.map(\.id) == wanted.violations, "\(entry.name)")
            if case .accept(let acceptance) = explanation.verdict.outcome {
                let reported = acceptance.reported.map(\.violation.id)
                #expect(reported == wanted.reported, "\(entry.name)")
                let assumed = wanted.isCleartext ? [] : ["tls-assumed"]
                #expect(
                    acceptance.notices.map(\.id) == assumed + wanted.notices, "\(entry.name)")
            }
            let repairs = try entry.repairs(explanation, by: engine)
            try hold(
                entry, "explain.txt",
                ExplainDocument.text(explanation, ExplainDocument.Options(repairs: repairs)))
            let json = TraceJSON.render(explanation, repairs: repairs)
            let document = try JSONDocument(text: json)
            #expect(schema.violations(of: document) == [], "\(entry.name)")
            if entry.hasJSONGolden { try hold(entry, "explain.json", json) }
        }
    }

    /// A case has a golden in JSON where a kind of step is shown for the first time. The schema,
    /// the replay and the text golden hold every other case.
    @Test func everyShapeOfAStepIsShownInAGolden() throws {
        var shown: Set<String> = []
        var made: [String: String] = [:]
        for recipe in Recipe.all {
            let table = try #require(try recipe.compile().table)
            for entry in recipe.cases {
                let shapes = StepShapes.of(try JSONDocument(text: entry.json(by: table)))
                if entry.hasJSONGolden { shown.formUnion(shapes) }
                for shape in shapes where made[shape] == nil { made[shape] = entry.name }
            }
        }
        #expect(made.count > 100)
        let missing = made.filter { !shown.contains($0.key) }.map { "\($0.value) has \($0.key)" }
        #expect(missing.isEmpty, "no explain.json shows: \(missing.sorted())")
    }

    /// Dropping provenance changes no verdict and no policy digest.
    @Test(arguments: Recipe.all)
    func meansTheSameWithoutProvenance(_ recipe: Recipe) throws {
        let table = try #require(try recipe.compile().table)
        let crypto = LibCryptoBackend()
        let bare = try PolicyTable(
            decoding: table.withoutProvenance(crypto: crypto).bytes, crypto: crypto)
        #expect(bare.policyDigest == table.policyDigest)
        #expect(bare.fileDigest != table.fileDigest)
        for entry in recipe.cases {
            let wanted = try entry.request()
            let request = try entry.trustRequest(wanted)
            let inputs = try entry.inputs(wanted)
            let one = try Engine(table: table, inputs: inputs, crypto: crypto)
            let other = try Engine(table: bare, inputs: inputs, crypto: crypto)
            #expect(one.evaluate(request) == other.evaluate(request), "\(entry.name)")
        }
    }

    private func hold(_ entry: RecipeCase, _ file: String, _ text: String) throws {
        try Golden.hold(text, at: entry.folder.appending(path: file), "\(entry.name)/\(file)")
    }
}
