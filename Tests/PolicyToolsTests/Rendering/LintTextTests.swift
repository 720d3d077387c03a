import Foundation
import PolicyCompiler
import PolicyTools
import Rendering
import Testing
import TrustEngine

@Suite struct LintTextTests {
    /// A file, and spans in it found by their text.
    static func file(_ text: String, _ path: String = "a.policy.yaml") -> SourceFile {
        SourceFile(path: path, bytes: Array(text.utf8))
    }

    static func span(_ file: SourceFile, _ text: String, index: Int = 0, skip: Int = 0)
        -> SourceSpan
    {
        let wanted = Array(text.utf8)
        var left = skip
        for start in 0...max(0, file.bytes.count - wanted.count) {
            guard Array(file.bytes[start...].prefix(wanted.count)) == wanted else { continue }
            if left == 0 { return SourceSpan(file: index, start: start, end: start + wanted.count) }
            left -= 1
        }
        return SourceSpan(file: index, start: 0, end: 0)
    }

    static func render(_ diagnostic: Diagnostic, _ files: [SourceFile], width: Int = 100) -> String
    {
        let report = FindingReport([diagnostic], files: files, trees: [])
        let text = TextWriter.write(
            LintDocument.document(report, [.text], version: "1.0.0"), columns: width)
        // The empty line and the number of findings follow each text.
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(3)
            .map { $0 + "\n" }.joined()
    }

