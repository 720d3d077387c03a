import Testing

@testable import PolicyCompiler

@Suite struct DidYouMeanTests {
    @Test(
        "the nearest word within two edits",
        arguments: [
            ("anchor", "anchors"), ("ancohrs", "anchors"), ("achors", "anchors"),
            ("Anchors", "anchors"), ("report_only", "report-only"), ("hosst", "hosts"),
            ("prins", "pins"), ("pin", "pins"),
        ])
    func near(_ word: String, _ expected: String) {
        let keys = ["rules", "hosts", "pins", "anchors", "report-only", "profile"]
        #expect(DidYouMean.suggestion(for: word, among: keys) == expected)
    }

    @Test(
        "no word is proposed that is far or too short to tell",
        arguments: ["", "x", "frob", "an", "certificate"])
    func far(_ word: String) {
        let keys = ["rules", "hosts", "pins", "anchors", "at", "identity"]
        #expect(DidYouMean.suggestion(for: word, among: keys) == nil)
    }

    @Test("among equals the first by name")
    func equals() {
        #expect(DidYouMean.suggestion(for: "keyx", among: ["keyz", "keya"]) == "keya")
    }

    @Test("a swap of neighbours is one edit")
    func swap() {
        #expect(DidYouMean.distance(Array("ab".utf8), Array("ba".utf8)) == 1)
        #expect(DidYouMean.distance(Array("abc".utf8), Array("".utf8)) == 3)
        #expect(DidYouMean.distance(Array("ca".utf8), Array("abc".utf8)) == 3)
    }
}
