import PolicyCompiler

/// Where something stands in a tree: the names on the way, and the part itself.
struct TreePath {
    /// The keys from the root; `[]` for an item of a list.
    let names: [String]
    /// The entry or item.
    let part: SyntaxPart
    /// Whether the key of an entry is meant, not its value.
    let isKey: Bool
    /// The map or list that holds the part.
    let holder: SyntaxNode

    /// The scalar, or the key.
    var node: SyntaxNode { isKey ? part.key ?? part.value : part.value }
}

extension SyntaxTree {
    /// The key or the scalar at an offset; nil where neither is. O(depth · log n).
    func path(at offset: Int) -> TreePath? {
        var names: [String] = []
        var holder = root
        while let current = holder, let index = current.lastPart(by: offset) {
            let part = current.part(index)
            names.append(part.key?.text ?? "[]")
            if let key = part.key, offset <= Int(key.span.end) {
                return TreePath(names: names, part: part, isKey: true, holder: current)
            }
            let value = part.value
            guard offset >= Int(value.span.start), offset <= Int(value.span.end) else { return nil }
            switch value.kind {
            case .map, .list: holder = value
            case .scalar: return TreePath(names: names, part: part, isKey: false, holder: current)
            case .error: return nil
            }
        }
        return nil
    }

    /// Calls `body` with every entry and item, outer ones first, and with the names on the way as
    /// in `TreePath`. Trees nest at most sixteen deep (LANGUAGE section 1.6).
    func forEachPart(_ body: ([String], SyntaxPart) -> Void) {
        guard let root else { return }
        var open: [(node: SyntaxNode, names: [String])] = [(root, [])]
        while let (node, names) = open.popLast() {
            for index in 0..<node.partCount {
                let part = node.part(index)
                let own = names + [part.key?.text ?? "[]"]
                body(own, part)
                if part.value.partCount > 0 { open.append((part.value, own)) }
            }
        }
    }
}

/// A form of names on the way to a part: `*` stands for any name.
struct PathForm {
    let names: [Substring]

    /// - Parameter text: names with `/` between them.
    init(_ text: String) { names = text.split(separator: "/") }

    func matches(_ path: some Collection<String>) -> Bool {
        path.count == names.count
            && zip(names, path).allSatisfy { form, name in form == "*" || form == name }
    }
}
