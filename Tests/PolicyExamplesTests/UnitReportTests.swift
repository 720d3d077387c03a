import Foundation
import JSONSchemaSupport
import LibCrypto
import PageSupport
import PolicyCompiler
import PolicyTools
import Rendering
import Testing
import TrustEngine

/// The reports of the recipes: what the page says is in the JSON, word by word.
@Suite("reports") struct UnitReportTests {
    /// The words that are the page's own: heads, names of facts, and what joins values.
    static let vocabulary: Set<String> = Set(
        """
        a above adds against all among an and another anyone are around as at authorities authority \
        backups bar beside binding by class classes cover covers decided default denied drawn each \
        else ended entries every except exceptions file files finding findings first for from green \
        hidden holds host hosts how in inside is it its kept key keys left length limit lines lint linter \
        long machine's many may members more names no nobody none not note nothing of one only or others \
        otherwise owner pattern patterns pin pinned pins policy reason report report-only rest revocation \
        rule rules said same says set sets so soon stands stricter strictness such takes than that the \
        their them there ticket to trust up used valid vouch waiver waivers weaker whole whose with written \
        store count left part chosen line effect level audit has hawser modes mode belongs below \
        found suppressed any bind can certifies \
        comments constraints decides finds issuer leave less --level lists matches number purposes \
        serial sha-256 subject until who
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// The words of the page but for the policy's own lines, its drawings, and its head and foot.
    static func words(_ page: String) -> [String] {
        var body = page[...]
        if let main = body.range(of: "<main"), let end = body.range(of: "</main>") {
            body = body[main.lowerBound..<end.lowerBound]
        }
        for (start, stop) in [
            ("<section id=\"policy\"", "</section>"), ("<svg", "</svg>"), ("<h2", "</h2>"),
        ] {
            while let from = body.range(of: start),
                let to = body[from.upperBound...].range(of: stop)
            {
                body.removeSubrange(from.lowerBound..<to.upperBound)
            }
        }
        return body.split(separator: ">").flatMap { piece in
            words(ofText: Page.plain(String(piece.prefix { $0 != "<" })))
        }
    }

    private static func words(ofText text: String) -> [String] {
        text.split { " \n,;()`[]{}:".contains($0) }.map {
            $0.trimmingCharacters(in: CharacterSet(charactersIn: "."))
        }.filter { $0.contains { $0.isLetter || $0.isNumber } }
    }

    /// The report of a recipe.
    private static func document(_ recipe: Recipe) throws -> UnitReportDocument {
        let crypto = LibCryptoBackend()
        let unit = try recipe.unit()
        let table = try #require(try recipe.compile().table)
        let time = UTCInstant(secondsSinceEpoch: 1_780_272_000)
        var findings = FindingReport()
        findings.add(Linter.lint(unit, LintOptions(time: time), crypto: crypto), below: "")
        let report = try UnitReporter(
            table, terms: nil, at: time, until: time.advanced(bySeconds: 90 * 86_400),
            crypto: crypto
        ).report(
            name: recipe.name, findings: findings,
            files: findings.files.map(PolicySourceFile.init))
        return UnitReportDocument(report, command: "hawser report \(recipe.name)", version: "v")
    }

    @Test("every word of a page is in the JSON, or is the page's own", arguments: Recipe.all)
    func wordsAreInTheJSON(_ recipe: Recipe) throws {
        let document = try Self.document(recipe)
        let pages = HTMLFiles.write(
            ReportDocument.document(document), main: "report.html", folder: "report-pages")
        let json = UnitReportJSON.render(document)
        let values = try Page.values(ofJSON: json).map(TerminalEscape.escape)
        // The keys of objects are names of fields.
        var known = Set(values.flatMap(Self.words(ofText:)))
        known.formUnion(
            json.split(separator: "\"").map(String.init).filter { $0.contains(".") })
        let all = values.joined(separator: "\n")
        #expect(pages.count == 1 && values.count > 20)
        let said = pages.flatMap { Self.words($0.text) }
        #expect(said.count > 40)
        for word in Set(said)
        where !known.contains(word) && !Self.vocabulary.contains(word.lowercased()) {
            // A place is a file, a line and a column; a day begins an instant; a count is of a
            // list.
            let parts = word.split(separator: ":").map(String.init)
            #expect(
                parts.allSatisfy { all.contains($0) } || Int(word) != nil,
                "\(recipe.name): `\(word)` is not in the JSON")
        }
    }

    @Test("pages keep to their frame, and the JSON is of its schema", arguments: Recipe.all)
    func frame(_ recipe: Recipe) throws {
        let document = try Self.document(recipe)
        let page = HTMLWriter.write(ReportDocument.document(document))
        let head =
            "<head><meta http-equiv=\"Content-Security-Policy\" content=\""
            + "default-src &#39;none&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;; "
            + "style-src &#39;sha256-"
        #expect(page.contains(head) && page.contains("; script-src &#39;sha256-"))
        #expect(page.components(separatedBy: "<script").count == 2 && !page.contains(" style=\""))
        #expect(!page.contains("src=") && !page.contains("<a href=\"http"))
        for target in page.components(separatedBy: "href=\"").dropFirst() {
            let address = target.prefix { $0 != "\"" }
            #expect(address.hasPrefix("#"))
            #expect(page.contains("id=\"\(address.dropFirst())\""), "\(address)")
        }
        let path = Recipe.root.appending(path: "grammar/unit-report.schema.json")
        let schema = try JSONSchema(text: String(contentsOf: path, encoding: .utf8))
        let json = try JSONDocument(text: UnitReportJSON.render(document))
        #expect(schema.violations(of: json) == [])
    }
}
