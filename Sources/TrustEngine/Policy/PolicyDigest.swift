// The digests of a table, SHA-256, made so that a load hashes every byte once.

/// What is digested for what purpose.
enum PolicyDigest {
    /// The policy digest: the run from the directory of the meaning to the last of its sections. Ids
    /// and every field lie in it; `owner`, `note`, `reason`, `ticket` and provenance do not. Equal
    /// policies have equal bytes there, because the encoder has one form for each.
    static func ofMeaning(
        _ table: Span<UInt8>, end: Int, crypto: some CryptoBackend
    ) -> Digest {
        crypto.digest(.sha256, of: table.extracting(TableFormat.meaningOffset..<end))
    }

    /// The seal, which is the file digest too: the head, which holds the policy digest, and a digest of
    /// what stands behind the meaning. So it speaks of every byte before it, and none is hashed twice. It
    /// finds damage, not forgery; who may write a table is for a signature over it to say.
    static func seal(
        of table: Span<UInt8>, meaningEnd: Int, end: Int, crypto: some CryptoBackend
    ) -> Digest {
        var octets: [UInt8] = []
        for index in 0..<TableFormat.meaningOffset { octets.append(table[index]) }
        octets += crypto.digest(.sha256, of: table.extracting(meaningEnd..<end)).bytes
        return crypto.digest(.sha256, of: octets.span)
    }
}
