import TestPKI
import Testing
import TrustEngine

/// Seeded random policies of one rule in which every field takes part, and requests that some of
/// them accept and others reject.
struct RandomWorlds {
    private var random: RandomPolicies

    init(seed: UInt64) { random = RandomPolicies(seed: seed) }

    // MARK: Policies

    /// The values that a field takes: those that tell the requests below apart, else any that
    /// differ.
    static func values(of field: ProfileField) -> [FieldValue] {
        let pairs = FieldOrderTests.pairs(of: field)
        return telling[field] ?? pairs.map(\.strict) + pairs.map(\.weak)
    }

    private static let telling: [ProfileField: [FieldValue]] = [
        .maximumIntermediates: [.integer(0), .integer(1), .integer(8)],
        .keyPurposes: [
            .purposes(KeyPurposes(serverAuth: true)), .purposes(KeyPurposes(clientAuth: true)),
            .purposes(KeyPurposes(serverAuth: true, clientAuth: true)),
        ],
        .certificatePolicies: [.objectIdentifiers([]), .objectIdentifiers([[42, 3]])],
        .requiresExplicitPolicy: [.word(0), .word(1)],
        .inhibitsPolicyMapping: [.word(0), .word(1)],
        .inhibitsAnyPolicy: [.word(0), .word(1)],
        .enforcesIssuance: [.word(0), .word(1)],
        .keyTypes: [.words(0b11_1111), .words(0b110)],
        .leafKeyTypes: [.words(0b11_1111), .words(0b100), .words(0b10)],
        .rsaMinimum: [.integer(2048), .integer(4096)],
        .minimumHash: [.word(1), .word(2)],
        .signatureSchemes: [.words(0b1_1111), .words(0b100)],
        .clockSkew: [.seconds(0), .seconds(7_200)],
        .maximumLifetime: [.unwritten, .seconds(86_400), .seconds(398 * 86_400)],
        .lifetimeSteps: [
            .steps([]), .steps([LifetimeStep(issuedFrom: .at("2026-02-01"), maximum: 86_400)]),
        ],
        .revocationPreset: [.word(0), .word(1)],
        .revocationCausesUnknown: actions, .revocationCausesNoEndpoint: actions,
        .revocationCausesUnreachable: actions, .revocationCausesStale: actions,
        .revocationCausesMalformed: actions, .revocationCausesNotCovered: actions,
        .revocationCausesNotEnrolled: actions,
        .revocationSources: [
            .ranking([0, 2, 1]), .ranking([2]), .ranking([1]), .ranking([1, 2]), .ranking([3]),
            .ranking([3, 2]),
        ],
        .revocationScope: [.word(0), .word(1), .word(2)],
        .revocationNetwork: [.word(0), .word(2)],
        .revocationMaximumAge: [.unwritten, .seconds(86_400), .seconds(12 * 86_400)],
        .revocationShortLived: [.unwritten, .seconds(400 * 86_400)],
        .revocationCrliteMaximumAge: [
            .seconds(3_600), .seconds(7 * 86_400), .seconds(30 * 86_400),
        ],
        .revocationCrliteGrace: [.seconds(0), .seconds(5 * 86_400), .seconds(30 * 86_400)],
        .transparencyPreset: [.word(0), .word(0), .word(1), .word(2)],
        .transparencyMinimumSCTs: [.unwritten, .integer(1), .integer(3)],
        .transparencyMinimumOperators: [.unwritten, .integer(1), .integer(2)],
        // `World` names the list that it compiles in.
        .transparencyLogList: [.unwritten],
        .transparencyLogListMaximumAge: [.seconds(1), .seconds(6_048_000)],
        .transparencyWhenStale: actions,
        .transparencyExemptAnchors: [.names([]), .names(["corp"]), .names(["other"])],
        .tlsMinimumVersion: [.word(771), .word(772)],
        .tlsMaximumVersion: [.word(771), .word(772)],
        .tlsRequiresForwardSecrecy: [.word(0), .word(1)],
        .tlsCipherSuites: [
            .preferences([]), .preferences(["TLS_AES_128_GCM_SHA256"]),
            .preferences(["TLS_AES_128_GCM_SHA256", "TLS_RSA_WITH_AES_128_GCM_SHA256"]),
        ],
        .tlsGroups: [.preferences([]), .preferences(["x25519"])],
        .tlsSignatureSchemes: [.preferences([]), .preferences(["ed25519"])],
        .tlsAlpn: [.preferences([]), .preferences(["h2"]), .preferences(["h3"])],
        .forbiddenKeys: [
            .forbiddenKeys([]),
            .forbiddenKeys([ForbiddenKey(id: "k", matches: [World.key(of: Chains.issuing.key)])]),
            .forbiddenKeys([
                ForbiddenKey(
                    id: "k", matches: [World.key(of: Chains.issuing.key)],
                    notBefore: DateWindow(from: .at("2026-04-01")))
            ]),
        ],
        .checks: [.names([]), .names(["short"]), .names(["long", "short"])],
    ]

