import Foundation
import JSONSchemaSupport
import PolicyCompiler
import Testing

/// The catalogue of codes in SARIF. Every run declares all codes, also those that it did not find.
@Suite("the catalogue in SARIF") struct SARIFCatalogueTests {
    @Test("every code of grammar/diagnostics.yaml, in its order, with its page")
    func catalogue() throws {
        let path = CommandRun.repository.appending(path: "grammar/diagnostics.yaml")
        let file = SourceFile(
            path: "diagnostics.yaml", bytes: try Array(Data(contentsOf: path)))
        let root = SyntaxParser.parse(file, fileIndex: 0).root
        let codes = root.flatMap { Self.value("codes", of: $0) }?.entries ?? []
        #expect(codes.count > 100)
        for command in ["check", "lint"] {
            let output = try Workshop().run(command, "unit", "--format", "sarif").output
            let rules = try SARIFRun(output).rules
            #expect(rules.count == codes.count)
            for (rule, code) in zip(rules, codes) {
                #expect(Self.withoutProperties(rule) == Self.rule(code.key.text, code.value))
            }
        }
    }

    /// A rule as SARIF must declare it, but for the properties that dangerous codes have.
    private static func rule(_ code: String, _ page: SyntaxNode) -> JSONDocument {
        func text(_ key: String) -> String {
            var text = Self.value(key, of: page)?.text ?? ""
            while text.hasSuffix("\n") { text.removeLast() }
            return text
        }
        func message(_ key: String) -> JSONDocument { .object(["text": .string(text(key))]) }
        let level = text("severity") == "info" ? "note" : text("severity")
        return .object([
            "id": .string(code), "name": .string(text("slug")),
            "shortDescription": message("title"), "fullDescription": message("explanation"),
            "help": message("fix"), "defaultConfiguration": .object(["level": .string(level)]),
        ])
    }

    private static func value(_ key: String, of map: SyntaxNode) -> SyntaxNode? {
        map.entries.first { $0.key.text == key }?.value
    }

    private static func withoutProperties(_ rule: JSONDocument) -> JSONDocument {
        guard case .object(var members) = rule else { return rule }
        members["properties"] = nil
        return .object(members)
    }
}

/// The run of a SARIF document of findings.
struct SARIFRun {
    let rules: [JSONDocument]
    let results: [JSONDocument]

    init(_ output: String) throws {
        let run = try #require(JSONDocument(text: output)["runs"]?.items.first)
        rules = run["tool"]?["driver"]?["rules"]?.items ?? []
        results = run["results"]?.items ?? []
    }

    /// The transcript of a run without the rules that no result names, and without the indices of
    /// rules, which are checked here. So a new code changes no golden of findings.
    static func transcript(_ run: CommandRun) throws -> String {
        let sarif = try SARIFRun(run.output)
        var named: Set<String> = []
        for result in sarif.results {
            let id = try #require(result["ruleId"]?.text)
            guard case .integer(let index) = result["ruleIndex"],
                sarif.rules.indices.contains(Int(index))
            else {
                Issue.record("the result of \(id) has no index of a rule")
                continue
            }
            #expect(sarif.rules[Int(index)]["id"]?.text == id)
            named.insert("\"id\": \"\(id)\",")
        }
        var lines: [String] = []
        var rules: [[String]]?
        for line in run.transcript.components(separatedBy: "\n") {
            if line == "          ]", let all = rules {
                let kept = all.filter { rule in named.contains { rule[1].hasSuffix($0) } }
                    .map { ["            {"] + $0.dropFirst().dropLast() + ["            }"] }
                    .map { $0.joined(separator: "\n") }
                if !kept.isEmpty { lines.append(kept.joined(separator: ",\n")) }
                rules = nil
            }
            if rules == nil {
                if !line.hasPrefix("          \"ruleIndex\": ") { lines.append(line) }
                if line == "          \"rules\": [" { rules = [] }
            } else if line == "            {" {
                rules?.append([line])
            } else if let last = rules?.indices.last {
                rules?[last].append(line)
            }
        }
        return lines.joined(separator: "\n")
    }
}
