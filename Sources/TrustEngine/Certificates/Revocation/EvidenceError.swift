/// Why octets are not a CRL or an OCSP response that the engine can read.
public struct EvidenceError: CodedError {
    /// The one reason.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// A field cannot be read.
        case fieldUnreadable = "field-unreadable"
    }

    /// The field that could not be read, in the words of RFC 5280 and RFC 6960, such as
    /// `tbsCertList.thisUpdate`.
    public let field: String
    /// The fault of the field; lower case, no full stop.
    public let reason: String
    /// Offset in the input at which reading stopped.
    public let offset: Int

    /// Makes an error from the field, the reason and the offset.
    public init(field: String, reason: String, offset: Int) {
        self.field = field
        self.reason = reason
        self.offset = offset
    }

    /// Always `field-unreadable`.
    public var code: Code { .fieldUnreadable }
    /// The field, the offset and the reason.
    public var context: String { "`\(field)` at octet \(offset): \(reason)" }
}
