import PolicyCompiler
import Testing

/// Spaces of Unicode, which look like blanks and are letters to YAML: named wherever they stand
/// outside quotes, literal text and comments, each once.
@Suite("syntax: spaces of Unicode") struct UnseenSpaceTests {
    private static let nbsp = "\u{A0}"

    struct Row: CustomTestStringConvertible {
        var name: String
        /// Marked text; `~` stands for U+00A0.
        var text: String
        var says: String
        var tree: String
        /// The text after the fixes; nil if one must be reviewed.
        var fixed: String?
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(
            name: "indentation", text: "a:\n«~~»b: c\n  d: e\n", says: "indents this line",
            tree: "{a: {b: c, d: e}}", fixed: "a:\n  b: c\n  d: e\n"),
        Row(
            name: "indentation beside blanks", text: "a:\n  b: c\n «~»d: e\n",
            says: "indents this line", tree: "{a: {b: c, d: e}}",
            fixed: "a:\n  b: c\n  d: e\n"),
        Row(
            name: "indentation with blanks between", text: "a:\n«~ ~»b: c\n",
            says: "indents this line", tree: "{a: {b: c}}", fixed: "a:\n   b: c\n"),
        Row(
            name: "indentation of a comment", text: "a: b\n«~»# c\nd: e\n",
            says: "indents this line", tree: "{a: b, d: e}", fixed: "a: b\n # c\nd: e\n"),
        Row(
            name: "behind a colon", text: "a:«~»[b]\nc: d\n",
            says: "stands where a blank is wanted",
            tree: "{a: [b], c: d}", fixed: "a: [b]\nc: d\n"),
        Row(
            name: "before a colon", text: "a«~»: b\nc: d\n", says: "stands where a blank is wanted",
            tree: "{a: b, c: d}", fixed: "a : b\nc: d\n"),
        Row(
            name: "behind a dash", text: "a:\n  -«~»b\n  - c\n",
            says: "stands where a blank is wanted", tree: "{a: [b, c]}",
            fixed: "a:\n  - b\n  - c\n"),
        Row(
            name: "in brackets", text: "a: [«~»b,«~»c]\nd: {e: f«~»}\n",
            says: "stands where a blank is wanted", tree: "{a: [b, c], d: {e: f}}",
            fixed: "a: [ b, c]\nd: {e: f }\n"),
        Row(
            name: "at the end", text: "a: deny«~»\nb: c\n", says: "ends this line",
            tree: "{a: deny, b: c}", fixed: "a: deny\nb: c\n"),
        Row(
            name: "at the end, with carriage returns", text: "a: deny«~»\r\nb: c\r\n",
            says: "ends this line", tree: "{a: deny, b: c}", fixed: "a: deny\r\nb: c\r\n"),
        Row(
            name: "behind a quote", text: "a: \"b\"«~»\nc: d\n", says: "ends this line",
            tree: "{a: b, c: d}", fixed: "a: \"b\"\nc: d\n"),
        Row(
            name: "inside a text", text: "a: web«~»team\nb: c\n", says: "stands inside this text",
            tree: "{a: !, b: c}", fixed: "a: web team\nb: c\n"),
        Row(
            name: "inside a key", text: "a«~»b: c\nd: e\n", says: "stands inside this text",
            tree: "{!: c, d: e}", fixed: "a b: c\nd: e\n"),
        Row(
            name: "what would become a comment", text: "a: web«~»# x\nb: c\n",
            says: "stands inside this text", tree: "{a: web, b: c}", fixed: nil),
        Row(
            name: "an ideographic space", text: "a:«\u{3000}»b\n",
            says: "`U+3000`, an ideographic space, stands where a blank is wanted",
            tree: "{a: b}", fixed: nil),
        Row(
            name: "an em space", text: "a: b«\u{2003}»c\n",
            says: "`U+2003`, a space of typesetting, stands inside this text", tree: "{a: !}",
            fixed: "a: b c\n"),
        Row(
            name: "indentation of literal text", text: "a: |\n«~~»b\n  c\nd: e\n",
            says: "indents this line", tree: "{a: b\nc\n, d: e}", fixed: "a: |\n  b\n  c\nd: e\n"),
    ]

    @Test("each place, its tree and its fix", arguments: rows)
    func place(_ row: Row) {
        let marked = MarkedText(row.text.replacing("~", with: Self.nbsp))
        let tree = marked.parse()
        #expect(
            tree.found == marked.marks.map { "HW010@\($0.lowerBound)..<\($0.upperBound)" })
        #expect(tree.outline == row.tree)
        for diagnostic in tree.diagnostics {
            #expect(diagnostic.message.contains(row.says))
            #expect(diagnostic.message.contains("`U+"))
        }
        let fixes = tree.diagnostics.compactMap(\.fix)
        #expect(fixes.count == marked.marks.count)
        #expect(fixes.allSatisfy { ($0.safety == .safe) == (row.fixed != nil) })
        guard let fixed = row.fixed else { return }
        var bytes = marked.bytes
        for edit in fixes.flatMap(\.edits).reversed() {
            bytes.replaceSubrange(
                Int(edit.span.start)..<Int(edit.span.end), with: Array(edit.replacement.utf8))
        }
        #expect(String(decoding: bytes, as: UTF8.self) == fixed)
        let mended = SyntaxParser.parse(
            SourceFile(path: "test.policy.yaml", bytes: bytes), fileIndex: 3)
        #expect(mended.diagnostics.isEmpty)
    }

    @Test(
        "quotes, comments and literal text may have them",
        arguments: [
            "a: \"b~c\"\n", "a: 'it''s~b' #~c\n", "# a:~b\nc: d\n", "a: |\n  b~: c\n  d~\ne: f\n",
            "a: \"b\n  c:~d\n  e\"\nf: g\n", "a: [\"b~\", 'c~']\n",
        ])
    func allowed(_ text: String) {
        #expect(MarkedText(text.replacing("~", with: Self.nbsp)).parse().diagnostics.isEmpty)
    }

    @Test("many of them take time in proportion")
    func many() {
        let spaces = String(repeating: "\u{A0} \u{2003}\t", count: 40_000)
        for text in [spaces, "a: b" + spaces + "c\n", "a: [" + spaces + "]\n", "a: |" + spaces] {
            #expect(MarkedText(text).parse().diagnostics.count < 2_000)
        }
        let words = String(repeating: "[b\u{A0},", count: 40_000)
        #expect(MarkedText("a: " + words).parse().diagnostics.count < 2_000)
    }
}
