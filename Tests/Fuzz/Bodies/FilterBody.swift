import CRLite
import LibCrypto
import TestPKI
import TrustEngine

/// A filter of CRLite, or the index of a directory of filters. A filter that is read answers every
/// question within its bounds; a filter of ours answers alike in both formats.
enum FilterBody {
    static func run(_ bytes: [UInt8]) {
        runIndex(bytes)
        let octets = bytes.span
        do throws(FilterDamage) {
            let filter = try ClubcardFilter(reading: octets)
            require(ClubcardFilter.isFilter(bytes), "a filter begins as a filter")
            require(
                filter.octetCount == bytes.count && filter.columnOctets <= bytes.count,
                "the columns are within the file")
            require(
                52 * filter.issuerCount + 48 * filter.coverage.count <= bytes.count,
                "the index is no larger than the file")
            let issuers = filter.issuers(in: octets)
            require(
                zip(issuers, issuers.dropFirst()).allSatisfy { $0 < $1 }, "issuers are sorted")
            for issuer in issuers.prefix(3) + issuers.suffix(1) + [unknown] {
                for interval in filter.coverage.prefix(2) {
                    try check(filter, octets, issuer, interval)
                }
            }
        } catch {
            require(!error.context.isEmpty, "a refusal has a reason")
        }
        if let place = seeds.firstIndex(of: bytes), place < 2 { checkFormats() }
    }

    private static func check(
        _ filter: ClubcardFilter, _ octets: Span<UInt8>, _ issuer: Digest256,
        _ interval: LogInterval
    ) throws(FilterDamage) {
        for serial in [[1], [0, 0x81], [UInt8](repeating: 7, count: 20)] as [[UInt8]] {
            let question = question(issuer, serial, interval.log, interval.low)
            let answer = try filter.answer(question, in: octets)
            require(
                (answer.status == .notCovered) == (interval.low > interval.high),
                "a time of an interval is covered")
            require(
                (answer.status == .notEnrolled)
                    == (issuer == unknown && interval.low <= interval.high),
                "an issuer of the index is enrolled")
            require(
                answer.work <= 5 * filter.columnCount + 65_535, "the cost of an answer is bounded")
            let uncovered = FilterBody.question(issuer, serial, unknown, interval.low)
            let status = try filter.answer(uncovered, in: octets).status
            require(status == .notCovered, "coverage is asked before enrolment")
        }
    }

    private static func runIndex(_ bytes: [UInt8]) {
        do throws(FilterDamage) {
            let index = try CacheIndex(reading: bytes.span)
            require(CacheIndex.isIndex(bytes), "an index begins as an index")
            require(18 * index.entries.count <= bytes.count, "entries are within the file")
            for name in index.names {
                require(
                    !name.isEmpty && !name.utf8.contains(UInt8(ascii: "/")) && name != ".."
                        && name != "." && !name.utf8.contains(0), "no name leads out of the folder")
            }
            for entry in index.entries.prefix(100) {
                let times = [LogTime(log: entry.interval.log, milliseconds: entry.interval.low)]
                require(
                    entry.interval.low > entry.interval.high
                        || index.filters(for: times).contains(entry.filter), "an entry is found")
            }
        } catch {
            require(!error.context.isEmpty, "a refusal has a reason")
        }
    }

    /// Both formats of one recipe give the same answers.
    private static func checkFormats() {
        do throws(FilterDamage) {
            let (big, little) = (seeds[0], seeds[1])
            let short = big.span
            let long = little.span
            let filters = (
                try ClubcardFilter(reading: short), try ClubcardFilter(reading: long)
            )
            require(filters.0.coverage == filters.1.coverage, "both formats cover the same")
            for issuer in recipe.issuers {
                guard let digest = Digest256(issuer.digest) else { continue }
                for serial in issuer.revoked + issuer.good {
                    let question = question(digest, serial, log, 5)
                    let answers = (
                        try filters.0.answer(question, in: short),
                        try filters.1.answer(question, in: long)
                    )
                    require(answers.0 == answers.1, "both formats give the same answer")
                }
            }
        } catch {
            require(false, "a filter of ours is read: \(error.context)")
        }
    }

    private static func question(
        _ issuer: Digest256, _ serial: [UInt8], _ log: Digest256, _ milliseconds: UInt64
    ) -> FilterQuestion {
        FilterQuestion(
            issuer: issuer, serial: serial,
            timestamps: [LogTime(log: log, milliseconds: milliseconds)], sha256: digest)
    }

    private static let crypto = LibCryptoBackend()

    private static func digest(_ octets: [UInt8]) -> Digest256 {
        guard let digest = Digest256(crypto.digest(.sha256, of: octets.span).bytes) else {
            fatalError("SHA-256 has 32 octets")
        }
        return digest
    }

    private static let log = digest(Array("fuzz log".utf8))
    /// No issuer and no log.
    private static let unknown = digest(Array("fuzz stranger".utf8))

    private static let recipe: FilterRecipe = {
        var issuers = [(2, 60), (0, 5), (5, 5), (40, 50)].enumerated().map { index, counts in
            let serials = (0..<counts.1).map { [UInt8(index + 1), UInt8($0)] }
            return FilterRecipe.Issuer(
                digest(Array("fuzz issuer \(index)".utf8)).octets,
                revoked: Array(serials[..<counts.0]), good: Array(serials[counts.0...]))
        }
        issuers[0].exceptions = [[9], [8, 8, 8]]
        return FilterRecipe(issuers, coverage: [.init(log: log.octets, low: 1, high: 9)])
    }()

    /// A filter in format 4 and in format 3, and an index of it.
    static let seeds = [
        recipe.octets(version: 4), recipe.octets(version: 3),
        FilterIndexRecipe(of: [("a.filter", recipe), ("b.filter", recipe)]).octets,
    ]
}
