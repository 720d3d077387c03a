import TestPKI

/// A filter as large as the filters of the public web, in format 4: one block of rows repeated for
/// every issuer. The bits are drawn, so that answers have no meaning; they cost what answers cost.
struct LargeFilter {
    static let issuers = 1_500
    static let logs = 60
    /// The newest millisecond that is covered.
    static let high: UInt64 = 1_783_500_000_000
    /// The rows of an issuer's block, and of its part of the exact column.
    private static let rows = 10_000
    private static let exactRows = 12_000
    /// The columns that each block reads; one more is the exact column.
    private static let rank = 4

    /// SHA-256 of the issuers' keys, ascending.
    let issuers: [[UInt8]]
    /// The identifiers of the logs.
    let logs: [[UInt8]]
    let octets: [UInt8]
    /// The index of a folder with the filter, as `full.filter`.
    let index: [UInt8]

    init() {
        let issuers = (0..<Self.issuers).map { TestHash.sha256.digest(Array("issuer \($0)".utf8)) }
            .sorted { $0.lexicographicallyPrecedes($1) }
        let logs = (0..<Self.logs).map { TestHash.sha256.digest(Array("log \($0)".utf8)) }
        var random = SplitMix(state: 0xB16_F117)
        var out: [UInt8] = [4, 0] + Self.number(logs.count, 2)
        for log in logs { out += log + Self.number(1, 8) + Self.number(Int(Self.high), 8) }
        out += Self.number(issuers.count, 4)
        for (place, issuer) in issuers.enumerated() {
            out += issuer + Self.number(Self.rows, 4) + [UInt8(Self.rank)]
            out += Self.number(place * Self.rows, 4)
            out += Self.number(Self.exactRows, 4) + Self.number(place * Self.exactRows, 4)
            out += [UInt8(place % 2)] + Self.number(0, 2)
        }
        out.append(UInt8(Self.rank))
        for rows in [Int](repeating: Self.rows, count: Self.rank) + [Self.exactRows] {
            let words = (rows * issuers.count + 256 + 63) / 64
            out += Self.number(words, 4)
            for _ in 0..<words { out += Self.number(Int(bitPattern: UInt(random.next())), 8) }
        }
        self.issuers = issuers
        self.logs = logs
        octets = out
        index =
            FilterIndexRecipe([
                ("full.filter", logs.map { (log: $0, low: UInt64(1), high: Self.high) })
            ]).octets
    }

    private static func number(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map {
            UInt8(truncatingIfNeeded: UInt(bitPattern: value) >> UInt(8 * $0))
        }
    }
}
