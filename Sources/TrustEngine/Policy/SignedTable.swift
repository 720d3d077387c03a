// A table with its revision and the signatures over it. `grammar/signed-table.md` describes every
// byte.
//
// The envelope stands before the table and does not change it. So a table can be signed, signed
// again and checked without being decoded. A signature signs the table's seal, in which every byte
// of the table has a part. A signature says something of the bytes only after the table was
// decoded, because decoding computes the seal anew.

/// A table's bytes with its envelope. Nothing here is verified yet: signatures are not checked, and
/// the table is not decoded.
public struct SignedTable: Hashable, Sendable {
    /// The revision, which counts up from one issue of a policy to the next; nil for a bare table,
    /// which has no envelope.
    public let revision: UInt64?
    /// When the table was issued and until when it may be used; nil for a bare table, and for an
    /// envelope that states neither.
    public let terms: TableTerms?
    /// The signatures. INVARIANT (ascending by key id, each key once): at most sixteen, and none
    /// without a revision.
    public let signatures: [TableSignature]
    /// The bytes of the table without its envelope.
    public let table: [UInt8]

    /// Makes a table with a revision.
    ///
    /// - Throws: `malformed` when there are more than `mostSignatures`, or two signatures of one
    ///   key.
    package init(
        table: [UInt8], revision: UInt64, terms: TableTerms? = nil,
        signatures: [TableSignature] = []
    ) throws(TableDecodingError) {
        let sorted = signatures.sorted { $0.precedes($1) }
        guard sorted.count <= SignedTable.mostSignatures else {
            throw .malformed(
                "\(sorted.count) signatures, where a table has at most \(SignedTable.mostSignatures)"
            )
        }
        guard zip(sorted, sorted.dropFirst()).allSatisfy({ $0.precedes($1) }) else {
            throw .malformed("two signatures of one key")
        }
        self.init(revision: revision, terms: terms, signatures: sorted, table: table)
    }

    /// Removes the envelope. Bytes that begin as a bare table does are a bare table.
    ///
    /// Only the envelope is read. Where there is an envelope the table's bytes are moved once, in
    /// place when the caller gives the array away.
    ///
    /// - Throws: `TableDecodingError`: `not-a-table`, `unsupported-version`, `truncated` (fewer
    ///   bytes than the envelope states), `malformed` (its numbers contradict each other or the
    ///   bytes).
    public init(decoding bytes: consuming [UInt8]) throws(TableDecodingError) {
        var table = bytes
        guard !table.isEmpty else { throw .empty }
        guard SignedTable.hasEnvelope(table) else {
            guard table.prefix(8).elementsEqual(TableFormat.magic.prefix(table.count)) else {
                throw .otherBeginning(table)
            }
            self.init(header: nil, table: table)
            return
        }
        let header = try SignedTableHeader(decoding: table, fileSize: table.count)
        table.removeFirst(header.size)
        self.init(header: header, table: table)
    }

    /// Makes the value from an envelope that was read apart from its table. `header` is nil for a
    /// bare table.
    package init(header: SignedTableHeader?, table: [UInt8]) {
        self.init(
            revision: header?.revision, terms: header?.terms,
            signatures: header?.signatures ?? [], table: table)
    }

    private init(
        revision: UInt64?, terms: TableTerms?, signatures: [TableSignature], table: [UInt8]
    ) {
        self.revision = revision
        self.terms = terms
        self.signatures = signatures
        self.table = table
    }

    /// The bytes of a file: the envelope and then the table, or the bare table.
    public var encoded: [UInt8] {
        guard let revision else { return table }
        var bytes = SignedTable.magic
        bytes.append32(SignedTable.version)
        bytes.append32(signatures.count)
        bytes.append64(UInt64(SignedTableHeader.size(signatures.count) + table.count))
        bytes.append64(revision)
        TableTerms.append(terms, to: &bytes)
        for signature in signatures { bytes += signature.keyID.bytes + signature.octets }
        return bytes + table
    }

