import TrustEngine

/// The lines of each part of a document, for `TextWriter`. Every text is escaped here.
struct TextLayout {
    let colour: TextWriter.Colour
    let columns: Int
    let wrapping: Wrapping

    static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    /// A text in lines. Further lines are indented by `hang` blanks; nil for the indent of the
    /// first line.
    func wrapped(_ text: String, hang: Int? = nil) -> [String] {
        let shown = TerminalEscape.escape(text)
        let margin = shown.prefix { $0 == " " }.count
        let rest = hang ?? margin
        switch wrapping {
        case .none: return [TextWrap.trimmed(shown)]
        case .words: return TextWrap.words(shown, rest: rest, columns: columns)
        case .clipped where hang == nil: return [TextWrap.shortened(shown, to: columns)]
        case .columns, .clipped: break
        }
        let lines = TextWrap.lines(
            String(shown.dropFirst(margin)), first: columns - margin, rest: columns - rest)
        return lines.enumerated().map { index, line in
            TextLayout.blanks(index == 0 ? margin : rest) + line
        }
    }

    // MARK: Lines

    func lines(_ line: Line, indent: Int) -> [String] {
        (line.isApart ? [""] : [])
            + lines(
                line.word, line.text.raw, citation: line.citation, hang: line.hang,
                margin: TextLayout.blanks(indent), isWhole: line.isWhole)
    }

    func lines(_ entry: Entry, bullet: String, indent: Int) -> [String] {
        lines(
            entry.word, entry.text.raw, citation: entry.citation, hang: entry.hang,
            margin: TextLayout.blanks(indent) + bullet)
    }

    private func lines(
        _ word: Word?, _ text: String, citation: String?, hang: Int?, margin: String,
        isWhole: Bool = false
    ) -> [String] {
        let place = citation.map { "  \($0)" } ?? ""
        // A line that is cut keeps its text before its place.
        let fits =
            wrapping != .clipped
            || TextWrap.columns(TerminalEscape.escape(margin + text + place)) <= columns
        let text = fits ? text + place : text
        guard let word else {
            return isWhole
                ? [TerminalEscape.escape(margin + text)] : wrapped(margin + text, hang: hang)
        }
        let plain = TerminalEscape.escape(word.text)
        var lines = wrapped(margin + word.text + text, hang: hang ?? margin.count + 2)
        if lines[0].hasPrefix(margin + plain) {
            lines[0] =
                margin + painted(plain, word.tone) + lines[0].dropFirst(margin.count + plain.count)
        }
        return lines
    }

    // MARK: Columns

    /// The lines of each row.
    func lines(_ fields: Fields, indent: Int) -> [[String]] {
        guard wrapping != .clipped else { return clipped(fields, indent: indent) }
        let labels = cells(fields.rows.map { TerminalEscape.escape($0.label) }, fields.labels)
        let values = cells(fields.rows.map { TerminalEscape.escape($0.value.raw) }, fields.values)
        return fields.rows.indices.map { index in
            let head = TextLayout.blanks(indent) + labels[index]
            let citation = fields.rows[index].citation ?? ""
            return wrapped(
                TextWrap.trimmed(head + values[index] + citation), hang: TextWrap.columns(head))
        }
    }

    /// The same with each row on one line. The place stands beside the whole value; where both have
    /// no room the value is kept, and a value that fills the line is cut for the short place.
    private func clipped(_ fields: Fields, indent: Int) -> [[String]] {
        let width: Int
        switch fields.labels {
        case .free: width = 0
        case .fixed(let own), .least(let own): width = min(columns * 2 / 5, own)
        case .longest(let most), .alike(let most):
            width = min(
                columns * 2 / 5, most, fields.rows.map { TextWrap.columns($0.label) }.max() ?? 0)
        }
        let room = columns - width - indent - 2
        return fields.rows.map { row in
            let label = TextWrap.shortened(TerminalEscape.escape(row.label), to: width)
            let head = TextLayout.blanks(indent) + TextWrap.padded(label, width) + "  "
            let value = TerminalEscape.escape(row.value.raw)
            let places = [row.citation, row.briefCitation].map {
                TerminalEscape.escape($0 ?? "")
            }
            let taken = max(TextWrap.columns(value), TextLayout.leastValue) + 2
            var place = places.first { taken + TextWrap.columns($0) <= room }
            if place == nil, TextWrap.columns(value) > room { place = places.last }
            guard let place, !place.isEmpty,
                TextLayout.leastValue + 2 + TextWrap.columns(place) <= room
            else { return [TextWrap.trimmed(head + TextWrap.shortened(value, to: room))] }
            let shown = TextWrap.shortened(value, to: room - TextWrap.columns(place) - 2)
            return [head + TextWrap.padded(shown, TextLayout.leastValue) + "  " + place]
        }
    }

