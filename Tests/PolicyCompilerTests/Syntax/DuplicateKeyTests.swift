import PolicyCompiler
import Testing

/// Keys that stand twice in one map (LANGUAGE section 1.1). Maps of up to eight keys and larger
/// ones are searched in two ways, which must find the same keys and say the same of them.
@Suite("duplicate keys") struct DuplicateKeyTests {
    /// How a map is written.
    enum Style: String, CaseIterable, Sendable { case block, flow, flowOverLines }

    /// A map of so many entries, one of which repeats the key of an earlier one.
    struct Repeated: Sendable, CustomTestStringConvertible {
        let count: Int
        let first: Int
        let again: Int
        let style: Style
        var testDescription: String { "\(count) keys, \(style), entry \(again) is \(first)" }
    }

    static let repetitions = [2, 3, 7, 8, 9, 10, 33, 1_000].flatMap { count in
        let places = [
            (0, 1), (0, count / 2), (0, count - 1), (count / 2 - 1, count / 2),
            (count / 2, count - 1), (count - 2, count - 1),
        ]
        let distinct = Set(places.filter { $0 >= 0 && $0 < $1 }.map { [$0, $1] })
            .sorted { $0.lexicographicallyPrecedes($1) }
        return distinct.flatMap { place in
            Style.allCases.map {
                Repeated(count: count, first: place[0], again: place[1], style: $0)
            }
        }
    }

    /// The text of a map, and where each of its keys stands.
    static func map(
        _ keys: [String], _ style: Style
    ) -> (text: String, places: [Range<Int>]) {
        var text = style == .block ? "" : "m: {"
        var places: [Range<Int>] = []
        for (index, key) in keys.enumerated() {
            if style == .flow, index > 0 { text += ", " }
            if style == .flowOverLines { text += index > 0 ? ",\n  " : "\n  " }
            places.append(text.utf8.count..<text.utf8.count + key.utf8.count)
            text += "\(key): v\(index)"
            if style == .block { text += "\n" }
        }
        return (text + (style == .block ? "" : "}\n"), places)
    }

    static func parse(_ text: String) -> SyntaxTree {
        SyntaxParser.parse(
            SourceFile(path: "test.policy.yaml", bytes: Array(text.utf8)), fileIndex: 0)
    }

    static func range(_ span: SourceSpan) -> Range<Int> { Int(span.start)..<Int(span.end) }

    @Test(
        "the second of two equal keys is told, with the first, and leaves the map",
        arguments: repetitions)
    func repeated(_ row: Repeated) throws {
        var keys = (0..<row.count).map { "k\($0)" }
        keys[row.again] = keys[row.first]
        let (text, places) = Self.map(keys, row.style)
        let tree = Self.parse(text)
        try #require(tree.diagnostics.count == 1)
        let found = tree.diagnostics[0]
        #expect(found.code == .duplicateKey)
        #expect(found.message == "`\(keys[row.first])` stands twice in one map")
        #expect(Self.range(found.primary.span) == places[row.again])
        #expect(found.primary.text == "again here")
        #expect(found.labels.map { Self.range($0.span) } == [places[row.first]])
        #expect(found.labels.map(\.text) == ["first here"])
        let root = try #require(tree.root)
        let map = row.style == .block ? root : try #require(root.entries.first).value
        let kept = (0..<row.count).filter { $0 != row.again }
        #expect(map.entries.map(\.key.text) == kept.map { keys[$0] })
        #expect(map.entries.map(\.value.text) == kept.map { "v\($0)" })
    }

    /// One key in every spelling that is one key, and others that only look like it.
    private static let spellings = [
        "a", "'a'", "\"a\"", "\"\\x61\"", "b", "\u{E9}", "e\u{301}", "\"e\\u0301\"", "A",
    ]

    @Test("a large map finds what a small one finds, at the same places", arguments: Style.allCases)
    func agreement(_ style: Style) {
        let fillers = (0..<30).map { "filler\($0)" }
        var repeated = 0
        for index in 0..<Self.spellings.count * Self.spellings.count * Self.spellings.count {
            let keys =
                [index % 9, index / 9 % 9, index / 81].map { Self.spellings[$0] } + ["a", "b"]
            let small = Self.parse(Self.map(keys, style).text).diagnostics
            let large = Self.parse(Self.map(keys + fillers, style).text).diagnostics
            // `a` and `b` stand once more at the end.
            #expect(small.allSatisfy { $0.code == .duplicateKey })
            #expect(small == large, "\(keys)")
            repeated += small.count
        }
        #expect(repeated > 1_000)
    }

    @Test("each repetition of a key is told with the first of them", arguments: [8, 9, 33])
    func manyTimes(_ count: Int) {
        let (text, places) = Self.map([String](repeating: "k", count: count), .block)
        let found = Self.parse(text).diagnostics
        #expect(found.map { Self.range($0.primary.span) } == Array(places.dropFirst()))
        #expect(found.allSatisfy { $0.labels.map { Self.range($0.span) } == [places[0]] })
    }

    @Test("a thousand distinct keys are no finding", arguments: Style.allCases)
    func distinct(_ style: Style) {
        let keys = (0..<1_000).map { "k\($0)" }
        #expect(Self.parse(Self.map(keys, style).text).diagnostics.isEmpty)
    }
}
