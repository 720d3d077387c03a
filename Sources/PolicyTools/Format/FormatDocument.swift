internal import PolicyCompiler

// A policy file as the formatter moves it: every value with the comments that belong to it. A comment on
// a line of its own belongs to what follows it, one behind a value to that value, and one that is
// indented like the end of a block to that block.

/// One entry of a map, or one item of a list.
struct FormatItem {
    /// Comments above it, in order; an empty text is a blank line between them or before the item.
    var leading: [String] = []
    /// Whether a blank line sets it off from what is before it.
    var hasBlankBefore = false
    /// The key as it is written; nil in a list.
    var key: String?
    /// The key's text, for order.
    var name = ""
    var value = FormatValue.scalar("")
    /// The comment behind it, or behind the key of a block.
    var trailing: String?

    /// Whether a comment lies in it or beside it, so that it cannot stand inside a line.
    var hasComments: Bool { !leading.isEmpty || trailing != nil || value.hasComments }
}

/// A value with its parts.
indirect enum FormatValue {
    /// As it is written.
    case scalar(String)
    /// A literal block: its header, and its lines without their indentation.
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

/// What a map or list holds.
struct FormatBlock {
    var items: [FormatItem]
    /// Whether it was written with brackets.
    var isFlow: Bool
    /// Comments behind the last item.
    var tail: [String] = []
}

/// Reads a syntax tree into items. The language limits how deep a tree is; a file that breaks the limit,
/// or has any other error of syntax, is not formatted.
struct FormatReader {
    private let tree: SyntaxTree
    /// The next comment that belongs to nothing yet.
    private var next = 0

    private init(_ tree: SyntaxTree) { self.tree = tree }

    /// The root of a tree that was read without an error; nil for a file without content.
    static func read(_ tree: SyntaxTree) -> FormatValue? {
        guard let root = tree.root else { return nil }
        var reader = FormatReader(tree)
        return reader.value(root, limit: tree.file.bytes.count)
    }

    /// Reads a node; comments from `limit` on are not its own.
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

    /// Reads key, value and the comments between and behind them.
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
            // Behind the key of a block, or on lines of their own between a key and its value.
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

    /// The comments behind the last item that belong to the block: inside its brackets, or indented at
    /// least as it is.
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

    /// Where the next comment begins, when it begins before a place.
    private func peek(before place: Int) -> Int? {
        guard next < tree.comments.count else { return nil }
        let start = Int(tree.comments[next].start)
        return start < place ? start : nil
    }

    private func firstComment(before place: Int) -> Int? { peek(before: place) }

    private mutating func take() -> String {
        next += 1
        var text = source(tree.comments[next - 1])
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }

    /// The comments up to a place, with an empty text for each run of blank lines below the first.
    private mutating func comments(before place: Int) -> [String] {
        var found: [String] = []
        while let comment = peek(before: place) {
            if !found.isEmpty, isBlankAbove(comment) { found.append("") }
            found.append(take())
        }
        if !found.isEmpty, isBlankAbove(place) { found.append("") }
        return found
    }

    // MARK: Places

    private var bytes: [UInt8] { tree.file.bytes }

    private func source(_ span: SourceSpan) -> String {
        String(decoding: bytes[Int(span.start)..<Int(span.end)], as: UTF8.self)
    }

    private func line(of offset: Int) -> Int { tree.file.lines.line(of: offset) }

    private func column(of offset: Int) -> Int { offset - tree.file.lines.starts[line(of: offset)] }

    /// Whether nothing but blanks stands before a place on its line.
    private func isOwnLine(_ offset: Int) -> Bool {
        bytes[tree.file.lines.starts[line(of: offset)]..<offset].allSatisfy { $0 == 0x20 }
    }

    private func isBlankAbove(_ offset: Int) -> Bool {
        let line = line(of: offset)
        return line > 0
            && bytes[tree.file.line(line - 1)].allSatisfy { $0 == 0x20 || $0 == 0x09 }
    }

    /// The place of the `-` before an item of a block list.
    private func dash(before start: Int) -> Int {
        var place = start - 1
        while place >= 0, bytes[place] != 0x2D { place -= 1 }
        return max(place, 0)
    }

    // MARK: Literal blocks

    /// `|`, with the digit that says how far it is indented only where its first line begins with a
    /// blank, and with `-` or `+` where its end is not one line end.
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

/// Scalars as the formatter writes them anew.
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
