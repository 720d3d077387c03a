import TestPKI
import Testing
import TrustEngine

/// What CRLs say of a certificate: RFC 5280 sections 5 and 6.3, with the reading of LANGUAGE
/// section 12.5 that `revoked` holds past the window.
@Suite("status by CRL") struct RevocationListTests {
    private static let acme = RevocationAcme()
    private static let issuing = acme.issuing
    private static let leaf = acme.leaf

    // MARK: One complete CRL

    private static let plain: [StatusRow] = [
        StatusRow("no CRL", [], acme.world()),
        StatusRow("6.3.3 not listed", ["good"], acme.world(lists: [issuing.revocationList()])),
        StatusRow(
            "6.3.3(j) listed", ["revoked unspecified"],
            acme.world(lists: [issuing.revocationList([leaf])])),
        StatusRow(
            "6.3.3(j) listed with a reason", ["revoked keyCompromise"],
            acme.world(lists: [issuing.revocationList([leaf], reason: .keyCompromise)])),
        StatusRow(
            "another certificate listed", ["good"],
            acme.world(
                lists: [issuing.revocationList([issuing.issueLeaf(dns: ["other.example"])])])),
        StatusRow(
            "6.3.3(b)(1) the CRL of another issuer, with the serial number", [],
            acme.world(lists: [acme.root.revocationList([leaf])])),
        StatusRow(
            "7.1 the issuer's name in other letters", ["good"],
            acme.world(lists: [issuing.revocationList { $0.issuer = "ISSUING  r" }])),
        StatusRow(
            "6.3.3(j) listed twice, first on hold", ["revoked keyCompromise"],
            listedTwice(.certificateHold, .keyCompromise)),
        StatusRow(
            "6.3.3(j) listed twice, then on hold", ["revoked keyCompromise"],
            listedTwice(.keyCompromise, .certificateHold)),
        StatusRow(
            "an intermediate, by the root's CRL", ["revoked cACompromise"],
            acme.world(
                lists: [
                    acme.root.revocationList([issuing.certificate], reason: .caCompromise)
                ]
            ).with { $0.position = 1 }),
        StatusRow(
            "5.2.3 without a CRL number", ["good"],
            acme.world(
                lists: [
                    issuing.revocationList { $0.extensions.removeAll { $0.oid == "2.5.29.20" } }
                ])),
        StatusRow(
            "5.2.3 without a CRL number, listed", ["revoked unspecified"],
            acme.world(
                lists: [
                    issuing.revocationList([leaf]) {
                        $0.extensions.removeAll { $0.oid == "2.5.29.20" }
                    }
                ])),
        StatusRow(
            "5.2.3 a critical CRL number", ["good"],
            acme.world(
                lists: [
                    issuing.revocationList { $0.set(TestExtension.crlNumber(9).critical(true)) }
                ])),
        StatusRow(
            "version 1", ["good"],
            acme.world(
                lists: [
                    issuing.revocationList {
                        $0.version = 1
                        $0.extensions = []
                    }
                ])),
    ]

    private static func listedTwice(
        _ first: RevocationReason, _ second: RevocationReason
    ) -> StatusWorld {
        acme.world(
            lists: [
                issuing.revocationList {
                    $0.entries = [first, second].map {
                        .init(leaf.recipe.serialOctets, at: .day(-20), [.reasonCode($0)])
                    }
                }
            ])
    }

    // MARK: Time

