// Three digests, all SHA-256, each over bytes as they stand in the table.

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

    /// The seal: everything before it. It finds damage, not forgery; who may write a table is for a
    /// signature over the file digest to say.
    static func seal(of table: Span<UInt8>, end: Int, crypto: some CryptoBackend) -> Digest {
        crypto.digest(.sha256, of: table.extracting(0..<end))
    }

    /// The file digest: all bytes, seal included.
    static func ofFile(_ table: Span<UInt8>, crypto: some CryptoBackend) -> Digest {
        crypto.digest(.sha256, of: table)
    }
}
