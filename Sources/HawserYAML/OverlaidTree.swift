package import Hawser

/// A tree in which some files have other octets than on disk: the texts of an editor that are not
/// saved yet, or standard input in place of a file. Everything that reads a unit reads it through a
/// `UnitTree`, so a unit with such texts is found, linted and tested exactly as if they were saved.
///
/// An entry that exists keeps its kind. So a link that leads out, or a folder, is reported as on
/// disk, whatever text an editor has under its name.
package struct OverlaidTree: UnitTree {
    private let base: any UnitTree
    private let texts: [String: [UInt8]]
    /// For each folder the names that the texts add to it; true for a folder.
    private let added: [String: [String: Bool]]

    /// - Parameter texts: the octets by the path from the root: names between `/`, none of them
    ///   empty, `.` or `..`.
    package init(_ base: any UnitTree, texts: [String: [UInt8]]) {
        self.base = base
        self.texts = texts
        var added: [String: [String: Bool]] = [:]
        for path in texts.keys {
            var names = path.split(separator: "/").map(String.init)
            var isFolder = false
            while let name = names.popLast() {
                added[names.joined(separator: "/"), default: [:]][name] = isFolder
                isFolder = true
            }
        }
        self.added = added
    }

    package func entries(of folder: String) throws(FileReadError) -> [RootFolder.Entry] {
        guard let own = added[folder] else { return try base.entries(of: folder) }
        let there: [RootFolder.Entry]
        do throws(FileReadError) {
            there = try base.entries(of: folder)
        } catch {
            // The folder itself may not be on disk yet.
            guard error.code == .notFound, !folder.isEmpty else { throw error }
            there = []
        }
        let known = Set(there.map(\.name))
        let new = own.filter { !known.contains($0.key) }
            .map { RootFolder.Entry(name: $0.key, kind: $0.value ? .folder : .regular) }
        return new.isEmpty ? there : (there + new).sorted { $0.name < $1.name }
    }

    package func read(_ path: String, limit: Int) throws(FileReadError) -> [UInt8] {
        guard let text = texts[path] else { return try base.read(path, limit: limit) }
        guard text.count <= limit else {
            throw .tooLong(path, octets: text.count, limit: limit)
        }
        return text
    }
}
