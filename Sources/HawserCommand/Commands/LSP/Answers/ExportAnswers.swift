import Hawser
import PolicyCompiler
import PolicyTools
import Rendering

/// The formats and files of `exports.yaml`, for the answers about it.
enum ExportAnswers {
    private static let format = PathForm("exports/*/to")
    private static let file = PathForm("exports/*/file")

    /// The format that a scalar names; nil for another place, and for a word of no format.
    static func format(_ path: TreePath) -> (any ForeignTarget.Type)? {
        guard !path.isKey, format.matches(path.names) else { return nil }
        return ForeignTargets.named(path.part.value.text)
    }

    /// A format in words: its file, its options, and the demands that the file cannot state.
    static func text(_ type: any ForeignTarget.Type) -> String {
        var parts = ["`\(type.name)`: \(type.title), usually `\(type.usualFile)`."]
        if !type.options.isEmpty {
            let options = type.options.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            parts.append("Options: \(options).")
        }
        let unstated = type.unstated.map { "`\($0)`" }
        if !unstated.isEmpty {
            parts.append(
                "\(type.system) never checks \(Cut.line(unstated, most: mostDemands)).")
        }
        return parts.joined(separator: "\n\n")
    }

    private static let mostDemands = 12

    /// Whether a key is an option that the format of an entry does not take.
    ///
    /// - Parameter names: on the way to the entry.
    static func isRefused(_ key: String, at names: [String], in tree: SyntaxTree) -> Bool {
        guard names.count == 2, names[0] == "exports", let option = ForeignOption(rawValue: key)
        else { return false }
        var node = tree.root
        for name in names + ["to"] {
            node = node?.entries.first { $0.key.text == name }?.value
        }
        guard let node, node.kind == .scalar, let type = ForeignTargets.named(node.text) else {
            return false
        }
        return !type.options.contains(option)
    }

    /// The exported file that a scalar names: its absolute path. Nil for a file that does not
    /// exist, and for one outside the unit and the folders that the editor has opened.
    static func target(_ path: TreePath, _ document: AskedDocument) -> String? {
        guard document.kind == .exports, !path.isKey, file.matches(path.names),
            let own = document.document.path
        else { return nil }
        let text = path.part.value.text
        guard !text.hasPrefix("/"), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            return nil
        }
        var parts = DocumentPath.folder(of: own).split(separator: "/")
        for name in text.split(separator: "/") where name != "." {
            if name != ".." {
                parts.append(name)
            } else if parts.popLast() == nil {
                return nil
            }
        }
        let target = "/" + parts.joined(separator: "/")
        guard document.workspace.isOpened(target, orIn: document.key),
            NamedPath.exists(target), !NamedPath.isFolder(target)
        else { return nil }
        return target
    }
}