    private static let actions: [FieldValue] = [.word(0), .word(1), .word(2)]

    /// Changes outside the fields of a profile.
    private static let changes: [@Sendable (inout World, inout RandomPolicies) -> Void] = [
        { world, random in
            world.pins = []
            let keys: [TestKey] = [Chains.issuing.key, Chains.root.key, Chains.other.key]
            for id in ["one", "two"] where random.flip() {
                let pins = random.some(keys, atLeast: 1).enumerated().map { index, key in
                    PinContents(
                        id: "k\(index)", matches: [World.key(of: key)],
                        position: random.pick([.any, .ca, .anchor, .intermediate, .leaf]), note: nil
                    )
                }
                let (keys, spare) = (Array(pins.dropLast(pins.count > 1 ? 1 : 0)), pins.suffix(1))
                world.pins.append(
                    PinSetContents(
                        id: id, keys: keys, backups: Array(spare),
                        match: random.number(1...min(2, keys.count + 1)), warnFrom: nil,
                        enforceUntil: random.pick([nil, .day(-2), .day(200)]),
                        onExpiry: random.pick([.fail, .report, .unpinned]), owner: nil, note: nil))
            }
            world.anchorsArePinnedKeys = !world.pins.isEmpty && random.below(4) == 0
        },
        { world, random in
            let members = random.some([Chains.root.der, Chains.other.der], atLeast: 1)
                .sorted { $0.lexicographicallyPrecedes($1) }
            world.sets[0].groups[0].source = .members(members)
            world.sets[0].groups[0].filters = []
        },
        { world, random in
            world.sets[0].groups[0].standard = random.pick([.rfc5280, .rfc5280, .webPKI])
        },
        { world, random in
            world.sets[0].groups[0].ignoredLimits = random.pick([[], [.dates], [.pathLength]])
        },
        { world, random in
            var constraints = AnchorConstraints()
            let names = [
                HostPattern(host: .name(World.host), port: nil),
                HostPattern(host: .anyLabels(base: "acme.example"), port: nil),
                HostPattern(host: .anyLabels(base: "z.example"), port: nil),
            ]
            switch random.below(7) {
            case 0: constraints.permittedNames = [random.pick(names)]
            case 1: constraints.excludedNames = [random.pick(names)]
            case 2: constraints.maximumLifetime = random.pick([86_400, 200 * 86_400])
            case 3: constraints.notBefore = DateWindow(from: random.pick([.day(-300), .day(-40)]))
            case 4: constraints.keyPurposes = KeyPurposes(clientAuth: true)
            case 5: constraints.sct = DateWindow(from: random.pick([.day(-300), .day(-10)]))
            default: break
            }
            world.sets[0].groups[0].constraints =
                constraints == AnchorConstraints() ? [] : [constraints]
        },
        { world, random in
            // Constraints that only together decide: each names hosts, addresses, URIs or excludes.
            func network(_ low: UInt64, _ prefix: Int) -> HostPattern {
                HostPattern(
                    host: .network(IPAddress(high: 0, low: low, isIPv4: true), prefix: prefix),
                    port: nil)
            }
            let acme = HostPattern(host: .anyLabels(base: "acme.example"), port: nil)
            let lists = [
                [acme, network(0x0A00_0000, 24)],
                [acme, network(0x0A00_0000, 25), network(0x0A00_0080, 25)],
                [acme, network(0x0A00_0000, 25)],
                [HostPattern(host: .oneLabel(base: "acme.example"), port: nil)],
            ]
            let uris = [
                ["mesh://acme.example/**"], ["mesh://acme.example/pay/*"],
                ["mesh://acme.example/pay/api", "mesh://acme.example/x"],
            ]
            world.sets[0].groups[0].constraints = (0..<random.number(1...2)).map { _ in
                var constraints = AnchorConstraints()
                switch random.below(3) {
                case 0: constraints.permittedNames = random.pick(lists)
                case 1: constraints.permittedURIs = random.pick(uris)
                default: constraints.excludedNames = random.pick(lists)
                }
                return constraints
            }
        },
        { world, random in
            world.logList = random.pick(Chains.logLists)
        },
        { world, random in
            world.sets[0].groups[0].kind = .leaf
            world.sets[0].groups[0].filters = []
            world.sets[0].members = random.pick([
                [Chains.plainLeaf.der], [Chains.renewedLeaf.der],
                [Chains.plainLeaf.der, Chains.renewedLeaf.der],
            ]).sorted { $0.lexicographicallyPrecedes($1) }
        },
        { world, random in
            // The machine's store, whole or in part.
            world.store = [Chains.root.der, Chains.other.der]
            let keys = [World.key(of: Chains.root.key), World.key(of: Chains.other.key)]
            world.sets[0].groups = [
                AnchorGroup(
                    source: .system, standard: .webPKI,
                    filters: random.pick([
                        [], [AnchorFilter(only: keys)], [AnchorFilter(only: [keys[0]])],
                        [AnchorFilter(exclude: [keys[1]])],
                    ]))
            ]
        },
        { world, random in
            world.sets[0].intermediates = random.flip() ? [] : [Chains.issuing.der]
        },
        { world, random in
            world.anchors = random.pick([["corp"], ["corp", "other"]])
        },
        { world, random in
            world.identity = random.pick([
                IdentityRequirement(),
                IdentityRequirement(reference: .listed, dns: ["b.example"]),
                IdentityRequirement(reference: .listed, dns: ["b.example", World.host]),
                IdentityRequirement(reference: .hostAndListed, dns: ["b.example"]),
                IdentityRequirement(reference: .hostAndListed, dns: ["b.example", World.host]),
                IdentityRequirement(reference: .listed, uri: ["mesh://acme.example/pay/*"]),
                IdentityRequirement(reference: .listed, uri: ["mesh://acme.example/**"]),
                IdentityRequirement(reference: .hostAndListed, uri: ["mesh://acme.example/**"]),
            ])
        },
        { world, random in
            world.waivers = []
            let demands: [StandardDemand] = [
                .extendedKeyUsageCritical, .nameConstraintsNotCritical,
                .authorityKeyIdentifierMissing, .serialNotPositive,
            ]
            let tolerances: [Waiver.Tolerance] = [
                .issuance(IssuanceDemands(random.some(demands, atLeast: 1))),
                .identity, .path, .expired(seconds: 86_400), .expired(seconds: 400 * 86_400),
                .revocation, .pins, .transparency, .tls(minimumVersion: .tls10),
                .tls(minimumVersion: .tls11), .keys(rsaMinimum: 1024),
                .signatures(minimumHash: .sha1),
            ]
            for tolerance in random.some(tolerances).prefix(2)
            where !world.waivers.contains(where: { $0.tolerance.name == tolerance.name }) {
                world.waive(tolerance, until: random.pick([.day(-1), .day(30), .day(60)]))
            }
        },
        { world, random in
            world.reportOnly = []
            let checks = ReportOnly.Check.builtIn + [.custom("long")]
            for check in random.some(checks).prefix(2) {
                world.report(check, until: random.pick([.day(-1), .day(30), .day(60)]))
            }
        },
    ]