    @Test("place, underlines, help and notes")
    func anatomy() {
        let file = Self.file(
            "rules:\n  api:\n    hosts: [a]\n    pins: [b]\n    owner: c\n    hosts: [d]\n")
        let diagnostic = Diagnostic(
            .duplicateKey, "`hosts` stands twice in one map",
            at: Diagnostic.Label(Self.span(file, "hosts", skip: 1), "again here"),
            labels: [Diagnostic.Label(Self.span(file, "hosts"), "first here")],
            help: ["delete one"], notes: ["LANGUAGE section 1.1"])
        #expect(
            Self.render(diagnostic, [file]) == """
                error[HW003]: `hosts` stands twice in one map
                 --> a.policy.yaml:6:5
                  |
                3 |     hosts: [a]
                  |     ----- first here
                ...
                6 |     hosts: [d]
                  |     ^^^^^ again here
                  |
                  = help: delete one
                  = note: LANGUAGE section 1.1

                """)
    }

    @Test("two places in one line, and one in another file")
    func places() {
        let file = Self.file("a: [x, y, x]\n")
        let other = Self.file("# 1\n\n\n\n\n\n\n\n\nb: x\n", "b.policy.yaml")
        let diagnostic = Diagnostic(
            .samePatternTwice, "m", at: Diagnostic.Label(Self.span(file, "x", skip: 1), "here"),
            labels: [
                Diagnostic.Label(Self.span(file, "x"), "there"),
                Diagnostic.Label(Self.span(other, "x", index: 1), "and there"),
            ])
        #expect(
            Self.render(diagnostic, [file, other]) == """
                error[HW208]: m
                  --> a.policy.yaml:1:11
                   |
                 1 | a: [x, y, x]
                   |           ^ here
                   |     - there
                  ::: b.policy.yaml:10:4
                   |
                10 | b: x
                   |    - and there

                """)
    }

    @Test("a place over several lines is shown by its first and last")
    func lines() {
        let file = Self.file("a:\n  - b\n  - c\n  - d\ne: f\n")
        let diagnostic = Diagnostic(
            .wrongType, "m", at: Diagnostic.Label(Self.span(file, "- b\n  - c\n  - d"), "this list")
        )
        #expect(
            Self.render(diagnostic, [file]) == """
                error[HW102]: m
                 --> a.policy.yaml:2:3
                  |
                2 |   - b
                  |   ^^^
                ...
                4 |   - d
                  |   ^^^ this list

                """)
    }

    @Test("carets stay below wide, combining, hidden and tabulated characters")
    func widths() {
        let file = Self.file("日e\u{301}\u{200B}\tß: x\n")
        let diagnostic = Diagnostic(.badHost, "m", at: Diagnostic.Label(Self.span(file, "x")))
        // Cells: 日 2, e 1, the accent 0, \u{200B} 8, the tab up to the next multiple of four.
        #expect(
            Self.render(diagnostic, [file]) == """
                error[HW201]: m
                 --> a.policy.yaml:1:9
                  |
                1 | 日e\u{301}\\u{200B} ß: x
                  |                ^

                """)
    }

    @Test("a long line is shown as a window around the place")
    func window() {
        let file = Self.file(
            "a: [" + String(repeating: "bbb, ", count: 60) + "HERE, "
                + String(repeating: "c", count: 90) + "]\n")
        let diagnostic = Diagnostic(
            .badHost, "m", at: Diagnostic.Label(Self.span(file, "HERE"), "this"))
        let lines = Self.render(diagnostic, [file], width: 60).split(separator: "\n")
        let shown = lines[3].dropFirst(4)
        #expect(shown.count == 62 && shown.first == "…" && shown.last == "…")
        let caret = lines[4].dropFirst(4).prefix { $0 == " " }.count
        #expect(Array(shown)[caret..<caret + 4] == ["H", "E", "R", "E"])
        #expect(lines[4].hasSuffix("^^^^ this"))
    }

    @Test("an empty place has one caret, at the end of the text too")
    func emptyPlace() {
        let file = Self.file("a: b\n")
        let diagnostic = Diagnostic(
            .missingKey, "m", at: Diagnostic.Label(SourceSpan(file: 0, start: 5, end: 5)))
        #expect(
            Self.render(diagnostic, [file]) == """
                error[HW108]: m
                 --> a.policy.yaml:2:1
                  |
                2 |
                  | ^

                """)
        #expect(Self.render(diagnostic, []) == "error[HW108]: m\n")
    }

    @Test("hostile text in message, label, path and source is escaped")
    func hostile() {
        let file = Self.file("a: \u{1B}[2J\u{202E}\n", "x\u{1B}]0;y\n::error.yaml")
        let diagnostic = Diagnostic(
            .unknownValue, "`\u{1B}[2J`\n::error",
            at: Diagnostic.Label(Self.span(file, "a"), "\u{7}"),
            help: ["\u{2028}"])
        let text = Self.render(diagnostic, [file])
        let allowed = text.unicodeScalars.allSatisfy { $0 == "\n" || !HiddenCharacter.isHidden($0) }
        #expect(allowed)
        #expect(!text.contains("\n::error"))
    }

    @Test("colour only when it is asked for, and nothing else changes")
    func colour() throws {
        let file = Self.file("a: b\na: c\n")
        let found = SyntaxParser.parse(file, fileIndex: 0).diagnostics
        let plain = LintDocument.text(found, files: [file], colour: .plain)
        let painted = LintDocument.text(found, files: [file], colour: .terminal)
        #expect(!plain.contains("\u{1B}"))
        #expect(painted.contains("\u{1B}[1;31merror[HW003]\u{1B}[0m"))
        let bare = painted.replacing(try Regex("\u{1B}\\[[0-9;]*m"), with: "")
        #expect(bare == plain)
    }

    @Test("the closing line counts each kind")
    func tally() {
        let place = Diagnostic.Label(SourceSpan(file: 0, start: 0, end: 0))
        let error = Diagnostic(.badId, "m", at: place)
        let warning = Diagnostic(.duplicatePin, "m", at: place)
        #expect(FindingReport.tally([error, error, warning]) == "2 errors, 1 warning")
        #expect(FindingReport.tally([error]) == "1 error")
        #expect(FindingReport.tally([]) == "nothing found")
        #expect(LintDocument.text([], files: []) == "")
    }

    @Test("JSON holds what the text holds, with lines and columns from 1")
    func json() throws {
        let file = Self.file("ä: b\nä: \u{7F}c\n")
        let found = SyntaxParser.parse(file, fileIndex: 0).diagnostics
        let text = DiagnosticJSON.render(found, files: [file])
        let read = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let document = try #require(read)
        #expect(document["schema"] as? String == "hawser/diagnostics/1")
        #expect(document["summary"] as? [String: Int] == ["errors": 2, "warnings": 0, "infos": 0])
        let all = try #require(document["diagnostics"] as? [[String: Any]])
        #expect(all.map { $0["code"] as? String } == ["HW003", "HW010"])
        #expect(all.map { $0["name"] as? String } == ["duplicate-key", "hidden-text"])
        let place = try #require(all[1]["primary"] as? [String: Any])
        #expect(place["file"] as? String == "a.policy.yaml")
        #expect(place["start"] as? [String: Int] == ["line": 2, "column": 4, "offset": 10])
        #expect(place["end"] as? [String: Int] == ["line": 2, "column": 5, "offset": 11])
        let fixes = try #require(all[1]["fixes"] as? [[String: Any]])
        #expect(fixes.first?["safety"] as? String == "needs-review")
        #expect((all[0]["labels"] as? [[String: Any]])?.first?["label"] as? String == "first here")
    }
}
