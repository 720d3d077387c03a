import Rendering
import TrustEngine

/// The months of a forecast as calendars. A day on which something changes is a link to it, with
/// the sign of its gravest effect.
struct ForecastMonths {
    /// The first changes of a day, the gravest first.
    private struct Day {
        var first: Int
        var effect: Forecast.Effect
        var count: Int
    }

    private let forecast: Forecast
    /// By the number of days since 1970-01-01.
    private var days: [Int: Day] = [:]

    init(_ forecast: Forecast) {
        self.forecast = forecast
        for (number, change) in forecast.changes.enumerated() {
            let day = ForecastMonths.day(change.instant)
            guard var own = days[day] else {
                days[day] = Day(first: number, effect: change.effect, count: 1)
                continue
            }
            own.count += 1
            if change.effect.rank < own.effect.rank {
                (own.first, own.effect) = (number, change.effect)
            }
            days[day] = own
        }
    }

    private static func day(_ instant: UTCInstant) -> Int {
        let seconds = Int(instant.secondsSinceEpoch)
        return (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400
    }

    func content() -> [HTML] {
        let first = ForecastMonths.day(forecast.since)
        let last = ForecastMonths.day(forecast.until)
        var months: [(start: Int, length: Int)] = []
        var start = first - ForecastMonths.dayOfMonth(first) + 1
        var hidden = 0
        while start <= last {
            var next = start + 31
            next -= ForecastMonths.dayOfMonth(next) - 1
            let length = next - start
            // A long horizon has many months in which nothing changes.
            let isShown =
                last - first <= ForecastMonths.mostDays
                || (start..<next).contains { days[$0] != nil }
            if isShown, months.count < ForecastMonths.most {
                months.append((start, length))
            } else {
                hidden += 1
            }
            start = next
        }
        let rest =
            hidden == 0
            ? []
            : [
                HTML.element(
                    "p", ["class": "soft"],
                    "Months in which nothing changes, and those beyond the first "
                        + "\(ForecastMonths.most), are left out.")
            ]
        return [
            .element("div", ["class": "months"], months.map { month($0.start, $0.length) })
        ] + rest
    }

    private func month(_ start: Int, _ length: Int) -> HTML {
        let title = ForecastSentences.month(ForecastMonths.instant(start))
        // 1970-01-01 was a Thursday; weeks begin on Monday.
        let lead = ((start + 3) % 7 + 7) % 7
        var cells = Array(repeating: HTML.element("td", []), count: lead)
        for day in start..<start + length { cells.append(cell(day, day - start + 1)) }
        while cells.count % 7 != 0 { cells.append(.element("td", [])) }
        let weeks = stride(from: 0, to: cells.count, by: 7).map {
            HTML.element("tr", Array(cells[$0..<$0 + 7]))
        }
        let names = [
            ("Mo", "Monday"), ("Tu", "Tuesday"), ("We", "Wednesday"), ("Th", "Thursday"),
            ("Fr", "Friday"), ("Sa", "Saturday"), ("Su", "Sunday"),
        ]
        let head = names.map { short, long in
            HTML.element("th", ["scope": "col", "abbr": long], short)
        }
        return .element(
            "table", ["class": "month"],
            [
                .element("caption", title), .element("thead", [.element("tr", head)]),
                .element("tbody", weeks),
            ])
    }

    private func cell(_ day: Int, _ number: Int) -> HTML {
        guard let own = days[day] else {
            let isOutside =
                day < ForecastMonths.day(forecast.since)
                || day > ForecastMonths.day(forecast.until)
            return .element("td", ["class": isOutside ? "soft" : nil], String(number))
        }
        let name: String
        let sign: String
        switch own.effect {
        case .rejects: (name, sign) = ("bad", "✗")
        case .accepts: (name, sign) = ("good", "✓")
        case .tells: (name, sign) = ("warn", "!")
        }
        let more = Cut.rest(own.count - 1, before: ", and ")
        return .element(
            "td",
            [
                .element(
                    "a",
                    [
                        "href": "#\(ForecastDocument.id(own.first))", "class": "day \(name)",
                        "aria-label": "\(Words.day(ForecastMonths.instant(day))) "
                            + "\(ForecastSentences.effect(own.effect))\(more)",
                    ], "\(number)\u{A0}\(sign)")
            ])
    }

    private static func instant(_ day: Int) -> UTCInstant {
        UTCInstant(secondsSinceEpoch: Int64(day) * 86_400)
    }

    private static func dayOfMonth(_ day: Int) -> Int {
        Int(instant(day).description.dropFirst(8).prefix(2)) ?? 1
    }

    /// Up to this many days every month is shown.
    private static let mostDays = 400
    /// Most months that are shown.
    private static let most = 36
}
