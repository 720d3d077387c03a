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
        #expect(DidYouMean.only(for: word, among: keys) == expected)
    }

    @Test(
        "no word is proposed that is far or too short to tell",
        arguments: ["", "x", "frob", "an", "certificate"])
    func far(_ word: String) {
        let keys = ["rules", "hosts", "pins", "anchors", "at", "identity"]
        #expect(DidYouMean.near(word, among: keys).isEmpty)
        #expect(DidYouMean.question(for: word, among: keys) == "")
    }

    @Test("several that are near are asked about together, the nearest first, and none is the one")
    func several() {
        let ids = ["prod-us", "prod-eu", "prod-e", "test"]
        #expect(DidYouMean.near("prod-es", among: ids) == ["prod-e", "prod-eu", "prod-us"])
        #expect(DidYouMean.only(for: "prod-es", among: ids) == nil)
        #expect(
            DidYouMean.question(for: "prod-es", among: ids)
                == "; did you mean `prod-e` or `prod-eu` or `prod-us`?")
        #expect(DidYouMean.question(for: "tset", among: ids) == "; did you mean `test`?")
    }

    @Test("a swap of neighbours is one edit")
    func swap() {
        #expect(DidYouMean.distance(Array("ab".utf8), Array("ba".utf8)) == 1)
        #expect(DidYouMean.distance(Array("abc".utf8), Array("".utf8)) == 3)
        #expect(DidYouMean.distance(Array("ca".utf8), Array("abc".utf8)) == 3)
    }
}
