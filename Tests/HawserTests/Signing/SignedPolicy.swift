import HawserYAML
import PolicyCompiler
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// Tables signed by test keys.
enum SignedPolicy {
    /// A compiled policy.
    static func table(_ text: String = "hawser: 1\ndefault: deny\n") throws -> PolicyTable {
        let folder = try TemporaryFolder()
        try folder.write("policy.yaml", text)
        let unit = try UnitLoader.load(paths: [folder.path])
        return try #require(CompilerPipeline.compile(unit, crypto: crypto).table)
    }

    /// The table with a revision, signed by keys; `over` another revision or table where one is
    /// given.
    static func signed(
        _ table: PolicyTable, revision: UInt64, terms: TableTerms? = nil, by keys: [TestKey],
        over other: SignedTable? = nil
    ) throws -> SignedTable {
        let bare = try SignedTable(table: table.bytes, revision: revision, terms: terms)
        let message = try #require((other ?? bare).signedMessage)
        return try SignedTable(
            table: table.bytes, revision: revision, terms: terms,
            signatures: keys.map { key in
                try #require(
                    TableSignature(
                        keyID: TablePublicKey(raw: key.publicKeyBits).id, octets: key.sign(message))
                )
            })
    }

    /// What a program trusts.
    static func trusted(_ keys: [TestKey], threshold: Int = 1) throws -> TrustedKeys {
        try TrustedKeys(
            keys.map { try TablePublicKey(raw: $0.publicKeyBits) }, threshold: threshold)
    }

    /// Keys by name; nothing signed by them is to be trusted anywhere.
    static let ann = TestKey.ed25519("ann signs tables")
    static let bob = TestKey.ed25519("bob signs tables")
    static let eve = TestKey.ed25519("eve signs tables")
}
