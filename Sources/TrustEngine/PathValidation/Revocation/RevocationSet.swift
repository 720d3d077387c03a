/// Many CRLs in one file, without their signatures and with small entries, for services that fetch nothing:
/// each says of a certificate exactly what the CRL said that it was made of, under the key that signed it.
///
/// A value: hand `evidence` over with every request. Who may write the file decides what is revoked; the
/// seal at its end finds damage, not an author.
public struct RevocationSet: Hashable, Sendable {
    /// The set's octets.
    public let bytes: [UInt8]
    /// SHA-256 of them.
    public let digest: Digest
    /// A piece for each CRL, in the order of their digests.
    public let evidence: [PreparedEvidence]

    /// Reads a set. Cost: linear in its octets, which are hashed and whose records are compared; nothing is
    /// made of a record, and beside the set half an octet of memory is kept for each.
    ///
    /// - Throws: `RevocationSetError` for any octets that are not a whole set of this version.
    public init(
        decoding bytes: [UInt8], crypto: some CryptoBackend
    ) throws(RevocationSetError) {
        self.evidence = try RevocationSetDecoder.decode(bytes, crypto: crypto)
        self.bytes = bytes
        self.digest = crypto.digest(.sha256, of: bytes.span)
    }

    /// Equality of the octets.
    public static func == (left: Self, right: Self) -> Bool { left.digest == right.digest }

    /// Hashes the digest.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// Octets of the largest set that is read.
    public static let maximumSize = 1 << 30
}

/// Why octets are not a revocation set.
public struct RevocationSetError: Error, Hashable, Sendable {
    /// The reason's stable name.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// They do not begin as a set does.
        case notASet = "not-a-set"
        /// Another version of the format.
        case unsupportedVersion = "unsupported-version"
        /// Fewer octets than the head, or than the length it states.
        case truncated
        /// The seal is not that of the octets before it, or octets follow it.
        case altered
        /// Lists that contradict themselves or each other.
        case malformed
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

/// What keeps evidence from going into a set.
package enum RevocationSetObstacle: Error, Hashable, Sendable {
    /// It is no CRL, or one of a set already.
    case notAList
    /// No key that it was prepared with verifies its signature.
    case notVerified
    /// A critical extension that nobody here knows, dotted: such a CRL says nothing.
    case unknownCritical(String)
    /// A serial number or a number of issuers that the format has no room for.
    case tooLarge
}

/// The numbers of the format; `grammar/revocation-set.md` has them in words.
enum RevocationSetFormat {
    static let magic: [UInt8] = [0x89, 0x48, 0x57, 0x52, 0x0D, 0x0A, 0x1A, 0x0A]
    static let version: UInt32 = 1
    /// Magic, version, number of lists, length.
    static let headSize = 24
    static let lengthOffset = 16
    static let sealSize = 32
    /// Seconds after the list's first date.
    static let dateSize = 5
    /// Date and reason.
    static let tailSize = 6
    /// The number of an issuer, in an indirect CRL.
    static let issuerSize = 4
    static let maximumLists = 1 << 16
}
