import Testing

/// Words that every answer uses have one home, `Rendering/Words`.
@Suite struct WordTests {
    /// Where a text that leaves items out is phrased.
    static let home = "Sources/Rendering/Words/Cut.swift"

    /// Files that still phrase it themselves, with the number of places. A file that has fewer
    /// fails until its new number stands here; without any it is left out.
    static let leftOver: [String: Int] = [
        "Sources/HawserCommand/Commands/Capture/CaptureCommand.swift": 1,
        "Sources/HawserCommand/Commands/Report/ReportCommand.swift": 1,
        "Sources/HawserCommand/Policies/OpenPolicy.swift": 1,
        "Sources/HawserCommand/Policies/PolicySource.swift": 1,
        "Sources/PolicyTools/Diff/ApprovalSentences.swift": 1,
        "Sources/PolicyTools/Diff/ChangeWords+Pins.swift": 1,
        "Sources/PolicyTools/Diff/DiffMarkdown.swift": 2,
        "Sources/PolicyTools/Diff/DiffSentences+Changes.swift": 1,
        "Sources/PolicyTools/Diff/DiffSentences+Headline.swift": 4,
        "Sources/PolicyTools/Diff/DiffSentences.swift": 1,
        "Sources/PolicyTools/Diff/GuardSections.swift": 2,
        "Sources/PolicyTools/Diff/IdleChanges.swift": 1,
        "Sources/PolicyTools/Diff/PinSetChange.swift": 1,
        "Sources/Rendering/Violations/Facts/Reject.swift": 1,
        "Sources/Rendering/Violations/RevocationUndeterminedTexts.swift": 1,
    ]

    @Test("`and N more` is phrased by one function")
    func cutLists() {
        var found: [String: Int] = [:]
        for file in Tree.swift(
            below: "Sources/Rendering", "Sources/PolicyTools", "Sources/HawserCommand")
        where file.path != WordTests.home {
            let count = file.lines.count { WordTests.phrasesMore(String($0)) }
            if count > 0 { found[file.path] = count }
        }
        for path in Set(found.keys).union(WordTests.leftOver.keys).sorted() {
            let (count, known) = (found[path, default: 0], WordTests.leftOver[path, default: 0])
            #expect(count == known, "\(path) phrases `more` in \(count) places, known are \(known)")
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
