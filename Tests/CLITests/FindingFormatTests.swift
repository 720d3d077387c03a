import Foundation
import JSONSchemaSupport
import Testing

/// Every format of findings over one unit with faults of each kind of place: in two files, on one
/// line twice, in text that other formats take for markup.
@Suite("formats of findings")
struct FindingFormatTests {
    static let formats = ["text", "concise", "plain", "json", "jsonl", "sarif", "github", "junit"]

    private static func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try FileManager.default.createDirectory(
            at: workshop.folder.appending(path: "unit/teams"), withIntermediateDirectories: true)
        try workshop.write(
            "unit/policy.yaml",
            """
            hawser: 1
            default: deny
            rules:
              api:
                hosts: [API.acme.example, "www.acme.example"]
                anchors: [corb]
                owner: "<b>&::error file=x::"
              grüße: { hosts: ["b.example"], anchors: [corp] }
            anchors: { corp: { files: [anchors/root.pem] } }

            """)
        try workshop.write(
            "unit/teams/a,b: c.policy.yaml",
            "hawser: 1\nrules:\n  api:\n    hosts: [\"a.example\"]\n    anchors: [corp]\n    <x&y>: 1\n"
        )
        return workshop
    }

    @Test("as goldens", arguments: formats)
    func golden(_ format: String) throws {
        let run = try FindingFormatTests.workshop().run("check", "unit", "--format", format)
        #expect(run.status == 1)
        try expectGolden("findings-\(format)", run)
    }

    @Test("a clean unit is a document where the format is one", arguments: formats)
    func clean(_ format: String) throws {
        let run = try Workshop().run("check", "unit", "--format", format)
        #expect(run.status == 0)
        #expect(run.output.isEmpty == !["json", "sarif", "junit"].contains(format))
    }

    @Test("SARIF is SARIF, and says of every finding what JSON says")
    func sarif() throws {
        let workshop = try FindingFormatTests.workshop()
        let sarif = try JSONDocument(
            text: workshop.run("check", "unit", "--format", "sarif").output)
        let json = try JSONDocument(text: workshop.run("check", "unit", "--format", "json").output)
        let run = try #require(sarif["runs"]?.items.first)
        let results = run["results"]?.items ?? []
        let diagnostics = json["diagnostics"]?.items ?? []
        #expect(results.count == diagnostics.count && results.count >= 4)
        for (result, diagnostic) in zip(results, diagnostics) {
            #expect(result["ruleId"] == diagnostic["code"])
            let region = result["locations"]?.items.first?["physicalLocation"]?["region"]
            #expect(region?["startLine"] == diagnostic["primary"]?["start"]?["line"])
            #expect(region?["startColumn"] == diagnostic["primary"]?["start"]?["column"])
        }
        let schema = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../shared/data/sarif-schema-2.1.0.json").standardized
        guard FileManager.default.fileExists(atPath: schema.path) else {
            print("the SARIF schema is absent: \(schema.path)")
            return
        }
        let text = try String(contentsOf: schema, encoding: .utf8)
        #expect(try JSONSchema(text: text).violations(of: sarif) == [])
    }

    @Test("fingerprints stay when lines move, and differ between findings")
    func fingerprints() throws {
        func fingerprints(_ workshop: Workshop) throws -> [String] {
            let run = try workshop.run("check", "unit", "--format", "sarif")
            let document = try JSONDocument(text: run.output)
            return document["runs"]?.items.first?["results"]?.items.compactMap {
                guard case .string(let text) = $0["partialFingerprints"]?["hawser/1"] else {
                    return nil
                }
                return text
            } ?? []
        }
        let workshop = try FindingFormatTests.workshop()
        let before = try fingerprints(workshop)
        #expect(Set(before).count == before.count && before.count >= 4)
        let policy = workshop.folder.appending(path: "unit/policy.yaml")
        let text = try String(contentsOf: policy, encoding: .utf8)
        try workshop.write(
            "unit/policy.yaml",
            text.replacingOccurrences(of: "rules:\n", with: "# moved\n\n\nrules:\n"))
        #expect(try Set(fingerprints(workshop)) == Set(before))
    }

    @Test("JUnit is well-formed XML")
    func junit() throws {
        let run = try FindingFormatTests.workshop().run("check", "unit", "--format", "junit")
        let checker = XMLShape(run.output)
        #expect(checker.isWellFormed, "\(run.output)")
        #expect(checker.elements["failure"] ?? 0 >= 4)
    }

    @Test("a line of JSON is an object with the schema's name")
    func lines() throws {
        let run = try FindingFormatTests.workshop().run("check", "unit", "--format", "jsonl")
        let lines = run.output.split(separator: "\n")
        #expect(lines.count >= 4)
        for line in lines {
            let document = try JSONDocument(text: String(line))
            #expect(document["schema"] == .string("hawser/diagnostics/1"))
            #expect(document["code"] != nil)
        }
    }
}

/// As much of XML as tells whether tags balance and text is escaped.
private struct XMLShape {
    var isWellFormed = true
    var elements: [String: Int] = [:]

    init(_ text: String) {
        var open: [String] = []
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "<") {
            if rest[..<start].contains(">") { isWellFormed = false }
            guard let end = rest[start...].firstIndex(of: ">") else {
                isWellFormed = false
                return
            }
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.contains("<") { isWellFormed = false }
            if tag.hasPrefix("?") { continue }
            if tag.hasPrefix("/") {
                if open.popLast() != String(tag.dropFirst()) { isWellFormed = false }
                continue
            }
            let name = String(tag.prefix { $0 != " " && $0 != "/" })
            elements[name, default: 0] += 1
            if !tag.hasSuffix("/") { open.append(name) }
        }
        if !open.isEmpty { isWellFormed = false }
    }
}
