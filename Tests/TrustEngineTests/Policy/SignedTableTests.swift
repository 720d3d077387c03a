import Testing
import TrustEngine

/// The envelope of signed tables. Offsets are as in `grammar/signed-table.md`, written here a
/// second time so that the description is tested too.
@Suite("Signed table")
struct SignedTableTests {
    static let table = TableSamples.table.bytes

    /// Octets that stand for a signature; nothing here verifies one.
    static func signature(_ key: UInt8) -> TableSignature {
        guard let id = Digest(.sha256, bytes: [UInt8](repeating: key, count: 32)),
            let signature = TableSignature(
                keyID: id, octets: (0..<64).map { key &+ UInt8($0) })
        else { preconditionFailure("both have their lengths") }
        return signature
    }

    static func signed(
        _ keys: [UInt8], revision: UInt64 = 7, terms: TableTerms? = nil
    ) -> [UInt8] {
        do {
            return try SignedTable(
                table: table, revision: revision, terms: terms,
                signatures: keys.map { signature($0) }
            ).encoded
        } catch {
            preconditionFailure("\(error)")
        }
    }

    static func failure(_ bytes: [UInt8]) -> TableDecodingError.Code? {
        do {
            _ = try SignedTable(decoding: bytes)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("every byte of an envelope is where the page says")
    func layout() {
        let bytes = SignedTableTests.signed([9, 3], revision: 0x0102_0304_0506_0708)
        let total = 48 + 2 * 96 + SignedTableTests.table.count
        #expect(bytes.count == total)
        #expect(bytes[0..<8].elementsEqual([0x89, 0x48, 0x50, 0x53, 0x0D, 0x0A, 0x1A, 0x0A]))
        #expect(bytes[8..<12].elementsEqual([1, 0, 0, 0]))
        #expect(bytes[12..<16].elementsEqual([2, 0, 0, 0]))
        #expect(bytes[16..<24].elementsEqual((0..<8).map { UInt8(total >> (8 * $0) & 0xFF) }))
        #expect(bytes[24..<32].elementsEqual([8, 7, 6, 5, 4, 3, 2, 1]))
        #expect(bytes[32..<48].allSatisfy { $0 == 0 })
        #expect(bytes[48..<80].allSatisfy { $0 == 3 })
        #expect(bytes[80..<144].elementsEqual((0..<64).map { 3 + UInt8($0) }))
        #expect(bytes[144..<176].allSatisfy { $0 == 9 })
        #expect(bytes[240...].elementsEqual(SignedTableTests.table))
    }

    static let terms = TableTerms(
        issued: UTCInstant(secondsSinceEpoch: 0x0102_0304),
        expires: UTCInstant(secondsSinceEpoch: 0x0102_0305))

    @Test("every byte of an envelope with terms is where the page says")
    func layoutWithTerms() throws {
        let bytes = SignedTableTests.signed([9, 3], revision: 5, terms: SignedTableTests.terms)
        let total = 48 + 2 * 96 + SignedTableTests.table.count
        #expect(bytes.count == total)
        #expect(bytes[0..<8].elementsEqual([0x89, 0x48, 0x50, 0x53, 0x0D, 0x0A, 0x1A, 0x0A]))
        #expect(bytes[8..<12].elementsEqual([1, 0, 0, 0]))
        #expect(bytes[12..<16].elementsEqual([2, 0, 0, 0]))
        #expect(bytes[16..<24].elementsEqual((0..<8).map { UInt8(total >> (8 * $0) & 0xFF) }))
        #expect(bytes[24..<32].elementsEqual([5, 0, 0, 0, 0, 0, 0, 0]))
        #expect(bytes[32..<40].elementsEqual([4, 3, 2, 1, 0, 0, 0, 0]))
        #expect(bytes[40..<48].elementsEqual([5, 3, 2, 1, 0, 0, 0, 0]))
        #expect(bytes[48..<80].allSatisfy { $0 == 3 })
        #expect(bytes[144..<176].allSatisfy { $0 == 9 })
        #expect(bytes[240...].elementsEqual(SignedTableTests.table))
        let signed = try SignedTable(decoding: bytes)
        #expect(signed.terms == SignedTableTests.terms)
        #expect(signed.encoded == bytes)
        #expect(
            signed.signedMessage
                == Array("hawser signed table 1\0".utf8) + bytes[24..<48]
                + SignedTableTests.table.suffix(32))
    }

    @Test("terms without an end, and terms that are none")
    func terms() throws {
        let endless = TableTerms(issued: UTCInstant(secondsSinceEpoch: 9), expires: nil)
        let bytes = SignedTableTests.signed([1], terms: endless)
        #expect(try SignedTable(decoding: bytes).terms == endless)
        #expect(bytes[40..<48].allSatisfy { $0 == 0 })
        // It ends when it is issued, before, and beyond the years that have a text. An end without
        // an issue is no terms.
        for (issued, expires) in [(9, 9), (9, 8), (9, UInt64.max), (UInt64.max, 0), (0, 9)] {
            var other = bytes
            for (offset, value) in [(32, UInt64(issued)), (40, UInt64(expires))] {
                for index in 0..<8 { other[offset + index] = UInt8(value >> (8 * index) & 0xFF) }
            }
            #expect(SignedTableTests.failure(other) == .malformed)
        }
        for length in 4..<bytes.count {
            #expect(SignedTableTests.failure(Array(bytes[..<length])) == .truncated, "\(length)")
        }
    }

    @Test("a signature over terms is none without them, nor over others")
    func messages() throws {
        let seal = TableSamples.table.fileDigest
        let later = TableTerms(issued: UTCInstant(secondsSinceEpoch: 0x0102_0305), expires: nil)
        let messages = [nil, SignedTableTests.terms, later].map {
            SignedTable.message(revision: 1, terms: $0, seal: seal)
        }
        #expect(Set(messages).count == 3)
    }

    @Test("what was written is read back", arguments: [0, 1, 2, 16])
    func roundTrip(_ count: Int) throws {
        let bytes = SignedTableTests.signed(
            (0..<UInt8(count)).reversed().map { $0 }, revision: .max)
        let signed = try SignedTable(decoding: bytes)
        #expect(signed.revision == .max)
        #expect(signed.signatures.count == count)
        #expect(signed.signatures == (0..<UInt8(count)).map { SignedTableTests.signature($0) })
        #expect(signed.table == SignedTableTests.table)
        #expect(signed.encoded == bytes)
    }

    @Test("a bare table has no envelope")
    func bare() throws {
        let signed = try SignedTable(decoding: SignedTableTests.table)
        #expect(signed.revision == nil)
        #expect(signed.signatures == [])
        #expect(signed.signedMessage == nil)
        #expect(signed.encoded == SignedTableTests.table)
    }

    @Test("a signature is over a domain, the revision and the seal")
    func message() throws {
        let signed = try SignedTable(decoding: SignedTableTests.signed([], revision: 258))
        let message = try #require(signed.signedMessage)
        #expect(
            message == Array("hawser signed table 1\0".utf8) + [2, 1, 0, 0, 0, 0, 0, 0]
                + [UInt8](repeating: 0, count: 16) + SignedTableTests.table.suffix(32))
        #expect(signed.claimedSeal == TableSamples.table.fileDigest)
    }

