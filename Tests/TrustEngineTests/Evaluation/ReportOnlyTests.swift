import TestPKI
import Testing
import TrustEngine

/// What report-only lets through, to the second (LANGUAGE section 9), and that it never goes below
/// the baseline.
@Suite("report-only") struct ReportOnlyTests {
    private static let acme = Acme()
    private static let last = UTCInstant.at("2026-06-10T23:59:59Z")

    /// A world under report-only, judged in its last second.
    private static func reported(_ check: ReportOnly.Check, _ world: World) -> World {
        world.with {
            $0.report(check, until: last)
            $0.time = last
            $0.requirements.clockSkew = 3_600
        }
    }

    private static func presenting(_ key: TestKey) -> World {
        World(
            [acme.issuing.issueLeaf(dns: [World.host], key: key).der, acme.issuing.der],
            roots: [acme.root.der])
    }

    private static let rsa2048 = presenting(.rsa2048("evaluation rsa"))
    private static let rsa1024 = presenting(.rsa1024("evaluation small"))

    private static func tls(_ parameters: TLSParameters, _ demand: TLSRequirement) -> World {
        acme.world.with {
            $0.tls = .observed(parameters)
            $0.requirements.tls = demand
        }
    }

    private static func demand(_ change: (inout TLSRequirement) -> Void) -> TLSRequirement {
        var demand = TLSRequirement()
        change(&demand)
        return demand
    }

    private static let rows: [Row] = [
        Row(
            "pins", ["pin-mismatch"],
            reported(
                .pins,
                acme.world.with {
                    $0.pin([(Scenario().root("Root S", key: .p256("s")).certificate, .any)])
                })),
        Row(
            "revocation", ["revocation-undetermined", "revocation-undetermined"],
            reported(
                .revocation, acme.world.with { $0.requirements.revocation.causes = .require })),
        Row(
            "transparency", ["transparency-not-met"],
            reported(
                .transparency,
                acme.world.with { $0.requirements.transparency.preset = .apple })),
        Row(
            "tls: a version that the baseline allows", ["tls-version"],
            reported(
                .tls,
                tls(TLSParameters(version: .tls12), demand { $0.minimumVersion = .tls13 }))),
        Row(
            "tls: everything else",
            [
                "tls-forward-secrecy", "tls-parameter", "tls-parameter", "tls-not-supplied",
                "tls-parameter",
            ],
            reported(
                .tls,
                tls(
                    TLSParameters(
                        version: .tls12, cipherSuite: "TLS_RSA_WITH_AES_128_GCM_SHA256",
                        group: "x25519", alpn: "http/1.1"),
                    demand {
                        $0.requiresForwardSecrecy = true
                        $0.cipherSuites = ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"]
                        $0.groups = ["secp256r1"]
                        $0.signatureSchemes = ["ed25519"]
                        $0.alpn = ["h2"]
                    }))),
        Row(
            "keys: size", ["key-too-small"],
            reported(.keys, rsa2048.with { $0.requirements.rsaMinimum = 3072 })),
        Row(
            "keys: type", ["key-type-not-allowed"],
            reported(.keys, rsa2048.with { $0.requirements.leafKeyTypes = KeyTypeSet(.p256) })),
        Row(
            "signatures: hash", ["hash-too-weak", "hash-too-weak"],
            reported(
                .signatures, acme.world.with { $0.requirements.minimumHash = .sha384 })),
        Row(
            "signatures: scheme",
            [
                "signature-scheme-not-allowed", "signature-scheme-not-allowed",
            ],
            reported(
                .signatures, acme.world.with { $0.requirements.signatureSchemes = .rsaPSS })),
        Row(
            "lifetime", ["lifetime-too-long"],
            reported(.lifetime, acme.world.with { $0.requirements.maximumLifetime = 86_400 })),
        Row(
            "a registered check", ["check-failed"],
            reported(
                .custom("moon"),
                acme.world.with {
                    $0.requirements.checks = ["moon"]
                    $0.checks = ["moon": CustomCheck { _ in .fail(reason: "it is waning") }]
                })),
    ]

