import PolicyTools
import Testing

/// Protobuf's text format: accepted texts, and refusals with their places.
@Suite struct TextFormatTests {
    private static func fields(_ text: String) throws -> [TextField] {
        try TextFormatReader.read(Array(text.utf8)).fields
    }

    private static func string(_ text: String) -> TextValue { .string(Array(text.utf8)) }

    private static func whole(_ number: UInt64, isNegative: Bool = false) -> TextValue {
        .integer(isNegative: isNegative, magnitude: number)
    }

    @Test(
        "values",
        arguments: [
            ("a: 1", [whole(1)]), ("a:-7", [whole(7, isNegative: true)]),
            ("a: - # sign\n 7", [whole(7, isNegative: true)]),
            ("a: 0x1F", [whole(31)]), ("a: 017", [whole(15)]), ("a: 0", [whole(0)]),
            ("a: 18446744073709551615", [whole(.max)]), ("a: true", [.word("true")]),
            ("a: ENUM_WORD", [.word("ENUM_WORD")]), ("a: 1.5e-3f", [.word("1.5e-3f")]),
            ("a: .5", [.word(".5")]), ("a: -inf", [.word("-inf")]), ("a: 10f", [.word("10f")]),
            ("a: \"x\" 'y' # more\n \"z\"", [string("xyz")]), ("a: ''", [string("")]),
            (#"a: "\n\t\\\"\'\?\a\x41\102\u00e9\U0001F600""#, [string("\n\t\\\"'?\u{7}ABé😀")]),
            (#"a: "\xff\0011""#, [.string([0xFF, 1, 0x31])]),
            ("a: [1, 2 , 0x3]", [whole(1), whole(2), whole(3)]), ("a: []", [.emptyList]),
            ("a []", [.emptyList]), ("a: ['x' 'y', \"z\"]", [string("xy"), string("z")]),
            ("a {}", [.message(TextMessage())]), ("a: <>", [.message(TextMessage())]),
            ("a [{}, <>]", [.message(TextMessage()), .message(TextMessage())]),
            ("a: [{},{}]", [.message(TextMessage()), .message(TextMessage())]),
        ] as [(String, [TextValue])])
    func values(_ text: String, _ expected: [TextValue]) throws {
        for end in ["", " ", ";", ",", " ; # end", "\r\n"] {
            let fields = try Self.fields(text + end)
            #expect(fields.map(\.value) == expected, "\(text + end)")
            #expect(fields.allSatisfy { $0.name == "a" })
        }
    }

    @Test("messages in messages, with every separator, and extensions by their names")
    func nested() throws {
        let text = """
            # first
            a { b: 1, c < d: 'x'; >; } # {
            [ext.of/some.kind]: 2
            a: {} e: [{ f: 1 }, < f: 2 >]
            """
        let fields = try Self.fields(text)
        #expect(fields.map(\.name) == ["a", "[ext.of/some.kind]", "a", "e", "e"])
        guard case .message(let inner) = fields[0].value else {
            Issue.record("no message")
            return
        }
        #expect(inner.fields.map(\.name) == ["b", "c"])
        #expect(inner.fields[0].offset == 12)
    }

    @Test(
        "refused at the mark, with words",
        arguments: [
            ("^a {", "not closed"), ("a { ^>", "is closed by `}`"), ("^}", "closes no message"),
            ("a { b: 1 } ^}", "closes no message"), ("a ^1", "stands `:`"), ("a: ^", "value"),
            ("a: ^}", "where a value begins"), ("^1: 2", "name of a field"),
            ("^\"a\": 2", "name of a field"), ("a: ^12x", "is no number"), ("a: ^08", "octal"),
            ("a: ^0xZ", "is no number"), ("a: ^1.2.3", "is no number"),
            ("a: ^18446744073709551616", "64 bits"), ("a: ^-word", "no number and no word"),
            ("a: ^\"x", "no end"), ("a: ^\"x\ny\"", "end on its line"), (#"a: "^\q""#, "no escape"),
            (#"a: "^\x""#, "hexadecimal"), (#"a: "^\400""#, "octal"), (#"a: "^\u12""#, "four"),
            (#"a: "^\ud800""#, "four"), (#"a: "^\U00110000""#, "four"),
            ("a: \"^\u{7}\"", "control character"), ("a: 1 ^\u{0}", "control character"),
            ("# x^\ra: 1", "carriage return"), ("a: [1 ^2]", "`,` or `]`"), ("a: [1, ^]", "begins"),
            ("a: [^", "value"), ("a ^[1]", "stands `:`"), ("a: [{} ^{}]", "`,` or `]`"),
            ("a: [{}, ^1]", "message here"), ("^[]: 1", "extension"), ("^[a b]: 1", "extension"),
            ("a: 1; ^; b: 1", "name of a field"), ("a: 1 ^é: 2", "0xc3"), ("a:^: 1", "value"),
        ] as [(String, String)])
    func refused(_ marked: String, _ words: String) {
        let parts = marked.utf8.split(
            separator: UInt8(ascii: "^"), omittingEmptySubsequences: false)
        let bytes = parts.flatMap { Array($0) }
        let error = #expect(throws: TextFormatError.self) { try TextFormatReader.read(bytes) }
        #expect(error?.message.contains(words) == true, "\(marked): \(error?.message ?? "")")
        #expect(error?.offset == parts[0].count, "\(marked)")
    }

    @Test("hostile: depth, numbers of fields and long words are bounded, without recursion")
    func hostile() throws {
        let deep = { (count: Int) in String(repeating: "a{", count: count) }
        let most = TextFormatReader.deepest
        #expect(try Self.fields(deep(most) + String(repeating: "}", count: most)).count == 1)
        for text in [
            deep(most + 1), deep(1_000_000), String(repeating: "a:[<", count: 100_000),
            String(repeating: "a:1 ", count: TextFormatReader.mostFields + 1),
            String(repeating: "a", count: 300) + ": 1", "a: " + String(repeating: "1", count: 300),
            "a: [" + String(repeating: "1,", count: TextFormatReader.mostFields + 1),
        ] {
            #expect(throws: TextFormatError.self) { try Self.fields(text) }
        }
        #expect(
            try Self.fields(String(repeating: "a:1 ", count: TextFormatReader.mostFields)).count
                == TextFormatReader.mostFields)
    }
}
