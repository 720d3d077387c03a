import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// Which demands of an assertion a rule meets, a row for each rule of `hawser assert`.
@Suite("demands on a rule, row by row") struct DemandRowTests {
    // MARK: `at-least`

    /// A floor, by the parts that a row demands.
    struct Floor: Sendable {
        var settings: [(field: ProfileField, value: FieldValue)] = []
        var forbiddenKeys: [ForbiddenKey] = []
        var anchors = DemandFloor.Anchors.any
        var bindsPins = false

        var demand: DemandFloor {
            DemandFloor(
                settings: settings, forbiddenKeys: forbiddenKeys, anchors: anchors,
                bindsPins: bindsPins, logLists: RandomPolicies.logLists)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The first demand that is not met; nil where all are.
        let missed: String?
        let rule: RowRule
        let floor: Floor

        init(_ name: String, misses: String?, _ rule: RowRule, _ floor: Floor) {
            testDescription = name
            missed = misses
            self.rule = rule
            self.floor = floor
        }
    }

    private static func asks(_ settings: (ProfileField, FieldValue)...) -> Floor {
        Floor(settings: settings.map { (field: $0.0, value: $0.1) })
    }

    private static func rule(
        _ settings: (ProfileField, FieldValue)..., change: (inout RowRule) -> Void = { _ in }
    ) -> RowRule {
        RowRule { rule in
            for (field, value) in settings { rule.requirements.write(field, value) }
            change(&rule)
        }
    }

    private static let key = World.key(of: Chains.issuing.key)
    private static let forbidden = ForbiddenKey(id: "stolen", matches: [key])

    private static func pinned(_ change: (inout RowRule) -> Void = { _ in }) -> RowRule {
        RowRule {
            $0.pins = [RowRule.pinSet("pay", [(key, .any)])]
            change(&$0)
        }
    }

    private static func pinnedUntil(
        _ day: Int64, _ onExpiry: PinSetContents.OnExpiry
    ) -> RowRule {
        RowRule {
            $0.pins = [
                RowRule.pinSet("pay", [(key, .any)]) {
                    $0.enforceUntil = .day(day)
                    $0.onExpiry = onExpiry
                }
            ]
        }
    }

    private static let within = Floor(
        anchors: .within(RowRule().body.anchors, names: ["corp"]))
    private static let chrome = FieldValue.word(1)
    private static let apple = FieldValue.word(2)
    private static let lists = RandomPolicies.logLists.map(\.digest)

