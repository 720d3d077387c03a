import Foundation
import Rendering
import Testing

@Suite struct JSONWriterTests {
    static let value = JSONValue.object([
        (
            "b",
            .array([.integer(1), .bool(true), .null, .array([]), .object([JSONValue.Member]())])
        ),
        ("a", .string("x")), ("none", nil),
    ])

    @Test("keys keep their order, and a key without a value is left out")
    func compact() {
        #expect(Self.value.render() == #"{"b":[1,true,null,[],{}],"a":"x"}"#)
    }

    @Test("pretty output has one entry a line")
    func pretty() {
        let expected = """
            {
              "b": [
                1,
                true,
                null,
                [],
                {}
              ],
              "a": "x"
            }
            """
        #expect(Self.value.render(pretty: true) == expected)
    }

    @Test(
        "what a terminal or editor could act on is escaped",
        arguments: [
            ("\"\\/", #""\"\\/""#), ("\n\r\t", #""\n\r\t""#), ("\u{0}\u{1B}", #""\u0000\u001b""#),
            ("\u{7F}\u{85}", #""\u007f\u0085""#), ("\u{2028}\u{2029}", #""\u2028\u2029""#),
            ("\u{202E}\u{200B}\u{FEFF}", #""\u202e\u200b\ufeff""#),
            ("\u{E0041}", #""\udb40\udc41""#), ("é😀", "\"é😀\""),
        ])
    func escapes(_ text: String, _ expected: String) throws {
        let rendered = JSONValue.string(text).render()
        #expect(rendered == expected)
        let read = try JSONSerialization.jsonObject(
            with: Data(rendered.utf8), options: .fragmentsAllowed)
        #expect(read as? String == text)
    }

    @Test("integers are whole and clamped")
    func integers() {
        #expect(JSONValue.integer(UInt64.max).render() == "9223372036854775807")
        #expect(JSONValue.integer(Int8(-5)).render() == "-5")
    }
}

@Suite struct TerminalEscapeTests {
    @Test(
        "nothing hostile reaches a terminal",
        arguments: [
            ("plain ünicode 😀", "plain ünicode 😀"), ("a\u{1B}[31mb", "a\\u{1B}[31mb"),
            ("a\nb\r\tc", "a\\nb\\r\\tc"), ("\u{202E}x\u{2066}", "\\u{202E}x\\u{2066}"),
            ("a\u{200B}b\u{FEFF}", "a\\u{200B}b\\u{FEFF}"),
            ("\u{2028}\u{85}\u{9B}", "\\u{2028}\\u{85}\\u{9B}"),
            ("\u{7F}\u{0}", "\\u{7F}\\u{0}"), ("\r\n", "\\r\\n"),
        ])
    func escape(_ text: String, _ expected: String) {
        #expect(TerminalEscape.escape(text) == expected)
    }

    @Test("bytes that are not UTF-8 are shown as such")
    func bytes() {
        #expect(TerminalEscape.escape(bytes: [0x61, 0xFF, 0x1B]) == "a\u{FFFD}\\u{1B}")
    }
}
