import TestPKI
import Testing
import TrustEngine

/// CRLs that somebody else signed than the key that signed the certificate: indirect ones (RFC 5280
/// sections 5.2.5, 5.3.3), a CA's second key, and the signer's own path (6.3.3(f)).
@Suite("CRL signers and indirect CRLs") struct IndirectListTests {
    private static let acme = RevocationAcme()
    private static let root = acme.root
    private static let issuing = acme.issuing
    /// The authority that a distribution point names.
    private static let clerk = root.issueCA("Clerk", key: .p256("revocation clerk"))
    private static let elsewhere = Scenario().root(
        "Elsewhere", key: .p256("revocation elsewhere"))

    /// A certificate of the issuing authority whose status the clerk keeps.
    private static let delegated = issuing.issueLeaf(dns: [World.host]) {
        $0.extensions.append(.distributionPoints([TestPoint(issuer: [.directory("Clerk")])]))
    }

    private static func world(
        _ lists: [[UInt8]], _ strays: [[UInt8]] = [clerk.der], roots: [[UInt8]] = [root.der]
    ) -> StatusWorld {
        StatusWorld(
            chain: [delegated.der, issuing.der] + strays, roots: roots, lists: lists)
    }

    /// A CRL of the clerk's, indirect, with entries for certificates of named issuers.
    private static func indirect(
        _ entries: [(Minted, TestName?)] = [], by clerk: Authority = clerk,
        _ change: (inout RevocationListRecipe) -> Void = { _ in }
    ) -> [UInt8] {
        clerk.revocationList {
            $0.entries = entries.map { certificate, issuer in
                .init(
                    certificate.recipe.serialOctets, at: .day(-30),
                    issuer.map { [.certificateIssuer($0)] } ?? [])
            }
            $0.set(.issuingDistributionPoint(TestIssuingPoint { $0.isIndirect = true }))
            change(&$0)
        }
    }

    private static let other = issuing.issueLeaf(dns: ["other.example"])

    private static let indirectRows: [StatusRow] = [
        StatusRow("6.3.3(b)(1) not listed", ["good"], world([indirect()])),
        StatusRow(
            "5.3.3 listed under the certificate's issuer", ["revoked unspecified"],
            world([indirect([(delegated, "Issuing R")])])),
        StatusRow(
            "5.3.3 listed under another issuer", ["good"],
            world([indirect([(delegated, "Root R")])])),
        StatusRow(
            "5.3.3 listed under no issuer is the CRL issuer's own", ["good"],
            world([indirect([(delegated, nil)])])),
        StatusRow(
            "5.3.3 an issuer holds for the entries that follow", ["revoked unspecified"],
            world([indirect([(other, "Issuing R"), (delegated, nil)])])),
        StatusRow(
            "5.3.3 up to the next one", ["good"],
            world([indirect([(other, "Issuing R"), (other, "Root R"), (delegated, nil)])])),
        StatusRow(
            "6.3.3(b)(1) a CRL of the clerk's that is not indirect", [],
            world([clerk.revocationList()])),
        StatusRow(
            "6.3.3(b)(1) a certificate that does not name the clerk", [],
            acme.world(lists: [indirect([(acme.leaf, "Issuing R")])])
                .with { $0.chain.append(clerk.der) }),
        StatusRow(
            "5.3.3 a direct CRL may not name issuers", ["malformed unreadable"],
            world([
                clerk.revocationList {
                    $0.entries = [.init([9], at: .day(-30), [.certificateIssuer("Issuing R")])]
                }
            ])),
        StatusRow(
            "the issuer's own indirect CRL", ["revoked unspecified"],
            acme.world(lists: [indirect([(acme.leaf, nil)], by: issuing)])),
        StatusRow(
            "the issuer's own indirect CRL, an entry of somebody else's", ["good"],
            acme.world(lists: [indirect([(acme.leaf, "Clerk")], by: issuing)])),
        StatusRow(
            "the issuer's own indirect CRL, a certificate without points", ["good"],
            acme.world(lists: [indirect(by: issuing)])),
        // Section 4.2.1.13: a CA that issues the CRL itself omits cRLIssuer.
        StatusRow(
            "6.3.3(b)(1) the issuer's own indirect CRL, a point that names no issuer", ["good"],
            pointed([])),
        StatusRow(
            "the issuer's own indirect CRL, a point that names it", ["good"],
            pointed([.directory("Issuing R")])),
        StatusRow(
            "6.3.3(b)(1) the clerk's CRL, for the place of the issuer's own",
            ["not-covered otherScope"],
            acme.world(lists: [
                indirect {
                    $0.set(
                        .issuingDistributionPoint(
                            TestIssuingPoint {
                                $0.isIndirect = true
                                $0.name = place("own")
                            }))
                }
            ]) {
                $0.extensions.append(
                    .distributionPoints([
                        TestPoint(place("clerk"), issuer: [.directory("Clerk")]),
                        TestPoint(place("own")),
                    ]))
            }.world.with { $0.chain.append(clerk.der) }),
    ]

