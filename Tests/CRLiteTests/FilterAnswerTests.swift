import CRLite
import Foundation
import TestPKI
import Testing

@Suite("answers of CRLite filters")
struct FilterAnswerTests {
    static let versions: [UInt8] = [3, 4]

    @Test("every certificate of every shape of block", arguments: versions)
    func shapes(version: UInt8) throws {
        let octets = SampleFilter.octets(version: version)
        let bytes = octets.span
        let filter = try ClubcardFilter(reading: bytes)
        #expect(filter.format.rawValue == version)
        #expect(filter.issuerCount == SampleFilter.shapes.count)
        #expect(filter.octetCount == octets.count)
        #expect((filter.oldest, filter.newest) == (1_000, 5_000))
        var wrong = 0
        for issuer in SampleFilter.recipe.issuers {
            for (serials, status) in [(issuer.revoked, FilterStatus.revoked), (issuer.good, .good)]
            {
                for serial in serials {
                    let answer = try filter.answer(
                        SampleFilter.question(issuer.digest, serial, [(SampleFilter.larch, 1_000)]),
                        in: bytes)
                    if answer.status != status { wrong += 1 }
                }
            }
        }
        #expect(wrong == 0)
    }

    @Test("coverage is asked before enrolment, with both ends", arguments: versions)
    func coverage(version: UInt8) throws {
        let octets = SampleFilter.octets(version: version)
        let (larch, maple) = (SampleFilter.larch, SampleFilter.maple)
        let (known, unknown) = (SampleFilter.issuerDigest(1), SampleFilter.issuerDigest(99))
        let serial = SampleFilter.serial(1, 1)
        let rows: [([UInt8], [([UInt8], UInt64)], FilterStatus)] = [
            (known, [(larch, 1_000)], .revoked), (known, [(larch, 5_000)], .revoked),
            (known, [(larch, 999)], .notCovered), (known, [(larch, 5_001)], .notCovered),
            (known, [], .notCovered), (unknown, [], .notCovered),
            (unknown, [(larch, 999)], .notCovered), (unknown, [(larch, 1_000)], .notEnrolled),
            (known, [(larch, 0), (maple, 3_000)], .revoked),
            (known, [(known, 2_000)], .notCovered),
            (known, [(larch, .max)], .notCovered),
        ]
        for (issuer, times, status) in rows {
            let answer = try SampleFilter.ask(
                octets, SampleFilter.question(issuer, serial, times))
            #expect(answer.status == status, "\(times.map(\.1))")
            #expect((answer.cover == nil) == (status == .notCovered))
        }
        let answer = try SampleFilter.ask(
            octets,
            SampleFilter.question(known, serial, [(larch, 0), (maple, 3_000), (larch, 4_000)]))
        #expect(answer.cover?.time == LogTime(log: digest(maple), milliseconds: 3_000))
        #expect(answer.cover?.interval.low == 2_000)
        #expect(answer.cover?.interval.high == 3_000)
    }

    @Test("the leading 00 of a serial number is a part of it", arguments: versions)
    func leadingZero(version: UInt8) throws {
        let digest = SampleFilter.issuerDigest(0)
        let recipe = FilterRecipe(
            [.init(digest, revoked: [[0x00, 0x81]], good: [[0x81], [0x00]])],
            coverage: SampleFilter.recipe.coverage)
        let octets = recipe.octets(version: version)
        for (serial, status) in [
            ([0x00, 0x81], FilterStatus.revoked), ([0x81], .good), ([0x00], .good),
        ] as [([UInt8], FilterStatus)] {
            let question = SampleFilter.question(digest, serial, [(SampleFilter.larch, 2_000)])
            #expect(try SampleFilter.ask(octets, question).status == status)
        }
    }

