/// The SHA-1 by which OCSP names an issuer or a key (RFC 6960 sections 4.1.1 and 4.2.1). It proves
/// nothing, because two inputs with one SHA-1 can be made. A signature over something else must
/// vouch for the named issuer or key. The type is not a `Digest`, so that no pin and no fingerprint
/// can be a SHA-1.
public struct SHA1Identifier: Hashable, Sendable, BitwiseCopyable {
    private let words: (UInt64, UInt64, UInt32)

    /// Makes an identifier from its 20 octets, packed big-endian into words.
    public init(words: (UInt64, UInt64, UInt32)) { self.words = words }

    /// The 20 octets of the identifier, for an OCSP request.
    package var octets: [UInt8] {
        let first = (0..<8).map { UInt8(truncatingIfNeeded: words.0 >> UInt64(56 - $0 * 8)) }
        let second = (0..<8).map { UInt8(truncatingIfNeeded: words.1 >> UInt64(56 - $0 * 8)) }
        let third = (0..<4).map { UInt8(truncatingIfNeeded: words.2 >> UInt32(24 - $0 * 8)) }
        return first + second + third
    }

    /// Whether `octets` are the 20 octets of the identifier.
    package func isEqual(to octets: Span<UInt8>) -> Bool {
        guard octets.count == 20 else { return false }
        var found: (UInt64, UInt64, UInt32) = (0, 0, 0)
        for index in 0..<8 { found.0 = found.0 << 8 | UInt64(octets[index]) }
        for index in 8..<16 { found.1 = found.1 << 8 | UInt64(octets[index]) }
        for index in 16..<20 { found.2 = found.2 << 8 | UInt32(octets[index]) }
        return found == words
    }

    /// Compares the octets.
    public static func == (left: SHA1Identifier, right: SHA1Identifier) -> Bool {
        left.words == right.words
    }

    /// Hashes the first octets, which tell identifiers apart as well as all octets do.
    public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
