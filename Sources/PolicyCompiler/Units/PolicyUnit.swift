/// The policy files that are compiled together, already read, and access to the files that they
/// name.
package struct PolicyUnit: Sendable {
    /// The file of a directory that `default` belongs in.
    static let home = "policy.yaml"

    /// The policy files, sorted by path. The compiled bytes are these bytes.
    package let files: [SourceFile]
    /// Reads the files that the policies name, from the unit's root.
    package let resources: any UnitResources
    /// Files that `diagnostics` name and that are not compiled. In spans they are numbered after
    /// `files`, and a `Compilation` has them after its files.
    package let mentioned: [SourceFile]
    /// Problems found while the unit was gathered: misnamed files, links, a second `policy.yaml`.
    package let diagnostics: [Diagnostic]
    /// Whether the unit is a directory with `policy.yaml`. Then only that file may contain
    /// `default`.
    package let isDirectory: Bool

    package init(
        files: [SourceFile], resources: any UnitResources, mentioned: [SourceFile] = [],
        diagnostics: [Diagnostic] = [], isDirectory: Bool
    ) {
        self.files = files
        self.resources = resources
        self.mentioned = mentioned
        self.diagnostics = diagnostics
        self.isDirectory = isDirectory
    }
}

/// Reads the files that a unit's policies name: each once, below the unit's root, regular files
/// only.
package protocol UnitResources: Sendable {
    /// The bytes of a file by its path from the unit's root (`/` between parts, no `..`).
    func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8]
    /// The names of the regular files directly in a folder, sorted. A link or special file among
    /// them whose name ends like a certificate's is an error.
    func list(_ folder: String) throws(ResourceError) -> [String]
    /// The names of the folders directly in a folder, sorted. A test names folders of cases.
    func folders(_ folder: String) throws(ResourceError) -> [String]
}

extension UnitResources {
    /// No folders: for resources that hold only files.
    package func folders(_ folder: String) throws(ResourceError) -> [String] { [] }
}

/// Why a file that a policy names cannot be used.
package struct ResourceError: Error, Hashable, Sendable {
    /// The stable name of the reason.
    package enum Code: String, Hashable, Sendable {
        case notFound = "not-found"
        case notRegular = "not-regular"
        case leavesRoot = "leaves-root"
        case tooLarge = "too-large"
        case unreadable
    }
    package let code: Code
    /// What was found. Lower case, no full stop.
    package let context: String
    package init(code: Code, context: String) {
        self.code = code
        self.context = context
    }
}