    @Test("an exception is not in the set that its block encodes", arguments: versions)
    func exceptions(version: UInt8) throws {
        for (index, before, after) in [
            (4, FilterStatus.revoked, FilterStatus.good), (6, .good, .revoked),
        ] {
            var issuer = SampleFilter.issuer(index)
            let serial = try #require(before == .revoked ? issuer.revoked.last : issuer.good.last)
            let question = SampleFilter.question(
                issuer.digest, serial, [(SampleFilter.larch, 2_000)])
            func status() throws -> FilterStatus {
                try SampleFilter.ask(
                    FilterRecipe([issuer], coverage: SampleFilter.recipe.coverage)
                        .octets(version: version), question
                ).status
            }
            #expect(try status() == before)
            // Others do not change the answer: one octet less, and one more.
            issuer.exceptions = [Array(serial.dropLast()), serial + [0]]
            #expect(try status() == before)
            issuer.exceptions.append(serial)
            #expect(try status() == after)
        }
    }

    @Test("the cost of an answer is the words and the exceptions that were read")
    func cost() throws {
        var issuer = SampleFilter.issuer(2)
        issuer.exceptions = (0..<65_535).map { [1, UInt8($0 >> 8), UInt8($0 & 255), 0, 0, 0] }
        let octets = FilterRecipe([issuer], coverage: SampleFilter.recipe.coverage).octets(
            version: 4)
        func work(_ serial: [UInt8]) throws -> Int {
            try SampleFilter.ask(
                octets, SampleFilter.question(issuer.digest, serial, [(SampleFilter.larch, 2_000)])
            ).work
        }
        // One of 200 has seven columns, and the exact one.
        #expect(try work(issuer.revoked[0]) == 5 * 8 + 65_535)
        for serial in issuer.good { #expect(try work(serial) <= 5 * 8) }
    }

    @Test("octets that were cut since they were opened are not asked")
    func changed() throws {
        let octets = SampleFilter.octets(version: 4)
        let filter = try ClubcardFilter(reading: octets.span)
        let question = SampleFilter.question(
            SampleFilter.issuerDigest(1), [1], [(SampleFilter.larch, 2_000)])
        let short = Array(octets.dropLast())
        #expect(throws: FilterDamage.self) { try filter.answer(question, in: short.span) }
        // As long, with other contents: an answer or an error, but not a trap.
        let other = [UInt8](repeating: 0xFF, count: octets.count)
        _ = try? filter.answer(question, in: other.span)
    }

    // MARK: The answers of Mozilla's builder

    @Test(
        "1,443 answers of Mozilla's builder",
        .enabled(if: ClubcardPack.isThere, "../shared/packs/clubcard is absent"),
        arguments: versions)
    func builderShapes(version: UInt8) throws {
        let counts = try judge("shapes.v\(version).clubcard", "shapes.ndjson") { $0.expected }
        #expect(counts == [.good: 993, .revoked: 442, .notEnrolled: 1, .notCovered: 7])
    }

    @Test(
        "real revoked sites, before and after their revocation",
        .enabled(if: ClubcardPack.isThere, "../shared/packs/clubcard is absent"),
        arguments: versions)
    func sites(version: UInt8) throws {
        let rows = "revoked-sites.ndjson"
        let after = try judge("revoked-sites.v\(version).clubcard", rows) { $0.expected }
        #expect(after == [.revoked: 74, .notCovered: 2])
        let before = try judge("revoked-sites-before.v\(version).clubcard", rows) {
            $0.expected_before
        }
        #expect(before == [.good: 74, .notCovered: 2])
    }

    /// The counts of a filter's answers, each of which must be the expected one.
    private func judge(
        _ file: String, _ rows: String, _ expected: (ClubcardPack.Row) -> String?
    ) throws -> [FilterStatus: Int] {
        let octets = try ClubcardPack.octets(file)
        let bytes = octets.span
        let filter = try ClubcardFilter(reading: bytes)
        var counts: [FilterStatus: Int] = [:]
        for row in try ClubcardPack.rows(rows, of: ClubcardPack.Row.self) {
            let status = try filter.answer(row.question(), in: bytes).status
            #expect(status.rawValue == expected(row), "\(row.issuer) \(row.serial)")
            counts[status, default: 0] += 1
        }
        return counts
    }
}
