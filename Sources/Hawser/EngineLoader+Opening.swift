public import TrustEngine

extension EngineLoader {
    /// A table file's table, with what its envelope says.
    ///
    /// Refused in this order: what the envelope contradicts, signatures that `trustedKeys` miss,
    /// and only then the table, which is not decoded before it is known whose it is.
    public static func open(
        tableFile path: String, trustedKeys: TrustedKeys? = nil
    ) throws(EngineLoaderError) -> OpenedTable {
        try open(signedTable(at: path), trustedKeys)
    }

    /// The table that a table file's bytes hold, on the same terms. A signed one is moved once, in
    /// place when the caller gives the array away.
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

    /// What a file holds, the table where it will stay.
    private static func signedTable(at path: String) throws(EngineLoaderError) -> SignedTable {
        func header(
            _ first: [UInt8], _ size: Int
        ) throws(TableDecodingError) -> SignedTableHeader? {
            guard SignedTableHeader.begins(first) else { return nil }
            return try SignedTableHeader(decoding: first, fileSize: size)
        }
        let parts: Result<(head: [UInt8], rest: [UInt8]), TableDecodingError>
        do throws(FileReadError) {
            parts = try FileReader.read(
                path: path, limit: largestTable, octets: SignedTableHeader.largestSize
            ) { first, size throws(TableDecodingError) in
                try header(first, size)?.size ?? 0
            }
        } catch {
            throw .file(error)
        }
        do throws(TableDecodingError) {
            let (head, table) = try parts.get()
            guard !head.isEmpty else { return try SignedTable(decoding: table) }
            // A second look, now that the length is that of what was read.
            let header = try header(head, head.count + table.count)
            return SignedTable(header: header, table: table)
        } catch {
            throw .table(error)
        }
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
                table: try decode(signed.table), revision: signed.revision,
                signatures: signed.signatures, signers: signers)
        } catch {
            throw .table(error)
        }
    }

    /// Decodes a table; of a large one half of the work, its hashing above all, is done on a thread
    /// of its own beside the other half.
    private static func decode(_ bytes: [UInt8]) throws(TableDecodingError) -> PolicyTable {
        guard bytes.count >= sideBySideFrom else {
            return try PolicyTable(decoding: bytes, crypto: crypto)
        }
        return try PolicyTable(
            decoding: bytes, crypto: crypto,
            beside: { work in
                let answer = Monitor<PolicyTable.ChecksBeside?>(nil)
                let isStarted = BackgroundThread.start {
                    let checks = work()
                    answer.withLock { $0 = checks }
                }
                guard isStarted else { return work }
                return {
                    // A monitor knows no wait without end.
                    while true {
                        let turn = Deadline(in: .seconds(3_600))
                        if let checks = answer.wait(until: turn, { $0 }) { return checks }
                    }
                }
            })
    }

    /// Some ten times what a thread costs to start, at a gigabyte hashed in a second.
    private static let sideBySideFrom = 1 << 19
}

/// A table with what the file that it came from says of it.
public struct OpenedTable: Sendable {
    /// The table.
    public let table: PolicyTable
    /// The revision, which must not go back; nil for a bare table.
    public let revision: UInt64?
    /// All signatures that the file carries, whether or not anybody was asked for.
    public let signatures: [TableSignature]
    /// The trusted keys that signed it, in the order in which they were given; none where none are
    /// trusted.
    public let signers: [TablePublicKey]
}
