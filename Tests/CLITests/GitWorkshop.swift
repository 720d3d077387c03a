import Foundation

/// A folder with git repositories, and a user without any configuration of the machine; removed
/// when the value goes.
final class GitWorkshop {
    let folder: URL
    /// The first repository.
    let repository: URL
    private let objectFormat: String

    /// Whether this machine has `git`.
    static let isHere = FileManager.default.isExecutableFile(atPath: git)
    static let git =
        ["/usr/bin/git", "/usr/local/bin/git", "/bin/git"]
        .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "/usr/bin/git"
    /// What a test says that needs it.
    static let absent = "this machine has no `git`"

    init(objectFormat: String = "sha1") throws {
        self.objectFormat = objectFormat
        let name = "hawser-git-\(UUID().uuidString)"
        // Without links, as the command names folders.
        let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        folder = base.appending(path: name)
        repository = folder.appending(path: "repository")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "home"), withIntermediateDirectories: true)
        try create("repository")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Makes a repository beside the first.
    func create(_ name: String, _ options: String...) throws {
        try git(
            ["init", "-q", "-b", "main", "--object-format=\(objectFormat)"] + options + [name],
            in: folder)
    }

    // MARK: Files

    func write(_ path: String, _ text: String, in place: URL? = nil) throws {
        let file = (place ?? repository).appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// A program that leaves a file when it runs, and the file.
    func trap(_ name: String) throws -> (program: URL, marker: URL) {
        let program = folder.appending(path: "trap-\(name)")
        let marker = folder.appending(path: "marker-\(name)")
        try ExecutableFile.write(script: "touch '\(marker.path)'", to: program)
        return (program, marker)
    }

    func link(_ path: String, to target: String) throws {
        let file = repository.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: file.path, withDestinationPath: target)
    }

    /// Every file below a folder, with its octets and the time of its last change.
    func snapshot(of place: URL) throws -> [String: [String]] {
        var files: [String: [String]] = [:]
        let walk = FileManager.default.enumerator(atPath: place.path)
        while let path = walk?.nextObject() as? String {
            let file = place.appending(path: path)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            let data = (try? Data(contentsOf: file)) ?? Data()
            files[path] = [
                "\(attributes[.modificationDate] ?? "")", "\(attributes[.size] ?? "")",
                data.base64EncodedString(),
            ]
        }
        return files
    }

    // MARK: Git

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The environment of every call: a user of this folder.
    var environment: [String: String] {
        [
            "PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": folder.appending(path: "home").path,
            "GIT_CONFIG_NOSYSTEM": "1",
        ]
    }

    @discardableResult
    func git(
        _ arguments: [String], in place: URL? = nil, environment more: [String: String] = [:],
        status wanted: Int32 = 0
    ) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: GitWorkshop.git)
        process.arguments = arguments
        process.currentDirectoryURL = place ?? repository
        let date = "2026-11-01T12:00:00Z"
        process.environment =
            environment.merging([
                "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@acme.example",
                "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@acme.example",
                "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date,
            ]) { $1 }.merging(more) { $1 }
        process.standardInput = FileHandle.nullDevice
        let file = folder.appending(path: "answer-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        guard process.terminationStatus == wanted else {
            throw Failure(description: "git \(arguments): \(process.terminationStatus) \(text)")
        }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// Commits everything, and returns the commit's id.
    @discardableResult
    func commit(_ message: String, in place: URL? = nil) throws -> String {
        try git(["add", "-A"], in: place)
        try git(["commit", "-q", "--allow-empty", "-m", message], in: place)
        return try git(["rev-parse", "HEAD"], in: place)
    }
}
