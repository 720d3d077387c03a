import Foundation
import Hawser
import LibCrypto
import PolicyCompiler
import Testing
import TrustEngine

/// The eight results of Apple's `SecTrustEvaluate`, as `policies/sectrust` sets them beside
/// verdicts: what each row claims of its cases is read off the engine's own verdict.
@Suite("SecTrustResultType") struct SecTrustResultTests {
    @Test func everyRowIsWhatItsCasesGet() throws {
        let recipe = try #require(Recipe.all.first { $0.name == "sectrust" })
        let table = try #require(try recipe.compile().table)
        let page = try String(
            contentsOf: recipe.folder.appending(path: "README.md"), encoding: .utf8)
        let rows = MarkdownTable.rows(of: page, below: "## The eight results")
        #expect(rows.count == 8)
        var withoutCase: [String] = []
        for row in rows {
            let result = try #require(MarkdownTable.code(row[0]).first)
            let names = MarkdownTable.code(row[2])
            if names.isEmpty { withoutCase.append(result) }
            for name in names {
                let entry = try #require(
                    recipe.cases.first { $0.folder.lastPathComponent == name })
                let wanted = try entry.request()
                let engine = try Engine(
                    table: table, inputs: entry.inputs(wanted), crypto: LibCryptoBackend())
                let verdict = try engine.evaluate(entry.trustRequest(wanted))
                #expect(TrustResult(verdict).name == result, "\(name)")
            }
        }
        #expect(withoutCase == ["kSecTrustResultConfirm"])
    }
}
