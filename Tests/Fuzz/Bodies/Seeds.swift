import LibCrypto
import TestPKI
import TrustEngine

/// Good inputs, minted: each use gives the same bytes.
enum Seeds {
    private static let world = Scenario()
    static let root = world.root("Root A", key: .p256("fuzz root a"))
    static let otherRoot = world.root("Root B", key: .rsa2048("fuzz root b"))
    static let issuing = root.issueCA("Issuing", key: .p256("fuzz issuing"), pathLength: 1)
    private static let constrained = root.issueCA("Narrow", key: .p256("fuzz narrow")) {
        $0.extensions.append(
            .nameConstraints(
                permitted: [.dns("acme.example"), .ipRange("10.0.0.0/8"), .email("acme.example")],
                excluded: [
                    .dns("secret.acme.example"), .uri(".acme.example"),
                    .directory(TestName(.country("NZ"), .organization("\u{C9}vil \u{FDFA}"))),
                ]))
    }
    static let leaf = issuing.issueLeaf(dns: ["api.acme.example", "*.acme.example"])
    private static let narrowLeaf = constrained.issueLeaf(
        dns: ["api.acme.example"], ips: ["10.1.2.3"]
    ) {
        $0.subject = TestName(.country("nz"), .organization("e\u{301}vi\u{AD}l Straße"))
    }
    private static let cross = otherRoot.crossSign(root)
    private static let alone = world.selfSignedLeaf(dns: ["api.acme.example"])

    static let certificates: [[UInt8]] = [
        root.der, otherRoot.der, issuing.der, constrained.der, leaf.der, narrowLeaf.der, cross.der,
        alone.der,
    ]

    static let pem = Array((root.pem + otherRoot.pem).utf8)
    static let request = RequestRecipe(subject: "Next", key: .p256("fuzz request")).der

    static let constrainedPairs = [
        Framing.join([narrowLeaf.der, constrained.der]),
        Framing.join([leaf.der, constrained.der]),
    ]

    static let chains = [
        Framing.join([leaf.der, issuing.der]),
        Framing.join([narrowLeaf.der, constrained.der, root.der]),
        Framing.join([leaf.der, cross.der, issuing.der, leaf.der, alone.der]),
        Framing.join([alone.der]),
    ]

    /// A plain CRL, one with everything, and a delta.
    static let revocationLists = [
        issuing.revocationList([leaf], reason: .keyCompromise),
        issuing.revocationList {
            $0.entries = [
                .init(
                    [7], at: .at("2026-05-01"),
                    [
                        .reasonCode(.certificateHold), .invalidityDate(.at("2026-01-01")),
                        .certificateIssuer("Somebody"), .holdInstruction("1.2.840.10040.2.3"),
                    ]), .init(leaf.recipe.serialOctets, at: .at("2026-05-01")),
            ]
            $0.set(
                .issuingDistributionPoint(
                    TestIssuingPoint {
                        $0.name = .relative(.commonName("CRL 1"))
                        $0.reasons = .compromise
                        $0.isIndirect = true
                    }))
            $0.set(.freshestCRL([TestPoint(.full([.uri("http://crl.example/delta")]))]))
        },
        issuing.revocationList([leaf], reason: .removeFromCRL) {
            $0.set(.crlNumber(7))
            $0.set(.deltaIndicator(base: 1))
        },
    ]

    /// Of nothing, and of all CRLs.
    static let revocationSets: [[UInt8]] = {
        let crypto = LibCryptoBackend()
        let signers = [root, issuing].compactMap { try? Certificate(der: $0.der) }
        let lists = revocationLists.compactMap {
            try? PreparedEvidence(crl: $0, signers: signers, crypto: crypto)
        }.filter { RevocationSet.obstacle(to: $0) == nil }
        return [[], lists].compactMap { try? RevocationSet.encode($0, crypto: crypto) }
    }()

    /// By the issuer, by a delegate, and an error.
    static let responses = [
        issuing.ocspResponse(for: leaf, .revoked(.superseded, at: .at("2026-05-01"))) {
            $0.singles.append($0.singles[0])
            $0.extensions = [.ocspNonce([1, 2, 3])]
        },
        issuing.ocspResponse(
            for: leaf, by: issuing.issueResponder("Responder", key: .p256("fuzz responder"))),
        issuing.ocspResponse(for: leaf) { $0.status = 3 },
    ]

