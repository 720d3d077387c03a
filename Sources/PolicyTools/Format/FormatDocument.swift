internal import PolicyCompiler

// A policy file in the form in which the formatter moves its parts: every value with the comments
// that belong to it. A comment on a line of its own belongs to the part that follows it. A comment
// after a value belongs to that value. A comment that is indented like the end of a block belongs
// to that block.

/// One entry of a map, or one item of a list.
struct FormatItem {
    /// The comments above it, in order. An empty text is a blank line between comments or before
    /// the item.
    var leading: [String] = []
    /// Whether a blank line separates it from the item before.
    var hasBlankBefore = false
    /// The key as written; nil in a list.
    var key: String?
    /// The key's text, by which entries are sorted.
    var name = ""
    var value = FormatValue.scalar("")
    /// The comment after it, or after the key of a block.
    var trailing: String?

    /// Whether a comment is in it or beside it. Then it cannot be written within one line.
    var hasComments: Bool { !leading.isEmpty || trailing != nil || value.hasComments }
}

/// A value and its parts.
indirect enum FormatValue {
    /// The text as written.
    case scalar(String)
    /// A literal block: its header, and its lines without indentation.
    case literal(header: String, lines: [String])
    case map(FormatBlock)
    case list(FormatBlock)

    /// The parts of a map or list.
    var block: FormatBlock? {
        switch self {
        case .map(let block), .list(let block): return block
        case .scalar, .literal: return nil
        }
    }

    var hasComments: Bool {
        guard let block else { return false }
        return !block.tail.isEmpty || block.items.contains(where: \.hasComments)
    }
}

/// The items of a map or list.
struct FormatBlock {
    var items: [FormatItem]
    /// Whether it was written with brackets.
    var isFlow: Bool
    /// The comments after the last item.
    var tail: [String] = []
}

/// Reads a syntax tree into items. The language limits the depth of a tree. A file that exceeds the
/// limit, or has another syntax error, is not formatted.
struct FormatReader {
    private let tree: SyntaxTree
    /// The index of the next comment that does not belong to an item yet.
    private var next = 0

    private init(_ tree: SyntaxTree) { self.tree = tree }

    /// The root of a tree without syntax errors; nil for a file without content.
    static func read(_ tree: SyntaxTree) -> FormatValue? {
        guard let root = tree.root else { return nil }
        var reader = FormatReader(tree)
        return reader.value(root, limit: tree.file.bytes.count)
    }

    /// Reads a node. Comments from offset `limit` on do not belong to it.
    private mutating func value(_ node: SyntaxNode, limit: Int) -> FormatValue {
        switch node.kind {
        case .map: return .map(block(node, limit))
        case .list: return .list(block(node, limit))
        case .scalar, .error:
            if node.style == .literal {
                return .literal(header: header(node), lines: lines(node))
            }
            let source = source(node.span)
            return .scalar(source.contains("\n") ? FormatText.quoted(node.text) : source)
        }
    }

    private mutating func block(_ node: SyntaxNode, _ limit: Int) -> FormatBlock {
        let isFlow = node.style == .flow
        let end = isFlow ? min(limit, Int(node.span.end)) : limit
        let parts: [(key: SyntaxNode?, value: SyntaxNode)] =
            node.kind == .map
            ? node.entries.map { (key: $0.key, value: $0.value) }
            : node.items.map { (key: nil, value: $0) }
        var block = FormatBlock(items: [], isFlow: isFlow)
        for (index, part) in parts.enumerated() {
            let first = part.key ?? part.value
            var start = Int(first.span.start)
            if part.key == nil, !isFlow { start = dash(before: start) }
            let following = index + 1 < parts.count ? parts[index + 1] : nil
            let behind = following.map { Int(($0.key ?? $0.value).span.start) } ?? end
            var item = FormatItem()
            item.hasBlankBefore = index > 0 && isBlankAbove(firstComment(before: start) ?? start)
            item.leading = comments(before: start)
            read(part.key, part.value, limit: behind, into: &item)
            block.items.append(item)
        }
        block.tail = tail(of: node, isFlow: isFlow, end)
        return block
    }