    /// The columns that a value has at least, so that places stand below each other.
    private static let leastValue = 24

    /// The cells of a column, each with the blanks behind it.
    private func cells(_ texts: [String], _ width: Fields.Width) -> [String] {
        let widest = texts.map(TextWrap.columns).max() ?? 0
        switch width {
        case .free: return texts.map { $0 + "  " }
        case .fixed(let width):
            return texts.map { TextWrap.padded($0, max(TextWrap.columns($0) + 1, width)) }
        case .least(let least): return texts.map { TextWrap.padded($0, least) + "  " }
        case .longest(let most):
            return texts.map { TextWrap.padded($0, min(most, widest)) + "  " }
        case .alike(let most):
            return texts.map { TextWrap.padded($0, widest > most ? 0 : widest) + "  " }
        }
    }

    /// The lines of each row.
    func lines(_ table: Table, indent: Int) -> [[String]] {
        let texts = table.rows.map { row in
            row.cells.map { TerminalEscape.escape($0.map(\.raw).joined(separator: ", ")) }
        }
        let count = texts.map(\.count).max() ?? 0
        let columns = (0..<count).map { column in
            cells(
                texts.map { column < $0.count ? $0[column] : "" },
                column == count - 1 ? .free : .longest(most: table.widest))
        }
        return table.rows.indices.map { row in
            [TextWrap.trimmed(TextLayout.blanks(indent) + columns.map { $0[row] }.joined())]
                + table.rows[row].notes.flatMap {
                    wrapped(TextLayout.blanks(indent + 4) + $0.raw)
                }
        }
    }

    // MARK: Trees

    func lines(_ nodes: [Tree.Node]) -> [String] {
        var lines: [String] = []
        let width = nodes.map { $0.text.isEmpty ? 0 : $0.label.text.count }.max() ?? 0
        for (index, node) in nodes.enumerated() {
            let isLast = index == nodes.count - 1
            let stem = isLast ? "   " : "│  "
            lines += self.lines(
                node, stem: isLast ? "└ " : "├ ",
                below: node.children.isEmpty ? stem : "\(stem)│", labelWidth: width)
            let childWidth = node.children.map { $0.label.text.count }.max() ?? 0
            for (childIndex, child) in node.children.enumerated() {
                let isLastChild = childIndex == node.children.count - 1
                let below = stem + (isLastChild ? " " : "│")
                lines += self.lines(
                    child, stem: stem + (isLastChild ? "└ " : "├ "), below: below,
                    labelWidth: childWidth)
                for detail in child.details {
                    lines += self.lines(
                        detail: detail, behind: below + TextLayout.blanks(childWidth + 3))
                }
            }
        }
        return lines + nodes.flatMap(\.children).compactMap(\.snippet).flatMap { self.lines($0) }
    }

    /// A detail, with what does not fit two columns further in.
    private func lines(detail: String, behind prefix: String) -> [String] {
        let escaped = TerminalEscape.escape(detail)
        let blanks = escaped.prefix { $0 == " " }
        let room = columns - prefix.count - blanks.count
        let lines = TextWrap.lines(
            String(escaped.dropFirst(blanks.count)), first: room, rest: room - 2)
        return lines.enumerated().map { index, line in
            prefix + blanks + (index == 0 ? "" : "  ") + line
        }
    }

    /// A node: its label, its text, and its citation behind the text if there is room, otherwise
    /// below it.
    private func lines(
        _ node: Tree.Node, stem: String, below: String, labelWidth: Int
    ) -> [String] {
        let label = TerminalEscape.escape(node.label.text)
        let head = painted(label, node.label.tone)
        guard !node.text.isEmpty else {
            return [stem + head + (node.citation.map { "  " + TerminalEscape.escape($0) } ?? "")]
        }
        let padding = TextLayout.blanks(max(0, labelWidth - node.label.text.count) + 2)
        let start = stem.count + label.count + padding.count
        let room = columns - start
        let escaped = TerminalEscape.escape(node.text)
        var lines =
            node.isCommand
            ? TextWrap.command(escaped, columns: room)
            : TextWrap.lines(escaped, first: room, rest: room)
        if let citation = node.citation.map(TerminalEscape.escape) {
            let last = TextWrap.columns(lines[lines.count - 1])
            let gap = max(2, columns - TextLayout.citationColumns - start - last)
            if last + gap + TextWrap.columns(citation) <= room {
                lines[lines.count - 1] += TextLayout.blanks(gap) + citation
            } else if last + 2 + TextWrap.columns(citation) <= room {
                lines[lines.count - 1] += "  " + citation
            } else {
                lines += TextWrap.lines(citation, first: room, rest: room)
            }
        }
        // A command is pasted, so nothing but blanks may stand before its further lines.
        let continuation =
            (node.isCommand ? TextLayout.blanks(below.count) : below)
            + TextLayout.blanks(start - below.count)
        return lines.enumerated().map { index, line in
            index == 0 ? stem + head + padding + line : continuation + line
        }
    }

