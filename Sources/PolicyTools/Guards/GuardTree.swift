package import PolicyCompiler
package import TrustEngine

/// The files of one side of a comparison, as far as guards need them: a commit, an index, the work
/// tree, or a folder.
package struct GuardTree: Sendable {
    /// A unit that compiles.
    package struct Policy: Sendable {
        package let checked: CheckedPolicy
        package let table: PolicyTable

        package init(checked: CheckedPolicy, table: PolicyTable) {
            self.checked = checked
            self.table = table
        }
    }

    /// What stands before each path for a reader; empty, or a path that ends with `/`.
    package let prefix: String
    /// Every regular file by its path from the top, with a text that stands for its content: equal
    /// texts are equal contents.
    package let identities: [String: String]
    /// The contents of the files that may have a guard that changed.
    package let files: [String: [UInt8]]
    /// The files of the unit in a folder.
    package let resources: @Sendable (_ root: String) -> (any UnitResources)?
    /// The unit in a folder; nil if it does not compile.
    package let policy: @Sendable (_ root: String) -> Policy?
    /// The folders with a policy outside any unit.
    private let looseFolders: Set<String>

    package init(
        prefix: String, identities: [String: String], files: [String: [UInt8]],
        resources: @escaping @Sendable (String) -> (any UnitResources)?,
        policy: @escaping @Sendable (String) -> Policy?
    ) {
        self.prefix = prefix
        self.identities = identities
        self.files = files
        self.resources = resources
        self.policy = policy
        looseFolders = Set(
            identities.keys.filter { $0.hasSuffix(".policy.yaml") }.map(GuardTree.folder))
    }

    /// The folder of the unit that a file lies in; nil if it lies in none. `""` is the top.
    package func unit(of path: String) -> String? {
        GuardTree.unit(of: path) { identities[$0] != nil }
    }

    /// The same for any listing of files.
    package static func unit(of path: String, isThere: (String) -> Bool) -> String? {
        var folder = folder(of: path)
        while true {
            if isThere(folder.isEmpty ? "policy.yaml" : folder + "/policy.yaml") { return folder }
            if folder.isEmpty { return nil }
            folder = self.folder(of: folder)
        }
    }

    /// The folder of the policy that a test file tests: its unit's, or the nearest folder upwards
    /// that has a policy file.
    func tested(by path: String) -> String? {
        if let unit = unit(of: path) { return unit }
        var folder = GuardTree.folder(of: path)
        while !looseFolders.contains(folder) {
            if folder.isEmpty { return nil }
            folder = GuardTree.folder(of: folder)
        }
        return folder
    }

    /// The folder of a path; `""` is the top.
    package static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    /// A path from a folder that it lies in.
    static func path(_ path: String, from folder: String) -> String {
        folder.isEmpty ? path : String(path.dropFirst(folder.count + 1))
    }

    /// The path that a path names from a folder, `..` resolved; nil if it leaves the top.
    static func resolve(_ path: String, from folder: String) -> String? {
        var names = folder.split(separator: "/")
        for name in path.split(separator: "/") where name != "." {
            if name == ".." {
                guard names.popLast() != nil else { return nil }
            } else {
                names.append(name)
            }
        }
        return names.joined(separator: "/")
    }
}
