import Rendering
import TrustEngine

/// The trust surface as bars: for how many classes of hosts each authority may vouch, and for how
/// many of these only with a pinned key. The table below it says the same in words.
struct SurfaceDrawing {
    private let rows: [UnitReport.SurfaceRow]
    /// The number of rows that are not drawn.
    private let left: Int
    private let total: Int

    /// - Parameter total: the number of all classes.
    init(_ rows: [UnitReport.SurfaceRow], of total: Int) {
        self.rows = Array(rows.prefix(SurfaceDrawing.most))
        left = max(0, rows.count - SurfaceDrawing.most)
        self.total = max(1, total)
    }

    func figure() -> HTML {
        let height = rows.count * SurfaceDrawing.step + 4
        var parts: [HTML] = [
            .element("title", ["id": "surface-drawing"], "Who may vouch for how many hosts"),
            .element(
                "desc", ["id": "surface-words"],
                "A bar for each authority, or for several that vouch for the same hosts. The table "
                    + "below says the same."),
        ]
        for (index, row) in rows.enumerated() {
            parts += bar(row, at: index * SurfaceDrawing.step)
        }
        let more = Cut.rest(left, before: " ", after: " rows are in the table.")
        return .element(
            "figure",
            [
                .element(
                    "svg",
                    [
                        "xmlns": "http://www.w3.org/2000/svg", "width": "100%",
                        "height": String(height), "role": "img",
                        "aria-labelledby": "surface-drawing surface-words",
                    ], parts),
                .element(
                    "figcaption",
                    "Each line is as long as all \(total) classes of hosts. The left part of a bar, "
                        + "green: classes whose pins bind, so that only chosen keys count. The rest: any "
                        + "key that the authority certifies. Constraints of a set can leave less."
                        + more),
            ])
    }

    private func bar(_ row: UnitReport.SurfaceRow, at y: Int) -> [HTML] {
        let pinned = SurfaceDrawing.thousandths(row.pinned, of: total)
        let whole = SurfaceDrawing.thousandths(row.classes, of: total)
        func rect(_ mark: String, _ from: Int, _ width: Int) -> HTML {
            .element(
                "rect",
                [
                    "class": mark, "x": SurfaceDrawing.percent(from), "y": String(y + 19),
                    "width": SurfaceDrawing.percent(width), "height": "12",
                ], [])
        }
        let isOpen = row.kind == .anyone
        var parts: [HTML] = [
            .element(
                "text", ["x": "0", "y": String(y + 13), "class": isOpen ? "bad" : nil],
                (isOpen ? "✗ " : "")
                    + Words.shortened(UnitReportSentences.authorities(row), to: 44)),
            .element(
                "line",
                [
                    "class": "axis", "x1": "0", "x2": "100%", "y1": String(y + 25),
                    "y2": String(y + 25),
                ], []),
        ]
        if row.pinned > 0 { parts.append(rect("bar taken", 0, pinned)) }
        if row.classes > row.pinned {
            parts.append(
                rect(isOpen ? "bar over" : "bar part", pinned, max(3, whole - pinned)))
        }
        parts.append(
            .element(
                "text", ["x": "0", "y": String(y + 46), "class": "soft"],
                "\(Words.count(row.classes, "class", "classes")), \(row.pinned) pinned"))
        return parts
    }

    private static func thousandths(_ part: Int, of total: Int) -> Int { part * 1_000 / total }

    private static func percent(_ thousandths: Int) -> String {
        "\(thousandths / 10).\(thousandths % 10)%"
    }

    private static let step = 62
    /// More bars would be a wall.
    private static let most = 24
}
