extension SyntaxParser {
    /// As `parse`, in less time where most of the text belongs to a tree that was read before:
    /// while somebody types, only the entries around the change are read again. The result is the
    /// same tree.
    ///
    /// - Parameter old: the tree of an earlier text of the file.
    static func parse(
        _ file: SourceFile, fileIndex: Int, mostNodes: Int, reusing old: SyntaxTree?
    ) -> SyntaxTree {
        guard let old, file.bytes.count >= SyntaxReuse.fewestBytes,
            let reuse = SyntaxReuse(old, for: file, fileIndex: fileIndex),
            let tree = reuse.tree(), tree.nodes.count <= mostNodes
        else { return parse(file, fileIndex: fileIndex, mostNodes: mostNodes) }
        return tree
    }
}

/// Makes the tree of a text from the tree of another one, where the change between them lies in one
/// section of a file: in the block map under a key of the root, such as `rules`.
///
/// The text of the section is cut where its entries begin. Entries before the change stand in both
/// texts, and so do entries behind it. What lies between is read by itself, as the section of a
/// file of its own. Where it is sound, it ends where it is cut: an entry ends before the next key
/// with its indentation, and only an open quote, bracket or document reaches further, which a text
/// that is read to its end without a diagnostic does not have. In every other case, also where the
/// old or the new text has a diagnostic, the file is read as a whole.
struct SyntaxReuse {
    /// A smaller file is read as a whole.
    static let fewestBytes = 4 << 10
    /// More entries are not compared with the keys of all others.
    private static let mostEntries = 64

    private let old: SyntaxTree
    private let file: SourceFile
    private let fileIndex: Int
    /// The octets that both texts begin and end with.
    private let same: (start: Int, end: Int)
    /// The index of the section in the root, and its map.
    private let number: Int
    private let section: SyntaxNode
    /// The entries of the section that are read again.
    private let entries: Range<Int>
    /// Where these entries stand in both texts: from the beginning of a line to the beginning of
    /// another.
    private let before: Range<Int>
    private let after: Range<Int>

    init?(_ old: SyntaxTree, for file: SourceFile, fileIndex: Int) {
        guard old.diagnostics.isEmpty, old.fileIndex == fileIndex, old.rootIndex == 0,
            let root = old.root, root.kind == .map, root.style == .block
        else { return nil }
        self.old = old
        self.file = file
        self.fileIndex = fileIndex
        same = SyntaxReuse.same(old.file.bytes, file.bytes)
        let changed = same.start..<old.file.bytes.count - same.end
        guard let number = root.lastPart(by: changed.lowerBound) else { return nil }
        let section = root.part(number).value
        guard section.kind == .map, section.style == .block else { return nil }
        self.number = number
        self.section = section
        // The key of the first entry, and its colon, are the same in both texts.
        guard var first = section.lastPart(by: changed.lowerBound) else { return nil }
        while section.part(first).nameEnd + 2 > changed.lowerBound {
            guard first > 0 else { return nil }
            first -= 1
        }
        var end = (section.lastPart(by: changed.upperBound) ?? first) + 1
        end = max(end, first + 1)
        func line(_ offset: Int) -> Int {
            old.file.lines.starts[old.file.lines.line(of: offset)]
        }
        while end < section.partCount, line(section.part(end).start) < changed.upperBound {
            end += 1
        }
        var stop = old.file.bytes.count
        if end < section.partCount {
            stop = line(section.part(end).start)
        } else if number + 1 < root.partCount {
            // The next section begins in the part that both texts end with.
            stop = line(root.part(number + 1).start)
            guard stop >= changed.upperBound else { return nil }
        }
        let start = line(section.part(first).start)
        let indentation = old.file.bytes[start..<section.part(first).start]
        guard !indentation.isEmpty, indentation.allSatisfy({ $0 == 0x20 }),
            end - first <= SyntaxReuse.mostEntries
        else { return nil }
        entries = first..<end
        before = start..<stop
        let newStop = file.bytes.count - (old.file.bytes.count - stop)
        guard newStop > start else { return nil }
        after = start..<newStop
        guard stop == old.file.bytes.count || file.bytes[after.upperBound - 1] == 0x0A
        else { return nil }
    }

