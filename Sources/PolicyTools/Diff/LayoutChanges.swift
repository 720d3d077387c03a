import PolicyCompiler

/// The policy files that changed in comments, layout or order, or that were moved.
enum LayoutChanges {
    /// One entry for each file whose keys and values are what they were.
    static func list(
        old: [SourceFile], new: [SourceFile]
    ) -> [PolicyDiff.IdleChange] {
        let before = Dictionary(old.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        let after = Set(new.map(\.path))
        var gone: [String: String] = [:]
        for file in old where !after.contains(file.path) { gone[content(of: file)] = file.path }
        return new.compactMap { file in
            if let was = before[file.path] {
                guard was.bytes != file.bytes, content(of: was) == content(of: file) else {
                    return nil
                }
                return PolicyDiff.IdleChange(
                    sentence: "`\(file.path)`: comments, layout or order alone", location: nil)
            }
            guard let was = gone[content(of: file)] else { return nil }
            return PolicyDiff.IdleChange(
                sentence: "`\(was)` is now `\(file.path)`", location: nil)
        }
    }

    /// The keys and values of a file, maps sorted by their keys.
    private static func content(of file: SourceFile) -> String {
        SyntaxParser.parse(file, fileIndex: 0).root.map { content(of: $0) } ?? ""
    }

    /// Recursive: the parser limits the depth of the tree.
    private static func content(of node: SyntaxNode) -> String {
        switch node.kind {
        case .scalar:
            let text = node.text
            return "\(text.utf8.count):\(text)"
        case .list: return "[\(node.items.map(content).joined(separator: ","))]"
        case .map:
            let entries = node.entries.map { "\(content(of: $0.key))=\(content(of: $0.value))" }
            return "{\(entries.sorted().joined(separator: ","))}"
        // No two files with an error are the same.
        case .error: return "\(node.tree.file.path):\(node.span.start)"
        }
    }
}
