import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// Each demand of a standard, met and not met, through a whole evaluation.
@Suite("standards") struct StandardRulesTests {
    private static let acme = Acme()
    private static let cross = Scenario().root("Root X", key: .p256("standard cross"))

    /// A leaf under `web-pki`, its common name among its names.
    private static func server(_ change: (inout CertificateRecipe) -> Void) -> World {
        acme.presenting(change).with { $0.sets[0].standard = .webPKI }
    }

    /// The same of a changed root.
    private static func webRoot(_ change: (inout CertificateRecipe) -> Void) -> World {
        acme.root(change).with { $0.sets[0].standard = .webPKI }
    }

    private static func authorityKey(_ fields: [UInt8]...) -> TestExtension {
        .raw(OID.authorityKeyIdentifier, TestPKI.DER.sequence(of: fields))
    }

    private static func keyIdentifier(_ key: TestKey) -> [UInt8] {
        TestPKI.DER.contextPrimitive(0, key.keyIdentifier)
    }

    private static let issuerAndSerial =
        TestPKI.DER.context(1, TestGeneralName.directory("Root A").der)
        + TestPKI.DER.contextPrimitive(2, [1])

    private static let profileRows: [Row] = [
        Row("RFC 5280 4.1.2.2 zero", ["serial-not-positive"], acme.presenting { $0.serial = [0] }),
        Row(
            "4.1.2.2 21 octets", ["serial-too-long"],
            acme.presenting { $0.serial = [UInt8](repeating: 0x11, count: 21) }),
        Row(
            "4.1.2.2 20 octets and a zero for the sign", ["accept"],
            acme.presenting { $0.serial = [UInt8](repeating: 0x91, count: 20) }),
        Row(
            "4.1.2.2 of an intermediate", ["serial-not-positive"],
            acme.issuing { $0.serial = [0] }),
        Row("4.1.2.2 not of an anchor", ["accept"], acme.root { $0.serial = [0] }),
        Row(
            "4.2.1.1 critical", ["authority-key-identifier-critical"],
            acme.presenting {
                $0.set(.authorityKeyIdentifier(acme.issuing.key.keyIdentifier).critical(true))
            }),
        Row(
            "4.2.1.1 critical in an anchor", ["authority-key-identifier-critical"],
            acme.root {
                $0.set(.authorityKeyIdentifier(acme.root.key.keyIdentifier).critical(true))
            }),
        Row(
            "4.2.1.1 missing", ["authority-key-identifier-missing"],
            acme.presenting { $0.remove(OID.authorityKeyIdentifier) }),
        Row(
            "4.2.1.1 without keyIdentifier", ["authority-key-identifier-missing"],
            acme.presenting { $0.set(authorityKey(issuerAndSerial)) }),
        Row(
            "4.2.1.1 missing in an anchor that another issued",
            ["authority-key-identifier-missing"],
            crossSigned { $0.remove(OID.authorityKeyIdentifier) }),
        Row("4.2.1.1 in an anchor that another issued", ["accept"], crossSigned { _ in }),
        Row(
            "4.2.1.2 critical", ["subject-key-identifier-critical"],
            acme.root {
                $0.set(.subjectKeyIdentifier(acme.root.key.keyIdentifier).critical(true))
            }),
        Row(
            "4.2.1.2 missing", ["subject-key-identifier-missing"],
            acme.root { $0.remove(OID.subjectKeyIdentifier) }),
        Row("4.2.1.2 on neither side", ["accept"], withoutKeyIdentifiers),
        Row(
            "4.2.1.3 keyCertSign without cA", ["cert-sign-without-ca"],
            acme.presenting { $0.set(.keyUsage([.digitalSignature, .keyCertSign])) }),
        Row(
            "4.1.2.6 empty subject, subjectAltName not critical",
            ["subject-alt-name-not-critical"], acme.presenting { $0.subject = TestName.empty }),
        Row(
            "4.1.2.6 empty subject, subjectAltName critical", ["accept"],
            acme.presenting {
                $0.subject = TestName.empty
                $0.set(.subjectAltName([.dns(World.host)]).critical(true))
            }),
        Row(
            "4.1.2.4, 4.1.2.6 a CA without a name",
            ["issuer-empty", "subject-empty", "issuer-empty"], nameless),
        Row(
            "4.2.1.6 underscore", ["dns-name-syntax"],
            acme.presenting { $0.set(.subjectAltName([.dns(World.host), .dns("a_b.example")])) }),
        Row(
            "4.2.1.6 hyphen at an end", ["dns-name-syntax"],
            acme.presenting { $0.set(.subjectAltName([.dns(World.host), .dns("a-.example")])) }),
        Row(
            "4.2.1.6 an address as dNSName is in the syntax", ["accept"],
            acme.presenting { $0.set(.subjectAltName([.dns(World.host), .dns("192.0.2.1")])) }),
        Row(
            "4.2.1.9 not critical in an anchor", ["basic-constraints-not-critical"],
            acme.root { $0.set(.basicConstraints(ca: true).critical(false)) }),
        Row(
            "4.2.1.9 not critical in an intermediate", ["accept"],
            acme.issuing { $0.set(.basicConstraints(ca: true).critical(false)) }),
        Row(
            "4.2.1.10 not critical", ["name-constraints-not-critical"],
            acme.root { $0.set(permitted.critical(false)) }),
        Row(
            "4.2.1.10 not critical, ignored", ["accept"],
            acme.root { $0.set(permitted.critical(false)) }
                .with { $0.sets[0].groups[0].ignoredLimits = .nameConstraints }),
        Row(
            "4.2.1.10 not critical under web-pki", ["accept"],
            webRoot { $0.set(permitted.critical(false)) }),
        Row(
            "4.2.1.10 in an end entity", ["name-constraints-without-ca"],
            acme.presenting { $0.set(permitted) }),
        Row(
            "4.2.1.11 not critical", ["policy-constraints-not-critical"],
            acme.issuing { $0.set(.policyConstraints(requireExplicit: 3).critical(false)) }),
        Row(
            "4.2.1.11 not critical beside certificate policies", ["accept"],
            acme.issuing {
                $0.set(.policyConstraints(requireExplicit: 3).critical(false))
                $0.set(.certificatePolicies(["1.3.6.1.4.1.32473.1"]))
            }),
        Row(
            "4.2.1.14 not critical", ["inhibit-any-policy-not-critical"],
            acme.issuing { $0.set(.inhibitAnyPolicy(0).critical(false)) }),
        Row(
            "4.2.2.1 critical", ["authority-info-access-critical"],
            acme.presenting {
                $0.set(.authorityInfoAccess(ocsp: ["http://o.example"]).critical(true))
            }),
        Row(
            "4.2.1.13 critical", ["accept"],
            acme.presenting {
                $0.set(.crlDistributionPoints(["http://c.example/1.crl"]).critical(true))
            }),
    ]

