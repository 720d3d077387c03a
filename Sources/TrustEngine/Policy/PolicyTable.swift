/// A compiled policy: immutable bytes with typed views over them. No inheritance is left to resolve,
/// no text to parse, no closure to call.
///
/// A value exists only for bytes whose seal, sections and references were all checked, so reading a
/// view never fails.
public struct PolicyTable: Sendable {
    /// The bytes, exactly what a table file holds.
    public let bytes: [UInt8]
    /// Digest of the policy's meaning: ids and every field but `owner`, `note`, `reason`, `ticket`.
    public let policyDigest: Digest
    /// Digest of all the bytes.
    public let fileDigest: Digest

    init(bytes: [UInt8], policyDigest: Digest, fileDigest: Digest) {
        self.bytes = bytes
        self.policyDigest = policyDigest
        self.fileDigest = fileDigest
    }
}

/// Why bytes are not a policy table.
public struct TableDecodingError: Error, Hashable, Sendable {
    /// The reason's stable name.
    public enum Code: String, Hashable, Sendable {
        case truncated
        case notATable = "not-a-table"
        case unsupportedVersion = "unsupported-version"
        case altered
        case digestMismatch = "digest-mismatch"
        case malformed
        case unknownRequirement = "unknown-requirement"
    }

    /// The reason.
    public let code: Code
    /// What was found, lower case, no full stop.
    public let context: String

    /// An error.
    public init(code: Code, context: String) {
        self.code = code
        self.context = context
    }
}
