/// One certificate as a verdict names it. Text is raw: renderers escape it.
public struct CertificateReference: Hashable, Sendable {
    /// Where a certificate of a path came from.
    public enum Origin: Hashable, Sendable {
        /// Presented by the peer, at this place of its chain (0 first).
        case presented(Int)
        /// Offered by an anchor set as an extra intermediate.
        case offered(set: String)
        /// A member of an anchor set.
        case anchor(set: String)
    }

    /// Place on the path, 0 the end entity; -1 outside any path.
    public let position: Int
    /// Where it came from.
    public let origin: Origin
    /// The subject as an RFC 4514 string, not escaped for any output.
    public let subject: String
    /// SHA-256 of the certificate.
    public let fingerprint: Digest

    /// A reference.
    public init(position: Int, origin: Origin, subject: String, fingerprint: Digest) {
        self.position = position
        self.origin = origin
        self.subject = subject
        self.fingerprint = fingerprint
    }
}