    private static let times: [StatusRow] = [
        StatusRow(
            "the last second of the window", ["good"],
            acme.world(lists: [issuing.revocationList()]).with { $0.time = .day(20) }),
        StatusRow(
            "past nextUpdate", ["stale expired"],
            acme.world(lists: [issuing.revocationList()]).with { $0.time = .day(21) }),
        StatusRow(
            "before thisUpdate", ["stale notYetValid"],
            acme.world(lists: [issuing.revocationList()]).with { $0.time = .day(-11) }),
        StatusRow(
            "a day past nextUpdate with a skew of a day", ["good"],
            acme.world(lists: [issuing.revocationList()]).with {
                $0.time = .day(21)
                $0.clockSkew = 86_400
            }),
        StatusRow(
            "revoked past nextUpdate", ["revoked unspecified"],
            acme.world(lists: [issuing.revocationList([leaf])]).with { $0.time = .day(21) }),
        StatusRow(
            "revoked before thisUpdate", ["stale notYetValid"],
            acme.world(lists: [issuing.revocationList([leaf])]).with { $0.time = .day(-11) }),
        StatusRow(
            "on hold", ["revoked certificateHold"],
            acme.world(lists: [issuing.revocationList([leaf], reason: .certificateHold)])),
        StatusRow(
            "on hold past nextUpdate", ["stale expired"],
            acme.world(lists: [issuing.revocationList([leaf], reason: .certificateHold)])
                .with { $0.time = .day(21) }),
        StatusRow(
            "older than the maximum age", ["stale tooOld"],
            acme.world(lists: [issuing.revocationList()]).with { $0.maximumAge = 9 * 86_400 }),
        StatusRow(
            "as old as the maximum age", ["good"],
            acme.world(lists: [issuing.revocationList()]).with { $0.maximumAge = 10 * 86_400 }),
        StatusRow(
            "revoked, over the maximum age", ["revoked unspecified"],
            acme.world(lists: [issuing.revocationList([leaf])]).with { $0.maximumAge = 60 }),
        StatusRow(
            "without nextUpdate, seven days old", ["good"],
            acme.world(
                lists: [
                    issuing.revocationList {
                        $0.nextUpdate = nil
                        $0.thisUpdate = .day(-7)
                    }
                ])),
        StatusRow(
            "without nextUpdate, eight days old", ["stale expired"],
            acme.world(
                lists: [
                    issuing.revocationList {
                        $0.nextUpdate = nil
                        $0.thisUpdate = .day(-8)
                    }
                ])),
    ]

    // MARK: What cannot be used

    private static let unusable: [StatusRow] = [
        StatusRow(
            "6.3.3(g) a bad signature", ["malformed badSignature"],
            acme.world(lists: [issuing.revocationList { $0.damage = .flippedBit }])),
        StatusRow(
            "6.3.3(g) a bad signature on a revocation", ["malformed badSignature"],
            acme.world(lists: [issuing.revocationList([leaf]) { $0.damage = .otherMessage }])),
        StatusRow(
            "5.1.1.2 the algorithm identifiers differ", ["malformed algorithmMismatch"],
            acme.world(
                lists: [
                    issuing.revocationList {
                        $0.innerAlgorithm = TestSignature.ecdsa(.sha384).algorithmIdentifier
                    }
                ])),
        StatusRow(
            "5.2 an unknown critical extension", ["malformed unknownCriticalExtension"],
            acme.world(
                lists: [issuing.revocationList { $0.extensions.append(.unknown(critical: true)) }]
            )),
        StatusRow(
            "5.2 an unknown extension that is not critical", ["good"],
            acme.world(
                lists: [issuing.revocationList { $0.extensions.append(.unknown(critical: false)) }]
            )),
        StatusRow(
            "5.3 an unknown critical extension in somebody's entry",
            ["malformed unknownCriticalExtension"],
            acme.world(
                lists: [
                    issuing.revocationList {
                        $0.entries = [
                            .init([7], at: .day(-20), [.unknown(critical: true)])
                        ]
                    }
                ])),
        StatusRow(
            "a hash below the rule's", ["malformed algorithmNotAllowed"],
            acme.world(lists: [issuing.revocationList { $0.signature = .ecdsa(.sha1) }])),
        StatusRow(
            "a weak hash that is allowed for evidence", ["good"],
            acme.world(lists: [issuing.revocationList { $0.signature = .ecdsa(.sha1) }])
                .with { $0.minimumHash = .sha1 }),
        StatusRow(
            "octets that are no CRL, where no CRL was to be had", [],
            acme.world(lists: [[0x30, 0x00]])),
        StatusRow(
            "octets that are no CRL, where one was to be had", ["malformed unreadable"],
            acme.world(lists: [[0x30, 0x00]]) {
                $0.extensions.append(.crlDistributionPoints(["http://crl.example/a"]))
            }.world),
    ]

    // MARK: Scope

    private static let place = TestPointName.full([.uri("http://crl.example/a")])

