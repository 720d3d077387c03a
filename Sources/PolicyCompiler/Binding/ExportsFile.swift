package import TrustEngine

/// An entry of `exports.yaml`: a file of another system that a policy is written to.
package struct ExportEntry: Sendable {
    package let id: Located<String>
    /// The format. Which formats there are is not looked at.
    package let format: Located<String>
    /// The path of the file, as it is written. Only its length was checked.
    package let file: Located<String>
    /// The only hosts; empty for every host.
    package let hosts: [HostPattern]
    /// The options of formats that were given, by their keys.
    package let options: [String: Located<Int>]
}

/// Reads `exports.yaml`: strict YAML of its own shape (`grammar/exports.schema.json`), with the
/// diagnostics of policies. Formats, paths and options are checked where formats are known.
package enum ExportsFile {
    /// The name of the file.
    package static let name = "exports.yaml"

    /// What was read.
    package struct Contents: Sendable {
        /// In source order; nil if and only if a diagnostic is an error.
        package let entries: [ExportEntry]?
        /// In source order.
        package let diagnostics: [Diagnostic]
        package let tree: SyntaxTree
    }

    /// Reads a file.
    package static func read(_ file: SourceFile, crypto: any CryptoBackend) -> Contents {
        let tree = SyntaxParser.parse(file, fileIndex: 0)
        let unit = PolicyUnit(files: [file], resources: FilesOfMemory(), isDirectory: false)
        let binder = Binder(unit, crypto: crypto)
        let entries = binder.bindExports(tree)
        let diagnostics = DiagnosticCollector.sorted(
            Binder.helped(tree.diagnostics, by: binder.emptyHelp) + binder.diagnostics)
        let isSound = diagnostics.allSatisfy { $0.severity < .error }
        return Contents(
            entries: isSound ? entries : nil, diagnostics: diagnostics, tree: tree)
    }
}

extension Binder {
    /// Reads the entries of a file that could be read; an empty list if nothing could.
    fileprivate func bindExports(_ tree: SyntaxTree) -> [ExportEntry] {
        enter(tree)
        guard let root = tree.root else {
            if tree.diagnostics.allSatisfy({ $0.severity < .error }) {
                report(
                    .noVersion, "the file holds no exports; it begins with `hawser-exports: 1`",
                    at: SourceSpan(file: tree.fileIndex, start: 0, end: 0))
            }
            return []
        }
        guard root.kind == .map else {
            if root.kind != .error {
                report(
                    .wrongType, "a file of exports is a map; found \(found(root))",
                    at: root.span, help: ["it begins with `hawser-exports: 1`"])
            }
            return []
        }
        bindVersion(root, key: "hawser-exports")
        let shape = ExportFields.file
        let map = contents(of: root, shape: shape)
        guard let section = map["exports"] else {
            // For a file without its version, only the version is reported.
            if map["hawser-exports"] != nil, let first = root.entries.first {
                requireKeys(
                    ["exports"], in: map, of: "the file", at: first.key.span, shape: shape)
            }
            return []
        }
        guard requireMap(section.value, for: "exports", example: section.shape.example) else {
            return []
        }
        return section.value.entries.compactMap { key, value in
            guard let id = id(key) else { return nil }
            let example = entryExample(id.value, in: section.shape.example)
            noteUnread(value, key: key, example: example, isRequired: true)
            return bindExport(id, value, example: example)
        }
    }

    /// One entry; nil if a part of it is missing or could not be read.
    private func bindExport(
        _ id: Located<String>, _ value: SyntaxNode, example: String
    ) -> ExportEntry? {
        let shape = ExportFields.export
        guard let map = section(value, shape: shape, name: id.value, example: example) else {
            return nil
        }
        requireKeys(
            shape.keys.filter(\.isRequired).map(\.name), in: map, of: "export `\(id.value)`",
            at: id.span, shape: shape)
        let format = text(map["to"], path: "to")
        let file = text(map["file"], path: "file")
        let hosts = map["hosts"].map { entry in
            list(entry, path: "hosts") { host($0, path: "hosts", example: entry.shape.example) }
        }
        var options: [String: Located<Int>] = [:]
        let key = "target-sdk"
        if let entry = map[key], let number = integer(entry, key, in: 1...10_000) {
            options[key] = Located(value: number, span: entry.key.span)
        }
        guard let format, let file, hosts?.isWhole ?? true else { return nil }
        return ExportEntry(
            id: id, format: format, file: file,
            hosts: hosts?.list.items.map(\.value.pattern) ?? [], options: options)
    }
}
