import LibCrypto
import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// OpenSSL's trusted certificates in anchor sets: read with their uses, and left out where these do
/// not trust them for servers.
@Suite("lint: OpenSSL's trusted certificates") struct TrustedUsesTests {
    /// What OpenSSL writes behind a certificate. A use is the end of its identifier: `[3, 1]` for
    /// id-kp-serverAuth, `[]` for any use.
    static func uses(trust: [[UInt8]]? = nil, reject: [[UInt8]] = []) -> [UInt8] {
        func list(_ tag: UInt8, _ uses: [[UInt8]]) -> [UInt8] {
            let items = uses.flatMap { use in
                let octets: [UInt8] =
                    use.isEmpty ? [0x55, 0x1D, 0x25, 0] : [0x2B, 6, 1, 5, 5, 7] + use
                return [0x06, UInt8(octets.count)] + octets
            }
            return [tag, UInt8(items.count)] + items
        }
        let fields =
            (trust.map { list(0x30, $0) } ?? []) + (reject.isEmpty ? [] : list(0xA0, reject))
        return [0x30, UInt8(fields.count)] + fields
    }

    private static let pki = MarkedLint.pki
    private static let root = pki.root("Acme Trusted", key: .p256("trusted uses"))
    private static let bad = pki.root("Distrusted Root", key: .p256("distrusted uses"))
    /// Another certificate of the distrusted root's name and key.
    private static let badAgain = pki.root("Distrusted Root", key: .p256("distrusted uses")) {
        $0.notAfter = .at("2030-01-01")
    }

    private static func trusted(_ authority: Authority, _ uses: [UInt8]) -> [UInt8] {
        Array(PEMWriter.block("TRUSTED CERTIFICATE", authority.der + uses).utf8)
    }

    private static func policy(_ files: String, rule: String = "", set: String = "") -> MarkedLint {
        MarkedLint(
            """
            hawser: 1
            default: deny
            anchors:
              acme:
                files: [\(files)]
            \(set.isEmpty ? "" : "    \(set)\n")rules:
              api:
                hosts: ["api.acme.example"]
                anchors: [acme]
                owner: web
            \(rule.isEmpty ? "" : "    \(rule)\n")
            """)
    }

    /// The anchor sets of the table.
    private static func sets(_ result: LintResult) throws -> [AnchorSetContents] {
        let policy = try #require(result.compilation.policy)
        return CompilerPipeline.table(of: policy, crypto: LibCryptoBackend()).contents().anchorSets
    }

    @Test(
        "taken where they are trusted for servers",
        arguments: [
            [], uses(), uses(trust: [[3, 1]]), uses(trust: [[3, 4], [3, 1]]), uses(trust: [[]]),
            uses(reject: [[3, 2]]), uses(trust: [[]], reject: [[3, 4]]),
        ] as [[UInt8]])
    func taken(_ uses: [UInt8]) {
        Self.policy("ca.pem").expect(files: ["ca.pem": Self.trusted(Self.root, uses)])
    }

