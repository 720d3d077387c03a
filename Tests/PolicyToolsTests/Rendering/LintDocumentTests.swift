import Foundation
import PolicyCompiler
import PolicyTools
import Rendering
import Testing

@Suite struct LintDocumentTests {
    /// A policy with a faulty key, and a second file without faults.
    private static let files = [
        SourceFile(path: "a.policy.yaml", bytes: Array("hosts: 1\nhosts: 2\n".utf8)),
        SourceFile(path: "b.policy.yaml", bytes: Array("hawser: 1\n".utf8)),
    ]

    private static func render(_ format: AnswerFormat, file: Int) -> String {
        let diagnostic = Diagnostic(
            .duplicateKey, "`hosts` stands twice in one map",
            at: Diagnostic.Label(SourceSpan(file: file, start: 9, end: 14), "again here"),
            labels: [Diagnostic.Label(SourceSpan(file: 0, start: 0, end: 5), "first here")],
            help: ["delete one"])
        let report = FindingReport([diagnostic], files: files, trees: [])
        let answer = FindingAnswer(report, version: "1.0.0")
        return FindingAnswer.writers[.answer(format)]?(answer, AnswerStyle()) ?? ""
    }

    @Test("a finding is a place, a command, and a failed case")
    func finding() {
        let sarif = Self.render(.sarif, file: 0)
        #expect(sarif.contains("\"startLine\": 2"))
        #expect(sarif.contains("\"relatedLocations\""))
        #expect(sarif.contains("first here"))
        #expect(
            Self.render(.github, file: 0)
                == "::error file=a.policy.yaml,line=2,endLine=2,col=1,endColumn=6,"
                + "title=HW003 duplicate-key::`hosts` stands twice in one map%0Ahelp: delete one\n")
        #expect(
            Self.render(.junit, file: 0) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="hawser" tests="2" failures="1">
                  <testsuite name="a.policy.yaml" tests="1" failures="1">
                    <testcase classname="a.policy.yaml" name="HW003 duplicate-key at line 2">
                      <failure type="error" message="`hosts` stands twice in one map">\
                a.policy.yaml:2:1: error[HW003]: `hosts` stands twice in one map; \
                help: delete one&#10;</failure>
                    </testcase>
                  </testsuite>
                  <testsuite name="b.policy.yaml" tests="1" failures="0">
                    <testcase classname="b.policy.yaml" name="clean"/>
                  </testsuite>
                </testsuites>

                """)
    }

    @Test("a finding of no file has no location, no line, and a suite for the unit")
    func noPlace() {
        #expect(Self.render(.sarif, file: 9).contains("\"locations\": []"))
        #expect(Self.render(.github, file: 9).hasPrefix("::error title=HW003 duplicate-key::"))
        let junit = Self.render(.junit, file: 9)
        #expect(junit.contains("<testsuite name=\"unit\" tests=\"1\" failures=\"1\">"))
        #expect(junit.contains("<testsuites name=\"hawser\" tests=\"3\" failures=\"1\">"))
    }

    /// A report of one finding with a label, help and a fix.
    private static func report(count: Int = 1) -> FindingReport {
        var diagnostic = Diagnostic(
            .duplicateKey, "`hosts` stands twice in one map",
            at: Diagnostic.Label(SourceSpan(file: 0, start: 9, end: 14), "again here"),
            labels: [Diagnostic.Label(SourceSpan(file: 0, start: 0, end: 5), "first here")],
            help: ["delete one"])
        diagnostic.fix = FixIt(
            title: "write another key", safety: .needsReview,
            edits: [FixIt.Edit(SourceSpan(file: 0, start: 9, end: 14), "anchors")])
        return FindingReport(
            Array(repeating: diagnostic, count: count), files: files, trees: [])
    }

    private static func page(_ report: FindingReport) -> Document {
        LintDocument.document(report, [.page], version: "1.0.0")
    }

    @Test("a comment has the finding with its lines, help and fix")
    func comment() {
        #expect(
            MarkdownWriter.write(Self.page(Self.report())) == """
                ### 1 error

                **worst: error**

                - codes: `HW003`
                - more: `hawser rule CODE` explains a code

                #### Findings

                - **error `HW003`** duplicate-key

                  `hosts` stands twice in one map

                  ```text
                   --> a.policy.yaml:2:1
                    |
                  1 | hosts: 1
                    | ----- first here
                  2 | hosts: 2
                    | ^^^^^ again here
                  ```

                  - help: delete one
                  - `--fix-unsafe` does this, and a person must check it: write another key

                  `a.policy.yaml:2:1`, the new text:

                  ```yaml
                  anchors
                  ```

                """)
    }

    @Test("a page links each place to its line")
    func page() {
        let page = HTMLWriter.write(Self.page(Self.report()))
        #expect(page.contains("<h1>1 error</h1>"))
        #expect(page.contains("<a href=\"#file-1-2\">a.policy.yaml:2:1</a>: again here"))
        #expect(page.contains("<a href=\"#file-1-1\">a.policy.yaml:1:1</a>: first here"))
        #expect(page.contains("<a href=\"#file-1-2\">a.policy.yaml:2:1</a>, the new text:"))
        #expect(page.contains("<mark>hosts</mark>"))
        #expect(!page.contains("Not reported"))
    }

    @Test("a comment counts the findings that do not fit")
    func room() throws {
        let text = MarkdownWriter.write(Self.page(Self.report(count: 1_000)))
        #expect(text.utf8.count <= MarkdownWriter.most)
        let shown = text.components(separatedBy: "- **error `HW003`**").count - 1
        #expect(shown > 100)
        #expect(text.contains("**\(1_000 - shown) of 1000 findings are left out"))
    }

    @Test("a comment about a clean policy has no findings")
    func clean() {
        let text = MarkdownWriter.write(Self.page(FindingReport([], files: Self.files, trees: [])))
        #expect(text == "### nothing found\n\n**nothing to report**\n")
    }
}
