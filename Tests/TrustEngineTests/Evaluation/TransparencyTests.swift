import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// Transparency (LANGUAGE sections 5, 8, 9, 10): what timestamps are worth, and what follows under
/// a rule.
@Suite("transparency") struct TransparencyTests {
    private static let acme = Acme()
    private static let larch = TestLog("Larch 1", of: "Larch")
    private static let larch2 = TestLog("Larch 2", of: "Larch")
    private static let maple = TestLog("Maple 1", of: "Maple", key: .rsa2048("log Maple 1"))
    private static let maple2 = TestLog("Maple 2", of: "Maple")
    private static let tiled = TestLog("Birch 1", of: "Birch").with { $0.isTiled = true }
    private static let tiled2 = TestLog("Cedar 1", of: "Cedar").with { $0.isTiled = true }
    private static let retired = TestLog("Rowan 1", of: "Rowan").with {
        $0.state = .retired
        $0.since = .at("2026-05-02")
    }
    private static let small = TestLog("Oak 1", of: "Oak", key: .rsa1024("log Oak 1"))
    private static let known = [larch, larch2, maple, maple2, tiled, tiled2, retired]

    /// A request under `chrome` or `apple` for a certificate with timestamps. `besides` is in the
    /// TLS extension; `logs` are the logs of the list.
    private static func world(
        _ embedded: [TestTimestamp] = [], besides: [TestTimestamp] = [],
        stapled: [TestTimestamp] = [], logs: [TestLog] = known, isLong: Bool = false,
        preset: TransparencyPreset = .chrome,
        _ change: (inout CertificateRecipe) -> Void = { _ in }
    ) -> World {
        let leaf = acme.issuing.issueLeaf(dns: [World.host]) { recipe in
            recipe.notBefore = .at("2026-04-01")
            recipe.notAfter = recipe.notBefore.advanced(
                bySeconds: (isLong ? 181 : 180) * 86_400 - 1)
            change(&recipe)
            if !embedded.isEmpty { recipe.embed(embedded, issuedBy: acme.issuing.key) }
        }
        var world = World([leaf.der, acme.issuing.der], roots: [acme.root.der])
        world.logList = TestLogList.json(logs)
        world.requirements.transparency.preset = preset
        if !besides.isEmpty { world.evidence.sctList = TestTimestamp.list(besides, over: leaf) }
        if !stapled.isEmpty {
            world.evidence.stapledOCSP = acme.issuing.ocspResponse(for: leaf) {
                $0.singles[0].extensions = [
                    .ocspSCTList(TestTimestamp.list(stapled, over: leaf))
                ]
            }
        }
        return world
    }

    private static func stamps(_ logs: TestLog...) -> [TestTimestamp] {
        logs.map { $0.timestamp() }
    }

    /// A list that lacks one log, or has it otherwise.
    private static func list(_ changed: TestLog) -> [TestLog] {
        known.map { $0.key == changed.key ? changed : $0 }
    }

    private static let unmet = ["transparency-not-met"]

    // MARK: The presets

