import LibCrypto
import TrustEngine

/// The keys that a program trusts to sign its tables, and how many of them must have signed.
///
/// A table without as many good signatures does not load, a bare one never. Signatures of other
/// keys say nothing, so that a table may carry the next key's before every program knows it.
public struct TrustedKeys: Hashable, Sendable {
    /// INVARIANT (each key once).
    public let keys: [TablePublicKey]
    /// From one to all of them.
    public let threshold: Int

    /// Keys, of which `threshold` must have signed.
    ///
    /// - Throws: `duplicate-key`, so that one key never counts for two; `bad-threshold` when it is
    ///   not from 1 to the number of keys.
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

    /// The keys of these that signed a table.
    ///
    /// What is looked at is the seal that the table claims. It is proved when the table is decoded,
    /// which an unauthenticated one never is.
    ///
    /// - Throws: `TableSignatureError` when they are fewer than the threshold.
    func signers(of signed: SignedTable) throws(TableSignatureError) -> [TablePublicKey] {
        try signers(
            of: signed.signatures, revision: signed.revision, seal: signed.claimedSeal)
    }

    /// The keys of these that signed a revision and a seal, as an envelope says that stands apart
    /// from its table; nil for what the envelope, or the table, has not.
    ///
    /// - Throws: `TableSignatureError` when they are fewer than the threshold.
    func signers(
        of signatures: [TableSignature], revision: UInt64?, seal: Digest?
    ) throws(TableSignatureError) -> [TablePublicKey] {
        guard let revision, let seal, !signatures.isEmpty else {
            let found =
                revision.map { "it has revision \($0) and no signature" } ?? "it is a bare table"
            throw TableSignatureError(code: .unsigned, context: "\(found); \(wanted)")
        }
        let message = SignedTable.message(revision: revision, seal: seal)
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
                context: "the signature of \(bad[0]) is over another table or revision than this "
                    + "one, revision \(revision); \(wanted)")
        }
        let others = signatures.map(\.keyID.text).joined(separator: ", ")
        throw TableSignatureError(
            code: .notEnoughSignatures,
            context:
                "\(good.count) of its signatures \(good.count == 1 ? "is" : "are") by a trusted "
                + "key; it is signed by \(others); \(wanted)")
    }

    /// What would have been right.
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
        /// A bare table, or one with a revision and no signature.
        case unsigned
        /// Fewer trusted keys have signed than must.
        case notEnoughSignatures = "not-enough-signatures"
        /// So too, and a trusted key's signature is over something else: another table, another
        /// revision, or altered on its way.
        case badSignature = "bad-signature"
    }

    /// The reason.
    public let code: Code
    /// What was found, lower case, no full stop; names keys by their ids.
    public let context: String
}
