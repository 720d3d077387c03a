/// Text to tree: byte pre-pass, libyaml, our strict subset (LANGUAGE section 1).
package enum SyntaxParser {
    /// Reads one file. Never fails; what is wrong stands in the tree's diagnostics.
    package static func parse(_ file: SourceFile, fileIndex: Int) -> SyntaxTree {
        SyntaxTree(
            file: file, fileIndex: fileIndex, nodes: [], children: [], texts: [], comments: [],
            diagnostics: [], rootIndex: -1)
    }
}
