import Foundation
import Testing

/// What the pages of `policies/` say of recipes, cases and verdicts is so.
@Suite struct RecipePagesTests {
    private static func page(_ path: String) throws -> String {
        try String(contentsOf: Recipe.policies.appending(path: path), encoding: .utf8)
    }

    private static func verdict(_ recipe: String, _ name: String) throws -> String? {
        let entry = Recipe.all.first { $0.name == recipe }?.cases.first {
            $0.folder.lastPathComponent == name
        }
        return try entry?.request().verdict
    }

    /// Every recipe has a page whose table has every case once, with its verdict.
    @Test(arguments: Recipe.all)
    func pageListsEveryCase(_ recipe: Recipe) throws {
        let text = try RecipePagesTests.page("\(recipe.name)/README.md")
        let heading = try #require(text.split(separator: "\n").first)
        let listed = MarkdownTable.rows(of: text, below: String(heading)).filter {
            $0.count == 3 && ["accept", "reject"].contains($0[1])
        }
        #expect(
            listed.map { MarkdownTable.code($0[0]).first ?? "" }.sorted()
                == recipe.cases.map(\.folder.lastPathComponent))
        for row in listed {
            let name = MarkdownTable.code(row[0]).first ?? ""
            #expect(try RecipePagesTests.verdict(recipe.name, name) == row[1], "\(name)")
        }
    }

    @Test func everyRecipeIsListed() throws {
        let rows = MarkdownTable.rows(
            of: try RecipePagesTests.page("README.md"),
            below: "# Recipes: example policies that are tests")
        let listed = rows.compactMap { MarkdownTable.code($0[0]).first }
        #expect(
            listed.sorted() == (Recipe.all.map(\.name) + ["invalid", "one-app", "review"]).sorted())
        #expect(rows.allSatisfy { $0.count == 2 && !$0[1].isEmpty })
    }

    /// The migration table: every option of every system names a recipe, a case of it, and the
    /// verdict that the engine gives there.
    @Test func migrationTableIsTrue() throws {
        let text = try RecipePagesTests.page("README.md")
        let rows = MarkdownTable.rows(of: text, below: "## Coming from another system")
        #expect(rows.count >= 100)
        var systems: Set<String> = []
        for row in rows {
            try #require(row.count == 6, "\(row)")
            #expect(row.allSatisfy { !$0.isEmpty }, "\(row)")
            systems.insert(row[0])
            let recipe = try #require(MarkdownTable.code(row[3]).first, "\(row)")
            let name = try #require(MarkdownTable.code(row[4]).first, "\(row)")
            #expect(try RecipePagesTests.verdict(recipe, name) == row[5], "\(row)")
        }
        #expect(
            systems == [
                "AFNetworking", "ATS", "Alamofire 4", "Alamofire 5", "Android NSC", "Envoy",
                "OkHttp", "SecTrust", "TrustKit", "URL loading",
            ])
        #expect(Set(rows.map { $0[0] + $0[1] }).count == rows.count)
    }
}

extension RecipeCase.Request {
    /// As pages write it.
    var verdict: String { accepts ? "accept" : "reject" }
}