    private static func place(_ name: String) -> TestPointName {
        .full([.uri("http://crl.example/\(name)")])
    }

    /// A certificate with a point, and its issuer's own indirect CRL.
    private static func pointed(_ issuer: [TestGeneralName]) -> StatusWorld {
        acme.world(lists: [indirect(by: issuing)]) {
            $0.extensions.append(.distributionPoints([TestPoint(place("own"), issuer: issuer)]))
        }.world
    }

    private static let signerRows: [StatusRow] = [
        StatusRow(
            "6.3.3(f) the clerk is not at hand", ["malformed signerNotFound"],
            world([indirect()], [])),
        StatusRow(
            "6.3.3(f) the clerk may not sign CRLs", ["malformed no-crl-sign"],
            world(
                [indirect()],
                [
                    root.issueCA("Clerk", key: clerk.key) { $0.set(.keyUsage([.keyCertSign])) }.der
                ])),
        StatusRow(
            "4.2.1.3 a clerk without key usage", ["malformed no-key-usage"],
            world(
                [indirect()],
                [root.issueCA("Clerk", key: clerk.key) { $0.remove(OID.keyUsage) }.der])),
        StatusRow(
            "a clerk who is no authority", ["good"],
            world(
                [indirect()],
                [
                    root.issueLeaf(subject: "Clerk", key: clerk.key) {
                        $0.set(.keyUsage([.cRLSign]))
                        $0.remove(OID.extendedKeyUsage)
                    }.der
                ])),
        StatusRow(
            "6.3.3(f) a clerk under another anchor", ["malformed not-appointed"],
            world(
                [indirect()], [elsewhere.issueCA("Clerk", key: clerk.key).der],
                roots: [root.der, elsewhere.der])),
        StatusRow(
            "6.3.3(f) a clerk whose certificate is no longer valid", ["malformed no-path"],
            world(
                [indirect()],
                [root.issueCA("Clerk", key: clerk.key) { $0.notAfter = .day(-1) }.der])),
        StatusRow(
            "6.3.3(f) a clerk below the certificate's issuer", ["good"],
            world(
                [indirect()],
                [issuing.issueCA("Clerk", key: clerk.key).der])),
        StatusRow(
            "the second of two clerks of one name signed", ["good"],
            world(
                [indirect()],
                [root.issueCA("Clerk", key: .p256("another clerk")).der, clerk.der])),
        StatusRow(
            "a clerk whom the root's CRL lists", ["malformed revoked"],
            world([indirect(), root.revocationList([clerk.certificate])])),
        StatusRow(
            "a bad signature by the clerk", ["malformed badSignature"],
            world([indirect { $0.damage = .flippedBit }])),
        StatusRow(
            "6.3.3(f) the issuer may not sign CRLs", ["malformed no-crl-sign"],
            StatusWorld(
                chain: [
                    acme.leaf.der,
                    root.issueCA("Issuing R", key: issuing.key) {
                        $0.set(.keyUsage([.keyCertSign]))
                    }.der,
                ], roots: [root.der], lists: [issuing.revocationList()])),
        StatusRow(
            "a CRL by the issuer's second key", ["good"],
            acme.world(lists: [secondKey.revocationList()]).with {
                $0.chain.append(secondKey.der)
            }),
        StatusRow(
            "revoked by the issuer's second key", ["revoked unspecified"],
            acme.world(lists: [secondKey.revocationList([acme.leaf])]).with {
                $0.chain.append(secondKey.der)
            }),
        StatusRow(
            "somebody who calls himself the issuer, under no anchor", ["malformed no-path"],
            acme.world(lists: [impostor.revocationList([acme.leaf])]).with {
                $0.chain.append(impostor.der)
            }),
    ]

    private static let secondKey = root.issueCA("Issuing R", key: .p256("issuing, new"))
    private static let impostor = Scenario().root("Issuing R", key: .p256("impostor"))

    @Test("each rule has its answer", arguments: indirectRows + signerRows)
    func answers(row: StatusRow) throws {
        #expect(try row.world.judge().words == row.expected)
    }

    @Test("a root's CRL comes from the anchor's own key")
    func anchorSigns() throws {
        let world = RevocationAcme().world(
            lists: [IndirectListTests.root.revocationList()]
        ).with { $0.position = 1 }
        #expect(try world.judge().words == ["good"])
    }
}