    /// The octets that every signature of this table signs; nil for a bare table, and for bytes
    /// that are too few to end with a seal.
    public var signedMessage: [UInt8]? {
        guard let revision, let seal = claimedSeal else { return nil }
        return SignedTable.message(revision: revision, terms: terms, seal: seal)
    }

    /// The octets that every signature over a revision, its terms and a seal signs.
    package static func message(revision: UInt64, terms: TableTerms?, seal: Digest) -> [UInt8] {
        var message = domain
        message.append64(revision)
        TableTerms.append(terms, to: &message)
        return message + seal.bytes
    }

    /// The seal that the table's bytes end with; nil for too few bytes. It is the file digest if
    /// the table decodes.
    package var claimedSeal: Digest? { SignedTable.claimedSeal(of: table) }

    /// The seal that the bytes of a table end with, with or without an envelope; nil for too few
    /// bytes.
    package static func claimedSeal(of bytes: [UInt8]) -> Digest? {
        guard bytes.count >= TableFormat.smallestTable else { return nil }
        return Digest(.sha256, bytes: bytes.suffix(TableFormat.sealSize))
    }

    /// Whether a file with these first octets is meant to be a table, bare or in an envelope. A
    /// table of an unreleased build is meant to be one too, so that it is refused as a table.
    package static func begins(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= magicSize else { return false }
        return [magic, TableFormat.magic].contains { bytes.prefix(magicSize).elementsEqual($0) }
            || Unreleased(bytes) != nil
    }

    /// The files of unreleased builds, which no release reads. They counted tables to version 3 and
    /// envelopes to version 2. No format may have one of their beginnings again.
    package enum Unreleased: Hashable, Sendable, CaseIterable {
        case table
        case envelope

        /// The kind of file that begins with these octets; nil for any other file.
        package init?(_ bytes: [UInt8]) {
            // Three octets are also the beginning of a table.
            guard bytes.count > 3,
                let found = Unreleased.allCases.first(where: {
                    bytes.prefix(magicSize).elementsEqual($0.magic.prefix(bytes.count))
                })
            else { return nil }
            self = found
        }

        private var magic: [UInt8] {
            let letter = UInt8(ascii: self == .table ? "T" : "S")
            return [0x89, 0x48, 0x57, letter, 0x0D, 0x0A, 0x1A, 0x0A]
        }
    }

    /// Octets of the magic that a table begins with, and an envelope.
    package static let magicSize = 8

    /// Whether bytes begin as an envelope does. Too few bytes are compared as far as they go.
    static func hasEnvelope(_ bytes: [UInt8]) -> Bool {
        // A bare table begins with the same three octets.
        bytes.count > 3 && bytes.prefix(8).elementsEqual(magic.prefix(bytes.count))
    }

    /// The most signatures of an envelope: as many as a program could ever demand.
    public static let mostSignatures = 16

    /// The magic of a table with an S in place of the T.
    static let magic: [UInt8] = [0x89, 0x48, 0x50, 0x53, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The version of the envelope that is written, and the only one that is read.
    static let version: UInt32 = 1
    /// Keeps a signature over a table from being a signature over anything else, and over an
    /// envelope of another version: "hawser signed table 1" and a zero octet.
    private static let domain: [UInt8] = Array("hawser signed table 1".utf8) + [0]
}

/// The signature of one key over a table.
public struct TableSignature: Hashable, Sendable {
    /// SHA-256 of the key's 32 octets.
    public let keyID: Digest
    /// The Ed25519 signature (RFC 8032 section 5.1.6), 64 octets.
    public let octets: [UInt8]

    /// Makes a signature; nil when either part has another length.
    public init?(keyID: Digest, octets: [UInt8]) {
        guard keyID.algorithm == .sha256, octets.count == TableSignature.octetCount else {
            return nil
        }
        self.keyID = keyID
        self.octets = octets
    }

