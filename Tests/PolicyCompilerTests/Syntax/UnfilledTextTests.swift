import PolicyCompiler
import Testing

/// What a paste or a template leaves behind: PEM that is not indented, and marks that nothing
/// expands. Each is one error with what mends it.
@Suite("syntax: PEM and templates") struct UnfilledTextTests {
    private static let pem = [
        "-----BEGIN CERTIFICATE-----", "MIIBszCCAVmgAwIBAgIUQ", "abcdefgh+/==",
        "-----END CERTIFICATE-----",
    ]

    /// A policy's anchor set with the lines of PEM as they stand.
    private static func text(_ lines: [String], header: String = "    pem: |") -> String {
        "anchors:\n  acme:\n\(header)\n" + lines.map { $0 + "\n" }.joined() + "    owner: web\n"
    }

    @Test(
        "PEM without its indentation is one error, and its fix mends it",
        arguments: [
            pem, pem.map { "    " + $0 }, ["      " + pem[0]] + pem.dropFirst(), pem + pem,
            pem.map { "  " + $0 }, pem.map { $0 + "\r" },
        ])
    func pemWithoutIndent(_ lines: [String]) throws {
        let tree = MarkedText(Self.text(lines)).parse()
        #expect(tree.diagnostics.count == 1)
        let diagnostic = try #require(tree.diagnostics.first)
        #expect(diagnostic.code == .syntaxError)
        #expect(diagnostic.message.contains("the PEM below `pem: |` is not indented"))
        #expect(diagnostic.help == ["indent each of its lines by 6 blanks"])
        let fix = try #require(diagnostic.fix)
        #expect(fix.safety == .safe)
        var bytes = tree.file.bytes
        for edit in fix.edits.reversed() {
            bytes.replaceSubrange(
                Int(edit.span.start)..<Int(edit.span.end), with: Array(edit.replacement.utf8))
        }
        let mended = SyntaxParser.parse(
            SourceFile(path: "test.policy.yaml", bytes: bytes), fileIndex: 3)
        #expect(mended.diagnostics.isEmpty)
        #expect(mended.outline == tree.outline)
        #expect(mended.outline.contains("abcdefgh+/=="))
        #expect(mended.outline.hasSuffix("owner: web}}}"))
    }

    @Test("PEM in an item of a list, and what follows it")
    func pemInList() {
        let text = "a:\n  - pem: |\n" + Self.pem.map { $0 + "\n" }.joined() + "  - b\nc: d\n"
        let tree = MarkedText(text).parse()
        #expect(tree.diagnostics.map(\.help) == [["indent each of its lines by 6 blanks"]])
        #expect(tree.outline.hasSuffix(", b], c: d}"))
    }

    @Test("a second mistake is told beside it, and other text is not taken for PEM")
    func others() {
        let both = MarkedText(Self.text(Self.pem) + "«e»\n").parse()
        #expect(both.diagnostics.count == 2)
        let text = MarkedText("a:\n  b: |\n    text\n-----BEGIN X-----\nc: d\n").parse()
        #expect(text.diagnostics.allSatisfy { !$0.message.contains("PEM") })
    }

    @Test(
        "a mark that YAML reads as braces is one error",
        arguments: [
            ("a: «{{ .b }}»\nc: d\n", "{a: !, c: d}"), ("a: [«{{ .b }}», c]\n", "{a: [!, c]}"),
            ("a: [«${B}».pem]\nc: d\n", "{a: [!], c: d}"), ("a: {b: «${B}»}\n", "{a: {b: !}}"),
            ("a: [x-«${B}»]\n", "{a: [!]}"),
            ("a: «{{ .b | quote \"c\" }}»\nd: e\n", "{a: !, d: e}"),
            ("a: [«${B}», «${C}»]\n", "{a: [!, !]}"),
        ])
    func marks(_ text: String, _ outline: String) {
        let marked = MarkedText(text)
        let tree = marked.parse()
        #expect(tree.found == marked.marks.map { "HW001@\($0.lowerBound)..<\($0.upperBound)" })
        #expect(tree.outline == outline)
        #expect(tree.diagnostics.allSatisfy { $0.help == [Placeholder.help] })
    }

    @Test(
        "texts with marks are texts",
        arguments: ["a: ${B}\n", "a: b-{{ .c }}\n", "a: \"{{ .b }}\"\n", "a: ['${B}']\n"])
    func texts(_ text: String) {
        #expect(MarkedText(text).parse().diagnostics.isEmpty)
    }

    @Test("nested maps in brackets are maps")
    func maps() {
        let tree = MarkedText("a: {b: {c: d}}\ne: [{f: {g: h}}]\n«i»\n").parse()
        #expect(tree.diagnostics.count == 1)
        #expect(tree.outline.hasPrefix("{a: {b: {c: d}}, e: [{f: {g: h}}]"))
    }
}
