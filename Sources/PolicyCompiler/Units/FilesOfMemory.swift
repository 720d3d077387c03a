/// The files of a unit that is not written anywhere: octets by their paths from the unit's root.
/// A text that names no file is read with an empty one.
package struct FilesOfMemory: UnitResources {
    private let files: [String: [UInt8]]

    package init(_ files: [String: [UInt8]] = [:]) { self.files = files }

    /// Of two files of one path the first is taken.
    package init(_ files: [(name: String, octets: [UInt8])]) {
        self.files = Dictionary(files.map { ($0.name, $0.octets) }) { first, _ in first }
    }

    package func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8] {
        guard let octets = files[path] else {
            throw ResourceError(code: .notFound, context: "the file `\(path)` is missing")
        }
        return octets
    }

    package func list(_ folder: String) throws(ResourceError) -> [String] {
        let prefix = folder.isEmpty ? "" : "\(folder)/"
        return files.keys.filter { $0.hasPrefix(prefix) }
            .map { String($0.dropFirst(prefix.count)) }.filter { !$0.contains("/") }.sorted()
    }
}
