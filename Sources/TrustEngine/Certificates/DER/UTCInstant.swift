/// A point in time in whole UTC seconds. The engine has no other kind of time.
///
/// The value counts seconds since 1970-01-01T00:00:00Z without leap seconds. Certificates, policies
/// and requests are judged on this scale; a fraction of a second in an input is dropped (LANGUAGE
/// section 12.6). The calendar is the proleptic Gregorian calendar.
public struct UTCInstant: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Seconds since 1970-01-01T00:00:00Z; negative before that instant.
    public let secondsSinceEpoch: Int64

    /// Makes an instant from seconds since 1970-01-01T00:00:00Z.
    public init(secondsSinceEpoch: Int64) {
        self.secondsSinceEpoch = secondsSinceEpoch
    }

    /// Makes an instant from milliseconds since 1970-01-01T00:00:00Z. A fraction of a second is
    /// dropped. Later instants than the year 9999 count as its last second.
    package init(milliseconds: UInt64) {
        self.secondsSinceEpoch = min(
            Int64(clamping: milliseconds / 1_000), UTCInstant.calendarSeconds.upperBound)
    }

    /// The seconds for which a date can be written: years 0000 to 9999.
    package static let calendarSeconds: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// Makes an instant from calendar fields; nil when a field is out of range.
    ///
    /// Years are 0000 to 9999. A second of 60 is refused: RFC 5280 section 4.1.2.5 and RFC 3339 in
    /// whole UTC seconds do not allow it here.
    public init?(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0
    ) {
        guard (0...9999).contains(year), (1...12).contains(month),
            day >= 1, day <= UTCInstant.daysIn(month: month, year: year),
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
        else { return nil }
        let days = UTCInstant.daysSinceEpoch(year: year, month: month, day: day)
        self.secondsSinceEpoch =
            Int64(days) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    }

    /// Reads an instant written as `YYYY-MM-DDThh:mm:ssZ`, where a fraction of a second is dropped,
    /// or a date written as `YYYY-MM-DD`, which is its first second. Nil for any other text.
    public init?(text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10 || bytes.count >= 20 else { return nil }
        guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = UTCInstant.digits(bytes, 0..<4), let month = UTCInstant.digits(bytes, 5..<7),
            let day = UTCInstant.digits(bytes, 8..<10)
        else { return nil }
        if bytes.count == 10 {
            self.init(year: year, month: month, day: day)
            return
        }
        guard bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":"), bytes[bytes.count - 1] == UInt8(ascii: "Z"),
            let hour = UTCInstant.digits(bytes, 11..<13),
            let minute = UTCInstant.digits(bytes, 14..<16),
            let second = UTCInstant.digits(bytes, 17..<19)
        else { return nil }
        if bytes.count > 20 {
            guard bytes[19] == UInt8(ascii: "."), bytes.count > 21,
                bytes[20..<bytes.count - 1].allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
        }
        self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    /// The earlier instant comes first.
    public static func < (left: UTCInstant, right: UTCInstant) -> Bool {
        left.secondsSinceEpoch < right.secondsSinceEpoch
    }

    /// This instant moved by a duration, whose fraction of a second is dropped. The result is
    /// clamped to the instants that can be written as whole seconds in an `Int64`.
    public func advanced(by duration: Duration) -> UTCInstant {
        advanced(bySeconds: duration.components.seconds)
    }

    /// This instant moved by a number of seconds. The result is clamped to the range of `Int64`.
    package func advanced(bySeconds seconds: Int64) -> UTCInstant {
        let (sum, overflow) = secondsSinceEpoch.addingReportingOverflow(seconds)
        return UTCInstant(secondsSinceEpoch: overflow ? (seconds < 0 ? .min : .max) : sum)
    }

    /// Days in a month of the Gregorian calendar; `month` is 1 to 12.
    package static func daysIn(month: Int, year: Int) -> Int {
        switch month {
        case 2: return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: return 30
        default: return 31
        }
    }

    /// Days from 1970-01-01 to a date. The function counts in 400-year cycles that start in March.
    private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The number that decimal digits in a range of bytes encode; nil when a byte is not a digit.
    private static func digits(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        guard range.upperBound <= bytes.count, !range.isEmpty else { return nil }
        var value = 0
        for index in range {
            guard (0x30...0x39).contains(bytes[index]) else { return nil }
            value = value * 10 + Int(bytes[index] - 0x30)
        }
        return value
    }
}

extension UTCInstant: CustomStringConvertible {
    /// The instant by RFC 3339 in UTC, for example `2026-03-01T00:00:00Z`. Years above 9999 are
    /// written in full.
    public var description: String {
        // The remainder is used because multiplying back could leave the range of Int64 at its
        // lower end.
        let remainder = secondsSinceEpoch % 86_400
        let secondOfDay = Int(remainder < 0 ? remainder + 86_400 : remainder)
        let days = secondsSinceEpoch / 86_400 - (remainder < 0 ? 1 : 0)
        let date = UTCInstant.civil(daysSinceEpoch: Int(days))
        func padded(_ value: Int, _ width: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
            + "T\(padded(secondOfDay / 3_600, 2)):\(padded(secondOfDay / 60 % 60, 2))"
            + ":\(padded(secondOfDay % 60, 2))Z"
    }

    /// The date that is a number of days after 1970-01-01.
    private static func civil(daysSinceEpoch: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = daysSinceEpoch + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