    private static let permitted = TestExtension.nameConstraints(permitted: [.dns("acme.example")])

    /// The issuing authority as an anchor, which the root of another organisation has signed.
    private static func crossSigned(_ change: (inout CertificateRecipe) -> Void) -> World {
        World([acme.good.der], roots: [cross.crossSign(acme.issuing, change).der])
    }

    private static let withoutKeyIdentifiers: World = {
        let strip: (inout CertificateRecipe) -> Void = {
            $0.remove(OID.authorityKeyIdentifier)
            $0.remove(OID.subjectKeyIdentifier)
        }
        let root = Scenario().root("Root A", key: acme.root.key, strip)
        let issuing = root.issueCA("Issuing A", key: acme.issuing.key, strip)
        let leaf = issuing.issueLeaf(dns: [World.host], strip)
        return World([leaf.der, issuing.der], roots: [root.der])
    }()

    private static let nameless: World = {
        let root = Scenario().root(TestName.empty, key: acme.root.key)
        let issuing = root.issueCA("Issuing A", key: acme.issuing.key)
        let leaf = issuing.issueLeaf(dns: [World.host])
        return World([leaf.der, issuing.der], roots: [root.der])
    }()

    private static let serverRows: [Row] = [
        Row("BR a good certificate", ["accept"], server { _ in }),
        Row(
            "BR 7.1.2.7.12 no subjectAltName", ["subject-alt-name-missing", "name-mismatch"],
            server { $0.remove(OID.subjectAltName) }),
        Row(
            "BR 7.1.2.7.12 critical beside a subject", ["subject-alt-name-critical"],
            server { $0.set(.subjectAltName([.dns(World.host)]).critical(true)) }),
        Row(
            "BR 7.1.2.7.12 an e-mail address", ["subject-alt-name-form"],
            server { $0.set(.subjectAltName([.dns(World.host), .email("a@acme.example")])) }),
        Row(
            "BR 7.1.2.7.12 a URI", ["subject-alt-name-form"],
            server { $0.set(.subjectAltName([.dns(World.host), .uri("https://acme.example")])) }),
        Row(
            "BR 3.2.2.6 over a public suffix", ["wildcard-over-public-suffix"],
            server { $0.set(.subjectAltName([.dns(World.host), .dns("*.co.uk")])) }),
        Row(
            "BR 3.2.2.6 over a name", ["accept"],
            server { $0.set(.subjectAltName([.dns(World.host), .dns("*.acme.co.uk")])) }),
        Row(
            "BR 3.2.2.6 asked by web-pki alone", ["accept"],
            acme.presenting { $0.set(.subjectAltName([.dns(World.host), .dns("*.co.uk")])) }),
        Row(
            "BR 7.1.4.3 another name", ["common-name-not-presented"],
            server { $0.subject = "www.acme.example" }),
        Row(
            "BR 7.1.4.3 another case", ["common-name-not-presented"],
            server { $0.subject = "API.acme.example" }),
        Row(
            "BR 7.1.4.3 an address in another spelling", ["common-name-not-presented"],
            address("2001:0db8:0000:0000:0000:0000:0000:0001")),
        Row("BR 7.1.4.3 an address", ["accept"], address("2001:db8::1")),
        Row("BR 7.1.4.3 a name beside addresses alone", ["accept"], address("acme.example")),
        Row("BR 7.1.4.3 none", ["accept"], server { $0.subject = TestName(.organization("Acme")) }),
        Row(
            "BR 7.1.2.7.8 a CA", ["end-entity-is-ca"],
            server { $0.set(.basicConstraints(ca: true)) }),
        Row(
            "BR 7.1.2.7.6 critical", ["extended-key-usage-critical"],
            server { $0.set(.extendedKeyUsage([OID.serverAuth]).critical(true)) }),
        Row(
            "BR 7.1.2.7.10 any purpose", ["purpose-beside-server"],
            server {
                $0.set(.extendedKeyUsage([OID.serverAuth, OID.anyExtendedKeyUsage]))
            }),
        Row(
            "BR 7.1.2.7.10 any purpose alone names no server's",
            ["purpose-not-named", "purpose-beside-server"],
            server { $0.set(.extendedKeyUsage([OID.anyExtendedKeyUsage])) }),
        Row(
            "a wildcard over a public suffix, with an underscore",
            ["wildcard-over-public-suffix"],
            server { $0.set(.subjectAltName([.dns(World.host), .dns("*.corp_x")])) }),
        Row(
            "BR 7.1.2.7.10 code signing", ["purpose-beside-server"],
            server { $0.set(.extendedKeyUsage([OID.serverAuth, OID.codeSigning])) }),
        Row(
            "BR 7.1.2.7.6 no purpose", ["purpose-not-named"],
            server { $0.remove(OID.extendedKeyUsage) }),
        Row(
            "BR 7.1.2.11.1 issuer and serial number", ["authority-key-identifier-form"],
            server {
                $0.set(authorityKey(keyIdentifier(acme.issuing.key), issuerAndSerial))
            }),
        Row(
            "BR 6.1.5 Ed25519 is the policy's business", ["accept"],
            server { $0.spki = TestKey.ed25519("standard server").spki }),
        Row(
            "BR 6.1.5 an RSA modulus of 2,052 bits", ["rsa-size-not-whole-octets"],
            server { $0.spki = rsaKey(modulus: [0x0F] + [UInt8](repeating: 0xFF, count: 256)) }),
        Row(
            "BR 7.1.2.1.2 a root's purposes", ["extended-key-usage-of-root"],
            webRoot { $0.set(.extendedKeyUsage([OID.serverAuth])) }),
        Row(
            "BR 7.1.2.1.3 a root's own key", ["accept"],
            webRoot { $0.set(.authorityKeyIdentifier(acme.root.key.keyIdentifier)) }),
        Row(
            "BR 7.1.2.1.3 another key", ["authority-key-identifier-of-root"],
            webRoot { $0.set(.authorityKeyIdentifier([1, 2, 3])) }),
        Row(
            "BR 7.1.2.1.3 no key", ["authority-key-identifier-of-root"],
            webRoot { $0.set(authorityKey()) }),
        Row(
            "BR 7.1.2.1.3 issuer and serial number", ["authority-key-identifier-form"],
            webRoot { $0.set(authorityKey(keyIdentifier(acme.root.key), issuerAndSerial)) }),
        Row(
            "BR 7.1.2.10.7 a CA without key usage", ["key-usage-of-ca-missing"],
            webRoot { $0.remove(OID.keyUsage) }),
        Row(
            "BR 7.1.2.10.4 basicConstraints of an intermediate",
            ["basic-constraints-not-critical"],
            acme.issuing { $0.set(.basicConstraints(ca: true).critical(false)) }
                .with { $0.sets[0].standard = .webPKI }),
        Row(
            "a member of the machine's store is spared", ["accept"],
            webRoot {
                $0.set(.extendedKeyUsage([OID.serverAuth]))
                $0.set(authorityKey(keyIdentifier(acme.root.key), issuerAndSerial))
                $0.set(.basicConstraints(ca: true).critical(false))
                $0.remove(OID.keyUsage)
            }.with {
                $0.store = $0.sets[0].members
                $0.sets[0].groups[0].source = .system
            }),
    ]

