package import PolicyCompiler
package import TrustEngine

/// The exports of `exports.yaml`, with their formats made and their paths resolved.
package struct ExportPlan: Sendable {
    /// One file to export.
    package struct Export: Sendable {
        package let id: String
        package let target: any ForeignTarget
        /// The path from the top: the repository, or the folder of `exports.yaml`.
        package let path: String
        package let hosts: [HostPattern]

        /// The name of the file, without its folder.
        package var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }
    }

    /// In the order of the file; nil if and only if a diagnostic is an error.
    package let exports: [Export]?
    /// In source order.
    package let diagnostics: [Diagnostic]
    package let tree: SyntaxTree

    /// Reads a file of exports.
    ///
    /// - Parameter folder: the folder of the file from the top; empty if it is the top.
    package static func read(
        _ file: SourceFile, in folder: String, crypto: any CryptoBackend
    ) -> ExportPlan {
        let contents = ExportsFile.read(file, crypto: crypto)
        var exports: [Export] = []
        var found = contents.diagnostics
        var written: [String: Located<String>] = [:]
        for entry in contents.entries ?? [] {
            var problems: [Diagnostic] = []
            let target = make(entry, &problems)
            let path = resolve(entry.file, from: folder, &problems)
            if let path, let first = written[path] {
                problems.append(
                    Diagnostic(
                        .twoExportsOfOneFile,
                        "`\(entry.file.value)` is the file of the export `\(first.value)`, too",
                        at: Diagnostic.Label(entry.file.span),
                        labels: [Diagnostic.Label(first.span, "this export")],
                        help: ["make one export of the two, with the patterns of both in `hosts`"]))
            } else if let path {
                written[path] = entry.id
            }
            found += problems
            guard problems.isEmpty, let target, let path else { continue }
            exports.append(
                Export(id: entry.id.value, target: target, path: path, hosts: entry.hosts))
        }
        let isSound = found.allSatisfy { $0.severity < .error }
        return ExportPlan(
            exports: isSound && contents.entries != nil ? exports : nil,
            diagnostics: DiagnosticCollector.sorted(found), tree: contents.tree)
    }

    /// The format of an entry with its options.
    private static func make(
        _ entry: ExportEntry, _ problems: inout [Diagnostic]
    ) -> (any ForeignTarget)? {
        let name = entry.format.value
        guard let type = ForeignTargets.named(name) else {
            problems.append(
                Diagnostic(
                    .unknownExportFormat,
                    "`\(name)` does not name a format that is exported"
                        + DidYouMean.question(for: name, among: ForeignTargets.names),
                    at: Diagnostic.Label(entry.format.span),
                    help: [
                        "the formats are "
                            + ForeignTargets.names.map { "`\($0)`" }.joined(separator: ", ")
                    ]))
            return nil
        }
        var values: [ForeignOption: Int] = [:]
        for (key, value) in entry.options.sorted(by: { $0.key < $1.key }) {
            guard let option = ForeignOption(rawValue: key), type.options.contains(option) else {
                problems.append(
                    Diagnostic(
                        .exportOption, "`\(key)` is not an option of the format `\(name)`",
                        at: Diagnostic.Label(value.span),
                        help: [
                            type.options.isEmpty
                                ? "the format takes no option; delete the line"
                                : "the options of the format are "
                                    + type.options.map { "`\($0.rawValue)`" }
                                    .joined(separator: ", ")
                        ]))
                continue
            }
            values[option] = value.value
        }
        return type.init(values)
    }

    /// A path from the top; nil where the path leaves it.
    private static func resolve(
        _ file: Located<String>, from folder: String, _ problems: inout [Diagnostic]
    ) -> String? {
        let text = file.value
        func problem(_ message: String, _ help: String) -> String? {
            problems.append(
                Diagnostic(
                    .exportPath, message, at: Diagnostic.Label(file.span), help: [help]))
            return nil
        }
        guard text.utf8.first != UInt8(ascii: "/") else {
            return problem("`\(text)` is absolute", "write the path from this file's folder")
        }
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.value >= 0x20 && $0.value != 0x7F && $0 != "\\" && !HiddenCharacter.isHidden($0)
        }
        guard isPlain else {
            return problem(
                "the path has a `\\`, a control character, or a character that is not shown",
                "write the path with visible characters, and `/` between its parts")
        }
        var parts = folder.split(separator: "/").map(String.init)
        let names = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        for name in names where name != "." {
            if name == ".." {
                guard parts.popLast() != nil else {
                    return problem(
                        "`\(text)` leaves the repository",
                        "export to a file inside the repository")
                }
                continue
            }
            guard !name.isEmpty else {
                return problem("`\(text)` does not end with a file", "name a file, with single `/`")
            }
            parts.append(name)
        }
        guard let last = parts.last, let written = names.last, written != "..", written != "."
        else { return problem("`\(text)` is a folder", "name a file") }
        guard OwnFileKind(named: last) == nil, !parts.contains(".git") else {
            return problem(
                "`\(text)` is not a file of another system", "export to a file of its own")
        }
        return parts.joined(separator: "/")
    }
}
