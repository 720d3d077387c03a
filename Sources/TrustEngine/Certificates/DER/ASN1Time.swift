/// Reads the two time types of certificates. Each must have the one form that RFC 5280 section
/// 4.1.2.5 allows: `YYMMDDHHMMSSZ` or `YYYYMMDDHHMMSSZ`.
package enum ASN1Time {
    /// Reads a UTCTime or GeneralizedTime. A two-digit year of 50 or more is 19YY, a smaller one is
    /// 20YY (section 4.1.2.5.1).
    ///
    /// *Deviation*: a GeneralizedTime before 2050 is read, though a CA must write a UTCTime.
    /// Section 4.1.2.5 asks users to process both.
    ///
    /// - Throws: `unexpectedTag` for another type, `badTime` for another form, `noSuchTime` for a
    ///   day or a time of day that does not exist.
    package static func instant(
        _ element: DERElement, in bytes: Span<UInt8>
    ) throws(DERError) -> UTCInstant {
        var position = element.contentStart
        let year: Int?
        switch element.tag {
        case .utcTime:
            guard element.count == 13 else { throw DERError(.badTime, at: element.start) }
            year = twoDigits(bytes, position).map { $0 >= 50 ? 1_900 + $0 : 2_000 + $0 }
            position += 2
        case .generalizedTime:
            guard element.count == 15 else { throw DERError(.badTime, at: element.start) }
            let rest = twoDigits(bytes, position + 2)
            year = twoDigits(bytes, position).flatMap { hundreds in
                rest.map { hundreds * 100 + $0 }
            }
            position += 4
        default:
            throw DERError(.unexpectedTag, at: element.start)
        }
        guard let year, let month = twoDigits(bytes, position),
            let day = twoDigits(bytes, position + 2), let hour = twoDigits(bytes, position + 4),
            let minute = twoDigits(bytes, position + 6),
            let second = twoDigits(bytes, position + 8),
            bytes[element.end - 1] == UInt8(ascii: "Z")
        else { throw DERError(.badTime, at: element.start) }
        guard
            let instant = UTCInstant(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { throw DERError(.noSuchTime, at: element.start) }
        return instant
    }

    /// The number that two digits encode; nil where one of the octets is not a digit.
    @inline(__always)
    private static func twoDigits(_ bytes: Span<UInt8>, _ index: Int) -> Int? {
        let tens = bytes[index] &- 0x30
        let ones = bytes[index + 1] &- 0x30
        return tens <= 9 && ones <= 9 ? Int(tens) * 10 + Int(ones) : nil
    }
}
