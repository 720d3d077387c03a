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
    /// enter it. No link is followed. Cost: linear in the entries.
    func walk(_ body: (RootFolder.Entry, String) -> Void) throws(FileReadError) {
        var folders = [""]
        while let folder = folders.popLast() {
            for item in try entries(of: folder) {
                let path = folder.isEmpty ? item.name : "\(folder)/\(item.name)"
                if item.kind == .folder, !item.name.hasPrefix(".") {
                    folders.append(path)
                } else {
                    body(item, path)
                }
            }
        }
    }
}