    /// A certificate with distribution points, and CRLs with a scope.
    private static func scoped(
        _ points: [TestPoint]?, _ scopes: [TestIssuingPoint?], revoked: Bool = false,
        isAuthority: Bool = false
    ) -> StatusWorld {
        let (world, leaf) = acme.world { recipe in
            if let points { recipe.extensions.append(.distributionPoints(points)) }
            if isAuthority { recipe.set(.basicConstraints(ca: true)) }
        }
        return world.with { world in
            world.lists = scopes.map { scope in
                issuing.revocationList(revoked ? [leaf] : []) {
                    if let scope { $0.set(.issuingDistributionPoint(scope)) }
                }
            }
        }
    }

    /// Scopes that do not cover a certificate, each for a reason of its own.
    private static let otherScopes: [(EvidenceProblem.ScopeProblem, StatusWorld)] = [
        (
            .endEntitiesOnly,
            scoped(nil, [TestIssuingPoint { $0.isForUsers = true }], isAuthority: true)
        ),
        (.authoritiesOnly, scoped(nil, [TestIssuingPoint { $0.isForAuthorities = true }])),
        (.attributesOnly, scoped(nil, [TestIssuingPoint { $0.isForAttributes = true }])),
        (
            .kindNotStated,
            acme.world(
                lists: [
                    issuing.revocationList {
                        $0.set(.issuingDistributionPoint(TestIssuingPoint { $0.isForUsers = true }))
                    }
                ]
            ) {
                $0.version = 1
                $0.extensions = []
            }.world
        ),
        (.noPoint, scoped(nil, [TestIssuingPoint { $0.name = place }])),
        (
            .otherPoint,
            scoped(
                [TestPoint(.full([.uri("http://crl.example/b")]))],
                [TestIssuingPoint { $0.name = place }])
        ),
        (.delegated, scoped([TestPoint(place, issuer: [.directory("Somebody Else")])], [nil])),
    ]

    @Test("why a CRL of the issuer does not cover a certificate", arguments: otherScopes)
    func otherScope(_ problem: EvidenceProblem.ScopeProblem, _ world: StatusWorld) throws {
        let findings = try world.judge().answers.map(\.finding)
        #expect(findings == [.unusable(.otherScope(problem))])
    }

