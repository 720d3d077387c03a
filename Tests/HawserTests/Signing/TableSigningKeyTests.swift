import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// Signing tables, as the command does.
@Suite struct TableSigningKeyTests {
    private func pem(_ key: TestKey) -> [UInt8] { Array(key.privateKeyPEM.utf8) }

    @Test func signaturesAreAddedInAnyOrder() throws {
        let table = try SignedPolicy.table()
        let bare = try SignedTable(table: table.bytes, revision: 9)
        let ann = try TableSigningKey(pem: pem(SignedPolicy.ann))
        let bob = try TableSigningKey(pem: pem(SignedPolicy.bob))
        let one = try bob.sign(ann.sign(bare))
        let other = try ann.sign(bob.sign(bare))
        #expect(one == other)
        let again = try ann.sign(one)
        #expect(again == one)
        let minted = try SignedPolicy.signed(
            table, revision: 9, by: [SignedPolicy.bob, SignedPolicy.ann])
        #expect(one == minted)
        let trusted = try SignedPolicy.trusted([SignedPolicy.ann, SignedPolicy.bob], threshold: 2)
        #expect(try EngineLoader.open(tableBytes: one.encoded, trustedKeys: trusted).revision == 9)
    }

    @Test func aSeventeenthSignatureHasNoRoom() throws {
        var signed = try SignedTable(table: SignedPolicy.table().bytes, revision: 1)
        for index in 0..<16 {
            signed = try TableSigningKey(pem: pem(.ed25519("signer \(index)"))).sign(signed)
        }
        #expect(signed.signatures.count == 16)
        let one = try TableSigningKey(pem: pem(.ed25519("signer 16")))
        let error = #expect(throws: TableDecodingError.self) { try one.sign(signed) }
        #expect(error?.code == .malformed)
        // One that is there already needs none.
        #expect(try TableSigningKey(pem: pem(.ed25519("signer 3"))).sign(signed) == signed)
    }

    @Test func whatIsNoPrivateKeySaysWhatToDo() throws {
        func context(_ text: String) -> String {
            do throws(TrustedKeyError) {
                _ = try TableSigningKey(pem: Array(text.utf8))
                return "it is read"
            } catch {
                return error.context
            }
        }
        let ann = SignedPolicy.ann
        let publicKey = context(PEMWriter.block("PUBLIC KEY", ann.spki))
        #expect(publicKey.contains("a public key verifies"))
        let locked = context(PEMWriter.block("ENCRYPTED PRIVATE KEY", ann.spki))
        #expect(locked.contains("passphrase"))
        let curve = context(TestKey.p256("no table key").privateKeyPEM)
        #expect(curve.contains("openssl genpkey -algorithm ed25519"))
        #expect(context("").contains("there is none"))
        let two = context(ann.privateKeyPEM + ann.privateKeyPEM)
        #expect(two.contains("one PEM block"))
        #expect(context("-----BEGIN PRIVATE KEY-----\n*").contains("octet"))
    }
}
