/// A compiled policy: immutable bytes with typed views over them. No inheritance is left to
/// resolve, no text to parse, no closure to call.
///
/// A value exists only for bytes whose seal, sections and references were all checked. So reading a
/// view never fails.
public struct PolicyTable: Sendable {
    /// The bytes of the table, as a table file holds them.
    public let bytes: [UInt8]
    /// Digest of the policy's meaning: ids and every field but `owner`, `note`, `reason` and
    /// `ticket`.
    public let policyDigest: Digest
    /// The table's seal, a digest in which every byte has a part. A signature signs this digest. It
    /// is not the digest that `sha256sum` prints, for which the policy would have to be hashed
    /// twice.
    public let fileDigest: Digest

    /// Where each section lies in the bytes.
    let layout: TableLayout

    /// Makes a table of bytes that were checked, or that the encoder has just written.
    init(bytes: [UInt8], layout: TableLayout, policyDigest: Digest, fileDigest: Digest) {
        self.bytes = bytes
        self.layout = layout
        self.policyDigest = policyDigest
        self.fileDigest = fileDigest
    }
}

/// Why bytes are not a policy table.
public struct TableDecodingError: CodedError {
    /// Stable names of the reasons.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// There are fewer bytes than the header needs, or than the length that it states.
        case truncated
        /// The bytes do not begin as a table does.
        case notATable = "not-a-table"
        /// The table has another version of the format.
        case unsupportedVersion = "unsupported-version"
        /// The policy digest or the seal does not fit the bytes, or bytes follow the seal.
        case altered
        /// Sections contradict themselves, each other, or the language.
        case malformed
        /// A requirement that this version does not know and so cannot enforce.
        case unknownRequirement = "unknown-requirement"
    }

    /// The stable name of the reason.
    public let code: Code
    /// Details of the problem, lower case, no full stop.
    public let context: String

    /// Makes an error from its reason and details.
    public init(code: Code, context: String) {
        self.code = code
        self.context = context
    }
}