    @Test("cut off at every length")
    func truncation() {
        let bytes = SignedTableTests.signed([1, 2])
        for length in 4..<bytes.count {
            #expect(SignedTableTests.failure(Array(bytes[..<length])) == .truncated, "\(length)")
        }
        // Up to here it may be the beginning of a bare table, whose own reader names the missing
        // part.
        for length in 1..<4 {
            #expect(SignedTableTests.failure(Array(bytes[..<length])) == nil)
            #expect(TableDecoderTests.code(Array(bytes[..<length])) == .truncated)
        }
        // Nothing at all is the beginning of neither.
        #expect(SignedTableTests.failure([]) == .truncated)
        #expect(TableDecoderTests.code([]) == .truncated)
    }

    @Test("a head that lies is refused by name")
    func lies() {
        let good = SignedTableTests.signed([1, 2])
        func changed(_ offset: Int, _ bytes: UInt8...) -> TableDecodingError.Code? {
            var copy = good
            copy.replaceSubrange(offset..<offset + bytes.count, with: bytes)
            return SignedTableTests.failure(copy)
        }
        #expect(SignedTableTests.failure(good + [0]) == .malformed)
        #expect(changed(3, 0x58) == .notATable)
        #expect(changed(7, 0x0B) == .notATable)
        #expect(changed(8, 2) == .unsupportedVersion)
        #expect(changed(8, 0) == .unsupportedVersion)
        #expect(changed(12, 17) == .malformed)
        #expect(changed(12, 0xFF, 0xFF, 0xFF, 0xFF) == .malformed)
        // No room for a table; less than is there; more than is there.
        #expect(changed(16, 0, 0, 0) == .malformed)
        #expect(changed(16, UInt8((good.count - 1) & 0xFF)) != nil)
        #expect(changed(16, 0, 0, 0, 1) == .truncated)
        #expect(changed(16, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF) == .truncated)
    }

