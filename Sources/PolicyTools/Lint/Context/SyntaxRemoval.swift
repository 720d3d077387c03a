import PolicyCompiler

/// The edit that removes one entry of a map, or one item of a list, from a file, in flow or block
/// form. Comments stay. If a comment stands after the entry, no edit is made, since only its author
/// knows the subject of the comment.
enum SyntaxRemoval {
    /// The edit for the entry or item whose name has this span. Nil for the only one of its map or
    /// list, which would then be empty.
    static func edit(at span: SourceSpan, in trees: [SyntaxTree]) -> FixIt.Edit? {
        guard let tree = trees.first(where: { $0.fileIndex == Int(span.file) }),
            let (parent, index) = tree.part(named: span), parent.partCount > 1
        else { return nil }
        return parent.style == .flow
            ? flow(parent, index, in: tree) : block(parent.part(index), in: tree)
    }

    /// Removes the lines of the entry, from the first to the last.
    private static func block(_ part: SyntaxPart, in tree: SyntaxTree) -> FixIt.Edit? {
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

    /// Removes the entry and the comma between it and a neighbour, if both stand on one line.
    private static func flow(
        _ node: SyntaxNode, _ index: Int, in tree: SyntaxTree
    ) -> FixIt.Edit? {
        let part = node.part(index)
        let range: Range<Int>
        let between: Range<Int>
        if index + 1 < node.partCount {
            let next = node.part(index + 1).start
            range = part.start..<max(part.start, next)
            between = min(part.end, next)..<next
        } else {
            let last = node.part(index - 1).end
            range = min(last, part.end)..<part.end
            between = min(last, part.start)..<part.start
        }
        let isPlain = tree.file.bytes[between].allSatisfy { $0 == 0x20 || $0 == UInt8(ascii: ",") }
        guard isPlain else { return nil }
        return FixIt.Edit(
            SourceSpan(file: tree.fileIndex, start: range.lowerBound, end: range.upperBound), "")
    }
}

extension LintContext {
    /// The value of a key in the map that stands under another key; nil if there is none.
    func value(of key: String, under span: SourceSpan) -> SyntaxNode? {
        var node = trees.first { $0.fileIndex == Int(span.file) }?.root
        while let current = node, let index = current.lastPart(by: Int(span.start)) {
            let part = current.part(index)
            if part.start == Int(span.start), part.nameEnd == Int(span.end) {
                return part.value.entries.first { $0.key.text == key }?.value
            }
            node = part.value
        }
        return nil
    }

    /// A fix that removes an entry or item; nil if it cannot be removed.
    func removal(
        of span: SourceSpan, _ title: String, _ safety: FixIt.Safety, _ basis: FixIt.Basis,
        moves: [String] = []
    ) -> FixIt? {
        SyntaxRemoval.edit(at: span, in: trees).map {
            FixIt(title: title, safety: safety, basis: basis, edits: [$0], moves: moves)
        }
    }
}
