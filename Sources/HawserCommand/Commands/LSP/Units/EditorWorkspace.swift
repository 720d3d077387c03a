import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import TrustEngine

/// The documents that an editor has open, and the units that they belong to. Each unit is linted
/// when somebody asks for it after a change.
final class EditorWorkspace {
    /// The open documents by their addresses.
    private(set) var documents: [String: EditorDocument] = [:]
    /// The folders that the editor has opened, absolute and without links.
    private(set) var folders: [String] = []
    var units = PositionUnits.utf16
    let crypto: any CryptoBackend
    private let options: () -> LintOptions
    /// The units that were read, and why others could not be read. A change removes its unit.
    private var readings: [UnitKey: Result<UnitReading, CommandFailure>] = [:]
    /// The unit that was read before the last change. To free a large unit takes a good part of the
    /// time of reading it, so it is freed when nobody waits.
    private var stale: UnitReading?
    /// For each unit the last trees of its policies that have no diagnostic, by their paths. Most
    /// of a tree is used again after a change.
    private var trees: [UnitKey: [String: SyntaxTree]] = [:]
    /// Counts the changes. Answers that were found before the last change are stale.
    private(set) var changes = 0

    /// - Parameter options: the options of each run of the linter, with its time.
    init(crypto: any CryptoBackend, options: @escaping () -> LintOptions) {
        self.crypto = crypto
        self.options = options
    }

    // MARK: Changes

    func open(_ address: String, version: Int, text: [UInt8]) {
        let path = FileAddress.path(address).flatMap(DocumentPath.resolved)
        documents[address] = EditorDocument(
            address: address, path: path, version: version, text: EditorText(text))
        changed(path)
    }

    /// Applies edits to a document; false if it is not open.
    func edit(_ address: String, version: Int?, _ edits: (inout EditorText) -> Void) -> Bool {
        guard var document = documents.removeValue(forKey: address) else { return false }
        edits(&document.text)
        if let version { document.version = version }
        documents[address] = document
        changed(document.path)
        return true
    }

    func close(_ address: String) {
        guard let document = documents.removeValue(forKey: address) else { return }
        changed(document.path)
    }

    /// Notes that files of a folder may have changed on disk; nil for all.
    func changed(_ path: String?) {
        changes += 1
        guard let path else { return readings.removeAll() }
        for key in readings.keys
        where key.root == path || DocumentPath.inside(key.root, path) != nil {
            if let reading = try? readings.removeValue(forKey: key)?.get(),
                reading.octetCount <= EditorWorkspace.mostStale
            {
                stale = reading
            }
        }
    }

    /// The most octets of a unit that is kept after a change until nobody waits.
    private static let mostStale = 8 << 20

    /// Frees what the last change has made useless.
    func tidy() { stale = nil }

    func add(folder: String) {
        guard let path = FileAddress.path(folder), let real = try? NamedPath.resolve(path),
            !folders.contains(real)
        else { return }
        folders.append(real)
    }

    func remove(folder: String) {
        guard let path = FileAddress.path(folder), let real = try? NamedPath.resolve(path) else {
            return
        }
        folders.removeAll { $0 == real }
    }

    // MARK: Units

    /// The unit of a document; nil for a document of none.
    func key(of document: EditorDocument) -> UnitKey? {
        guard let path = document.path else { return nil }
        let open = Set(documents.values.compactMap(\.path))
        var folder = DocumentPath.folder(of: path)
        while true {
            let home = DocumentPath.joined(folder, "policy.yaml")
            if open.contains(home) || NamedPath.exists(home) {
                return UnitKey(root: folder, file: nil)
            }
            guard folder != "/" else { break }
            folder = DocumentPath.folder(of: folder)
        }
        guard document.kind == .policy else { return nil }
        let root = DocumentPath.folder(of: path)
        return DocumentPath.inside(root, path).map { UnitKey(root: root, file: $0) }
    }

    /// The units of all open documents, sorted.
    var openUnits: [UnitKey] {
        Set(documents.values.compactMap(key(of:))).sorted {
            ($0.root, $0.file ?? "") < ($1.root, $1.file ?? "")
        }
    }

    /// A unit, read and linted after the last change.
    func reading(_ key: UnitKey) throws(CommandFailure) -> UnitReading {
        if let known = readings[key] { return try known.get() }
        var texts: [String: [UInt8]] = [:]
        for document in documents.values {
            guard let path = document.path, let inner = DocumentPath.inside(key.root, path) else {
                continue
            }
            texts[inner] = document.text.saved
        }
        let allowed = folders + [key.root]
        let old = trees[key] ?? [:]
        let outcome = Result { () throws(CommandFailure) in
            try UnitReading(key, texts: texts, options(), crypto: crypto, reusing: old) { folder in
                allowed.contains { folder == $0 || DocumentPath.inside($0, folder) != nil }
            }
        }
        readings[key] = outcome
        let reading = try outcome.get()
        var kept: [String: SyntaxTree] = [:]
        for tree in reading.result.compilation.trees where texts[tree.file.path] != nil {
            let path = tree.file.path
            kept[path] = tree.diagnostics.isEmpty ? tree : old[path]
        }
        trees[key] = kept
        return reading
    }

    /// Forgets units that no open document belongs to.
    func prune() {
        let open = Set(openUnits)
        readings = readings.filter { open.contains($0.key) }
        trees = trees.filter { open.contains($0.key) }
    }

    /// Whether an absolute path lies in a unit, or in a folder that the editor has opened.
    func isOpened(_ path: String, orIn key: UnitKey?) -> Bool {
        (folders + (key.map { [$0.root] } ?? [])).contains {
            DocumentPath.inside($0, path) != nil
        }
    }

    /// The open document of an absolute path.
    func document(ofPath path: String) -> EditorDocument? {
        documents.values.first { $0.path == path }
    }

    /// The address of a file of a unit: of the open document, or of the path.
    func address(of path: String, in root: String) -> String {
        let whole = DocumentPath.joined(root, path)
        return document(ofPath: whole)?.address ?? FileAddress.address(ofPath: whole)
    }

    /// The text of a file of a unit, for positions in it.
    func text(of file: SourceFile, in root: String) -> EditorText {
        document(ofPath: DocumentPath.joined(root, file.path))?.text ?? EditorText(file.bytes)
    }
}
