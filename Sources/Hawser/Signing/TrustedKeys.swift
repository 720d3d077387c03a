import LibCrypto
import TrustEngine

/// The keys that a program trusts to sign its tables, and how many of them must have signed.
///
/// A table with fewer good signatures does not load, and a bare table never loads. Signatures of
/// other keys are ignored. So a table may already carry the signature of the next key.
public struct TrustedKeys: Hashable, Sendable {
    /// INVARIANT (each key once).
    public let keys: [TablePublicKey]
    /// The number of keys that must have signed, from one to all.
    public let threshold: Int

    /// Makes a set of keys, of which `threshold` must have signed.
    ///
    /// - Throws: `duplicate-key` when a key is given twice, because one key must not count for two;
    ///   `bad-threshold` when the threshold is not from 1 to the number of keys.
    public init(_ keys: [TablePublicKey], threshold: Int = 1) throws(TrustedKeyError) {
        var seen: Set<TablePublicKey> = []
        for key in keys where !seen.insert(key).inserted {
            throw TrustedKeyError(code: .duplicateKey, context: "\(key) is given twice")
        }
        guard threshold >= 1, threshold <= keys.count else {
            throw TrustedKeyError(
                code: .badThreshold,
                context: "\(threshold) of \(keys.count) keys cannot sign; from 1 to all of them can"
            )
        }
        self.keys = keys
        self.threshold = threshold
    }

    /// The trusted keys that signed a table.
    ///
    /// Only the seal that the table claims is compared. Decoding the table proves the seal, and a
    /// table without good signatures is never decoded.
    ///
    /// - Throws: `TableSignatureError` when fewer keys than the threshold have signed.
    func signers(of signed: SignedTable) throws(TableSignatureError) -> [TablePublicKey] {
        try signers(
            of: signed.signatures, revision: signed.revision, terms: signed.terms,
            seal: signed.claimedSeal)
    }

    /// The trusted keys that signed a revision, terms and a seal, for an envelope that is kept
    /// apart from its table. `revision` and `seal` are nil when the envelope or the table has none.
    ///
    /// - Throws: `TableSignatureError` when fewer keys than the threshold have signed.
    func signers(
        of signatures: [TableSignature], revision: UInt64?, terms: TableTerms?, seal: Digest?
    ) throws(TableSignatureError) -> [TablePublicKey] {
        guard let revision, let seal, !signatures.isEmpty else {
            let found =
                revision.map { "it has revision \($0) and no signature" } ?? "it is a bare table"
            throw TableSignatureError(code: .unsigned, context: "\(found); \(wanted)")
        }
        let message = SignedTable.message(revision: revision, terms: terms, seal: seal)
        let crypto = LibCryptoBackend()
        var good: [TablePublicKey] = []
        var bad: [TablePublicKey] = []
        for key in keys {
            guard let signature = signatures.first(where: { $0.keyID == key.id }) else {
                continue
            }
            if key.verify(signature.octets, over: message, crypto) {
                good.append(key)
            } else {
                bad.append(key)
            }
        }
        guard good.count < threshold else { return good }
        guard bad.isEmpty else {
            throw TableSignatureError(
                code: .badSignature,
                context: "the signature of \(bad[0]) is over another table, revision or dates than "
                    + "this one, revision \(revision); \(wanted)")
        }
        let others = signatures.map(\.keyID.text).joined(separator: ", ")
        throw TableSignatureError(
            code: .notEnoughSignatures,
            context:
                "\(good.count) of its signatures \(good.count == 1 ? "is" : "are") by a trusted "
                + "key; it is signed by \(others); \(wanted)")
    }

    /// The signatures that the table must have, in words.
    private var wanted: String {
        let ids = keys.prefix(TrustedKeys.mostNamed).map(\.description).joined(separator: ", ")
        let more = keys.count > TrustedKeys.mostNamed ? ", …" : ""
        return keys.count == 1
            ? "it must be signed by \(ids)" : "it must be signed by \(threshold) of \(ids)\(more)"
    }

    private static let mostNamed = 4
}

/// Why a table does not count as signed.
public struct TableSignatureError: Error, Hashable, Sendable {
    /// The reason's stable name.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The table is bare, or it has a revision and no signature.
        case unsigned
        /// Fewer trusted keys than the threshold have signed the table.
        case notEnoughSignatures = "not-enough-signatures"
        /// Fewer trusted keys than the threshold have signed the table, and a trusted key's
        /// signature is over other octets: another table, another revision, or altered octets.
        case badSignature = "bad-signature"
    }

    /// The reason.
    public let code: Code
    /// What was found: lower case, no full stop. The text names keys by their ids.
    public let context: String
}
