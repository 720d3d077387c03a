package import Hawser

/// The files and folders beneath a root, from which a unit is gathered: a folder of this machine,
/// or a tree that a version control system keeps. A unit is found and named alike in all of them.
package protocol UnitTree: Sendable {
    /// The entries directly in a folder beneath the root, sorted by name; `""` is the root.
    func entries(of folder: String) throws(FileReadError) -> [RootFolder.Entry]
    /// The bytes of a file by its path from the root: names between `/`, none of them `..`. No link
    /// is followed. It throws `tooLarge` for a file of more than `limit` octets.
    func read(_ path: String, limit: Int) throws(FileReadError) -> [UInt8]
}

extension RootFolder: UnitTree {}

extension UnitTree {
    /// Calls `body` with every entry below the root, and the entry's path from the root. The walk
    /// enters each folder instead of handing it over. It hands over a hidden folder and does not
    /// enter it. A link to a folder of the tree is entered where the walk does not come to the
    /// folder itself, because it is hidden, as in what Kubernetes mounts; and once. Cost: linear in
    /// the entries.
    ///
    /// - Parameter enters: whether a folder that is not hidden is entered.
    func walk<Failure: Error>(
        enters: (RootFolder.Entry) -> Bool = { _ in true },
        failure: (FileReadError) -> Failure,
        _ body: (RootFolder.Entry, String) throws(Failure) -> Void
    ) throws(Failure) {
        var folders = [""]
        var linked: Set<String> = []
        while let folder = folders.popLast() {
            let items: [RootFolder.Entry]
            do throws(FileReadError) {
                items = try entries(of: folder)
            } catch {
                throw failure(error)
            }
            for item in items {
                let path = folder.isEmpty ? item.name : "\(folder)/\(item.name)"
                if !item.name.hasPrefix("."), enters(item),
                    item.kind == .folder || item.kind.isHiddenElsewhere(&linked)
                {
                    folders.append(path)
                } else {
                    try body(item, path)
                }
            }
        }
    }

    /// The same, of every folder.
    func walk(_ body: (RootFolder.Entry, String) -> Void) throws(FileReadError) {
        try walk(failure: { $0 }) { (item, path) throws(FileReadError) in body(item, path) }
    }
}

extension RootFolder.Entry.Kind {
    /// Whether the entry is a link to a folder that no walk comes to by its own path. Each such
    /// folder is noted, and answered for once.
    fileprivate func isHiddenElsewhere(_ linked: inout Set<String>) -> Bool {
        guard case .linkToFolder(let real) = self, Self.isHidden(real) else { return false }
        return linked.insert(real).inserted
    }

    /// Whether a name of a path is hidden.
    static func isHidden(_ path: String) -> Bool {
        path.split(separator: "/").contains { $0.hasPrefix(".") }
    }
}
