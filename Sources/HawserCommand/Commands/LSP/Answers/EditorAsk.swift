import PolicyCompiler
import Rendering
import TrustEngine

/// What an editor can do.
struct EditorClient {
    var hasPull = false
    var hasDocumentChanges = false
    var hasShowDocument = false
    var hasRegistration = false
    var canRefreshLenses = false
    var canRefreshPull = false
    var canRefreshHints = false
    /// The formats of texts that an editor shows: `markdown`, or `plaintext`.
    var hoverFormat = "plaintext"
    var documentationFormat = "plaintext"

    init() {}

    /// - Parameter capabilities: of the editor, from `initialize`.
    init(_ capabilities: JSONView?) {
        func has(_ path: String...) -> Bool {
            var view = capabilities
            for name in path { view = view?[name] }
            return view?.isTrue ?? false
        }
        hasPull = capabilities?.at("textDocument", "diagnostic") != nil
        hasDocumentChanges = has("workspace", "workspaceEdit", "documentChanges")
        hasShowDocument = has("window", "showDocument", "support")
        hasRegistration = has("workspace", "didChangeWatchedFiles", "dynamicRegistration")
        canRefreshLenses = has("workspace", "codeLens", "refreshSupport")
        canRefreshHints = has("workspace", "inlayHint", "refreshSupport")
        canRefreshPull = has("workspace", "diagnostics", "refreshSupport")
        // Text that is shown as it stands is readable either way.
        func format(_ formats: JSONView?) -> String {
            formats?.texts.contains("markdown") ?? false ? "markdown" : "plaintext"
        }
        let document = capabilities?["textDocument"]
        hoverFormat = format(document?.at("hover", "contentFormat"))
        documentationFormat = format(
            document?.at("completion", "completionItem", "documentationFormat"))
    }
}

/// A request of an editor, with what answers it.
struct EditorAsk {
    let params: JSONView
    let workspace: EditorWorkspace
    let client: EditorClient
    let head: HeadComparison
    let texts: OpenedTexts

    /// The document that the request is about, with its tree and its unit.
    func document() throws(EditorError) -> AskedDocument {
        guard let address = params.at("textDocument", "uri")?.text else {
            throw .invalid("`textDocument.uri` is missing")
        }
        return try document(at: address)
    }

    func document(at address: String) throws(EditorError) -> AskedDocument {
        guard let document = workspace.documents[address] else {
            throw .invalid("the document is not open")
        }
        return AskedDocument(document, workspace)
    }

    /// The offset of the position that the request names.
    func offset(in document: AskedDocument) throws(EditorError) -> Int {
        guard let position = EditorPosition(params["position"]) else {
            throw .invalid("`position` is missing")
        }
        return document.text.offset(of: position, workspace.units)
    }
}

/// An open document with its tree and its unit.
struct AskedDocument {
    let document: EditorDocument
    let key: UnitKey?
    /// The unit, linted; nil for a document of none, and where the unit cannot be read.
    let reading: UnitReading?
    /// The path from the unit's root; the name of the file without a unit.
    let path: String
    let tree: SyntaxTree
    let workspace: EditorWorkspace

    init(_ document: EditorDocument, _ workspace: EditorWorkspace) {
        self.document = document
        self.workspace = workspace
        let key = workspace.key(of: document)
        let reading = key.flatMap { try? workspace.reading($0) }
        let absolute = document.path ?? ""
        let inner = key.flatMap { DocumentPath.inside($0.root, absolute) }
        let path = inner ?? absolute.split(separator: "/").last.map(String.init) ?? "document"
        self.key = key
        self.reading = reading
        self.path = path
        tree =
            reading?.tree(of: path)
            ?? SyntaxParser.parse(
                SourceFile(path: path, bytes: document.text.saved), fileIndex: 0)
    }

    var text: EditorText { document.text }
    var kind: OwnFileKind? { document.kind }

    /// A span of this document as a range of the protocol.
    func range(_ span: SourceSpan) -> JSONValue {
        EditorRange.json(Int(span.start)..<Int(span.end), in: text, workspace.units)
    }
}

extension EditorPosition {
    init?(_ view: JSONView?) {
        guard let object = view?.object, let line = object["line"]?.number,
            let character = object["character"]?.number, line >= 0, character >= 0
        else { return nil }
        self.init(line: line, character: character)
    }

    var json: JSONValue { .object(["line": line, "character": character]) }
}

/// Ranges, places and edits as the protocol writes them.
enum EditorRange {
    static func json(
        _ octets: Range<Int>, in text: EditorText, _ units: PositionUnits
    ) -> JSONValue {
        .object([
            "start": text.position(of: octets.lowerBound, units).json,
            "end": text.position(of: octets.upperBound, units).json,
        ])
    }

    /// The offsets of a range of the protocol.
    static func octets(
        _ view: JSONView?, in text: EditorText, _ units: PositionUnits
    ) -> Range<Int>? {
        guard let object = view?.object, let start = EditorPosition(object["start"]),
            let end = EditorPosition(object["end"])
        else { return nil }
        let (first, last) = (text.offset(of: start, units), text.offset(of: end, units))
        return min(first, last)..<max(first, last)
    }

    /// The one edit that makes another text, from the first line that differs to the last; nil if
    /// the texts are the same.
    static func edit(
        from text: EditorText, to new: [UInt8], _ units: PositionUnits
    ) -> JSONValue? {
        let old = text.octets
        guard old != new else { return nil }
        let most = min(old.count, new.count)
        var same = 0
        while same < most, old[same] == new[same] { same += 1 }
        while same > 0, old[same - 1] != 0x0A { same -= 1 }
        var rest = 0
        while rest < most - same, old[old.count - 1 - rest] == new[new.count - 1 - rest] {
            rest += 1
        }
        // Both texts are cut where a line begins, so that no character and no CR LF is cut.
        func isCut(_ octets: [UInt8]) -> Bool {
            let end = octets.count - rest
            return end == same || octets[end - 1] == 0x0A
        }
        while rest > 0, !(isCut(old) && isCut(new)) { rest -= 1 }
        return .object([
            "range": json(same..<old.count - rest, in: text, units),
            "newText": String(decoding: new[same..<new.count - rest], as: UTF8.self),
        ])
    }
}

extension EditorWorkspace {
    /// The edits of several files of a unit as one change of the workspace. A file that is open has
    /// its version, so that an editor refuses edits of another text.
    func change(
        _ edits: [String: [JSONValue]], in root: String, _ client: EditorClient
    ) -> JSONValue {
        let sorted = edits.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
        guard client.hasDocumentChanges else {
            return .object([
                "changes": JSONValue.members(
                    sorted.map { (address(of: $0.key, in: root), .array($0.value)) })
            ])
        }
        return .object([
            "documentChanges": sorted.map { path, edits in
                let open = document(ofPath: DocumentPath.joined(root, path))
                return JSONValue.object([
                    "textDocument": JSONValue.object([
                        "uri": address(of: path, in: root),
                        "version": open.map { JSONValue.whole($0.version) } ?? .null,
                    ]), "edits": edits,
                ])
            }
        ])
    }

    /// A span of a file of a unit as a place of the protocol.
    func location(_ span: SourceSpan, _ file: SourceFile, in root: String) -> JSONValue {
        let text = text(of: file, in: root)
        return .object([
            "uri": address(of: file.path, in: root),
            "range": EditorRange.json(Int(span.start)..<Int(span.end), in: text, units),
        ])
    }
}