    private static let rows: [Row] = [
        Row(
            "a stricter value", misses: nil, rule((.rsaMinimum, .integer(4096))),
            asks((.rsaMinimum, .integer(3072)))),
        Row(
            "a weaker value", misses: "keys.rsa-minimum", RowRule(),
            asks((.rsaMinimum, .integer(3072)))),
        Row(
            "a value that is neither", misses: "transparency.preset",
            rule((.transparencyPreset, apple)), asks((.transparencyPreset, chrome))),
        Row(
            "a forbidden key", misses: nil, rule((.forbiddenKeys, .forbiddenKeys([forbidden]))),
            Floor(forbiddenKeys: [forbidden])),
        Row(
            "a key that is not forbidden", misses: "forbidden-keys.stolen", RowRule(),
            Floor(forbiddenKeys: [forbidden])),
        Row(
            "a number of timestamps beside `preset: none`",
            misses: "transparency.minimum-scts",
            rule((.transparencyPreset, chrome), (.transparencyMinimumSCTs, .integer(1))),
            asks((.transparencyPreset, .word(0)), (.transparencyMinimumSCTs, .integer(4)))),
        Row(
            "a number of timestamps where nothing demands them",
            misses: "transparency.minimum-scts", RowRule(),
            asks((.transparencyMinimumSCTs, .integer(2)))),
        Row(
            "a number of timestamps that is met", misses: nil,
            rule((.transparencyPreset, chrome), (.transparencyMinimumSCTs, .integer(3))),
            asks((.transparencyMinimumSCTs, .integer(3)))),
        Row(
            "timestamps of every path but those to one set",
            misses: "transparency.exempt-anchors",
            rule((.transparencyPreset, chrome), (.transparencyExemptAnchors, .names(["corp"]))),
            asks((.transparencyPreset, chrome))),
        Row(
            "another log list", misses: "transparency.log-list",
            rule((.transparencyPreset, chrome), (.transparencyLogList, .digest(lists[0]))),
            asks((.transparencyPreset, chrome), (.transparencyLogList, .digest(lists[1])))),
        Row("pins that bind", misses: nil, pinned(), Floor(bindsPins: true)),
        Row("no pins", misses: "pins", RowRule(), Floor(bindsPins: true)),
        Row(
            "pins until another day", misses: nil, pinnedUntil(1, .report),
            Floor(bindsPins: true)),
        Row(
            "pins that only report by now", misses: "pins", pinnedUntil(-1, .report),
            Floor(bindsPins: true)),
        Row(
            "pins that have ended", misses: "pins", pinnedUntil(-1, .unpinned),
            Floor(bindsPins: true)),
        Row(
            "pins that are waived", misses: "pins", pinned { $0.waive(.pins) },
            Floor(bindsPins: true)),
        Row(
            "pins that are only reported", misses: "pins", pinned { $0.report(.pins) },
            Floor(bindsPins: true)),
        Row(
            "pins under a waiver of the path", misses: "pins", pinned { $0.waive(.path) },
            Floor(bindsPins: true)),
        Row("no store", misses: nil, RowRule(), Floor(anchors: .listed)),
        Row("the store", misses: "anchors", .store(), Floor(anchors: .listed)),
        Row(
            "no store, under a waiver of the path", misses: "anchors", .waiving(.path),
            Floor(anchors: .listed)),
        Row(
            "any anchors, under a waiver of the path", misses: nil, .waiving(.path), Floor()),
        Row("anchors within a set", misses: nil, RowRule(), within),
        Row(
            "anchors beyond a set", misses: "anchors",
            RowRule { $0.sets = [RowRule.set("corp", [Chains.other.der])] }, within),
        Row(
            "pinned keys beyond a set", misses: "anchors",
            pinned {
                $0.sets = []
                $0.anchorsArePinnedKeys = true
            }, within),
        Row(
            "a list in place of pinned keys", misses: "anchors", RowRule(),
            Floor(anchors: .pinnedKeys)),
        Row(
            "pinned keys", misses: nil,
            pinned {
                $0.sets = []
                $0.anchorsArePinnedKeys = true
            }, Floor(anchors: .pinnedKeys)),
    ]

    private static func missed(_ rule: RowRule, _ floor: Floor, at day: Int64 = 0) -> [String] {
        BehaviourOrder().shortfalls(of: rule.behaviour, below: floor.demand, at: .day(day))
            .map(\.path)
    }

    @Test("`at-least`", arguments: rows)
    func atLeast(row: Row) {
        let missed = Self.missed(row.rule, row.floor)
        #expect(missed.first == row.missed, "\(missed)")
        #expect(
            BehaviourOrder().shortfalls(of: .deny, below: row.floor.demand, at: .day(0)).isEmpty)
    }

    // MARK: Exceptions that suspend demands

    /// Fields with values that a rule has and an assertion demands.
    private static let demanded: [(field: ProfileField, value: FieldValue)] = [
        (.clockSkew, .seconds(10)), (.revocationPreset, .word(1)), (.transparencyPreset, chrome),
        (.tlsMinimumVersion, .word(772)), (.rsaMinimum, .integer(4096)),
        (.leafKeyTypes, .words(2)), (.minimumHash, .word(2)), (.enforcesIssuance, .word(1)),
        (.maximumLifetime, .seconds(90)),
        (
            .lifetimeSteps,
            .steps([LifetimeStep(issuedFrom: .day(0), maximum: 80)])
        ), (.checks, .names(["short"])),
    ]

    private static let suspended: [(exception: RowRule, fields: Set<ProfileField>)] = [
        (RowRule.waiving(.cleartext), Set(demanded.map(\.field))),
        (
            .waiving(.path),
            Set(demanded.map(\.field)).subtracting([
                .tlsMinimumVersion, .maximumLifetime, .lifetimeSteps, .leafKeyTypes,
            ])
        ),
        (.waiving(.identity), []), (.waiving(.expired(seconds: 9)), [.clockSkew]),
        (.waiving(.revocation), [.revocationPreset]),
        (.waiving(.transparency), [.transparencyPreset]),
        (.waiving(.tls(minimumVersion: .tls11)), [.tlsMinimumVersion]),
        (.waiving(.keys(rsaMinimum: 1024)), [.rsaMinimum, .leafKeyTypes]),
        (.waiving(.signatures(minimumHash: .sha1)), [.minimumHash]),
        (
            .waiving(.issuance(IssuanceDemands([.subjectKeyIdentifierMissing]))),
            [.enforcesIssuance]
        ),
        (.reporting(.revocation), [.revocationPreset]),
        (.reporting(.transparency), [.transparencyPreset]),
        (.reporting(.tls), [.tlsMinimumVersion]),
        (.reporting(.keys), [.rsaMinimum, .leafKeyTypes]),
        (.reporting(.signatures), [.minimumHash]),
        (.reporting(.lifetime), [.maximumLifetime, .lifetimeSteps]),
        (.reporting(.custom("short")), [.checks]),
    ]

