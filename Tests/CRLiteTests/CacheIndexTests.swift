import CRLite
import Foundation
import TestPKI
import Testing

@Suite("the index of a directory of CRLite filters")
struct CacheIndexTests {
    private static let larch = SampleFilter.larch
    private static let maple = SampleFilter.maple

    private static let recipe = FilterIndexRecipe([
        ("a.filter", [(larch, 1_000, 2_000), (maple, 1, 9)]), ("b.filter", [(larch, 2_000, 3_000)]),
    ])

    private func read(_ octets: [UInt8]) throws(FilterDamage) -> CacheIndex {
        try CacheIndex(reading: octets.span)
    }

    private func refusal(_ octets: [UInt8]) -> FilterDamage? {
        do throws(FilterDamage) {
            _ = try read(octets)
            return nil
        } catch {
            return error
        }
    }

    @Test("every filter that covers one of the timestamps")
    func lookUp() throws {
        let index = try read(CacheIndexTests.recipe.octets)
        #expect(index.names == ["a.filter", "b.filter"])
        #expect(index.logCount == 2)
        #expect(index.entries.count == 3)
        #expect(index.newest == 3_000)
        let rows: [([([UInt8], UInt64)], [Int])] = [
            ([], []), ([(CacheIndexTests.larch, 999)], []),
            ([(CacheIndexTests.larch, 1_000)], [0]), ([(CacheIndexTests.larch, 2_000)], [0, 1]),
            ([(CacheIndexTests.larch, 3_000)], [1]), ([(CacheIndexTests.larch, 3_001)], []),
            ([(CacheIndexTests.maple, 9)], [0]),
            ([(CacheIndexTests.maple, 9), (CacheIndexTests.larch, 2_500)], [0, 1]),
            ([(SampleFilter.issuerDigest(0), 5)], []),
        ]
        for (times, filters) in rows {
            let times = times.map { LogTime(log: digest($0.0), milliseconds: $0.1) }
            #expect(index.filters(for: times) == filters)
        }
        #expect(try read(FilterIndexRecipe([]).octets).names == [])
    }

    @Test(
        "names that are refused",
        arguments: [
            "", ".", "..", "a/b", "../a", "/etc/passwd", "a b", "ä.filter", "a\u{0}b", "a\n",
        ])
    func names(_ name: String) throws {
        let octets = FilterIndexRecipe([(name, [])]).octets
        #expect(refusal(octets)?.code == .malformed)
    }

    @Test("the longest name")
    func longestName() throws {
        let name = String(repeating: "x", count: 32)
        #expect(try read(FilterIndexRecipe([(name, [])]).octets).names == [name])
    }

    /// Offsets: the head has 14 octets, two names 64, two logs 84.
    @Test(
        "values that are refused",
        arguments: [
            (7, [0x30], FilterDamage.Code.unsupportedVersion), (0, [0], .notAFilter),
            (8, [0xFF, 0xFF], .truncated), (10, [0xFF, 0xFF, 0xFF, 0xFF], .truncated),
            // An offset in the tables, behind the end, in the other log's entries.
            (110, [0, 0, 0, 0, 0, 0, 0, 14], .malformed),
            (110, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .truncated),
            (152, [0, 0, 0, 0, 0, 0, 0, 163], .malformed), (118, [0xFF, 0xFF], .truncated),
            // A filter that is not there.
            (162, [0, 2], .malformed), (162, [0xFF, 0xFF], .malformed),
        ] as [(Int, [UInt8], FilterDamage.Code)])
    func values(offset: Int, octets: [UInt8], code: FilterDamage.Code) throws {
        var index = CacheIndexTests.recipe.octets
        index.replaceSubrange(offset..<offset + octets.count, with: octets)
        let found = try #require(refusal(index))
        #expect(found.code == code, "\(found.context)")
    }

    @Test("logs that are not sorted, or stand twice")
    func order() {
        let octets = CacheIndexTests.recipe.octets
        let (first, second) = (octets[78..<110], octets[120..<152])
        var swapped = octets
        swapped.replaceSubrange(78..<110, with: second)
        #expect(refusal(swapped)?.context.contains("twice") == true)
        swapped.replaceSubrange(120..<152, with: first)
        #expect(refusal(swapped)?.context.contains("not sorted") == true)
    }

    @Test("every beginning, and every octet changed")
    func damaged() {
        let octets = CacheIndexTests.recipe.octets
        for count in octets.indices {
            #expect(refusal(Array(octets[..<count]))?.code == .truncated, "\(count)")
        }
        for index in octets.indices {
            var changed = octets
            changed[index] ^= 0x81
            _ = refusal(changed)
        }
    }

    @Test(
        "the directory of the pack",
        .enabled(if: ClubcardPack.isThere, "../shared/packs/clubcard is absent"))
    func pack() throws {
        let index = try read(ClubcardPack.octets("cache/index.bin"))
        #expect(
            index.names == ["shapes.filter", "revoked-sites.filter", "revoked-sites-before.filter"])
        #expect(index.logCount == 32)
        for (number, name) in index.names.enumerated() {
            let octets = try ClubcardPack.octets("cache/\(name)")
            let filter = try ClubcardFilter(reading: octets.span)
            let entries = index.entries.filter { $0.filter == number }.map(\.interval)
            #expect(Set(entries) == Set(filter.coverage))
        }
    }

    @Test("one revoked decides, in any order; every covering filter is counted")
    func gathered() throws {
        func answer(_ status: FilterStatus) throws -> FilterAnswer {
            let serial = SampleFilter.serial(status == .good ? 0 : 1, 1)
            let issuer = status == .notEnrolled ? 99 : status == .good ? 0 : 1
            return try SampleFilter.ask(
                SampleFilter.octets(version: 4),
                SampleFilter.question(
                    SampleFilter.issuerDigest(issuer), serial,
                    [(CacheIndexTests.larch, status == .notCovered ? 0 : 1_000)]))
        }
        let rows: [([FilterStatus], FilterStatus, Int)] = [
            ([], .notCovered, 0), ([.notCovered], .notCovered, 0),
            ([.notCovered, .notEnrolled], .notEnrolled, 1),
            ([.notEnrolled, .good, .notCovered], .good, 2),
            ([.good, .revoked, .notEnrolled], .revoked, 3),
        ]
        for (statuses, status, asked) in rows {
            for order in [statuses, statuses.reversed()] {
                var gathered = GatheredAnswer<Int>()
                for (index, one) in order.enumerated() {
                    let answer = try answer(one)
                    #expect(answer.status == one)
                    gathered.add(answer, of: index)
                }
                #expect(gathered.status == status)
                #expect(gathered.asked == asked)
                #expect(gathered.deciding?.answer.status == (asked == 0 ? nil : status))
            }
        }
    }
}
