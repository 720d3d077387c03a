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
    /// Digest that every byte has a part in: the table's seal, and what a signature signs. Not what
    /// `sha256sum` prints, which would hash the policy a second time.
    public let fileDigest: Digest

    /// Where each section lies in the bytes.
    let layout: TableLayout

    /// A table of bytes that were checked, or that the encoder has just written.
    init(bytes: [UInt8], layout: TableLayout, policyDigest: Digest, fileDigest: Digest) {
        self.bytes = bytes
        self.layout = layout
        self.policyDigest = policyDigest
        self.fileDigest = fileDigest
    }
}

/// Why bytes are not a policy table.
public struct TableDecodingError: Error, Hashable, Sendable {
    /// The reason's stable name.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// Fewer bytes than the header, or than the length it states.
        case truncated
        /// The bytes do not begin as a table does.
        case notATable = "not-a-table"
        /// Another version of the format.
        case unsupportedVersion = "unsupported-version"
        /// The policy digest or the seal is not that of the bytes, or bytes follow the seal.
        case altered
        /// Sections that contradict themselves, each other, or the language.
        case malformed
        /// A requirement that this version does not know and so could not hold anyone to.
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
