import Foundation
import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// The pre-certificate made of a certificate again (RFC 6962 section 3.2).
@Suite("log entries") struct LogEntryTests {
    private static let root = Scenario().root("Log Root", key: .p256("log entry root"))
    private static let log = TestLog("Larch 1", of: "Larch")

    /// The entry that the logs saw, written by the mint from the recipe, and the entry made from
    /// the octets.
    private func compare(_ change: (inout CertificateRecipe) -> Void) throws {
        var seen: [UInt8] = []
        let leaf = LogEntryTests.root.issueLeaf(dns: ["a.example"]) { recipe in
            change(&recipe)
            seen = recipe.toBeSigned(with: LogEntryTests.root.key.defaultSignature)
            recipe.embed([LogEntryTests.log.timestamp()], issuedBy: LogEntryTests.root.key)
        }
        #expect(try leaf.parsed().preCertificateTBS == seen)
    }

    @Test("every length that the extensions can have around a change of its octets")
    func lengths() throws {
        for count in [0, 1, 2, 40, 60, 100, 124, 125, 126, 127, 128, 129, 250, 256, 300, 60_000] {
            try compare {
                $0.extensions.append(
                    .raw("1.3.6.1.4.1.32473.2", [UInt8](repeating: 7, count: count)))
            }
        }
    }

    @Test("the extension in the middle, at the end, and alone")
    func places() throws {
        try compare { $0.extensions = [] }
        let key = LogEntryTests.root.key
        let before = LogEntryTests.root.issueLeaf(dns: ["a.example"])
        let seen = before.recipe.toBeSigned(with: key.defaultSignature)
        for place in 0...before.recipe.extensions.count {
            var recipe = before.recipe
            recipe.extensions.insert(.sctList([0, 2, 0, 0]), at: place)
            let certificate = try Certificate(der: recipe.certificate(signedBy: key))
            #expect(certificate.preCertificateTBS == seen)
        }
    }

    @Test("a poison goes too; a certificate without either stays as it is") func poison() throws {
        let plain = LogEntryTests.root.issueLeaf(dns: ["a.example"])
        let parsed = try plain.parsed()
        let tbs = Array(parsed.der[parsed.layout.tbs.indices])
        #expect(parsed.preCertificateTBS == tbs)
        var recipe = plain.recipe
        recipe.extensions.append(.preCertificatePoison)
        let poisoned = try Certificate(der: recipe.certificate(signedBy: LogEntryTests.root.key))
        #expect(poisoned.preCertificateTBS == tbs)
    }

    @Test("unique identifiers stay where they were") func uniqueIdentifiers() throws {
        let leaf = LogEntryTests.root.issueLeaf(dns: ["a.example"])
        // TBSCertificate with [1] and [2] between key and extensions, which the mint does not
        // write.
        func tbs(_ extensions: [TestExtension]) -> [UInt8] {
            let recipe = leaf.recipe
            return TestPKI.DER.sequence(
                TestPKI.DER.context(0, TestPKI.DER.integer(2)),
                TestPKI.DER.integer(unsigned: recipe.serialOctets),
                TestSignature.ecdsa(.sha256).algorithmIdentifier, recipe.issuer.der,
                TestPKI.DER.sequence(
                    TestPKI.DER.time(recipe.notBefore), TestPKI.DER.time(recipe.notAfter)),
                recipe.subject.der, recipe.spki, TestPKI.DER.contextPrimitive(1, [0, 1]),
                TestPKI.DER.contextPrimitive(2, [0, 2]),
                TestPKI.DER.context(3, TestPKI.DER.sequence(of: extensions.map(\.der))))
        }
        let extensions = leaf.recipe.extensions
        let certificate = try Certificate(
            der: TestPKI.DER.sequence(
                tbs(extensions + [.sctList([0, 2, 0, 0])]),
                TestSignature.ecdsa(.sha256).algorithmIdentifier, TestPKI.DER.bitString([1])))
        #expect(certificate.preCertificateTBS == tbs(extensions))
    }
}
