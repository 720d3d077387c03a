/// A page of text that is being written: lines, and trees of two levels, with citations behind the
/// text or below it. Every line goes through `TerminalEscape` and is wrapped to the page's width.
///
/// A page may have a height. What does not fit is left out in the order of `Part`, and `cutWords`
/// says how much that was.
struct TextPage {
    /// A word that may be coloured.
    enum Word {
        case good(String)
        case bad(String)
    }

    /// What a line is for, in the order in which lines stay where there is little room. The answer
    /// and what decides it always stay; of a text among these that is too long, the middle is left
    /// out.
    enum Part: Int, CaseIterable, Comparable {
        case answer, deciding, action, caution, repair, failure, note, evidence, path, reported,
            notice, passed
        case assumption, wanted, otherPath, certificate, lost, command

        static func < (left: Part, right: Part) -> Bool { left.rawValue < right.rawValue }

        /// Whether the part stays on a page of any height.
        var isNeeded: Bool { self <= .caution }

        /// What one line of the part is called, and several of them.
        var nouns: (String, String) {
            switch self {
            case .answer, .deciding: return ("line", "lines")
            case .action, .caution, .repair: return ("repair", "repairs")
            case .failure: return ("further failure", "further failures")
            case .note: return ("note", "notes")
            case .evidence: return ("detail", "details")
            case .path: return ("path", "paths")
            case .reported: return ("tolerated failure", "tolerated failures")
            case .assumption: return ("assumption", "assumptions")
            case .passed: return ("passed check", "passed checks")
            case .notice: return ("notice", "notices")
            case .wanted: return ("wanted address", "wanted addresses")
            case .otherPath: return ("other path", "other paths")
            case .certificate: return ("unreadable certificate", "unreadable certificates")
            case .lost: return ("other pattern", "other patterns")
            case .command: return ("command", "commands")
            }
        }
    }

    /// The size of a page.
    struct Size: Hashable {
        /// Columns, at least 20.
        let columns: Int
        /// Lines; nil where the page may be as long as it is.
        let rows: Int?
    }

    private let colour: TraceText.Colour
    private let size: Size
    private var items: [Item] = []
    /// Lines of the tree. They wait here until the last line of each parent is known.
    private var nodes: [Node] = []

    private struct Node {
        var label: String
        var text: String
        let citation: String?
        let part: Part
        var isCommand = false
        /// The text for a page on which the whole one has no room. Where it is empty, the node has
        /// no room there.
        var brief: String?
        var children: [Node] = []
        var details: [String] = []
        /// Lines to write into a policy, and where. They stand below the tree, so that they can be
        /// pasted as they are.
        var snippet: (title: String, lines: [String])?
    }

    private enum Item {
        case line(Word?, String, Part)
        case tree([Node])
    }

    init(
        colour: TraceText.Colour, size: Size = Size(columns: TextPage.defaultColumns, rows: nil)
    ) {
        self.colour = colour
        self.size = Size(columns: max(20, size.columns), rows: size.rows)
    }

    /// The width of a page in files and pipes.
    static let defaultColumns = 100

    /// A line outside the tree, which may begin with a coloured word.
    mutating func line(_ word: Word?, _ rest: String, _ part: Part = .answer) {
        items.append(.line(word, rest, part))
    }

    /// Begins a tree.
    mutating func open() { nodes = [] }

    mutating func node(
        _ label: String, _ text: String, _ citation: String?, _ part: Part = .answer
    ) {
        nodes.append(Node(label: label, text: text, citation: citation, part: part))
    }

    /// A line below the last node.
    mutating func child(
        _ label: String, _ text: String, _ citation: String?, _ part: Part = .answer,
        brief: String? = nil
    ) {
        guard !nodes.isEmpty else { return node(label, text, citation, part) }
        nodes[nodes.count - 1].children.append(
            Node(label: label, text: text, citation: citation, part: part, brief: brief))
    }

    /// A command below the last node, ready to paste.
    mutating func command(_ text: String) {
        guard !nodes.isEmpty else { return }
        nodes[nodes.count - 1].children.append(
            Node(label: "$", text: text, citation: nil, part: .command, isCommand: true))
    }

    /// A line below the last child.
    mutating func detail(_ text: String) {
        guard let last = nodes.last, !last.children.isEmpty else { return }
        nodes[nodes.count - 1].children[last.children.count - 1].details.append(text)
    }

    /// Lines to write into a policy, which belong to the last child. They stay and go with it.
    mutating func snippet(_ title: String, _ lines: [String]) {
        guard let last = nodes.last, !last.children.isEmpty, !lines.isEmpty else { return }
        nodes[nodes.count - 1].children[last.children.count - 1].snippet = (title, lines)
    }

    /// Writes the tree to the page.
    mutating func close() {
        if !nodes.isEmpty { items.append(.tree(nodes)) }
        nodes = []
    }

    // MARK: The text

