package import TrustEngine

/// The policy that `lint --base` compares with.
package struct LintBase: Sendable {
    /// As the user named it, with its resolved revision.
    package let name: String
    package let table: PolicyTable

    package init(name: String, table: PolicyTable) {
        self.name = name
        self.table = table
    }
}
