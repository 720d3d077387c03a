/// Breaks text into lines of a number of columns. It takes text that is escaped already; a line
/// that it makes never begins so that a log reader takes it for a command.
package enum TextWrap {
    /// The text in lines: the first of `first` columns, every other of `rest`. Lines break at
    /// blanks; a word that is longer than a line breaks wherever the line ends. Never empty.
    static func lines(_ text: String, first: Int, rest: Int) -> [String] {
        var lines: [String] = []
        var left = Array(text.unicodeScalars)[...]
        while true {
            let room = max(lines.isEmpty ? first : rest, 8)
            let end = fitting(left, room)
            guard end < left.endIndex else {
                lines.append(string(left))
                return lines
            }
            var cut = end
            if let blank = left[...end].lastIndex(of: " "), blank > left.startIndex { cut = blank }
            // A line that begins with `::` or `##` is a command to some readers of logs.
            while cut > left.startIndex + 1, beginsAsCommand(left, from: cut) { cut -= 1 }
            lines.append(string(left[..<cut]))
            left = left[cut...].drop { $0 == " " }
        }
    }

    /// The text in lines of at most `columns`; every line but the first begins with `rest` blanks.
    /// Breaks stand at blanks; a word that is longer than a line stays whole, so that a name or a
    /// digest can be copied. No line ends with a blank. Never empty.
    package static func words(_ text: String, rest: Int, columns: Int) -> [String] {
        let indent = String(repeating: " ", count: rest)
        let margin = String(text.prefix { $0 == " " })
        var lines: [String] = []
        var line = margin
        var used = margin.count
        for word in text.dropFirst(margin.count).split(
            separator: " ", omittingEmptySubsequences: false)
        {
            let width = self.columns(String(word))
            let isFirst = line.allSatisfy { $0 == " " }
            // Some readers of logs take a line that begins with `::` or `##` for a command.
            let isCommand = word.hasPrefix("::") || word.hasPrefix("##")
            if !isFirst, used + 1 + width > columns, !isCommand {
                lines.append(trimmed(line))
                line = indent + word
                used = rest + width
            } else {
                line +=
                    isFirst && line.count == (lines.isEmpty ? margin.count : rest)
                    ? String(word) : " \(word)"
                used = self.columns(line)
            }
        }
        return lines + [trimmed(line)]
    }

    /// A line without the blanks at its end.
    package static func trimmed(_ line: String) -> String {
        var line = Substring(line)
        while line.last == " " { line.removeLast() }
        return String(line)
    }

    /// A text with blanks up to a width.
    package static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - columns(text)))
    }

    /// The text in lines that a shell reads as one command: breaks stand at blanks outside quotes,
    /// behind a backslash. A word that is longer than a line stays whole.
    static func command(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        for word in wordsOutsideQuotes(text) {
            guard let last = lines.last else {
                lines.append(word)
                continue
            }
            if self.columns(last) + 1 + self.columns(word) + 2 <= columns {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines[lines.count - 1] = "\(last) \\"
                lines.append("    \(word)")
            }
        }
        return lines
    }

    /// Whether a line of a policy ends with the mark of a literal block, such as `|` or `|-`.
    static func beginsLiteral(_ text: String) -> Bool {
        guard let mark = text.split(separator: " ").last else { return false }
        return mark.first == "|" || mark.first == ">"
    }

    /// One line of a policy in lines that mean the same: breaks stand at blanks outside quotes, and
    /// every further line of a comment begins with `#`. A line with a comment behind a value stays
    /// whole: what stands behind a break would be no comment any more. The blanks at its start
    /// stay.
    static func policyLine(_ text: String, columns: Int) -> [String] {
        let blanks = String(text.prefix { $0 == " " })
        let body = String(text.dropFirst(blanks.count))
        let further = body.hasPrefix("#") ? "\(blanks)# " : "\(blanks)    "
        let words = wordsOutsideQuotes(body)
        guard body.hasPrefix("#") || !words.contains(where: { $0.hasPrefix("#") }) else {
            return [text]
        }
        var lines: [String] = []
        for word in words {
            guard let last = lines.last else {
                lines.append(blanks + word)
                continue
            }
            if self.columns(last) + 1 + self.columns(word) <= columns {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(further + word)
            }
        }
        return lines
    }

    /// The parts of a text between blanks that stand in no quotes.
    private static func wordsOutsideQuotes(_ text: String) -> [String] {
        var words: [String] = [""]
        var quote: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if quote == nil, scalar == " " {
                words.append("")
                continue
            }
            if quote == nil, scalar == "'" || scalar == "\"" {
                quote = scalar
            } else if scalar == quote {
                quote = nil
            }
            words[words.count - 1].unicodeScalars.append(scalar)
        }
        return words
    }

    /// The text with its middle left out, so that it takes no more than `columns`.
    package static func shortened(_ text: String, to columns: Int) -> String {
        guard self.columns(text) > columns else { return text }
        let scalars = Array(text.unicodeScalars)
        let half = max(1, (columns - 1) / 2)
        let head = fitting(scalars[...], half)
        var tail = scalars.endIndex
        var used = 0
        while tail > head, used + width(scalars[tail - 1]) <= half {
            tail -= 1
            used += width(scalars[tail])
        }
        return string(scalars[..<head]) + "…" + string(scalars[tail...])
    }

    /// How many columns a text takes on a terminal.
    package static func columns(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + width($1) }
    }

    /// The end of the longest part from the start that fits.
    private static func fitting(_ scalars: ArraySlice<Unicode.Scalar>, _ columns: Int) -> Int {
        var used = 0
        for index in scalars.indices {
            used += width(scalars[index])
            if used > columns { return index }
        }
        return scalars.endIndex
    }

    private static func beginsAsCommand(
        _ scalars: ArraySlice<Unicode.Scalar>, from cut: Int
    ) -> Bool {
        guard let first = scalars[cut...].first(where: { $0 != " " }) else { return false }
        return first == ":" || first == "#"
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// The columns of one scalar: none for marks above other letters, two for the wide letters of
    /// East Asian scripts and for pictures (UAX #11, by blocks), otherwise one.
    private static func width(_ scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x300 else { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F000...0x1FAFF,
        0x20000...0x3FFFD,
    ]
}
