import Foundation
import JSONSchemaSupport
import PageSupport
import Rendering
import Testing

@testable import HawserCommand

/// Every command that writes its answer in formats, times every format: written, and then read by
/// the format's own reader, or refused with the reason and the formats that there are.
@Suite("the table of answers and formats")
struct AnswerTableTests {
    /// A row of the table, with a question of its command.
    struct Row: CustomTestStringConvertible, Sendable {
        let command: String
        let formats: [NamedFormat]
        let senseless: [AnswerFormat: String]
        let words: [String]
        var testDescription: String { command }
    }

    /// One question for each command. It is asked in a folder with the units `old` and `new`, a
    /// unit `asserted` with assertions, a unit `broken`, a chain, rows of an audit, and a table.
    private static let questions: [String: [String]] = [
        "check": ["broken"],
        "lint": ["old", "--at", "2027-05-24"],
        "test": ["old"],
        "assert": ["asserted", "--at", "2026-06-01"],
        "forecast": ["--policy", "old", "--at", "2026-11-24"],
        "diff": ["old", "new", "--at", "2026-06-01"],
        "explain": [
            "api.acme.example", "--policy", "unit", "--chain", "proxied.pem", "--at", "2026-06-01",
        ],
        "show": ["api.acme.example", "--policy", "unit"],
        "report": ["unit", "--at", "2026-06-01"],
        "audit": ["rows.ndjson", "--policy", "unit"],
        "inspect": ["table"],
        "pin": ["chain.pem"],
        "export": ["--to", "nsc", "--policy", "unit", "--at", "2026-06-01"],
        "rule": ["HW211"],
    ]

    /// Commands that are asked elsewhere: `log` needs a repository (`LogTests`).
    private static let elsewhere: Set<String> = ["log"]

    static let rows = AnswerTable.rows.filter { !elsewhere.contains($0.command) }.map { row in
        Row(
            command: row.command, formats: row.formats, senseless: row.senseless,
            words: questions[row.command] ?? [])
    }

    /// The answers that are wanted in every format, but for those that make no sense.
    private static let answers: Set<String> = [
        "lint", "test", "assert", "forecast", "diff", "explain", "show", "report", "audit",
    ]

    @Test("a cell has a writer, or a reason against it")
    func everyCell() {
        #expect(Self.answers.isSubset(of: Set(Self.rows.map(\.command))))
        for row in Self.rows where Self.answers.contains(row.command) {
            let written = Set(AnswerFormat.allCases.filter { row.formats.contains(.answer($0)) })
            let refused = Set(row.senseless.keys)
            #expect(written.isDisjoint(with: refused), "\(row.command)")
            let rest = Set(AnswerFormat.allCases).subtracting(written).subtracting(refused)
            #expect(rest.isEmpty, "\(row.command): \(rest)")
        }
    }

