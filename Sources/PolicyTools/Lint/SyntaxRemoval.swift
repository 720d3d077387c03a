import PolicyCompiler

/// The edit that takes one entry of a map, or one item of a list, out of a file, whatever form the map or
/// list has. Comments stay: where one stands behind the entry there is no such edit, since nobody but its
/// author knows what it speaks of.
enum SyntaxRemoval {
    /// The edit for the entry whose key, or the item that, begins at a place; nil for the only one of its
    /// map or list, which would leave nothing.
    static func edit(at span: SourceSpan, in trees: [SyntaxTree]) -> FixIt.Edit? {
        guard let tree = trees.first(where: { $0.fileIndex == Int(span.file) }) else { return nil }
        var node = tree.root
        while let current = node {
            node = nil
            let parts = parts(of: current)
            guard let index = parts.lastIndex(where: { $0.start <= Int(span.start) }) else {
                return nil
            }
            if parts[index].start == Int(span.start), parts[index].isOwn(span) {
                guard parts.count > 1 else { return nil }
                return current.style == .flow
                    ? flow(parts, index, in: tree) : block(parts[index], in: tree)
            }
            node = parts[index].inner
        }
        return nil
    }

    /// An entry or item.
    private struct Part {
        let start: Int
        let end: Int
        /// Where its name ends: the key, or the item.
        let nameEnd: Int
        let inner: SyntaxNode

        func isOwn(_ span: SourceSpan) -> Bool { Int(span.end) == nameEnd }
    }

    private static func parts(of node: SyntaxNode) -> [Part] {
        switch node.kind {
        case .map:
            return node.entries.map { key, value in
                Part(
                    start: Int(key.span.start), end: Int(max(key.span.end, value.span.end)),
                    nameEnd: Int(key.span.end), inner: value)
            }
        case .list:
            return node.items.map { item in
                Part(
                    start: Int(item.span.start), end: Int(item.span.end),
                    nameEnd: Int(item.span.end), inner: item)
            }
        case .scalar, .error: return []
        }
    }

    /// The entry's lines, from the first to the last.
    private static func block(_ part: Part, in tree: SyntaxTree) -> FixIt.Edit? {
        let (file, bytes) = (tree.file, tree.file.bytes)
        let first = file.lines.line(of: part.start)
        let last = file.lines.line(of: max(part.start, part.end - 1))
        let before = bytes[file.lines.starts[first]..<part.start].drop { $0 == 0x20 }
        let isAlone =
            before.isEmpty
            || (before.first == UInt8(ascii: "-") && before.dropFirst().allSatisfy { $0 == 0x20 })
        let behind = bytes[min(part.end, file.line(last).upperBound)..<file.line(last).upperBound]
        guard isAlone, behind.allSatisfy({ $0 == 0x20 }) else { return nil }
        let end =
            last + 1 < file.lines.starts.count ? file.lines.starts[last + 1] : bytes.count
        return FixIt.Edit(
            SourceSpan(file: tree.fileIndex, start: file.lines.starts[first], end: end), "")
    }

    /// The entry with the comma that parts it from a neighbour, where both stand on one line.
    private static func flow(_ parts: [Part], _ index: Int, in tree: SyntaxTree) -> FixIt.Edit? {
        let bytes = tree.file.bytes
        let isLast = index + 1 == parts.count
        let range =
            isLast
            ? parts[index - 1].end..<parts[index].end : parts[index].start..<parts[index + 1].start
        let between =
            isLast
            ? bytes[parts[index - 1].end..<parts[index].start]
            : bytes[parts[index].end..<parts[index + 1].start]
        guard between.allSatisfy({ $0 == 0x20 || $0 == UInt8(ascii: ",") }) else { return nil }
        return FixIt.Edit(
            SourceSpan(file: tree.fileIndex, start: range.lowerBound, end: range.upperBound), "")
    }
}

extension LintContext {
    /// A fix that takes an entry or item out; nil where that is not possible.
    func removal(of span: SourceSpan, _ title: String, _ safety: FixIt.Safety) -> FixIt? {
        SyntaxRemoval.edit(at: span, in: trees).map {
            FixIt(title: title, safety: safety, edits: [$0])
        }
    }
}
