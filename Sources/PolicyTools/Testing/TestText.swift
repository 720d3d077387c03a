import Rendering

/// Writes what failed, and at the end how many cases there were.
enum TestText {
    static func render(_ report: TestReport, colour: TextWriter.Colour) -> String {
        var lines: [String] = []
        for file in report.files {
            for one in file.cases where !one.passes {
                lines += failure(one, colour)
                lines.append("")
            }
            if !file.problems.isEmpty {
                lines.append(escaped("not run  \(file.path): it has mistakes"))
                lines.append("")
            }
        }
        var text = lines.map { $0 + "\n" }.joined()
        for measure in report.measures {
            let unit = report.measures.count > 1 && !measure.folder.isEmpty
            if unit { text += escaped("unit \(measure.folder)") + "\n" }
            text +=
                report.listsGaps
                ? CoverageText(measure.coverage, path: measure.path).text()
                : escaped(CoverageWords.headline(measure.coverage)) + "\n"
            if let mutation = measure.mutation { text += mutation.text(path: measure.path) }
        }
        return text + report.totals + "\n"
    }

    private static func escaped(_ text: String) -> String { TerminalEscape.escape(text) }

    private static func failure(_ one: TestReport.Case, _ colour: TextWriter.Colour) -> [String] {
        let word = colour == .terminal ? "\u{1B}[1;31mfailed\u{1B}[0m" : "failed"
        var lines = [word + "  " + escaped("\(one.name)  \(one.place.text)")]
        for difference in one.differences {
            let width = max(difference.expected.count, difference.got.count)
            func padded(_ text: String) -> String {
                width > 60
                    ? text : text + String(repeating: " ", count: max(0, width - text.count))
            }
            lines.append(escaped("  \(difference.field)"))
            lines.append(
                escaped("    expected  \(padded(difference.expected))  \(difference.place.text)"))
            let origin = difference.origins.first.map { "  \($0)" } ?? ""
            lines.append(
                TextWrap.trimmed(
                    escaped("    got       \(padded(difference.got))\(origin)")))
            for more in difference.origins.dropFirst() {
                lines.append(escaped("              \(padded(""))  \(more)"))
            }
        }
        if let first = one.firstLine { lines.append(escaped("  \(first)")) }
        lines.append(escaped("  `\(one.command)`"))
        return lines
    }
}