    /// The page; each line ends with a line feed. `closing` makes the last line from what was left
    /// out for want of room: nil where nothing was.
    func text(closing: (String?) -> String? = { _ in nil }) -> String {
        var items = items
        var removed: [Part: Int] = [:]
        func lines() -> [String] {
            var lines = items.flatMap { layOut($0) }
            if let last = closing(TextPage.words(removed)) {
                lines += layOut(.line(nil, last, .answer))
            }
            return lines
        }
        var shown = lines()
        guard let rows = size.rows else { return TextPage.joined(shown) }
        // A brief text leaves room for the other repairs.
        if shown.count > rows {
            items = items.map(TextPage.brief)
            shown = lines()
        }
        for part in Part.allCases.reversed() where !part.isNeeded {
            // What to do stays longer than the lines that do it.
            if part == .repair, shown.count > rows, TextPage.removeSnippets(from: &items) {
                shown = lines()
            }
            while shown.count > rows, TextPage.removeLast(part, from: &items) {
                removed[part, default: 0] += 1
                shown = lines()
            }
        }
        // Only what must stay is left.
        var limit = 6
        while shown.count > rows, limit > 0 {
            for index in items.indices {
                items[index] = TextPage.shortened(items[index], to: limit * (size.columns - 16))
            }
            shown = lines()
            limit -= 1
        }
        return TextPage.joined(shown)
    }

