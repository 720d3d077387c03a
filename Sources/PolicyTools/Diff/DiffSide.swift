package import PolicyCompiler
package import TrustEngine

/// One of the two policies that are compared.
package struct DiffSide: Sendable {
    /// The policy as the user named it: `git:HEAD`, `policies/bank`.
    package let name: String
    /// What a revision stood for, in words: "`main` (1a2b3c4d5e6f)", "the index". Nil for files.
    package let revision: String?
    package let table: PolicyTable
    /// The unit's folder from the top of the work tree, or from the current folder where there is
    /// none; nil for a table and for `none`.
    package let folder: String?
    /// The policy files; empty for a table.
    package let files: [SourceFile]
    /// The files that the policies name, by their paths from the unit's root.
    package let resources: [String: [UInt8]]

    /// SHA-256 of the policy's meaning.
    package var policyDigest: Digest { table.policyDigest }

    package init(
        _ name: String, _ table: PolicyTable, revision: String? = nil, folder: String? = nil,
        files: [SourceFile] = [], resources: [String: [UInt8]] = [:]
    ) {
        self.name = name
        self.table = table
        self.revision = revision
        self.folder = folder
        self.files = files
        self.resources = resources
    }
}