    fileprivate func precedes(_ other: TableSignature) -> Bool {
        keyID.bytes.lexicographicallyPrecedes(other.keyID.bytes)
    }

    static let octetCount = 64
}

/// An envelope that is read apart from its table, so that a reader of files can put the table where
/// it stays.
package struct SignedTableHeader: Hashable, Sendable {
    /// The revision of the table.
    package let revision: UInt64
    /// The terms of the table; nil where the envelope states none.
    package let terms: TableTerms?
    /// The signatures, ascending by key id, each key once.
    package let signatures: [TableSignature]

    /// Octets of an envelope with so many signatures.
    static func size(_ signatures: Int) -> Int { fixedSize + signatures * signatureSize }

    /// Number of octets before the table.
    package var size: Int { SignedTableHeader.size(signatures.count) }

    /// Octets of the longest envelope. A reader needs at most that many to read it.
    package static let largestSize = size(SignedTable.mostSignatures)

    /// Whether a file that begins with these octets has an envelope.
    package static func begins(_ bytes: [UInt8]) -> Bool { SignedTable.hasEnvelope(bytes) }

    /// Reads the envelope at the beginning of `bytes`. They are a whole file of `fileSize` octets,
    /// or its first `largestSize` octets.
    ///
    /// - Throws: `TableDecodingError`, as `SignedTable.init(decoding:)` does.
    package init(decoding bytes: [UInt8], fileSize: Int) throws(TableDecodingError) {
        guard bytes.prefix(8).elementsEqual(SignedTable.magic.prefix(bytes.count)) else {
            throw .otherBeginning(bytes)
        }
        func truncated(_ wanted: UInt64) -> TableDecodingError {
            TableDecodingError(
                code: .truncated, context: "\(fileSize) of \(wanted) bytes are there")
        }
        guard bytes.count >= 12 else { throw truncated(UInt64(SignedTableHeader.smallestFile)) }
        let version = bytes.number32(at: 8)
        guard version == SignedTable.version else {
            throw .otherVersion(version, of: "signed table", reads: SignedTable.version)
        }
        guard bytes.count >= SignedTableHeader.fixedSize else {
            throw truncated(UInt64(SignedTableHeader.smallestFile))
        }
        let count = Int(bytes.number32(at: 12))
        guard count <= SignedTable.mostSignatures else {
            throw .malformed(
                "\(count) signatures, where a table has at most \(SignedTable.mostSignatures)")
        }
        let length = bytes.number64(at: 16)
        let end = SignedTableHeader.size(count)
        guard length >= UInt64(end + TableFormat.smallestTable) else {
            throw .malformed("a length of \(length) bytes has no room for the table")
        }
        guard length <= UInt64(fileSize) else { throw truncated(length) }
        guard length == UInt64(fileSize) else {
            throw .malformed("\(fileSize) bytes, where the envelope states \(length)")
        }
        self.revision = bytes.number64(at: 24)
        self.terms = try TableTerms.read(bytes, at: 32)
        self.signatures = try SignedTableHeader.signatures(bytes, count)
    }

    private static func signatures(
        _ bytes: [UInt8], _ count: Int
    ) throws(TableDecodingError) -> [TableSignature] {
        var signatures: [TableSignature] = []
        for index in 0..<count {
            let start = size(index)
            guard let keyID = Digest(.sha256, bytes: bytes[start..<start + 32]),
                let signature = TableSignature(
                    keyID: keyID, octets: Array(bytes[start + 32..<start + signatureSize])),
                signatures.last?.precedes(signature) != false
            else { throw .malformed("signature \(index): its key is out of order, or there twice") }
            signatures.append(signature)
        }
        return signatures
    }

    /// Octets before the signatures.
    private static let fixedSize = 32 + TableTerms.size
    private static let signatureSize = 32 + TableSignature.octetCount
    private static let smallestFile = fixedSize + TableFormat.smallestTable
}
