import LibCrypto
import TestPKI
import Testing
import TrustEngine

@Suite("scenario")
struct ScenarioTests {
    private let backend = LibCryptoBackend()

    private func isSigned(_ certificate: Minted, by signer: TestKey) throws -> Bool {
        let parsed = try certificate.parsed()
        let layout = parsed.layout
        let spki = signer.spki
        let key = try PublicKey.parse(spki: spki.span, at: 0)
        let message = Array(parsed.der[layout.tbs.indices])
        let signature = Array(parsed.der[layout.signature.indices])
        return backend.verify(
            layout.signatureAlgorithm, key: key, keyBytes: spki.span, message: message.span,
            signature: signature.span) == .valid
    }

    @Test(
        "authorities of every key sign leaves that the engine reads and libcrypto verifies",
        arguments: [
            (TestKey.rsa1024("all"), nil), (.rsa2048("all"), nil), (.p256("all"), nil),
            (.p384("all"), nil), (.p521("all"), nil), (.ed25519("all"), nil), (.ed448("all"), nil),
            (.rsa2048("all"), .rsaPKCS1(.sha1)), (.rsa2048("all"), .rsaPKCS1(.sha512)),
            (.rsa2048("all"), .rsaPSS(.sha1)), (.rsa2048("all"), .rsaPSS(.sha256)),
            (.rsa2048("all"), .rsaPSS(.sha384)),
            (.rsa2048("all"), .rsaPSS(hash: .sha256, mgfHash: .sha512, saltLength: 0)),
            (.p256("all"), .ecdsa(.sha1)), (.p256("all"), .ecdsa(.sha512)),
            (.p521("all"), .ecdsa(.sha256)),
        ] as [(TestKey, TestSignature?)])
    func everyKey(_ key: TestKey, _ signature: TestSignature?) throws {
        let root = Scenario().root("Root", key: key)
        let leaf = root.issueLeaf(dns: ["a.example"]) { $0.signature = signature }
        let again = root.issueLeaf(dns: ["a.example"]) { $0.signature = signature }
        #expect(leaf.der == again.der)
        #expect(try isSigned(root.certificate, by: key))
        #expect(try isSigned(leaf, by: key))
        #expect(try !isSigned(leaf, by: .p256("somebody else")))
    }

    @Test(
        "a damaged signature is no signature",
        arguments: [
            SignatureDamage.flippedBit, .otherMessage, .replaced([1, 2, 3]),
        ])
    func damage(_ damage: SignatureDamage) throws {
        let root = Scenario().root("Root", key: .p256("root"))
        let leaf = root.issueLeaf(dns: ["a.example"]) { $0.damage = damage }
        #expect(try !isSigned(leaf, by: root.key))
    }

    @Test("what a recipe says is what the engine reads")
    func fields() throws {
        let pki = Scenario()
        let root = pki.root("Root", key: .p256("root"))
        let issuing = root.issueCA("Issuing", key: .p384("issuing"), pathLength: 2)
        let leaf = issuing.issueLeaf(
            dns: ["a.example", "*.b.example"], ips: ["192.0.2.1", "2001:db8::1"],
            notBefore: .at("1949-12-31T23:59:59Z"), notAfter: .at("2050-01-01"))
        let ca = try issuing.certificate.parsed().layout
        #expect(ca.version == 3)
        #expect(ca.extensions.isCA)
        #expect(ca.extensions.pathLength == 2)
        #expect(ca.extensions.keyUsage == 0x60)
        #expect(ca.extensions.critical == [.basicConstraints, .keyUsage])
        let end = try leaf.parsed()
        #expect(end.layout.notBefore == .at("1949-12-31T23:59:59Z"))
        #expect(end.layout.notAfter == .at("2050-01-01"))
        #expect(end.layout.extensions.keyUsage == 1)
        #expect(!end.layout.extensions.isCA)
        let names = Array(end.der[end.layout.extensions.subjectAltName.indices])
        let expected =
            [TestGeneralName.dns("a.example"), .dns("*.b.example")].flatMap(\.der)
            + DER.contextPrimitive(7, [192, 0, 2, 1])
            + DER.contextPrimitive(
                7, [0x20, 1, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [1])
        #expect(names == expected)
        #expect(
            Array(end.der[end.layout.extensions.authorityKeyIdentifier.indices])
                == issuing.key.keyIdentifier)
    }

    @Test("every typed extension is one the engine reads, and the unknown one is not")
    func extensions() throws {
        let root = Scenario().root("Root", key: .p256("root"))
        let all = root.issueCA("Everything", key: .p256("everything")) { recipe in
            recipe.extensions += [
                .nameConstraints(
                    permitted: [.dns("a.example"), .ipRange("10.0.0.0/9"), .directory("Acme")],
                    excluded: [.email("example"), .uri(".example"), .ipRange("2001:db8::/33")]),
                .certificatePolicies(["2.23.140.1.2.1", OID.anyPolicy]),
                .policyMappings([(issuer: "1.2.3", subject: "1.2.4")]),
                .policyConstraints(requireExplicit: 0, inhibitMapping: 3), .inhibitAnyPolicy(1),
                .crlDistributionPoints(["http://crl.example/1.crl"]),
                .authorityInfoAccess(
                    ocsp: ["http://ocsp.example"], issuers: ["http://ca.example/1.cer"]),
                .tlsFeatures([5]), .unknown(critical: true),
            ]
        }
        let read = try all.certificate.parsed().layout.extensions
        #expect(
            read.present.isSuperset(of: [
                .nameConstraints, .certificatePolicies, .policyMappings, .policyConstraints,
                .inhibitAnyPolicy, .crlDistributionPoints, .authorityInfoAccess, .tlsFeatures,
            ]))
        #expect(read.requireExplicitPolicy == 0)
        #expect(read.inhibitPolicyMapping == 3)
        #expect(read.inhibitAnyPolicy == 1)
        #expect(!read.unknownCritical.isEmpty)
    }

    @Test("hostile names go through octet by octet")
    func hostileNames() throws {
        let text = "\u{1b}[31m evil\n::error::x"
        let root = Scenario().root(TestName(text), key: .p256("root"))
        let parsed = try root.certificate.parsed()
        let subject = Array(parsed.der[parsed.layout.subject.indices])
        #expect(subject == TestName(text).der)
        #expect(subject.suffix(text.utf8.count) == Array(text.utf8)[...])
    }

    @Test("a request is read back with its key")
    func request() throws {
        let key = TestKey.rsa2048("request")
        let der = RequestRecipe(
            subject: "r.example", key: key, extensions: [.subjectAltName([.dns("r.example")])]
        ).der
        let read = try CertificationRequest(der: der)
        #expect(Array(der[read.publicKey.spki.indices]) == key.spki)
    }

    @Test("PEM is read back")
    func pem() throws {
        let root = Scenario().root("Root", key: .p256("root"))
        let text = Array((root.pem + root.issueLeaf(dns: ["a.example"]).pem).utf8)
        let blocks = try PEM.decode(text.span)
        #expect(blocks.map(\.label) == ["CERTIFICATE", "CERTIFICATE"])
        #expect(blocks.first?.der == root.der)
    }
}
