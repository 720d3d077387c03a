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
        try expectGolden("findings-\(format)", format: format, run)
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

    @Test("SARIF names the version alone, a page of each rule, and a score where trust is at stake")
    func rules() throws {
        let sarif = try JSONDocument(
            text: Self.workshop().run("check", "unit", "--format", "sarif").output)
        let driver = try #require(sarif["runs"]?.items.first?["tool"]?["driver"])
        func text(_ document: JSONDocument?) throws -> String {
            guard case .string(let text) = document else {
                Issue.record("\(String(describing: document)) is no text")
                return ""
            }
            return text
        }
        // The expression of Semantic Versioning 2.0.0, without pre-release and build.
        let version = try text(driver["semanticVersion"])
        #expect(try #/(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)/#.wholeMatch(in: version) != nil)
        let pages = try String(
            contentsOf: CommandRun.repository.appending(path: "grammar/diagnostics.md"),
            encoding: .utf8)
        var scores: [String: String] = [:]
        for rule in driver["rules"]?.items ?? [] {
            let (id, name) = (try text(rule["id"]), try text(rule["name"]))
            #expect(pages.contains("\n## \(id) \(name)\n"))
            // The project has no address of its own: the help stands in the file.
            #expect(rule["helpUri"] == nil)
            #expect(rule["help"] != nil)
            guard let properties = rule["properties"] else { continue }
            #expect(properties["tags"]?.items == [.string("security")])
            scores[id] = try text(properties["security-severity"])
        }
        #expect(scores["HW001"] == nil && scores["HW004"] == nil && scores["HW901"] == nil)
        #expect(scores["HW205"] == "8.0" && scores["HW211"] == "5.5" && scores["HW513"] == "2.0")
    }

    @Test("GitHub gets ten of each kind, the worst first, and one notice with the total")
    func annotations() throws {
        func lines(_ errors: Int, _ warnings: Int, _ more: String...) throws -> [Substring] {
            let workshop = try Workshop()
            let bad = (0..<errors).map {
                "  e\($0): { hosts: [\"e\($0).example\"], anchors: [none], owner: x }\n"
            }
            let odd = (0..<warnings).map {
                "  w\($0): { hosts: [\"W\($0).example\"], anchors: [system], owner: x }\n"
            }
            try workshop.write(
                "unit/policy.yaml",
                "hawser: 1\ndefault: deny\nrules:\n" + odd.joined() + bad.joined())
            return try workshop.run(
                ["lint", "unit", "--format", "github", "--at", "2026-06-01"] + more
            ).output.split(separator: "\n")
        }
        func count(_ kind: String, _ lines: [Substring]) -> Int {
            lines.count { $0.hasPrefix("::\(kind) ") }
        }
        let few = try lines(10, 10)
        #expect(few.count == 20 && count("error", few) == 10 && count("warning", few) == 10)
        #expect(few.prefix(10).allSatisfy { $0.hasPrefix("::error ") })
        let many = try lines(12, 13)
        #expect(count("error", many) == 10 && count("warning", many) == 10)
        #expect(many.prefix(10).allSatisfy { $0.hasPrefix("::error ") })
        #expect(
            many.last.map(String.init)
                == "::notice title=hawser::25 findings in all: 12 errors, 13 warnings; 20 of them are "
                + "annotations, because GitHub shows 10 of each kind")
        #expect(count("notice", many) == 1)
        // Remarks are notices, and the total is one of ten.
        let audit = try lines(0, 14, "--level", "audit")
        #expect(count("notice", audit) <= 10 && count("warning", audit) == 10)
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
