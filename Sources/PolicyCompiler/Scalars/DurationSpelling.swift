/// Durations as other programs write them, when they are exact: ISO 8601 (`P90D`, `PT1H30M`), Go
/// (`1h30m0s`), weeks (`2w`), and fractions (`1.5h`). Months and years are not: they have no fixed
/// length.
enum DurationSpelling {
    /// The duration as the language writes it; nil for a text that is not exactly one. `6m` alone
    /// is none, because it reads as minutes or as months.
    static func written(_ text: String) -> String? {
        let folded = text.lowercased().filter { $0 != " " }
        guard folded.utf8.count <= 40 else { return nil }
        let seconds = folded.utf8.first == UInt8(ascii: "p") ? iso(folded) : parts(folded[...])
        guard let seconds, seconds > 0, seconds <= DurationScanner.longest else { return nil }
        return DurationScanner.spelling(seconds)
    }

    /// `P`, days or weeks, then `T` and parts of a day (ISO 8601-1 section 5.5.2).
    private static func iso(_ text: String) -> Int64? {
        let halves = text.dropFirst().split(
            separator: "t", maxSplits: 1, omittingEmptySubsequences: false)
        guard let days = halves.first, !(halves.count == 2 && halves[1].isEmpty) else { return nil }
        var total: Int64 = 0
        if !days.isEmpty {
            guard days.allSatisfy({ !"hms".contains($0) }), let seconds = parts(days) else {
                return nil
            }
            total = seconds
        }
        guard halves.count == 2 else { return days.isEmpty ? nil : total }
        guard halves[1].allSatisfy({ !"dw".contains($0) }),
            let seconds = parts(halves[1], isMinute: true)
        else { return nil }
        return total.addingReportingOverflow(seconds).overflow ? nil : total + seconds
    }

    /// Numbers with units, each unit once. `m` is minutes beside another unit of Go's (`h`, `s`),
    /// or if `isMinute` says so.
    private static func parts(_ text: Substring, isMinute: Bool = false) -> Int64? {
        var rest = text
        var total: Int64 = 0
        var seen: Set<String> = []
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(number.count)
            let unit = String(rest.prefix { !($0.isASCII && $0.isNumber) })
            rest = rest.dropFirst(unit.count)
            guard let length = units[unit], seen.insert(unit).inserted,
                let seconds = product(number, length)
            else { return nil }
            let (sum, overflow) = total.addingReportingOverflow(seconds)
            guard !overflow else { return nil }
            total = sum
        }
        let isClear = isMinute || !seen.contains("m") || seen.contains("h") || seen.contains("s")
        return seen.isEmpty || !isClear ? nil : total
    }

    /// A decimal number of a unit in seconds; nil if that is not a whole number.
    private static func product(_ number: Substring, _ length: Int64) -> Int64? {
        let halves = number.split(separator: ".", omittingEmptySubsequences: false)
        guard halves.count <= 2, let whole = halves.first,
            case .value(let count) = DecimalNumber.read(Array(whole.utf8)[...])
        else { return nil }
        let (base, overflow) = count.multipliedReportingOverflow(by: length)
        guard !overflow else { return nil }
        guard halves.count == 2 else { return base }
        var (rest, scale): (Int64, Int64) = (0, 1)
        guard (1...4).contains(halves[1].utf8.count) else { return nil }
        for digit in halves[1].utf8 {
            guard DecimalNumber.isDigit(digit) else { return nil }
            (rest, scale) = (rest * 10 + Int64(digit - 0x30), scale * 10)
        }
        guard rest * length % scale == 0 else { return nil }
        let (sum, isTooLong) = base.addingReportingOverflow(rest * length / scale)
        return isTooLong ? nil : sum
    }

    private static let units: [String: Int64] = [
        "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1,
        "m": 60, "min": 60, "mins": 60, "minute": 60, "minutes": 60,
        "h": 3_600, "hr": 3_600, "hrs": 3_600, "hour": 3_600, "hours": 3_600,
        "d": 86_400, "day": 86_400, "days": 86_400,
        "w": 604_800, "wk": 604_800, "week": 604_800, "weeks": 604_800,
    ]
}
