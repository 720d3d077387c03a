import Foundation
public import TestPKI

/// A folder of CRLite filters for one test, removed when this value goes. Nobody else may write it,
/// whatever the umask.
public final class FilterCache: Sendable {
    /// The folder's path.
    public let path: String

    /// Makes an empty folder.
    public init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appending(path: "filters-\(UUID().uuidString)").path
        try makeFolder()
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Makes the folder again after `remove`.
    public func makeFolder() throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
    }

    /// The path of a file.
    public func at(_ name: String) -> String { "\(path)/\(name)" }

    /// Sets the rights of the folder.
    public func setMode(_ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Removes the folder.
    public func remove() throws { try FileManager.default.removeItem(atPath: path) }

    /// Removes a file.
    public func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: at(name))
    }

    /// Puts a file in the place of another by renaming it, as `upki fetch` does.
    public func write(_ name: String, _ octets: [UInt8], mode: Int = 0o644) throws {
        let new = at("new-\(UUID().uuidString)")
        try Data(octets).write(to: URL(filePath: new))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: new)
        guard rename(new, at(name)) == 0 else { throw POSIXError(.EIO) }
    }

    /// Puts filters in the folder, and then an index of them.
    public func write(_ filters: [(name: String, recipe: FilterRecipe)]) throws {
        for filter in filters { try write(filter.name, filter.recipe.octets(version: 4)) }
        try write("index.bin", FilterIndexRecipe(of: filters).octets)
    }
}
