import TestPKI
import Testing
import TrustEngine

/// Faults of other validators that were published in 2026, asked of the whole engine. Each row
/// names its advisory, and fails where the engine has the same fault.
///
/// CVE-2026-78666 is about a session that a client resumes: `Packaging/c/README.md` says how a
/// resumed session is judged, and `Tests/Integration/openssl-nonblocking.sh` runs it.
@Suite("faults of other validators") struct AdvisoryTests {
    private static let root = Scenario().root("Root V", key: .p256("advisory root"))

    /// One chain and what the engine says of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let expected: [String]
        let world: World

        init(_ name: String, _ expected: [String], _ world: World) {
            self.testDescription = name
            self.expected = expected
            self.world = world
        }
    }

    // MARK: Names

    /// A leaf with names, below an authority with name constraints.
    private static func named(
        _ names: [TestGeneralName], permitted: [TestGeneralName] = [],
        excluded: [TestGeneralName] = []
    ) -> World {
        let issuing = root.issueCA("Issuing V", key: .p256("advisory issuing")) {
            $0.extensions.append(.nameConstraints(permitted: permitted, excluded: excluded))
        }
        let leaf = issuing.issueLeaf(dns: [World.host]) {
            $0.extensions.removeAll { $0.oid == "2.5.29.17" }
            $0.extensions.append(.subjectAltName(names))
        }
        return World([leaf.der, issuing.der], roots: [root.der])
    }

    private static let host = TestGeneralName.dns(World.host)

    private static let names: [Row] = [
        Row(
            "RUSTSEC-2026-0098: a URI outside the permitted URIs", ["name-not-permitted"],
            named([host, .uri("https://b.example/")], permitted: [.uri("a.example")])),
        Row(
            "RUSTSEC-2026-0098: a URI inside the excluded URIs", ["name-not-permitted"],
            named([host, .uri("https://a.example/")], excluded: [.uri("a.example")])),
        Row(
            "RUSTSEC-2026-0098: a URI inside the permitted URIs", ["accept"],
            named([host, .uri("https://a.example/")], permitted: [.uri("a.example")])),
        Row(
            "RUSTSEC-2026-0098: a URI outside the excluded URIs", ["accept"],
            named([host, .uri("https://b.example/")], excluded: [.uri("a.example")])),
        Row(
            "RUSTSEC-2026-0099: a wildcard that is wider than the permitted name",
            ["name-not-permitted"],
            named([.dns("*.acme.example")], permitted: [.dns("api.acme.example")])),
        Row(
            "RUSTSEC-2026-0099: a wildcard inside the permitted domain", ["accept"],
            named([.dns("*.acme.example")], permitted: [.dns("acme.example")])),
        Row(
            "CVE-2025-61727: a wildcard that covers an excluded name", ["name-not-permitted"],
            named([.dns("*.acme.example")], excluded: [.dns("api.acme.example")])),
        Row(
            "CVE-2026-27137: an address in the first of two permitted mailboxes", ["accept"],
            named(
                [host, .email("ann@a.example")],
                permitted: [.email("ann@a.example"), .email("ann@b.example")])),
        Row(
            "CVE-2026-27137: an address in the second of two permitted mailboxes", ["accept"],
            named(
                [host, .email("ann@b.example")],
                permitted: [.email("ann@a.example"), .email("ann@b.example")])),
        Row(
            "CVE-2026-27137: an address in the first of two excluded mailboxes",
            ["name-not-permitted"],
            named(
                [host, .email("ann@a.example")],
                excluded: [.email("ann@a.example"), .email("ann@b.example")])),
        Row(
            "CVE-2026-27137: an address in the second of two excluded mailboxes",
            ["name-not-permitted"],
            named(
                [host, .email("ann@b.example")],
                excluded: [.email("ann@a.example"), .email("ann@b.example")])),
    ]

    @Test("constraints of names", arguments: names)
    func constraints(_ row: Row) throws {
        #expect(try row.world.judge().outcome == row.expected)
    }

    @Test("CVE-2026-27138: an empty DNS name under excluded names is a reject")
    func emptyName() throws {
        let world = AdvisoryTests.named(
            [AdvisoryTests.host, .dns("")], excluded: [.dns("other.example")])
        #expect(try !world.judge().verdict.isAccept)
    }

    // MARK: CRLs

    private static let points = ["http://crl.example/1", "http://crl.example/2"]
    private static let lister = root.issueCA("Lister V", key: .p256("advisory lister"))
    private static let twoPoints = lister.issueLeaf(dns: [World.host]) {
        $0.extensions.append(.distributionPoints(points.map { TestPoint(.full([.uri($0)])) }))
    }

    /// A rule that requires a CRL, and CRLs for the distribution points of these addresses.
    private static func listed(_ lists: [(point: String, isRevoked: Bool)]) -> World {
        World([twoPoints.der, lister.der], roots: [root.der]).with { world in
            world.requirements.revocation.causes = .require
            world.requirements.revocation.sources = [.crl]
            world.requirements.revocation.scope = .leaf
            world.evidence.crls = lists.map { list in
                lister.revocationList(list.isRevoked ? [twoPoints] : []) {
                    $0.set(
                        .issuingDistributionPoint(
                            TestIssuingPoint { $0.name = .full([.uri(list.point)]) }))
                }
            }
        }
    }

    private static let lists: [Row] = [
        Row(
            "the CRL of the first of two distribution points", ["accept"],
            listed([(points[0], false)])),
        Row(
            "the CRL of the second of two distribution points", ["accept"],
            listed([(points[1], false)])),
        Row(
            "revoked by the CRL of the second of two distribution points", ["revoked"],
            listed([(points[0], false), (points[1], true)])),
        Row(
            "the CRL of another distribution point", ["revocation-undetermined"],
            listed([("http://crl.example/3", false)])),
    ]

    @Test("RUSTSEC-2026-0049: a CRL is used for its own distribution points", arguments: lists)
    func distributionPoints(_ row: Row) throws {
        #expect(try row.world.judge().outcome == row.expected)
    }

    @Test(
        "RUSTSEC-2026-0104: onlySomeReasons that is not a BIT STRING is refused",
        arguments: [[], [0], [7], [8, 0x80], [1, 0xff], [0xff, 0xff]] as [[UInt8]])
    func reasons(_ content: [UInt8]) throws {
        let world = AdvisoryTests.listed([]).with { world in
            world.evidence.crls = [
                AdvisoryTests.lister.revocationList {
                    $0.set(
                        .raw(
                            "2.5.29.28", critical: true,
                            TestPKI.DER.sequence(TestPKI.DER.contextPrimitive(3, content))))
                }
            ]
        }
        #expect(try world.judge().outcome == ["revocation-undetermined"])
    }
}
