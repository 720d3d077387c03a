package import Hawser
package import PolicyCompiler

/// The files of assertions in a unit's folders, or below any folder.
package struct AssertionFiles {
    /// The ending of the name of a file of assertions.
    package static let ending = ".assert.yaml"

    /// Paths from the folder, sorted: every file named `NAME.assert.yaml`.
    package let paths: [String]
    private let root: any UnitTree

    /// Looks through a folder and the folders below it. Hidden folders are skipped. Files whose
    /// names would be skipped are findings of the unit (`UnitWalk`).
    package init(
        below folder: String, limits: RootFolder.Limits = RootFolder.Limits()
    ) throws(FileReadError) {
        try self.init(in: RootFolder(path: folder, limits: limits))
    }

    /// The same in a tree.
    package init(in root: any UnitTree) throws(FileReadError) {
        self.root = root
        var paths: [String] = []
        try root.walk { item, path in
            if item.kind.isFile, OwnFileKind(named: item.name) == .assertions {
                paths.append(path)
            }
        }
        self.paths = paths.sorted()
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
