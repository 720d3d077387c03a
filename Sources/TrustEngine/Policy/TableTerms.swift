/// When a table was issued, and until when it may be used. Whoever signs a table signs its terms
/// too (`grammar/signed-table.md`).
public struct TableTerms: Hashable, Sendable {
    /// When the table was signed, or said to be the newest once more.
    public let issued: UTCInstant
    /// The last second at which the table may be used; nil without an end.
    public let expires: UTCInstant?

    /// Makes terms; nil when the table would end before it begins, for instants after the year
    /// 9999, and for instants up to 1970-01-01T00:00:00Z, which stands for no date in an envelope.
    public init?(issued: UTCInstant, expires: UTCInstant?) {
        let years = 1...UTCInstant.calendarSeconds.upperBound
        guard years.contains(issued.secondsSinceEpoch),
            expires.map({ years.contains($0.secondsSinceEpoch) && $0 > issued }) ?? true
        else { return nil }
        self.issued = issued
        self.expires = expires
    }

    /// Whether the table may not be used any more at an instant.
    public func hasExpired(at time: UTCInstant) -> Bool { expires.map { time > $0 } ?? false }

    // MARK: Octets

    /// Octets of terms: two instants.
    static let size = 16

    /// Reads terms; nil where no date is stated.
    ///
    /// - Throws: `malformed` for dates that terms cannot have.
    static func read(_ bytes: [UInt8], at offset: Int) throws(TableDecodingError) -> TableTerms? {
        func instant(_ offset: Int) -> UTCInstant? {
            let seconds = bytes.number64(at: offset)
            return seconds == 0 ? nil : UTCInstant(secondsSinceEpoch: Int64(clamping: seconds))
        }
        let (issued, expires) = (instant(offset), instant(offset + 8))
        if issued == nil, expires == nil { return nil }
        guard let issued, let terms = TableTerms(issued: issued, expires: expires) else {
            throw .malformed("its terms are none: it would end before it was issued, or never was")
        }
        return terms
    }

    /// Appends the octets: both instants in seconds since 1970, and 0 for an instant that is not
    /// stated.
    static func append(_ terms: TableTerms?, to bytes: inout [UInt8]) {
        bytes.append64(UInt64(terms?.issued.secondsSinceEpoch ?? 0))
        bytes.append64(UInt64(terms?.expires?.secondsSinceEpoch ?? 0))
    }
}
