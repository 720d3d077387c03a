import Foundation
import Hawser
import LibCrypto
import PageSupport
import PolicyCompiler
import PolicyTools
import Rendering
import TestPKI
import Testing
import TrustEngine

/// The pages of `explain`: what they say is in the JSON, and hostile text stays text.
@Suite("pages") struct PageTests {
    @Test("every fact of a page is in the JSON", arguments: Recipe.all)
    func factsAreInTheJSON(_ recipe: Recipe) throws {
        let crypto = LibCryptoBackend()
        let table = try #require(try recipe.compile().table)
        let unit = try recipe.unit()
        let files = unit.files.map {
            PolicySourceFile(path: $0.path, text: String(decoding: $0.bytes, as: UTF8.self))
        }
        for entry in Sample.of(recipe.cases, atMost: 3, "cases of \(recipe.name)") {
            let wanted = try entry.request()
            let engine = try Engine(table: table, inputs: entry.inputs(wanted), crypto: crypto)
            let request = try entry.trustRequest(wanted)
            let explanation = engine.explain(request)
            let repairs = try entry.repairs(explanation, by: engine)
            let certificates = EvidenceSigners(request, engine).certificates
                .map { CertificateFacts($0, crypto: crypto) }
            var options = ExplainDocument.Options(repairs: repairs)
            options.certificates = certificates
            options.files = files
            let page = HTMLWriter.write(ExplainDocument.document(explanation, options))
            let json = TraceJSON.render(
                explanation, repairs: repairs, certificates: certificates)
            let facts = Page(page)
            #expect(facts.facts.count > 5, "\(entry.name)")
            let missing = try facts.facts(notIn: json, escape: TerminalEscape.escape)
            #expect(missing.isEmpty, "\(entry.name): \(missing) is not in the JSON")
        }
    }

    @Test("pages keep to their frame: one style sheet, no script, links that lead somewhere")
    func frame() throws {
        for recipe in Recipe.all.prefix(6) {
            let table = try #require(try recipe.compile().table)
            for entry in recipe.cases {
                let crypto = LibCryptoBackend()
                let wanted = try entry.request()
                let engine = try Engine(table: table, inputs: entry.inputs(wanted), crypto: crypto)
                let page = HTMLWriter.write(
                    ExplainDocument.document(engine.explain(try entry.trustRequest(wanted))))
                #expect(Page(page).flaws.isEmpty, "\(entry.name): \(Page(page).flaws)")
            }
        }
    }
}
