/// Reads durations: an integer and one unit, `s`, `min`, `h` or `d`. `m` is refused, because some
/// read it as minutes and others as months.
package enum DurationScanner {
    /// The longest duration, in seconds: 10,000 Gregorian years of 3,652,425 days in all. No two
    /// dates of the language are further apart.
    package static let longest: Int64 = 3_652_425 * 86_400

    /// The seconds of a duration. A day has 86,400 seconds.
    ///
    /// - Parameters:
    ///   - field: the dotted path of the field, for the message.
    ///   - range: the seconds that the field allows.
    /// - Throws: HW103 for another spelling or a value outside `range`; HW014, HW011.
    package static func scan(
        _ text: String, for field: String, in range: ClosedRange<Int64> = 0...longest
    ) throws(ScalarProblem) -> Int64 {
        try ScalarProblem.requireText(text, of: "`\(field)`")
        let bytes = Array(text.utf8)
        let digits = bytes.prefix { DecimalNumber.isDigit($0) }
        guard !digits.isEmpty else { throw withoutNumber(text) }
        let unitRange = digits.endIndex..<bytes.count
        let unit = String(decoding: bytes[unitRange], as: UTF8.self)
        guard let unitSeconds = secondsPerUnit(unit) else {
            throw wrongUnit(text, digits: digits, unit: unit, at: unitRange)
        }
        // Made only for a message.
        var takes: String {
            "`\(field)` takes `\(spelling(range.lowerBound))` to "
                + "`\(spelling(range.upperBound))`"
        }
        switch DecimalNumber.read(digits) {
        case .value(let count):
            let (seconds, overflow) = count.multipliedReportingOverflow(by: unitSeconds)
            guard !overflow, range.contains(seconds) else {
                throw ScalarProblem(.unknownValue, "\(takes); found \(ScalarProblem.quote(text))")
            }
            return seconds
        case .tooLarge:
            throw ScalarProblem(.unknownValue, "\(takes); found \(ScalarProblem.quote(text))")
        case .leadingZero, .notDigit:
            let plain = DecimalNumber.withoutLeadingZeros(digits)
            throw ScalarProblem(
                .unknownValue, "\(ScalarProblem.quote(text)) begins with a zero",
                range: 0..<digits.count, write: "\(plain)\(unit)")
        }
    }

    /// Seconds as text, in the largest unit that divides them. Days are used from two days on.
    package static func spelling(_ seconds: Int64) -> String {
        if seconds == 0 { return "0s" }
        if seconds % 86_400 == 0 && seconds > 86_400 { return "\(seconds / 86_400)d" }
        if seconds % 3_600 == 0 { return "\(seconds / 3_600)h" }
        if seconds % 60 == 0 { return "\(seconds / 60)min" }
        return "\(seconds)s"
    }

    private static func secondsPerUnit(_ unit: String) -> Int64? {
        switch unit {
        case "s": return 1
        case "min": return 60
        case "h": return 3_600
        case "d": return 86_400
        default: return nil
        }
    }

    /// The problem of a text that does not begin with a digit.
    private static func withoutNumber(_ text: String) -> ScalarProblem {
        let quoted = ScalarProblem.quote(text)
        let first = text.utf8.first
        if first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            return ScalarProblem(
                .unknownValue, "\(quoted) has a sign; a duration is a number and a unit",
                range: 0..<1, write: String(text.dropFirst()))
        }
        if first == UInt8(ascii: "P") {
            let message = "\(quoted) is an ISO 8601 duration; here it is a number and a unit"
            guard let written = DurationSpelling.written(text) else {
                return ScalarProblem(
                    .unknownValue, message,
                    help: [
                        "count it in days, hours, minutes or seconds: months and years have no fixed "
                            + "length"
                    ])
            }
            return ScalarProblem(.unknownValue, message, write: written).ofSameValue
        }
        return ScalarProblem(
            .unknownValue, "\(quoted) is not a duration, which is a number and a unit",
            help: ["write for example `30d`, `12h`, `15min` or `90s`"])
    }

    /// The problem of digits followed by a word that is not a unit.
    private static func wrongUnit(
        _ text: String, digits: ArraySlice<UInt8>, unit: String, at range: Range<Int>
    ) -> ScalarProblem {
        let quoted = ScalarProblem.quote(text)
        let number = DecimalNumber.withoutLeadingZeros(digits)
        let folded = unit.lowercased().filter { $0 != " " }
        switch folded {
        case "":
            return ScalarProblem(
                .unknownValue, "\(quoted) has no unit",
                help: ["write `\(number)s`, `\(number)min`, `\(number)h` or `\(number)d`"])
        case "m":
            let days = DecimalNumber.value(of: number).flatMap { $0 > 400_000 ? nil : $0 * 30 }
            return ScalarProblem(
                .unknownValue,
                "\(quoted) has the unit `m`, which reads as minutes or as months",
                range: range,
                help: [
                    "write `\(number)min` for minutes"
                        + (days.map { "; for months count the days, such as `\($0)d`" } ?? "")
                ])
        case "w", "wk", "week", "weeks", "mo", "month", "months", "y", "yr", "year", "years":
            let message =
                "\(quoted) has the unit \(ScalarProblem.quote(unit)); the units are `s`, `min`, `h` and "
                + "`d`"
            guard let written = DurationSpelling.written(text) else {
                return ScalarProblem(
                    .unknownValue, message, range: range,
                    help: ["count it in days: `\(folded)` has no fixed length"])
            }
            return ScalarProblem(.unknownValue, message, range: range, write: written).ofSameValue
        default:
            break
        }
        if let meant = spelledOut[folded] {
            return ScalarProblem(
                .unknownValue,
                "\(quoted) has the unit \(ScalarProblem.quote(unit)); the units are `s`, `min`, "
                    + "`h` and `d`",
                range: range, write: "\(number)\(meant)"
            ).ofSameValue
        }
        if let written = DurationSpelling.written(text) {
            let isFraction = folded.utf8.first == UInt8(ascii: ".")
            return ScalarProblem(
                .unknownValue,
                isFraction
                    ? "\(quoted) has a fraction; a duration is a whole number of one unit"
                    : "\(quoted) has more than one unit; a duration has one",
                range: range, write: written
            ).ofSameValue
        }
        if folded.utf8.first == UInt8(ascii: ".") {
            return ScalarProblem(
                .unknownValue, "\(quoted) has a fraction; a duration is a whole number of one unit",
                range: range, help: ["write it in a smaller unit, as a whole number"])
        }
        if folded.utf8.contains(where: { DecimalNumber.isDigit($0) }) {
            return ScalarProblem(
                .unknownValue, "\(quoted) has more than one unit; a duration has one",
                range: range, help: ["write it in the smallest of them, as one number"])
        }
        let isShort = ["ms", "us", "ns", "µs", "millis", "milliseconds"].contains(folded)
        return ScalarProblem(
            .unknownValue,
            "\(quoted) has the unit \(ScalarProblem.quote(unit)); the units are `s`, `min`, `h` "
                + "and `d`",
            range: range,
            help: isShort
                ? ["write it in seconds: nothing is shorter than `1s`"]
                : ["write `\(number)s`, `\(number)min`, `\(number)h` or `\(number)d`"])
    }

    /// Units as people write them, each with the unit of the language.
    private static let spelledOut: [String: String] = [
        "s": "s", "sec": "s", "secs": "s", "second": "s", "seconds": "s",
        "min": "min", "mins": "min", "minute": "min", "minutes": "min",
        "h": "h", "hr": "h", "hrs": "h", "hour": "h", "hours": "h",
        "d": "d", "day": "d", "days": "d",
    ]
}
