import PolicyCompiler
import Rendering

/// Where ids and files are defined and named, in all files of a unit.
enum NavigationAnswers {
    /// An id at a position, with every place of it in the unit.
    private struct Found {
        let id: IDOccurrence
        let reading: UnitReading
        let document: AskedDocument

        /// Every place of the id, in the order of the unit's files.
        var places: [(tree: SyntaxTree, place: IDOccurrence)] {
            reading.trees.flatMap { tree in
                IDPlaces.all(in: tree)
                    .filter { $0.id == id.id && $0.namespace == id.namespace }
                    .sorted { $0.span.start < $1.span.start }
                    .map { (tree: tree, place: $0) }
            }
        }
    }

    private static func found(_ ask: EditorAsk) throws(EditorError) -> Found? {
        let document = try ask.document()
        let offset = try ask.offset(in: document)
        guard let reading = document.reading,
            let id = IDPlaces.occurrence(in: document.tree, at: offset)
        else { return nil }
        return Found(id: id, reading: reading, document: document)
    }

    /// The file that is named at a position: its path from the unit's root.
    private static func file(
        _ ask: EditorAsk
    ) throws(EditorError) -> (document: AskedDocument, target: ScannedPath)? {
        let document = try ask.document()
        let offset = try ask.offset(in: document)
        guard document.key != nil, let path = document.tree.path(at: offset),
            let target = FilePlaces.target(path, in: document.path)
        else { return nil }
        return (document, target)
    }

    /// The answer of `textDocument/definition`.
    static func definition(_ ask: EditorAsk) throws(EditorError) -> JSONValue {
        if let found = try found(ask) {
            return .array(
                found.places.filter(\.place.isDefinition).map {
                    ask.workspace.location($0.place.span, $0.tree.file, in: found.reading.key.root)
                })
        }
        let asked = try ask.document()
        let offset = try ask.offset(in: asked)
        if let path = asked.tree.path(at: offset), let target = ExportAnswers.target(path, asked) {
            return whole(
                ask.workspace.document(ofPath: target)?.address
                    ?? FileAddress.address(ofPath: target))
        }
        // A folder has no text to go to, and a file outside the unit is not named.
        guard let (document, target) = try file(ask), !target.isFolder, let key = document.key,
            let reading = document.reading,
            (try? reading.unit.resources.read(target.path, limit: largestFile)) != nil
        else { return .array([]) }
        return whole(ask.workspace.address(of: target.path, in: key.root))
    }

    /// The place of a whole file.
    private static func whole(_ address: String) -> JSONValue {
        let start = EditorPosition(line: 0, character: 0).json
        return .array([
            .object([
                "uri": address, "range": JSONValue.object(["start": start, "end": start]),
            ])
        ])
    }

    /// A larger file is not opened in an editor.
    private static let largestFile = 16 << 20

    /// The answer of `textDocument/references`.
    static func references(_ ask: EditorAsk) throws(EditorError) -> JSONValue {
        if let found = try found(ask) {
            let withDefinition = ask.params.at("context", "includeDeclaration")?.isTrue ?? false
            return .array(
                found.places.filter { withDefinition || !$0.place.isDefinition }.map {
                    ask.workspace.location($0.place.span, $0.tree.file, in: found.reading.key.root)
                })
        }
        guard let (document, target) = try file(ask), let reading = document.reading else {
            return .array([])
        }
        var places: [JSONValue] = []
        for tree in reading.trees {
            tree.forEachPart { names, part in
                guard part.value.kind == .scalar, FilePlaces.isOne(names),
                    FilePlaces.target(names, part.value, in: tree.file.path) == target
                else { return }
                places.append(
                    ask.workspace.location(
                        part.value.content, tree.file, in: reading.key.root))
            }
        }
        return .array(places)
    }

    // MARK: New names

    /// The answer of `textDocument/prepareRename`; null where nothing can be renamed.
    static func prepare(_ ask: EditorAsk) throws(EditorError) -> JSONValue {
        guard let found = try found(ask), isOwn(found.id) else { return .null }
        return .object([
            "range": found.document.range(found.id.span), "placeholder": found.id.id,
        ])
    }

    private static func isOwn(_ id: IDOccurrence) -> Bool {
        !id.namespace.builtIn.contains(id.id)
    }

    /// The answer of `textDocument/rename`: the edits of every file of the unit that has the id.
    static func rename(_ ask: EditorAsk) throws(EditorError) -> JSONValue {
        guard let new = ask.params["newName"]?.text else {
            throw .invalid("`newName` is missing")
        }
        guard let found = try found(ask) else {
            throw .failed("only ids can be renamed, and none stands here")
        }
        let id = found.id
        guard isOwn(id) else {
            throw .failed("`\(id.id)` is part of the language; give your own definition a name")
        }
        do throws(ScalarProblem) {
            _ = try IDScanner.scan(new, style: .plain)
        } catch {
            throw .failed(error.message)
        }
        guard !id.namespace.builtIn.contains(new) else {
            throw .failed("`\(new)` is part of the language and cannot be defined again")
        }
        let taken = found.reading.trees.contains { tree in
            IDPlaces.all(in: tree).contains {
                $0.isDefinition && $0.namespace == id.namespace && $0.id == new
            }
        }
        guard !taken || new == id.id else {
            throw .failed("the unit has \(id.namespace.noun) `\(new)` already")
        }
        guard found.places.contains(where: \.place.isDefinition) else {
            throw .failed("no file of the unit defines \(id.namespace.noun) `\(id.id)`")
        }
        var edits: [String: [JSONValue]] = [:]
        let root = found.reading.key.root
        for (tree, place) in found.places {
            let text = ask.workspace.text(of: tree.file, in: root)
            edits[tree.file.path, default: []].append(
                .object([
                    "range": EditorRange.json(
                        Int(place.span.start)..<Int(place.span.end), in: text,
                        ask.workspace.units), "newText": new,
                ]))
        }
        return ask.workspace.change(edits, in: root, ask.client)
    }
}