    /// The columns at the end of a line where citations begin, where text and citation leave room.
    private static let citationColumns = 38

    func lines(_ snippet: Snippet) -> [String] {
        // A break inside a literal block would change its text.
        let isWhole =
            wrapping == .none || snippet.lines.contains { TextWrap.beginsLiteral($0) }
        return wrapped(snippet.title)
            + snippet.lines.map(TerminalEscape.escape).flatMap {
                isWhole ? [$0] : TextWrap.policyLine($0, columns: columns)
            }
    }

    // MARK: Source lines

    /// A message about lines of a file, in rustc's anatomy.
    func lines(_ excerpt: Excerpt) -> [String] {
        let word = excerpt.word.map { painted(TerminalEscape.escape($0.text), $0.tone) + ": " }
        var lines = [(word ?? "") + TerminalEscape.escape(excerpt.message)]
        lines += drawing(of: excerpt)
        let blank = TextLayout.blanks(TextLayout.gutter(of: excerpt))
        if !excerpt.notes.isEmpty, !excerpt.groups.isEmpty { lines.append(blank + framed(" |")) }
        return lines
            + excerpt.notes.map { kind, text in
                blank + framed(" = ") + kind + ": " + TerminalEscape.escape(text)
            }
    }

    /// The lines of a file with their numbers and underlines, without the message.
    func drawing(of excerpt: Excerpt) -> [String] {
        let gutter = TextLayout.gutter(of: excerpt)
        let tone = excerpt.word?.tone ?? .plain
        var lines: [String] = []
        for (index, group) in excerpt.groups.enumerated() {
            lines += self.lines(group, isFirst: index == 0, gutter: gutter, tone)
        }
        return lines
    }

    /// The digits of the largest line number.
    private static func gutter(of excerpt: Excerpt) -> Int {
        excerpt.groups.flatMap(\.lines).map { String($0.number).count }.max() ?? 1
    }

    private func lines(
        _ group: Excerpt.Group, isFirst: Bool, gutter: Int, _ tone: Tone
    ) -> [String] {
        let blank = TextLayout.blanks(gutter)
        var lines = [
            blank + framed(isFirst ? "--> " : "::: ")
                + "\(TerminalEscape.escape(group.path)):\(group.line):\(group.column)",
            blank + framed(" |"),
        ]
        var last: Int?
        for line in group.lines {
            if let last, line.number > last + 1 { lines.append(framed("...")) }
            last = line.number
            let octets = Array(line.octets)
            let whole = SourceLine(octets, around: [], width: .max)
            let isLong = whole.width > columns
            for marks in TextLayout.sharing(line.marks, isLong: isLong) {
                let shown =
                    isLong
                    ? SourceLine(octets, around: marks.map(\.range), width: columns) : whole
                let number = String(line.number)
                lines.append(
                    framed(TextLayout.blanks(gutter - number.count) + number + " |")
                        + (shown.text.isEmpty ? "" : " " + shown.text))
                for mark in marks {
                    let count = max(1, shown.cells(of: mark.range))
                    let underline = String(repeating: mark.isPrimary ? "^" : "-", count: count)
                    let text = TerminalEscape.escape(mark.text)
                    let words = text.isEmpty ? underline : underline + " " + text
                    lines.append(
                        blank + framed(" | ")
                            + TextLayout.blanks(shown.cells(before: mark.range.lowerBound))
                            + (mark.isPrimary ? painted(words, tone) : framed(words)))
                }
            }
        }
        return lines
    }

    /// The underlines of a line. They share a line of output if the source line fits the width;
    /// otherwise each has a window of its own. They are ordered from right to left, so that words
    /// do not overlap.
    private static func sharing(_ marks: [Excerpt.Mark], isLong: Bool) -> [[Excerpt.Mark]] {
        let marks = marks.sorted { $0.range.lowerBound > $1.range.lowerBound }
        return isLong ? marks.reversed().map { [$0] } : [marks]
    }

    // MARK: Colour

    private func painted(_ text: String, _ tone: Tone) -> String {
        // SGR parameters of ECMA-48 section 8.3.117: bold and a colour.
        switch tone {
        case .plain: return text
        case .good: return coloured(text, "1;32")
        case .bad: return coloured(text, "1;31")
        case .warn: return coloured(text, "1;33")
        case .soft: return coloured(text, "1;36")
        }
    }

    private func framed(_ text: String) -> String { coloured(text, "1;34") }

    private func coloured(_ text: String, _ code: String) -> String {
        colour == .terminal ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
