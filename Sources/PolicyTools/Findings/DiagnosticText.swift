package import PolicyCompiler
package import Rendering

/// Diagnostics as text, in rustc's anatomy: code and sentence, place, the source line with its
/// underlines, then help and notes.
///
/// ```text
/// error[HW003]: `hosts` stands twice in one map
///   --> acme.policy.yaml:9:5
///    |
///  7 |     hosts: ["api.acme.example"]
///    |     ----- first here
/// ...
///  9 |     hosts: ["www.acme.example"]
///    |     ^^^^^ again here
///    |
///    = help: delete one of the two, or join what they hold under one key
/// ```
package struct DiagnosticText: Sendable {
    private let files: [SourceFile]
    private let colour: TextWriter.Colour
    private let width: Int

    /// Creates a renderer for the diagnostics of a unit. `files` are those that spans index. Of a
    /// source line that is wider than `width` cells, the part around the underlines is shown.
    package init(files: [SourceFile], colour: TextWriter.Colour = .plain, width: Int = 100) {
        self.files = files
        self.colour = colour
        self.width = max(width, 20)
    }

    /// All diagnostics, each followed by an empty line, then the number of them; an empty text if
    /// there are none.
    package func render(_ diagnostics: [Diagnostic], suppressed: Int = 0) -> String {
        guard !diagnostics.isEmpty else { return "" }
        return diagnostics.map { render($0) + "\n" }.joined()
            + FindingReport.tally(diagnostics, suppressed: suppressed) + "\n"
    }

    /// Creates a renderer and renders all diagnostics.
    package static func render(
        _ diagnostics: [Diagnostic], files: [SourceFile], colour: TextWriter.Colour
    ) -> String {
        DiagnosticText(files: files, colour: colour).render(diagnostics)
    }

    /// One diagnostic, with a line end at its end.
    package func render(_ diagnostic: Diagnostic) -> String {
        let severity = paint(
            "\(diagnostic.severity.rawValue)[\(diagnostic.code.rawValue)]",
            Paint(diagnostic.severity))
        var page = severity + ": " + TerminalEscape.escape(diagnostic.message) + "\n"
        let marks = marks(of: diagnostic)
        let gutter = marks.map { String($0.lastLine + 1).count }.max() ?? 1
        for (index, group) in grouped(marks).enumerated() {
            write(group, isFirst: index == 0, gutter: gutter, Paint(diagnostic.severity), &page)
        }
        let notes =
            diagnostic.help.map { ("help", $0) } + diagnostic.notes.map { ("note", $0) }
        let blank = String(repeating: " ", count: gutter)
        if !notes.isEmpty, !marks.isEmpty { page += blank + paint(" |", .frame) + "\n" }
        for (kind, text) in notes {
            page +=
                blank + paint(" = ", .frame) + kind + ": " + TerminalEscape.escape(text) + "\n"
        }
        return page
    }

    // MARK: Places

    /// A label and the lines that it covers.
    private struct Mark {
        let file: Int
        let span: SourceSpan
        let text: String
        let isPrimary: Bool
        let firstLine: Int
        let lastLine: Int
    }

    /// The primary label and at most three more, of files that are known.
    private func marks(of diagnostic: Diagnostic) -> [Mark] {
        let labels = [diagnostic.primary] + diagnostic.labels.prefix(3)
        return labels.enumerated().compactMap { index, label in
            let file = Int(label.span.file)
            guard files.indices.contains(file) else { return nil }
            let lines = files[file].lines
            let start = min(Int(label.span.start), files[file].bytes.count)
            let end = min(max(start, Int(label.span.end)), files[file].bytes.count)
            let span = SourceSpan(file: file, start: start, end: end)
            return Mark(
                file: file, span: span, text: TerminalEscape.escape(label.text),
                isPrimary: index == 0, firstLine: lines.line(of: start),
                lastLine: lines.line(of: max(start, end - 1)))
        }
    }

    /// The marks of each file. The file of the primary label comes first.
    private func grouped(_ marks: [Mark]) -> [[Mark]] {
        var order: [Int] = []
        for mark in marks where !order.contains(mark.file) { order.append(mark.file) }
        return order.map { file in marks.filter { $0.file == file } }
    }

    // MARK: Source lines

    private func write(
        _ marks: [Mark], isFirst: Bool, gutter: Int, _ severity: Paint, _ page: inout String
    ) {
        guard let lead = marks.first else { return }
        let file = files[lead.file]
        let place = file.position(of: Int(lead.span.start))
        let blank = String(repeating: " ", count: gutter)
        page += blank + paint(isFirst ? "--> " : "::: ", .frame)
        page += "\(TerminalEscape.escape(file.path)):\(place.line):\(place.column)\n"
        page += blank + paint(" |", .frame) + "\n"
        var lineBefore: Int?
        for line in Set(marks.flatMap { [$0.firstLine, $0.lastLine] }).sorted() {
            if let lineBefore, line > lineBefore + 1 { page += paint("...", .frame) + "\n" }
            lineBefore = line
            let parts = marks.filter { $0.firstLine == line || $0.lastLine == line }
            let bounds = file.line(line)
            let octets = Array(file.bytes[bounds])
            for group in sharing(line, parts, in: file) {
                let shown = SourceLine(
                    octets, around: group.map { $0.range - bounds.lowerBound }, width: width)
                let number = String(line + 1)
                let padding = String(repeating: " ", count: gutter - number.count)
                page += paint(padding + number + " |", .frame)
                page += shown.text.isEmpty ? "\n" : " " + shown.text + "\n"
                for part in group {
                    page += blank + paint(" | ", .frame)
                    page += String(
                        repeating: " ",
                        count: shown.cells(before: part.range.lowerBound - bounds.lowerBound))
                    let count = max(1, shown.cells(of: part.range - bounds.lowerBound))
                    let underline = String(repeating: part.isPrimary ? "^" : "-", count: count)
                    let words = part.text.isEmpty ? underline : underline + " " + part.text
                    page += paint(words, part.isPrimary ? severity : .frame) + "\n"
                }
            }
        }
    }

    /// An underline in one line: the part of a mark that is in the line. A mark over several lines
    /// is underlined in its first and its last line, and its words stand in the last.
    struct Underline {
        var range: Range<Int>
        var text: String
        var isPrimary: Bool
    }

    /// The underlines of a line. They share a line of output if the source line fits the width;
    /// otherwise each has a window of its own. They are ordered from right to left, so that words
    /// do not overlap.
    private func sharing(_ line: Int, _ marks: [Mark], in file: SourceFile) -> [[Underline]] {
        let bounds = file.line(line)
        let underlines = marks.map { mark in
            var start = max(Int(mark.span.start), bounds.lowerBound)
            if mark.firstLine < line {
                while start < bounds.upperBound, file.bytes[start] == 0x20 { start += 1 }
            }
            let end = min(Int(mark.span.end), bounds.upperBound)
            return Underline(
                range: min(start, max(end, bounds.upperBound))..<max(start, end),
                text: mark.lastLine == line ? mark.text : "", isPrimary: mark.isPrimary)
        }.sorted { $0.range.lowerBound > $1.range.lowerBound }
        let isLong =
            SourceLine(Array(file.bytes[bounds]), around: [], width: .max).width > width
        return isLong ? underlines.reversed().map { [$0] } : [underlines]
    }

    // MARK: Colour

    private enum Paint {
        case error, warning, info, frame

        init(_ severity: Diagnostic.Severity) {
            switch severity {
            case .error: self = .error
            case .warning: self = .warning
            case .info: self = .info
            }
        }

        /// SGR parameters of ECMA-48 section 8.3.117: bold and a colour.
        var code: String {
            switch self {
            case .error: return "1;31"
            case .warning: return "1;33"
            case .info: return "1;36"
            case .frame: return "1;34"
            }
        }
    }

    private func paint(_ text: String, _ paint: Paint) -> String {
        colour == .terminal ? "\u{1B}[\(paint.code)m\(text)\u{1B}[0m" : text
    }
}

extension Range<Int> {
    /// The range, moved to the left.
    fileprivate static func - (range: Range<Int>, distance: Int) -> Range<Int> {
        range.lowerBound - distance..<range.upperBound - distance
    }
}