    @Test("every reason has a scope that shows it")
    func everyScope() {
        #expect(
            Set(Self.otherScopes.map(\.0)) == Set(EvidenceProblem.ScopeProblem.allCases))
    }

    private static let scopes: [StatusRow] = [
        StatusRow(
            "6.3.3(b)(2)(i) the same place", ["good"],
            scoped([TestPoint(place)], [TestIssuingPoint { $0.name = place }])),
        StatusRow(
            "6.3.3(b)(2)(i) another place", ["not-covered otherScope"],
            scoped(
                [TestPoint(.full([.uri("http://crl.example/b")]))],
                [TestIssuingPoint { $0.name = place }])),
        StatusRow(
            "6.3.3(b)(2)(i) one of several names", ["good"],
            scoped(
                [TestPoint(.full([.uri("http://crl.example/b"), .uri("http://crl.example/a")]))],
                [TestIssuingPoint { $0.name = place }])),
        StatusRow(
            "6.3.3(b)(2)(i) a relative name", ["good"],
            scoped(
                [TestPoint(.relative(.commonName("CRL 1")))],
                [
                    TestIssuingPoint {
                        $0.name = .full([
                            .directory(
                                TestName(.commonName("Issuing R"), .commonName("CRL 1")))
                        ])
                    }
                ])),
        StatusRow(
            "6.3.3(b)(2)(i) both relative, and different", ["not-covered otherScope"],
            scoped(
                [TestPoint(.relative(.commonName("CRL 1")))],
                [TestIssuingPoint { $0.name = .relative(.commonName("CRL 2")) }])),
        StatusRow(
            "a CRL without a scope fits every point", ["good"], scoped([TestPoint(place)], [nil])),
        StatusRow(
            "a CRL with a place, no point in the certificate", ["not-covered otherScope"],
            scoped(nil, [TestIssuingPoint { $0.name = place }])),
        StatusRow(
            "6.3.3 end: a CRL named as the issuer, no point in the certificate", ["good"],
            scoped(
                nil, [TestIssuingPoint { $0.name = .full([.directory("Issuing R")]) }])),
        StatusRow(
            "6.3.3(b)(2)(ii) only user certificates", ["good"],
            scoped(nil, [TestIssuingPoint { $0.isForUsers = true }])),
        StatusRow(
            "6.3.3(b)(2)(ii) only user certificates, of an authority",
            ["not-covered otherScope"],
            scoped(nil, [TestIssuingPoint { $0.isForUsers = true }], isAuthority: true)),
        StatusRow(
            "5.2.5 only user certificates, of version 1", ["not-covered otherScope"],
            acme.world(
                lists: [
                    issuing.revocationList {
                        $0.set(.issuingDistributionPoint(TestIssuingPoint { $0.isForUsers = true }))
                    }
                ]
            ) {
                $0.version = 1
                $0.extensions = []
            }.world),
        StatusRow(
            "6.3.3(b)(1) a point with a cRLIssuer wants an indirect CRL",
            ["not-covered otherScope"],
            scoped([TestPoint(place, issuer: [.directory("Issuing R")])], [nil])),
        StatusRow(
            "6.3.3(b)(2)(iii) only authorities", ["not-covered otherScope"],
            scoped(nil, [TestIssuingPoint { $0.isForAuthorities = true }])),
        StatusRow(
            "6.3.3(b)(2)(iii) only authorities, of one", ["good"],
            scoped(nil, [TestIssuingPoint { $0.isForAuthorities = true }], isAuthority: true)),
        StatusRow(
            "6.3.3(b)(2)(iv) only attribute certificates", ["not-covered otherScope"],
            scoped(nil, [TestIssuingPoint { $0.isForAttributes = true }])),
        StatusRow(
            "the serial number of an attribute certificate", ["not-covered otherScope"],
            scoped(nil, [TestIssuingPoint { $0.isForAttributes = true }], revoked: true)),
        StatusRow(
            "revoked by the issuer's CRL for another place", ["revoked unspecified"],
            scoped(
                [TestPoint(.full([.uri("http://crl.example/b")]))],
                [TestIssuingPoint { $0.name = place }], revoked: true)),
        StatusRow(
            "every point names another issuer", ["not-covered otherScope"],
            scoped([TestPoint(place, issuer: [.directory("Somebody Else")])], [nil])),
        StatusRow(
            "one point names another issuer, one does not", ["good"],
            scoped(
                [TestPoint(issuer: [.directory("Somebody Else")]), TestPoint(place)], [nil])),
        StatusRow(
            "6.3.3(d), (e) some reasons only", ["not-covered someReasonsOnly"],
            scoped(nil, [TestIssuingPoint { $0.reasons = .compromise }])),
        StatusRow(
            "6.3.3(l) reasons that add up to all", ["good", "good"],
            scoped(
                nil,
                [
                    TestIssuingPoint { $0.reasons = .compromise },
                    TestIssuingPoint { $0.reasons = .others },
                ])),
        StatusRow(
            "6.3.3(d) a point for some reasons", ["good"],
            scoped([TestPoint(place, reasons: .compromise)], [nil])),
        StatusRow(
            "6.3.3(d) a point for some reasons, a CRL of that place",
            ["not-covered someReasonsOnly"],
            scoped(
                [TestPoint(place, reasons: .compromise)], [TestIssuingPoint { $0.name = place }])),
    ]

    @Test("each rule has its answer", arguments: plain + times + unusable + scopes)
    func answers(row: StatusRow) throws {
        #expect(try row.world.judge().words == row.expected)
    }

    @Test("the answer says what was used")
    func evidence() throws {
        let list = RevocationListTests.issuing.revocationList([RevocationListTests.leaf])
        let answer = try #require(
            RevocationListTests.acme.world(lists: [list]).judge().answers.first)
        #expect(answer.digest?.bytes == TestHash.sha256.digest(list))
        #expect(answer.thisUpdate == .day(-10))
        #expect(answer.nextUpdate == .day(20))
        #expect(answer.source == .crl)
        #expect(answer.finding == .revoked(.unspecified, at: .at("2026-05-01T12:00:00Z")))
    }
}
