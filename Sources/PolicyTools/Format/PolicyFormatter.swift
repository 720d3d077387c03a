package import PolicyCompiler

/// Writes a policy file in the canonical layout (LANGUAGE section 3). It works on the lossless
/// tree: only blanks, line ends, brackets around what fits on a line, and the quotes of host
/// patterns change. Comments are unchanged and stay with the part that they belong to.
package enum PolicyFormatter {
    /// Why a file is not formatted.
    package enum Problem: Error, Hashable, Sendable {
        /// The file has syntax errors, or its root is not a map. Text that could not be read cannot
        /// be moved.
        case syntax
        /// An error of ours: the new text has another meaning than the old one. Nothing is written.
        case meaningChanged
    }

    /// Whether the order of keys and items may change.
    package enum Order: Hashable, Sendable {
        /// Only the top-level keys are put in the order of the language.
        case asWritten
        /// Keys are in the order of the language, named things are sorted by id, and lists whose
        /// order has no meaning are sorted by text.
        case sorted
    }

    /// The canonical text of a file. A file without content is its own canonical text.
    package static func format(
        _ tree: SyntaxTree, order: Order = .asWritten
    ) throws(Problem) -> [UInt8] {
        guard !tree.diagnostics.contains(where: { $0.severity == .error }) else { throw .syntax }
        guard tree.root?.kind ?? .map == .map else { throw .syntax }
        guard var root = FormatReader.read(tree) else { return tree.file.bytes }
        let header = FormatOrder.takeHeader(from: &root)
        FormatOrder.arrange(&root, order)
        var text = header.map { $0 + "\n" }.joined() + marker(of: tree) + FormatPrinter.print(root)
        while text.hasPrefix("\n") { text.removeFirst() }
        let bytes = Array(text.utf8)
        let again = SyntaxParser.parse(
            SourceFile(path: tree.file.path, bytes: bytes), fileIndex: tree.fileIndex)
        guard says(again, whatIsSaidBy: tree) else { throw .meaningChanged }
        return bytes
    }

    /// The `---` that may stand before the first key.
    private static func marker(of tree: SyntaxTree) -> String {
        guard let root = tree.root else { return "" }
        var start = 0
        while start < Int(root.span.start) {
            let line = tree.file.line(tree.file.lines.line(of: start))
            if tree.file.bytes[line].starts(with: [0x2D, 0x2D, 0x2D]) { return "---\n" }
            let next = tree.file.lines.line(of: start) + 1
            guard next < tree.file.lines.starts.count else { break }
            start = tree.file.lines.starts[next]
        }
        return ""
    }

    /// Whether two trees have the same keys and values, in any order, and the same comments.
    private static func says(_ tree: SyntaxTree, whatIsSaidBy other: SyntaxTree) -> Bool {
        guard !tree.diagnostics.contains(where: { $0.severity == .error }),
            comments(of: tree) == comments(of: other)
        else { return false }
        switch (tree.root, other.root) {
        case (nil, nil): return true
        case (let root?, let other?): return digest(root) == digest(other)
        default: return false
        }
    }

    private static func comments(of tree: SyntaxTree) -> [String] {
        tree.comments.map { span in
            var text = String(
                decoding: tree.file.bytes[Int(span.start)..<Int(span.end)], as: UTF8.self)
            while text.last == " " || text.last == "\t" { text.removeLast() }
            return text
        }.sorted()
    }

    /// A text that is equal for nodes of equal meaning: entries and items sorted, each with its
    /// length.
    private static func digest(_ node: SyntaxNode) -> String {
        func framed(_ text: String) -> String { "\(text.utf8.count):\(text)" }
        switch node.kind {
        case .map:
            let entries = node.entries.map { framed($0.key.text) + framed(digest($0.value)) }
            return "m" + entries.sorted().joined()
        case .list: return "l" + node.items.map { framed(digest($0)) }.sorted().joined()
        case .scalar: return "s" + node.text
        case .error: return "e"
        }
    }
}
