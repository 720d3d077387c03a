/// Many CRLs in one file, without signatures and with small entries, for services that fetch
/// nothing. Each CRL of the set gives exactly the answers of the original CRL, under the key that
/// signed the original.
///
/// A plain value: supply `evidence` with every request. Whoever writes the file decides which
/// certificates are revoked. The seal at its end detects damage; it does not prove who wrote the
/// file.
public struct RevocationSet: Hashable, Sendable {
    /// The octets of the set.
    public let bytes: [UInt8]
    /// SHA-256 of the set's octets.
    public let digest: Digest
    /// One piece of evidence for each CRL, in the order of their digests.
    public let evidence: [PreparedEvidence]

    /// Reads a set. Cost: linear in its octets, which are hashed and whose records are compared. A
    /// record does not become a value. Each record takes half an octet of memory beside the set.
    ///
    /// - Throws: `RevocationSetError` for octets that are not a whole set of this version.
    public init(
        decoding bytes: [UInt8], crypto: some CryptoBackend
    ) throws(RevocationSetError) {
        self.evidence = try RevocationSetDecoder.decode(bytes, crypto: crypto)
        self.bytes = bytes
        self.digest = crypto.digest(.sha256, of: bytes.span)
    }

    /// Compares the digests, and so the octets.
    public static func == (left: Self, right: Self) -> Bool { left.digest == right.digest }

    /// Hashes the digest.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// Octets of the largest set that the engine reads.
    public static let maximumSize = 1 << 30
}

/// Why octets are not a revocation set.
public struct RevocationSetError: CodedError {
    /// Stable names of the reasons.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The octets do not begin as a set does.
        case notASet = "not-a-set"
        /// The set has another version of the format.
        case unsupportedVersion = "unsupported-version"
        /// There are fewer octets than the head needs, or than the head states.
        case truncated
        /// The seal does not fit the octets before it, or octets follow the seal.
        case altered
        /// Lists of the set contradict themselves or each other.
        case malformed
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

/// Why evidence cannot be put into a revocation set.
package enum RevocationSetObstacle: Error, Hashable, Sendable {
    /// The evidence is not a CRL, or it belongs to a set already.
    case notAList
    /// No key that the CRL was prepared with verifies its signature.
    case notVerified
    /// The CRL has an unknown critical extension, given as a dotted identifier. The CRL says
    /// nothing.
    case unknownCritical(String)
    /// A serial number or the number of issuers does not fit the format.
    case tooLarge
}

/// The numbers of the format, which `grammar/revocation-set.md` describes.
enum RevocationSetFormat {
    static let magic: [UInt8] = [0x89, 0x48, 0x57, 0x52, 0x0D, 0x0A, 0x1A, 0x0A]
    static let version: UInt32 = 1
    /// Octets of magic, version, number of lists and length.
    static let headSize = 24
    static let lengthOffset = 16
    static let sealSize = 32
    /// Octets of a date: seconds after the list's first date.
    static let dateSize = 5
    /// Octets of a date and a reason.
    static let tailSize = 6
    /// Octets of an issuer's number, in an indirect CRL.
    static let issuerSize = 4
    static let maximumLists = 1 << 16
}
