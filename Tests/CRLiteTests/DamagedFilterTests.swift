import CRLite
import Foundation
import TestPKI
import Testing

@Suite("damaged CRLite filters")
struct DamagedFilterTests {
    /// A filter with one issuer, which has two columns and the exact one, and one exception.
    private static let recipe: FilterRecipe = {
        var issuer = FilterRecipe.Issuer(
            SampleFilter.issuerDigest(0), revoked: (0..<20).map { [1, $0] },
            good: (0..<100).map { [2, $0] })
        issuer.exceptions = [[3, 3, 3]]
        return FilterRecipe(
            [issuer], coverage: [.init(log: SampleFilter.larch, low: 1, high: 9)])
    }()

    private func refusal(_ octets: [UInt8]) -> FilterDamage? {
        do throws(FilterDamage) {
            _ = try ClubcardFilter(reading: octets.span)
            return nil
        } catch {
            return error
        }
    }

    /// Offsets in format 4: behind 4 octets of head and number, 48 of a log, 4 of a number, 32 of
    /// the issuer.
    @Test(
        "values of format 4 that are refused",
        arguments: [
            (0, [5], FilterDamage.Code.notAFilter), (0, [2], .unsupportedVersion),
            (0, [0x30], .notAFilter), (1, [1], .malformed),
            (2, [0xFF, 0xFF], .truncated), (52, [0xFF, 0xFF, 0xFF, 0xFF], .truncated),
            // The rank: more columns than there are.
            (92, [3], .malformed), (92, [255], .malformed),
            // Offsets behind the columns.
            (93, [0xFF, 0xFF, 0xFF, 0xFF], .malformed), (101, [0, 1, 0, 0], .malformed),
            (105, [2], .malformed), (105, [0xFF], .malformed),
            // Exceptions: too many, an empty one, a long one.
            (106, [0xFF, 0xFF], .truncated), (108, [0], .malformed), (108, [0xFF], .truncated),
            // Columns: more than follow, with too many words.
            (112, [200], .truncated), (113, [0xFF, 0xFF, 0xFF, 0xFF], .truncated),
        ] as [(Int, [UInt8], FilterDamage.Code)])
    func format4(offset: Int, octets: [UInt8], code: FilterDamage.Code) throws {
        var filter = DamagedFilterTests.recipe.octets(version: 4)
        #expect(refusal(filter) == nil)
        filter.replaceSubrange(offset..<offset + octets.count, with: octets)
        let found = try #require(refusal(filter))
        #expect(found.code == code, "\(found.context)")
        #expect(!found.context.isEmpty)
    }