    @Test("each exception suspends the demands on its own fields")
    func suspends() {
        let floor = Floor(settings: Self.demanded)
        for (exception, fields) in Self.suspended {
            let rule = exception.with { rule in
                for (field, value) in Self.demanded { rule.requirements.write(field, value) }
            }
            let found = Self.missed(rule, floor)
            let name = rule.behaviourNames
            #expect(Set(found) == Set(fields.map(\.rawValue)), "\(name)")
            // The exceptions end with day 100.
            #expect(Self.missed(rule, floor, at: 101).isEmpty, "\(name)")
        }
    }

    @Test("an exception that lets nothing pass suspends nothing")
    func idle() {
        let floor = Self.asks((.transparencyPreset, .word(0)))
        #expect(Self.missed(.waiving(.transparency), floor).isEmpty)
    }

    // MARK: `no-weaker-than`

    @Test("a rule that is neither stricter nor weaker is not as strict")
    func against() {
        let order = BehaviourOrder()
        func missed(_ rule: RowRule, _ other: RowRule, at day: Int64 = 0) -> [String] {
            order.shortfalls(of: rule.behaviour, against: other.behaviour, at: .day(day))
                .map(\.path)
        }
        let other = RowRule { $0.sets = [RowRule.set("corp", [Chains.other.der])] }
        #expect(missed(other, RowRule()) == ["anchors"])
        #expect(missed(RowRule(), RowRule()).isEmpty)
        #expect(missed(.waiving(.identity), RowRule()) == ["waivers.identity"])
        #expect(missed(.waiving(.identity), RowRule(), at: 101).isEmpty)
        #expect(missed(RowRule(), .waiving(.identity)).isEmpty)
    }

    @Test("a profile stands in place of the fields and the modes of a rule")
    func held() {
        let rule = RowRule {
            $0.waive(.identity)
            $0.report(.keys)
            $0.requirements.transparency.preset = .chrome
            $0.requirements.transparency.logList = Self.lists[0]
        }
        var profile = Requirements()
        profile.rsaMinimum = 4096
        profile.transparency.preset = .chrome
        let mode = ReportOnly(check: .tls, until: .day(10), note: nil)
        let held = rule.body.held(
            to: profile, reportOnly: [mode], logLists: RandomPolicies.logLists)
        let expected = RowRule {
            $0.report(.tls, until: .day(10))
            $0.requirements.rsaMinimum = 4096
            $0.requirements.transparency.preset = .chrome
            $0.requirements.transparency.logList = Self.lists[0]
        }
        #expect(held.requirements == expected.requirements)
        #expect(held.exceptions == expected.body.exceptions)
        profile.transparency.logList = Self.lists[1]
        let other = rule.body.held(
            to: profile, reportOnly: [], logLists: RandomPolicies.logLists)
        #expect(other.logList == Self.lists[1] && other.exceptions.isEmpty)
    }

    // MARK: `never-trusts`

    private static let here = World.key(of: .p256("demand row key"))
    private static let there = World.key(of: .p256("demand row other"))

    private static func forbidding(_ entries: ForbiddenKey...) -> RowRule {
        RowRule { $0.requirements.forbiddenKeys = entries }
    }

    private static func entry(
        _ match: KeyMatch, from: UTCInstant? = nil, until: UTCInstant? = nil
    ) -> ForbiddenKey {
        let window = from == nil && until == nil ? nil : DateWindow(from: from, until: until)
        return ForbiddenKey(id: "k", matches: [match], notBefore: window)
    }