    @Test("the page of the commands lists the formats of each") func page() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Documentation/commands.md")
        let lines =
            try String(contentsOf: page, encoding: .utf8)
            .components(separatedBy: "\n## Formats\n").last ?? ""
        let rows = AnswerTable.rows.map { row in
            "| `\(row.command)` | \(row.formats.map(\.name).joined(separator: ", ")) |"
        }
        #expect(
            lines.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init) == rows)
    }

    @Test("every command of the table has a question")
    func complete() {
        #expect(Set(Self.rows.map(\.command)) == Set(Self.questions.keys))
    }

    private static func workshop() throws -> Workshop {
        let workshop = try Workshop(
            old: policy(until: "2026-12-31"), new: policy(until: "2027-12-31"))
        try workshop.write(
            "old/policy.test.yaml",
            """
            hawser-test: 1
            at: 2026-06-01T12:00:00Z
            cases:
              wrong:
                host: api.acme.example
                expect: { rule: deny }

            """)
        try FileManager.default.createDirectory(
            at: workshop.folder.appending(path: "asserted"), withIntermediateDirectories: true)
        try workshop.write(
            "asserted/policy.yaml",
            "hawser: 1\ndefault: deny\nrules:\n  all: { hosts: [\"**.example\"], anchors: [system] }\n"
        )
        try workshop.write(
            "asserted/policy.assert.yaml",
            """
            hawser-assert: 1
            assertions:
              tls:
                hosts: all
                at-least: { tls.minimum-version: tls1.3 }

            """)
        try FileManager.default.createDirectory(
            at: workshop.folder.appending(path: "broken"), withIntermediateDirectories: true)
        try workshop.write("broken/policy.yaml", "hawser: 1\ndefault: deny\nrule: {}\n")
        try workshop.write("rows.ndjson", AuditTests.rows.map { $0 + "\n" }.joined())
        #expect(try workshop.run("compile", "unit", "-o", "table").status == 0)
        return workshop
    }

    /// A policy with something to find, to foresee and to compare.
    private static func policy(until: String) -> String {
        """
        hawser: 1
        default: deny
        anchors:
          acme: { files: [anchors/root.pem] }
        rules:
          api:
            hosts: ["api.acme.example"]
            anchors: [acme]
            owner: "<b>team</b> ::error::"
            waivers:
              expired: { tolerance: 14d, reason: "late", owner: pki, until: \(until) }

        """
    }

    @Test("a cell is written and read back, or refused", arguments: rows)
    func cells(_ row: Row) throws {
        let workshop = try Self.workshop()
        let usual = try workshop.run([row.command] + row.words)
        #expect([0, 1].contains(usual.status), "\(usual.transcript)")
        for format in AnswerFormat.allCases {
            let run = try workshop.run(
                [row.command] + row.words + ["--format", format.rawValue])
            let file = try workshop.run(
                [row.command] + row.words + ["--output", "\(format.rawValue)=out"])
            let place = "\(row.command) as \(format)"
            guard row.formats.contains(.answer(format)) else {
                expectRefusal(run, row, format, place)
                expectRefusal(file, row, format, place)
                continue
            }
            #expect(run.status == usual.status, "\(place): \(run.error)")
            #expect(file.status == usual.status, "\(place): \(file.error)")
            let written = try String(
                contentsOf: workshop.folder.appending(path: "out"), encoding: .utf8)
            #expect(!written.isEmpty, "\(place)")
            try read(written, as: format, place)
            // A screen cuts the text, an audit is never the same twice, and a report has the
            // command that wrote it.
            if format != .text, !["audit", "report"].contains(row.command) {
                #expect(written == run.output, "\(place)")
            }
        }
    }

    private func expectRefusal(
        _ run: CommandRun, _ row: Row, _ format: AnswerFormat, _ place: String
    ) {
        #expect(run.status == 2, "\(place)")
        #expect(run.error.hasPrefix("error: "), "\(place): \(run.error)")
        for known in row.formats {
            #expect(run.error.contains(known.name), "\(place): \(run.error)")
        }
        if let reason = row.senseless[format] {
            let words = "this answer is not written as `\(format.rawValue)`, because \(reason)"
            #expect(run.error.contains(words), "\(place): \(run.error)")
        } else {
            #expect(run.error.contains("`\(format.rawValue)`"), "\(place): \(run.error)")
        }
        #expect(run.output.isEmpty, "\(place)")
    }

    /// Reads a text by the format's own reader.
    private func read(_ text: String, as format: AnswerFormat, _ place: String) throws {
        switch format {
        case .text:
            #expect(!text.contains("\u{1B}"), "\(place)")
        case .json:
            let document = try JSONDocument(text: text)
            // The JSON of `pin` has no schema.
            guard document["schema"] != .string("hawser/pin/1") else { return }
            #expect(try Self.schema(of: document).violations(of: document) == [], "\(place)")
        case .markdown:
            // Markup of a policy's author stands in code, where it is text.
            let told = text.replacing(#/`[^`\n]+`/#, with: "")
            #expect(text.utf8.count <= 60_000 && !told.contains("<b>team"), "\(place)")
        case .html:
            // The filter of a report is the only script that a page may have (`UnitReportTests`).
            let flaws = Page(text).flaws.filter {
                $0 != "it has <script" || !place.hasPrefix("report ")
            }
            #expect(flaws.isEmpty, "\(place): \(flaws)")
        case .sarif:
            let document = try JSONDocument(text: text)
            #expect(document["version"] == .string("2.1.0"), "\(place)")
            #expect(document["runs"]?.items.isEmpty == false, "\(place)")
            guard let schema = try? String(contentsOf: Self.sarif, encoding: .utf8) else {
                print("the SARIF schema is absent: \(Self.sarif.path)")
                return
            }
            #expect(try JSONSchema(text: schema).violations(of: document) == [], "\(place)")
        case .github:
            for line in text.split(separator: "\n") {
                #expect(line.hasPrefix("::"), "\(place): \(line)")
            }
        case .junit:
            let parser = XMLCheck()
            #expect(parser.isWellFormed(Data(text.utf8)), "\(place)")
            #expect(text.contains("<testsuite"), "\(place)")
        }
    }

    private static let sarif = CommandRun.repository
        .appending(path: "../shared/data/sarif-schema-2.1.0.json").standardized

    /// Schemas with another name than the documents that they are of.
    private static let files = [
        "assert": "assert-report", "test": "test-report", "explain": "trace",
    ]

    /// The schema that a document of the command names.
    private static func schema(of document: JSONDocument) throws -> JSONSchema {
        guard case .string(let named)? = document["schema"] else { throw Unnamed() }
        let name = named.split(separator: "/").dropFirst().first.map(String.init) ?? ""
        return try AuditTests.schema(files[name] ?? name)
    }

    private struct Unnamed: Error {}
}
