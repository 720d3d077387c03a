import Rendering
import TestPKI
import Testing

/// Text of others in Markdown. `Tests/Integration/diff-markdown.sh` asks real Markdown readers the
/// same.
@Suite("text in Markdown") struct MarkdownTextTests {
    @Test(
        "a value is a code span that no value can end",
        arguments: [
            ("*.acme.example", "`*.acme.example`"),
            ("a`b", "``a`b``"),
            ("`", "`` ` ``"),
            ("``a", "``` ``a ```"),
            ("a|b", "`a`&#124;`b`"),
            ("||", "&#124;&#124;"),
            ("a\\|b", "`a\\`&#124;`b`"),
            (" a ", "`  a  `"),
            (" a", "` a`"),
            ("  ", "`  `"),
            ("", "` `"),
            ("a\nb", "`a\\nb`"),
            ("\u{202E}a", "`\\u{202E}a`"),
            ("<img src=x>", "`<img src=x>`"),
            // A mark that combines makes one `Character` with the scalar before it.
            ("`\u{301}", "`` `\u{301} ``"),
            ("a|\u{301}b", "`a`&#124;`\u{301}b`"),
            // U+0D4E does so with the scalar after it.
            ("\u{D4E}`x", "``\u{D4E}`x``"),
        ])
    func code(_ text: String, _ markdown: String) {
        #expect(MarkdownText.code(text) == markdown)
    }

    @Test(
        "a sentence keeps its words, and all that could be more than a word is code",
        arguments: [
            ("stricter for 3 classes of hosts", "stricter for 3 classes of hosts"),
            ("rule `cdn`, owner web", "rule `cdn`, owner web"),
            ("rule `cdn`, owner @team", "rule `cdn`, owner `@team`"),
            ("see #123, GH-7 and :smile:", "see `#123`, `GH-7` and `:smile`:"),
            ("fixes acme/app#1", "fixes `acme/app#1`"),
            ("www.evil.example", "`www.evil.example`"),
            ("https://evil.example.", "`https://evil.example`."),
            ("now accepted: TLS 1.2; not 1.1", "now accepted: TLS 1.2; not 1.1"),
            ("a -> b", "a -&gt; b"), ("-> b", "`->` b"),
            ("1. one", "`1`. one"), ("in 1. one", "in 1. one"), ("5 rules", "5 rules"),
            ("(tls.minimum-version, a)", "(`tls.minimum-version`, a)"), ("    a", "a"),
            ("- one", "`-` one"), ("a _b_ **c** ~~d~~", "a `_b_` `**c**` `~~d~~`"),
            ("&lt; <b>", "`&lt`; `<b>`"), ("deadbeef", "`deadbeef`"),
            ("won't re-use", "won't re-use"), ("$x$ and $`y`$", "`$x$` and `$y$`"),
            ("a`b", "``a`b``"),
            ("a `b` c`", "a `` `b` `` `` c` ``"),
            ("`a``b`", "`ab`"), ("x`a`y", "`xay`"), ("``", ""),
            ("straße, grün", "straße, grün"), ("\u{D4E}@team", "`\u{D4E}@team`"),
        ])
    func prose(_ sentence: String, _ markdown: String) {
        #expect(MarkdownText.prose(sentence) == markdown)
    }

    /// Reads what came out as a Markdown reader does (GFM section 6.3), and holds that every
    /// character that means something is in a code span or an entity of ours.
    private static func read(_ markdown: String) -> (text: String, plain: String)? {
        var (text, plain) = ("", "")
        var rest = Array(markdown.unicodeScalars)[...]
        while let scalar = rest.first {
            guard scalar == "`" else {
                plain.unicodeScalars.append(scalar)
                text.unicodeScalars.append(scalar)
                rest = rest.dropFirst()
                continue
            }
            let fence = rest.prefix { $0 == "`" }
            rest = rest.dropFirst(fence.count)
            var span: [Unicode.Scalar] = []
            var isClosed = false
            while !rest.isEmpty, !isClosed {
                let run = rest.prefix { $0 == "`" }
                if run.count == fence.count {
                    isClosed = true
                } else if run.isEmpty {
                    span.append(rest[rest.startIndex])
                } else {
                    span += run
                }
                rest = rest.dropFirst(max(1, run.count))
            }
            guard isClosed else { return nil }
            if span.first == " ", span.last == " ", span.contains(where: { $0 != " " }) {
                span = Array(span[1..<(span.count - 1)])
            }
            for scalar in span { text.unicodeScalars.append(scalar) }
            plain += "\u{FFFC}"
        }
        return (text, plain)
    }

