/// A certificate as verdicts and traces name it: where it came from and what identifies it.
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

    /// What the subject's text is made of.
    private enum Subject: Sendable {
        case text(String)
        /// A certificate's octets, which are shared with the certificate, and where the Name lies.
        case name(in: [UInt8], ByteRange)
    }

    /// Position on the path; the end entity has 0. -1 for a certificate that is on no path.
    public let position: Int
    /// Where the certificate came from.
    public let origin: Origin
    /// SHA-256 of the certificate.
    public let fingerprint: Digest
    private let name: Subject

    /// The subject as an RFC 4514 string. The text is raw: renderers escape it. It is made when it
    /// is asked for, since an accept names certificates that nobody may read about. Cost: linear in
    /// the octets of the Name.
    public var subject: String {
        switch name {
        case .text(let text): return text
        case .name(let der, let range):
            return DistinguishedName.text(der.span.extracting(range.indices))
        }
    }

    /// Makes a reference from its values.
    public init(position: Int, origin: Origin, subject: String, fingerprint: Digest) {
        self.position = position
        self.origin = origin
        self.name = .text(subject)
        self.fingerprint = fingerprint
    }

    /// Makes a reference to a certificate whose fingerprint is known. Nothing is allocated.
    init(position: Int, origin: Origin, to certificate: Certificate, fingerprint: Digest) {
        self.position = position
        self.origin = origin
        self.name = .name(in: certificate.der, certificate.layout.subject)
        self.fingerprint = fingerprint
    }

    /// Compares the values, the subject by its text.
    public static func == (left: CertificateReference, right: CertificateReference) -> Bool {
        left.position == right.position && left.origin == right.origin
            && left.fingerprint == right.fingerprint && left.subject == right.subject
    }

    /// Hashes what tells certificates apart. References that differ in the subject alone are of no
    /// two certificates.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(position)
        hasher.combine(origin)
        hasher.combine(fingerprint)
    }
}
