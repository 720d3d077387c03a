import Foundation
import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import Testing
import TrustEngine

/// The policy of forty files.
@Suite struct FleetTests {
    private static let recipe = Recipe(
        folder: Recipe.policies.appending(path: "monorepo-forty-files"))

    @Test func itIsFortyFilesOfEightTeams() throws {
        let compilation = try FleetTests.recipe.compile()
        #expect(compilation.diagnostics.isEmpty)
        #expect(compilation.files.count == 40)
        let teams = Set(
            compilation.files.map(\.path).filter { $0.hasPrefix("teams/") }
                .map { $0.split(separator: "/")[1] })
        #expect(teams.count == 8)
        let rules = try #require(compilation.table).contents().rules
        #expect(rules.allSatisfy { $0.body.owner != nil })
    }

    /// A host that is decided through rule, profile, two parents and a built-in profile: each field
    /// with the file and the line that wrote it.
    @Test func showNamesFileAndLineOfEveryField() throws {
        let table = try #require(try FleetTests.recipe.compile().table)
        let shown = EffectiveRule(
            table: table, host: try CanonicalHost(text: "ledger.corp.example"), port: 443,
            crypto: LibCryptoBackend())
        let text = TextWriter.write(
            RuleDocument.document(shown, isWhole: true, command: "", version: ""))
        try Golden.hold(text, at: FleetTests.recipe.folder.appending(path: "show.txt"), "show")
        for layer in ["payments", "internal", "org", "ats", "baseline"] {
            #expect(text.contains("`\(layer)`"), "\(layer)")
        }
    }
}
