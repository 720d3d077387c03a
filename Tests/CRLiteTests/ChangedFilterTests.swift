import CRLite
import TestPKI
import Testing

/// Every octet of a filter and of an index changed, one at a time: the reader refuses with a
/// reason, or answers every question. `HAWSER_FULL=1` changes each bit, and all bits of an octet.
@Suite("CRLite filters with one octet changed")
struct ChangedFilterTests {

    /// The values that octet `index` is given.
    private static func values(_ index: Int, _ octet: UInt8) -> [UInt8] {
        if Sample.isWhole { return (0..<8).map { octet ^ 1 << UInt8($0) } + [octet ^ 0xFF] }
        // The lowest bit, the highest one, or all of them, by turns.
        return [octet ^ [0x01, 0x80, 0xFF][index % 3]]
    }

    /// How many changes were refused and how many answered.
    private struct Counts: Equatable {
        var refused = 0
        var answered = 0
    }

    /// Changes each octet, and lets `ask` read and ask the octets.
    private func change(
        _ octets: [UInt8], _ ask: (Span<UInt8>) throws(FilterDamage) -> Void
    ) -> Counts {
        var octets = octets
        var counts = Counts()
        for index in octets.indices {
            let before = octets[index]
            for value in Self.values(index, before) {
                octets[index] = value
                do throws(FilterDamage) {
                    try ask(octets.span)
                    counts.answered += 1
                } catch {
                    counts.refused += 1
                    #expect(!error.context.isEmpty, "octet \(index): \(value)")
                }
            }
            octets[index] = before
        }
        return counts
    }

    /// Reads a filter and asks every question. The cost of each answer is within the bound.
    private func judge(_ octets: [UInt8], _ questions: [FilterQuestion]) {
        let counts = change(octets) { (bytes) throws(FilterDamage) in
            let filter = try ClubcardFilter(reading: bytes)
            for question in questions {
                let answer = try filter.answer(question, in: bytes)
                #expect(answer.work <= 5 * 256 + 65_535)
                #expect((answer.cover == nil) == (answer.status == .notCovered))
            }
        }
        // Numbers, and the bits of columns.
        #expect(counts.refused > 50 && counts.answered > 500, "\(counts)")
    }

    @Test("a filter of ours", arguments: [3, 4] as [UInt8])
    func ours(version: UInt8) {
        let times = [(SampleFilter.larch, UInt64(1_000)), (SampleFilter.maple, 3_000)]
        let questions = SampleFilter.shapes.indices.flatMap { issuer in
            [0, SampleFilter.shapes[issuer].1 - 1].map {
                SampleFilter.question(
                    SampleFilter.issuerDigest(issuer), SampleFilter.serial(issuer, $0), times)
            }
        }
        judge(SampleFilter.octets(version: version), questions)
    }

    @Test(
        "a filter of Mozilla's builder",
        .enabled(if: ClubcardPack.isThere, "../shared/packs/clubcard is absent"),
        arguments: [3, 4] as [UInt8])
    func builders(version: UInt8) throws {
        let rows = try ClubcardPack.rows("shapes.ndjson", of: ClubcardPack.Row.self)
        // A question of each issuer and answer.
        let questions = Dictionary(grouping: rows) { "\($0.issuer) \($0.expected)" }
            .values.compactMap(\.first).map { $0.question() }
        #expect(questions.count > 15)
        judge(try ClubcardPack.octets("shapes.v\(version).clubcard"), questions)
    }

    @Test("an index: the filters that it names are in it")
    func index() {
        let recipe = SampleFilter.recipe
        let octets = FilterIndexRecipe(
            of: [("a.filter", recipe), ("b-2.filter", recipe), ("c_3", recipe)]
        ).octets
        let times = [
            LogTime(log: digest(SampleFilter.larch), milliseconds: 1_000),
            LogTime(log: digest(SampleFilter.maple), milliseconds: 3_000),
        ]
        let counts = change(octets) { (bytes) throws(FilterDamage) in
            let index = try CacheIndex(reading: bytes)
            #expect(index.filters(for: times).allSatisfy(index.names.indices.contains))
            for name in index.names {
                #expect(!name.utf8.contains(UInt8(ascii: "/")) && name != "." && name != "..")
            }
        }
        #expect(counts.refused > 50 && counts.answered > 50, "\(counts)")
    }
}