    private static func rsaKey(modulus: [UInt8]) -> [UInt8] {
        DER.sequence(
            DER.sequence(DER.oid(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1), [5, 0]),
            DER.element(
                0x03,
                [0] + DER.sequence(DER.element(0x02, modulus), DER.element(0x02, [1, 0, 1]))))
    }

    private static func address(_ commonName: String) -> World {
        server {
            $0.subject = TestName(commonName)
            $0.set(.subjectAltName([.ip("2001:db8::1")]))
        }.with {
            $0.identity = IdentityRequirement(
                reference: .listed, ip: [IPAddress(text: "2001:db8::1")].compactMap(\.self))
        }
    }

    @Test("RFC 5280's profile, for both standards", arguments: profileRows)
    func profile(_ row: Row) throws { try judge(row) }

    @Test("the Baseline Requirements, for `web-pki`", arguments: serverRows)
    func server(_ row: Row) throws { try judge(row) }

    /// Under `enforce` each demand that is not met rejects. By the baseline a demand of validation
    /// rejects, and the demands of issuance are one notice, when nothing rejects.
    private func judge(_ row: Row) throws {
        let enforced = row.world.with { $0.requirements.enforcesIssuance = true }
        #expect(try enforced.judge().outcome == row.expected)
        let binding = row.expected.filter {
            $0 != "accept" && StandardDemand(rawValue: $0)?.isIssuance != true
        }
        let judged = try row.world.judge()
        #expect(judged.outcome == (binding.isEmpty ? ["accept"] : binding))
        guard binding.isEmpty else { return }
        #expect(judged.breaches == (row.expected == ["accept"] ? [] : row.expected))
    }