    private static let presetRows: [Row] = [
        Row("chrome: none", unmet, world()),
        Row("chrome: two of two operators", ["accept"], world(stamps(larch, maple))),
        Row("chrome: one", unmet, world(stamps(larch))),
        Row("chrome: two of one log", unmet, world(stamps(larch, larch))),
        Row("chrome: two logs of one operator", unmet, world(stamps(larch, larch2))),
        Row("chrome: 181 days, two", unmet, world(stamps(larch, maple), isLong: true)),
        Row(
            "chrome: 181 days, three of two operators", ["accept"],
            world(stamps(larch, larch2, maple), isLong: true)),
        Row("chrome: one retired, one approved", ["accept"], world(stamps(larch, retired))),
        Row(
            "chrome: all retired", unmet,
            world(
                stamps(retired, larch),
                logs: list(
                    larch.with {
                        $0.state = .retired
                        $0.since = .at("2026-05-20")
                    }))),
        Row("chrome: two that are read in tiles", ["accept"], world(stamps(tiled, tiled2))),
        Row("chrome: two by TLS", ["accept"], world(besides: stamps(larch, maple))),
        Row("chrome: two by OCSP", ["accept"], world(stapled: stamps(larch, maple))),
        Row(
            "chrome: one by OCSP, one by TLS", ["accept"],
            world(besides: stamps(larch), stapled: stamps(maple))),
        Row(
            "chrome: one embedded, one by TLS", unmet,
            world(stamps(larch), besides: stamps(maple))),
        Row("chrome: one by TLS is retired", unmet, world(besides: stamps(larch, retired))),
        Row("chrome: one operator by TLS", unmet, world(besides: stamps(larch, larch2))),
        Row(
            "chrome: two by TLS suffice for 181 days", ["accept"],
            world(besides: stamps(larch, maple), isLong: true)),
        Row(
            "apple: two of two operators", ["accept"],
            world(stamps(larch, maple), preset: .apple)),
        Row(
            "apple: two logs of one operator", unmet,
            world(stamps(larch, larch2), preset: .apple)),
        Row(
            "apple: 181 days, three of two operators", ["accept"],
            world(stamps(larch, larch2, maple), isLong: true, preset: .apple)),
        Row(
            "apple: 181 days, two", unmet,
            world(stamps(larch, maple), isLong: true, preset: .apple)),
        Row("apple: none of RFC 6962", unmet, world(stamps(tiled, tiled2), preset: .apple)),
        Row(
            "apple: one by TLS, and one embedded of a log that has retired", unmet,
            world(stamps(retired), besides: stamps(larch), preset: .apple)),
        Row("apple: one of RFC 6962", ["accept"], world(stamps(tiled, larch), preset: .apple)),
        Row(
            "apple: one embedded, one by TLS, of one operator", ["accept"],
            world(stamps(larch), besides: stamps(larch2), preset: .apple)),
        Row(
            "apple: two by TLS of one log", unmet,
            world(besides: stamps(larch, larch), preset: .apple)),
        Row(
            "apple: one by TLS that does not count, two embedded of one operator", unmet,
            world(
                stamps(larch, larch2),
                besides: [larch.timestamp { $0.damage = .flippedBit }], preset: .apple)),
        Row(
            "apple counts both ends: 180 days and a second", unmet,
            world(stamps(larch, maple), preset: .apple) {
                $0.notAfter = $0.notBefore.advanced(bySeconds: 180 * 86_400)
            }),
        Row(
            "chrome does not", ["accept"],
            world(stamps(larch, maple)) {
                $0.notAfter = $0.notBefore.advanced(bySeconds: 180 * 86_400)
            }),
        Row(
            "a layer that wants more timestamps", unmet,
            world(stamps(larch, maple)).with { $0.requirements.transparency.minimumSCTs = 3 }),
        Row(
            "a layer that wants fewer", ["accept"],
            world(stamps(larch)).with {
                $0.requirements.transparency.minimumSCTs = 1
                $0.requirements.transparency.minimumOperators = 1
            }),
        Row(
            "a layer that wants three operators", unmet,
            world(stamps(larch, larch2, maple)).with {
                $0.requirements.transparency.minimumOperators = 3
            }),
    ]

    // MARK: One timestamp

