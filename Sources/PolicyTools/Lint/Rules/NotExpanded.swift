import PolicyCompiler

extension LintRule {
    /// HW017: an accepted text has a mark of a shell or a template, which nothing expands.
    static let notExpanded = LintRule(.notExpanded) { context in
        context.trees.flatMap { tree in
            guard Placeholder.mayBeIn(tree.file.bytes) else { return [] as [Diagnostic] }
            // Diagnostics are in source order.
            let told = context.compilation.diagnostics.map(\.primary.span)
                .filter { Int($0.file) == tree.fileIndex }.map(\.start)
            func isTold(_ span: SourceSpan) -> Bool {
                var low = 0
                var high = told.count
                while low < high {
                    let middle = (low + high) / 2
                    if told[middle] < span.start { low = middle + 1 } else { high = middle }
                }
                return low < told.count && told[low] < span.end
            }
            return tree.nodes.indices.compactMap { (index) -> Diagnostic? in
                guard tree.nodes[index].kind == .scalar, !isTold(tree.nodes[index].span) else {
                    return nil
                }
                let node = SyntaxNode(tree: tree, index: index)
                guard let mark = Placeholder.first(in: node.text) else { return nil }
                return Diagnostic(
                    .notExpanded,
                    "`\(mark)` is not expanded: it is a part of this text as it stands",
                    at: Diagnostic.Label(node.span), help: [Placeholder.help])
            }
        }
    }
}
