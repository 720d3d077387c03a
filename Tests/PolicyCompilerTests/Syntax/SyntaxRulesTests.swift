import PolicyCompiler
import Testing

/// One rule of the language's text, broken (LANGUAGE section 1) or kept.
struct SyntaxRule: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let codes: [String]
    let outline: String?
    var testDescription: String { name }

    init(_ name: String, _ text: String, _ codes: [String] = [], tree outline: String? = nil) {
        self.name = name
        self.text = text
        self.codes = codes
        self.outline = outline
    }
}

@Suite struct SyntaxRulesTests {
    @Test(
        "each rule of the text, with the place of each finding",
        arguments: SyntaxRulesTests.accepted + SyntaxRulesTests.refused + SyntaxRulesTests.hidden
            + SyntaxRulesTests.tabs + SyntaxRulesTests.broken)
    func rule(_ rule: SyntaxRule) {
        let marked = MarkedText(rule.text)
        let tree = marked.parse()
        let expected = zip(rule.codes, marked.marks).map {
            "\($0)@\($1.lowerBound)..<\($1.upperBound)"
        }
        #expect(rule.codes.count == marked.marks.count, "the row is wrong")
        #expect(tree.found == expected)
        if let outline = rule.outline { #expect(tree.outline == outline) }
        #expect(tree.diagnostics.allSatisfy { $0.primary.span.file == 3 })
    }

    static let accepted: [SyntaxRule] = [
        SyntaxRule("1.1 block map", "a: b\nc: d\n", tree: "{a: b, c: d}"),
        SyntaxRule("1.1 block list", "a:\n  - b\n  - c\n", tree: "{a: [b, c]}"),
        SyntaxRule("1.1 list not indented", "a:\n- b\n- c\nd: e\n", tree: "{a: [b, c], d: e}"),
        SyntaxRule("1.1 flow", "a: {b: c, d: [e, f]}\n", tree: "{a: {b: c, d: [e, f]}}"),
        SyntaxRule("1.1 quotes", "a: 'b''c'\nd: \"e\\n\\\"f\"\n", tree: "{a: b'c, d: e\n\"f}"),
        SyntaxRule("1.1 literal", "a: |\n  b\n   c\nd: e\n", tree: "{a: b\n c\n, d: e}"),
        SyntaxRule("1.1 literal, stripped", "a: |-\n  b\n\nd: e\n", tree: "{a: b, d: e}"),
        SyntaxRule("1.1 plain over lines", "a: b\n  c\nd: e\n", tree: "{a: b c, d: e}"),
        SyntaxRule("1.1 comments", "# a\nb: c # d\n# e\n", tree: "{b: c}"),
        SyntaxRule("1.1 JSON", "{\"a\": [\"b\", {\"c\": \"d\"}]}\n", tree: "{a: [b, {c: d}]}"),
        SyntaxRule(
            "1.1 JSON over lines", "{\n  \"a\": 1,\n  \"b\": [2,\n 3]\n}", tree: "{a: 1, b: [2, 3]}"
        ),
        SyntaxRule("1.1 one leading ---", "# c\n---\na: b\n", tree: "{a: b}"),
        SyntaxRule("1.1 line feed with CR", "a: b\r\nc: d\r\n", tree: "{a: b, c: d}"),
        SyntaxRule("1.1 UTF-8", "ä: ö # ü\nß: 😀\n", tree: "{ä: ö, ß: 😀}"),
        SyntaxRule("1.1 tab after text", "a:\tb\t# c\n", tree: "{a: b}"),
        SyntaxRule(
            "1.1 tab in literal text", "a: |\n  b\n  \tc\nd: e\n", tree: "{a: b\n\tc\n, d: e}"),
        SyntaxRule("1.1 tab on a blank line", "a: b\n\t\nc: d\n", tree: "{a: b, c: d}"),
        SyntaxRule("1.1 number sign in text", "a: b#c\nd: \"e # f\"\n", tree: "{a: b#c, d: e # f}"),
        SyntaxRule(
            "1.2 looks do not matter", "a: no\nb: 1.10\nc: ~\n", tree: "{a: no, b: 1.10, c: ~}"),
        SyntaxRule("1.6 nesting of 16", "a: [[[[[[[[[[[[[[[b]]]]]]]]]]]]]]]\n"),
        SyntaxRule("empty file", "", tree: "nothing"),
        SyntaxRule("comments alone", "# a\n\n# b", tree: "nothing"),
        SyntaxRule("--- alone", "---\n", tree: "nothing"),
    ]

    static let refused: [SyntaxRule] = [
        SyntaxRule("1.1 duplicate key", "a: b\n«a»: c\nd: e\n", ["HW003"], tree: "{a: b, d: e}"),
        SyntaxRule(
            "1.1 duplicate key, quoted", "a: {b: c, «\"b\"»: d}\n", ["HW003"], tree: "{a: {b: c}}"),
        SyntaxRule(
            "1.1 duplicate key by escape", "a: b\n«\"\\x61\"»: c\n", ["HW003"], tree: "{a: b}"),
        SyntaxRule(
            "1.1 key three times", "a: b\n«a»: c\n«a»: c\n", ["HW003", "HW003"], tree: "{a: b}"),
        SyntaxRule("1.1 tag", "a: «!!str» b\n", ["HW009"], tree: "{a: b}"),
        SyntaxRule(
            "1.1 tag of one's own", "«!x» a: [«!y» b, c]\n", ["HW009", "HW009"], tree: "{a: [b, c]}"
        ),
        SyntaxRule("1.1 tag on a map", "a: «!x»\n  b: c\n", ["HW009"], tree: "{a: {b: c}}"),
        SyntaxRule("1.1 anchor", "a: «&x» b\n", ["HW006"], tree: "{a: b}"),
        SyntaxRule(
            "1.1 anchor and tag", "a: «&x» «!t»\n  - b\n", ["HW006", "HW009"], tree: "{a: [b]}"),
        SyntaxRule(
            "1.1 anchor before a comment", "a: «&x» # c &y\n  b: c\n", ["HW006"],
            tree: "{a: {b: c}}"),
        SyntaxRule("1.1 alias", "a: «&x» b\nc: «*x»\n", ["HW006", "HW006"], tree: "{a: b, c: !}"),
        SyntaxRule("1.1 alias to nothing", "c: [«*x», d]\n", ["HW006"], tree: "{c: [!, d]}"),
        SyntaxRule(
            "1.1 merge key", "a:\n  «<<»: *x\n  b: c\n", ["HW006"],
            tree: "{a: {!: !, b: c}}"),
        SyntaxRule("1.1 aliases in a merge key", "a:\n  «<<»: [*x]\n", ["HW006"]),
        SyntaxRule("1.1 quoted << is text", "a:\n  \"<<\": b\n", [], tree: "{a: {<<: b}}"),
        SyntaxRule("1.1 second document", "a: b\n«---»\na: c\n", ["HW007"], tree: "{a: b}"),
        SyntaxRule("1.1 end of document", "a: b\n«...»\n", ["HW007"], tree: "{a: b}"),
        SyntaxRule(
            "1.1 findings in a second document", "a: b\n«---»\na: «!x» c\n", ["HW007", "HW009"]),
        SyntaxRule("1.1 directive", "«%YAML 1.2»\n---\na: b\n", ["HW015"], tree: "{a: b}"),
        SyntaxRule("1.1 unknown directive", "# c\n«%HAWSER x»\na: b\n", ["HW015"], tree: "{a: b}"),
        SyntaxRule("1.1 folded", "a: «>»\n  b\n  c\nd: e\n", ["HW015"], tree: "{a: !, d: e}"),
        SyntaxRule("1.1 typographic quotes", "a: [«“b”», c]\n", ["HW016"], tree: "{a: [!, c]}"),
        SyntaxRule(
            "1.1 typographic quotes of a key and a text", "«‘a’»: «„b c“»\n", ["HW016", "HW016"],
            tree: "{!: !}"),
        SyntaxRule("1.1 primes and wide quotes", "- «″a″»\n- «＂b＂»\n", ["HW016", "HW016"]),
        SyntaxRule(
            "1.1 quoted words inside a text", "a: “b” and “c”\nd: e “f”\ng: “h\n", [],
            tree: "{a: “b” and “c”, d: e “f”, g: “h}"),
        SyntaxRule("1.1 typographic quotes in straight ones", "a: '“b”'\n", [], tree: "{a: “b”}"),
        SyntaxRule("1.1 key with ?", "«?» a\n: b\n", ["HW015"], tree: "{a: b}"),
        SyntaxRule("1.1 list as key", "«[a]»: b\nc: d\n", ["HW015"], tree: "{!: b, c: d}"),
        SyntaxRule("1.1 map as key", "«{a: b}»: c\n", ["HW015"], tree: "{!: c}"),
        SyntaxRule("1.1 empty value", "«a»:\nb: c\n", ["HW014"], tree: "{a: !, b: c}"),
        SyntaxRule("1.1 empty value at the end", "a:\n  «b»:\n", ["HW014"], tree: "{a: {b: !}}"),
        SyntaxRule(
            "1.1 empty item", "a:\n  - b\n  «-»\n  - c\n", ["HW014"], tree: "{a: [b, !, c]}"),
        SyntaxRule(
            "1.1 empty value in flow", "a: {«b», c: d}\n", ["HW014"], tree: "{a: {b: !, c: d}}"),
        SyntaxRule(
            "1.1 empty text", "a: «\"\"»\nb: «''»\n", ["HW014", "HW014"], tree: "{a: !, b: !}"),
        SyntaxRule("1.1 empty literal", "a: «|»\nb: c\n", ["HW014"], tree: "{a: !, b: c}"),
        SyntaxRule("1.1 empty list", "a: «[]»\nb: c\n", ["HW014"], tree: "{a: !, b: c}"),
        SyntaxRule("1.1 empty map", "a: «{ }»\n", ["HW014"], tree: "{a: !}"),
        SyntaxRule(
            "1.6 nesting of 17", "b: c\na: [[[[[[[[[[[[[[[«[»d]]]]]]]]]]]]]]]]\ne: f\n", ["HW011"],
            tree: "{b: c, !: !, e: f}"),
    ]

    static let hidden: [SyntaxRule] = [
        SyntaxRule(
            "1.1 byte order mark", "«\u{FEFF}»a: b\nc: d\n", ["HW008"], tree: "{a: b, c: d}"),
        SyntaxRule(
            "1.1 byte order mark and directive", "«\u{FEFF}»«%X»\na: b\n", ["HW008", "HW015"],
            tree: "{a: b}"),
        SyntaxRule(
            "1.1 U+2028 in a comment brings in no key", "a: b\n# c«\u{2028}»default: deny\n",
            ["HW010"],
            tree: "{a: b}"),
        SyntaxRule("1.1 U+2029", "a: b # c«\u{2029}»d: e\n", ["HW010"], tree: "{a: b}"),
        SyntaxRule("1.1 next line", "a: b # c«\u{85}»d: e\n", ["HW010"], tree: "{a: b}"),
        SyntaxRule("1.1 CR alone", "a: b # c«\r»d: e\n", ["HW008"], tree: "{a: b}"),
        SyntaxRule("1.1 CR alone at the end", "a: b«\r»", ["HW008"], tree: "{a: b}"),
        SyntaxRule("1.1 DEL", "a: «\u{7F}»b\n", ["HW010"], tree: "{a: b}"),
        SyntaxRule("1.1 C0", "a: b«\u{1B}»[31mc\n", ["HW010"], tree: "{a: !}"),
        SyntaxRule("1.1 NUL", "a: \"b«\u{0}»c\"\nd: e\n", ["HW010"], tree: "{a: !, d: e}"),
        SyntaxRule("1.1 C1", "a: b«\u{9B}»c\n", ["HW010"], tree: "{a: !}"),
        SyntaxRule("1.1 bidi in text", "a: b«\u{202E}»c\n", ["HW010"], tree: "{a: !}"),
        SyntaxRule(
            "1.1 zero width in a key", "a«\u{200B}»b: c\nd: e\n", ["HW010"], tree: "{!: c, d: e}"),
        SyntaxRule(
            "1.1 zero width before a key", "a:\n  «\u{200B}»b: c\n  d: e\n", ["HW010"],
            tree: "{a: {b: c, d: e}}"),
        SyntaxRule(
            "1.1 zero width on its line", "a: b\n«\u{2060}»\nc: d\n", ["HW010"],
            tree: "{a: b, c: d}"),
        SyntaxRule("1.1 byte order mark inside", "a: b # «\u{FEFF}»\n", ["HW010"], tree: "{a: b}"),
        SyntaxRule("1.1 tag characters", "a: b # «\u{E0041}»\n", ["HW010"], tree: "{a: b}"),
        SyntaxRule("1.1 escape \\u", "a: \"b«\\u200B»c\"\n", ["HW010"], tree: "{a: !}"),
        SyntaxRule(
            "1.1 escapes by name", "a: [\"«\\N»\", \"«\\L»x«\\P»\", \"«\\0»\", \"«\\e»\"]\n",
            ["HW010", "HW010", "HW010", "HW010", "HW010"]),
        SyntaxRule("1.1 escaped CR", "a: \"b«\\r»\\n\"\n", ["HW010"], tree: "{a: !}"),
        SyntaxRule(
            "1.1 escape \\x and \\U", "a: \"«\\x1b»\"\nb: \"\\\\«\\U0000202E»\"\n",
            ["HW010", "HW010"]),
        SyntaxRule(
            "1.1 harmless escapes", "a: \"\\t\\n\\u00e9\\\\\\/\"\n", [], tree: "{a: \t\n\u{E9}\\/}"),
        SyntaxRule(
            "1.1 escaped backslash is no escape", "a: \"\\\\u200B\"\n", [], tree: "{a: \\u200B}"),
    ]

    static let tabs: [SyntaxRule] = [
        SyntaxRule(
            "1.1 tab for a level", "a:\n«\t»b: c\n«\t»d: e\n", ["HW002", "HW002"],
            tree: "{a: {b: c, d: e}}"),
        SyntaxRule(
            "1.1 tabs for two levels", "a:\n«\t»b:\n«\t\t»c: d\ne: f\n", ["HW002", "HW002"],
            tree: "{a: {b: {c: d}}, e: f}"),
        SyntaxRule(
            "1.1 one tab among blanks", "a:\n  b:\n    c: d\n«\t»e: f\n", ["HW002"],
            tree: "{a: {b: {c: d, e: f}}}"),
        SyntaxRule(
            "1.1 tab behind blanks", "a:\n    b: c\n  «\t»d: e\ng: h\n", ["HW002"],
            tree: "{a: {b: c, d: e}, g: h}"),
        SyntaxRule(
            "1.1 tab before siblings of four", "a:\n«\t»b: c\n    d: e\n", ["HW002"],
            tree: "{a: {b: c, d: e}}"),
        SyntaxRule(
            "1.1 tab in a list", "a:\n«\t»- b\n«\t»- c\n", ["HW002", "HW002"], tree: "{a: [b, c]}"),
        SyntaxRule(
            "1.1 tab in an item's map", "a:\n  - b: c\n«\t»d: e\n", ["HW002"],
            tree: "{a: [{b: c, d: e}]}"),
        SyntaxRule(
            "1.1 tab before a comment", "a: b\n«\t»# c\nd: e\n", ["HW002"], tree: "{a: b, d: e}"),
        SyntaxRule(
            "1.1 tab for a literal's indentation", "a: |\n«\t»b\n«\t»c\nd: e\n",
            ["HW002", "HW002"], tree: "{a: b\nc\n, d: e}"),
        SyntaxRule("1.1 tab at a value", "a: \"b\n«\t»c\"\n", ["HW002"], tree: "{a: b c}"),
    ]

    static let broken: [SyntaxRule] = [
        SyntaxRule("two colons", "a: b«:» c\nd: e\n", ["HW001"], tree: "{!: !, d: e}"),
        SyntaxRule(
            "two colons in a nested entry", "a:\n  b: c\n  d: e«:» f\n  g: h\ni: j\n", ["HW001"],
            tree: "{a: {b: c, !: !, g: h}, i: j}"),
        SyntaxRule(
            "two errors", "a: b«:» c\nd: «@»e\nf: g\n", ["HW001", "HW001"],
            tree: "{!: !, !: !, f: g}"),
        SyntaxRule(
            "error and other findings", "a: b«:» c\nd: e\n«d»: f\ng: «!x» h\n",
            ["HW001", "HW003", "HW009"]),
        SyntaxRule(
            "findings before the error", "a: «!x» b\nb: c\n«b»: c\nd: e«:» f\n",
            ["HW009", "HW003", "HW001"]),
        SyntaxRule(
            "findings inside what is taken out", "a: {b: «!x» c, d: e«:» f}\n", ["HW009", "HW001"]),
        SyntaxRule(
            "key without colon", "a: b\n«foo»\nc: d\n", ["HW001"], tree: "{a: b, !: !, c: d}"),
        SyntaxRule("open list", "a: «[»b,\nc: d\n", ["HW001"], tree: "{!: !, c: d}"),
        SyntaxRule(
            "open map", "a:\n  b: «{»c: d\n  e: f\ng: h\n", ["HW001"],
            tree: "{a: {!: !, e: f}, g: h}"),
        SyntaxRule("missing comma", "a: [\"b\",\n  \"c\"\n  «\"d\"»\n  ]\ne: f\n", ["HW001"]),
        SyntaxRule("open quote", "a: «\"»b\nc: d\n", ["HW001"], tree: "{!: !, c: d}"),
        SyntaxRule(
            "open quote before another", "a: «\"»b\nc: \"d\"\ne: f\n", ["HW001"],
            tree: "{!: !, c: d, e: f}"),
        SyntaxRule(
            "open single quote", "a:\n  b: «'»c\n  d: e\n", ["HW001"], tree: "{a: {!: !, d: e}}"),
        SyntaxRule("bad escape", "a: \"«\\d»\"\nb: c\n", ["HW001"], tree: "{!: !, b: c}"),
        SyntaxRule(
            "too little indentation", "a:\n    b: c\n  «d»: e\nf: g\n", ["HW001"],
            tree: "{a: {b: c}, !: !, f: g}"),
        SyntaxRule("list beside its key", "a: «-» b\nc: d\n", ["HW001"], tree: "{!: !, c: d}"),
        SyntaxRule("item without dash", "a:\n  - b\n  «c»: d\ne: f\n", ["HW001"]),
        SyntaxRule("text after a quote", "a: \"b\" «c»\nd: e\n", ["HW001"], tree: "{!: !, d: e}"),
        SyntaxRule("list, then map", "- a\n«b»: c\n", ["HW001"]),
        SyntaxRule("anchor without name", "a: «&» b\nc: d\n", ["HW006"], tree: "{!: !, c: d}"),
        SyntaxRule("wildcard not quoted", "a: [«*.x»]\nc: d\n", ["HW006"], tree: "{!: !, c: d}"),
        SyntaxRule(
            "text on the line of |", "a: | «b»\n  c\nd: e\n", ["HW001"], tree: "{!: !, d: e}"),
        SyntaxRule(
            "error in the middle of a list", "a:\n  - b\n  - c: d«:» e\n  - f\n", ["HW001"],
            tree: "{a: [b, !, f]}"),
        SyntaxRule("colon in a line of a plain text", "a: b\n  c«:» d\ne: f\n", ["HW001"]),
        SyntaxRule(
            "only error below a key", "a:\n  b: c«:» d\ne: f\n", ["HW001"], tree: "{a: !, e: f}"),
        SyntaxRule("backquote", "a: «`»b`\n", ["HW001"], tree: "!"),
    ]
}
