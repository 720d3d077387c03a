import TrustEngine

/// Windows of time as bars, with the validation time across them. A table below says the same in
/// words.
struct TimeDrawing {
    struct Row: Hashable {
        let title: String
        /// The first second; nil where the window has no beginning.
        let from: UTCInstant?
        /// The last second; nil where it has no end.
        let until: UTCInstant?
    }

    private let rows: [Row]
    private let time: UTCInstant
    private let first: Int64
    private let last: Int64

    /// The axis shows the shortest window whole, with as much again on both sides. Longer ones
    /// run over the edges.
    init(_ rows: [Row], judgedAt time: UTCInstant) {
        self.rows = rows
        self.time = time
        let closed = rows.compactMap { row -> ClosedRange<Int64>? in
            guard let from = row.from, let until = row.until, from <= until else { return nil }
            return from.secondsSinceEpoch...until.secondsSinceEpoch
        }
        let now = time.secondsSinceEpoch
        let shortest = closed.min { $0.upperBound - $0.lowerBound < $1.upperBound - $1.lowerBound }
        let (low, high) = (
            min(now, shortest?.lowerBound ?? now - 45 * 86_400),
            max(now, shortest?.upperBound ?? now + 45 * 86_400)
        )
        let margin = max(86_400, (high - low) / 3)
        first = low - margin
        last = high + margin
    }

    /// A place on the axis, in thousandths of its width.
    private func place(_ instant: UTCInstant) -> Int64 {
        let clamped = min(max(instant.secondsSinceEpoch, first), last)
        return (clamped - first) * 1_000 / max(1, last - first)
    }

    private static func percent(_ thousandths: Int64) -> String {
        "\(thousandths / 10).\(thousandths % 10)%"
    }

    private func isOver(_ row: Row) -> Bool {
        (row.from.map { time < $0 } ?? false) || (row.until.map { time > $0 } ?? false)
    }

    func content() -> [HTML] {
        let height = 34 + rows.count * TimeDrawing.step
        var parts: [HTML] = [
            .element("title", ["id": "time-drawing"], "The windows that mattered"),
            .element(
                "desc", ["id": "time-words"],
                "A bar for each window, and a line at the validation time. The table below says the "
                    + "same."),
        ]
        let now = place(time)
        for (index, row) in rows.enumerated() {
            let y = 34 + index * TimeDrawing.step
            let (from, until) = (row.from.map(place) ?? 0, row.until.map(place) ?? 1_000)
            parts.append(
                .element(
                    "text", ["x": "0", "y": String(y + 12)],
                    (isOver(row) ? "✗ " : "") + TextWrap.shortened(row.title, to: 44)))
            parts.append(
                .element(
                    "line",
                    [
                        "class": "axis", "x1": "0", "x2": "100%", "y1": String(y + 25),
                        "y2": String(y + 25),
                    ], []))
            parts.append(
                .element(
                    "rect",
                    [
                        "class": isOver(row) ? "bar over" : "bar taken",
                        "x": TimeDrawing.percent(from), "y": String(y + 19),
                        "width": TimeDrawing.percent(max(4, until - from)), "height": "12",
                        "rx": "3",
                    ], []))
        }
        parts.append(
            .element(
                "line",
                [
                    "class": "now", "x1": TimeDrawing.percent(now), "x2": TimeDrawing.percent(now),
                    "y1": "20", "y2": String(height),
                ], []))
        parts.append(
            .element(
                "text",
                [
                    "class": "now", "x": TimeDrawing.percent(now), "y": "14",
                    "text-anchor": now < 250 ? "start" : now > 750 ? "end" : "middle",
                ], "judged at \(Words.day(time))"))
        let figure = HTML.element(
            "figure",
            [
                .element(
                    "svg",
                    [
                        "xmlns": "http://www.w3.org/2000/svg", "width": "100%",
                        "height": String(height), "role": "img",
                        "aria-labelledby": "time-drawing time-words",
                    ], parts)
            ])
        return [figure, table()]
    }

    private func table() -> HTML {
        let head = ["window", "from", "until"].map { HTML.element("th", ["scope": "col"], $0) }
        return .element(
            "details",
            [
                .element("summary", "The windows in words"),
                .element(
                    "table",
                    [
                        .element("thead", [.element("tr", head)]),
                        .element(
                            "tbody",
                            rows.map { row in
                                .element(
                                    "tr",
                                    [
                                        .element("th", ["scope": "row"], row.title),
                                        .element("td", row.from?.description ?? "always"),
                                        .element("td", row.until?.description ?? "no end"),
                                    ])
                            }),
                    ]),
            ])
    }

    private static let step = 46
}
