/// The syntax of one file: a lossless tree of maps, lists and scalars, each with its span; the
/// comments; and the diagnostics of reading it. Parsing never fails. Text that cannot be read gives
/// error nodes.
package final class SyntaxTree: Sendable {
    package let file: SourceFile
    /// The index of the file in the unit, which every span of the tree contains.
    package let fileIndex: Int
    /// All nodes. Children stand after their parents.
    package let nodes: [SyntaxNode.Storage]
    /// Lists of children. A map has key, value, key, value, …; a list has its items.
    package let children: [Int32]
    /// Texts of scalars that differ from their source: because of escapes, folding or literal
    /// indentation.
    package let texts: [String]
    /// Every comment, in source order. Its span starts at `#` and ends before the line end.
    package let comments: [SourceSpan]
    /// In source order.
    package let diagnostics: [Diagnostic]
    /// The index of the document's root node; -1 if the file has none.
    package let rootIndex: Int

    package init(
        file: SourceFile, fileIndex: Int, nodes: [SyntaxNode.Storage], children: [Int32],
        texts: [String], comments: [SourceSpan], diagnostics: [Diagnostic], rootIndex: Int
    ) {
        self.file = file
        self.fileIndex = fileIndex
        self.nodes = nodes
        self.children = children
        self.texts = texts
        self.comments = comments
        self.diagnostics = diagnostics
        self.rootIndex = rootIndex
    }

    /// The document's root; nil if the file has none.
    package var root: SyntaxNode? {
        rootIndex < 0 ? nil : SyntaxNode(tree: self, index: rootIndex)
    }
}

/// A node of a syntax tree. It holds the tree and an index, so copying it is cheap.
package struct SyntaxNode: Sendable {
    /// The kinds of nodes.
    package enum Kind: UInt8, Hashable, Sendable, BitwiseCopyable {
        case map, list, scalar
        /// A part that could not be read. A diagnostic was reported for it, so nothing else is
        /// reported about it.
        case error
    }

    /// How a node was written.
    package enum Style: UInt8, Hashable, Sendable, BitwiseCopyable {
        case plain, singleQuoted, doubleQuoted, literal
        /// Maps and lists: flow (`{}`, `[]`) or block.
        case flow, block
    }

    /// A node in the tree's arrays.
    package struct Storage: Sendable, BitwiseCopyable {
        /// From the first byte to that after the last. For a block map or list: from its first key
        /// or dash to the end of its last value.
        package var span: SourceSpan
        /// The start of the children in `SyntaxTree.children`. A scalar has none, so here is its
        /// `text`: a large policy has a node for each dozen octets.
        package var firstChild: Int32
        package var childCount: Int32
        /// The source of the scalar's text, without quotes, in the file of `span`.
        private var contentStart: Int32
        private var contentEnd: Int32
        package var kind: Kind
        package var style: Style

        package init(
            kind: Kind, style: Style, span: SourceSpan, text: Int32 = -1,
            content: SourceSpan? = nil
        ) {
            self.kind = kind
            self.style = style
            self.span = span
            firstChild = text
            childCount = 0
            contentStart = (content ?? span).start
            contentEnd = (content ?? span).end
        }

        /// Where the file has the text of a scalar as it is; nil where escapes or folding change
        /// it, and for any other node.
        var verbatimRange: Range<Int>? {
            kind == .scalar && text < 0 ? Int(contentStart)..<Int(contentEnd) : nil
        }

        /// The index in `SyntaxTree.texts` of a scalar; -1 if the text equals the bytes of
        /// `content`.
        package var text: Int32 { kind == .scalar ? firstChild : -1 }

        package var content: SourceSpan {
            get {
                SourceSpan(
                    file: Int(span.file), start: Int(contentStart), end: Int(contentEnd))
            }
            set {
                contentStart = newValue.start
                contentEnd = newValue.end
            }
        }
    }

    package let tree: SyntaxTree
    package let index: Int

    package init(tree: SyntaxTree, index: Int) {
        self.tree = tree
        self.index = index
    }

    private var storage: Storage { tree.nodes[index] }
    package var kind: Kind { storage.kind }
    package var style: Style { storage.style }
    package var span: SourceSpan { storage.span }

    /// The entries of a map in source order, without entries whose key is a duplicate; empty for
    /// any other node.
    package var entries: [(key: SyntaxNode, value: SyntaxNode)] {
        guard kind == .map else { return [] }
        let node = storage
        return stride(from: 0, to: Int(node.childCount) - 1, by: 2).map { offset in
            let at = Int(node.firstChild) + offset
            return (
                SyntaxNode(tree: tree, index: Int(tree.children[at])),
                SyntaxNode(tree: tree, index: Int(tree.children[at + 1]))
            )
        }
    }

    /// The items of a list in source order; empty for any other node.
    package var items: [SyntaxNode] {
        guard kind == .list else { return [] }
        let node = storage
        return (0..<Int(node.childCount)).map {
            SyntaxNode(tree: tree, index: Int(tree.children[Int(node.firstChild) + $0]))
        }
    }

    /// The text of a scalar without its quotes and escapes; empty for any other node.
    package var text: String {
        let node = storage
        guard node.kind == .scalar else { return "" }
        if node.text >= 0 { return tree.texts[Int(node.text)] }
        return String(
            decoding: tree.file.bytes[Int(node.content.start)..<Int(node.content.end)],
            as: UTF8.self)
    }

    /// The span of a part of the scalar's text, given as byte offsets into `text`. If escapes moved
    /// the bytes, it is the span of the whole scalar.
    package func span(ofText range: Range<Int>) -> SourceSpan {
        let node = storage
        guard node.text < 0, Int(node.content.start) + range.upperBound <= Int(node.content.end)
        else { return node.span }
        return SourceSpan(
            file: Int(node.span.file), start: Int(node.content.start) + range.lowerBound,
            end: Int(node.content.start) + range.upperBound)
    }
}
