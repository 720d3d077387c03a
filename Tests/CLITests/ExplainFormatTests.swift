import Foundation
import JSONSchemaSupport
import PageSupport
import Testing

/// The formats of `explain` and `show` that other answers have too.
@Suite("formats of explain and show") struct ExplainFormatTests {
    private static let questions = [
        ("reject", "api.acme.example", "chain.pem", "2027-09-01"),
        ("accept", "api.acme.example", "chain.pem", "2026-06-01"),
        ("hostile", "www.acme.example", "hostile.pem", "2026-06-01"),
    ]

    private static func explain(
        _ question: (String, String, String, String), _ format: String
    ) throws -> (formatted: CommandRun, text: CommandRun) {
        let workshop = try Workshop()
        let words = [
            "explain", question.1, "--policy", "unit", "--chain", question.2, "--at", question.3,
        ]
        return (try workshop.run(words + ["--format", format]), try workshop.run(words))
    }

    @Test("as goldens, with the status of the text", arguments: ["markdown", "sarif", "junit"])
    func golden(_ format: String) throws {
        for question in Self.questions {
            let (run, text) = try Self.explain(question, format)
            #expect(run.status == text.status && run.error == text.error)
            try expectGolden("explain-\(format)-\(question.0)", run)
        }
    }

    @Test("SARIF is SARIF, with a result for each violation at the line that demands it")
    func sarif() throws {
        let (run, text) = try Self.explain(Self.questions[0], "sarif")
        let document = try JSONDocument(text: run.output)
        let results = document["runs"]?.items.first?["results"]?.items ?? []
        #expect(!results.isEmpty)
        for result in results {
            let id = result["ruleId"]?.text ?? "-"
            #expect(text.output.prefix { $0 != "\n" }.contains(id), "\(id)")
            let place = result["locations"]?.items.first?["physicalLocation"]
            #expect(place?["artifactLocation"]?["uri"]?.text == "policy.yaml")
        }
        let (accept, _) = try Self.explain(Self.questions[1], "sarif")
        let accepted = try JSONDocument(text: accept.output)
        #expect(accepted["runs"]?.items.first?["results"]?.items == [])
        let schema = CommandRun.repository
            .appending(path: "../shared/data/sarif-schema-2.1.0.json").standardized
        guard FileManager.default.fileExists(atPath: schema.path) else { return }
        let grammar = try JSONSchema(text: String(contentsOf: schema, encoding: .utf8))
        #expect(grammar.violations(of: document) == [] && grammar.violations(of: accepted) == [])
    }

    @Test("JUnit counts its cases, and fails those that failed")
    func junit() throws {
        for question in Self.questions {
            let (run, _) = try Self.explain(question, "junit")
            let cases = run.output.split(separator: "\n").count { $0.contains("<testcase ") }
            let failures = run.output.split(separator: "\n").count { $0.contains("<failure ") }
            #expect(
                run.output.contains(
                    "<testsuites name=\"hawser explain\" tests=\"\(cases)\" failures=\"\(failures)\""
                ))
            #expect((failures > 0) == (run.status == 1), "\(question)")
        }
    }

    @Test("show as Markdown and as a page", arguments: ["markdown", "html"])
    func show(_ format: String) throws {
        let workshop = try Workshop()
        let questions = [
            ("host", ["api.acme.example"]), ("denied", ["elsewhere.example"]),
            ("default", ["--default"]), ("profile", ["--profile", "baseline"]),
            ("classes", ["--classes"]),
        ]
        for (name, words) in questions {
            let policy = name == "profile" ? [] : ["--policy", "unit"]
            let run = try workshop.run(["show"] + words + policy + ["--format", format])
            #expect(run.status == 0, "\(name): \(run.error)")
            guard format == "html" else {
                try expectGolden("show-markdown-\(name)", run)
                continue
            }
            let page = Page(run.output)
            #expect(page.flaws.isEmpty, "\(name): \(page.flaws)")
            try expectGolden("show-page-\(name)", transcript: ExplainPageTests.readable(run))
        }
    }

    @Test("`--why-not` is a comment or a page too, and refuses what has findings")
    func whyNot() throws {
        let workshop = try Workshop()
        let words = ["explain", "api.acme.example", "--policy", "unit", "--why-not", "bare"]
        let markdown = try workshop.run(words + ["--format", "markdown"])
        try expectGolden("why-not-markdown", markdown)
        let page = try workshop.run(words + ["--format", "html"])
        #expect(page.status == 0 && Page(page.output).flaws.isEmpty)
        for format in ["sarif", "junit"] {
            let run = try workshop.run(words + ["--format", format])
            #expect(run.status == 2 && run.output.isEmpty)
            #expect(run.error.contains("text, json, markdown or html, not as \(format)"))
        }
    }
}
