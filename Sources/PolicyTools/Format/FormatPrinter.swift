/// Writes items in canonical layout: two blanks for each level, and at most one blank line between
/// items.
struct FormatPrinter {
    private(set) var text = ""

    /// A whole document.
    static func print(_ root: FormatValue) -> String {
        var printer = FormatPrinter()
        printer.write(root, indent: 0, path: [])
        return printer.text
    }

    private mutating func line(_ indent: Int, _ content: String) {
        if !content.isEmpty { text += String(repeating: " ", count: indent) + content }
        text += "\n"
    }

    private mutating func comments(_ comments: [String], _ indent: Int) {
        for comment in comments { line(comment.isEmpty ? 0 : indent, comment) }
    }

    /// A map or list over several lines.
    private mutating func write(_ value: FormatValue, indent: Int, path: [String]) {
        guard let block = value.block else { return }
        for (index, item) in block.items.enumerated() {
            if index > 0, item.hasBlankBefore { line(0, "") }
            comments(item.leading, indent)
            if item.key != nil {
                write(entry: item, indent: indent, path: path + [item.name])
            } else {
                write(item: item, indent: indent, path: path)
            }
        }
        comments(block.tail, indent)
    }

    /// Writes `key: value`, or the key and its block below it.
    private mutating func write(entry item: FormatItem, indent: Int, path: [String]) {
        let key = (item.key ?? "") + ":"
        let trailing = item.trailing.map { " " + $0 } ?? ""
        if case .literal(let header, let lines) = item.value {
            line(indent, "\(key) \(header)\(trailing)")
            for content in lines { line(content.isEmpty ? 0 : indent + 2, content) }
            return
        }
        if let inline = inline(item.value, path: path),
            isOnOneLine(item.value, inline, indent: indent + key.unicodeScalars.count + 1, path)
        {
            line(indent, "\(key) \(inline)\(trailing)")
            return
        }
        line(indent, key + trailing)
        write(item.value, indent: indent + 2, path: path)
    }

    /// Writes `- value`. A map in a list has its first entry on the line of the dash.
    private mutating func write(item: FormatItem, indent: Int, path: [String]) {
        let trailing = item.trailing.map { " " + $0 } ?? ""
        if let inline = inline(item.value, path: path, isItem: true) {
            line(indent, "- \(inline)\(trailing)")
            return
        }
        let start = text.endIndex
        write(item.value, indent: indent + 2, path: path)
        // The dash stands on the first line that is not a comment.
        var lines = text[start...].split(separator: "\n", omittingEmptySubsequences: false)
        let first = lines.firstIndex { !$0.drop { $0 == " " }.hasPrefix("#") } ?? 0
        let blanks = String(repeating: " ", count: indent)
        lines[first] = blanks + "- " + lines[first].dropFirst(indent + 2)
        text = text[..<start] + lines.joined(separator: "\n")
    }

    private func isOnOneLine(
        _ value: FormatValue, _ inline: String, indent: Int, _ path: [String]
    ) -> Bool {
        guard let block = value.block else { return true }
        let fits = indent + inline.unicodeScalars.count <= FormatLayout.width
        var isList = false
        if case .list = value { isList = true }
        switch FormatLayout.form(of: path, isList: isList) {
        case .block: return false
        case .line: return fits
        case .asWritten: return fits && block.isFlow
        }
    }

    /// The value within a line; nil if a part of it needs lines of its own. The items of a list of
    /// host patterns are quoted; a word in place of the list, as `hosts: all`, is not.
    private func inline(
        _ value: FormatValue, path: [String], isItem: Bool = false
    ) -> String? {
        switch value {
        case .scalar(let source):
            let isPlain = isItem && source.first != "\"" && source.first != "'"
            return isPlain && FormatLayout.isHostPattern(path) ? FormatText.quoted(source) : source
        case .literal: return nil
        case .list(let block):
            guard !value.hasComments, FormatLayout.form(of: path, isList: true) != .block else {
                return nil
            }
            var items: [String] = []
            for item in block.items {
                guard let inline = inline(item.value, path: path, isItem: true) else { return nil }
                items.append(inline)
            }
            return "[" + items.joined(separator: ", ") + "]"
        case .map(let block):
            guard !value.hasComments else { return nil }
            var entries: [String] = []
            for item in block.items {
                let inside = path + [item.name]
                var isList = false
                if case .list = item.value { isList = true }
                if item.value.block != nil,
                    case .block = FormatLayout.form(of: inside, isList: isList)
                {
                    return nil
                }
                guard let inline = inline(item.value, path: inside) else { return nil }
                entries.append("\(item.key ?? ""): \(inline)")
            }
            return "{ " + entries.joined(separator: ", ") + " }"
        }
    }
}
