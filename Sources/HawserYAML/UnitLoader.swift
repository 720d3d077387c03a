package import Hawser
package import PolicyCompiler

/// Why paths do not name one unit.
package struct UnitLoadError: Error, Hashable, Sendable {
    /// The reason's stable name.
    package enum Code: String, Hashable, Sendable {
        /// No path was given.
        case noInputs = "no-inputs"
        /// A folder has no `policy.yaml`.
        case noPolicy = "no-policy"
        /// The paths belong to several units, or some belong to a unit and some do not.
        case severalUnits = "several-units"
        /// A file or folder cannot be read.
        case unreadable
    }

    package let code: Code
    /// What was found. Lower case, no full stop.
    package let context: String
}

/// Gathers the policy files that are compiled together (LANGUAGE section 2).
///
/// A folder with `policy.yaml` is a unit, and a path inside it stands for that unit. Outside any
/// unit, the named files are the policy, and their root is the nearest folder that contains all of
/// them.
package enum UnitLoader {
    /// The most octets of a policy file (LANGUAGE section 1.6).
    package static let largestFile = 64 << 20

    /// Reads the unit that the paths name.
    ///
    /// - Parameter limits: the most that is read, with the files that the policies name.
    package static func load(
        paths: [String], limits: RootFolder.Limits = RootFolder.Limits()
    ) throws(UnitLoadError) -> PolicyUnit {
        guard !paths.isEmpty else {
            throw UnitLoadError(code: .noInputs, context: "no policy was named")
        }
        var units: Set<String> = []
        var loose: [String] = []
        for path in paths {
            let place: Place
            do throws(FileReadError) {
                place = try self.place(of: path)
            } catch {
                throw UnitLoadError(code: .unreadable, context: error.context)
            }
            if let unit = place.unit {
                units.insert(unit)
            } else if place.isFolder {
                throw UnitLoadError(
                    code: .noPolicy, context: "`\(path)` is a folder without `policy.yaml`")
            } else {
                loose.append(place.path)
            }
        }
        if let unit = units.first {
            guard units.count == 1, loose.isEmpty else {
                throw UnitLoadError(
                    code: .severalUnits,
                    context: "the paths belong to more than one unit; check each by itself")
            }
            return try folderUnit(unit, limits)
        }
        return try looseUnit(Set(loose).sorted(), limits)
    }

    // MARK: A folder

    static func folderUnit(
        _ path: String, _ limits: RootFolder.Limits
    ) throws(UnitLoadError) -> PolicyUnit {
        do throws(FileReadError) {
            return try unit(in: try RootFolder(path: path, limits: limits))
        } catch {
            throw UnitLoadError(code: .unreadable, context: error.context)
        }
    }

    /// The unit of a root that contains `policy.yaml`.
    package static func unit(in root: any UnitTree) throws(FileReadError) -> PolicyUnit {
        var walk = UnitWalk(root: root)
        try walk.run()
        return PolicyUnit(
            files: walk.files, resources: TreeResources(root: root),
            mentioned: walk.mentioned, diagnostics: walk.diagnostics(), isDirectory: true)
    }

    // MARK: Files outside any unit

    static func looseUnit(
        _ paths: [String], _ limits: RootFolder.Limits
    ) throws(UnitLoadError) -> PolicyUnit {
        let common = commonFolder(of: paths)
        let prefix = common == "/" ? 1 : common.utf8.count + 1
        do throws(FileReadError) {
            let root = try RootFolder(path: common, limits: limits)
            let names = paths.map { String(decoding: $0.utf8.dropFirst(prefix), as: UTF8.self) }
            return try looseUnit(of: names, in: root)
        } catch {
            throw UnitLoadError(code: .unreadable, context: error.context)
        }
    }

    /// Files outside any unit, by their paths from a root that contains all of them.
    package static func looseUnit(
        of paths: [String], in root: any UnitTree
    ) throws(FileReadError) -> PolicyUnit {
        var files: [SourceFile] = []
        for path in paths {
            files.append(
                SourceFile(path: path, bytes: try root.read(path, limit: largestFile)))
        }
        return PolicyUnit(files: files, resources: TreeResources(root: root), isDirectory: false)
    }

    // MARK: Paths

    /// Where a file or folder stands that a person named.
    package struct Place: Hashable, Sendable {
        /// The absolute path. No folder in it is a link.
        package let path: String
        package let isFolder: Bool
        /// The folder of the unit that it belongs to; nil outside any unit.
        package let unit: String?
    }

    /// Finds the place of a path. A link to a file of the unit that the link stands in belongs to
    /// that unit, as the names of a folder do that Kubernetes mounts. Any other link stands for the
    /// file that it leads to.
    package static func place(of path: String) throws(FileReadError) -> Place {
        let target = try NamedPath.resolve(path)
        guard !NamedPath.isFolder(target) else {
            return Place(path: target, isFolder: true, unit: unitFolder(from: target))
        }
        let slash = path.lastIndex(of: "/")
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        let folder = try NamedPath.resolve(
            slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
        if let unit = unitFolder(from: folder), target.hasPrefix(unit == "/" ? "/" : unit + "/") {
            return Place(
                path: folder == "/" ? "/\(name)" : "\(folder)/\(name)", isFolder: false, unit: unit)
        }
        return Place(
            path: target, isFolder: false, unit: unitFolder(from: parent(of: target)))
    }

    /// The nearest folder that contains all the files. There must be at least one file.
    static func commonFolder(of paths: [String]) -> String {
        var common = parent(of: paths[0])
        for path in paths.dropFirst() {
            while common != "/", !path.hasPrefix(common + "/") { common = parent(of: common) }
        }
        return common
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// The nearest folder, from this one upwards, that contains `policy.yaml`.
    package static func unitFolder(from folder: String) -> String? {
        var folder = folder
        while true {
            if NamedPath.exists(folder == "/" ? "/policy.yaml" : folder + "/policy.yaml") {
                return folder
            }
            if folder == "/" { return nil }
            folder = parent(of: folder)
        }
    }

}
