// The record of a state directory: a small file beside the table. It says whose directory it is and
// which table is in it.
//
// The table's own envelope would be enough if no file were ever damaged. But without keys nothing
// vouches for the revision in an envelope, and a table with one wrong bit says nothing about the
// revision that it had. The record repeats the envelope. A digest over the record finds any damage
// to the record. A signature covers only the revision and the seal, so trusted keys vouch for an
// entry of the record without the table.
//
// Two files cannot be replaced in one step. The record is replaced first. It names the new table
// and the table that the new one replaces. So the record names the table in the folder, wherever a
// kill interrupts the writing. When the new table cannot be written and is in force all the same,
// the record is written once more and names the new table only. It then proves the new revision,
// whatever table is in the folder.

import LibCrypto
import TrustEngine

/// The store that a state directory belongs to, and the table in it.
struct StateRecord: Hashable, Sendable {
    /// A table without its octets.
    struct Entry: Hashable, Sendable {
        /// The table's revision; nil when the table states none.
        let revision: UInt64?
        /// The terms of the envelope; nil when it states none.
        let terms: TableTerms?
        /// The signatures of the envelope, in the envelope's order.
        let signatures: [TableSignature]
        /// The table's seal.
        let fileDigest: Digest
        /// SHA-256 of all octets of the file, the envelope included.
        let octets: Digest
    }

    /// The store's name.
    let store: String
    /// INVARIANT (one or two entries). First the table that was written last, then the table that
    /// it replaced.
    let entries: [Entry]

    /// The record without the table that was replaced.
    func cut() -> StateRecord { StateRecord(store: store, entries: Array(entries.prefix(1))) }

    /// Octets of the longest record that is read. Two full envelopes take 5000; the rest is for the
    /// name.
    static let mostOctets = 64 << 10
    private static let header = Array("hawser-state 1".utf8)
    /// `check `, the base64 of 32 octets, a line feed.
    private static let checkSize = 6 + 44 + 1
}

extension StateRecord.Entry {
    /// Makes an entry of a table that was checked.
    init(_ table: CheckedTable) {
        self.init(
            revision: table.revision, terms: table.terms, signatures: table.signatures,
            fileDigest: table.engine.table.fileDigest, octets: StateRecord.digest(table.bytes))
    }

    /// Makes an entry from the statements of a file, which are not verified; nil when the file is
    /// not a table.
    init?(claimedBy bytes: [UInt8], octets: Digest) {
        guard let seal = SignedTable.claimedSeal(of: bytes) else { return nil }
        var header: SignedTableHeader?
        if SignedTableHeader.begins(bytes) {
            // A header that contradicts itself is damaged, whichever of its numbers is wrong.
            guard let read = try? SignedTableHeader(decoding: bytes, fileSize: bytes.count) else {
                return nil
            }
            header = read
        }
        self.init(
            revision: header?.revision, terms: header?.terms,
            signatures: header?.signatures ?? [], fileDigest: seal, octets: octets)
    }
}

// MARK: Text

extension StateRecord {
    /// The file's octets: lines of text, so that a person can read them.
    ///
    ///     hawser-state 1
    ///     kept REVISION SEAL OCTETS        REVISION is `none` for a bare table
    ///     terms ISSUED EXPIRES             of the table above, where its envelope states them;
    ///                                      EXPIRES is `none` for no end
    ///     signed KEY SIGNATURE             of the table above
    ///     store NAME                       whatever the name holds, line feeds too
    ///     check DIGEST                     SHA-256 of all octets before this line
    ///
    /// Digests, keys and signatures are in base64.
    var encoded: [UInt8] {
        var text = StateRecord.header + [0x0A]
        for entry in entries {
            let revision = entry.revision.map { "\($0)" } ?? "none"
            text += "kept \(revision) \(base64(entry.fileDigest)) \(base64(entry.octets))\n".utf8
            if let terms = entry.terms {
                let expires = terms.expires.map(\.description) ?? "none"
                text += "terms \(terms.issued) \(expires)\n".utf8
            }
            for signature in entry.signatures {
                let octets = Base64.encode(signature.octets)
                text += "signed \(base64(signature.keyID)) \(octets)\n".utf8
            }
        }
        text += "store \(store)\n".utf8
        return text + "check \(base64(StateRecord.digest(text)))\n".utf8
    }

    /// Reads a record; nil when the file is not, octet for octet, the output of `encoded`.
    init?(decoding bytes: [UInt8]) {
        let body = bytes.dropLast(StateRecord.checkSize + 1)
        var lines = body.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
        guard lines.popFirst()?.elementsEqual(StateRecord.header) == true else { return nil }
        var entries: [Entry] = []
        while let words = StateRecord.words(after: "kept", in: lines.first) {
            lines.removeFirst()
            var terms: TableTerms?
            if let words = StateRecord.words(after: "terms", in: lines.first) {
                lines.removeFirst()
                guard words.count == 2, let issued = UTCInstant(text: words[0]) else { return nil }
                terms = TableTerms(issued: issued, expires: UTCInstant(text: words[1]))
            }
            var signatures: [TableSignature] = []
            while let words = StateRecord.words(after: "signed", in: lines.first) {
                lines.removeFirst()
                guard words.count == 2, let key = StateRecord.digest(base64: words[0]),
                    let octets = Base64.decode(words[1].utf8),
                    let signature = TableSignature(keyID: key, octets: octets)
                else { return nil }
                signatures.append(signature)
            }
            guard words.count == 3, let seal = StateRecord.digest(base64: words[1]),
                let octets = StateRecord.digest(base64: words[2])
            else { return nil }
            entries.append(
                Entry(
                    revision: UInt64(words[0]), terms: terms, signatures: signatures,
                    fileDigest: seal, octets: octets))
        }
        let name = Array(lines.joined(separator: [0x0A]))
        guard !entries.isEmpty, name.starts(with: "store ".utf8),
            let store = String(validating: name.dropFirst(6), as: UTF8.self)
        else { return nil }
        self.init(store: store, entries: entries)
        guard encoded == bytes else { return nil }
    }

    /// The words after the first word of a line; nil when the line begins with another word.
    private static func words(after first: String, in line: ArraySlice<UInt8>?) -> [String]? {
        let words = line?.split(separator: 0x20, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let words, words.first == first else { return nil }
        return Array(words.dropFirst())
    }

    private func base64(_ digest: Digest) -> String { Base64.encode(digest.bytes) }

    private static func digest(base64 text: String) -> Digest? {
        Base64.decode(text.utf8).flatMap { Digest(.sha256, bytes: $0) }
    }

    /// SHA-256.
    static func digest(_ octets: [UInt8]) -> Digest {
        LibCryptoBackend().digest(.sha256, of: octets.span)
    }
}