    @Test("reported through the last second, rejects in the next", arguments: rows)
    func boundary(_ row: Row) throws {
        let inForce = try row.world.judge()
        #expect(inForce.outcome == ["accept"])
        #expect(inForce.reported == row.expected)
        #expect(
            inForce.acceptance?.reported.contains {
                $0.reason == .reportOnly(until: ReportOnlyTests.last)
            } == true)
        let after = row.world.at(ReportOnlyTests.last.advanced(bySeconds: 1))
        let absent = after.with { $0.reportOnly = [] }
        #expect(try !after.judge().verdict.isAccept)
        #expect(try after.judge().outcome == absent.judge().outcome)
    }

    /// What report-only of the same check never covers.
    private static let baselineRows: [Row] = [
        Row(
            "keys: below the baseline", ["key-too-small"],
            reported(.keys, rsa1024.with { $0.requirements.rsaMinimum = 3072 })),
        Row(
            "keys: a type that is reported, a size that is not", ["key-too-small"],
            reported(.keys, rsa1024.with { $0.requirements.leafKeyTypes = KeyTypeSet(.p256) })),
        Row(
            "signatures: below the baseline", ["hash-too-weak"],
            reported(
                .signatures,
                acme.presenting { $0.signature = .ecdsa(.sha1) }
                    .with { $0.requirements.minimumHash = .sha384 })),
        Row(
            "signatures: a scheme that is reported, a hash that is not", ["hash-too-weak"],
            reported(
                .signatures,
                acme.presenting { $0.signature = .ecdsa(.sha1) }
                    .with { $0.requirements.signatureSchemes = .rsaPSS })),
        Row(
            "tls: below the baseline", ["tls-version"],
            reported(
                .tls,
                tls(TLSParameters(version: .tls11), demand { $0.minimumVersion = .tls13 }))),
        Row(
            "tls: no version", ["tls-not-supplied"],
            reported(
                .tls,
                tls(
                    TLSParameters(cipherSuite: "TLS_AES_128_GCM_SHA256"),
                    demand { $0.alpn = ["h2"] }))),
        Row(
            "revocation: a staple that is demanded", ["staple-missing"],
            reported(.revocation, acme.presenting { $0.set(.tlsFeatures([5])) })),
        Row(
            "revocation: revoked", ["revoked"],
            reported(
                .revocation,
                acme.world.with { $0.evidence.crls = [acme.issuing.revocationList([acme.good])] }
            )),
        Row(
            "forbidden keys", ["forbidden-key"],
            acme.world.with {
                for check in ReportOnly.Check.builtIn { $0.report(check) }
                $0.requirements.forbiddenKeys = [
                    ForbiddenKey(id: "leaked", matches: [World.key(of: acme.issuing.key)])
                ]
            }),
        Row(
            "another registered check", ["check-failed"],
            reported(
                .custom("moon"),
                acme.world.with {
                    $0.requirements.checks = ["moon", "tide"]
                    let fails = CustomCheck { _ in .fail(reason: "no") }
                    $0.checks = ["moon": fails, "tide": fails]
                })),
        Row(
            "the name", ["name-mismatch"],
            acme.presenting { $0.set(.subjectAltName([.dns("www.acme.example")])) }
                .with { for check in ReportOnly.Check.builtIn { $0.report(check) } }),
    ]

    @Test("never below the baseline, nor another check", arguments: baselineRows)
    func baseline(_ row: Row) throws {
        #expect(try row.world.judge().outcome == row.expected)
    }

    @Test("9 keys: a type of key that the engine does not have is not reported") func unknownKey()
        throws
    {
        let x25519 = DER.sequence(
            DER.sequence(DER.oid(0x2B, 0x65, 0x6E)),
            DER.element(0x03, [0x00] + [UInt8](repeating: 9, count: 32)))
        let world = Self.acme.presenting { $0.spki = x25519 }.with { $0.report(.keys) }
        #expect(try world.judge().outcome == ["key-type-not-allowed"])
    }

    @Test("9 and 10: a waiver reaches where report-only does not") func both() throws {
        let world = ReportOnlyTests.rsa1024.with {
            $0.requirements.leafKeyTypes = KeyTypeSet(.p256)
            $0.report(.keys)
            $0.waive(.keys(rsaMinimum: 1024))
        }
        let judged = try world.judge()
        #expect(judged.reported == ["key-type-not-allowed", "key-too-small"])
        let until = UTCInstant.at("2026-12-31T23:59:59Z")
        #expect(
            judged.acceptance?.reported.map(\.reason).prefix(2) == [
                .reportOnly(until: until), .waived(until: until),
            ])
    }

    @Test("12.1 a path that meets what is only reported is preferred", arguments: [true, false])
    func steering(weakerFirst: Bool) throws {
        let acme = ReportOnlyTests.acme
        let strong = acme.root.issueCA("Issuing A", key: acme.issuing.key) {
            $0.signature = .ecdsa(.sha384)
        }
        let leaf = acme.issuing.issueLeaf(dns: [World.host]) { $0.signature = .ecdsa(.sha384) }
        let both = weakerFirst ? [acme.issuing.der, strong.der] : [strong.der, acme.issuing.der]
        let world = World([leaf.der] + both, roots: [acme.root.der]).with {
            $0.requirements.minimumHash = .sha384
            $0.report(.signatures)
        }
        let judged = try world.judge()
        #expect(judged.outcome == ["accept"])
        #expect(judged.reported.isEmpty)
        let only = try world.with { $0.chain = [leaf.der, acme.issuing.der] }.judge()
        #expect(only.reported == ["hash-too-weak"])
    }

    @Test("12.1 paths to exempt anchors are preferred while transparency is only reported")
    func exemptAnchors() throws {
        let acme = ReportOnlyTests.acme
        let other = Scenario().root("Root B", key: .p256("evaluation root b"))
        var world = World(
            [acme.good.der, acme.issuing.der, other.crossSign(acme.root).der],
            roots: [acme.root.der])
        world.trust("partner", [other.der])
        world.requirements.transparency.preset = .chrome
        world.requirements.transparency.exemptAnchors = ["partner"]
        world.report(.transparency)
        let judged = try world.judge()
        #expect(judged.path.last == "Root B")
        #expect(judged.reported.isEmpty)
    }

    // MARK: Properties

    /// A world with keys, hashes and TLS versions on both sides of the baseline, and demands above
    /// it.
    private static func world(seed: Int) -> World {
        var random = SplitMix(state: UInt64(seed) &+ 77)
        func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
        var world = PropertyTests.world(seed: seed).with { $0.waivers = [] }
        if chance(2) {
            let key: TestKey =
                chance(2) ? .rsa1024("evaluation small") : .rsa2048("evaluation rsa")
            let hash: TestHash = chance(3) ? .sha1 : .sha256
            let leaf = acme.issuing.issueLeaf(dns: [World.host], key: key) {
                $0.signature = .ecdsa(hash)
            }
            world.chain = [leaf.der, acme.issuing.der]
            world.sets[0].members = [acme.root.der]
        }
        world.tls =
            chance(6)
            ? .notSupplied
            : .observed(TLSParameters(version: chance(4) ? .tls11 : chance(2) ? .tls12 : .tls13))
        if chance(3) { return world }
        if chance(5) { world.requirements.keyTypes = KeyTypeSet(.p384) }
        if chance(5) { world.requirements.leafKeyTypes = KeyTypeSet(.p384) }
        if chance(3) { world.requirements.rsaMinimum = 3072 }
        if chance(4) { world.requirements.minimumHash = .sha384 }
        if chance(8) { world.requirements.signatureSchemes = .rsaPSS }
        if chance(5) { world.requirements.maximumLifetime = 86_400 }
        if chance(5) { world.requirements.tls.minimumVersion = .tls13 }
        if chance(6) { world.requirements.tls.maximumVersion = .tls12 }
        if chance(8) { world.requirements.tls.alpn = ["h2"] }
        if chance(6) { world.requirements.revocation.causes = .require }
        if chance(8) { world.requirements.transparency.preset = .apple }
        if chance(6) {
            world.pin([(Scenario().root("Root B", key: .p256("property b")).certificate, .any)])
        }
        return world
    }

    /// Every demand but those on the path under report-only is the baseline, no more and no less.
    @Test("all checks under report-only accept exactly what the baseline does", arguments: 0..<120)
    func equivalence(seed: Int) throws {
        let world = ReportOnlyTests.world(seed: seed)
        let reported = try world.with {
            for check in ReportOnly.Check.builtIn { $0.report(check) }
        }.judge()
        let baseline = try world.with {
            $0.requirements = Requirements()
            $0.pins = []
        }.judge()
        #expect(reported.verdict.isAccept == baseline.verdict.isAccept, "seed \(seed)")
    }

    private static let exceptions: [(name: String, change: @Sendable (inout World) -> Void)] = {
        let waivers: [Waiver.Tolerance] = [
            .identity, .path, .expired(seconds: 86_400 * 5), .revocation, .transparency,
            .tls(minimumVersion: .tls11), .keys(rsaMinimum: 1024),
            .signatures(minimumHash: .sha1), .cleartext, .pins,
        ]
        return waivers.map { tolerance in
            (tolerance.name, { $0.waive(tolerance) })
        }
            + ReportOnly.Check.builtIn.map { check in
                ("report-only \(check.name)", { $0.report(check) })
            }
    }()

    @Test("an exception never turns an accept into a reject", arguments: 0..<60)
    func exceptionsOnlyWiden(seed: Int) throws {
        let world = ReportOnlyTests.world(seed: seed)
        let before = try world.judge()
        for (name, change) in ReportOnlyTests.exceptions {
            let after = try world.with(change).judge()
            #expect(!before.verdict.isAccept || after.verdict.isAccept, "seed \(seed), \(name)")
        }
    }

    @Test("the worlds hold accepts and rejects, with and without exceptions") func coverage() throws
    {
        var outcomes: [String: Int] = [:]
        for seed in 0..<120 {
            let world = ReportOnlyTests.world(seed: seed)
            let plain = try world.judge().verdict.isAccept
            let reported = try world.with {
                for check in ReportOnly.Check.builtIn { $0.report(check) }
            }.judge().verdict.isAccept
            outcomes["\(plain) \(reported)", default: 0] += 1
        }
        #expect(outcomes["true true", default: 0] >= 5)
        #expect(outcomes["false true", default: 0] >= 10)
        #expect(outcomes["false false", default: 0] >= 10)
        #expect(outcomes["true false"] == nil)
    }
    /// The name and key of Root A are in two certificates here: the cross-sign, which leads to the
    /// rule's anchor, and a root that the policy knows for other hosts.
    @Test("a path to an anchor that a report mode lets through is told before one to no anchor")
    func pathToAnAnchor() throws {
        let acme = Self.acme
        let old = Scenario().root("Old Root", key: .rsa2048("evaluation old root"))
        let leaf = acme.issuing.issueLeaf(dns: [World.host]) {
            $0.extensions.append(.crlDistributionPoints(["http://issuing.example/crl"]))
        }
        let world = World(
            [leaf.der, acme.issuing.der, old.crossSign(acme.root).der], roots: [old.der]
        ).with {
            $0.trust("new", [acme.root.der])
            $0.anchors = ["corp"]
            $0.requirements.keyTypes = KeyTypeSet(.p256)
            $0.requirements.signatureSchemes = .ecdsa
            $0.report(.keys)
            $0.report(.signatures)
            $0.requirements.revocation.causes = .require
            $0.requirements.revocation.scope = .leaf
        }
        let judged = try world.judge()
        #expect(judged.outcome == ["revocation-undetermined"])
        #expect(judged.verdict.wanted.count == 1)
    }
}