    /// Of both kinds of key, one with a leaf index, one spoilt.
    static let timestamps = [
        TestTimestamp.list(
            [
                TransparencyBody.larch.timestamp(),
                TransparencyBody.maple.timestamp { $0.extensions = [0, 0, 5, 0, 0, 0, 0, 7] },
            ], over: leaf),
        TestTimestamp.list(
            [TransparencyBody.larch.timestamp { $0.damage = .otherMessage }], over: leaf),
    ]

    static let logLists = [
        TestLogList.json([
            TransparencyBody.larch.with {
                $0.interval = .at("2026-01-01")..<(.at("2027-01-01"))
                $0.previousOperators = [.init(name: "Elm", until: .at("2025-06-01"))]
            }, TransparencyBody.maple.with { $0.isTiled = true },
        ]), "{\"log_list_timestamp\":\"2026-01-02T12:57:01Z\",\"operators\":[]}",
    ].map { Array($0.utf8) }

    static let policies = [
        """
        hawser: 1
        default: deny
        anchors:
          corp:
            files: [root.pem]   # a comment
            constraints: { permitted-names: ["**.acme.example"], maximum-lifetime: 2d }
        pins:
          acme:
            keys: { now: { spki-file: root.pem, at: ca } }
            backups:
              next: { certificate: sha256:\(String(repeating: "0a", count: 32)) }
            enforce-until: 2027-06-30
        profiles:
          strict: { keys: { rsa-minimum: 3072 }, revocation: { preset: require, sources: [crl] } }
        rules:
          api:
            hosts: ["api.acme.example", "*.acme.example:8443", "10.0.0.0/8"]
            anchors: [corp]
            pins: [acme]
            profile: strict
            waivers:
              expired: { tolerance: 14d, reason: "late", owner: ops, until: 2027-01-31 }
        """, "{\"hawser\": 1, \"default\": {\"anchors\": [\"system\"]}}",
        "hawser: 1\ndefault: deny\nanchors:\n  x:\n    pem: |\n      text\n",
    ].map { Array($0.utf8) }

    static let scalars = [
        "api.acme.example:443", "**.bücher.example", "[2001:db8::/32]:443", "10.0.0.0/8",
        "xn--bcher-kva.example", "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "2026-11-21T10:00:00Z", "spiffe://mesh.example/ns/*", "1.3.6.1.5.5.7.3.1", "14d",
        "Pay@Acme.Example",
    ].map { Array($0.utf8) }

    static let tables: [[UInt8]] = [
        table(.deny, hosts: [HostPattern(host: .name("api.acme.example"), port: nil)]),
        table(
            .deny,
            hosts: [
                HostPattern(host: .anyLabels(base: "acme.example"), port: 443),
                HostPattern(host: .oneLabel(base: "b.example"), port: nil),
                HostPattern(
                    host: .network(IPAddress(high: 0, low: 0x0A00_0000, isIPv4: true), prefix: 8),
                    port: nil),
            ]),
    ]

    private static func table(_ action: DefaultRule, hosts: [HostPattern]) -> [UInt8] {
        var requirements = Requirements()
        requirements.rsaMinimum = 3072
        requirements.checks = ["attested"]
        requirements.forbiddenKeys = []
        var constraints = AnchorConstraints()
        constraints.permittedNames = hosts.map { HostPattern(host: $0.host, port: nil) }
        let body = RuleBody(
            anchors: ["corp"], pins: [], profile: "strict", requirements: requirements,
            identity: IdentityRequirement(reference: .listed, dns: ["a.example"]),
            reportOnly: [
                ReportOnly(check: .keys, until: Scenario.judgedAt, note: nil),
                ReportOnly(check: .custom("attested"), until: Scenario.judgedAt, note: nil),
            ],
            waivers: [
                Waiver(
                    tolerance: .expired(seconds: 60), until: Scenario.judgedAt, reason: "r",
                    owner: "o", ticket: nil)
            ], owner: "team", note: nil)
        let contents = PolicyContents(
            defaultRule: action, rules: [RuleContents(id: "api", hosts: hosts, body: body)],
            anchorSets: [
                AnchorSetContents(
                    id: "corp",
                    groups: [
                        AnchorGroup(source: .members([root.der]), constraints: [constraints]),
                        .system,
                    ])
            ], pinSets: [])
        return PolicyTable.encode(contents, provenance: nil, crypto: LibCryptoBackend()).bytes
    }
}
