package import Hawser
import PolicyCompiler

/// Finds the policy files below a folder, of all units there. Nothing is compiled.
package enum PolicyFiles {
    /// Paths from `folder`, sorted: every file named `policy.yaml` or `NAME.policy.yaml`. Hidden
    /// folders are skipped, and links that lead out of `folder`.
    package static func below(
        _ folder: String, limits: RootFolder.Limits = RootFolder.Limits()
    ) throws(FileReadError) -> [String] {
        try below(folder, limits: limits, where: PolicyName.isCompiled)
    }

    /// The same, with the tests and the assertions beside policies: what `fmt` formats. It throws
    /// `notRegular` for a file of Hawser's own that would be passed over.
    package static func formatted(below folder: String) throws(FileReadError) -> [String] {
        if let wrong = try CompanionFiles.below(folder, .tests).misnamed.first {
            throw FileReadError(code: .notRegular, context: "\(wrong.message); \(wrong.help)")
        }
        return try below(folder, limits: RootFolder.Limits()) { name in
            switch OwnFileKind(named: name) {
            case .policy, .tests, .assertions: return true
            case .allowances, .exports, nil: return false
            }
        }
    }

    private static func below(
        _ folder: String, limits: RootFolder.Limits, where isWanted: (String) -> Bool
    ) throws(FileReadError) -> [String] {
        let root = try RootFolder(path: folder, limits: limits)
        var found: [String] = []
        try root.walk { item, path in
            if item.kind.isFile, isWanted(item.name) { found.append(path) }
        }
        return found.sorted()
    }
}
