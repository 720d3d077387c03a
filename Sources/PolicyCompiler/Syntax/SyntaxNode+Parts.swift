/// An entry of a map, or an item of a list.
package struct SyntaxPart: Sendable {
    /// The key of an entry; nil for an item.
    package let key: SyntaxNode?
    /// The value of an entry, or the item.
    package let value: SyntaxNode

    /// Where the part begins, where it ends, and where its name ends. The name is the key, or the
    /// item itself.
    package var start: Int { Int((key ?? value).span.start) }
    package var end: Int { Int(max(key?.span.end ?? 0, value.span.end)) }
    package var nameEnd: Int { Int((key ?? value).span.end) }
}

extension SyntaxTree {
    /// The map or list that holds the entry or item whose name has a span, and its index there; nil
    /// if there is none. O(depth · log n).
    package func part(named span: SourceSpan) -> (parent: SyntaxNode, index: Int)? {
        var node = root
        while let current = node, let index = current.lastPart(by: Int(span.start)) {
            let part = current.part(index)
            if part.start == Int(span.start), part.nameEnd == Int(span.end) {
                return (current, index)
            }
            node = part.value
        }
        return nil
    }
}

extension SyntaxTree {
    /// The indices of the key and the value of an entry of a map, by its index in source order.
    func entry(_ number: Int, of map: Int) -> (key: Int, value: Int) {
        let first = Int(nodes[map].firstChild) + 2 * number
        return (Int(children[first]), Int(children[first + 1]))
    }
}

// Access to entries and items one by one, without a list of them, for a search in a large map.
extension SyntaxNode {
    /// The number of entries of a map or items of a list; 0 for any other node.
    package var partCount: Int {
        let count = Int(tree.nodes[index].childCount)
        switch kind {
        case .map: return count / 2
        case .list: return count
        case .scalar, .error: return 0
        }
    }

    /// An entry or item by its index in source order.
    package func part(_ number: Int) -> SyntaxPart {
        func node(_ index: Int) -> SyntaxNode { SyntaxNode(tree: tree, index: index) }
        guard kind == .map else {
            let item = Int(tree.nodes[index].firstChild) + number
            return SyntaxPart(key: nil, value: node(Int(tree.children[item])))
        }
        let entry = tree.entry(number, of: index)
        return SyntaxPart(key: node(entry.key), value: node(entry.value))
    }

    /// The index of the last entry or item that begins at or before an offset. O(log n).
    package func lastPart(by offset: Int) -> Int? {
        var low = 0
        var high = partCount
        while low < high {
            let middle = (low + high) / 2
            if part(middle).start <= offset { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}
