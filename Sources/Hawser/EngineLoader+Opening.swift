public import TrustEngine

extension EngineLoader {
    /// Reads a table file: the table, and the facts that its envelope states.
    ///
    /// Problems are found in this order: an envelope that contradicts itself, missing signatures of
    /// `trustedKeys`, and then problems of the table. The table is not decoded before its
    /// signatures are verified.
    public static func open(
        tableFile path: String, trustedKeys: TrustedKeys? = nil
    ) throws(EngineLoaderError) -> OpenedTable {
        try open(signedTable(at: path), trustedKeys)
    }

    /// Reads the bytes of a table file, under the same terms. The octets of a signed table are
    /// moved once, in place when the caller gives up the array.
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

    /// Whether a file begins as a table does, bare or signed. Nothing else of it is read.
    package static func isTable(_ path: String) -> Bool {
        FileReader.beginning(of: path, count: SignedTable.magicSize)
            .map(SignedTable.begins) ?? false
    }

    /// The content of a table file. The table is read to the place where it stays.
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
            // The header is checked again with the number of octets that were read.
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
                table: try decode(signed.table), revision: signed.revision, terms: signed.terms,
                signatures: signed.signatures, signers: signers)
        } catch {
            throw .table(error)
        }
    }

    /// Decodes a table. For a large table, half of the work, the hashing, is done on another
    /// thread at the same time.
    private static func decode(_ bytes: [UInt8]) throws(TableDecodingError) -> PolicyTable {
        let crypto = digests
        guard bytes.count >= sideBySideFrom else {
            return try PolicyTable(decoding: bytes, crypto: crypto)
        }
        return try PolicyTable(
            decoding: bytes, crypto: crypto,
            beside: { work in
                let answer = Monitor<Bool?>(nil)
                let isStarted = BackgroundThread.start {
                    let holds = work()
                    answer.withLock { $0 = holds }
                }
                guard isStarted else { return work }
                return {
                    // When a turn ends before the work does, the next turn begins.
                    while true {
                        let turn = Deadline(in: .seconds(3_600))
                        if let holds = answer.wait(until: turn, { $0 }) { return holds }
                    }
                }
            })
    }

    /// The backend that decodes tables. Decoding asks only for digests, so no memory of signatures
    /// or keys is made for a table.
    private static let digests = libcrypto

    /// Octets from which a second thread is used. Hashing them takes some ten times as long as
    /// starting a thread, at a gigabyte in a second.
    private static let sideBySideFrom = 1 << 19
}

/// A table with the facts that its file states.
public struct OpenedTable: Sendable {
    /// The table.
    public let table: PolicyTable
    /// The revision, which must not go back; nil for a bare table.
    public let revision: UInt64?
    /// When the table was issued and until when it may be used; nil for a bare table and for an
    /// envelope of version 1.
    public let terms: TableTerms?
    /// All signatures of the file, whether or not keys are trusted.
    public let signatures: [TableSignature]
    /// The trusted keys that signed the table, in the order of `TrustedKeys.keys`; empty when no
    /// keys are trusted.
    public let signers: [TablePublicKey]

    /// What the envelope states; nil for a bare table.
    package var statement: TableStatement? {
        revision.map { revision in
            TableStatement(
                revision: revision, terms: terms,
                signers: signers.isEmpty ? signatures.map(\.keyID) : signers.map(\.id),
                isVerified: !signers.isEmpty)
        }
    }
}
