import Hawser
import TestPKI
import Testing
import TrustEngine

/// Which tables load under which keys.
@Suite struct TrustedKeysTests {
    private let ann = SignedPolicy.ann
    private let bob = SignedPolicy.bob
    private let eve = SignedPolicy.eve

    /// The code of the refusal, or nil where it loads.
    private func refusal(_ bytes: [UInt8], _ trusted: TrustedKeys?) -> String? {
        do throws(TableLoadError) {
            _ = try EngineLoader.load(tableBytes: bytes, trustedKeys: trusted)
            return nil
        } catch {
            return error.code.rawValue
        }
    }

    @Test func aTableLoadsWhenEnoughTrustedKeysHaveSigned() throws {
        let table = try SignedPolicy.table()
        let both = try SignedPolicy.signed(table, revision: 3, by: [ann, bob]).encoded
        for (trusted, expected) in [
            (try SignedPolicy.trusted([ann]), nil),
            (try SignedPolicy.trusted([bob]), nil),
            (try SignedPolicy.trusted([ann, bob], threshold: 2), nil),
            (try SignedPolicy.trusted([eve, bob]), nil),
            (try SignedPolicy.trusted([eve]), "not-enough-signatures"),
            (try SignedPolicy.trusted([eve, bob], threshold: 2), "not-enough-signatures"),
        ] as [(TrustedKeys, String?)] {
            #expect(refusal(both, trusted) == expected)
        }
        let opened = try EngineLoader.open(
            tableBytes: both, trustedKeys: SignedPolicy.trusted([eve, bob, ann], threshold: 2))
        #expect(opened.revision == 3)
        #expect(opened.signatures.count == 2)
        #expect(opened.signers.map(\.raw) == [bob.publicKeyBits, ann.publicKeyBits])
        #expect(opened.table.fileDigest == table.fileDigest)
    }

    @Test func withoutTrustedKeysEveryFormLoads() throws {
        let table = try SignedPolicy.table()
        let signed = try SignedPolicy.signed(table, revision: 8, by: [eve])
        #expect(refusal(table.bytes, nil) == nil)
        #expect(refusal(signed.encoded, nil) == nil)
        let opened = try EngineLoader.open(tableBytes: signed.encoded)
        #expect(opened.revision == 8)
        #expect(opened.signers == [])
        #expect(try EngineLoader.open(tableBytes: table.bytes).revision == nil)
    }

    @Test func anUnsignedTableIsRefusedOnceAKeyIsTrusted() throws {
        let table = try SignedPolicy.table()
        let trusted = try SignedPolicy.trusted([ann])
        #expect(refusal(table.bytes, trusted) == "unsigned")
        let numbered = try SignedPolicy.signed(table, revision: 1, by: [])
        #expect(refusal(numbered.encoded, trusted) == "unsigned")
        #expect(refusal(Array("hawser: 1\n".utf8), trusted) == "not-a-table")
    }

