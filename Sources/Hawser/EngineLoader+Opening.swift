public import TrustEngine

extension EngineLoader {
    /// A table file's table, with what its envelope says.
    ///
    /// Refused in this order: what the envelope contradicts, signatures that `trustedKeys` miss, and only
    /// then the table, which is not decoded before it is known whose it is.
    public static func open(
        tableFile path: String, trustedKeys: TrustedKeys? = nil
    ) throws(EngineLoaderError) -> OpenedTable {
        let bytes: [UInt8]
        do throws(FileReadError) {
            bytes = try FileReader.read(path: path, limit: largestTable)
        } catch {
            throw .file(error)
        }
        return try open(tableBytes: bytes, trustedKeys: trustedKeys)
    }

    /// The table that a table file's bytes hold, on the same terms.
    public static func open(
        tableBytes bytes: consuming [UInt8], trustedKeys: TrustedKeys? = nil
    ) throws(EngineLoaderError) -> OpenedTable {
        let signed: SignedTable
        do throws(TableDecodingError) {
            signed = try SignedTable(decoding: bytes)
        } catch {
            throw .table(error)
        }
        return try open(signed, trustedKeys)
    }

    private static func open(
        _ signed: SignedTable, _ trustedKeys: TrustedKeys?
    ) throws(EngineLoaderError) -> OpenedTable {
        var signers: [TablePublicKey] = []
        if let trustedKeys {
            do throws(TableSignatureError) {
                signers = try trustedKeys.signers(of: signed)
            } catch {
                throw .signature(error)
            }
        }
        do throws(TableDecodingError) {
            return OpenedTable(
                table: try PolicyTable(decoding: signed.table, crypto: crypto),
                revision: signed.revision, signatures: signed.signatures, signers: signers)
        } catch {
            throw .table(error)
        }
    }
}

/// A table with what the file that it came from says of it.
public struct OpenedTable: Sendable {
    /// The table.
    public let table: PolicyTable
    /// The revision, which must not go back; nil for a bare table.
    public let revision: UInt64?
    /// All signatures that the file carries, whether or not anybody was asked for.
    public let signatures: [TableSignature]
    /// The trusted keys that signed it, in the order in which they were given; none where none are trusted.
    public let signers: [TablePublicKey]
}