    @Test("a signature more or less makes other bytes of the table, which its decoder refuses")
    func countOfSignatures() throws {
        for count in [0, 1, 3] as [UInt8] {
            var bytes = SignedTableTests.signed([1, 2])
            bytes[12] = count
            let signed = try SignedTable(decoding: bytes)
            #expect(signed.signatures.count == Int(count))
            #expect(TableDecoderTests.code(signed.table) == .notATable)
        }
    }

    @Test("keys out of order, or one twice")
    func order() {
        let first = Array(SignedTableTests.signed([1])[48..<144])
        let second = Array(SignedTableTests.signed([2])[48..<144])
        for pair in [second + first, first + first] {
            var bytes = SignedTableTests.signed([1, 2])
            bytes.replaceSubrange(48..<240, with: pair)
            #expect(SignedTableTests.failure(bytes) == .malformed)
        }
        #expect(throws: TableDecodingError.self) {
            try SignedTable(
                table: SignedTableTests.table, revision: 1,
                signatures: [SignedTableTests.signature(1), SignedTableTests.signature(1)])
        }
        #expect(throws: TableDecodingError.self) {
            try SignedTable(
                table: SignedTableTests.table, revision: 1,
                signatures: (0..<17).map { SignedTableTests.signature($0) })
        }
    }

    @Test("one signature more than there may be, all in order")
    func tooMany() {
        var bytes = SignedTableTests.signed((0..<16).map { UInt8($0) })
        #expect(SignedTableTests.failure(bytes) == nil)
        bytes.insert(contentsOf: SignedTableTests.signed([16])[48..<144], at: 48 + 16 * 96)
        bytes[12] = 17
        for offset in 0..<8 { bytes[16 + offset] = UInt8(bytes.count >> (8 * offset) & 0xFF) }
        #expect(SignedTableTests.failure(bytes) == .malformed)
    }

    @Test("an envelope in an envelope holds no table")
    func nested() throws {
        let inner = SignedTableTests.signed([1])
        let outer = try SignedTable(table: inner, revision: 1).encoded
        #expect(TableDecoderTests.code(try SignedTable(decoding: outer).table) == .notATable)
    }

    @Test("other files are no tables", arguments: ["hawser: 1\n", "\u{89}HPS", "PK\u{3}\u{4}...."])
    func others(_ text: String) {
        #expect(SignedTableTests.failure(Array(text.utf8)) == .notATable)
    }
}