    @Test(
        "HW318: left out where they are rejected for servers, or trusted for other uses",
        arguments: [
            (uses(reject: [[3, 1]]), "is rejected for servers"),
            (uses(reject: [[]]), "is rejected for servers"),
            (uses(trust: [[3, 1]], reject: [[3, 1]]), "is rejected for servers"),
            (uses(trust: [[3, 4]]), "is trusted for `emailProtection` alone"),
            (uses(trust: []), "is trusted for no use"),
        ] as [([UInt8], String)])
    func leftOut(_ uses: [UInt8], _ reason: String) throws {
        let bytes = Self.trusted(Self.bad, uses) + Array(Self.root.pem.utf8)
        let result = Self.policy("«HW318:ca.pem»").expect(
            files: ["ca.pem": bytes],
            says: [
                "`CN=Distrusted Root` is left out of `acme`: certificate 1 of `ca.pem` \(reason)",
                "1 of the 2 certificates here are taken into `acme`", "`forbidden-keys`",
            ])
        #expect(
            try Self.sets(result).flatMap(\.groups).map(\.source) == [.members([Self.root.der])])
    }

    @Test("a certificate that is rejected takes its name and key out of the set, in any order")
    func nameAndKey() {
        let plain = Array((Self.badAgain.pem + Self.root.pem).utf8)
        let files = ["ca.pem": Self.trusted(Self.bad, Self.uses(reject: [[3, 1]])) + plain]
        Self.policy("«HW318:ca.pem»").expect(
            files: files,
            says: [
                "certificate 2 of `ca.pem`): has the name and key of a certificate that is rejected"
            ])
        let reversed = [
            "ca.pem": plain + Self.trusted(Self.bad, Self.uses(reject: [[3, 1]]))
        ]
        Self.policy("«HW318:ca.pem»").expect(files: reversed)
    }

    @Test("HW301: a file of which nothing is left")
    func nothingLeft() {
        Self.policy("corp.pem, «HW301:«HW318:ca.pem»»").expect(
            files: ["ca.pem": Self.trusted(Self.bad, Self.uses(reject: [[3, 1]]))],
            says: ["none of the certificates here is trusted for servers"])
    }

    @Test("HW301: uses that cannot be read, and a pin of a certificate that is rejected")
    func unreadable() {
        let torn = Self.trusted(Self.root, [0x30, 0x02, 0x30, 0x05])
        Self.policy("«HW301:ca.pem»").expect(
            files: ["ca.pem": torn], says: ["holds a trusted certificate that cannot be read"])
        let more = Self.trusted(Self.root, Self.uses() + Self.uses())
        Self.policy("«HW301:ca.pem»").expect(files: ["ca.pem": more])
        MarkedLint(
            """
            hawser: 1
            default: deny
            pins:
              acme:
                keys: { now: { spki-file: «HW301:ca.pem» } }
                backups: { next: { spki-file: other.pem } }
                enforce-until: 2028-06-30
            rules:
              api:
                hosts: ["api.acme.example"]
                anchors: [system]
                pins: [acme]
                owner: web

            """
        ).expect(
            files: ["ca.pem": Self.trusted(Self.bad, Self.uses(reject: [[3, 1]]))],
            says: ["a pin would accept it"])
    }

    @Test("HW507: a rule that asks for a use beside those that are trusted")
    func otherPurpose() {
        let files = ["ca.pem": Self.trusted(Self.root, Self.uses(trust: [[3, 1]]))]
        Self.policy(
            "«HW507:ca.pem»", rule: "path: { key-purposes: [server-auth, client-auth] }"
        ).expect(
            files: files, says: ["is trusted for only `serverAuth`"],
            without: [.publicClientAuth])
        Self.policy("ca.pem", rule: "path: { key-purposes: [server-auth] }").expect(files: files)
        Self.policy("«HW507:ca.pem»", rule: "path: { key-purposes: [client-auth] }").expect(
            files: ["ca.pem": Self.trusted(Self.root, Self.uses(reject: [[3, 2]]))],
            without: [.publicClientAuth])
    }

    @Test("HW318: an intermediate that is rejected is not offered")
    func intermediate() throws {
        let issuing = Self.root.issueCA("Acme Issuing", key: .p256("trusted issuing"))
        let other = Self.root.issueCA("Acme Issuing 2", key: .p256("trusted issuing 2"))
        let result = Self.policy("root.pem", set: "intermediates: [«HW318:chain.pem»]").expect(
            files: [
                "root.pem": Array(Self.root.pem.utf8),
                "chain.pem": Self.trusted(issuing, Self.uses(reject: [[3, 1]]))
                    + Array(other.pem.utf8),
            ])
        #expect(try Self.sets(result).flatMap(\.intermediates) == [other.der])
    }
}
