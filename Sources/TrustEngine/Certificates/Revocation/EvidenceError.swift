/// Why octets are not a CRL or an OCSP response that the engine can read.
public struct EvidenceError: Error, Hashable, Sendable {
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
}
