/// One certificate as a verdict names it. The text is raw: renderers escape it.
public struct CertificateReference: Hashable, Sendable {
    /// Where a certificate of a path came from.
    public enum Origin: Hashable, Sendable {
        /// The peer presented it. The number is its index in the presented chain.
        case presented(Int)
        /// An anchor set offers it under `intermediates`.
        case offered(set: String)
        /// It is a member of an anchor set.
        case anchor(set: String)
    }

    /// Position on the path; the end entity has 0. -1 for a certificate that is on no path.
    public let position: Int
    /// Where the certificate came from.
    public let origin: Origin
    /// The subject as an RFC 4514 string. The text is raw: renderers escape it.
    public let subject: String
    /// SHA-256 of the certificate.
    public let fingerprint: Digest

    /// Makes a reference from its values.
    public init(position: Int, origin: Origin, subject: String, fingerprint: Digest) {
        self.position = position
        self.origin = origin
        self.subject = subject
        self.fingerprint = fingerprint
    }
}
