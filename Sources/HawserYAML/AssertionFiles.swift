package import Hawser
package import PolicyCompiler

/// The files of assertions in a unit's folders, or below any folder.
package struct AssertionFiles {
    /// A file whose name is almost that of a file of assertions, so that it would be skipped.
    package struct Misnamed: Hashable, Sendable {
        /// The path from the folder.
        package let path: String
        /// What is wrong. Lower case, no full stop.
        package let message: String
        package let help: String
    }

    /// The ending of the name of a file of assertions.
    package static let ending = ".assert.yaml"

    /// Paths from the folder, sorted: every regular file named `NAME.assert.yaml`.
    package private(set) var paths: [String] = []
    /// Sorted by path.
    package private(set) var misnamed: [Misnamed] = []
    private let root: RootFolder

    /// Looks through a folder and the folders below it. Hidden folders are skipped, and no link is
    /// followed.
    package init(
        below folder: String, limits: RootFolder.Limits = RootFolder.Limits()
    ) throws(FileReadError) {
        root = try RootFolder(path: folder, limits: limits)
        var entries: [(RootFolder.Entry, String)] = []
        try root.walk { entries.append(($0, $1)) }
        for (item, path) in entries { take(item, path) }
        paths.sort()
        misnamed.sort { $0.path < $1.path }
    }

    private mutating func take(_ item: RootFolder.Entry, _ path: String) {
        let folded = item.name.lowercased()
        guard
            let end = [AssertionFiles.ending, ".assert.yml"].first(where: {
                folded.hasSuffix($0) && folded.utf8.count > $0.utf8.count
            })
        else { return }
        guard item.name.hasSuffix(AssertionFiles.ending) else {
            let right = path.dropLast(end.count) + AssertionFiles.ending
            misnamed.append(
                Misnamed(
                    path: path,
                    message:
                        "`\(path)` would be skipped: files of assertions are named "
                        + "`NAME\(AssertionFiles.ending)`",
                    help: "rename it to `\(right)`"))
            return
        }
        guard item.kind == .regular else {
            misnamed.append(
                Misnamed(
                    path: path,
                    message: "`\(path)` has the name of a file of assertions but is "
                        + item.kind.words,
                    help: "files of assertions are regular files inside their unit"))
            return
        }
        paths.append(path)
    }

    /// The files with their octets, in the order of `paths`.
    package func read() throws(FileReadError) -> [SourceFile] {
        var files: [SourceFile] = []
        for path in paths {
            files.append(
                SourceFile(
                    path: path, bytes: try root.read(path, limit: UnitLoader.largestFile)))
        }
        return files
    }
}