    /// What makes the second of two timestamps count or not.
    private static let timestampRows: [Row] = [
        Row(
            "of a log that the list does not have", unmet,
            world(stamps(larch, maple), logs: [larch])),
        Row(
            "whose signature is spoilt", unmet,
            world([larch.timestamp(), maple.timestamp { $0.damage = .flippedBit }])),
        Row(
            "over another message", unmet,
            world([larch.timestamp(), maple.timestamp { $0.damage = .otherMessage }])),
        Row(
            "under another log's name", unmet,
            world([larch.timestamp(), larch2.timestamp { $0.rawID = maple.key.spkiSHA256 }])),
        Row(
            "that says SHA-512", unmet,
            world([larch.timestamp(), maple2.timestamp { $0.hash = 6 }])),
        Row(
            "that says RSA and is ECDSA", unmet,
            world([larch.timestamp(), maple2.timestamp { $0.signatureCode = 1 }])),
        Row(
            "at the validation time", ["accept"],
            world([larch.timestamp(), maple.timestamp(at: Scenario.judgedAt)])),
        Row(
            "in the future", unmet,
            world([
                larch.timestamp(),
                maple.timestamp(at: Scenario.judgedAt.advanced(bySeconds: 1)),
            ])),
        Row(
            "in the future, within the skew", ["accept"],
            world([
                larch.timestamp(),
                maple.timestamp(at: Scenario.judgedAt.advanced(bySeconds: 60)),
            ]).with { $0.requirements.clockSkew = 60 }),
        Row(
            "of a log that is read-only", ["accept"],
            world(
                stamps(larch, maple),
                logs: list(
                    maple.with {
                        $0.state = .readonly
                        $0.since = .at("2026-05-20")
                    }))),
        Row(
            "of a log that is qualified", ["accept"],
            world(stamps(larch, maple), logs: list(maple.with { $0.state = .qualified }))),
        Row(
            "of a log that is usable later only", unmet,
            world(stamps(larch, maple), logs: list(maple.with { $0.since = .at("2026-06-02") }))),
        Row(
            "of a log that is pending", unmet,
            world(stamps(larch, maple), logs: list(maple.with { $0.state = .pending }))),
        Row(
            "of a log that is rejected", unmet,
            world(stamps(larch, maple), logs: list(maple.with { $0.state = .rejected }))),
        Row(
            "of a log without a state", unmet,
            world(stamps(larch, maple), logs: list(maple.with { $0.state = nil }))),
        Row(
            "after its log retired", unmet,
            world([larch.timestamp(), retired.timestamp(at: .at("2026-05-02"))])),
        Row(
            "the last before its log retired", ["accept"],
            world([larch.timestamp(), retired.timestamp(at: .at("2026-05-01T23:59:59Z"))])),
        Row(
            "of a log that retires a second later, by TLS", ["accept"],
            world(
                besides: stamps(larch, maple),
                logs: list(
                    maple.with {
                        $0.state = .retired
                        $0.since = Scenario.judgedAt.advanced(bySeconds: 1)
                    }))),
        Row(
            "of a log that retires now, by TLS", unmet,
            world(
                besides: stamps(larch, maple),
                logs: list(
                    maple.with {
                        $0.state = .retired
                        $0.since = Scenario.judgedAt
                    }))),
        Row(
            "of a log whose interval begins with the end of the certificate", ["accept"],
            world(
                stamps(larch, maple),
                logs: list(
                    maple.with { $0.interval = .at("2026-09-27T23:59:59Z")..<(.at("2027-01-01")) }))
        ),
        Row(
            "of a log whose interval begins a second after the end of the certificate", unmet,
            world(
                stamps(larch, maple),
                logs: list(maple.with { $0.interval = .at("2026-09-28")..<(.at("2027-01-01")) }))),
        Row(
            "of a log that is usable since this second", ["accept"],
            world(stamps(larch, maple), logs: list(maple.with { $0.since = Scenario.judgedAt }))),
        Row(
            "of a log with an RSA key of 1,024 bits", unmet,
            world(stamps(larch, small), logs: [larch, small])),
        Row(
            "of a log whose interval ends with the certificate", unmet,
            world(
                stamps(larch, maple),
                logs: list(
                    maple.with { $0.interval = .at("2026-01-01")..<(.at("2026-09-27T23:59:59Z")) }))
        ),
        Row(
            "of a log that is read in tiles, without a leaf index", unmet,
            world([larch.timestamp(), tiled.timestamp { $0.extensions = [] }])),
        Row(
            "with extensions that are signed over", ["accept"],
            world([larch.timestamp(), maple.timestamp { $0.extensions = [1, 2, 3] }])),
        Row(
            "of a log that the same operator ran at the time", unmet,
            world(
                stamps(larch, maple),
                logs: list(
                    maple.with {
                        $0.previousOperators = [.init(name: "Larch", until: .at("2026-05-01"))]
                    }))),
        Row(
            "of a log that the same operator ran before", ["accept"],
            world(
                stamps(larch, maple),
                logs: list(
                    maple.with {
                        $0.previousOperators = [
                            .init(name: "Larch", until: .at("2026-04-30T23:59:59Z"))
                        ]
                    }))),
        Row(
            "over the certificate, embedded", unmet,
            world().with { world in
                let other = acme.issuing.issueLeaf(dns: [World.host]) {
                    $0.notBefore = .at("2026-04-01")
                    $0.extensions.append(
                        .sctList(TestTimestamp.list(stamps(larch, maple), over: acme.good)))
                }
                world.chain = [other.der, acme.issuing.der]
            }),
        Row(
            "a certificate that was changed after its log saw it", unmet,
            world().with { world in
                let other = acme.issuing.issueLeaf(dns: [World.host]) {
                    $0.embed(stamps(larch, maple), issuedBy: acme.issuing.key)
                    $0.notBefore = .at("2026-04-01")
                    $0.notAfter = .at("2026-08-01")
                }
                world.chain = [other.der, acme.issuing.der]
            }),
        Row(
            "under another issuer's key", unmet,
            world().with { world in
                let other = acme.issuing.issueLeaf(dns: [World.host]) {
                    $0.notBefore = .at("2026-04-01")
                    $0.embed(stamps(larch, maple), issuedBy: acme.root.key)
                }
                world.chain = [other.der, acme.issuing.der]
            }),
        Row(
            "a list that is none", unmet,
            world().with { $0.evidence.sctList = [0, 9, 1] }),
        Row(
            "a list that is none beside two that count", ["accept"],
            world(stamps(larch, maple)).with { $0.evidence.sctList = [0, 9, 1] }),
    ]