    /// A policy that differs from the plain one in a few things.
    mutating func world() -> World {
        var world = Chains.plain
        for _ in 0..<random.below(5) { change(&world) }
        return world
    }

    /// A policy that differs from another in a thing or two.
    mutating func changed(_ world: World) -> World {
        var world = world
        for _ in 0..<random.number(1...2) { change(&world) }
        return world
    }

    private mutating func change(_ world: inout World) {
        // One field of many decides what standards and one waiver mean.
        if random.below(8) == 0 {
            world.requirements.enforcesIssuance = random.flip()
            return
        }
        guard random.below(3) == 0 else {
            let field = random.pick(ProfileField.allCases)
            world.requirements.write(field, random.pick(RandomWorlds.values(of: field)))
            return
        }
        random.pick(RandomWorlds.changes)(&world, &random)
    }

    /// Two policies of which one was made of the other, in either order.
    mutating func pair() -> (World, World) {
        let first = world()
        let second = changed(first)
        return random.flip() ? (first, second) : (second, first)
    }

    // MARK: Requests

    /// A request for each chain, for each kind of evidence and for each connection.
    static let requests: [TrustRequest] = {
        func request(
            _ chain: Chains.Chain, _ evidence: Evidence, _ parameters: TLSParameters
        ) -> TrustRequest {
            TrustRequest(
                host: World.host, port: 443, presentedChain: chain.presented, time: .day(0),
                tls: .observed(parameters), evidence: evidence)
        }
        let (plain, first) = (Chains.chains[0], Chains.parameters[0])
        return plain.evidence.map { request(plain, $0, first) }
            + Chains.chains.dropFirst().map { request($0, $0.evidence[1], first) }
            + Chains.parameters.dropFirst().map { request(plain, plain.evidence[2], $0) }
    }()