    /// The octets that two texts begin with, and those that the rest of them ends with.
    private static func same(_ left: [UInt8], _ right: [UInt8]) -> (start: Int, end: Int) {
        let most = min(left.count, right.count)
        let (one, other) = (left.span, right.span)
        var start = 0
        while start < most, one[start] == other[start] { start += 1 }
        var end = 0
        while end < most - start,
            one[left.count - 1 - end] == other[right.count - 1 - end]
        {
            end += 1
        }
        return (start, end)
    }

    // MARK: Reading

    /// The key that stands above the entries while they are read.
    private static let head = Array("x:\n".utf8)

    /// The tree; nil where the file must be read as a whole.
    func tree() -> SyntaxTree? {
        let inner = SyntaxParser.parse(
            SourceFile(path: file.path, bytes: SyntaxReuse.head + file.bytes[after]),
            fileIndex: fileIndex)
        // The root, its key and the section come first.
        guard inner.diagnostics.isEmpty, inner.rootIndex == 0, let root = inner.root,
            root.kind == .map, root.partCount == 1, root.part(0).value.index == 2
        else { return nil }
        let middle = root.part(0).value
        let column = section.part(entries.lowerBound).start - before.lowerBound
        guard middle.kind == .map, middle.style == .block, middle.partCount > 0,
            middle.partCount <= SyntaxReuse.mostEntries,
            middle.part(0).start == SyntaxReuse.head.count + column, hasNewKeys(middle)
        else { return nil }
        return joined(inner, middle)
    }

    /// Whether no key of the new entries stands in an entry of the section that stays.
    private func hasNewKeys(_ middle: SyntaxNode) -> Bool {
        let keys = (0..<middle.partCount).map { Array((middle.part($0).key?.text ?? "").utf8) }
        for index in 0..<section.partCount where !entries.contains(index) {
            let node = old.nodes[old.entry(index, of: section.index).key]
            if node.text >= 0 {
                let text = old.texts[Int(node.text)].utf8
                if keys.contains(where: { $0.elementsEqual(text) }) { return false }
                continue
            }
            let content = Int(node.content.start)..<Int(node.content.end)
            for key in keys where key.count == content.count {
                if old.file.bytes[content].elementsEqual(key) { return false }
            }
        }
        return true
    }

    // MARK: Joining

    /// How far the parts behind the change move, in octets and in the lists of the tree.
    private struct Shift {
        var octets = 0
        var nodes = 0
        var children = 0
        var texts = 0
    }

