import Testing

@testable import Rendering

@Suite("text of documents")
struct TextWriterTests {
    @Test("every block in its layout")
    func blocks() {
        let expected = """
            noticed a line about `sample`

            a tree
            └ FAILED  sample\(String(repeating: " ", count: 46))policy.yaml:2:3, RFC 5280 §6.1
               ├ -  sample
               │    sample
               └ $  hawser show sample
            write policy.yaml:3:
              note: sample
                expected  sample  policy.yaml:2:1
                got       sample
              sample  sample, second  policy.yaml:3:1
              short   v               nowhere
            refuted  sample  policy.yaml:1:1
              hosts       sample
                sample
            error[HW001]: sample
             --> policy.yaml:9:7
              |
            7 | first: 1
              | ----- first
            ...
            9 | note: sample
              |       ^^^^^^ sample
              |
              = help: sample
            `hawser sample --all`
            write sample:
            rules:
              sample: x
            for the screen alone

            """
        let text = TextWriter.write(DocumentSamples.all())
        #expect(
            text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.isEmpty }
                .map { TextWrap.trimmed(String($0)) }.joined(separator: "\n")
                == expected.split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.isEmpty }.joined(separator: "\n"))
    }

    @Test("words have colours on a terminal, and the same letters")
    func colour() {
        let document = DocumentSamples.all()
        let coloured = TextWriter.write(document, colour: .terminal)
        #expect(coloured.contains("\u{1B}[1;31mFAILED\u{1B}[0m"))
        #expect(coloured.contains("\u{1B}[1;33mnoticed \u{1B}[0ma line"))
        let codes = ["31", "32", "33", "34", "36"].map { "\u{1B}[1;\($0)m" } + ["\u{1B}[0m"]
        let letters = codes.reduce(coloured) { $0.replacing($1, with: "") }
        #expect(letters == TextWriter.write(document))
    }

    @Test(
        "the widths of columns",
        arguments: [
            (Fields.Width.free, "a  x  p\nlong  y  q"), (.fixed(3), "a  x  p\nlong y  q"),
            (.least(3), "a    x  p\nlong  y  q"), (.longest(), "a     x  p\nlong  y  q"),
            (.longest(most: 2), "a   x  p\nlong  y  q"), (.alike(most: 3), "a  x  p\nlong  y  q"),
            (.alike(most: 4), "a     x  p\nlong  y  q"),
        ])
    func widths(_ labels: Fields.Width, _ expected: String) {
        var document = Document(kind: "sample", version: "")
        document.blocks = [
            .fields(
                [Field("a", "x", citation: "p"), Field("long", "y", citation: "q")], labels: labels)
        ]
        #expect(TextWriter.write(document) == expected + "\n")
    }

    private static let minor = Rank(60, noun: Noun("note", "notes"))

    private func tall(_ closing: Closing) -> Document {
        var document = Document(kind: "sample", version: "")
        document.blocks = [.line("the answer", rank: .needed)]
        document.blocks += (1...5).map { .line("note \($0)", rank: TextWriterTests.minor) }
        document.blocks += (1...5).map {
            .fields([Field("field", DocumentText("\($0)"), weight: 1)], rank: Rank(70))
        }
        document.closing = closing
        return document
    }

    @Test("what has no room goes by rank, the last first, and is counted")
    func cut() {
        let text = TextWriter.write(tall(.counted([], pointer: "`--all` shows all")), rows: 4)
        #expect(
            text == "the answer\nnote 1\nnote 2\nno room for 3 notes; `--all` shows all\n")
        let fields = TextWriter.write(
            tall(.fields(all: 9, command: "hawser show --all", short: "add `--all`")), rows: 8)
        #expect(
            fields == "the answer\n" + (1...5).map { "note \($0)\n" }.joined()
                + "field  1\n8 more fields: `hawser show --all`\n")
    }

    @Test("a page without a height is whole, and one that is high enough is not cut")
    func whole() {
        let document = tall(.counted([], pointer: "`--all` shows all"))
        #expect(TextWriter.write(document) == TextWriter.write(document, rows: 12))
        #expect(TextWriter.write(document).split(separator: "\n").count == 11)
    }

    @Test("no line of any document is wider than its page, or is a command of a log reader")
    func wrapped() {
        var document = Document(kind: "sample", version: "")
        document.wrapping = .columns
        document.blocks = [
            .line(
                DocumentText(String(repeating: "word ::error ", count: 30)), word: .bad("reject ")),
            .fields([Field("label", DocumentText(String(repeating: "##[x] y ", count: 30)))]),
        ]
        for columns in [20, 40, 80] {
            let lines = TextWriter.write(document, columns: columns).split(separator: "\n")
            #expect(lines.allSatisfy { TextWrap.columns(String($0)) <= columns })
            #expect(!lines.contains { $0.hasPrefix("::") || $0.hasPrefix("##") })
        }
        document.wrapping = .words
        let long = String(repeating: "x", count: 200)
        document.blocks = [.line(DocumentText("a \(long) b"), hang: 4)]
        #expect(TextWriter.write(document, columns: 40) == "a\n    \(long)\n    b\n")
    }
}