    mutating func request() -> TrustRequest {
        let chain = random.pick(Chains.chains)
        let parameters = random.pick(Chains.parameters)
        return TrustRequest(
            host: World.host, port: 443, presentedChain: chain.presented,
            time: random.pick([.day(0), .day(0), .day(0), .day(45), .day(-50)]),
            tls: .observed(parameters), evidence: random.pick(chain.evidence))
    }
}

/// Chains with evidence, minted once.
enum Chains {
    struct Chain: Sendable {
        let presented: [[UInt8]]
        let evidence: [Evidence]
    }

    static let root = Scenario().root("Root O", key: .p384("order root"))
    static let issuing = root.issueCA("Issuing O", key: .p384("order issuing"))
    static let other = Scenario().root("Root P", key: .p384("order other root"))
    /// Its name constraints are not critical, which only `rfc5280` demands.
    private static let uncritical = root.issueCA("Uncritical O", key: .p384("order uncritical")) {
        $0.extensions.append(
            .nameConstraints(permitted: [.dns("acme.example")], critical: false))
    }
    private static let below = issuing.issueCA("Below O", key: .p384("order below"))
    private static let larch = TestLog("Larch 1", of: "Larch")
    private static let maple = TestLog("Maple 1", of: "Maple")

    static let parameters = [
        TLSParameters(
            version: .tls13, cipherSuite: "TLS_AES_128_GCM_SHA256", group: "x25519",
            signatureScheme: "ed25519", alpn: "h2"),
        TLSParameters(version: .tls13, cipherSuite: "TLS_AES_128_GCM_SHA256", alpn: "h3"),
        TLSParameters(
            version: .tls12, cipherSuite: "TLS_RSA_WITH_AES_128_GCM_SHA256", group: "x25519"),
        TLSParameters(version: .tls11),
    ]

    /// A policy that accepts the plain chain.
    static let plain: World = {
        var world = World([], roots: [root.der])
        world.trust("other", [other.der])
        world.anchors = ["corp"]
        world.logList = TestLogList.json([larch, maple])
        world.keepsLogList = true
        world.checks["short"] = CustomCheck { $0.path.count < 4 ? .pass : .fail(reason: "long") }
        world.checks["long"] = CustomCheck { $0.path.count > 2 ? .pass : .fail(reason: "short") }
        return world
    }()

