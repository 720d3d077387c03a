import Foundation

/// A folder of its own for one test, gone when the test is.
final class TemporaryFolder {
    /// Without links on the way, as loaders name it.
    let path: String

    init() throws {
        let place = FileManager.default.temporaryDirectory
            .appending(path: "hawser-\(UUID().uuidString)")
        // Whatever the umask is: who may write here has a say in a state directory below.
        try FileManager.default.createDirectory(
            at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        self.path = place.resolvingSymlinksInPath().path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A path in it.
    func at(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, and the folders it lies in.
    func write(_ name: String, _ text: String) throws {
        try write(name, Array(text.utf8))
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        let url = URL(filePath: at(name))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// The names in a folder, sorted.
    func names(_ name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: at(name)).sorted()
    }

    func folder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: at(name), withIntermediateDirectories: true)
    }

    /// Lays a symbolic link.
    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: at(name), withDestinationPath: target)
    }

    /// Makes a FIFO that nobody writes to.
    func fifo(_ name: String) throws {
        guard mkfifo(at(name), 0o600) == 0 else { throw POSIXError(.EIO) }
    }
}
