import Rendering
import Testing

/// The one way by which text reaches a page.
@Suite("markup") struct HTMLTests {
    @Test(
        "hostile text stays text",
        arguments: [
            (
                "</script><img src=x onerror=alert(1)>",
                "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;"
            ),
            ("]]> --> <!--", "]]&gt; --&gt; &lt;!--"), ("&quot; &#x3c;", "&amp;quot; &amp;#x3c;"),
            ("\" ' `", "&quot; &#39; `"), ("a\u{202E}b\u{2066}c", "a\\u{202E}b\\u{2066}c"),
            ("line\nline\u{0}\u{1B}[2J", "line\\nline\\u{0}\\u{1B}[2J"),
        ])
    func escapes(_ text: String, _ markup: String) {
        #expect(HTML(text).markup == markup)
        #expect(
            HTML.element("p", ["title": text], text).markup
                == "<p title=\"\(markup)\">\(markup)</p>")
    }

    @Test("what stands between two backticks is code, and a lone backtick is a backtick")
    func sentences() {
        #expect(HTML(sentence: "a `b` c").markup == "a <code>b</code> c")
        #expect(HTML(sentence: "`<b>` and `").markup == "<code>&lt;b&gt;</code> and `")
        #expect(HTML(sentence: "`").markup == "`")
        #expect(HTML(sentence: "").markup == "")
    }

    @Test("an attribute without a value is left out")
    func attributes() {
        #expect(
            HTML.element("li", ["id": nil, "class": "x"], []).markup == "<li class=\"x\"></li>")
        #expect(HTML.void("meta", ["charset": "utf-8"]).markup == "<meta charset=\"utf-8\">")
    }
}