    /// A text with another one in place of a part, scalar by scalar: a combining mark behind the
    /// part makes one character with its end.
    private static func replaced(_ text: String, _ part: String, _ other: String) -> String {
        let (scalars, wanted) = (Array(text.unicodeScalars), Array(part.unicodeScalars))
        var result = ""
        var index = 0
        while index < scalars.count {
            if scalars[index...].starts(with: wanted) {
                result.unicodeScalars.append(contentsOf: other.unicodeScalars)
                index += wanted.count
            } else {
                result.unicodeScalars.append(scalars[index])
                index += 1
            }
        }
        return result
    }

    private static let pieces = [
        "`", "``", "```", "|", "\\", "\\|", " ", "  ", "a", "web", "1", "12.", "@team", "#1", "<b>",
        "<!--", "-->", "&amp;", "*", "_", "~", "[a](b)", "![a](b)", "www.a.example", "->", "-", "+",
        "=", "\n", "\r", "\t", "\u{301}", "\u{D4E}", "\u{200D}", "$", ":+1:", "'", "\"", "(", ")",
        ".", ";", "é", "\u{10FFFD}",
    ]

    @Test(
        "a sentence between tags of HTML has no tag of its own",
        arguments: [
            ("must approve: `web`, `dns`", "must approve: <code>web</code>, <code>dns</code>"),
            ("must approve: `</details>`", "must approve: <code>&lt;/details&gt;</code>"),
            ("owner <b>x</b>", "owner <code>&lt;b&gt;x&lt;/b&gt;</code>"),
            ("owner @team, `a & b`", "owner <code>@team</code>, <code>a &amp; b</code>"),
            ("`a` -> `b`", "<code>a</code> -&gt; <code>b</code>"),
        ])
    func html(_ sentence: String, _ html: String) {
        #expect(MarkdownText.proseInHTML(sentence) == html)
    }

    @Test("whatever the text, it comes back, and nothing else has a meaning")
    func hostile() throws {
        var random = SplitMix(state: 0x3A5C_11D0)
        for _ in 0..<20_000 {
            let count = Int(random.next() % 12)
            let text = (0..<count).map { _ in
                Self.pieces[Int(random.next() % UInt64(Self.pieces.count))]
            }.joined()
            let shown = TerminalEscape.escape(text)
            let code = try #require(Self.read(MarkdownText.code(text)), "\(text.debugDescription)")
            #expect(
                Self.replaced(code.text, "&#124;", "|") == (shown.isEmpty ? " " : shown)
                    || shown.unicodeScalars.contains("&"), "\(text.debugDescription)")
            #expect(
                Self.replaced(code.plain, "&#124;", "").allSatisfy { $0 == "\u{FFFC}" },
                "\(text.debugDescription)")
            // Between tags of HTML no code span hides a tag, and lines may not be empty.
            let html = Self.replaced(
                Self.replaced(MarkdownText.proseInHTML(text), "<code>", ""), "</code>", "")
            #expect(
                !html.utf8.contains { "<>\n\r".utf8.contains($0) }, "\(text.debugDescription)")
            let markdown = MarkdownText.prose(text)
            let prose = try #require(Self.read(markdown), "\(text.debugDescription)")
            let plain = Self.replaced(
                Self.replaced(prose.plain, "&#124;", ""), "-&gt;", "")
            let harmless = plain.unicodeScalars.allSatisfy {
                $0 == "\u{FFFC}" || " ,.;:()'-".unicodeScalars.contains($0)
                    || $0.properties.isAlphabetic || $0.properties.numericType == .decimal
                    || $0.properties.generalCategory == .nonspacingMark
            }
            #expect(harmless, "\(text.debugDescription): \(markdown)")
            // Four blanks would begin a block of code.
            #expect(!prose.plain.hasPrefix("    "), "\(text.debugDescription): \(markdown)")
            func bare(_ text: String) -> String {
                var bare = ""
                for scalar in text.unicodeScalars where scalar != "`" && scalar != " " {
                    bare.unicodeScalars.append(scalar)
                }
                return bare
            }
            #expect(
                Self.replaced(Self.replaced(bare(prose.text), "&#124;", "|"), "-&gt;", "->")
                    == bare(shown) || shown.unicodeScalars.contains("&"),
                "\(text.debugDescription): \(markdown)")
        }
    }
}
