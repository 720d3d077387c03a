import Testing

/// Words that every answer uses have one home, `Rendering/Words`.
@Suite struct WordTests {
    /// Where a text that leaves items out is phrased.
    static let home = "Sources/Rendering/Words/Cut.swift"

    @Test("`and N more` is phrased by one function")
    func cutLists() {
        let files = Tree.swift(
            below: "Sources/Rendering", "Sources/PolicyTools", "Sources/HawserCommand")
        #expect(files.contains { $0.path == WordTests.home })
        for file in files where file.path != WordTests.home {
            for (index, line) in file.lines.enumerated() where WordTests.phrasesMore(String(line)) {
                Issue.record("\(file.path):\(index + 1) counts omitted items; `Cut` has the words")
            }
        }
    }

    /// Whether a line of code has a string that says how many more there are: a number that is
    /// interpolated and `more` behind it. `3 more than` compares and counts nothing.
    private static func phrasesMore(_ line: String) -> Bool {
        guard !line.drop(while: { $0 == " " }).hasPrefix("//") else { return false }
        return line.split(separator: ") more", omittingEmptySubsequences: false).dropFirst()
            .contains { rest in
                rest.first.map { !$0.isLetter } ?? true
                    && ![" than", " must"].contains { rest.hasPrefix($0) }
            }
    }

    @Test(
        "what counts as phrased",
        arguments: [
            (#"let a = " and \(n - 3) more""#, true),
            (#"text += "\(n) more, which are listed""#, true),
            (#"/// `and \(n) more`"#, false), (#""\(n) more than `--most` lets pass""#, false),
            (#""accepts more than before""#, false), (#"let more = count - 3"#, false),
            (#""\(n) moreover""#, false),
        ])
    func phrases(_ line: String, _ isPhrase: Bool) {
        #expect(WordTests.phrasesMore(line) == isPhrase)
    }
}