    static let chains: [Chain] = {
        func leaf(
            by authority: Authority = issuing, _ name: String = World.host, key: TestKey? = nil,
            _ change: (inout CertificateRecipe) -> Void = { _ in }
        ) -> Minted {
            authority.issueLeaf(dns: [name], key: key) { recipe in
                recipe.extensions.append(.crlDistributionPoints(["http://crl.example/o.crl"]))
                change(&recipe)
            }
        }
        func names(_ recipe: inout CertificateRecipe, _ more: [TestGeneralName]) {
            recipe.set(.subjectAltName([.dns(World.host)] + more))
        }
        let plain = leaf()
        let leaves = [
            plain, plain, leaf("b.example"), leaf { $0.notAfter = .day(-5) },
            leaf { $0.set(.extendedKeyUsage([OID.serverAuth, OID.clientAuth])) },
            leaf { $0.set(.extendedKeyUsage([OID.clientAuth])) },
            leaf(key: .p384("order leaf")),
            leaf { $0.embed([larch.timestamp(), maple.timestamp()], issuedBy: issuing.key) },
            leaf { $0.embed([larch.timestamp()], issuedBy: issuing.key) },
            leaf { $0.notAfter = $0.notBefore.advanced(bySeconds: 400 * 86_400) },
            leaf { names(&$0, [.ip("10.0.0.200")]) }, leaf { names(&$0, [.ip("10.0.0.1")]) },
            leaf { names(&$0, [.uri("mesh://acme.example/pay/api")]) },
            leaf { names(&$0, [.uri("mesh://acme.example/x")]) },
            leaf {
                $0.embed(
                    [
                        larch.timestamp(at: .at("2026-05-08")),
                        maple.timestamp(at: .at("2026-05-20")),
                    ],
                    issuedBy: issuing.key)
            },
            plainLeaf, renewedLeaf,
            // New ones, of three days and of twenty: in and after the grace of some rules.
            leaf {
                $0.notBefore = .day(-3)
                $0.embed([larch.timestamp(at: .day(-3))], issuedBy: issuing.key)
            },
            leaf {
                $0.notBefore = .day(-20)
                $0.embed([larch.timestamp(at: .day(-3))], issuedBy: issuing.key)
            },
        ]
        var chains = leaves.map {
            Chain(presented: [$0.der, issuing.der], evidence: evidence(for: $0))
        }
        // An old certificate with new timestamps, which come by TLS.
        let old = leaf { $0.notBefore = .day(-40) }
        chains.append(
            Chain(
                presented: [old.der, issuing.der],
                evidence: evidence(for: old).map {
                    var evidence = $0
                    evidence.sctList = TestTimestamp.list(
                        [larch.timestamp(at: .day(-1))], over: old)
                    return evidence
                }))
        chains.append(Chain(presented: [plain.der], evidence: evidence(for: plain)))
        // Demands of issuance of both standards, only of `web-pki` and only of `rfc5280`.
        let breaches = [
            leaf { $0.serial = [0] }, leaf { $0.remove(OID.authorityKeyIdentifier) },
            leaf { $0.set(.raw(OID.extendedKeyUsage, critical: true, serverPurpose)) },
        ]
        chains += breaches.map {
            Chain(presented: [$0.der, issuing.der], evidence: evidence(for: $0))
        }
        let limited = leaf(by: uncritical)
        chains.append(
            Chain(
                presented: [limited.der, uncritical.der],
                evidence: [Evidence(crls: [uncritical.revocationList([limited])]), Evidence()]))
        let deep = leaf(by: below)
        chains.append(
            Chain(
                presented: [deep.der, below.der, issuing.der],
                evidence: [Evidence(), Evidence(crls: [below.revocationList([deep])])]))
        chains.append(
            Chain(
                presented: [plain.der, other.crossSign(issuing).der],
                evidence: evidence(for: plain)))
        return chains
    }()

    /// One end entity with the names that constraints and identities are about, and one that was
    /// issued again.
    static let plainLeaf = issuing.issueLeaf(dns: [World.host])
    static let renewedLeaf = issuing.issueLeaf(dns: [World.host]) {
        $0.notAfter = $0.notAfter.advanced(bySeconds: 86_400)
    }

    /// Log lists that differ in their logs, their operators and their dates.
    static let logLists = [
        TestLogList.json([larch, maple]), TestLogList.json([larch]),
        TestLogList.json([larch, maple], issued: .at("2026-05-01")),
        TestLogList.json([larch, maple.with { $0.operatorName = "Larch" }]),
        TestLogList.json([larch.with { $0.state = .readonly }, maple]),
        TestLogList.json([larch, maple.with { $0.since = .at("2026-07-01") }]),
        TestLogList.json([
            larch,
            maple.with {
                $0.state = .retired
                $0.since = .at("2026-05-10")
            },
        ]),
    ]

    /// extKeyUsage with only serverAuth.
    private static let serverPurpose: [UInt8] = [
        0x30, 0x0A, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01,
    ]