    @Test("a key is forbidden in all its encodings and at every date of issue")
    func forbids() {
        func isForbidden(
            _ rule: RowRule, _ keys: [KeyIdentity] = [KeyIdentity([Self.here])]
        ) -> Bool {
            BehaviourOrder().shortfalls(of: rule.behaviour, forbidding: keys, at: .day(0))
                .isEmpty
        }
        let day = UTCInstant.day(0)
        #expect(isForbidden(Self.forbidding(Self.entry(Self.here))))
        #expect(!isForbidden(RowRule()))
        #expect(!isForbidden(Self.forbidding(Self.entry(Self.there))))
        #expect(!isForbidden(Self.forbidding(Self.entry(Self.here, from: day))))
        #expect(
            isForbidden(
                Self.forbidding(
                    Self.entry(Self.here, from: day),
                    Self.entry(Self.here, until: day.advanced(bySeconds: -1)))))
        let encodings = [KeyIdentity([Self.here, Self.there], ofOtherEncodings: [Self.there])]
        #expect(isForbidden(Self.forbidding(Self.entry(Self.here)), encodings))
        #expect(!isForbidden(Self.forbidding(Self.entry(Self.there)), encodings))
        let two = [KeyIdentity([Self.here]), KeyIdentity([Self.there])]
        #expect(!isForbidden(Self.forbidding(Self.entry(Self.here)), two))
        let waived = Self.forbidding(Self.entry(Self.here)).with { $0.waive(.path) }
        #expect(!isForbidden(waived))
    }

    // MARK: `no-anchor`

    private static let rootKey = World.key(of: Chains.root.key)

    private static func anchored(_ match: KeyMatch, at position: PinPosition) -> RowRule {
        RowRule {
            $0.sets = []
            $0.pins = [RowRule.pinSet("pay", [(match, position)])]
            $0.anchorsArePinnedKeys = true
        }
    }

    private static let unknown: KeyMatch = {
        guard let digest = Digest(.sha384, bytes: [UInt8](repeating: 9, count: 48)) else {
            preconditionFailure("SHA-384 has 48 octets")
        }
        return KeyMatch(kind: .spki, digest: digest)
    }()

    @Test("a key is no anchor")
    func noAnchor() {
        func isMet(_ rule: RowRule, _ key: KeyIdentity) -> Bool {
            BehaviourOrder().shortfalls(
                of: rule.behaviour, withoutAnchors: [key], at: .day(0), crypto: LibCryptoBackend()
            ).isEmpty
        }
        let root = KeyIdentity([Self.rootKey])
        #expect(!isMet(RowRule(), root))
        #expect(isMet(RowRule(), KeyIdentity([World.key(of: Chains.other.key)])))
        #expect(!isMet(.waiving(.path), KeyIdentity([World.key(of: Chains.other.key)])))
        // A certificate is meant, and the rule trusts another certificate of its key.
        let again = Scenario().root("Root O", key: .p384("order root")) {
            $0.notAfter = $0.notAfter.advanced(bySeconds: 86_400)
        }
        #expect(
            isMet(RowRule(), KeyIdentity([World.certificate(of: again.certificate), Self.rootKey])))
        let same = KeyIdentity([World.certificate(of: Chains.root.certificate), Self.rootKey])
        #expect(!isMet(RowRule(), same))

        // The machine's store.
        #expect(!isMet(.store(), root))
        #expect(isMet(.store([], [AnchorFilter(exclude: [Self.rootKey])]), root))
        #expect(isMet(.store([], [AnchorFilter(only: [Self.here])]), root))
        let encodings = KeyIdentity([Self.rootKey, Self.here], ofOtherEncodings: [Self.here])
        #expect(!isMet(.store([], [AnchorFilter(exclude: [Self.here])]), encodings))

        // Pinned keys.
        #expect(!isMet(Self.anchored(Self.rootKey, at: .ca), root))
        #expect(!isMet(Self.anchored(Self.rootKey, at: .leaf), root))
        #expect(isMet(Self.anchored(Self.rootKey, at: .intermediate), root))
        #expect(isMet(Self.anchored(Self.here, at: .ca), root))
        // A digest of another algorithm does not tell whose key it is.
        #expect(!isMet(Self.anchored(Self.unknown, at: .ca), root))
    }

    // MARK: `exceptions`, `identity`, `decision`, `owned-by`

    @Test("exceptions that may be in force")
    func exceptions() {
        func found(
            _ rule: RowRule, _ allowed: [String: UTCInstant] = [:], at day: Int64 = 0
        ) -> [String] {
            rule.behaviour.shortfalls(allowing: AllowedExceptions(allowed), at: .day(day))
                .map(\.path)
        }
        let tls = RowRule.waiving(.tls(minimumVersion: .tls11), until: .day(20))
        #expect(found(tls) == ["waivers.tls"])
        #expect(found(tls, at: 21).isEmpty)
        #expect(found(tls, ["waivers.tls": .day(10)], at: 10).isEmpty)
        #expect(found(tls, ["waivers.tls": .day(10)], at: 11) == ["waivers.tls"])
        #expect(found(tls, [AllowedExceptions.allModes: .day(10)]) == ["waivers.tls"])
        let pins = RowRule.reporting(.pins)
        #expect(found(pins, [AllowedExceptions.allModes: .day(10)]).isEmpty)
        #expect(found(pins, ["report-only.tls": .day(10)]) == ["report-only.pins"])
        let both = AllowedExceptions([
            AllowedExceptions.allModes: .day(10), "report-only.pins": .day(5),
        ])
        #expect(both.last(of: "report-only.pins") == .day(10))
        #expect(both.last(of: "waivers.pins") == nil)
        #expect(
            Set(both.changes(after: .day(5)))
                == [
                    UTCInstant.day(5).advanced(bySeconds: 1),
                    UTCInstant.day(10).advanced(bySeconds: 1),
                ])

        let ending = Self.pinnedUntil(3, .report)
        #expect(found(ending, at: 3).isEmpty)
        #expect(found(ending, at: 4) == [AllowedExceptions.onExpiry])
        #expect(found(ending, [AllowedExceptions.onExpiry: .day(9)], at: 4).isEmpty)
    }

    @Test("a certificate for another name")
    func identity() {
        func found(_ rule: RowRule, at day: Int64 = 0) -> [String] {
            rule.behaviour.shortfallsOfHost(at: .day(day)).map(\.path)
        }
        #expect(found(RowRule()).isEmpty)
        #expect(found(.waiving(.identity, until: .day(5))) == ["identity"])
        #expect(found(.waiving(.identity, until: .day(5)), at: 6).isEmpty)
        #expect(found(.waiving(.cleartext)) == ["identity"])
        let listed = RowRule {
            $0.identity = IdentityRequirement(reference: .listed, dns: ["a.example"])
        }
        #expect(found(listed) == ["identity.reference"])
        #expect(Behaviour.deny.shortfallsOfHost(at: .day(0)).isEmpty)
    }

    @Test("a decision, and the owner of the rule")
    func decision() {
        let rule = RowRule().behaviour
        #expect(rule.shortfallsOfDenial.map(\.path) == ["decision"])
        #expect(Behaviour.deny.shortfallsOfDenial.isEmpty)
        #expect(rule.shortfalls(owner: "web", found: "web").isEmpty)
        #expect(rule.shortfalls(owner: "web", found: "net").map(\.path) == ["owner"])
        #expect(rule.shortfalls(owner: "web", found: nil).map(\.path) == ["owner"])
    }

    // MARK: Time

    @Test("each instant at which a side changes begins an interval")
    func timeline() {
        let ending = Self.pinnedUntil(20, .report).with { $0.waive(.identity, until: .day(10)) }
        let plain = Self.pinned()
        let order = BehaviourOrder()
        func intervals(_ here: RowRule, _ there: RowRule, _ day: Int64) -> [UTCInstant] {
            order.timeline(here.behaviour, there.behaviour, since: .day(day)).map(\.from)
        }
        let ends = [10, 20].map { UTCInstant.day($0).advanced(bySeconds: 1) }
        #expect(intervals(ending, plain, 0) == [.day(0)] + ends)
        #expect(intervals(plain, ending, 0) == [.day(0)] + ends)
        #expect(intervals(ending, plain, 10) == [.day(10)] + ends)
        #expect(intervals(ending, plain, 15) == [.day(15), ends[1]])
        #expect(ending.behaviour.changes(after: .day(15)) == [ends[1]])
        #expect(
            order.timeline(ending.behaviour, plain.behaviour, since: .day(0))
                .map(\.comparison.relation) == [.weaker, .equal, .weaker])
    }
}

extension RowRule {
    /// The exceptions, for messages of tests.
    fileprivate var behaviourNames: String {
        (waivers.map { "waivers.\($0.tolerance.name)" }
            + reportOnly.map { "report-only.\($0.check.name)" }).joined(separator: ", ")
    }
}
