/// The policy files compiled together, already read, and the way to the files they name.
package struct PolicyUnit: Sendable {
    /// Policy files, sorted by path; the bytes compiled are the bytes here.
    package let files: [SourceFile]
    /// Where `files`, `pem` and pin files are read from: the unit's root.
    package let resources: any UnitResources
    /// Files that `diagnostics` name and that are not compiled; numbered after `files` in spans, and
    /// appended to the files of a `Compilation`.
    package let mentioned: [SourceFile]
    /// Problems found while gathering the unit (misnamed files, links, a second `policy.yaml`).
    package let diagnostics: [Diagnostic]
    /// Whether the unit is a directory with `policy.yaml`, which alone may then hold `default`.
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

/// Reads what a unit's policies name: each file once, beneath the unit's root, regular files only.
package protocol UnitResources: Sendable {
    /// The bytes of a file by its path from the unit's root (`/` between parts, no `..`).
    func read(_ path: String, limit: Int) throws(ResourceError) -> [UInt8]
    /// Names of the regular files directly in a folder, sorted; a link or special file among them
    /// with a certificate's extension is an error.
    func list(_ folder: String) throws(ResourceError) -> [String]
}

/// Why a file that a policy names cannot be used.
package struct ResourceError: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable {
        case notFound = "not-found"
        case notRegular = "not-regular"
        case leavesRoot = "leaves-root"
        case tooLarge = "too-large"
        case unreadable
    }
    package let code: Code
    /// What was found, lower case, no full stop.
    package let context: String
    package init(code: Code, context: String) {
        self.code = code
        self.context = context
    }
}
