import Testing

@testable import Rendering

@Suite("formats of documents")
struct FormatWritersTests {
    /// Text that a format could take for something else.
    static let hostile = [
        "<script>alert(1)</script>", "@maintainer #1 `x", "a\r\n::error::b",
        "a\n## b\n- [x](http://y)",
        "\u{202E}txt.exe", "\u{1B}[31mred", "a|b|c", "]](x) ![i](j)", "--> <!-- ", "\"' & ]]>",
        "```\nsh\n```", "%0A::warning::x", "\u{0}\u{7}\u{FFFE}",
    ]

    /// What stands outside code spans, whose fences have any length.
    static func outsideCode(_ line: Substring) -> String {
        var outside = ""
        var rest = line
        while let open = rest.firstIndex(of: "`") {
            outside += rest[..<open]
            let fence = rest[open...].prefix { $0 == "`" }
            rest = rest[fence.endIndex...]
            var inside = rest
            var end: Substring.Index?
            while end == nil, let close = inside.firstIndex(of: "`") {
                let run = inside[close...].prefix { $0 == "`" }
                inside = inside[run.endIndex...]
                if run.count == fence.count { end = run.endIndex }
            }
            guard let end else { return outside + fence + rest }
            rest = rest[end...]
        }
        return outside + rest
    }