    /// The old tree with the new entries in place of the old ones. Nodes, lists of children and
    /// texts have the order in which a whole file is read.
    private func joined(_ inner: SyntaxTree, _ middle: SyntaxNode) -> SyntaxTree {
        let count = section.partCount
        let nodes =
            old.entry(entries.lowerBound, of: section.index)
            .key..<(entries.upperBound < count
            ? old.entry(entries.upperBound, of: section.index).key : firstBehind())
        let (children, texts) = ranges(of: nodes)
        let innerFirst = 3
        // The lists of the section and of the root come last.
        let innerChildren = Int(inner.nodes[middle.index].firstChild)
        var shift = Shift()
        shift.octets = after.count - before.count
        shift.nodes = inner.nodes.count - innerFirst - nodes.count
        shift.children = innerChildren - children.count
        shift.texts = inner.texts.count - texts.count
        let own = Shift(
            octets: after.lowerBound - SyntaxReuse.head.count, nodes: nodes.lowerBound - innerFirst,
            children: children.lowerBound, texts: texts.lowerBound)

        var newNodes: [SyntaxNode.Storage] = []
        newNodes.reserveCapacity(old.nodes.count + shift.nodes)
        newNodes += old.nodes[..<nodes.lowerBound]
        for node in inner.nodes[innerFirst...] { newNodes.append(moved(node, own)) }
        for node in old.nodes[nodes.upperBound...] { newNodes.append(moved(node, shift)) }

        var newChildren: [Int32] = []
        newChildren.reserveCapacity(old.children.count + shift.children + middle.partCount)
        newChildren += old.children[..<children.lowerBound]
        for child in inner.children[..<innerChildren] {
            newChildren.append(child + Int32(own.nodes))
        }
        let list = Int(old.nodes[section.index].firstChild)
        func add(_ range: Range<Int>) {
            for child in old.children[range] {
                newChildren.append(
                    Int(child) < nodes.upperBound ? child : child + Int32(shift.nodes))
            }
        }
        add(children.upperBound..<list)
        let newList = newChildren.count
        add(list..<list + 2 * entries.lowerBound)
        for child in inner.children[innerChildren..<innerChildren + 2 * middle.partCount] {
            newChildren.append(child + Int32(own.nodes))
        }
        add(list + 2 * entries.upperBound..<list + 2 * count)
        let newCount = newChildren.count - newList
        let grown = newCount - 2 * count
        add(list + 2 * count..<old.children.count)
        // Lists behind the section's list move by its growth too.
        for index in (nodes.lowerBound + inner.nodes.count - innerFirst)..<newNodes.count
        where newNodes[index].kind != .scalar && Int(newNodes[index].firstChild) >= newList {
            newNodes[index].firstChild += Int32(grown)
        }
        newNodes[section.index].firstChild = Int32(newList)
        newNodes[section.index].childCount = Int32(newCount)
        newNodes[0].firstChild += Int32(shift.children + grown)
        let lastEnd = newNodes[Int(newChildren[newList + newCount - 1])].span.end
        stretch(&newNodes[section.index], to: lastEnd)
        let rootLast = Int(newNodes[0].firstChild) + Int(newNodes[0].childCount) - 1
        let rootEnd = newNodes[Int(newChildren[rootLast])].span.end
        stretch(&newNodes[0], to: rootEnd)

        var comments = old.comments.filter { Int($0.start) < before.lowerBound }
        comments += inner.comments.map { moved($0, own.octets) }
        comments += old.comments.filter { Int($0.start) >= before.upperBound }
            .map { moved($0, shift.octets) }
        return SyntaxTree(
            file: file, fileIndex: fileIndex, nodes: newNodes, children: newChildren,
            texts: Array(old.texts[..<texts.lowerBound]) + inner.texts
                + Array(old.texts[texts.upperBound...]),
            comments: comments, diagnostics: [], rootIndex: 0)
    }

    /// The index of the first node behind the section.
    private func firstBehind() -> Int {
        guard let root = old.root, number + 1 < root.partCount else { return old.nodes.count }
        return old.entry(number + 1, of: 0).key
    }

    /// The lists of children and the texts of a range of nodes. Both are in the order of the
    /// nodes' ends, so that neighbours have them side by side.
    private func ranges(of nodes: Range<Int>) -> (children: Range<Int>, texts: Range<Int>) {
        var (childrenBefore, textsBefore) = (0, 0)
        for index in 1..<nodes.lowerBound where index != section.index {
            let node = old.nodes[index]
            if node.kind == .scalar {
                textsBefore = max(textsBefore, Int(node.text) + 1)
            } else {
                childrenBefore = max(childrenBefore, Int(node.firstChild + node.childCount))
            }
        }
        var (children, texts) = (childrenBefore, textsBefore)
        for node in old.nodes[nodes] {
            if node.kind == .scalar {
                texts = max(texts, Int(node.text) + 1)
            } else {
                children = max(children, Int(node.firstChild + node.childCount))
            }
        }
        return (childrenBefore..<children, textsBefore..<texts)
    }

    private func moved(_ node: SyntaxNode.Storage, _ shift: Shift) -> SyntaxNode.Storage {
        var node = node
        let content = moved(node.content, shift.octets)
        node.span = moved(node.span, shift.octets)
        node.content = content
        if node.kind != .scalar {
            node.firstChild += Int32(shift.children)
        } else if node.text >= 0 {
            node.firstChild += Int32(shift.texts)
        }
        return node
    }

    private func moved(_ span: SourceSpan, _ octets: Int) -> SourceSpan {
        SourceSpan(
            file: fileIndex, start: Int(span.start) + octets, end: Int(span.end) + octets)
    }

    private func stretch(_ node: inout SyntaxNode.Storage, to end: Int32) {
        node.span = SourceSpan(file: fileIndex, start: Int(node.span.start), end: Int(end))
        node.content = node.span
    }
}
