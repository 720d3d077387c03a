import PolicyCompiler
import PolicyTools
import Rendering

/// Symbols, folds and layout: what follows from the tree of one document, or from the names of the
/// trees of a unit.
enum SymbolAnswers {
    /// The kinds of symbols of the protocol that are used here.
    private enum Kind: Int {
        case namespace = 3
        case thing = 5
        case field = 8
    }

    /// The answer of `textDocument/documentSymbol`: the keys of the file, the named things in
    /// them, and the keys of these.
    static func ofDocument(_ ask: EditorAsk) throws(EditorError) -> JSONValue {
        let document = try ask.document()
        guard let root = document.tree.root, document.kind != nil else { return .array([]) }
        return .array(symbols(root, depth: 0, document))
    }

    private static let kinds: [Kind] = [.namespace, .thing, .field]

    private static func symbols(
        _ node: SyntaxNode, depth: Int, _ document: AskedDocument
    ) -> [JSONValue] {
        guard kinds.indices.contains(depth) else { return [] }
        return node.entries.map { key, value in
            let whole = SourceSpan(
                file: Int(key.span.file), start: Int(key.span.start),
                end: Int(max(key.span.end, value.span.end)))
            let children = symbols(value, depth: depth + 1, document)
            let detail = value.kind == .scalar ? Words.shortened(value.text, to: 60) : nil
            return .object([
                // No editor takes an empty name.
                "name": key.text.isEmpty ? "\"\"" : key.text, "detail": detail,
                "kind": kinds[depth].rawValue,
                "range": document.range(whole), "selectionRange": document.range(key.span),
                "children": children.isEmpty ? nil : children,
            ])
        }
    }

    /// The answer of `workspace/symbol`: the named things of every unit with an open document
    /// whose ids have the query in them.
    static func ofWorkspace(_ ask: EditorAsk) throws(EditorError) -> JSONValue {
        let query = ask.params["query"]?.text?.lowercased() ?? ""
        var symbols: [JSONValue] = []
        for key in ask.workspace.openUnits {
            guard let reading = try? ask.workspace.reading(key) else { continue }
            for tree in reading.trees {
                for one in IDPlaces.all(in: tree).sorted(by: { $0.span.start < $1.span.start })
                where one.isDefinition && (query.isEmpty || one.id.contains(query)) {
                    guard symbols.count < mostSymbols else { return .array(symbols) }
                    symbols.append(
                        .object([
                            "name": one.id, "kind": Kind.thing.rawValue,
                            "containerName": one.namespace.rawValue,
                            "location": ask.workspace.location(
                                one.span, tree.file, in: key.root),
                        ]))
                }
            }
        }
        return .array(symbols)
    }

    /// More symbols than a person looks through.
    private static let mostSymbols = 1_000

    /// The answer of `textDocument/foldingRange`: maps, lists and texts of several lines, and
    /// comments of several lines.
    static func folds(_ ask: EditorAsk) throws(EditorError) -> JSONValue {
        let document = try ask.document()
        guard document.kind != nil else { return .array([]) }
        let (text, units) = (document.text, ask.workspace.units)
        func line(_ offset: Int32) -> Int { text.position(of: Int(offset), units).line }
        var folds: [JSONValue] = []
        var seen: Set<Int> = []
        func add(_ first: Int, _ last: Int, _ kind: String?) {
            guard first < last, seen.insert(first).inserted else { return }
            folds.append(.object(["startLine": first, "endLine": last, "kind": kind]))
        }
        document.tree.forEachPart { _, part in
            guard part.value.span.end > part.value.span.start else { return }
            // The line behind a literal text belongs to what follows.
            add(line(Int32(part.start)), line(part.value.span.end - 1), nil)
        }
        var block: (first: Int, last: Int)?
        for comment in document.tree.comments {
            let at = line(comment.start)
            if let (first, last) = block, at == last + 1 {
                block = (first, at)
            } else {
                if let block { add(block.first, block.last, "comment") }
                block = (at, at)
            }
        }
        if let block { add(block.first, block.last, "comment") }
        return .array(folds)
    }

    /// The answer of `textDocument/formatting`: the edits of `fmt`; none for a text that cannot be
    /// read, and for files that `fmt` does not format.
    static func layout(_ ask: EditorAsk) throws(EditorError) -> JSONValue {
        let document = try ask.document()
        guard document.kind != nil, let new = try? PolicyFormatter.format(document.tree) else {
            return .array([])
        }
        let edit = EditorRange.edit(from: document.text, to: new, ask.workspace.units)
        return .array(edit.map { [$0] } ?? [])
    }
}
