import Foundation
import Hawser
import LibCrypto
import PolicyCompiler
import Testing
import TrustEngine

/// The eight results of Apple's `SecTrustEvaluate`, as `policies/sectrust` sets them beside verdicts: what
/// each row claims of its cases is read off the engine's own verdict.
@Suite("SecTrustResultType") struct SecTrustResultTests {
    /// What a verdict would be called there. *Recoverable* is a reject whose every violation a waiver
    /// could name (LANGUAGE section 10).
    private static func result(_ verdict: Verdict) -> String {
        switch verdict.outcome {
        case .accept(let acceptance):
            return acceptance.path.last?.origin == .anchor(set: "system")
                ? "kSecTrustResultUnspecified" : "kSecTrustResultProceed"
        case .reject(let violations):
            let names = Set(violations.map(\.id))
            if names == ["nothing-presented"] { return "kSecTrustResultInvalid" }
            if names == ["no-applicable-rule"] { return "kSecTrustResultDeny" }
            if !names.isDisjoint(with: ["budget-exhausted", "engine-error"]) {
                return "kSecTrustResultOtherError"
            }
            return names.isSubset(of: waivable)
                ? "kSecTrustResultRecoverableTrustFailure" : "kSecTrustResultFatalTrustFailure"
        }
    }

    /// Violations of a path or an identity that `waivers` has an entry for.
    private static let waivable: Set<String> = [
        "name-mismatch", "issuer-not-found", "self-signed-leaf", "anchor-not-trusted", "expired",
        "pin-mismatch", "key-too-small", "hash-too-weak", "tls-version",
    ]

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
                #expect(SecTrustResultTests.result(verdict) == result, "\(name)")
            }
        }
        #expect(withoutCase == ["kSecTrustResultConfirm"])
    }
}
