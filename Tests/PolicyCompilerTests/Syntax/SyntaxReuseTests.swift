import TestPKI
import Testing

@testable import PolicyCompiler

/// Trees that are made from the tree of an earlier text: node for node the trees that a whole
/// reading gives.
@Suite("trees of edited texts") struct SyntaxReuseTests {
    private static let text = """
        hawser: 1
        default: deny

        # Anchors of the company.
        anchors:
          corp:
            files:
              - anchors/root.pem # the root
            owner: "p\\u006bi"
        profiles:
          org:
            keys: { rsa-minimum: 3072 }

        rules:
          # The interface.
          api:
            hosts:
            - "api.corp.example"
            - '**.api.corp.example'
            anchors: [corp]
            note: |
              two
              lines

          shop:
            hosts: ["shop.example", "*.sh\\u006fp.example"]
            anchors: [ corp ]

            # Between keys.
            owner: ä 😀 team
              of two lines
          till: { hosts: ["till.example"], anchors: [corp] }
          last:
            hosts:
              - "last.example"
            anchors: [corp]
            note: |+
              kept


        """

    private static let parts: [String] = [
        "", "", " ", "  ", "\n", "\n\n", "\r\n", ":", ": ", "- ", "#", " # x", "\"", "'", "[", "]",
        "{",
        "}", "x", "ab", "😀", "\t", "|", "x:\n", "    x: y\n", "  x: y\n", "x: y\n", "  api: y\n",
        "  shop:\n    owner: z\n", "---\n", "...\n", "%X\n", "&a ", "<<: *a\n", "? ", "owner: |\n",
        "\u{FEFF}", "\u{2028}", "note: >\n", "\\", ",", "  - a\n", "  \"shop\": y\n", "    # c\n",
        "  till: { a: b }\n", "      \n", "corp",
    ]

    /// The differences between two trees, in words; empty for equal ones.
    private static func differences(_ one: SyntaxTree, _ other: SyntaxTree) -> [String] {
        func words(_ tree: SyntaxTree) -> [String] {
            tree.nodes.map { node in
                "\(node.kind) \(node.style) \(node.span) \(node.content) \(node.firstChild) "
                    + "\(node.childCount)"
            } + ["\(tree.children)", "\(tree.texts)", "\(tree.comments)", "\(tree.rootIndex)"]
                + tree.diagnostics.map { "\($0.code)" }
        }
        let (left, right) = (words(one), words(other))
        guard left.count == right.count else {
            return ["\(one.nodes.count) nodes, not \(other.nodes.count)"]
        }
        return zip(left, right).filter { $0 != $1 }.map { "\($0) is not \($1)" }
    }

    @Test("after random edits a tree that is made from the tree before is the tree of the text")
    func edits() throws {
        var (reused, soundOnes) = (0, 0)
        for seed in 0..<UInt64(Sample.isWhole ? 100_000 : 1_000) {
            var random = SplitMix(state: seed)
            var bytes = Array(Self.text.utf8)
            if seed % 5 == 4 { bytes = Array(Self.text.replacing("\n", with: "\r\n").utf8) }
            var old = SyntaxParser.parse(SourceFile(path: "p", bytes: bytes), fileIndex: 3)
            try #require(old.diagnostics.isEmpty)
            for _ in 0..<3 {
                var at = Int.random(in: 0...bytes.count, using: &random)
                if Bool.random(using: &random) {
                    while at > 0, bytes[at - 1] != 0x0A { at -= 1 }
                }
                var end = min(bytes.count, at + Int.random(in: 0...3, using: &random))
                if Int.random(in: 0..<6, using: &random) == 0 {
                    end = min(bytes.count, at + Int.random(in: 0...200, using: &random))
                }
                let new = Self.parts.randomElement(using: &random) ?? ""
                bytes.replaceSubrange(at..<end, with: new.utf8)
                let file = SourceFile(path: "p", bytes: bytes)
                let whole = SyntaxParser.parse(file, fileIndex: 3)
                if whole.diagnostics.isEmpty { soundOnes += 1 }
                if let tree = SyntaxReuse(old, for: file, fileIndex: 3)?.tree() {
                    reused += 1
                    let differences = Self.differences(tree, whole)
                    #expect(
                        differences.isEmpty,
                        "seed \(seed): \(differences.prefix(2)) \(String(decoding: bytes, as: UTF8.self))"
                    )
                    old = tree
                } else if whole.diagnostics.isEmpty {
                    old = whole
                }
            }
        }
        // Not a comparison of nothing: most sound texts are read in part.
        #expect(reused * 3 > soundOnes, "\(reused) of \(soundOnes)")
    }

    @Test("a large file is read in part, and each text that cannot be is read as a whole")
    func large() throws {
        let head = "hawser: 1\ndefault: deny\nrules:\n"
        let rules = (0..<900).map { "  r\($0):\n    hosts: [\"h\($0).example\"]\n    owner: web\n" }
        let text = head + rules.joined() + "profiles:\n  org: { extends: ats }\n"
        func file(_ text: String) -> SourceFile { SourceFile(path: "p", bytes: Array(text.utf8)) }
        let old = SyntaxParser.parse(file(text), fileIndex: 0)
        let rows: [(from: String, to: String, isReused: Bool)] = [
            ("  r450:", "  r450x:", true), ("  r0:", "  x0:", false), ("  r1:", "  x1:", true),
            ("  r899:", "  y:", true), ("h899.example", "h.example", true),
            ("  r450:\n    hosts: [\"h450.example\"]\n    owner: web\n", "", true),
            ("  r450:", "  r451:", false), ("  r450:", "  r450: [", false),
            ("  r450:", "r450:", false), ("hawser: 1", "hawser: 2", false),
            ("\"h450.example\"]\n", "\"h450.example\"", false), ("ats }", "ats, keys: x }", true),
            ("  r450:", "  # why\n  r450:", true), ("default: deny", "default: x", false),
        ]
        for row in rows {
            let new = file(text.replacing(row.from, with: row.to, maxReplacements: 1))
            let tree = SyntaxReuse(old, for: new, fileIndex: 0)?.tree()
            #expect((tree != nil) == row.isReused, "\(row.to)")
            let whole = SyntaxParser.parse(new, fileIndex: 0)
            if let tree { #expect(Self.differences(tree, whole) == [], "\(row.to)") }
            let read = SyntaxParser.parse(unit: [new], reusing: ["p": old])
            #expect(Self.differences(read[0], whole) == [], "\(row.to)")
        }
        #expect(SyntaxReuse(old, for: file(text + "#"), fileIndex: 1)?.tree() == nil)
    }
}
