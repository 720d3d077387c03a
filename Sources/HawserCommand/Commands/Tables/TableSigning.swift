import Hawser
import Rendering
import TrustEngine

/// Signs tables, for `compile` and `sign`.
enum TableSigning {
    /// The most octets of a key file.
    private static let largestKey = 64 << 10

    /// The private key in a file.
    static func key(_ path: String) throws(CommandFailure) -> TableSigningKey {
        let pem = try InputFile.readStream(path, limit: largestKey)
        let key: TableSigningKey
        do throws(TrustedKeyError) {
            key = try TableSigningKey(pem: pem)
        } catch {
            throw .couldNotAsk("`\(path)`, \(error.code.rawValue): \(error.context)")
        }
        // A warning and no refusal: where secrets are mounted, every container of a pod can often
        // read them, and after a refusal people would make another copy.
        if NamedPath.isReadableByEveryone(path) {
            Report.progress(
                "warning: every user of this machine may read the private key `\(path)`; "
                    + "`chmod 600` takes that away")
        }
        return key
    }

    /// A table with its revision, its terms and the signatures that it has.
    static func numbered(
        _ table: PolicyTable, revision: UInt64, terms: TableTerms?,
        signatures: [TableSignature] = []
    ) throws(CommandFailure) -> SignedTable {
        do throws(TableDecodingError) {
            return try SignedTable(
                table: table.bytes, revision: revision, terms: terms, signatures: signatures)
        } catch {
            throw .ownFault("\(error.code.rawValue): \(error.context)")
        }
    }

    /// The table with one more signature.
    static func sign(
        _ table: SignedTable, with key: borrowing TableSigningKey
    ) throws(CommandFailure) -> SignedTable {
        do throws(TableDecodingError) {
            return try key.sign(table)
        } catch {
            throw .couldNotAsk("the table cannot be signed: \(error.context)")
        }
    }

    /// The lines about a written file: its digests and, if it has them, its revision and
    /// signatures. `own` is the key of the new signature.
    static func text(
        _ signed: SignedTable?, _ table: PolicyTable, _ own: TablePublicKey?
    ) -> String {
        var lines = [
            "policy digest \(table.policyDigest.text)", "file digest \(table.fileDigest.text)",
        ]
        if let revision = signed?.revision { lines.append("revision \(revision)") }
        lines += TableEnvelope.lines(of: signed?.terms)
        for signature in signed?.signatures ?? [] {
            lines.append("signed by key \(signature.keyID.text)")
        }
        if let own { lines.append("public key \(own.base64)") }
        return lines.map { $0 + "\n" }.joined()
    }
}