    @Test func aSignatureOverAnotherTableOrRevisionIsBad() throws {
        let table = try SignedPolicy.table()
        let other = try SignedPolicy.table("hawser: 1\ndefault:\n  anchors: [system]\n")
        let trusted = try SignedPolicy.trusted([ann])
        let older = try SignedPolicy.signed(table, revision: 4, by: [])
        let moved = try SignedPolicy.signed(table, revision: 5, by: [ann], over: older)
        #expect(refusal(moved.encoded, trusted) == "bad-signature")
        let swapped = try SignedPolicy.signed(
            table, revision: 4, by: [ann], over: SignedPolicy.signed(other, revision: 4, by: []))
        #expect(refusal(swapped.encoded, trusted) == "bad-signature")
        // A bad signature beside enough good ones spoils nothing, and counts for nothing.
        let good = try SignedPolicy.signed(table, revision: 5, by: [bob])
        let mixed = try SignedTable(
            table: table.bytes, revision: 5, signatures: moved.signatures + good.signatures)
        #expect(refusal(mixed.encoded, try SignedPolicy.trusted([ann, bob])) == nil)
        #expect(
            refusal(mixed.encoded, try SignedPolicy.trusted([ann, bob], threshold: 2))
                == "bad-signature")
    }

    @Test func unauthenticatedTablesAreNotDecoded() throws {
        // The octets are not a table; without a signature they are not read.
        let trusted = try SignedPolicy.trusted([ann])
        var bytes = try SignedPolicy.signed(SignedPolicy.table(), revision: 1, by: [eve]).encoded
        bytes[32 + 96 + 40] ^= 1
        #expect(refusal(bytes, nil) == "altered")
        #expect(refusal(bytes, trusted) == "not-enough-signatures")
        // Signed, and damaged where the seal is not: the decoder finds it.
        var damaged = try SignedPolicy.signed(SignedPolicy.table(), revision: 1, by: [ann]).encoded
        damaged[32 + 96 + 40] ^= 1
        #expect(refusal(damaged, trusted) == "altered")
    }

    @Test func noBitOfAFileMayChange() throws {
        let bytes = try SignedPolicy.signed(SignedPolicy.table(), revision: 1, by: [ann, bob])
            .encoded
        let trusted = try SignedPolicy.trusted([ann, bob], threshold: 2)
        #expect(refusal(bytes, trusted) == nil)
        for index in bytes.indices {
            var altered = bytes
            altered[index] ^= 1 << UInt8(index % 8)
            #expect(refusal(altered, trusted) != nil, "byte \(index)")
        }
    }

    @Test func aFileIsReadAsItsBytesAre() throws {
        let folder = try TemporaryFolder()
        let signed = try SignedPolicy.signed(SignedPolicy.table(), revision: 2, by: [ann])
        try folder.write("signed.table", signed.encoded)
        let opened = try EngineLoader.open(
            tableFile: folder.at("signed.table"), trustedKeys: SignedPolicy.trusted([ann]))
        #expect(opened.revision == 2)
        #expect(opened.table.bytes == signed.table)
        let error = #expect(throws: TableLoadError.self) {
            try EngineLoader.load(
                tableFile: folder.at("signed.table"), trustedKeys: SignedPolicy.trusted([eve]))
        }
        #expect(error?.code == "not-enough-signatures")
        #expect(error?.context.contains("it must be signed by key sha256:") == true)
    }

    // MARK: Keys

    @Test func keysHaveThreeForms() throws {
        let key = try TablePublicKey(raw: ann.publicKeyBits)
        #expect(try TablePublicKey(base64: key.base64) == key)
        let pem = PEMWriter.block("PUBLIC KEY", ann.spki)
        #expect(try TablePublicKey(pem: Array(pem.utf8)) == key)
        #expect(key.id == crypto.digest(.sha256, of: ann.publicKeyBits.span))
        #expect(key.description == "key \(key.id.text)")
    }

    @Test func whatIsNoKeyIsRefusedByName() throws {
        func code(_ body: () throws(TrustedKeyError) -> TablePublicKey) -> TrustedKeyError? {
            do throws(TrustedKeyError) {
                _ = try body()
                return nil
            } catch {
                return error
            }
        }
        let short = code { () throws(TrustedKeyError) in
            try TablePublicKey(raw: [UInt8](repeating: 7, count: 31))
        }
        #expect(short?.code == .notAKey)
        #expect(short?.context == "31 octets, where an Ed25519 public key has 32")
        let text = code { () throws(TrustedKeyError) in try TablePublicKey(base64: "not base64") }
        #expect(text?.code == .notAKey)
        for point in [0, 1] {
            let small = code { () throws(TrustedKeyError) in
                try TablePublicKey(raw: [UInt8(point)] + [UInt8](repeating: 0, count: 31))
            }
            #expect(small?.code == .bindsNobody)
        }
        for key in SpoiltKey.all where key.description.hasPrefix("ed25519") {
            let expected: TrustedKeyError.Code = key.fault == .smallOrder ? .bindsNobody : .notAKey
            let raw = code { () throws(TrustedKeyError) in
                try TablePublicKey(raw: Array(key.spki.suffix(32)))
            }
            #expect(raw?.code == expected, "\(key)")
            let pem = PEMWriter.block("PUBLIC KEY", key.spki)
            let block = code { () throws(TrustedKeyError) in
                try TablePublicKey(pem: Array(pem.utf8))
            }
            #expect(block?.code == expected, "\(key)")
        }
        let privateKey = code { () throws(TrustedKeyError) in
            try TablePublicKey(pem: Array(ann.privateKeyPEM.utf8))
        }
        #expect(privateKey?.context.contains("-pubout") == true)
        let curve = PEMWriter.block("PUBLIC KEY", TestKey.p256("no table key").spki)
        let other = code { () throws(TrustedKeyError) in
            try TablePublicKey(pem: Array(curve.utf8))
        }
        #expect(other?.context.contains("no Ed25519 key") == true)
    }

    @Test func aKeyCountsOnceAndTheThresholdCanBeMet() throws {
        func code(_ keys: [TestKey], _ threshold: Int) -> TrustedKeyError.Code? {
            do {
                _ = try SignedPolicy.trusted(keys, threshold: threshold)
                return nil
            } catch {
                return (error as? TrustedKeyError)?.code
            }
        }
        #expect(code([ann, bob], 2) == nil)
        #expect(code([ann, ann], 2) == .duplicateKey)
        #expect(code([ann, bob], 3) == .badThreshold)
        #expect(code([ann], 0) == .badThreshold)
        #expect(code([], 0) == .badThreshold)
        #expect(code([], 1) == .badThreshold)
    }
}
