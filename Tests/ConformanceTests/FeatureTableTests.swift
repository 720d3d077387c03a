import ConformanceCases
import TestPKI
import Testing
import TrustEngine

/// Each row of the mapping table: chains that differ by nothing but the feature, or the field, are
/// accepted on one side and refused on the other for the reason that the row is about.
@Suite struct FeatureTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let outcome: String
        let vector: Vector

        init(_ name: String, _ outcome: String, _ vector: Vector) {
            self.testDescription = name
            self.outcome = outcome
            self.vector = vector
        }
    }

    /// A vector without a feature and with it.
    private static func pair(
        _ name: String, _ feature: String, _ without: String, _ with: String, _ vector: Vector
    ) -> [Row] {
        [
            Row("\(name), without \(feature)", without, vector),
            Row("\(name), with \(feature)", with, vector.with { $0.features.append(feature) }),
        ]
    }

    private static func flat(_ rows: [[Row]]) -> [Row] { rows.flatMap(\.self) }

    // MARK: Anchors

    static let anchorRows: [Row] = {
        let expired = VectorPKI(root: { $0.notAfter = .at("2026-05-31T23:59:59Z") }).vector
        let withoutConstraints = VectorPKI(root: { $0.remove(OID.basicConstraints) }).vector
        let noAuthority = VectorPKI(root: { $0.set(.basicConstraints(ca: false)) }).vector
        let limited: [(String, String, Vector)] = [
            ("an anchor without basicConstraints", "not-a-ca", withoutConstraints),
            ("an anchor that is no authority", "not-a-ca", noAuthority),
            (
                "an anchor that may not sign certificates", "key-usage-missing",
                VectorPKI(root: { $0.set(.keyUsage([.cRLSign])) }).vector
            ),
            (
                "an anchor for clients", "purpose-not-allowed",
                VectorPKI(root: { $0.set(.extendedKeyUsage([OID.clientAuth])) }).vector
            ),
            (
                "an anchor of other names", "name-not-permitted",
                VectorPKI(root: { $0.set(.nameConstraints(permitted: [.dns("other.example")])) })
                    .vector
            ),
            (
                "an anchor with a path length of 0", "path-length-exceeded",
                VectorPKI(root: { $0.set(.basicConstraints(ca: true, pathLength: 0)) }).vector
            ),
            (
                "an anchor with an unknown critical extension", "unknown-critical-extension",
                VectorPKI(root: { $0.set(.unknown(critical: true)) }).vector
            ),
        ]
        return flat(
            [
                pair("an expired anchor", "anchor-ignore-expiry", "expired", "accept", expired),
                pair(
                    "an expired anchor", "anchor-ignore-constraints", "expired", "expired", expired),
                pair(
                    "an anchor without basicConstraints", "anchor-basic-constraints-optional",
                    "not-a-ca", "accept", withoutConstraints),
                pair(
                    "an anchor that says cA FALSE", "anchor-basic-constraints-optional", "not-a-ca",
                    "not-a-ca", noAuthority),
            ]
                + limited.map { name, violation, vector in
                    pair(name, "anchor-ignore-constraints", violation, "accept", vector)
                })
    }()

    static let leafTrustRows: [Row] = {
        let pki = VectorPKI()
        let expired = VectorPKI(leaf: { $0.notAfter = .at("2026-05-31T23:59:59Z") })
        let itself = Vector(pki.leaf, [], trusted: [pki.leaf.der])
        let selfSigned = Scenario().selfSignedLeaf(dns: [VectorPKI.host])
        let alone = Vector(selfSigned, [], trusted: [selfSigned.der])
        return flat([
            pair("the end entity itself", "trust-leaf", "issuer-not-found", "accept", itself),
            pair(
                "the end entity itself", "trust-anchor-or-leaf", "issuer-not-found", "accept",
                itself),
            pair("self-signed", "trust-leaf", "self-signed-leaf", "accept", alone),
            pair("a root", "trust-leaf", "accept", "issuer-not-found", pki.vector),
            pair("a root", "trust-anchor-or-leaf", "accept", "accept", pki.vector),
            pair(
                "the end entity for another purpose", "trust-leaf",
                "issuer-not-found, purpose-not-allowed",
                "purpose-not-allowed", itself.with { $0.kind = "CLIENT" }),
            // What anchors are spared is not spared to an end entity that is trusted as itself.
            pair(
                "the end entity, expired", "trust-anchor-or-leaf", "issuer-not-found, expired",
                "expired",
                Vector(expired.leaf, [], trusted: [expired.leaf.der]).with {
                    $0.features = ["anchor-ignore-constraints"]
                }),
        ])
    }()

    // MARK: Purposes

    static let purposeRows: [Row] = {
        let pki = VectorPKI()
        let clients = VectorPKI(issuing: { $0.set(.extendedKeyUsage([OID.clientAuth])) })
        let mail = VectorPKI(leaf: { $0.set(.extendedKeyUsage(["1.3.6.1.5.5.7.3.4"])) })
        let listed = clients.vector.with {
            $0.kind = "ANY"
            $0.purposes = ["serverAuth"]
        }
        return flat([
            pair("a list without a kind", "eku-chain", "accept", "purpose-not-allowed", listed),
            [
                Row(
                    "a list without a kind, end entity for another", "check-failed",
                    listed.with { $0.purposes = ["clientAuth", "1.3.6.1.5.5.7.3.4"] }),
                Row("a server below an issuer for clients", "purpose-not-allowed", clients.vector),
                Row("any purpose", "accept", clients.vector.with { $0.kind = "ANY" }),
                Row(
                    "a server's certificate as a client's", "purpose-not-allowed",
                    pki.vector.with { $0.kind = "CLIENT" }),
                Row("mail as a server", "purpose-not-allowed", mail.vector),
                Row(
                    "mail, listed", "accept", mail.vector.with { $0.purposes = ["emailProtection"] }
                ),
                Row(
                    "mail, listed by its number", "accept",
                    mail.vector.with { $0.purposes = ["1.3.6.1.5.5.7.3.4", "serverAuth"] }),
                Row("mail without a purpose", "accept", mail.vector.with { $0.kind = "ANY" }),
            ],
        ])
    }()

    static let strictRows: [Row] = {
        /// Four certificates: a root, an authority above, the issuer, the end entity.
        func chain(
            root: [String] = [OID.serverAuth], above: [String] = [OID.anyExtendedKeyUsage],
            issuer: [String] = [OID.serverAuth], leaf: [String] = [OID.serverAuth],
            isAuthority: Bool = false
        ) -> Vector {
            func set(_ recipe: inout CertificateRecipe, _ purposes: [String]) {
                recipe.remove(OID.extendedKeyUsage)
                if !purposes.isEmpty { recipe.set(.extendedKeyUsage(purposes)) }
            }
            let top = Scenario().root("Root A", key: .p256("conformance root")) { set(&$0, root) }
            let middle = top.issueCA("Above A", key: .p256("conformance above")) { set(&$0, above) }
            let issuing = middle.issueCA("Issuing A", key: .p256("conformance issuing")) {
                set(&$0, issuer)
            }
            let end = issuing.issueLeaf(dns: [VectorPKI.host]) {
                set(&$0, leaf)
                if isAuthority {
                    $0.set(.basicConstraints(ca: true))
                    $0.set(.keyUsage([.keyCertSign, .digitalSignature]))
                }
            }
            return Vector(end, [issuing.der, middle.der], trusted: [top.der])
        }
        func asClient(_ vector: Vector) -> Vector { vector.with { $0.kind = "CLIENT" } }
        let any = [OID.anyExtendedKeyUsage]
        let client = [OID.clientAuth]
        let refusedEndEntities: [(String, Vector)] = [
            ("no purposes", chain(leaf: [])), ("any purpose", chain(leaf: any)),
            ("code signing too", chain(leaf: [OID.serverAuth, OID.codeSigning])),
            ("OCSP signing too", chain(leaf: [OID.serverAuth, OID.ocspSigning])),
            ("time stamping too", chain(leaf: [OID.serverAuth, "1.3.6.1.5.5.7.3.8"])),
            ("an authority as the end entity", chain(isAuthority: true)),
        ]
        let refusedAuthorities: [(String, Vector)] = [
            ("an issuer for any purpose", chain(issuer: any)),
            ("an issuer for code signing too", chain(issuer: [OID.serverAuth, OID.codeSigning])),
            ("no purposes above", chain(above: [])),
            ("an anchor without purposes", chain(root: [])),
            (
                "an issuer without purposes, of a client",
                asClient(chain(root: client, above: client, issuer: [], leaf: client))
            ),
        ]
        let trusted = VectorPKI(leaf: {
            $0.set(.basicConstraints(ca: true))
            $0.set(.keyUsage([.keyCertSign, .digitalSignature]))
        }).leaf
        return flat(
            refusedEndEntities.flatMap { name, vector in
                ["eku-strict", "eku-strict-leaf"].map {
                    pair(name, $0, "accept", "check-failed", vector)
                }
            }
                + refusedAuthorities.flatMap { name, vector in
                    [
                        pair(name, "eku-strict", "accept", "check-failed", vector),
                        pair(name, "eku-strict-leaf", "accept", "accept", vector),
                    ]
                }
                + [
                    pair("a good chain", "eku-strict", "accept", "accept", chain()),
                    pair(
                        "an issuer without purposes", "eku-strict", "accept", "accept",
                        chain(issuer: [])),
                    pair(
                        "an anchor without purposes, as name and key", "eku-strict", "accept",
                        "accept",
                        chain(root: []).with { $0.features = ["anchor-ignore-constraints"] }),
                    pair(
                        "an authority that is trusted as itself", "eku-strict", "accept", "accept",
                        Vector(trusted, [], trusted: [trusted.der]).with {
                            $0.features = ["trust-leaf"]
                        }),
                ])
    }()

    static let keyUsageRows: [Row] = {
        let crlSigner = VectorPKI(leaf: { $0.set(.keyUsage([.cRLSign])) }).vector
        let good = VectorPKI()
        return flat([
            pair(
                "a CRL signer as a server", "leaf-key-usage-unchecked", "key-usage-missing",
                "accept", crlSigner),
            [
                Row("a CRL signer without a purpose", "accept", crlSigner.with { $0.kind = "ANY" }),
                Row(
                    "a bit that is there", "accept",
                    good.vector.with { $0.keyUsage = ["digitalSignature"] }),
                Row(
                    "a bit that is not", "check-failed",
                    good.vector.with { $0.keyUsage = ["digitalSignature", "keyAgreement"] }),
                Row(
                    "any bit without the extension", "accept",
                    VectorPKI(leaf: { $0.remove(OID.keyUsage) }).vector.with {
                        $0.keyUsage = ["keyAgreement", "decipherOnly"]
                    }),
            ],
        ])
    }()

    // MARK: Algorithms

    static let algorithmRows: [Row] = {
        let weak = VectorPKI(leaf: { $0.signature = .ecdsa(.sha1) }).vector
        let small = Scenario().root("Root A", key: .rsa1024("conformance root"))
        let issued = Vector(
            small.issueLeaf(dns: [VectorPKI.host]), [], trusted: [small.der])
        return flat([
            pair("a SHA-1 signature", "allow-sha1", "hash-too-weak", "accept", weak),
            pair("RSA of 1024 bits", "rsa-1024", "key-too-small", "accept", issued),
            pair(
                "RSA of 1024 bits under web-pki", "rsa-1024", "key-too-small", "key-too-small",
                issued.with { $0.profile = "web-pki" }),
        ])
    }()

    // MARK: Revocation

    static let revocationRows: [Row] = {
        let pki = VectorPKI()
        let lists = [pki.issuing.revocationList(), pki.root.revocationList()]
        let asked = pki.vector.with {
            $0.revocation = "crl"
            $0.scope = "chain"
        }
        let weak = VectorPKI(leaf: { $0.signature = .ecdsa(.sha1) })
        // Of the end entity and of its issuer.
        let nothingKnown = "revocation-undetermined, revocation-undetermined"
        return flat([
            // The lists are ten days old.
            pair(
                "lists of ten days", "revocation-max-age-7d", "accept", nothingKnown,
                asked.with { $0.crls = lists }),
            [
                Row("nothing asked", "accept", pki.vector.with { $0.crls = [[0]] }),
                Row(
                    "nothing asked, though revoked", "accept",
                    pki.vector.with { $0.crls = [pki.issuing.revocationList([pki.leaf])] }),
                Row("no list", nothingKnown, asked),
                Row("an unreadable list", nothingKnown, asked.with { $0.crls = [[0]] }),
                Row(
                    "no list of the root", "revocation-undetermined",
                    asked.with { $0.crls = [lists[0]] }),
                Row(
                    "no list of the root, of the leaf alone", "accept",
                    asked.with {
                        $0.crls = [lists[0]]
                        $0.scope = "leaf"
                    }),
                Row(
                    "revoked", "revoked",
                    asked.with { $0.crls = [pki.issuing.revocationList([pki.leaf]), lists[1]] }),
                Row(
                    "lists where responses are asked", nothingKnown,
                    asked.with {
                        $0.crls = lists
                        $0.revocation = "ocsp"
                    }),
                Row(
                    "a response", "accept",
                    pki.vector.with {
                        $0.ocspResponses = [pki.issuing.ocspResponse(for: pki.leaf)]
                        $0.revocation = "ocsp"
                        $0.scope = "leaf"
                    }),
                Row(
                    "a response under SHA-1", "accept",
                    pki.vector.with {
                        $0.ocspResponses = [
                            pki.issuing.ocspResponse(for: pki.leaf) { $0.signature = .ecdsa(.sha1) }
                        ]
                        $0.revocation = "ocsp"
                        $0.scope = "leaf"
                    }),
                Row(
                    "a list under SHA-1", "revocation-undetermined",
                    asked.with {
                        $0.crls = [
                            pki.issuing.revocationList { $0.signature = .ecdsa(.sha1) }
                        ]
                        $0.scope = "leaf"
                    }),
                Row(
                    "a list under SHA-1 where it is allowed", "accept",
                    weak.vector.with {
                        $0.crls = [
                            weak.issuing.revocationList { $0.signature = .ecdsa(.sha1) }
                        ]
                        $0.revocation = "crl"
                        $0.scope = "leaf"
                        $0.features = ["allow-sha1"]
                    }),
            ],
        ])
    }()

    // MARK: Names, depth, time, certificate policies, profile

    static let fieldRows: [Row] = {
        let pki = VectorPKI()
        let many = VectorPKI(leaf: {
            $0.set(
                .subjectAltName([
                    .dns(VectorPKI.host), .ip("192.0.2.7"), .email("Ann@mail.example"),
                    .email("bob@mail.example"),
                ]))
        }).vector
        func named(_ kind: String, _ value: String) -> Vector {
            many.with { $0.name = (kind, value) }
        }
        let policies = VectorPKI(
            issuing: { $0.set(.certificatePolicies(["1.3.6.1.4.1.32473.2.1"])) },
            leaf: { $0.set(.certificatePolicies(["1.3.6.1.4.1.32473.2.1"])) })
        return [
            Row("no name asked", "accept", pki.vector),
            Row("a DNS name", "accept", named("DNS", "API.acme.example")),
            Row("another DNS name", "name-mismatch", named("DNS", "www.acme.example")),
            Row("no DNS name at all", "bad-host", named("DNS", "..")),
            Row("an address", "accept", named("IP", "192.0.2.7")),
            Row("another address", "name-mismatch", named("IP", "192.0.2.8")),
            Row("an e-mail address", "accept", named("RFC822", "Ann@MAIL.example")),
            Row(
                "an e-mail address in other letters", "name-mismatch",
                named("RFC822", "ann@mail.example")),
            Row(
                "every name", "accept",
                many.with {
                    $0.kind = "ANY"
                    $0.names = [
                        ("RFC822", "Ann@mail.example"), ("RFC822", "bob@mail.example"),
                        ("DNS", VectorPKI.host), ("IP", "192.0.2.7"),
                    ]
                }),
            Row(
                "every name but one", "check-failed",
                many.with {
                    $0.kind = "ANY"
                    $0.names = [("RFC822", "Ann@mail.example"), ("RFC822", "eve@mail.example")]
                }),
            Row(
                "no intermediate allowed", "too-many-intermediates",
                pki.vector.with { $0.maximumDepth = 0 }),
            Row("one intermediate allowed", "accept", pki.vector.with { $0.maximumDepth = 1 }),
            Row(
                "no limit beyond the language's", "accept",
                pki.vector.with { $0.maximumDepth = 255 }),
            // The end entity ends on 2026-08-31T23:59:59Z and begins on 2026-03-01.
            Row(
                "in the last second", "accept",
                pki.vector.with { $0.time = "2026-08-31T23:59:59.999Z" }),
            Row(
                "after the last second", "expired",
                pki.vector.with { $0.time = "2026-09-01T00:00:00Z" }),
            Row(
                "before the first second", "not-yet-valid",
                pki.vector.with { $0.time = "2026-02-28T23:59:59.999Z" }),
            Row("no time prescribed", "expired", pki.vector.with { $0.time = nil }),
            Row(
                "an explicit policy", "certificate-policy-not-satisfied",
                pki.vector.with { $0.policies = ["explicit_policy": "true"] }),
            Row(
                "an explicit policy that is there", "accept",
                policies.vector.with { $0.policies = ["explicit_policy": "true"] }),
            Row(
                "another explicit policy", "certificate-policy-not-satisfied",
                policies.vector.with {
                    $0.policies = [
                        "explicit_policy": "true",
                        "initial_policy_set": "[\"1.3.6.1.4.1.32473.2.2\"]",
                    ]
                }),
            Row(
                "no demand of certificate policies", "accept",
                pki.vector.with { $0.policies = [:] }),
            Row("an unparsable stray", "accept", pki.vector.with { $0.bag.append([0x30]) }),
            Row(
                "an unparsable stranger among the trusted", "accept",
                pki.vector.with { $0.trusted.insert([0x30], at: 0) }),
            Row("a certificate twice", "accept", pki.vector.with { $0.trusted += $0.trusted }),
            Row(
                "an unparsable end entity", "end-entity-unreadable",
                pki.vector.with { $0.peer = [0x30] }),
            Row(
                "nobody trusted", "issuer-not-found, pin-mismatch",
                pki.vector.with { $0.trusted = [] }),
            Row(
                "nothing readable trusted", "issuer-not-found, pin-mismatch",
                pki.vector.with { $0.trusted = [[0x30]] }),
            Row(
                "an anchor that another signed", "accept",
                Vector(pki.leaf, [], trusted: [pki.issuing.der])),
            Row("under web-pki", "accept", pki.vector.with { $0.profile = "web-pki" }),
        ]
    }()

    @Test(
        "what a case says, and what its features say, is what the engine is given",
        arguments: anchorRows + leafTrustRows + purposeRows + strictRows + keyUsageRows
            + algorithmRows + revocationRows + fieldRows)
    func outcome(_ row: Row) throws {
        let outcome = try row.vector.outcome()
        #expect(outcome == row.outcome)
    }

    @Test("the standard is the profile's")
    func standard() throws {
        let pki = VectorPKI(leaf: { $0.remove(OID.subjectAltName) })
        #expect(try pki.vector.outcome() == "accept")
        #expect(try pki.vector.with { $0.profile = "web-pki" }.outcome() != "accept")
    }

    @Test("every feature that changes an answer has a row here with and without it")
    func everyRowIsTested() {
        let tested = Set(
            (FeatureTableTests.anchorRows + FeatureTableTests.leafTrustRows
                + FeatureTableTests.purposeRows + FeatureTableTests.strictRows
                + FeatureTableTests.keyUsageRows + FeatureTableTests.algorithmRows
                + FeatureTableTests.revocationRows).flatMap(\.vector.features))
        for row in FeatureTable.rows {
            // No key of DSA is minted here: `dsa` has its own test below, the rules theirs
            // (`DSATests`).
            #expect(tested.contains(row.feature) || row.feature == "dsa", "\(row.feature)")
            #expect(!row.meaning.isEmpty)
        }
    }

    @Test("DSA counts where it is tagged, and nowhere else")
    func dsa() throws {
        let vector = VectorPKI().vector
        #expect(try !FeatureTable.inputs(for: vector.read()).overrides.allowsDSA)
        let tagged = try vector.with { $0.features = ["dsa"] }.read()
        #expect(FeatureTable.inputs(for: tagged).overrides.allowsDSA)
    }

    @Test("a feature that is not known is a label, and is known to be none")
    func labels() throws {
        #expect(FeatureTable.knows("importance-high"))
        #expect(FeatureTable.knows("eku-strict"))
        #expect(!FeatureTable.knows("eku-stricter"))
        #expect(
            try VectorPKI().vector.with { $0.features = ["eku-stricter"] }.outcome() == "accept")
    }
}
