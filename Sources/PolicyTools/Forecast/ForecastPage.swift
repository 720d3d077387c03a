import Rendering
import TrustEngine

/// Writes a forecast as one page: a calendar of the time that was looked at, and what changes, by
/// month, with the owner, the rules and the line of the policy behind each change.
enum ForecastPage {
    static func render(_ report: ForecastReport) -> String {
        switch report.outcome {
        case .notAsked(let failure):
            return HTMLPage.render(
                title: "forecast: not asked", kind: "forecast",
                head: [
                    .element("h1", "not asked"), .paragraph(ForecastSentences.notAsked(failure)),
                ], sections: [], footer: footer(report, nil))
        case .foreseen(let forecast): return page(report, forecast)
        }
    }

    private static func page(_ report: ForecastReport, _ forecast: Forecast) -> String {
        var source = PolicySourceView(report.files)
        let changes = self.changes(forecast, &source)
        let sections = [
            HTMLPage.Section("calendar", "Calendar", ForecastMonths(forecast).content()),
            HTMLPage.Section("changes", "What changes", changes),
            HTMLPage.Section("chains", "Chains", chains(forecast)),
            HTMLPage.Section("unjudged", "Not judged", HTML.sentences(forecast.unjudged)),
            HTMLPage.Section("policy", "Policy", source.content()),
        ]
        return HTMLPage.render(
            title: "forecast of \(forecast.name)", kind: "forecast", head: head(forecast),
            sections: sections, footer: footer(report, forecast))
    }

    private static func head(_ forecast: Forecast) -> [HTML] {
        var words = Forecast.Effect.allCases.map { effect -> HTML in
            let count = forecast.count(effect)
            return HTML.joined([
                .word(
                    count == 0 ? .soft : mood(effect),
                    "\(count) \(ForecastSentences.count(effect, count))"), HTML(" "),
            ])
        }
        if let failing = ForecastSentences.failing(forecast) {
            words.append(.word(forecast.failures.isEmpty ? .good : .bad, failing))
        }
        return [
            .element("h1", forecast.name), .element("p", words),
            .facts([
                ("from", [HTML(ForecastSentences.instant(forecast.since))]),
                ("until", [HTML(ForecastSentences.instant(forecast.until))]),
            ]),
        ]
    }

    /// The colour of an effect. Its word says the same.
    static func mood(_ effect: Forecast.Effect) -> HTML.Mood {
        switch effect {
        case .rejects: return .bad
        case .accepts: return .good
        case .tells: return .warn
        }
    }

    /// The id of a change, by its number from 0.
    static func id(_ number: Int) -> String { "change-\(number + 1)" }

    private static func changes(
        _ forecast: Forecast, _ source: inout PolicySourceView
    ) -> [HTML] {
        guard !forecast.changes.isEmpty else {
            return [.paragraph("nothing changes in this time")]
        }
        var months: [(title: String, items: [HTML])] = []
        for (number, change) in forecast.changes.enumerated() {
            let month = ForecastSentences.month(change.instant)
            if months.last?.title != month { months.append((month, [])) }
            months[months.count - 1].items.append(
                .element("li", ["id": id(number)], item(change, &source)))
        }
        return months.flatMap { month in
            [
                HTML.element("h3", month.title),
                .element("ul", ["class": "list"], month.items),
            ]
        }
    }

    private static func item(
        _ change: Forecast.Change, _ source: inout PolicySourceView
    ) -> [HTML] {
        var rows: [(String, [HTML])] = []
        if let verdict = change.verdict {
            rows += [
                ("before", [HTML(sentence: verdict.before)]),
                ("then", [HTML(sentence: verdict.after)]),
            ]
        }
        if !change.rules.isEmpty {
            rows.append(
                (
                    change.rules.count == 1 ? "rule" : "rules",
                    [HTML(sentence: ForecastSentences.rules(change))]
                ))
        }
        if !change.hosts.isEmpty {
            rows.append(("hosts", [HTML(ForecastSentences.hosts(change))]))
        }
        if let owner = change.owner { rows.append(("owner", [HTML(owner)])) }
        if let origin = change.origin { rows.append(("place", [source.link(text: origin.text)])) }
        return [
            .element(
                "p",
                [
                    .element("strong", ForecastSentences.instant(change.instant)), HTML(" "),
                    .word(mood(change.effect), ForecastSentences.effect(change.effect)),
                ]), .paragraph(change.sentence),
        ] + change.details.map(HTML.paragraph) + [.facts(rows)]
    }

    private static func chains(_ forecast: Forecast) -> [HTML] {
        HTML.table(
            "chains, as they are judged at the beginning",
            ["verdict", "host", "chain", "in words"],
            forecast.requests.map { request in
                [
                    [.word(request.accepts ? .good : .bad, request.accepts ? "accept" : "reject")],
                    [HTML(request.host)], [HTML(request.source)],
                    [HTML(sentence: request.headline)],
                ]
            }, head: 1)
    }

    private static func footer(_ report: ForecastReport, _ forecast: Forecast?) -> [HTML] {
        var rows: [(String, [HTML])] = []
        if let forecast { rows.append(("policy", [HTML(forecast.policyDigest.text)])) }
        rows.append(("command", [.element("code", report.command)]))
        rows.append(("written by", [HTML("hawser \(report.version)")]))
        return [.facts(rows)]
    }
}

/// The months of a forecast as calendars. A day on which something changes is a link to it, with
/// the sign of its gravest effect.
private struct ForecastMonths {
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
                        "href": "#\(ForecastPage.id(own.first))", "class": "day \(name)",
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
