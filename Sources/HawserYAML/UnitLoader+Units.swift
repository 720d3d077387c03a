package import Hawser
package import PolicyCompiler

/// A unit and the folder of its root.
package struct LocatedUnit: Sendable {
    /// The absolute path of the root, without links.
    package let root: String
    package let unit: PolicyUnit
}

extension UnitLoader {
    /// Every unit that the paths name, each once: sorted by root, with files outside any unit last.
    /// A path inside a unit names that unit; a folder outside any unit names all units below it;
    /// files outside any unit are one unit together (LANGUAGE section 2.1).
    ///
    /// - Parameter limits: the most that is read for each unit.
    package static func units(
        paths: [String], limits: RootFolder.Limits = RootFolder.Limits()
    ) throws(UnitLoadError) -> [LocatedUnit] {
        var roots: Set<String> = []
        var loose: Set<String> = []
        for path in paths {
            do throws(FileReadError) {
                let place = try place(of: path)
                if let root = place.unit {
                    roots.insert(root)
                } else if place.isFolder {
                    let below = try unitFolders(below: place.path, limits)
                    guard !below.isEmpty else {
                        throw FileReadError(
                            code: .notFound,
                            context: "there is no `policy.yaml` in `\(path)` or below it")
                    }
                    roots.formUnion(below)
                } else {
                    loose.insert(place.path)
                }
            } catch {
                throw UnitLoadError(code: .unreadable, context: error.context)
            }
        }
        var units: [LocatedUnit] = []
        for root in roots.sorted() {
            units.append(LocatedUnit(root: root, unit: try folderUnit(root, limits)))
        }
        if !loose.isEmpty {
            let files = loose.sorted()
            units.append(
                LocatedUnit(
                    root: commonFolder(of: files), unit: try looseUnit(files, limits)))
        }
        return units
    }

    /// The folders below a folder that contain `policy.yaml`, without hidden folders. Units do not
    /// nest, so nothing below these folders is searched. Links are not followed.
    private static func unitFolders(
        below folder: String, _ limits: RootFolder.Limits
    ) throws(FileReadError) -> [String] {
        let root = try RootFolder(path: folder, limits: limits)
        var found: [String] = []
        var folders = [""]
        while let inner = folders.popLast() {
            let items = try root.entries(of: inner)
            if items.contains(where: { $0.name == "policy.yaml" }) {
                found.append("\(folder)/\(inner)")
                continue
            }
            for item in items where item.kind == .folder && !item.name.hasPrefix(".") {
                folders.append(inner.isEmpty ? item.name : "\(inner)/\(item.name)")
            }
        }
        return found
    }
}
