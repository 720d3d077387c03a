import PolicyCompiler
import Rendering

/// Draws the changed lines of the files of two policies side by side.
enum DiffLines {
    /// The lines before and after a changed one.
    private static let around = 3

    /// A table for each file that changes.
    static func tables(_ old: [SourceFile], _ new: [SourceFile]) -> [HTML] {
        var paths = old.map(\.path)
        paths += new.map(\.path).filter { !paths.contains($0) }
        return paths.flatMap { path in
            table(
                path, old.first { $0.path == path }?.bytes ?? [],
                new.first { $0.path == path }?.bytes ?? [])
        }
    }

    private static func table(_ path: String, _ old: [UInt8], _ new: [UInt8]) -> [HTML] {
        let pairs = LineDiff.pairs(from: old, to: new)
        var shown: Set<Int> = []
        for index in pairs.indices where !pairs[index].isKept {
            shown.formUnion((index - around...index + around).clamped(to: 0...pairs.count - 1))
        }
        guard !shown.isEmpty else { return [] }
        let (oldLines, newLines) = (lines(old), lines(new))
        var rows: [HTML] = []
        var last = -1
        for index in shown.sorted() {
            if index != last + 1 { rows.append(row(isKept: true, [cells("⋮"), cells("⋮")])) }
            last = index
            let pair = pairs[index]
            rows.append(
                row(
                    isKept: pair.isKept,
                    [
                        cells(oldLines, pair.old, pair.isKept ? nil : ("−", "code gone")),
                        cells(newLines, pair.new, pair.isKept ? nil : ("+", "code come")),
                    ]))
        }
        let head = [("number", ""), ("code", "old"), ("number", ""), ("code", "new")].map {
            HTML.element("th", ["scope": "col", "class": $0], $1)
        }
        return [
            .element(
                "table", ["class": "sides"],
                [
                    .element("caption", path), .element("thead", [.element("tr", head)]),
                    .element("tbody", rows),
                ])
        ]
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private static func row(isKept: Bool, _ sides: [[HTML]]) -> HTML {
        .element("tr", ["class": isKept ? "kept" : nil], sides.flatMap(\.self))
    }

    private static func cells(_ number: String) -> [HTML] {
        [.element("td", ["class": "number"], number), .element("td", [])]
    }

    /// The number and the text of a line of one side.
    private static func cells(
        _ lines: [String], _ number: Int?, _ mark: (sign: String, name: String)?
    ) -> [HTML] {
        guard let number, lines.indices.contains(number - 1) else {
            return [.element("td", ["class": "none"], []), .element("td", ["class": "none"], [])]
        }
        return [
            .element("td", ["class": "number"], (mark.map { "\($0.sign) " } ?? "") + "\(number)"),
            .element("td", ["class": mark?.name ?? "code"], lines[number - 1]),
        ]
    }
}