    @Test("embedded timestamps are judged again under the key of another issuer of that name")
    func namesake() throws {
        let namesake = Self.acme.root.issueCA("Issuing A", key: .p256("transparency namesake")) {
            $0.set(.subjectKeyIdentifier(Self.acme.issuing.key.keyIdentifier))
        }
        var world = Self.world(Self.stamps(Self.larch, Self.maple))
        world.constrain { $0.sct = DateWindow(until: .at("2027-01-01")) }
        #expect(try world.judge().outcome == ["accept"])
        world.chain.insert(namesake.der, at: 1)
        #expect(try world.judge().outcome == ["accept"])
    }

    // MARK: What follows

    private static let ruleRows: [Row] = [
        Row(
            "a log list on its last second", ["accept"],
            world(stamps(larch, maple)).with {
                $0.requirements.transparency.logListMaximumAge = 17 * 86_400
            }),
        Row(
            "a log list a second too old", ["log-list-stale"],
            world(stamps(larch, maple)).with {
                $0.requirements.transparency.logListMaximumAge = 17 * 86_400 - 1
            }),
        Row(
            "a log list that is too old and no timestamps",
            ["log-list-stale", "transparency-not-met"],
            world().with { $0.requirements.transparency.logListMaximumAge = 1 }),
        Row(
            "a log list of a later day", ["accept"],
            world(stamps(larch, maple)).with {
                $0.logList = TestLogList.json(known, issued: .at("2026-07-01"))
                $0.requirements.transparency.logListMaximumAge = 1
            }),
        Row(
            "a stale list that may pass", ["accept"],
            world(stamps(larch, maple)).with {
                $0.requirements.transparency.logListMaximumAge = 1
                $0.requirements.transparency.whenStale = .pass
            }),
        Row(
            "a stale list that may pass, and no timestamps", unmet,
            world().with {
                $0.requirements.transparency.logListMaximumAge = 1
                $0.requirements.transparency.whenStale = .pass
            }),
        Row(
            "a fresh list where a stale one may pass", unmet,
            world().with { $0.requirements.transparency.whenStale = .pass }),
        Row(
            "a stale list that is reported", ["accept"],
            world(stamps(larch, maple)).with {
                $0.requirements.transparency.logListMaximumAge = 1
                $0.requirements.transparency.whenStale = .report
            }),
        Row(
            "a stale list that is reported, and no timestamps", unmet,
            world().with {
                $0.requirements.transparency.logListMaximumAge = 1
                $0.requirements.transparency.whenStale = .report
            }),
        Row(
            "a stale list that is reported, and a log that it does not have", unmet,
            world(stamps(larch, maple), logs: [larch]).with {
                $0.requirements.transparency.logListMaximumAge = 1
                $0.requirements.transparency.whenStale = .report
            }),
        Row(
            "a fresh list where a stale one is reported", unmet,
            world().with { $0.requirements.transparency.whenStale = .report }),
        Row(
            "a newer list given to the load", ["accept"],
            world(stamps(larch, maple)).with {
                $0.logList = TestLogList.json([], issued: .at("2026-01-01"))
                $0.laterLogList = TestLogList.json(known)
            }),
        Row(
            "an older list given to the load", unmet,
            world(stamps(larch, maple)).with {
                $0.logList = TestLogList.json([], issued: .at("2026-05-20"))
                $0.laterLogList = TestLogList.json(known)
            }),
        Row(
            "an exempt set", ["accept"],
            world().with { $0.requirements.transparency.exemptAnchors = ["corp"] }),
        Row(
            "the same anchor in a set that is exempt and one that is not", ["accept"],
            world().with {
                $0.trust("public", [acme.root.der])
                $0.requirements.transparency.exemptAnchors = ["public"]
            }),
        Row(
            "not asked where signatures do not verify", ["bad-signature"],
            world { $0.damage = .flippedBit }),
        Row(
            "not asked where no anchor is reached", ["anchor-not-trusted"],
            world().with {
                $0.sets = []
                $0.chain.append(acme.root.der)
                $0.trust(
                    "corp", [Scenario().root("Root B", key: .p256("evaluation root b")).der])
            }),
    ]