    static func isHidden(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0 != "\n" && TerminalEscape.needsEscape($0) }
    }

    @Test("a text has no control character and no line of a stranger", arguments: hostile)
    func text(_ hostile: String) {
        let text = TextWriter.write(DocumentSamples.all(hostile))
        #expect(!FormatWritersTests.isHidden(text))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
        #expect(
            lines
                == TextWriter.write(DocumentSamples.all()).split(
                    separator: "\n", omittingEmptySubsequences: false
                ).count)
    }

    @Test("Markdown stays in its cells and mentions nobody", arguments: hostile)
    func markdown(_ hostile: String) {
        let text = MarkdownWriter.write(DocumentSamples.all(hostile))
        #expect(!FormatWritersTests.isHidden(text))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            lines.count
                == MarkdownWriter.write(DocumentSamples.all()).split(
                    separator: "\n", omittingEmptySubsequences: false
                ).count)
        // Outside code nothing of the stranger's is left that GitHub could act on.
        for line in lines where !line.contains("```") && !line.hasPrefix("  note:") {
            let outside = FormatWritersTests.outsideCode(line)
            guard line.hasPrefix("- ") || line.hasPrefix("|") else { continue }
            #expect(!outside.contains("@maintainer") && !outside.contains("<script"), "\(line)")
        }
    }

    @Test("a page holds no markup of a stranger", arguments: hostile)
    func html(_ hostile: String) {
        let page = HTMLWriter.write(DocumentSamples.all(hostile))
        #expect(!page.contains("<script>alert"))
        #expect(!page.contains("href=\"http://y"))
        #expect(!FormatWritersTests.isHidden(page))
    }

    @Test("annotations stay one command a line", arguments: hostile)
    func github(_ hostile: String) {
        let lines = GitHubWriter.write(DocumentSamples.all(hostile)).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix("::error file=") && lines[1].hasPrefix("::notice title="))
        #expect(!lines.joined().contains("\r"))
    }

    @Test("JUnit is well-formed", arguments: hostile)
    func junit(_ hostile: String) {
        let text = JUnitWriter.write(DocumentSamples.all(hostile))
        #expect(
            text.count(where: { $0 == "<" })
                == JUnitWriter.write(DocumentSamples.all())
                .count(where: { $0 == "<" }))
        #expect(!FormatWritersTests.isHidden(text) && !text.contains("\u{FFFE}"))
    }

    @Test("SARIF has the finding, its places, names and fingerprint")
    func sarif() {
        let text = SARIFWriter.write(DocumentSamples.all())
        for part in [
            "\"ruleId\": \"sample-rule\"", "\"executionSuccessful\": true",
            "\"sample/1\": \"f00d\"",
            "\"fullyQualifiedName\": \"sample\"", "\"security-severity\": \"8.0\"",
            "\"relatedLocations\"", "\"endColumn\": 4",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!text.contains("suppressions"))
        var document = DocumentSamples.all()
        document.findings.results.append(DocumentSamples.finding("other"))
        document.findings.results[1].suppression = Finding.Suppression(
            isInSource: true, reason: "known", word: "suppressed")
        let suppressed = SARIFWriter.write(document)
        #expect(suppressed.contains("\"suppressions\": []"))
        #expect(suppressed.contains("\"justification\": \"known\""))
    }

    @Test("SARIF has twenty related places of a finding, and its message counts the others")
    func relatedPlaces() {
        var document = DocumentSamples.all()
        func text(_ related: Int) -> String {
            document.findings.results[0].places = (0...related).map {
                FindingPlace(file: "policy.yaml", line: 1_000 + $0, column: 1)
            }
            return SARIFWriter.write(document)
        }
        let all = text(20)
        #expect(all.contains("\"startLine\": 1020") && !all.contains("related places"))
        let cut = text(23)
        #expect(cut.contains("\"startLine\": 1020") && !cut.contains("\"startLine\": 1021"))
        #expect(cut.contains("\\nand 3 more related places\""))
    }

    @Test("an answer that could not be given is none in any format")
    func failed() {
        var document = Document(kind: "sample", version: "0.1.0")
        document.findings.run = .failed("no policy")
        #expect(SARIFWriter.write(document).contains("\"executionSuccessful\": false"))
        #expect(!SARIFWriter.write(document).contains("\"results\""))
        #expect(GitHubWriter.write(document) == "::error::no policy\n")
        #expect(JUnitWriter.write(document).contains("errors=\"1\""))
        #expect(JUnitWriter.write(document).contains("<error message=\"no policy\"/>"))
    }

    @Test("ten annotations of each kind, and one notice that counts")
    func annotationsOfEachKind() {
        var document = Document(kind: "sample", version: "")
        document.findings.results = (1...12).map { _ in DocumentSamples.finding("x") }
        let lines = GitHubWriter.write(document).split(separator: "\n")
        #expect(lines.count == 11)
        #expect(
            lines[10] == "::notice title=hawser::12 findings in all: 12 errors; 10 of them are "
                + "annotations, because GitHub shows 10 of each kind")
        document.findings.results.removeLast(2)
        #expect(GitHubWriter.write(document).split(separator: "\n").count == 10)
    }

    @Test("ten annotations in all, by choice, and the number of omitted ones of each kind")
    func annotationsInAll() {
        var document = Document(kind: "sample", version: "")
        document.command = "hawser sample"
        document.findings.tally = .all(lines: ["totals"], noun: "fields change")
        document.findings.results = (1...12).map { number in
            var finding = DocumentSamples.finding("\(number)")
            finding.choice = 12 - number
            finding.group = Finding.Group(order: 0, words: "weaker")
            return finding
        }
        document.findings.results[0].isKept = true
        let lines = GitHubWriter.write(document).split(separator: "\n")
        #expect(lines.count == 11)
        #expect(lines[0].contains("title=a finding of 1:"), "\(lines[0])")
        #expect(lines[1].contains("title=a finding of 4:"))
        #expect(
            lines[10] == "::notice title=hawser sample::totals%0A11 fields change, 9 of them are "
                + "annotations; left out: 2 weaker; all of them: hawser sample")
    }

    @Test("Markdown has at most 60,000 octets, whatever the document")
    func octets() {
        var document = DocumentSamples.all()
        let text = String(repeating: "word ", count: 400)
        document.blocks = [
            .section(
                "one", "First",
                [
                    .list(
                        (1...5_000).map { Entry(DocumentText("entry \($0) \(text)")) },
                        noun: Noun("class", "classes"))
                ]),
            .section(
                "two", "Second",
                [.table("t", ["a"], (1...5_000).map { Row([[DocumentText("row \($0)")]]) })],
                isFolded: true),
        ]
        let page = MarkdownWriter.write(document)
        #expect(page.utf8.count <= MarkdownWriter.most)
        #expect(page.utf8.count > 50_000)
        #expect(page.contains("of 5000 classes are left out"))
        #expect(page.contains("of 5000 rows are left out"))
        // The second list is not starved.
        #expect(page.contains("| row 1 |"))
        document.blocks = (1...5_000).map {
            .section("s\($0)", "Section \($0)", [.line("a line")])
        }
        let many = MarkdownWriter.write(document)
        #expect(many.utf8.count <= MarkdownWriter.most)
        #expect(many.contains("of 5000 parts are left out"))
    }

    @Test("what ranks higher has room first")
    func rank() {
        var document = Document(kind: "sample", version: "")
        let rows = (0..<2_000).map { number in
            Row(
                [[DocumentText("row \(number) \(String(repeating: "w", count: 50))")]],
                rank: number >= 1_990 ? .needed : .last)
        }
        document.blocks = [.table("t", ["a"], rows)]
        let page = MarkdownWriter.write(document)
        #expect(
            (1_990..<2_000).allSatisfy { page.contains("row \($0)") || page.contains("`\($0)`") })
        #expect(page.contains("rows are left out"))
    }

    @Test("each room has its blocks")
    func rooms() {
        let document = DocumentSamples.all()
        let texts = [
            TextWriter.write(document), MarkdownWriter.write(document), HTMLWriter.write(document),
        ]
        #expect(texts.map { $0.contains("for the screen alone") } == [true, false, false])
        #expect(texts.map { $0.contains("for pages alone") } == [false, true, true])
    }

    @Test("a place is a link to its line")
    func links() {
        let page = HTMLWriter.write(DocumentSamples.all())
        #expect(page.contains("<a href=\"#file-1-2\">policy.yaml:2:3</a>, RFC 5280 §6.1"))
        #expect(page.contains("<li id=\"file-1-2\" class=\"cited\">"))
    }

    @Test("a document in Markdown")
    func sample() {
        let text = MarkdownWriter.write(DocumentSamples.all())
        for part in [
            "### answer of sample", "**2 weaker**, **1 equal**", "<!-- hawser-sample: sample -->",
            "#### A tree",
            "- **FAILED** sample (`policy.yaml:2:3`, RFC 5280 `§6.1`)",
            "<details><summary>Fields of sample</summary>",
            "| name | value | where |\n| --- | --- | --- |\n| `sample` | sample<br>second |",
            "- **refuted** sample (`policy.yaml:1:1`)\n  - hosts: sample\n  - sample",
            "```sh\nhawser sample --all\n```",
        ] {
            #expect(text.contains(part), "\(part) in\n\(text)")
        }
    }
}
