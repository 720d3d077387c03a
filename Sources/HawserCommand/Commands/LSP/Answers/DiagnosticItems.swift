import Hawser
import PolicyCompiler
import PolicyTools
import Rendering

/// The findings of a file as diagnostics of the protocol.
enum DiagnosticItems {
    /// The diagnostics of each file of a unit that has some, by its path from the root; and of
    /// each of its open documents, which may have none.
    static func all(
        of key: UnitKey, _ workspace: EditorWorkspace
    ) -> [String: [JSONValue]] {
        var items: [String: [JSONValue]] = [:]
        let open = workspace.documents.values.filter { workspace.key(of: $0) == key }
        for document in open {
            guard let path = document.path.flatMap({ DocumentPath.inside(key.root, $0) }) else {
                continue
            }
            items[path] = companionItems(document, path, in: key.root, workspace)
        }
        do throws(CommandFailure) {
            let reading = try workspace.reading(key)
            for (path, found) in reading.findings {
                items[path, default: []] += self.items(found, reading, workspace)
            }
        } catch {
            // `lint` could not ask. Every open document of the unit has the reason.
            for path in items.keys { items[path, default: []].append(failure(error.message)) }
        }
        return items
    }

    /// The diagnostics of one document.
    static func of(
        _ document: EditorDocument, _ workspace: EditorWorkspace
    ) -> [JSONValue] {
        guard let path = document.path else { return [] }
        guard let key = workspace.key(of: document) else {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            return companionItems(
                document, name, in: DocumentPath.folder(of: path), workspace)
        }
        return DocumentPath.inside(key.root, path).flatMap { all(of: key, workspace)[$0] } ?? []
    }

    /// The findings in an open file of a kind that `lint` does not read: in allowances, the
    /// findings of `diff --allow`; in exports, the findings of `export`.
    ///
    /// - Parameter path: of the document, from its unit's root; without a unit, its name.
    static func companion(
        _ document: EditorDocument, _ path: String, _ workspace: EditorWorkspace
    ) -> [UnitReading.Found] {
        lazy var file = SourceFile(path: path, bytes: document.text.saved)
        let found: [Diagnostic]
        switch document.kind {
        case .allowances: found = Allowances.read(file, crypto: workspace.crypto).diagnostics
        case .exports:
            let folder = DocumentPath.folder(of: document.path ?? "")
            // Paths may leave the folder, but not its repository.
            let top = GitRepository.top(of: folder, from: folder) ?? folder
            found =
                ExportPlan.read(
                    file, in: DocumentPath.inside(top, folder) ?? "", crypto: workspace.crypto
                ).diagnostics
        case .policy, .tests, .assertions, nil: return []
        }
        return found.map { UnitReading.Found(finding: $0, files: [file]) }
    }

    private static func companionItems(
        _ document: EditorDocument, _ path: String, in root: String, _ workspace: EditorWorkspace
    ) -> [JSONValue] {
        companion(document, path, workspace).map { item($0, document.text, root: root, workspace) }
    }

    private static func items(
        _ found: [UnitReading.Found], _ reading: UnitReading, _ workspace: EditorWorkspace
    ) -> [JSONValue] {
        guard let first = found.first else { return [] }
        let root = reading.key.root
        let text =
            first.file(first.finding.primary.span).map { workspace.text(of: $0, in: root) }
            ?? EditorText([])
        return found.map { item($0, text, root: root, workspace) }
    }

    /// The finding as the command tells it: message and label, then help and notes, a line each.
    static func message(_ finding: Diagnostic) -> String {
        let label = finding.primary.text.isEmpty ? "" : " (\(finding.primary.text))"
        return
            ([finding.message + label] + finding.help.map { "help: \($0)" }
            + finding.notes.map { "note: \($0)" }).joined(separator: "\n")
    }

    /// One finding of a unit.
    static func item(
        _ found: UnitReading.Found, _ reading: UnitReading, _ workspace: EditorWorkspace
    ) -> JSONValue {
        items([found], reading, workspace)[0]
    }

    private static func item(
        _ found: UnitReading.Found, _ text: EditorText, root: String, _ workspace: EditorWorkspace
    ) -> JSONValue {
        let finding = found.finding
        let span = finding.primary.span
        let related = finding.labels.compactMap { label -> JSONValue? in
            guard let file = found.file(label.span) else { return nil }
            return .object([
                "location": workspace.location(label.span, file, in: root),
                "message": label.text.isEmpty ? finding.message : label.text,
            ])
        }
        return .object([
            "range": EditorRange.json(Int(span.start)..<Int(span.end), in: text, workspace.units),
            "severity": severity(finding.severity), "code": finding.code.rawValue,
            "source": "hawser", "message": message(finding),
            "relatedInformation": related.isEmpty ? nil : related,
        ])
    }

    private static func severity(_ severity: Diagnostic.Severity) -> Int {
        switch severity {
        case .error: return 1
        case .warning: return 2
        case .info: return 3
        }
    }

    private static func failure(_ message: String) -> JSONValue {
        let start = EditorPosition(line: 0, character: 0).json
        return .object([
            "range": JSONValue.object(["start": start, "end": start]), "severity": 1,
            "source": "hawser", "message": message,
        ])
    }

    /// A name that equal diagnostics share.
    ///
    /// - Parameter items: the text of the list.
    static func resultID(_ items: String) -> String {
        var hash = StableHash()
        hash.combine(Array(items.utf8))
        return hash.digits
    }

    /// The answer of `textDocument/diagnostic`.
    static func pull(_ ask: EditorAsk) throws(EditorError) -> JSONValue {
        let document = try ask.document().document
        let items = of(document, ask.workspace)
        let id = resultID(JSONValue.array(items).render())
        guard ask.params["previousResultId"]?.text != id else {
            return .object(["kind": "unchanged", "resultId": id])
        }
        return .object(["kind": "full", "resultId": id, "items": items])
    }
}
