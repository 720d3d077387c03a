/// Why a filter or the index of a cache is refused. Octets of a file can cause every case.
package struct FilterDamage: Error, Hashable, Sendable {
    /// The reason's stable name.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The first octets are neither a filter's nor an index's.
        case notAFilter = "not-a-filter"
        /// A filter or an index of a version that is not read.
        case unsupportedVersion = "unsupported-version"
        /// The file ends before the end of its contents.
        case truncated
        /// A value is not allowed, or contradicts another value.
        case malformed
        /// Octets follow the contents.
        case trailing
        /// The octets have changed since they were opened.
        case changed
    }

    /// The reason.
    package let code: Code
    /// What was found: lower case, no full stop. It contains no text of the file.
    package let context: String

    init(_ code: Code, _ context: String) {
        self.code = code
        self.context = context
    }
}