    @Test("what presets want", arguments: presetRows) func presets(_ row: Row) throws {
        #expect(try row.world.judge().outcome == row.expected)
    }

    @Test("what a timestamp is worth", arguments: timestampRows) func worth(_ row: Row) throws {
        #expect(try row.world.judge().outcome == row.expected)
    }

    @Test("what follows under a rule", arguments: ruleRows) func rules(_ row: Row) throws {
        #expect(try row.world.judge().outcome == row.expected)
    }

    @Test("staleness that is reported is listed") func reported() throws {
        let judged = try TransparencyTests.world(
            TransparencyTests.stamps(TransparencyTests.larch, TransparencyTests.maple)
        ).with {
            $0.requirements.transparency.logListMaximumAge = 1
            $0.requirements.transparency.whenStale = .report
        }.judge()
        #expect(judged.reported == ["log-list-stale"])
    }

    @Test("report-only of the demand covers it, and a list that is too old with it")
    func reportOnly() throws {
        let judged = try TransparencyTests.world().with {
            $0.requirements.transparency.logListMaximumAge = 1
            $0.report(.transparency, until: .at("2026-12-31"))
        }.judge()
        #expect(judged.reported == ["log-list-stale", "transparency-not-met"])
    }

    @Test("a reject lists every timestamp with its log and the reason") func listed() throws {
        let world = TransparencyTests.world(
            [
                TransparencyTests.larch.timestamp(),
                TransparencyTests.maple.timestamp { $0.damage = .flippedBit },
                TestLog("Unknown", of: "Nobody").timestamp(),
            ], besides: [TransparencyTests.retired.timestamp()],
            stapled: [TransparencyTests.larch2.timestamp(at: .at("2030-01-01"))])
        guard
            case .transparencyNotMet(let report)? = try world.judge().verdict.violations.first?
                .reason
        else {
            Issue.record("met")
            return
        }
        #expect(report.timestamps.map(\.source) == [.embedded, .embedded, .embedded, .ocsp, .tls])
        #expect(report.timestamps.map(\.log) == ["Larch 1", "Maple 1", nil, "Larch 2", "Rowan 1"])
        #expect(
            report.timestamps.map(\.standing) == [
                .approved, .unusable(.badSignature), .unusable(.unknownLog), .unusable(.inFuture),
                .unusable(.logRetired(since: .at("2026-05-02"))),
            ])
        #expect(report.criteria.map(\.delivery) == [.embedded, .besides])
        #expect(report.criteria.map(\.logs.found) == [1, 0])
    }

    @Test("the verdict carries the digest of the list that was used") func digest() throws {
        var world = TransparencyTests.world()
        let later = TestLogList.json([], issued: .at("2026-05-30"))
        let crypto = LibCryptoBackend()
        #expect(
            try world.judge().verdict.logListDigest
                == crypto.digest(.sha256, of: Array(world.logList.utf8).span))
        world.laterLogList = later
        #expect(
            try world.judge().verdict.logListDigest
                == crypto.digest(.sha256, of: Array(later.utf8).span))
        #expect(try TransparencyTests.acme.world.judge().verdict.logListDigest == nil)
    }

    @Test("a list that cannot be read keeps the table from loading") func unreadable() throws {
        let world = TransparencyTests.world().with { $0.laterLogList = "{" }
        #expect(throws: EngineError.self) { _ = try world.engine() }
        let own = TransparencyTests.world().with { $0.logList = "{}" }
        #expect(throws: EngineError.self) { _ = try own.engine() }
    }

    // MARK: `constraints.sct`

    private static func constrained(
        _ embedded: [TestTimestamp], from: UTCInstant? = nil, until: UTCInstant? = nil,
        _ change: (inout World) -> Void = { _ in }
    ) -> World {
        world(embedded, preset: .none).with {
            $0.constrain { $0.sct = DateWindow(from: from, until: until) }
            change(&$0)
        }
    }

    private static let windowRows: [Row] = {
        let failed = ["anchor-constraint-not-met"]
        let two = [larch.timestamp(at: .at("2026-04-02")), maple.timestamp(at: .at("2026-05-01"))]
        return [
            Row("none", failed, constrained([], until: .at("2026-12-31"))),
            Row("one is enough", ["accept"], constrained(stamps(larch), until: .at("2026-05-01"))),
            Row(
                "the earliest before the end", ["accept"],
                constrained(two, until: .at("2026-04-02"))),
            Row(
                "the earliest after the end", failed,
                constrained(two, until: .at("2026-04-01T23:59:59Z"))),
            Row("the earliest before the begin", failed, constrained(two, from: .at("2026-04-03"))),
            Row("the earliest at the begin", ["accept"], constrained(two, from: .at("2026-04-02"))),
            Row(
                "an earlier one that is not valid does not count", failed,
                constrained(
                    [
                        larch.timestamp(at: .at("2026-01-02")) { $0.damage = .flippedBit },
                        maple.timestamp(),
                    ], until: .at("2026-04-02"))),
            Row(
                "an earlier one of a log that retired since does not count", ["accept"],
                constrained(
                    [retired.timestamp(at: .at("2026-04-02")), larch.timestamp()],
                    from: .at("2026-04-03"))),
            Row(
                "one of a log that retired since, alone", failed,
                constrained(
                    [retired.timestamp(at: .at("2026-04-02"))], until: .at("2026-12-31"))),
            Row(
                "a log list that is too old", failed,
                constrained(two, until: .at("2026-12-31")) {
                    $0.requirements.transparency.logListMaximumAge = 1
                }),
            Row(
                "a log list that is too old and may be", ["accept"],
                constrained(two, until: .at("2026-12-31")) {
                    $0.requirements.transparency.logListMaximumAge = 1
                    $0.requirements.transparency.whenStale = .pass
                }),
        ]
    }()

    @Test("the earliest valid timestamp of what an anchor vouches for", arguments: windowRows)
    func windows(_ row: Row) throws {
        #expect(try row.world.judge().outcome == row.expected)
    }

    // MARK: Work

    @Test("each signature is charged once an issuer, and running out rejects") func work() throws {
        let none = try #require(TransparencyTests.world().judge().work)
        let judged = try TransparencyTests.world(
            TransparencyTests.stamps(
                TransparencyTests.larch, TransparencyTests.larch2, TransparencyTests.maple2)
        ).judge()
        let work = try #require(judged.work)
        // A reject looks again, in a budget of its own.
        #expect(judged.outcome == ["accept"])
        #expect(work.signatures == none.signatures + 3)
        #expect(work.spent > 3 * 85)
        var poor = TransparencyTests.world(
            TransparencyTests.stamps(TransparencyTests.larch, TransparencyTests.maple))
        poor.workLimit = 400
        #expect(try poor.judge().outcome.contains("budget-exhausted"))
    }

    @Test("a thousand timestamps cost no more than those that are read") func flood() throws {
        let many = [TestTimestamp](repeating: TransparencyTests.larch2.timestamp(), count: 400)
        let world = TransparencyTests.world(besides: many)
        let judged = try world.judge()
        #expect(judged.outcome == TransparencyTests.unmet)
        let work = try #require(judged.work)
        #expect(work.signatures < 120)
        guard case .transparencyNotMet(let report)? = judged.verdict.violations.first?.reason else {
            return
        }
        #expect(report.timestamps.count == 32 && report.unread == 368)
    }
}
