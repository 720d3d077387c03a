package import Hawser

/// Finds the policy files below a folder, of all units there. Nothing is compiled.
package enum PolicyFiles {
    /// Paths from `folder`, sorted: every regular file named `policy.yaml` or `NAME.policy.yaml`.
    /// Hidden folders are skipped, and no link is followed.
    package static func below(
        _ folder: String, limits: RootFolder.Limits = RootFolder.Limits()
    ) throws(FileReadError) -> [String] {
        try below(folder, limits: limits, where: PolicyName.isCompiled)
    }

    /// The same, with the tests and the assertions beside policies: what `fmt` formats.
    package static func formatted(below folder: String) throws(FileReadError) -> [String] {
        try below(folder, limits: RootFolder.Limits()) {
            PolicyName.isCompiled($0) || CompanionFiles.isOne($0, "test")
                || CompanionFiles.isOne($0, "assert")
        }
    }

    private static func below(
        _ folder: String, limits: RootFolder.Limits, where isWanted: (String) -> Bool
    ) throws(FileReadError) -> [String] {
        let root = try RootFolder(path: folder, limits: limits)
        var found: [String] = []
        var folders = [""]
        while let folder = folders.popLast() {
            for item in try root.entries(of: folder) {
                let path = folder.isEmpty ? item.name : "\(folder)/\(item.name)"
                switch item.kind {
                case .folder where !item.name.hasPrefix("."): folders.append(path)
                case .regular where isWanted(item.name): found.append(path)
                case .regular, .folder, .linkToFolder, .other: break
                }
            }
        }
        return found.sorted()
    }
}
