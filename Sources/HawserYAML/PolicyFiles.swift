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
        try root.walk { item, path in
            if item.kind == .regular, isWanted(item.name) { found.append(path) }
        }
        return found.sorted()
    }
}