    @Test("a waiver lets the breach of the demands that it names pass, and no other")
    func waiver() throws {
        func judged(waiving demands: [StandardDemand]) throws -> Judged {
            try StandardRulesTests.acme.root {
                $0.remove(OID.subjectKeyIdentifier)
                $0.set(.basicConstraints(ca: true).critical(false))
            }.with {
                $0.requirements.enforcesIssuance = true
                $0.waivers = [
                    Waiver(
                        tolerance: .issuance(IssuanceDemands(demands)), until: Scenario.judgedAt,
                        reason: "", owner: "", ticket: nil)
                ]
            }.judge()
        }
        let both = try judged(
            waiving: [.subjectKeyIdentifierMissing, .basicConstraintsNotCritical])
        #expect(both.outcome == ["accept"])
        #expect(
            Set(both.reported) == [
                "subject-key-identifier-missing", "basic-constraints-not-critical",
            ])
        #expect(
            try judged(waiving: [.subjectKeyIdentifierMissing]).outcome
                == ["basic-constraints-not-critical"])
    }

    @Test("a notice costs no further path")
    func onePath() throws {
        let flawed = StandardRulesTests.acme.root.issueCA(
            "Issuing A", key: StandardRulesTests.acme.issuing.key
        ) {
            $0.remove(OID.authorityKeyIdentifier)
        }
        var world = StandardRulesTests.acme.world
        world.chain.insert(flawed.der, at: 1)
        let judged = try world.judge()
        #expect(judged.outcome == ["accept"])
        #expect(judged.work?.paths == 1)
    }

    @Test("a path without a flaw is found beside one with a flaw")
    func search() throws {
        let flawed = StandardRulesTests.acme.root.issueCA(
            "Issuing A", key: StandardRulesTests.acme.issuing.key
        ) {
            $0.remove(OID.authorityKeyIdentifier)
        }
        var world = StandardRulesTests.acme.world
        world.requirements.enforcesIssuance = true
        world.chain.insert(flawed.der, at: 1)
        let judged = try world.judge()
        #expect(judged.outcome == ["accept"])
        #expect(judged.notices.isEmpty)
    }

    @Test("a certificate trusted as itself is no part of a public key infrastructure")
    func leafAnchor() throws {
        let leaf = Scenario().selfSignedLeaf(dns: [World.host]) { $0.serial = [0] }
        var world = World([leaf.der], roots: [StandardRulesTests.acme.root.der])
        world.trust("device", [leaf.der], kind: .leaf)
        #expect(try world.judge().outcome == ["accept"])
    }

    @Test("4.1.2.2 a negative serial number")
    func negative() throws {
        var sketch = CertificateSketch()
        sketch.serial = [0x02, 0x01, 0x80]
        let certificate = try sketch.certificate()
        #expect(lasting(certificate, at: .endEntity) == [.serialNotPositive])
        #expect(lasting(certificate, at: .anchor) == [])
    }

    private func lasting(
        _ certificate: Certificate, at role: StandardRules.Role
    ) -> [StandardDemand] {
        var demands: [StandardDemand] = []
        StandardRules.forEachLasting(certificate, at: role) { demands.append($0) }
        return demands
    }

    @Test("BR 7.1.2.7 an end entity of version 1")
    func version() throws {
        var sketch = CertificateSketch()
        sketch.version = []
        var budget = WorkBudget(limit: 100)
        let flaws = StandardRules.flaws(
            of: try sketch.certificate(), at: .endEntity,
            neighbours: StandardRules.Neighbours(issuer: nil, issued: nil),
            standard: .webPKI, constraintsBind: true, budget: &budget)
        #expect(flaws?.contains { $0.demand == .versionNot3 && $0.found == "1" } == true)
    }

    @Test("every demand has a code of its own and a section")
    func codes() {
        let codes = StandardDemand.allCases.map(\.rawValue)
        #expect(Set(codes).count == codes.count)
        for demand in StandardDemand.allCases {
            #expect(demand.section.contains("§"), "\(demand)")
        }
    }

    @Test("wildcards and common names without end run out of budget, not of time")
    func work() throws {
        let names = (0..<2_000).map { TestGeneralName.dns("*.n\($0).example") }
        let commonNames = (0..<30).map { _ in TestName.Attribute.commonName("*.n1999.example") }
        let leaf = StandardRulesTests.acme.issuing.issueLeaf(dns: [World.host]) {
            $0.subject = TestName(relativeNames: commonNames.map { [$0] })
            $0.set(.subjectAltName(names))
        }
        var budget = WorkBudget(limit: 3_000)
        let flaws = StandardRules.flaws(
            of: try leaf.parsed(), at: .endEntity,
            neighbours: StandardRules.Neighbours(issuer: nil, issued: nil), standard: .webPKI,
            constraintsBind: true, budget: &budget)
        #expect(flaws == nil)
        #expect(budget.isExhausted)
    }
}
