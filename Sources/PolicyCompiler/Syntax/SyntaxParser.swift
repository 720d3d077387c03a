/// Reads text into a tree: byte pre-pass, libyaml, and our strict subset of YAML (LANGUAGE section
/// 1).
///
/// The tree is lossless: its scalars, its comments and the punctuation between them are the whole
/// file. A map or list with an error node had a part that could not be read, so a key that seems to
/// be missing there may have been written.
package enum SyntaxParser {
    /// Reads the files of a unit. The limit on keys and values is for all files together.
    ///
    /// - Parameter old: trees of earlier texts of the files, by their paths, for less work.
    package static func parse(
        unit files: [SourceFile], mostNodes: Int = TreeBuilder.mostNodes,
        reusing old: [String: SyntaxTree] = [:]
    ) -> [SyntaxTree] {
        Array(trees(of: files, mostNodes: mostNodes, reusing: old))
    }

    /// As `parse(unit:)`, but each file is read when its tree is asked for. Trees take more memory
    /// than the text, so callers that need one at a time do not keep them.
    static func trees(
        of files: [SourceFile], mostNodes: Int = TreeBuilder.mostNodes,
        reusing old: [String: SyntaxTree] = [:]
    ) -> some Sequence<SyntaxTree> {
        sequence(state: (index: 0, left: mostNodes)) { state in
            guard state.index < files.count else { return nil }
            let file = files[state.index]
            let tree = parse(
                file, fileIndex: state.index, mostNodes: state.left, reusing: old[file.path])
            state = (state.index + 1, max(state.left - tree.nodes.count, 0))
            return tree
        }
    }

    /// Reads one file. Never fails: problems are in the diagnostics of the tree.
    ///
    /// - Parameter mostNodes: the most keys, values, maps and lists that are read.
    package static func parse(
        _ file: SourceFile, fileIndex: Int, mostNodes: Int = TreeBuilder.mostNodes
    ) -> SyntaxTree {
        let prepared = BytePrepass.prepare(file, fileIndex: fileIndex)
        guard prepared.isReadable else {
            let start = SourceSpan(file: fileIndex, start: 0, end: 0)
            return SyntaxTree(
                file: file, fileIndex: fileIndex,
                nodes: [SyntaxNode.Storage(kind: .error, style: .plain, span: start)],
                children: [], texts: [], comments: [], diagnostics: prepared.diagnostics,
                rootIndex: 0)
        }
        var reading = Reading(
            file: file, fileIndex: fileIndex, prepared: prepared, mostNodes: mostNodes)
        return reading.run()
    }
}

/// Reads one file in rounds: each removes a part that cannot be read.
private struct Reading {
    let file: SourceFile
    let fileIndex: Int
    var prepared: PreparedText
    let mostNodes: Int
    var diagnostics: [Diagnostic] = []

    mutating func run() -> SyntaxTree {
        var builder = freshBuilder()
        var problem = builder.read()
        if problem != nil || !builder.diagnostics.isEmpty, BytePrepass.mayHaveBlocks(file.bytes) {
            prepared = BytePrepass.prepare(file, fileIndex: fileIndex, mendsBlocks: true)
            builder = freshBuilder()
            problem = builder.read()
        }
        guard problem != nil else { return tree(builder) }
        var recovery = SyntaxRecovery(prepared.input)
        while let found = problem {
            switch recovery.remove(found) {
            case .removed(let range):
                tell(found)
                keep(builder.diagnostics, in: range)
            case .removedRest(let range):
                tell(found, notes: ["too much of the file cannot be read; the rest of it was not"])
                keep(builder.diagnostics, in: range)
            case .widened(let range):
                keep(builder.diagnostics, in: range)
            case .exhausted:
                tell(found)
                return tree(builder)
            }
            if found.isLast { tell(found) }
            builder = TreeBuilder(
                file: file, prepared: prepared, input: recovery.input, fileIndex: fileIndex,
                mostNodes: max(mostNodes, Self.fewestNodes), removed: recovery.removed)
            problem = builder.read()
        }
        return tree(builder)
    }

    private static let lineHelp =
        "look for a quote, bracket or `:` that is missing on this line or on the one above it"

    private func freshBuilder() -> TreeBuilder {
        TreeBuilder(
            file: file, prepared: prepared, input: prepared.input, fileIndex: fileIndex,
            mostNodes: mostNodes, removed: [])
    }

    /// The nodes that every file may have: the node for a file of which nothing was read.
    private static let fewestNodes = 1

    private func tree(_ builder: TreeBuilder) -> SyntaxTree {
        SyntaxTree(
            file: file, fileIndex: fileIndex, nodes: builder.nodes, children: builder.children,
            texts: builder.texts, comments: builder.comments,
            diagnostics: DiagnosticCollector.sorted(
                prepared.diagnostics + diagnostics + builder.diagnostics),
            rootIndex: builder.rootIndex)
    }

    /// Reports a problem, unless a diagnostic on the same line explains it already.
    private mutating func tell(_ problem: SyntaxProblem, notes: [String] = []) {
        let primary = span(problem.primary)
        let line = file.lines.line(of: Int(primary.start))
        let isExplained = prepared.diagnostics.contains {
            file.lines.line(of: Int($0.primary.span.start)) == line
        }
        guard !isExplained else { return }
        var labels: [Diagnostic.Label] = []
        if let also = problem.also {
            labels.append(Diagnostic.Label(span(also.range), also.text))
        }
        diagnostics.append(
            Diagnostic(
                problem.code, problem.message, at: Diagnostic.Label(primary, problem.label),
                labels: labels,
                help: problem.help.isEmpty ? [Self.lineHelp] : problem.help, notes: notes,
                fix: problem.mend.map { mend in
                    FixIt(
                        title: mend.title, safety: .needsReview,
                        edits: [FixIt.Edit(span(mend.range), mend.text)])
                }))
    }

    /// Keeps the diagnostics of a part before the part is removed.
    private mutating func keep(_ found: [Diagnostic], in range: Range<Int>) {
        let source = prepared.offsets.source(range)
        diagnostics.append(
            contentsOf: found.filter { source.contains(Int($0.primary.span.start)) })
    }

    private func span(_ range: Range<Int>) -> SourceSpan {
        let source = prepared.offsets.source(range)
        return SourceSpan(file: fileIndex, start: source.lowerBound, end: source.upperBound)
    }
}
