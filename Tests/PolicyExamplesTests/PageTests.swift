import Foundation
import Hawser
import LibCrypto
import PolicyCompiler
import PolicyTools
import Rendering
import Testing
import TrustEngine

/// The pages of `explain`: what they say is in the JSON, and hostile text stays text.
@Suite("pages") struct PageTests {
    /// What a page says besides words: text in code, and every word with a digit in it.
    static func facts(_ page: String) -> Set<String> {
        var body = page[(page.range(of: "<body>")?.upperBound ?? page.startIndex)...]
        // The policy's own lines are quoted, not told.
        if let policy = body.range(of: "<section id=\"policy\""),
            let end = body[policy.upperBound...].range(of: "</section>")
        {
            body.removeSubrange(policy.lowerBound..<end.upperBound)
        }
        var facts: Set<String> = []
        for part in body.components(separatedBy: "<code>").dropFirst() {
            facts.insert(plain(part.components(separatedBy: "</code>")[0]))
        }
        // Text stands between a `>` and the next `<`; the page has no other `>`.
        for piece in body.split(separator: ">") {
            let text = plain(String(piece.prefix { $0 != "<" }))
            for word in text.split(whereSeparator: { " ,;()".contains($0) })
            where word.contains(where: \.isNumber) {
                facts.insert(word.trimmingCharacters(in: CharacterSet(charactersIn: ":.")))
            }
        }
        return facts
    }

    static func plain(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    /// Every text and number of a JSON document.
    static func values(_ value: Any) -> [String] {
        switch value {
        case let text as String: return [TerminalEscape.escape(text)]
        case let number as NSNumber: return [number.stringValue]
        case let list as [Any]: return list.flatMap(values)
        case let object as [String: Any]: return object.values.flatMap(values)
        default: return []
        }
    }

    /// The number of seconds that a number of some unit is; JSON has seconds alone.
    static func seconds(_ number: Int) -> [Int] { [1, 60, 3_600, 86_400].map { number * $0 } }

    @Test("every fact of a page is in the JSON", arguments: Recipe.all)
    func factsAreInTheJSON(_ recipe: Recipe) throws {
        let crypto = LibCryptoBackend()
        let table = try #require(try recipe.compile().table)
        let unit = try recipe.unit()
        let files = unit.files.map {
            PolicySourceView.File(path: $0.path, text: String(decoding: $0.bytes, as: UTF8.self))
        }
        for entry in recipe.cases {
            let wanted = try entry.request()
            let engine = try Engine(table: table, inputs: entry.inputs(wanted), crypto: crypto)
            let request = try entry.trustRequest(wanted)
            let explanation = engine.explain(request)
            let repairs = try entry.repairs(explanation, by: engine)
            let certificates = EvidenceSigners(request, engine).certificates
                .map { CertificateFacts($0, crypto: crypto) }
            let page = ExplainPage.render(
                explanation,
                ExplainPage.Input(
                    certificates: certificates, files: files, repairs: repairs, version: "v"))
            let json = TraceJSON.render(
                explanation, repairs: repairs, certificates: certificates)
            let values = Self.values(
                try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed))
            let all = values.joined(separator: "\n")
            let numbers = Set(values)
            let facts = Self.facts(page)
            #expect(facts.count > 5, "\(entry.name)")
            for fact in facts where !all.contains(fact) {
                // Durations are told in days, places as file, line and column, ports behind hosts.
                let parts = fact.split(whereSeparator: { ":/".contains($0) }).map(String.init)
                let isMadeOf =
                    parts.allSatisfy { part in
                        if all.contains(part) { return true }
                        guard let number = Int(part.filter(\.isNumber)) else { return false }
                        return Self.seconds(number).contains { numbers.contains(String($0)) }
                    }
                #expect(isMadeOf, "\(entry.name): `\(fact)` is not in the JSON")
            }
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
                let page = ExplainPage.render(
                    engine.explain(try entry.trustRequest(wanted)),
                    ExplainPage.Input(version: "v"))
                let head =
                    "<head><meta http-equiv=\"Content-Security-Policy\" content=\""
                    + "default-src &#39;none&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;; "
                    + "style-src &#39;sha256-"
                #expect(page.contains(head), "\(entry.name)")
                #expect(!page.contains("<script") && !page.contains(" style=\""))
                #expect(!page.contains("<a href=\"http") && !page.contains("src="))
                let targets = page.components(separatedBy: "href=\"#").dropFirst()
                    .map { $0.prefix { $0 != "\"" } }
                for target in targets {
                    #expect(page.contains("id=\"\(target)\""), "\(entry.name): #\(target)")
                }
            }
        }
    }
}
