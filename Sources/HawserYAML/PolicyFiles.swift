package import Hawser

/// Finds the policy files below a folder, of all units there. `fmt` uses it. Nothing is compiled.
package enum PolicyFiles {
    /// Paths from `folder`, sorted: every regular file named `policy.yaml` or `NAME.policy.yaml`.
    /// Hidden folders are skipped, and no link is followed.
    package static func below(
        _ folder: String, limits: RootFolder.Limits = RootFolder.Limits()
    ) throws(FileReadError) -> [String] {
        let root = try RootFolder(path: folder, limits: limits)
        var found: [String] = []
        var folders = [""]
        while let folder = folders.popLast() {
            for item in try root.entries(of: folder) {
                let path = folder.isEmpty ? item.name : "\(folder)/\(item.name)"
                switch item.kind {
                case .folder where !item.name.hasPrefix("."): folders.append(path)
                case .regular where PolicyName.isCompiled(item.name): found.append(path)
                case .regular, .folder, .linkToFolder, .other: break
                }
            }
        }
        return found.sorted()
    }
}
