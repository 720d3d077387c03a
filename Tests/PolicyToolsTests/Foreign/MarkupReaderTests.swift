import PolicyCompiler
import PolicyTools
import Testing

/// XML: accepted texts, and refusals with their places.
@Suite struct MarkupReaderTests {
    /// An element in a short form: name, attributes, children.
    private static func short(_ element: MarkupElement) -> String {
        let attributes = element.attributes.map { " \($0.name)=\($0.value)" }.joined()
        let children = element.children.map { node in
            switch node {
            case .element(let element): short(element)
            case .text(let text, _): "'\(text)'"
            case .comment: "#"
            }
        }
        return "(\(element.name)\(attributes)\(children.map { " \($0)" }.joined()))"
    }

    @Test(
        "texts",
        arguments: [
            ("<a/>", "(a)"), ("<a></a>", "(a)"), ("<a>b</a>", "(a 'b')"),
            ("\u{FEFF}<?xml version='1.0' encoding=\"UTF-8\"?>\n<!-- x --><a/>\n<?pi y?>\n", "(a)"),
            ("<!DOCTYPE a PUBLIC \"-//x//\" 'http://y/z'>\n<a/>", "(a)"),
            ("<a b = 'c' d=\"e&quot;\"><f g='&#65;&#x42;'/></a>", "(a b=c d=e\" (f g=AB))"),
            ("<a>&lt;&amp;&gt;&apos;</a>", "(a '<&>'')"), ("<a>b<!-- c -->d</a>", "(a 'b' # 'd')"),
            ("<a><![CDATA[<b>&x;]]>c</a>", "(a '<b>&x;c')"), ("<x:a y:b='c'/>", "(x:a y:b=c)"),
            ("<a b='c\nd\te'/>", "(a b=c d e)"), ("<\u{E9}>\u{E9}</\u{E9}>", "(\u{E9} '\u{E9}')"),
            ("<a>\r\n</a>", "(a '\r\n')"),
        ] as [(String, String)])
    func texts(_ text: String, _ expected: String) throws {
        #expect(Self.short(try MarkupReader.root(of: Array(text.utf8))) == expected)
    }

    @Test(
        "refused at the mark, with words",
        arguments: [
            ("^", "no element"), ("^text", "first element"), ("<a/>^<b/>", "one root"),
            ("<^a>", "not closed"), ("<a></^b>", "closes `<a>`"), ("<a b='1' ^b='2'/>", "twice"),
            ("<a ^b/>", "no value"), ("<a ^b=c/>", "quotes"), ("<a b=^'c/>", "does not end"),
            ("<a b='^<'/>", "&lt;"), ("<a>^&x;</a>", "cannot declare"), ("<a>^&;</a>", "&amp;"),
            ("<a>^& b</a>", "&amp;"), ("<a>^&#0;</a>", "not a character"),
            ("<a>^&#xD800;</a>", "not a character"), ("<a>^&#+65;</a>", "not a character"),
            ("<a>^&#x202E;</a>", "bidirectional"), ("<a><!-- b ^-- c --></a>", "inside a comment"),
            ("<a>^<!-- b</a>", "comment does not end"), ("<a>^<![CDATA[b</a>", "CDATA"),
            ("<a>^<!ENTITY b 'c'></a>", "declaration"), ("<a>^\u{0}</a>", "U+0000"),
            ("<a>^\u{1}</a>", "U+0001"), ("<a>^\r</a>", "carriage return"),
            ("<!DOCTYPE a ^[<!ENTITY b 'c'>]><a>&b;</a>", "declare entities"),
            ("^<!DOCTYPE a <a/>", "DOCTYPE does not end"),
            ("^<?xml encoding='UTF-16'?><a/>", "UTF-8"),
            ("<a^\"/>", "inside a tag"), ("<^1/>", "name of an element"), ("<a>^", "not closed"),
        ] as [(String, String)])
    func refused(_ marked: String, _ words: String) {
        let parts = marked.components(at: "^")
        let bytes = Array(parts.joined().utf8)
        #expect {
            try MarkupReader.root(of: bytes)
        } throws: { error in
            guard let error = error as? ForeignError else { return false }
            // An element that is not closed is named at its start tag.
            let isAtMark = error.range.lowerBound == parts[0].utf8.count
            let isUnclosed = words == "not closed"
            #expect(isAtMark || isUnclosed, "\(error)")
            #expect(error.message.contains(words), "\(error)")
            return error.code == .foreignSyntax
        }
    }

    @Test("octets that are not UTF-8, and UTF-16")
    func octets() {
        for bytes in [
            Array("<a>".utf8) + [0xC3] + Array("</a>".utf8), [0xFF, 0xFE, 0x3C, 0x00],
            [0xFE, 0xFF, 0x00, 0x3C],
        ] as [[UInt8]] {
            #expect(throws: ForeignError.self) { try MarkupReader.root(of: bytes) }
        }
    }

    @Test("depth, elements, attributes and size are bounded")
    func bounds() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array(
                (String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth))
                    .utf8)
        }
        _ = try MarkupReader.root(of: nested(64))
        #expect(throws: ForeignError.self) { try MarkupReader.root(of: nested(65)) }
        #expect(throws: ForeignError.self) { try MarkupReader.root(of: nested(200_000)) }
        let many = "<a>" + String(repeating: "<b/>\n", count: 100_000) + "</a>"
        #expect(throws: ForeignError.self) { try MarkupReader.root(of: Array(many.utf8)) }
        let wide = "<a " + (0..<65).map { "b\($0)='' " }.joined() + "/>"
        #expect(throws: ForeignError.self) { try MarkupReader.root(of: Array(wide.utf8)) }
        _ = try MarkupReader.root(of: Array("<a>\(String(repeating: " ", count: 65_000))</a>".utf8))
        let long = "<a>\n\(String(repeating: " ", count: 65_537))</a>"
        #expect(throws: ForeignError.self) { try MarkupReader.root(of: Array(long.utf8)) }
        let large = [UInt8](repeating: 0x20, count: MarkupReader.largestFile + 1)
        #expect(throws: ForeignError.self) { try MarkupReader.root(of: large) }
    }

    @Test("places lie in the text")
    func places() throws {
        let text = "<a>\n <b c='d'>e</b>\n</a>"
        let root = try MarkupReader.root(of: Array(text.utf8))
        let b = try #require(root.elements.first)
        let bytes = Array(text.utf8)
        func cut(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        #expect(cut(b.range) == "<b c='d'>e</b>")
        #expect(cut(b.content) == "e")
        #expect(cut(b.nameRange) == "b")
        #expect(cut(try #require(b.attribute("c")).range) == "c='d'")
        #expect(cut(root.content) == "\n <b c='d'>e</b>\n")
    }
}

extension String {
    /// The parts around the first mark.
    fileprivate func components(at mark: Character) -> [String] {
        guard let index = firstIndex(of: mark) else { return [self] }
        return [String(self[..<index]), String(self[self.index(after: index)...])]
    }
}
