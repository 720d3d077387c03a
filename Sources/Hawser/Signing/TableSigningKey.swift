import LibCrypto
package import TrustEngine

/// A private key that signs tables, in the form that `openssl genpkey -algorithm ed25519` writes.
package struct TableSigningKey: ~Copyable {
    /// The public key of the pair, which services trust.
    package let publicKey: TablePublicKey
    private let key: SigningKey

    /// Makes a key from the text of a PEM file with one block `PRIVATE KEY`.
    ///
    /// - Throws: `not-a-key`, and `binds-nobody` when the public key is a point of small order.
    package init(pem: [UInt8]) throws(TrustedKeyError) {
        let der = try KeyBlock.read(
            "PRIVATE KEY", of: pem,
            help: [
                "ENCRYPTED PRIVATE KEY":
                    "`openssl pkey -in FILE -out OTHER` takes the passphrase off",
                "PUBLIC KEY": "a public key verifies, and signs nothing",
            ])
        guard let key = SigningKey(pkcs8: der) else {
            throw TrustedKeyError(
                code: .notAKey,
                context: "the block `PRIVATE KEY` holds no Ed25519 key, the only kind that signs "
                    + "tables; `openssl genpkey -algorithm ed25519` makes one")
        }
        self.publicKey = try TablePublicKey(raw: key.publicKey)
        self.key = key
    }

    /// Adds this key's signature to the signatures of a table. An earlier signature of this key is
    /// replaced.
    ///
    /// - Parameter signed: a table with a revision that a decoder has accepted.
    /// - Throws: `malformed` when one more signature does not fit.
    package func sign(_ signed: SignedTable) throws(TableDecodingError) -> SignedTable {
        guard let revision = signed.revision, let message = signed.signedMessage,
            let octets = key.sign(message),
            let signature = TableSignature(keyID: publicKey.id, octets: octets)
        else { preconditionFailure("only a table with a revision is signed") }
        return try SignedTable(
            table: signed.table, revision: revision, terms: signed.terms,
            signatures: signed.signatures.filter { $0.keyID != publicKey.id } + [signature])
    }
}
