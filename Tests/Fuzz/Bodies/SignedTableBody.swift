import Hawser
import TestPKI
import TrustEngine

/// A table file with or without an envelope, under the keys that signed the seeds and nothing else.
enum SignedTableBody {
    static func run(_ bytes: [UInt8]) {
        if let signed = try? SignedTable(decoding: bytes) {
            require(signed.encoded == bytes, "an envelope that is read is written the same")
        }
        if (try? EngineLoader.open(tableBytes: bytes, trustedKeys: both)) != nil {
            require(seeds.contains(bytes), "nothing loads under keys but what they signed")
        }
        guard let opened = try? EngineLoader.open(tableBytes: bytes, trustedKeys: either) else {
            return
        }
        // The other key's signature may be any octets, or nobody's.
        require(
            seeds.contains { seed in
                let signed = try? SignedTable(decoding: seed)
                return signed?.table == opened.table.bytes && signed?.revision == opened.revision
                    && signed?.terms == opened.terms
            }, "no table, no revision and no terms load under a key but those it signed")
    }

    /// Tables signed by both keys, and octets that only look like them.
    static let inputs: [[UInt8]] =
        seeds
        + seeds.flatMap { seed -> [[UInt8]] in
            guard let signed = try? SignedTable(decoding: seed), let revision = signed.revision,
                let bare = try? SignedTable(table: signed.table, revision: revision),
                let next = try? SignedTable(
                    table: signed.table, revision: revision + 1, terms: signed.terms,
                    signatures: signed.signatures),
                let other = try? SignedTable(
                    table: signed.table, revision: revision,
                    terms: signed.terms == nil ? terms : nil, signatures: signed.signatures)
            else { return [] }
            return [bare.encoded, next.encoded, other.encoded, signed.table]
        }

    private static let terms = TableTerms(
        issued: UTCInstant(secondsSinceEpoch: 1_800_000_000),
        expires: UTCInstant(secondsSinceEpoch: 1_900_000_000))

    /// Every second one states terms.
    private static let seeds: [[UInt8]] = Seeds.tables.enumerated().compactMap { index, table in
        let terms = index % 2 == 0 ? nil : terms
        guard
            let numbered = try? SignedTable(
                table: table, revision: UInt64(index + 1), terms: terms),
            let message = numbered.signedMessage
        else { return nil }
        let signatures = zip(signers, both.keys).compactMap { signer, key in
            TableSignature(keyID: key.id, octets: signer.sign(message))
        }
        return try? SignedTable(
            table: table, revision: UInt64(index + 1), terms: terms, signatures: signatures
        ).encoded
    }

    private static let signers = [
        TestKey.ed25519("fuzz signs tables"), TestKey.ed25519("fuzz signs tables too"),
    ]
    private static let both = trusted(threshold: 2)
    private static let either = trusted(threshold: 1)

    private static func trusted(threshold: Int) -> TrustedKeys {
        do {
            return try TrustedKeys(
                signers.map { try TablePublicKey(raw: $0.publicKeyBits) }, threshold: threshold)
        } catch {
            fatalError("two keys can be trusted: \(error)")
        }
    }
}
