/// A page of text that is being written: a tree of two levels, with citations in a column. Every
/// line goes through `TerminalEscape`.
struct TextPage {
    /// A word that may be coloured.
    enum Word {
        case good(String)
        case bad(String)
    }

    /// Column at which citations begin, where the text before them is short enough.
    private static let citationColumn = 76

    private let colour: TraceText.Colour
    private(set) var text = ""
    /// Lines of the tree. They wait here until the last line of each parent is known.
    private var nodes: [Node] = []

    private struct Node {
        let label: String
        let text: String
        let citation: String?
        var children: [Node] = []
        var details: [String] = []
    }

    init(colour: TraceText.Colour) { self.colour = colour }

    /// A line outside the tree, which may begin with a coloured word.
    mutating func line(_ word: Word?, _ rest: String) {
        switch word {
        case .good(let word): text += painted(word, .good) + TerminalEscape.escape(rest)
        case .bad(let word): text += painted(word, .bad) + TerminalEscape.escape(rest)
        case nil: text += TerminalEscape.escape(rest)
        }
        text += "\n"
    }

    /// Begins a tree.
    mutating func open() { nodes = [] }

    mutating func node(_ label: String, _ text: String, _ citation: String?) {
        nodes.append(Node(label: label, text: text, citation: citation))
    }

    /// A line below the last node.
    mutating func child(_ label: String, _ text: String, _ citation: String?) {
        guard !nodes.isEmpty else { return node(label, text, citation) }
        nodes[nodes.count - 1].children.append(Node(label: label, text: text, citation: citation))
    }

    /// A line below the last child.
    mutating func detail(_ text: String) {
        guard let last = nodes.last, !last.children.isEmpty else { return }
        nodes[nodes.count - 1].children[last.children.count - 1].details.append(text)
    }

    /// Writes the tree to the page.
    mutating func close() {
        let width = min(11, nodes.map { $0.label.count }.max() ?? 0)
        for (index, node) in nodes.enumerated() {
            let isLast = index == nodes.count - 1
            write(isLast ? "└ " : "├ ", node, labelWidth: width)
            let childWidth = node.children.map { $0.label.count }.max() ?? 0
            for (childIndex, child) in node.children.enumerated() {
                let isLastChild = childIndex == node.children.count - 1
                let stem = isLast ? "   " : "│  "
                write(stem + (isLastChild ? "└ " : "├ "), child, labelWidth: childWidth)
                for detail in child.details {
                    let indent = String(repeating: " ", count: childWidth + 3)
                    text += stem + (isLastChild ? " " : "│") + indent
                    text += TerminalEscape.escape(detail) + "\n"
                }
            }
        }
        nodes = []
    }

    private mutating func write(_ stem: String, _ node: Node, labelWidth: Int) {
        let padding = String(repeating: " ", count: max(0, labelWidth - node.label.count))
        var plain = node.label
        if !node.text.isEmpty { plain += padding + "  " + node.text }
        let escaped = TerminalEscape.escape(plain)
        let length = stem.count + escaped.count
        text += stem + painted(label: node.label, in: escaped)
        if let citation = node.citation {
            let gap = max(2, TextPage.citationColumn - length)
            text += String(repeating: " ", count: gap) + TerminalEscape.escape(citation)
        }
        text += "\n"
    }

    private enum Paint { case good, bad }

    private func painted(_ word: String, _ paint: Paint) -> String {
        guard colour == .terminal else { return word }
        // SGR 1 (bold) with 32 (green) or 31 (red), ECMA-48 section 8.3.117.
        return "\u{1B}[1;\(paint == .good ? 32 : 31)m\(word)\u{1B}[0m"
    }

    private func painted(label: String, in line: String) -> String {
        let paint: Paint
        switch label {
        case "ok": paint = .good
        case "FAILED": paint = .bad
        default: return line
        }
        return painted(label, paint) + line.dropFirst(label.count)
    }
}
