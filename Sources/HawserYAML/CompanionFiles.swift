package import Hawser
import PolicyCompiler

/// Finds the files that stand beside policies and are no part of them: `NAME.test.yaml`.
package enum CompanionFiles {
    /// What a walk found, each path from the folder that was walked.
    package struct Found: Sendable {
        /// Sorted.
        package var files: [String] = []
        /// Files whose names would be skipped for their letter case or extension, with the right
        /// ending.
        package var misnamed: [String] = []
    }

    /// Whether a name is that of a companion: `NAME.test.yaml` for `test`.
    package static func isOne(_ name: String, _ kind: String) -> Bool {
        let ending = ".\(kind).yaml"
        return name.hasSuffix(ending) && name.utf8.count > ending.utf8.count
    }

    /// Whether a name is that of a companion but for its letter case or extension.
    package static func isMisnamed(_ name: String, _ kind: String) -> Bool {
        let folded = name.lowercased()
        return !isOne(name, kind)
            && [".\(kind).yaml", ".\(kind).yml"].contains { folded.hasSuffix($0) }
    }

    /// The companions below a folder. Hidden folders are skipped, and no link is followed.
    package static func below(
        _ folder: String, _ kind: String, limits: RootFolder.Limits = RootFolder.Limits()
    ) throws(FileReadError) -> Found {
        let root = try RootFolder(path: folder, limits: limits)
        return try below(in: root, kind)
    }

    /// The companions in a tree.
    package static func below(
        in root: any UnitTree, _ kind: String
    ) throws(FileReadError) -> Found {
        var found = Found()
        try root.walk { item, path in
            guard item.kind == .regular else { return }
            if isOne(item.name, kind) { found.files.append(path) }
            if isMisnamed(item.name, kind) { found.misnamed.append(path) }
        }
        found.files.sort()
        found.misnamed.sort()
        return found
    }

    /// The unit of a companion: that of its folder, or of the nearest folder upwards that holds a
    /// policy. Nil where none does.
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
                    .filter { $0.kind == .regular && PolicyName.isCompiled($0.name) }.map(\.name)
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
