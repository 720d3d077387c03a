import TestPKI
import Testing
import TrustEngine

/// Each violation raised by a chain that was made for it.
@Suite("violations") struct ViolationTests {
    private static let acme = Acme()
    private static var good: World { acme.world }
    private static let unknownAlgorithm = TestPKI.DER.sequence(
        TestPKI.DER.oid("1.3.6.1.4.1.32473.9"))
    private static let stranger = Scenario().root("Root S", key: .p256("evaluation stranger"))
    private static let estranged = stranger.issueLeaf(dns: [World.host])
    private static let selfSigned = Scenario().selfSignedLeaf(dns: [World.host])

    @Test("a good chain is accepted, its anchor last")
    func good() throws {
        let judged = try ViolationTests.good.judge()
        #expect(judged.outcome == ["accept"])
        #expect(judged.path == [World.host, "Issuing A", "Root A"])
        #expect(judged.reported.isEmpty)
        #expect(judged.notices.isEmpty)
    }

    /// A verdict of the engine may keep its decision in another form than a verdict that is made of
    /// its values.
    @Test("a deny, reported failures and wanted evidence are the values that they show")
    func values() throws {
        let deny = try ViolationTests.good.with { $0.host = "other.example" }.judge().verdict
        let made = Verdict(
            outcome: .reject([.noApplicableRule(host: "other.example")]),
            policyDigest: deny.policyDigest, systemStoreDigest: nil)
        #expect(deny == made)
        #expect(deny.hashValue == made.hashValue)
        #expect(deny.outcome == made.outcome)
        #expect(deny.violations.map(\.id) == ["no-applicable-rule"])
        #expect(!deny.isAccept)
        #expect(
            deny
                != Verdict(
                    outcome: .reject([.noApplicableRule(host: "another.example")]),
                    policyDigest: deny.policyDigest, systemStoreDigest: nil))

