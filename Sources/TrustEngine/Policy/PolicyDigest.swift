// The digests of a table (SHA-256). A load hashes every byte once.

/// Computes the digests of a table.
enum PolicyDigest {
    /// The policy digest. It covers the octets from the directory of the meaning to the last
    /// section of the meaning. Ids and every field lie there; `owner`, `note`, `reason`, `ticket`
    /// and provenance do not. The encoder has one form for each policy, so equal policies have
    /// equal octets there.
    static func ofMeaning(
        _ table: Span<UInt8>, end: Int, crypto: some CryptoBackend
    ) -> Digest {
        crypto.digest(.sha256, of: table.extracting(TableFormat.meaningOffset..<end))
    }

    /// The seal, which is also the file digest. It covers the head, which holds the policy digest,
    /// and a digest of the octets behind the meaning. So every octet has a part in it, and each
    /// octet is hashed once. The seal detects damage; it does not detect forgery. A signature over
    /// the seal says who wrote the table.
    static func seal(
        of table: Span<UInt8>, meaningEnd: Int, end: Int, crypto: some CryptoBackend
    ) -> Digest {
        var octets: [UInt8] = []
        for index in 0..<TableFormat.meaningOffset { octets.append(table[index]) }
        octets += crypto.digest(.sha256, of: table.extracting(meaningEnd..<end)).bytes
        return crypto.digest(.sha256, of: octets.span)
    }
}
