import Foundation
import Hawser
import HawserYAML
import LibCrypto
import PolicyCompiler
import Testing
import TrustEngine

/// The breaches on the page of `private-pki` are the engine's answers: for the recipe as it stands,
/// for the recipe judged by `web-pki`, and for the recipe that enforces its reported demands.
@Suite("chains of private CAs") struct PrivatePKITests {
    private static let recipe = Recipe(folder: Recipe.policies.appending(path: "private-pki"))

    /// A row of the page below "What other validators say".
    private struct Row {
        let name: String
        let verdict: String
        /// Demands that the notice of the accept names.
        let breaches: [String]
        /// Further demands under `web-pki`, or the violations of the reject there.
        let webPKI: [String]
        let webPKIRejects: Bool
    }

    /// The verdict of a case and the demands of its notice, each once.
    private struct Answer {
        let verdict: Verdict
        let breaches: [String]

        init(_ entry: RecipeCase, _ table: PolicyTable) throws {
            let wanted = try entry.request()
            let engine = try Engine(
                table: table, inputs: entry.inputs(wanted), crypto: LibCryptoBackend())
            verdict = engine.evaluate(try entry.trustRequest(wanted))
            var found: [String] = []
            if case .accept(let acceptance) = verdict.outcome {
                for case .issuance(let breaches) in acceptance.notices {
                    for breach in breaches where !found.contains(breach.demand) {
                        found.append(breach.demand)
                    }
                }
            }
            breaches = found
        }

        var violations: [String] { verdict.violations.map(\.id) }
        var word: String { verdict.isAccept ? "accept" : "reject" }
    }

    private static func rows() throws -> [Row] {
        let page = try String(
            contentsOf: recipe.folder.appending(path: "README.md"), encoding: .utf8)
        return try MarkdownTable.rows(of: page, below: "## What other validators say").map { row in
            try #require(row.count == 6, "\(row)")
            return Row(
                name: MarkdownTable.code(row[0]).first ?? "", verdict: row[1],
                breaches: MarkdownTable.code(row[4]), webPKI: MarkdownTable.code(row[5]),
                webPKIRejects: row[5].hasPrefix("reject"))
        }
    }

    /// The recipe's table after a change to the text of its policy.
    private static func table(_ change: (String) -> String) throws -> PolicyTable {
        let copy = FileManager.default.temporaryDirectory
            .appending(path: "hawser-private-pki-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: copy) }
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: recipe.folder.appending(path: "anchors"), to: copy.appending(path: "anchors"))
        let policy = try String(
            contentsOf: recipe.folder.appending(path: "policy.yaml"), encoding: .utf8)
        try Data(change(policy).utf8).write(to: copy.appending(path: "policy.yaml"))
        let compilation = CompilerPipeline.compile(
            try UnitLoader.load(paths: [copy.path]), crypto: LibCryptoBackend())
        return try #require(
            compilation.table, "\(compilation.diagnostics.map(\.message))")
    }

    @Test("the page's breaches are those of the notices, under both standards")
    func pageIsTrue() throws {
        let cases = Dictionary(
            uniqueKeysWithValues: Self.recipe.cases.map { ($0.folder.lastPathComponent, $0) })
        let rows = try Self.rows()
        #expect(rows.map(\.name).sorted() == cases.keys.sorted())
        let files = try Self.table { $0 }
        let webPKI = try Self.table {
            $0.replacing(".pem]\n", with: ".pem]\n    standard: web-pki\n")
        }
        for row in rows {
            let entry = try #require(cases[row.name])
            let here = try Answer(entry, files)
            #expect(here.word == row.verdict, "\(row.name)")
            #expect(here.breaches == row.breaches, "\(row.name)")
            let there = try Answer(entry, webPKI)
            if row.webPKIRejects || !here.verdict.isAccept {
                #expect(!there.verdict.isAccept, "\(row.name)")
                if row.webPKIRejects { #expect(there.violations == row.webPKI, "\(row.name)") }
            } else {
                #expect(there.verdict.isAccept, "\(row.name)")
                let further = there.breaches.filter { !here.breaches.contains($0) }
                #expect(further == row.webPKI, "\(row.name)")
            }
        }
    }

    @Test("what is reported is refused under `enforce`, and passes by a waiver that names it")
    func enforced() throws {
        let enforce = "    path: { issuance: enforce }\n"
        let strict = try Self.table { $0.replacing("    owner:", with: enforce + "    owner:") }
        let files = try Self.table { $0 }
        var refused: Set<String> = []
        for entry in Self.recipe.cases {
            let reported = try Answer(entry, files)
            guard reported.verdict.isAccept else { continue }
            let answer = try Answer(entry, strict)
            #expect(answer.verdict.isAccept == reported.breaches.isEmpty, "\(entry.name)")
            #expect(answer.violations == reported.breaches, "\(entry.name)")
            refused.formUnion(reported.breaches)
        }
        let demands = refused.sorted().joined(separator: ", ")
        let waiver = """
                waivers:
                  issuance:
                    demands: [\(demands)]
                    reason: "the CA is being replaced"
                    owner: platform
                    until: 2026-12-31

            """
        let waived = try Self.table {
            $0.replacing("    owner:", with: enforce + waiver + "    owner:")
        }
        for entry in Self.recipe.cases {
            let wanted = try entry.request().accepts
            #expect(try Answer(entry, waived).verdict.isAccept == wanted, "\(entry.name)")
        }
    }
}