    /// Evidence that says good, revoked, on hold or nothing that counts, in every way that a rule
    /// may judge.
    private static func evidence(for leaf: Minted) -> [Evidence] {
        let above = root.revocationList()
        func base(
            _ revoked: [Minted] = [], _ reason: RevocationReason? = nil,
            _ change: (inout RevocationListRecipe) -> Void = { _ in }
        ) -> [UInt8] {
            issuing.revocationList(revoked, reason: reason) {
                $0.set(.crlNumber(5))
                change(&$0)
            }
        }
        func delta(
            _ revoked: [Minted] = [], _ reason: RevocationReason? = nil,
            _ change: (inout RevocationListRecipe) -> Void = { _ in }
        ) -> [UInt8] {
            issuing.revocationList(revoked, reason: reason) {
                $0.thisUpdate = .day(-5)
                $0.nextUpdate = .day(5)
                $0.set(.crlNumber(7))
                $0.set(.deltaIndicator(base: 4))
                change(&$0)
            }
        }
        func expire(_ recipe: inout RevocationListRecipe) { recipe.nextUpdate = .day(-1) }
        func weaken(_ recipe: inout RevocationListRecipe) { recipe.signature = .ecdsa(.sha256) }
        func begin(_ recipe: inout RevocationListRecipe) {
            recipe.thisUpdate = UTCInstant.day(0).advanced(bySeconds: 3_600)
        }
        let good = issuing.ocspResponse(for: leaf)
        let old = issuing.ocspResponse(for: leaf) { $0.singles[0].nextUpdate = .day(-1) }
        let revoked = issuing.ocspResponse(for: leaf, .revoked(nil, at: .day(-2)))
        return [
            Evidence(), Evidence(crls: [base()]),
            Evidence(crls: [above, base()]), Evidence(crls: [above, base([leaf])]),
            Evidence(crls: [above, base { expire(&$0) }]),
            Evidence(crls: [above, base { weaken(&$0) }]),
            Evidence(crls: [above, base([leaf]) { begin(&$0) }]),
            Evidence(crls: [above, base([leaf], .certificateHold) { expire(&$0) }]),
            Evidence(crls: [above, base([leaf], .certificateHold) { expire(&$0) }, delta()]),
            Evidence(
                crls: [
                    above, base([leaf], .certificateHold) { expire(&$0) },
                    delta { weaken(&$0) },
                ]),
            Evidence(
                crls: [above, base([leaf], .certificateHold), delta([leaf], .removeFromCRL)]),
            Evidence(
                crls: [
                    above, base([leaf], .certificateHold),
                    delta([leaf], .removeFromCRL) { weaken(&$0) },
                ]),
            Evidence(crls: [above, [0x30, 0]]), Evidence(stapledOCSP: good, crls: [above]),
            Evidence(ocspResponses: [old], crls: [above]),
            Evidence(ocspResponses: [good], crls: [above, base { expire(&$0) }]),
            Evidence(stapledOCSP: old, crls: [above, base { weaken(&$0) }]),
            Evidence(ocspResponses: [revoked], crls: [above]),
        ]
            + filters(for: leaf).flatMap { filters in
                let filters = SuppliedFilters(filters)
                return [
                    Evidence(crls: [above], filters: filters),
                    Evidence(crls: [above, base { expire(&$0) }], filters: filters),
                    Evidence(crls: [above, base()], filters: filters),
                ]
            }
    }

    /// Filters that say good or revoked, that are of eight days ago, that cover nothing of the
    /// certificate, today's and old ones, that do not know its issuer, and that are damaged.
    private static func filters(for leaf: Minted) -> [MemoryFilters] {
        func recipe(
            isRevoked: Bool = false, of key: TestKey = issuing.key, logs: [TestLog] = [larch],
            until: UTCInstant
        ) -> FilterRecipe {
            FilterRecipe(
                of: key, revoked: isRevoked ? [leaf] : [], good: isRevoked ? [] : [leaf],
                logs: logs, until: until)
        }
        let oak = [TestLog("Oak 1", of: "Oak")]
        let fault = FilterFault(code: "truncated", context: "cut")
        return [
            MemoryFilters([recipe(until: .day(0))]),
            MemoryFilters([recipe(isRevoked: true, until: .day(-10))]),
            MemoryFilters([recipe(until: .day(-8))]),
            MemoryFilters([recipe(logs: oak, until: .day(0))]),
            MemoryFilters([recipe(logs: oak, until: .day(-8))]),
            MemoryFilters([recipe(of: .p256("order stranger"), until: .day(0))]),
            MemoryFilters.failing(.refused(fault)),
        ]
    }
}