        let rejected = try ViolationTests.good.with {
            $0.requirements.revocation.causes = .require
        }.judge().verdict
        for violation in rejected.violations {
            let again = Violation(violation.reason)
            #expect(violation == again)
            #expect(violation.hashValue == again.hashValue)
            #expect(violation.kind == again.kind)
            #expect(violation.kind == violation.reason.kind)
        }
        #expect(rejected.violations.count == 2)
        #expect(rejected.violations[0] != rejected.violations[1])
    }

    private static let requestRows: [Row] = [
        Row("12.9 no name", ["bad-host"], good.with { $0.host = "api..example" }),
        Row("12.9 odd IPv4", ["bad-host"], good.with { $0.host = "0x7f.1" }),
        Row("12.9 foldable", ["accept"], good.with { $0.host = "API.Acme.example." }),
        Row("4 no rule", ["no-applicable-rule"], good.with { $0.host = "other.example" }),
        Row("nothing presented", ["nothing-presented"], good.with { $0.chain = [] }),
        Row("5280 4.1 unreadable", ["end-entity-unreadable"], good.with { $0.chain[0] = [0x30] }),
        Row("12.3 nothing said", ["tls-not-supplied"], good.with { $0.tls = .notSupplied }),
        Row(
            "12.3 version unknown", ["tls-not-supplied"],
            good.with { $0.tls = .observed(TLSParameters()) }),
        Row(
            "12.3 enforced by another policy", ["tls-not-supplied"],
            good.with {
                $0.tls = .enforced(
                    TLSParameters(version: .tls13), ruleID: "api",
                    policyDigest: ViolationTests.digestOfNothing)
            }),
        Row(
            "8 tls too old", ["tls-version"],
            good.with { $0.tls = .observed(TLSParameters(version: .tls11)) }),
        Row(
            "8 tls too new", ["tls-version"],
            good.with { $0.requirements.tls.maximumVersion = .tls12 }),
        Row(
            "8 a staple that is none is reported", ["accept"],
            good.with { $0.evidence.stapledOCSP = [0x30, 0] }),
        Row(
            "8 require", ["revocation-undetermined", "revocation-undetermined"],
            good.with { $0.requirements.revocation.causes = .require }),
        Row(
            "8 nothing asked of revocation", ["accept"],
            good.with {
                for cause in RevocationCause.allCases {
                    $0.requirements.revocation.causes[cause] = .pass
                }
            }),
        Row(
            "8 transparency", ["transparency-not-met"],
            good.with { $0.requirements.transparency.preset = .chrome }),
        Row(
            "8 transparency of an exempt set", ["accept"],
            good.with {
                $0.requirements.transparency.preset = .chrome
                $0.requirements.transparency.exemptAnchors = ["corp"]
            }),
        Row("10 no TLS", ["cleartext"], good.with { $0.tls = .cleartext }),
        Row(
            "RFC 7633 must-staple", ["staple-missing"],
            acme.presenting { $0.set(.tlsFeatures([5])) }),
        Row(
            "RFC 7633 an authority's feature asks no staple of the authority", ["accept"],
            acme.issuing { $0.set(.tlsFeatures([5])) }),
        Row(
            "RFC 7633 no feature, which demands nothing", ["accept"],
            acme.presenting { $0.set(.tlsFeatures([])) }),
        Row("RFC 7633 another feature", ["accept"], acme.presenting { $0.set(.tlsFeatures([6])) }),
        Row(
            "request and path", ["tls-not-supplied", "self-signed-leaf"],
            World([selfSigned.der], roots: [acme.root.der]).with { $0.tls = .notSupplied }),
    ]

    /// A certificate whose end is before its begin.
    private static let inverted = acme.presenting {
        $0.notBefore = .at("2026-04-01")
        $0.notAfter = .at("2026-03-01")
    }

    @Test(
        "8 past the limit: every intermediate of the chain is counted, and not one above the limit")
    func countOfIntermediates() throws {
        let root = Scenario().root("Deep Root", key: .p256("deep root"))
        var authority = root
        var chain: [[UInt8]] = []
        for number in 1...12 {
            authority = authority.issueCA("Deep \(number)", key: .p256("deep \(number)"))
            chain.insert(authority.der, at: 0)
        }
        chain.insert(authority.issueLeaf(dns: [World.host]).der, at: 0)
        for limit in [0, 1, 8, 11] {
            var world = World(chain, roots: [root.der])
            world.requirements.maximumIntermediates = limit
            let violation = try #require(try world.judge().verdict.violations.first)
            #expect(violation.id == "too-many-intermediates")
            #expect(violation["actual"]?.integer == 12, "\(limit)")
        }
    }

    @Test("a constraint that cannot be judged is told of the certificate that has it")
    func holderOfTheConstraint() throws {
        func constrained(_ recipe: inout CertificateRecipe) {
            recipe.set(.nameConstraints(permitted: [.dns("*.acme.example")]))
        }
        for (world, holder) in [
            (Self.acme.root(constrained), 2), (Self.acme.issuing(constrained), 1),
        ] {
            let violation = try #require(try world.judge().verdict.violations.first)
            #expect(violation.id == "constraint-not-evaluated")
            #expect(violation["by"]?.certificate?.position == holder)
            #expect(violation.certificate?.position ?? holder < holder)
            #expect(violation["constraint"]?.text == "names")
            #expect(
                violation["problem"]?.text
                    == "the dNSName constraint `*.acme.example` is malformed; a constraint has no "
                    + "wildcard")
        }
    }

    @Test("a mask hash below the minimum is told apart from a message hash")
    func maskHash() throws {
        func outcome(_ hash: TestHash, _ mask: TestHash) throws -> Violation? {
            let root = Scenario().root("RSA Root", key: .rsa2048("mask hash"))
            let leaf = root.issueLeaf(dns: [World.host]) {
                $0.signature = .rsaPSS(hash: hash, mgfHash: mask, saltLength: 32)
            }
            return try World([leaf.der], roots: [root.der]).judge().verdict.violations.first
        }
        let masked = try #require(try outcome(.sha256, .sha1))
        #expect(masked.id == "mask-hash-too-weak")
        #expect(masked["hash"]?.text == "sha256")
        #expect(masked["maskHash"]?.text == "sha1")
        #expect(try outcome(.sha1, .sha1)?.id == "hash-too-weak")
        #expect(try outcome(.sha1, .sha256)?.id == "hash-too-weak")
        #expect(try outcome(.sha256, .sha256) == nil)
    }

    private static func hostAndListed(_ presented: [String]) -> World {
        acme.presenting { $0.set(.subjectAltName(presented.map { .dns($0) })) }.with {
            $0.identity = IdentityRequirement(
                reference: .hostAndListed, dns: ["b.example", "c.example"])
        }
    }

    private static let digestOfNothing: Digest = {
        guard let digest = Digest(.sha256, bytes: TestHash.sha256.digest([])) else {
            preconditionFailure("SHA-256 has 32 octets")
        }
        return digest
    }()

    private static let anchorRows: [Row] = [
        Row(
            "12.7 issuer not found", ["issuer-not-found"], good.with { $0.chain.removeLast() }),
        Row(
            "12.7 self-signed", ["self-signed-leaf"],
            World([selfSigned.der], roots: [acme.root.der])),
        Row(
            "12.7 not trusted", ["anchor-not-trusted"],
            World([estranged.der, stranger.der], roots: [acme.root.der])),
        Row(
            "12.7 an anchor as end entity", ["self-signed-leaf", "name-mismatch"],
            World([acme.root.der], roots: [acme.root.der])),
        Row(
            "6.1.3(a)(1) flipped bit", ["bad-signature"],
            acme.presenting { $0.damage = .flippedBit }),
        Row(
            "6.1.3(a)(1) of the authority", ["bad-signature"],
            acme.issuing { $0.damage = .otherMessage }),
        Row(
            "6.1.3(a)(1) unknown algorithm", ["unsupported-signature"],
            acme.presenting {
                $0.innerAlgorithm = unknownAlgorithm
                $0.outerAlgorithm = unknownAlgorithm
            }),
        Row(
            "4.1.1.2 algorithms differ", ["algorithm-mismatch"],
            acme.presenting { $0.innerAlgorithm = TestSignature.ecdsa(.sha384).algorithmIdentifier }
        ),
    ]

    private static let deep: World = {
        var authority = acme.root
        var chain: [[UInt8]] = []
        for depth in 1...3 {
            authority = authority.issueCA("Depth \(depth)", key: .p256("evaluation depth \(depth)"))
            chain.insert(authority.der, at: 0)
        }
        return World(
            [authority.issueLeaf(dns: [World.host]).der] + chain, roots: [acme.root.der])
    }()

    /// Root, the same name again with another key, end entity.
    private static func selfIssued(rootPathLength: Int) -> World {
        let root = Scenario().root("Root A", key: acme.root.key) {
            $0.set(.basicConstraints(ca: true, pathLength: rootPathLength))
        }
        let again = root.issueCA("Root A", key: .p256("evaluation root a, rolled over"))
        return World(
            [again.issueLeaf(dns: [World.host]).der, again.der], roots: [root.der])
    }

    /// An end entity of its issuer's name, below constraints that permit other hosts.
    private static let selfIssuedEndEntity: World = {
        let issuing = acme.root.issueCA("Issuing A", key: acme.issuing.key) {
            $0.set(.nameConstraints(permitted: [.dns("other.example")]))
        }
        let leaf = issuing.issueLeaf(dns: [World.host], subject: "Issuing A")
        return World([leaf.der, issuing.der], roots: [acme.root.der])
    }()

    private static let certificateRows: [Row] = [
        Row(
            "6.1.4(k) not a CA", ["not-a-ca"],
            acme.issuing { $0.set(.basicConstraints(ca: false)) }),
        Row(
            "6.1.4(k) no extension", ["not-a-ca"], acme.issuing { $0.remove(OID.basicConstraints) }),
        Row(
            "6.1.4(m) the anchor's own length", ["path-length-exceeded"],
            acme.root { $0.set(.basicConstraints(ca: true, pathLength: 0)) }),
        Row(
            "6.1.4(m) just enough", ["accept"],
            acme.root { $0.set(.basicConstraints(ca: true, pathLength: 1)) }),
        Row("6.1.4(l) self-issued is not counted", ["accept"], selfIssued(rootPathLength: 0)),
        Row("8 at the limit", ["accept"], deep.with { $0.requirements.maximumIntermediates = 3 }),
        Row(
            "8 past the limit", ["too-many-intermediates"],
            deep.with { $0.requirements.maximumIntermediates = 2 }),
        Row(
            "4.1.2.5 ends before it begins, judged before", ["never-valid"],
            inverted.at(.at("2026-01-01"))),
        Row(
            "4.1.2.5 ends before it begins, judged between", ["never-valid"],
            inverted.at(.at("2026-03-15"))),
        Row(
            "4.1.2.5 ends before it begins, judged after", ["never-valid"],
            inverted.at(.at("2026-06-01"))),
        Row(
            "10 ended before it began, and waived as ended", ["accept"],
            inverted.at(.at("2026-04-02"))
                .with { $0.waive(.expired(seconds: 86_400 * 60)) }),
        Row(
            "8 at the limit, and no issuer", ["issuer-not-found"],
            deep.with {
                $0.requirements.maximumIntermediates = 3
                $0.sets[0].members = [stranger.der]
            }),
        Row(
            "6.1.4(n) no keyCertSign", ["key-usage-missing"],
            acme.issuing { $0.set(.keyUsage([.cRLSign])) }),
        Row(
            "4.2.1.3 end entity", ["key-usage-missing"],
            acme.presenting { $0.set(.keyUsage([.nonRepudiation])) }),
        Row(
            "4.2.1.12 keyEncipherment serves no client", ["key-usage-missing"],
            acme.presenting {
                $0.set(.keyUsage([.keyEncipherment]))
                $0.set(.extendedKeyUsage([OID.clientAuth]))
            }.with { $0.requirements.keyPurposes = KeyPurposes(clientAuth: true) }),
        Row(
            "4.2.1.12 keyEncipherment serves a server", ["accept"],
            acme.presenting { $0.set(.keyUsage([.keyEncipherment])) }),
        Row("4.2.1.3 absent", ["accept"], acme.presenting { $0.remove(OID.keyUsage) }),
        Row(
            "4.2.1.12 end entity", ["purpose-not-allowed"],
            acme.presenting { $0.set(.extendedKeyUsage([OID.clientAuth])) }),
        Row(
            "4.2.1.12 authority", ["purpose-not-allowed"],
            acme.issuing { $0.set(.extendedKeyUsage([OID.clientAuth])) }),
        Row(
            "8 the anchor's own purposes", ["purpose-not-allowed"],
            acme.root { $0.set(.extendedKeyUsage([OID.codeSigning])) }),
        Row(
            "8 one purpose along the whole path", ["purpose-not-allowed"],
            acme.issuing { $0.set(.extendedKeyUsage([OID.clientAuth])) }
                .with { $0.requirements.keyPurposes.clientAuth = true }),
        Row(
            "8 absent under rfc5280", ["accept"],
            acme.presenting { $0.remove(OID.extendedKeyUsage) }),
        Row(
            "8 absent under web-pki", ["purpose-not-named"],
            acme.presenting { $0.remove(OID.extendedKeyUsage) }
                .with { $0.sets[0].standard = .webPKI }),
        Row(
            "6.1.5(f) unknown critical", ["unknown-critical-extension"],
            acme.presenting { $0.set(.unknown(critical: true)) }),
        Row("6.1.5(f) unknown", ["accept"], acme.presenting { $0.set(.unknown(critical: false)) }),
        Row(
            "6.1.4(o) unknown critical", ["unknown-critical-extension"],
            acme.issuing { $0.set(.unknown(critical: true)) }),
        Row(
            "6962 3.1 pre-certificate", ["unknown-critical-extension"],
            acme.presenting { $0.set(.preCertificatePoison) }),
        Row(
            "6962 3.1 pre-certificate whose poison is not critical", ["unknown-critical-extension"],
            acme.presenting { $0.set(.preCertificatePoison.critical(false)) }),
        Row(
            "6.1.5(f) critical issuerAltName, which nothing processes",
            ["unknown-critical-extension"],
            acme.presenting {
                $0.set(
                    .raw(
                        "2.5.29.18", critical: true,
                        TestPKI.DER.sequence(TestGeneralName.dns("issuer.example").der)))
            }),
        Row(
            "8 an RSA key at the floor", ["accept"],
            World(
                [
                    acme.issuing.issueLeaf(
                        dns: [World.host], key: .rsa2048("evaluation at the floor")
                    ).der, acme.issuing.der,
                ], roots: [acme.root.der]
            ).with { $0.requirements.rsaMinimum = 2048 }),
        Row(
            "8 a lifetime as long as may be", ["accept"],
            good.with { $0.requirements.maximumLifetime = 184 * 86_400 - 1 }),
        Row(
            "8 a lifetime a second longer", ["lifetime-too-long"],
            good.with { $0.requirements.maximumLifetime = 184 * 86_400 - 2 }),
        Row(
            "6.1.3(c) an intermediate that the anchor excludes", ["name-not-permitted"],
            acme.root { $0.set(.nameConstraints(excluded: [.directory("Issuing A")])) }),
        Row(
            "6.1.3(b) a self-issued end entity is not exempt", ["name-not-permitted"],
            selfIssuedEndEntity),
        Row(
            "6.1.3(b) outside", ["name-not-permitted"],
            acme.issuing { $0.set(.nameConstraints(permitted: [.dns("other.example")])) }),
        Row(
            "6.1.3(c) excluded", ["name-not-permitted"],
            acme.issuing { $0.set(.nameConstraints(excluded: [.dns("acme.example")])) }),
        Row(
            "6.1.3(b) the anchor's own", ["name-not-permitted"],
            acme.root { $0.set(.nameConstraints(permitted: [.dns("other.example")])) }),
        Row(
            "6.1.3(b) inside", ["accept"],
            acme.root { $0.set(.nameConstraints(permitted: [.dns("acme.example")])) }),
        Row(
            "6.1.5(g) explicit policy", ["certificate-policy-not-satisfied"],
            acme.issuing { $0.set(.policyConstraints(requireExplicit: 0)) }),
        Row(
            "6.1.1(f) explicit policy", ["certificate-policy-not-satisfied"],
            good.with { $0.requirements.requiresExplicitPolicy = true }),
        Row(
            "6.1.1(c) another policy", ["certificate-policy-not-satisfied"],
            underPolicies("1.3.6.1.4.1.32473.1", wanted: "1.3.6.1.4.1.32473.2")),
        Row(
            "6.1.1(c) the policy wanted", ["accept"],
            underPolicies("1.3.6.1.4.1.32473.1", wanted: "1.3.6.1.4.1.32473.1")),
        Row(
            "6.1.1(c) without 6.1.1(f) nothing rejects", ["accept"],
            good.with { $0.requirements.certificatePolicies = [oid("1.3.6.1.4.1.32473.1")] }),
        Row(
            "6.1.1(g) any policy", ["accept"],
            underPolicies("2.5.29.32.0", wanted: "1.3.6.1.4.1.32473.1")),
        Row(
            "6.1.1(g) any policy inhibited", ["certificate-policy-not-satisfied"],
            underPolicies("2.5.29.32.0", wanted: "1.3.6.1.4.1.32473.1")
                .with { $0.requirements.inhibitsAnyPolicy = true }),
        Row("6.1.1(e) mapped policy", ["accept"], mapped),
        Row(
            "6.1.1(e) mapping inhibited", ["certificate-policy-not-satisfied"],
            mapped.with { $0.requirements.inhibitsPolicyMapping = true }),
        Row(
            "8 leaf-types", ["key-type-not-allowed"],
            good.with { $0.requirements.leafKeyTypes = KeyTypeSet(.p384) }),
        Row(
            "8 types, anchor included",
            ["key-type-not-allowed", "key-type-not-allowed", "key-type-not-allowed"],
            good.with { $0.requirements.keyTypes = KeyTypeSet(.p384) }),
        Row(
            "8 rsa-minimum", ["key-too-small"],
            World(
                [
                    acme.issuing.issueLeaf(dns: [World.host], key: .rsa1024("evaluation small"))
                        .der,
                    acme.issuing.der,
                ], roots: [acme.root.der])),
        Row(
            "8 minimum-hash", ["hash-too-weak"],
            acme.presenting { $0.signature = .ecdsa(.sha1) }),
        Row(
            "8 minimum-hash raised", ["hash-too-weak", "hash-too-weak"],
            good.with { $0.requirements.minimumHash = .sha384 }),
        Row(
            "8 schemes", ["signature-scheme-not-allowed", "signature-scheme-not-allowed"],
            good.with { $0.requirements.signatureSchemes = .rsaPSS }),
        Row(
            "8 maximum-lifetime", ["lifetime-too-long"],
            good.with { $0.requirements.maximumLifetime = 86_400 }),
        Row(
            "8 lifetime-steps: the latest step before the issue", ["lifetime-too-long"],
            good.with {
                $0.requirements.maximumLifetime = 1_000 * 86_400
                $0.requirements.lifetimeSteps = [
                    LifetimeStep(issuedFrom: .at("2025-01-01"), maximum: 86_400)
                ]
            }),
        Row(
            "8 lifetime-steps: one that begins later", ["accept"],
            good.with {
                $0.requirements.maximumLifetime = 1_000 * 86_400
                $0.requirements.lifetimeSteps = [
                    LifetimeStep(issuedFrom: .at("2026-12-01"), maximum: 86_400)
                ]
            }),
        Row(
            "8 keys: both what it is and its size",
            ["key-type-not-allowed", "key-too-small"],
            World(
                [
                    acme.issuing.issueLeaf(dns: [World.host], key: .rsa1024("evaluation small"))
                        .der,
                    acme.issuing.der,
                ], roots: [acme.root.der]
            ).with { $0.requirements.leafKeyTypes = KeyTypeSet(.p256) }),
        Row(
            "5 web-pki: no subjectAltName", ["name-mismatch"],
            acme.presenting { $0.remove(OID.subjectAltName) }
                .with { $0.sets[0].standard = .webPKI }),
        Row(
            "9525 name", ["name-mismatch"],
            acme.presenting { $0.set(.subjectAltName([.dns("www.acme.example")])) }),
        Row(
            "9525 no common name", ["name-mismatch"],
            acme.presenting { $0.remove(OID.subjectAltName) }),
        Row(
            "7 listed", ["name-mismatch"],
            good.with { $0.identity = IdentityRequirement(reference: .listed, dns: ["b.example"]) }),
        Row(
            "7 host and listed: both presented", ["accept"],
            hostAndListed([World.host, "b.example"])),
        Row("7 host and listed: the host alone", ["name-mismatch"], hostAndListed([World.host])),
        Row(
            "7 host and listed: a listed name alone", ["name-mismatch"],
            hostAndListed(["b.example"])),
        Row(
            "6 pins", ["pin-mismatch"],
            good.with { $0.pin([(stranger.certificate, .any)]) }),
    ]

    /// A chain under one certificate policy, for a rule that wants one explicitly.
    private static func underPolicies(_ asserted: String, wanted: String) -> World {
        let issuing = acme.root.issueCA("Issuing A", key: acme.issuing.key) {
            $0.set(.certificatePolicies([asserted]))
        }
        let leaf = issuing.issueLeaf(dns: [World.host]) {
            $0.set(.certificatePolicies([asserted]))
        }
        return World([leaf.der, issuing.der], roots: [acme.root.der]).with {
            $0.requirements.requiresExplicitPolicy = true
            $0.requirements.certificatePolicies = [oid(wanted)]
        }
    }

    /// A chain whose issuing authority says that the policy of its leaf is the one wanted.
    private static let mapped: World = {
        let (wanted, own) = ("1.3.6.1.4.1.32473.1", "1.3.6.1.4.1.32473.2")
        let issuing = acme.root.issueCA("Issuing A", key: acme.issuing.key) {
            $0.set(.certificatePolicies([wanted]))
            $0.set(.policyMappings([(wanted, own)]))
        }
        let leaf = issuing.issueLeaf(dns: [World.host]) { $0.set(.certificatePolicies([own])) }
        return World([leaf.der, issuing.der], roots: [acme.root.der]).with {
            $0.requirements.requiresExplicitPolicy = true
            $0.requirements.certificatePolicies = [oid(wanted)]
        }
    }()

    /// Content octets of a dotted object identifier.
    private static func oid(_ dotted: String) -> [UInt8] {
        Array(TestPKI.DER.oid(dotted).dropFirst(2))
    }

    @Test("of the request", arguments: requestRows) func ofTheRequest(_ row: Row) throws {
        let outcome = try row.world.judge().outcome
        #expect(outcome == row.expected)
        try row.world.expectSameByHead()
    }

    @Test("of reaching an anchor", arguments: anchorRows)
    func ofAPathWithoutAnAnchor(_ row: Row) throws {
        let outcome = try row.world.judge().outcome
        #expect(outcome == row.expected)
        try row.world.expectSameByHead()
    }

    @Test("of certificates", arguments: certificateRows) func ofCertificates(_ row: Row) throws {
        let outcome = try row.world.judge().outcome
        #expect(outcome == row.expected)
        try row.world.expectSameByHead()
    }

    @Test("12.7 the policy's other sets that hold an anchor are named", arguments: [true, false])
    func heldBy(isSent: Bool) throws {
        let stranger = ViolationTests.stranger
        let leaf = ViolationTests.estranged.der
        var world = World(
            isSent ? [leaf, stranger.der] : [leaf], roots: [ViolationTests.acme.root.der])
        world.trust("partners", [stranger.der])
        world.anchors = ["corp"]
        guard
            case .anchorNotTrusted(let last, let heldBy, let anchors)? =
                try world.judge().verdict.violations.first?.reason
        else {
            Issue.record("not anchor-not-trusted")
            return
        }
        #expect(last.subject == "CN=Root S")
        #expect(heldBy == ["partners"])
        #expect(anchors == ["corp"])
    }

    @Test(
        "6.1.3(a)(2) validity includes both of its last seconds, widened by the skew alone",
        arguments: [0, 60] as [Int64])
    func validity(skew: Int64) throws {
        let leaf = Scenario().leafValidity
        let world = ViolationTests.good.with { $0.requirements.clockSkew = skew }
        let first = leaf.lowerBound.advanced(bySeconds: -skew)
        let last = leaf.upperBound.advanced(bySeconds: skew)
        #expect(try world.at(first).judge().outcome == ["accept"])
        #expect(try world.at(first.advanced(bySeconds: -1)).judge().outcome == ["not-yet-valid"])
        #expect(try world.at(last).judge().outcome == ["accept"])
        #expect(try world.at(last.advanced(bySeconds: 1)).judge().outcome == ["expired"])
    }

    @Test("6.1.3(a)(2) the anchor's own dates bind") func anchorDates() throws {
        let world = ViolationTests.acme.root { $0.notAfter = .at("2026-05-01") }
        #expect(try world.judge().outcome == ["expired"])
    }
}