    /// Offsets in format 3: 2 octets of head, 8 of a number, 48 of a log, 8 of a number.
    @Test(
        "values of format 3 that are refused",
        arguments: [
            (2, 0x1_0000_0000, FilterDamage.Code.truncated), (2, .max, .truncated),
            (58, .max, .truncated),
            // The digest's length, the rows, the rank, the offsets.
            (66, 31, .malformed), (66, .max, .malformed), (106, 1 << 32, .malformed),
            (122, 3, .malformed), (122, .max, .malformed), (130, 0xFFFF_FFFF, .malformed),
            (138, 0x1_0000, .malformed),
            // The exceptions.
            (147, .max, .truncated), (155, .max, .truncated), (155, 0, .malformed),
            // The columns.
            (166, 256, .truncated), (166, .max, .truncated), (174, .max, .truncated),
        ] as [(Int, UInt64, FilterDamage.Code)])
    func format3(offset: Int, number: UInt64, code: FilterDamage.Code) throws {
        var filter = DamagedFilterTests.recipe.octets(version: 3)
        #expect(refusal(filter) == nil)
        for index in 0..<8 {
            filter[offset + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index))
        }
        let found = try #require(refusal(filter))
        #expect(found.code == code, "\(found.context)")
    }

    @Test("inverted other than 0 and 1, in format 3")
    func inverted() throws {
        var filter = DamagedFilterTests.recipe.octets(version: 3)
        filter[146] = 2
        #expect(refusal(filter)?.code == .malformed)
    }

    @Test("issuers that are not sorted, and issuers and logs that stand twice", arguments: [3, 4])
    func order(version: UInt8) throws {
        var recipe = DamagedFilterTests.recipe
        recipe.issuers[0].exceptions = []
        recipe.issuers += [.init(SampleFilter.issuerDigest(1), revoked: [], good: [[1]])]
        let octets = recipe.octets(version: version)
        #expect(refusal(octets) == nil)
        let (first, size) = version == 4 ? (56, 52) : (66, 89)
        var swapped = octets
        swapped.replaceSubrange(
            first..<first + 2 * size,
            with: octets[first + size..<first + 2 * size] + octets[first..<first + size])
        #expect(refusal(swapped)?.context.contains("not sorted") == true)
        var doubled = octets
        doubled.replaceSubrange(
            first + size..<first + 2 * size, with: octets[first..<first + size])
        #expect(refusal(doubled)?.context.contains("twice") == true)
        recipe.coverage.append(recipe.coverage[0])
        #expect(refusal(recipe.octets(version: version))?.context.contains("twice") == true)
    }

    @Test("every beginning, and one octet more", arguments: [3, 4])
    func cut(version: UInt8) {
        let octets = DamagedFilterTests.recipe.octets(version: version)
        for count in octets.indices {
            let found = refusal(Array(octets[..<count]))
            #expect(found?.code == .truncated, "\(count): \(found?.context ?? "accepted")")
        }
        #expect(refusal(octets + [0])?.code == .trailing)
    }

    @Test("every octet changed: an answer or a reason", arguments: [3, 4])
    func changed(version: UInt8) {
        var octets = DamagedFilterTests.recipe.octets(version: version)
        let questions = [[1, 1], [2, 2], [3, 3, 3]].map {
            SampleFilter.question(
                SampleFilter.issuerDigest(0), $0, [(SampleFilter.larch, 5)])
        }
        var refused = 0
        for index in octets.indices {
            for bits in [0x01, 0x80, 0xFF] as [UInt8] {
                octets[index] ^= bits
                defer { octets[index] ^= bits }
                do throws(FilterDamage) {
                    let filter = try ClubcardFilter(reading: octets.span)
                    for question in questions { _ = try filter.answer(question, in: octets.span) }
                } catch {
                    refused += 1
                    #expect(!error.context.isEmpty)
                }
            }
        }
        #expect(refused > 50)
    }

    /// Builders leave out words of zeros at the end of a column, so a block may begin behind it.
    @Test("a block of zeros behind the end of its column is not damaged")
    func trimmed() throws {
        // One certificate of each issuer, and it is revoked in the same half: every exact bit is 0.
        let issuers = (0..<70).map { index in
            FilterRecipe.Issuer(
                SampleFilter.issuerDigest(index), revoked: [[1]],
                good: (0..<2).map { [2, UInt8($0)] })
        }
        let recipe = FilterRecipe(
            issuers, coverage: [.init(log: SampleFilter.larch, low: 1, high: 9)])
        for version in [3, 4] as [UInt8] {
            let octets = recipe.octets(version: version)
            #expect(refusal(octets) == nil)
            for issuer in issuers {
                let question = SampleFilter.question(
                    issuer.digest, [1], [(SampleFilter.larch, 5)])
                #expect(try SampleFilter.ask(octets, question).status == .revoked)
            }
        }
    }

    @Test(
        "the damaged forms of Mozilla's builder",
        .enabled(if: ClubcardPack.isThere, "../shared/packs/clubcard is absent"))
    func builderForms() throws {
        let rows = try ClubcardPack.rows("damaged.ndjson", of: ClubcardPack.Damaged.self)
        #expect(rows.count == 10)
        for row in rows {
            let found = refusal(try ClubcardPack.octets(row.file))
            #expect(found?.context.isEmpty == false, "\(row.file)")
        }
    }
}
