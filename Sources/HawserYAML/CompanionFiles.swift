package import Hawser
package import PolicyCompiler

/// Finds the files beside policies that are not policy, such as `NAME.test.yaml`.
package enum CompanionFiles {
    /// What a walk found, each path from the folder that was walked.
    package struct Found: Sendable {
        /// The files of the kind that was looked for, sorted.
        package fileprivate(set) var files: [String] = []
        /// Files of Hawser's own, of any kind but policies, that would be passed over; sorted by
        /// path.
        package fileprivate(set) var misnamed: [MisnamedFile] = []
    }

    /// The companions of a kind below a folder. Hidden folders are skipped.
    package static func below(
        _ folder: String, _ kind: OwnFileKind, limits: RootFolder.Limits = RootFolder.Limits()
    ) throws(FileReadError) -> Found {
        let root = try RootFolder(path: folder, limits: limits)
        return try below(in: root, kind)
    }

    /// The companions of a kind in a tree. Reads the first key of every YAML file that does not
    /// have a policy's name.
    package static func below(
        in root: any UnitTree, _ kind: OwnFileKind
    ) throws(FileReadError) -> Found {
        var found = Found()
        try root.walk(failure: { $0 }) { (item, path) throws(FileReadError) in
            if let wrong = MisnamedFile(entry: item, at: path) {
                found.misnamed.append(wrong)
                return
            }
            guard item.kind.isFile, PolicyName.isYAML(item.name), !PolicyName.isOne(item.name)
            else { return }
            let bytes = try root.read(path, limit: UnitLoader.largestFile)
            if let wrong = MisnamedFile(entry: item, at: path, holding: bytes) {
                found.misnamed.append(wrong)
            } else if OwnFileKind(named: item.name) == kind {
                found.files.append(path)
            }
        }
        found.files.sort()
        found.misnamed.sort { $0.path < $1.path }
        return found
    }

    /// The unit of a companion: the unit of its folder, or of the nearest folder upwards that holds
    /// a policy. Nil where none does.
    ///
    /// - Parameter file: an absolute path without links.
    package static func unit(
        of file: String, limits: RootFolder.Limits = RootFolder.Limits()
    ) throws(UnitLoadError) -> LocatedUnit? {
        var folder = UnitLoader.parent(of: file)
        if let root = UnitLoader.unitFolder(from: folder) {
            return LocatedUnit(root: root, unit: try UnitLoader.folderUnit(root, limits))
        }
        while true {
            let names: [String]
            do throws(FileReadError) {
                names = try RootFolder(path: folder, limits: limits).entries(of: "")
                    .filter { $0.kind.isFile && PolicyName.isCompiled($0.name) }.map(\.name)
            } catch {
                throw UnitLoadError(code: .unreadable, context: error.context)
            }
            if !names.isEmpty {
                return LocatedUnit(
                    root: folder,
                    unit: try UnitLoader.looseUnit(names.map { "\(folder)/\($0)" }, limits))
            }
            guard folder != "/" else { return nil }
            folder = UnitLoader.parent(of: folder)
        }
    }
}
