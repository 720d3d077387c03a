/// When a table was issued, and until when it may be used. Whoever signs a table signs its terms
/// too (`grammar/signed-table.md`).
public struct TableTerms: Hashable, Sendable {
    /// When the table was signed, or said to be the newest once more.
    public let issued: UTCInstant
    /// The last second at which the table may be used; nil without an end.
    public let expires: UTCInstant?

    /// Makes terms; nil when the table would end before it begins, and for instants outside the
    /// years 1970 to 9999.
    public init?(issued: UTCInstant, expires: UTCInstant?) {
        let years = 0...UTCInstant.calendarSeconds.upperBound
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

    /// Reads terms.
    ///
    /// - Throws: `malformed` when they are none.
    init(_ bytes: [UInt8], at offset: Int) throws(TableDecodingError) {
        func instant(_ offset: Int) -> UTCInstant {
            UTCInstant(secondsSinceEpoch: Int64(clamping: bytes.number64(at: offset)))
        }
        let end = instant(offset + 8)
        let expires = end.secondsSinceEpoch == 0 ? nil : end
        guard let terms = TableTerms(issued: instant(offset), expires: expires) else {
            throw .malformed("its terms are none: it would end before it was issued, or never was")
        }
        self = terms
    }

    /// Appends the octets: both instants in seconds since 1970, and 0 for no end.
    func append(to bytes: inout [UInt8]) {
        bytes.append64(UInt64(issued.secondsSinceEpoch))
        bytes.append64(UInt64(expires?.secondsSinceEpoch ?? 0))
    }
}
