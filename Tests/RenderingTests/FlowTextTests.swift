import Testing

@testable import Rendering

@Suite("values in flow form")
struct FlowTextTests {
    @Test(
        "a text is quoted where it would not read as one scalar",
        arguments: [
            ("web", "web"), ("sha256/AA==", "sha256/AA=="), ("2026-01-01T00:00:00Z", nil),
            ("a, b", #""a, b""#), ("*.a", #""*.a""#), ("", #""""#), ("a: b", #""a: b""#),
            (#"say "x""#, #""say \"x\"""#), ("a #b", #""a #b""#), ("- a", #""- a""#),
            (#"back\slash, too"#, #""back\\slash, too""#), ("end:", #""end:""#),
        ] as [(String, String?)])
    func quotes(_ text: String, _ shown: String?) {
        #expect(FlowText.render(.array([.string(text)])) == "[\(shown ?? text)]")
        // Alone it is not quoted.
        #expect(FlowText.render(.string(text)) == text)
    }

    @Test("lists that are too long count what they leave out")
    func bounded() {
        let list = JSONValue.strings(["a", "b", "c"])
        #expect(FlowText.render(list, most: 2) == "[a, b, … 1 more]")
        #expect(FlowText.render(list, most: 3) == "[a, b, c]")
    }
}