    private static func joined(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    /// How much was left out: "2 repairs, 1 command"; nil where nothing was.
    private static func words(_ removed: [Part: Int]) -> String? {
        guard !removed.isEmpty else { return nil }
        return removed.sorted { $0.key < $1.key }.map { part, count in
            count == 1 ? "1 \(part.nouns.0)" : "\(count) \(part.nouns.1)"
        }.joined(separator: ", ")
    }

    /// Removes the last line of a part with the lines below it. A node that has lost its last
    /// child, and says nothing itself, goes with it.
    private static func removeLast(_ part: Part, from items: inout [Item]) -> Bool {
        for index in items.indices.reversed() {
            switch items[index] {
            case .line(_, _, let own):
                guard own == part else { continue }
                items.remove(at: index)
                return true
            case .tree(var nodes):
                for position in nodes.indices.reversed() {
                    if let child = nodes[position].children.lastIndex(where: { $0.part == part }) {
                        nodes[position].children.remove(at: child)
                        if nodes[position].children.isEmpty, nodes[position].text.isEmpty {
                            nodes.remove(at: position)
                        }
                    } else if nodes[position].part == part, !nodes[position].text.isEmpty {
                        nodes.remove(at: position)
                    } else {
                        continue
                    }
                    items[index] = .tree(nodes)
                    if nodes.isEmpty { items.remove(at: index) }
                    return true
                }
            }
        }
        return false
    }

    /// Removes the lines to write into a policy. The text that they belong to then says where they
    /// are. False where there are none.
    private static func removeSnippets(from items: inout [Item]) -> Bool {
        var removed = false
        for index in items.indices {
            guard case .tree(var nodes) = items[index] else { continue }
            for node in nodes.indices {
                for child in nodes[node].children.indices
                where nodes[node].children[child].snippet != nil {
                    nodes[node].children[child].snippet = nil
                    nodes[node].children[child].text += "; `--trace` shows the lines"
                    removed = true
                }
            }
            items[index] = .tree(nodes)
        }
        return removed
    }

    /// An item with the brief texts of its children.
    private static func brief(_ item: Item) -> Item {
        guard case .tree(var nodes) = item else { return item }
        for node in nodes.indices {
            nodes[node].children = nodes[node].children.compactMap { child in
                guard let brief = child.brief else { return child }
                var child = child
                child.text = brief
                return brief.isEmpty ? nil : child
            }
        }
        return .tree(nodes)
    }

    /// An item with texts of no more than so many columns.
    private static func shortened(_ item: Item, to columns: Int) -> Item {
        switch item {
        case .line(let word, let rest, let part):
            return .line(word, TextWrap.shortened(TerminalEscape.escape(rest), to: columns), part)
        case .tree(let nodes):
            return .tree(
                nodes.map { node in
                    var node = node
                    node.text = TextWrap.shortened(TerminalEscape.escape(node.text), to: columns)
                    node.details = []
                    for child in node.children.indices where node.children[child].part.isNeeded {
                        node.children[child].text = TextWrap.shortened(
                            TerminalEscape.escape(node.children[child].text), to: columns)
                    }
                    return node
                })
        }
    }

    // MARK: Layout

    private func layOut(_ item: Item) -> [String] {
        switch item {
        case .line(let word, let rest, _): return layOut(word, rest)
        case .tree(let nodes): return layOut(nodes)
        }
    }

    private func layOut(_ word: Word?, _ rest: String) -> [String] {
        let plain: (String, Paint?)
        switch word {
        case .good(let word): plain = (word, .good)
        case .bad(let word): plain = (word, .bad)
        case nil: plain = ("", nil)
        }
        let escaped = TerminalEscape.escape(rest)
        let blanks = escaped.prefix { $0 == " " }
        let indent = word == nil ? String(blanks) : "  "
        let body = word == nil ? String(escaped.dropFirst(blanks.count)) : plain.0 + escaped
        var lines = TextWrap.lines(
            body, first: size.columns - (word == nil ? indent.count : 0),
            rest: size.columns - indent.count)
        for index in lines.indices where index > 0 || word == nil {
            lines[index] = indent + lines[index]
        }
        if let paint = plain.1, lines[0].hasPrefix(plain.0) {
            lines[0] = painted(plain.0, paint) + lines[0].dropFirst(plain.0.count)
        }
        return lines
    }

    private func layOut(_ nodes: [Node]) -> [String] {
        var lines: [String] = []
        let width = nodes.map { $0.text.isEmpty ? 0 : $0.label.count }.max() ?? 0
        for (index, node) in nodes.enumerated() {
            let isLast = index == nodes.count - 1
            let stem = isLast ? "   " : "│  "
            let hasChildren = !node.children.isEmpty
            lines += layOut(
                node, stem: isLast ? "└ " : "├ ",
                below: hasChildren ? "\(stem)│" : stem,
                labelWidth: width)
            let childWidth = node.children.map { $0.label.count }.max() ?? 0
            for (childIndex, child) in node.children.enumerated() {
                let isLastChild = childIndex == node.children.count - 1
                let below = stem + (isLastChild ? " " : "│")
                lines += layOut(
                    child, stem: stem + (isLastChild ? "└ " : "├ "), below: below,
                    labelWidth: childWidth)
                let indent = String(repeating: " ", count: childWidth + 3)
                for detail in child.details {
                    lines += wrapped(detail, behind: below + indent)
                }
            }
        }
        for child in nodes.flatMap(\.children) {
            guard let snippet = child.snippet else { continue }
            lines += layOut(nil, snippet.title)
            // A break inside a literal block would change its text.
            let isLiteral = snippet.lines.contains { TextWrap.beginsLiteral($0) }
            for line in snippet.lines.map(TerminalEscape.escape) {
                lines +=
                    isLiteral ? [line] : TextWrap.policyLine(line, columns: size.columns)
            }
        }
        return lines
    }

    /// A line of its own width, with what does not fit two columns further in.
    private func wrapped(_ text: String, behind prefix: String) -> [String] {
        let escaped = TerminalEscape.escape(text)
        let blanks = escaped.prefix { $0 == " " }
        let room = size.columns - prefix.count - blanks.count
        let lines = TextWrap.lines(
            String(escaped.dropFirst(blanks.count)), first: room, rest: room - 2)
        return lines.enumerated().map { index, line in
            prefix + blanks + (index == 0 ? "" : "  ") + line
        }
    }

    /// A node: its label, its text, and its citation behind the text if there is room, otherwise
    /// below it.
    private func layOut(
        _ node: Node, stem: String, below: String, labelWidth: Int
    ) -> [String] {
        let label = TerminalEscape.escape(node.label)
        let head = painted(label: label)
        guard !node.text.isEmpty else {
            return [stem + head + (node.citation.map { "  " + TerminalEscape.escape($0) } ?? "")]
        }
        let padding = String(repeating: " ", count: max(0, labelWidth - node.label.count) + 2)
        let start = stem.count + label.count + padding.count
        let room = size.columns - start
        let escaped = TerminalEscape.escape(node.text)
        var lines =
            node.isCommand
            ? TextWrap.command(escaped, columns: room)
            : TextWrap.lines(escaped, first: room, rest: room)
        if let citation = node.citation.map(TerminalEscape.escape) {
            let last = TextWrap.columns(lines[lines.count - 1])
            let gap = max(2, size.columns - TextPage.citationColumns - start - last)
            if last + gap + TextWrap.columns(citation) <= room {
                lines[lines.count - 1] += String(repeating: " ", count: gap) + citation
            } else if last + 2 + TextWrap.columns(citation) <= room {
                lines[lines.count - 1] += "  " + citation
            } else {
                lines += TextWrap.lines(citation, first: room, rest: room)
            }
        }
        // A command is pasted, so nothing but blanks may stand before its further lines.
        let continuation =
            (node.isCommand ? String(repeating: " ", count: below.count) : below)
            + String(repeating: " ", count: max(0, start - below.count))
        return lines.enumerated().map { index, line in
            index == 0 ? stem + head + padding + line : continuation + line
        }
    }

    /// The columns at the end of a line where citations begin, where text and citation leave room.
    private static let citationColumns = 38

    private enum Paint { case good, bad }

    private func painted(_ word: String, _ paint: Paint) -> String {
        guard colour == .terminal else { return word }
        // SGR 1 (bold) with 32 (green) or 31 (red), ECMA-48 section 8.3.117.
        return "\u{1B}[1;\(paint == .good ? 32 : 31)m\(word)\u{1B}[0m"
    }

    private func painted(label: String) -> String {
        switch label {
        case "ok": return painted(label, .good)
        case "FAILED": return painted(label, .bad)
        default: return label
        }
    }
}
