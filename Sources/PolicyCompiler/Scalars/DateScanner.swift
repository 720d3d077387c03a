package import TrustEngine

/// A date in a policy: a whole UTC day, or one second.
package struct ScannedDate: Hashable, Sendable {
    /// The first second of the date. `from` and `issued-from` mean this second.
    package let firstSecond: UTCInstant
    /// The last second of the date. `until` and `enforce-until` mean this second. It equals
    /// `firstSecond` unless the date is a whole day.
    package let lastSecond: UTCInstant
}

/// Reads dates: RFC 3339 in UTC, `YYYY-MM-DD` for a whole day or `YYYY-MM-DDThh:mm:ssZ`.
package enum DateScanner {
    /// The seconds of a date.
    ///
    /// - Throws: HW103 for another form, another time zone or a day that does not exist; HW014,
    ///   HW011.
    package static func scan(_ text: String) throws(ScalarProblem) -> ScannedDate {
        try ScalarProblem.requireText(text, of: "the date")
        let bytes = Array(text.utf8)
        guard let day = numbers(bytes, dayShape) else { throw notADay(text) }
        try requireDay(text, year: day[0], month: day[1], day: day[2])
        if bytes.count == 10 {
            guard let first = UTCInstant(text: text) else { throw notADay(text) }
            return ScannedDate(
                firstSecond: first, lastSecond: first.advanced(bySeconds: 86_399))
        }
        let time = Array(bytes[10...])
        guard let clock = numbers(Array(time.prefix(9)), clockShape) else {
            throw notATime(text, time)
        }
        try requireTime(text, hour: clock[0], minute: clock[1], second: clock[2])
        guard let local = UTCInstant(text: text.prefixOctets(19) + "Z") else {
            throw notATime(text, time)
        }
        try requireUTC(text, zone: Array(time[9...]), local: local)
        return ScannedDate(firstSecond: local, lastSecond: local)
    }

    /// `0` stands for any digit, every other character for itself.
    private static let dayShape = Array("0000-00-00".utf8)
    private static let clockShape = Array("T00:00:00".utf8)

    /// The numbers in bytes that begin with a shape; nil if they do not begin with it.
    private static func numbers(_ bytes: [UInt8], _ shape: [UInt8]) -> [Int]? {
        guard bytes.count >= shape.count else { return nil }
        var numbers: [Int] = []
        var inNumber = false
        for (byte, wanted) in zip(bytes, shape) {
            if wanted == 0x30 {
                guard DecimalNumber.isDigit(byte) else { return nil }
                if !inNumber { numbers.append(0) }
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - 0x30)
                inNumber = true
            } else {
                guard byte == wanted else { return nil }
                inNumber = false
            }
        }
        return numbers
    }

    private static func requireDay(
        _ text: String, year: Int, month: Int, day: Int
    ) throws(ScalarProblem) {
        guard (1...12).contains(month) else {
            throw ScalarProblem(
                .unknownValue,
                "\(ScalarProblem.quote(text)) has the month \(month); months are "
                    + "`01` to `12`", range: 5..<7)
        }
        let days = UTCInstant.daysIn(month: month, year: year)
        guard (1...days).contains(day) else {
            throw ScalarProblem(
                .unknownValue,
                "\(ScalarProblem.quote(text)) has the day \(day); "
                    + "`\(text.prefixOctets(7))` has \(days) days",
                range: 8..<10,
                help: ["the last day of that month is `\(text.prefixOctets(7))-\(days)`"])
        }
    }

    private static func requireTime(
        _ text: String, hour: Int, minute: Int, second: Int
    ) throws(ScalarProblem) {
        guard hour <= 23 else {
            throw ScalarProblem(
                .unknownValue,
                "\(ScalarProblem.quote(text)) has the hour \(hour); hours are `00` to `23`",
                range: 11..<13,
                help: hour == 24
                    ? ["a bare date is the whole day: `\(text.prefixOctets(10))`"] : [])
        }
        guard minute <= 59 else {
            throw ScalarProblem(
                .unknownValue,
                "\(ScalarProblem.quote(text)) has the minute \(minute); minutes are `00` to `59`",
                range: 14..<16)
        }
        guard second <= 59 else {
            throw ScalarProblem(
                .unknownValue,
                "\(ScalarProblem.quote(text)) has the second \(second); seconds are `00` to `59`, "
                    + "leap seconds are not counted",
                range: 17..<19)
        }
    }

    /// Accepts only `Z` after the seconds.
    private static func requireUTC(
        _ text: String, zone: [UInt8], local: UTCInstant
    ) throws(ScalarProblem) {
        let quoted = ScalarProblem.quote(text)
        if zone == [UInt8(ascii: "Z")] { return }
        let range = 19..<text.utf8.count
        if zone.isEmpty {
            throw ScalarProblem(
                .unknownValue, "\(quoted) has no time zone; dates are in UTC and say so",
                write: "\(local)", " if it is UTC")
        }
        if zone.first == UInt8(ascii: ".") {
            throw ScalarProblem(
                .unknownValue, "\(quoted) has a fraction of a second; whole seconds are counted",
                range: range, help: ["write `\(local)`"])
        }
        if zone == [UInt8(ascii: "z")] {
            throw ScalarProblem(
                .unknownValue, "\(quoted) ends with `z`; UTC is written `Z`", range: range,
                write: "\(local)")
        }
        if let offset = numbers(zone, Array("+00:00".utf8)) ?? numbers(zone, Array("-00:00".utf8)),
            zone.count == 6
        {
            let east = zone[0] == UInt8(ascii: "+")
            let seconds = Int64(offset[0] * 3_600 + offset[1] * 60)
            let instant = local.advanced(bySeconds: east ? -seconds : seconds)
            throw ScalarProblem(
                .unknownValue, "\(quoted) is in another time zone; only UTC, `Z`, is accepted",
                range: range, help: ["the same instant is `\(instant)`"],
                replacement: "\(instant)")
        }
        throw ScalarProblem(
            .unknownValue,
            "\(quoted) goes on after its seconds; a date ends there with `Z`", range: range,
            help: ["write `\(local)` if it is UTC"])
    }

    /// The problem of a text that does not begin with `YYYY-MM-DD`.
    private static func notADay(_ text: String) -> ScalarProblem {
        let parts = text.split(whereSeparator: { "-/.".contains($0) })
        let message = "\(ScalarProblem.quote(text)) is not a date"
        if parts.count == 3, parts[0].utf8.count == 4,
            parts.allSatisfy({ $0.utf8.allSatisfy(DecimalNumber.isDigit) }),
            parts[1].utf8.count <= 2, parts[2].utf8.count <= 2
        {
            let padded = parts.dropFirst().map { $0.utf8.count == 1 ? "0\($0)" : String($0) }
            return ScalarProblem(
                .unknownValue, message, write: "\(parts[0])-\(padded[0])-\(padded[1])")
        }
        let candidates = DateSpelling.candidates(text)
        if candidates.count == 1 {
            return ScalarProblem(.unknownValue, message, write: candidates[0]).ofSameValue
        }
        if candidates.count > 1 {
            let both = candidates.map { "`\($0)`" }.joined(separator: " or ")
            return ScalarProblem(.unknownValue, message, help: ["write \(both), as it is meant"])
        }
        if parts.count == 2, parts[0].utf8.count == 4, let month = Int(parts[1]),
            (1...12).contains(month), let year = Int(parts[0])
        {
            let start = "\(parts[0])-\(month < 10 ? "0" : "")\(month)"
            let last = UTCInstant.daysIn(month: month, year: year)
            return ScalarProblem(
                .unknownValue, "\(message), which has a day",
                help: ["that month is from `\(start)-01` until `\(start)-\(last)`"])
        }
        return ScalarProblem(
            .unknownValue, message,
            help: ["write `YYYY-MM-DD` for a whole UTC day, or `YYYY-MM-DDThh:mm:ssZ`"])
    }

    /// The problem of the text after a correct `YYYY-MM-DD`.
    private static func notATime(_ text: String, _ time: [UInt8]) -> ScalarProblem {
        let day = text.prefixOctets(10)
        let range = 10..<text.utf8.count
        if time.first == UInt8(ascii: " ") || time.first == UInt8(ascii: "t") {
            let clock = String(decoding: time.dropFirst(), as: UTF8.self)
            let written = "\(day)T\(clock.hasSuffix("Z") ? clock : clock + "Z")"
            if (try? scan(written)) != nil {
                return ScalarProblem(
                    .unknownValue, "\(ScalarProblem.quote(text)) has no `T` between day and time",
                    range: 10..<11, write: written, clock.hasSuffix("Z") ? "" : " if it is UTC")
            }
            return ScalarProblem(
                .unknownValue, "\(ScalarProblem.quote(text)) has no `T` between day and time",
                range: 10..<11, help: ["write `\(day)Thh:mm:ssZ`, or `\(day)` for the whole day"])
        }
        if time.count == 7, time.last == UInt8(ascii: "Z") {
            let written = "\(text.dropLast()):00Z"
            if (try? scan(written)) != nil {
                return ScalarProblem(
                    .unknownValue,
                    "\(ScalarProblem.quote(text)) has a time that is not `Thh:mm:ssZ`",
                    range: range, write: written
                ).ofSameValue
            }
        }
        return ScalarProblem(
            .unknownValue,
            "\(ScalarProblem.quote(text)) has a time that is not `Thh:mm:ssZ`", range: range,
            help: ["write `\(day)Thh:mm:ssZ`, or `\(day)` for the whole day"])
    }
}

extension String {
    /// The first octets of a text, or all of it. They end between characters, because only digits
    /// and ASCII punctuation were read before.
    fileprivate func prefixOctets(_ count: Int) -> String {
        String(decoding: Array(utf8).prefix(count), as: UTF8.self)
    }
}
