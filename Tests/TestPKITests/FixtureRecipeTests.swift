import FixtureRecipes
import Foundation
import TestPKI
import Testing

@Suite("fixture recipes")
struct FixtureRecipeTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    @Test("checked-in files are what their recipes mint")
    func checkedIn() {
        for recipe in FixtureRecipes.all {
            #expect(recipe.differences(below: FixtureRecipeTests.root) == [])
        }
        #expect(Set(FixtureRecipes.all.map(\.name)).count == FixtureRecipes.all.count)
    }

    @Test("a recipe writes once, and sees what was changed or removed")
    func writesAndCompares() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("hawser-mint-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let recipe = FixtureRecipe("example", intent: "shows the mechanism") { files in
            files.text("cases/one/request.yaml", "host: a.example\n")
            files.chain("cases/one/chain.pem", [Scenario().selfSignedLeaf(dns: ["a.example"])])
        }
        #expect(recipe.differences(below: folder).count == 2)
        #expect(
            try recipe.write(below: folder) == [
                "policies/example/cases/one/request.yaml", "policies/example/cases/one/chain.pem",
            ])
        #expect(recipe.differences(below: folder) == [])
        #expect(try recipe.write(below: folder) == [])
        let changed = folder + "/policies/example/cases/one/request.yaml"
        try "host: b.example\n".write(toFile: changed, atomically: true, encoding: .utf8)
        #expect(
            recipe.differences(below: folder) == [
                "policies/example/cases/one/request.yaml is not what its recipe mints"
            ])
    }
}
