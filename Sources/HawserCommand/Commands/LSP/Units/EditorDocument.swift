import Hawser
import PolicyCompiler

/// A document that an editor has open. Its text takes the place of the file's text.
struct EditorDocument {
    /// As the editor writes it.
    let address: String
    /// The absolute path, in which no folder is a link; nil for a document that is not a file.
    let path: String?
    var version: Int
    var text: EditorText

    /// The kind of the document by its name, or of a policy outside any unit by its first key.
    /// Other programs have files named `exports.yaml` too: a file of that name is Hawser's if it
    /// begins with the first key of exports or is next to a `policy.yaml`.
    var kind: OwnFileKind? {
        guard let path else { return nil }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let policy = DocumentPath.joined(DocumentPath.folder(of: path), "policy.yaml")
        if let named = OwnFileKind(named: name), named != .exports || NamedPath.exists(policy) {
            return named
        }
        return OwnFileKind.kind(of: text.octets).map { $0.kind }
    }
}

/// Paths of documents.
enum DocumentPath {
    /// The path of a document without links in its folders. The file and the last of its folders
    /// need not exist yet. Nil for a path that is not absolute, or has `..` in it.
    static func resolved(_ path: String) -> String? {
        var names = path.split(separator: "/").map(String.init)
        guard path.hasPrefix("/"), let name = names.popLast(),
            !names.contains(where: { $0 == "." || $0 == ".." }), name != ".", name != ".."
        else { return nil }
        var rest = [name]
        while true {
            let folder = "/" + names.joined(separator: "/")
            if let real = try? NamedPath.resolve(folder) {
                return (real == "/" ? "" : real) + "/" + rest.joined(separator: "/")
            }
            guard let last = names.popLast() else { return nil }
            rest.insert(last, at: 0)
        }
    }

    /// The folder of an absolute path.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// A path from a folder; nil if the path does not lie in the folder.
    static func inside(_ folder: String, _ path: String) -> String? {
        let prefix = folder == "/" ? "/" : folder + "/"
        guard path.utf8.starts(with: prefix.utf8), path.utf8.count > prefix.utf8.count else {
            return nil
        }
        return String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// The absolute path of a path from a folder.
    static func joined(_ folder: String, _ path: String) -> String {
        folder == "/" ? "/" + path : "\(folder)/\(path)"
    }
}