    /// Reads a key, its value, and the comments between and after them.
    private mutating func read(
        _ key: SyntaxNode?, _ value: SyntaxNode, limit: Int, into item: inout FormatItem
    ) {
        if let key {
            item.key = source(key.span)
            item.name = key.text
        }
        let isBlock = value.style == .block
        var above: [String] = []
        while let comment = peek(before: Int(value.span.start)) {
            // After the key of a block, or on lines of their own between a key and its value.
            if isBlock, item.trailing == nil, !isOwnLine(comment) {
                item.trailing = take()
            } else {
                above.append(take())
            }
        }
        if !isBlock {
            item.leading += above
            above = []
        }
        item.value = self.value(value, limit: isBlock ? limit : Int(value.span.end))
        if !above.isEmpty { item.value.prepend(above) }
        guard !isBlock else { return }
        if value.style == .literal {
            while peek(before: Int(value.span.end)) != nil { item.leading.append(take()) }
            return
        }
        if let comment = peek(before: limit), !isOwnLine(comment),
            line(of: comment) == line(of: max(0, Int(value.span.end) - 1))
        {
            item.trailing = take()
        }
    }

    /// The comments after the last item that belong to the block: inside its brackets, or indented
    /// at least as deep as the block.
    private mutating func tail(of node: SyntaxNode, isFlow: Bool, _ end: Int) -> [String] {
        var tail: [String] = []
        let column = column(of: Int(node.span.start))
        while let comment = peek(before: end), isFlow || self.column(of: comment) >= column {
            if !tail.isEmpty, isBlankAbove(comment) { tail.append("") }
            tail.append(take())
        }
        return tail
    }

    // MARK: Comments

    /// The offset of the next comment, if it begins before `offset`.
    private func peek(before offset: Int) -> Int? {
        guard next < tree.comments.count else { return nil }
        let start = Int(tree.comments[next].start)
        return start < offset ? start : nil
    }

    private func firstComment(before offset: Int) -> Int? { peek(before: offset) }

    private mutating func take() -> String {
        next += 1
        var text = source(tree.comments[next - 1])
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }

    /// The comments before an offset. An empty text stands for each group of blank lines after the
    /// first comment.
    private mutating func comments(before offset: Int) -> [String] {
        var found: [String] = []
        while let comment = peek(before: offset) {
            if !found.isEmpty, isBlankAbove(comment) { found.append("") }
            found.append(take())
        }
        if !found.isEmpty, isBlankAbove(offset) { found.append("") }
        return found
    }

    // MARK: Places

    private var bytes: [UInt8] { tree.file.bytes }

    private func source(_ span: SourceSpan) -> String {
        String(decoding: bytes[Int(span.start)..<Int(span.end)], as: UTF8.self)
    }

    private func line(of offset: Int) -> Int { tree.file.lines.line(of: offset) }

    private func column(of offset: Int) -> Int { offset - tree.file.lines.starts[line(of: offset)] }

    /// Whether only blanks stand before an offset on its line.
    private func isOwnLine(_ offset: Int) -> Bool {
        bytes[tree.file.lines.starts[line(of: offset)]..<offset].allSatisfy { $0 == 0x20 }
    }

    private func isBlankAbove(_ offset: Int) -> Bool {
        let line = line(of: offset)
        return line > 0
            && bytes[tree.file.line(line - 1)].allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }

    /// The offset of the `-` before an item of a block list.
    private func dash(before start: Int) -> Int {
        var offset = start - 1
        while offset >= 0, bytes[offset] != 0x2D { offset -= 1 }
        return max(offset, 0)
    }

    // MARK: Literal blocks

    /// The header of a literal block: `|`; with a digit for the indentation only if the first line
    /// begins with a blank; with `-` or `+` if the text does not end with exactly one line end.
    private func header(_ node: SyntaxNode) -> String {
        let text = node.text
        let isIndented = text.drop { $0 == "\n" }.first == " "
        let end = !text.hasSuffix("\n") ? "-" : text == "\n" || text.hasSuffix("\n\n") ? "+" : ""
        return "|" + (isIndented ? "2" : "") + end
    }

    private func lines(_ node: SyntaxNode) -> [String] {
        var lines = node.text.split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}

extension FormatValue {
    /// Puts comments above the first item.
    fileprivate mutating func prepend(_ comments: [String]) {
        func prepended(_ block: FormatBlock) -> FormatBlock {
            var block = block
            guard !block.items.isEmpty else { return block }
            block.items[0].leading = comments + block.items[0].leading
            return block
        }
        switch self {
        case .map(let block): self = .map(prepended(block))
        case .list(let block): self = .list(prepended(block))
        case .scalar, .literal: break
        }
    }
}

/// Scalars as the formatter writes them.
enum FormatText {
    /// A text in double quotes, on one line.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
