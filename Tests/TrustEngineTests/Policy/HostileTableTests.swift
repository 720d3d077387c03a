import LibCrypto
import TestPKI
import Testing

@testable import TrustEngine

/// What the compiler promises of every table, against tables that a compiler did not make: each
/// promise broken is refused by the decoder, or by the load, or makes no verdict weaker than a
/// policy could, which its row says.
@Suite("hostile tables") struct HostileTableTests {
    // MARK: A table with two of everything

    private static let acme = Acme()
    private static let other = Scenario().root("Root B", key: .p256("evaluation root b"))
    private static let late = UTCInstant.at("2026-12-31T23:59:59Z")

    private static func pin(
        _ id: String, _ matches: [KeyMatch], at position: PinPosition = .any
    ) -> PinContents {
        PinContents(id: id, matches: matches, position: position, note: nil)
    }

    private static func pinSet(_ id: String, _ keys: [PinContents]) -> PinSetContents {
        PinSetContents(
            id: id, keys: keys,
            backups: [pin("spare", [World.key(of: .p256("a backup in a safe"))])], match: 1,
            warnFrom: nil, enforceUntil: nil, onExpiry: .fail, owner: nil, note: nil)
    }

    private static func waiver(
        _ tolerance: Waiver.Tolerance, until: UTCInstant = late
    ) -> Waiver {
        Waiver(tolerance: tolerance, until: until, reason: "r", owner: "o", ticket: nil)
    }

    /// The chain of `acme` is accepted for `World.host` by the rule `api`.
    private static let sound: PolicyContents = {
        func group(_ members: [[UInt8]]) -> AnchorGroup {
            AnchorGroup(
                source: .members(members.sorted { $0.lexicographicallyPrecedes($1) }))
        }
        var body = RuleBody(
            anchors: ["corp", "edge"], pins: ["live", "past"], profile: "baseline",
            requirements: Requirements(), identity: IdentityRequirement(),
            reportOnly: [
                ReportOnly(check: .keys, until: late, note: nil),
                ReportOnly(check: .signatures, until: late, note: nil),
            ],
            waivers: [waiver(.expired(seconds: 60)), waiver(.tls(minimumVersion: .tls11))],
            owner: nil, note: nil)
        body.requirements.forbiddenKeys = [
            ForbiddenKey(
                id: "lost",
                matches: [World.key(of: .p256("a lost key")), World.key(of: .p256("another"))],
                notBefore: DateWindow(from: .at("2026-01-01"), until: late))
        ]
        var edge = AnchorSetContents(
            id: "edge", groups: [group([other.der])], intermediates: [acme.issuing.der])
        edge.groups[0].constraints = [AnchorConstraints()]
        edge.groups[0].constraints[0].notBefore = DateWindow(from: .at("2026-01-01"), until: late)
        return PolicyContents(
            defaultRule: .body(body),
            rules: [
                RuleContents(
                    id: "api", hosts: [HostPattern(host: .name(World.host), port: nil)], body: body),
                RuleContents(
                    id: "web",
                    hosts: [
                        HostPattern(host: .name("a.example"), port: 443),
                        HostPattern(host: .name("a.example"), port: 444),
                        HostPattern(host: .address(TableSamples.address), port: 443),
                        HostPattern(host: .address(TableSamples.address), port: 444),
                    ], body: body),
            ],
            anchorSets: [
                AnchorSetContents(id: "corp", groups: [group([acme.root.der, other.der])]), edge,
            ],
            pinSets: [
                pinSet(
                    "live",
                    [
                        pin(
                            "one",
                            [
                                World.key(of: acme.issuing.key),
                                World.certificate(of: acme.issuing.certificate),
                            ]),
                        pin("two", [World.key(of: other.key)]),
                    ]), pinSet("past", [pin("one", [World.key(of: acme.root.key)])]),
            ])
    }()

    private static func encoded(_ change: (inout PolicyContents) -> Void = { _ in }) -> [UInt8] {
        var contents = sound
        change(&contents)
        return PolicyTable.encode(contents, provenance: nil, crypto: LibCryptoBackend()).bytes
    }

    private static func decoded(_ bytes: [UInt8]) throws(TableDecodingError) -> PolicyTable {
        try PolicyTable(decoding: bytes, crypto: LibCryptoBackend())
    }

    private static func refusal(_ bytes: [UInt8]) -> TableDecodingError.Code? {
        do throws(TableDecodingError) {
            _ = try decoded(bytes)
            return nil
        } catch {
            return error.code
        }
    }

    /// `accept`, ids of violations, or the code that the load refuses with.
    private static func outcome(
        _ bytes: [UInt8], host: String = World.host, chain: [[UInt8]]? = nil
    ) throws -> [String] {
        let table = try decoded(bytes)
        let engine: Engine
        do throws(EngineError) {
            engine = try Engine(
                table: table, inputs: EngineInputs(), crypto: LibCryptoBackend())
        } catch {
            return [error.code.rawValue]
        }
        let request = TrustRequest(
            host: host, port: 443, presentedChain: chain ?? [acme.good.der, acme.issuing.der],
            time: Scenario.judgedAt, tls: .observed(TLSParameters(version: .tls13)))
        let explanation = engine.explain(request)
        #expect(engine.evaluate(request) == explanation.verdict)
        #expect(explanation.trace.replayedVerdict() == explanation.verdict)
        let verdict = explanation.verdict
        return verdict.isAccept ? ["accept"] : verdict.violations.map(\.id)
    }

    // MARK: What the contents say

    /// A promise broken by a table that is otherwise well made.
    struct Broken: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout PolicyContents) -> Void

        init(_ name: String, _ change: @escaping @Sendable (inout PolicyContents) -> Void) {
            self.testDescription = name
            self.change = change
        }

        /// A change of only the rule `api`.
        static func rule(
            _ name: String, _ change: @escaping @Sendable (inout RuleBody) -> Void
        ) -> Broken {
            Broken(name) { change(&$0.rules[0].body) }
        }

        static func requirement(
            _ name: String, _ change: @escaping @Sendable (inout Requirements) -> Void
        ) -> Broken {
            rule(name) { change(&$0.requirements) }
        }

        static func pins(
            _ name: String, _ change: @escaping @Sendable (inout PinSetContents) -> Void
        ) -> Broken {
            Broken(name) { change(&$0.pinSets[0]) }
        }

        static func constraint(
            _ name: String, _ change: @escaping @Sendable (inout AnchorConstraints) -> Void
        ) -> Broken {
            Broken(name) { change(&$0.anchorSets[1].groups[0].constraints[0]) }
        }
    }

    private static let reversed = DateWindow(from: late, until: .at("2026-01-01"))
    private static let beyond = UTCInstant(
        secondsSinceEpoch: UTCInstant.calendarSeconds.upperBound + 1)
    private static let before = UTCInstant(
        secondsSinceEpoch: UTCInstant.calendarSeconds.lowerBound - 1)

    static let brokenPins: [Broken] = [
        .pins("6 no key") { $0.keys = [] },
        .pins("6 no backup") { $0.backups = [] },
        .pins("6 neither") {
            $0.keys = []
            $0.backups = []
        },
        .pins("6 match: 0") { $0.match = 0 },
        .pins("6 match: more than keys and backups") { $0.match = 4 },
        .pins("6 match: no number") { $0.match = Int(UInt32.max) },
        .pins("6 a key without digest") { $0.keys[0].matches = [] },
        .pins("6 a backup without digest") { $0.backups[0].matches = [] },
        .pins("6 one id for two keys") { $0.keys[1].id = "one" },
        .pins("11 warn-from before the calendar") { $0.warnFrom = before },
        .pins("11 warn-from beyond the calendar") { $0.warnFrom = beyond },
        .pins("11 enforce-until before the calendar") { $0.enforceUntil = before },
        .pins("11 enforce-until beyond the calendar") { $0.enforceUntil = beyond },
    ]

    static let brokenRules: [Broken] = [
        .rule("4 no anchors") { $0.anchors = [] },
        .rule("5 pinned keys beside another set") { $0.anchorsArePinnedKeys = true },
        .rule("5 pinned keys without pins") {
            $0.anchorsArePinnedKeys = true
            $0.anchors = []
            $0.pins = []
        },
        .rule("7 names beside `host`") { $0.identity.dns = ["a.example"] },
        .rule("7 addresses beside `host`") { $0.identity.ip = [TableSamples.address] },
        .rule("7 mailboxes beside `host`") { $0.identity.email = ["x@a.example"] },
        .rule("7 URIs beside `host`") { $0.identity.uri = ["spiffe://a.example/*"] },
        .rule("7 a listed URI that is none") {
            $0.identity = IdentityRequirement(reference: .listed, uri: ["spiffe:"])
        },
        .rule("7 `listed` and nothing listed") { $0.identity.reference = .listed },
        .rule("7 `host-and-listed` and nothing listed") { $0.identity.reference = .hostAndListed },
        .rule("9 one check twice") { $0.reportOnly.append($0.reportOnly[0]) },
        .rule("9 one registered check twice") {
            $0.reportOnly += [ReportOnly](
                repeating: ReportOnly(check: .custom("known"), until: late, note: nil), count: 2)
        },
        .rule("11 report-only beyond the calendar") { $0.reportOnly[0].until = beyond },
        .rule("10 one waiver twice") { $0.waivers.append(waiver(.expired(seconds: 61))) },
        .rule("10 tolerance below zero") { $0.waivers = [waiver(.expired(seconds: -1))] },
        .rule("10 keys of 1023 bits") { $0.waivers = [waiver(.keys(rsaMinimum: 1_023))] },
        .rule("10 keys of 2048 bits") { $0.waivers = [waiver(.keys(rsaMinimum: 2_048))] },
        .rule("10 signatures by SHA-256") {
            $0.waivers = [waiver(.signatures(minimumHash: .sha256))]
        },
        .rule("10 TLS 1.2") { $0.waivers = [waiver(.tls(minimumVersion: .tls12))] },
        .rule("11 a waiver beyond the calendar") { $0.waivers = [waiver(.path, until: beyond)] },
        .rule("11 a waiver before the calendar") { $0.waivers = [waiver(.path, until: before)] },
    ]

    static let brokenRequirements: [Broken] = [
        .requirement("8 33 intermediates") { $0.maximumIntermediates = 33 },
        .requirement("8 a lifetime of nothing") { $0.maximumLifetime = 0 },
        .requirement("8 a lifetime beyond 10,000 years") { $0.maximumLifetime = .max },
        .requirement("8 an age beyond 10,000 years") { $0.revocation.maximumAge = .max },
        .requirement("8 short-lived beyond 10,000 years") { $0.revocation.shortLived = .max },
        .requirement("8 a log list's age beyond 10,000 years") {
            $0.transparency.logListMaximumAge = .max
        },
        .requirement("8 fewer than none") { $0.maximumIntermediates = -1 },
        .requirement("8 no purpose") { $0.keyPurposes = KeyPurposes() },
        .requirement("8 an empty purpose") { $0.keyPurposes.others = [[]] },
        .requirement("8 no key type") { $0.keyTypes = [] },
        .requirement("8 no key type of the leaf") { $0.leafKeyTypes = [] },
        .requirement("8 RSA of 2047 bits") { $0.rsaMinimum = 2_047 },
        .requirement("8 RSA of 16385 bits") { $0.rsaMinimum = 16_385 },
        .requirement("8 SHA-1") { $0.minimumHash = .sha1 },
        .requirement("8 no scheme") { $0.signatureSchemes = [] },
        .requirement("8 a skew below zero") { $0.clockSkew = -1 },
        .requirement("8 a skew of more than a day") { $0.clockSkew = 86_401 },
        .requirement("8 a lifetime below zero") { $0.maximumLifetime = -1 },
        .requirement("8 TLS 1.1") { $0.tls.minimumVersion = .tls11 },
        .requirement("8 TLS 1.0") { $0.tls.minimumVersion = .tls10 },
        .requirement("8 TLS 1.1 at most") { $0.tls.maximumVersion = .tls11 },
        .requirement("8 no source") { $0.revocation.sources = [] },
        .requirement("8 one source twice") { $0.revocation.sources = [.crl, .crl] },
        .requirement("8 an age below zero") { $0.revocation.maximumAge = -1 },
        .requirement("8 short-lived below zero") { $0.revocation.shortLived = -1 },
        .requirement("8 no timestamp") { $0.transparency.minimumSCTs = 0 },
        .requirement("8 11 timestamps") { $0.transparency.minimumSCTs = 11 },
        .requirement("8 no operator") { $0.transparency.minimumOperators = 0 },
        .requirement("8 11 operators") { $0.transparency.minimumOperators = 11 },
        .requirement("8 an age of the log list below zero") {
            $0.transparency.logListMaximumAge = -1
        },
        .requirement("8 a log list that is not there") {
            $0.transparency.logList = TableSamples.digest(9)
        },
        .requirement("8 two steps of one date") {
            let step = LifetimeStep(issuedFrom: .at("2026-01-01"), maximum: 60)
            $0.lifetimeSteps = [step, step]
        },
        .requirement("8 a step of nothing") {
            $0.lifetimeSteps = [LifetimeStep(issuedFrom: .at("2026-01-01"), maximum: 0)]
        },
        .requirement("11 a step beyond the calendar") {
            $0.lifetimeSteps = [LifetimeStep(issuedFrom: beyond, maximum: 60)]
        },
        .requirement("8 a forbidden key without digest") { $0.forbiddenKeys[0].matches = [] },
        .requirement("8 one id for two forbidden keys") {
            $0.forbiddenKeys.append($0.forbiddenKeys[0])
        },
        .requirement("11 a forbidden key in a window that ends before it begins") {
            $0.forbiddenKeys[0].notBefore = reversed
        },
        .requirement("11 a forbidden key in a window beyond the calendar") {
            $0.forbiddenKeys[0].notBefore = DateWindow(from: nil, until: beyond)
        },
    ]

    static let brokenAnchors: [Broken] = [
        Broken("5 a set without groups") { $0.anchorSets[0].groups = [] },
        Broken("5 a group without members") {
            $0.anchorSets[0].groups[0].source = .members([])
        },
        Broken("5 a filter of members that are known") {
            $0.anchorSets[0].groups[0].filters = [AnchorFilter(only: [])]
        },
        Broken("5 a limit that nobody may ignore: cA and key usage") {
            $0.anchorSets[0].groups[0].ignoredLimits = .authority
        },
        Broken("5 a limit that nobody may ignore: basic constraints") {
            $0.anchorSets[0].groups[0].ignoredLimits = .basicConstraintsPresence
        },
        Broken("3 `system` with members of its own") {
            $0.anchorSets.append(
                AnchorSetContents(id: "system", groups: $0.anchorSets[0].groups))
        },
        Broken("3 `system` by another standard") {
            $0.anchorSets.append(
                AnchorSetContents(id: "system", groups: [AnchorGroup(source: .system)]))
        },
        Broken("3 `system` and members beside") {
            $0.anchorSets.append(
                AnchorSetContents(
                    id: "system", groups: [.system] + $0.anchorSets[0].groups))
        },
        Broken("3 `system` with certificates to offer") {
            $0.anchorSets.append(
                AnchorSetContents(
                    id: "system", groups: [.system], intermediates: [acme.issuing.der]))
        },
        Broken("3 a set called `pinned-keys`") {
            $0.anchorSets.append(
                AnchorSetContents(id: "pinned-keys", groups: $0.anchorSets[0].groups))
        },
        .constraint("11 not-before ends before it begins") { $0.notBefore = reversed },
        .constraint("11 sct ends before it begins") { $0.sct = reversed },
        .constraint("11 not-before beyond the calendar") {
            $0.notBefore = DateWindow(from: beyond)
        },
        .constraint("11 not-before before the calendar") {
            $0.notBefore = DateWindow(until: before)
        },
        .constraint("5 a lifetime below zero") { $0.maximumLifetime = -2 },
        .constraint("5 no purpose") { $0.keyPurposes = KeyPurposes() },
        .constraint("11 a name in upper case") {
            $0.permittedNames = [HostPattern(host: .name("A.example"), port: nil)]
        },
        .constraint("11 a name with a dot at its end") {
            $0.excludedNames = [HostPattern(host: .name("a.example."), port: nil)]
        },
        .constraint("11 an address as a name") {
            $0.permittedNames = [HostPattern(host: .name("192.0.2.1"), port: nil)]
        },
        .constraint("11 a wildcard over nothing") {
            $0.permittedNames = [HostPattern(host: .anyLabels(base: ""), port: nil)]
        },
        .constraint("11 a network with host bits") {
            $0.permittedNames = [
                HostPattern(host: .network(TableSamples.address, prefix: 8), port: nil)
            ]
        },
    ]

    static let brokenLogLists: [Broken] = [
        Broken("8 a log list that nothing names") { $0.logLists = [RandomPolicies.logLists[0]] },
        Broken("8 a log list of another digest") {
            let lists = RandomPolicies.logLists
            $0.rules[0].body.requirements.transparency.logList = lists[0].digest
            $0.logLists = [LogListContents(digest: lists[0].digest, bytes: lists[1].bytes)]
        },
    ]

    @Test(
        "what no policy says is refused",
        arguments: [
            brokenPins, brokenRules, brokenRequirements, brokenAnchors, brokenLogLists,
        ].flatMap(\.self))
    func refused(_ row: Broken) {
        #expect(Self.refusal(Self.encoded(row.change)) == .malformed)
    }

    @Test("the table itself is sound") func soundTable() throws {
        #expect(try Self.outcome(Self.encoded()) == ["accept"])
    }

    // MARK: Harmless changes

    /// A broken promise that the decoder does not check: the table's outcome for the good chain,
    /// and why that is not weaker than some policy.
    struct Harmless: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let outcome: [String]
        let change: @Sendable (inout PolicyContents) -> Void

        init(
            _ name: String, _ outcome: [String],
            _ change: @escaping @Sendable (inout PolicyContents) -> Void
        ) {
            self.testDescription = name
            self.outcome = outcome
            self.change = change
        }

        static func rule(
            _ name: String, _ outcome: [String],
            _ change: @escaping @Sendable (inout RuleBody) -> Void
        ) -> Harmless {
            Harmless(name, outcome) { change(&$0.rules[0].body) }
        }

        static func requirement(
            _ name: String, _ outcome: [String] = ["accept"],
            _ change: @escaping @Sendable (inout Requirements) -> Void
        ) -> Harmless {
            rule(name, outcome) { change(&$0.requirements) }
        }
    }

    static let harmless: [Harmless] = [
        // Pins: a path must still hold as many distinct pinned keys as `match` says.
        Harmless("a backup that is the key: the same paths are pinned", ["accept"]) {
            $0.pinSets[0].backups[0].matches = $0.pinSets[0].keys[0].matches
        },
        Harmless("one id for a key and a backup: a trace says which is the backup", ["accept"]) {
            $0.pinSets[0].backups[0].id = "one"
        },
        Harmless("two keys that are one: it counts once", ["pin-mismatch"]) {
            $0.pinSets[0].keys[1].matches = $0.pinSets[0].keys[0].matches
            $0.pinSets[0].match = 2
        },
        Harmless("more matches than distinct keys: nothing is accepted", ["pin-mismatch"]) {
            $0.pinSets[0].match = 3
            $0.pinSets[0].backups[0].matches = $0.pinSets[0].keys[0].matches
        },
        Harmless("warn-from after enforce-until: no notice before the end", ["accept"]) {
            $0.pinSets[0].warnFrom = late
            $0.pinSets[0].enforceUntil = .at("2026-07-01")
        },
        .rule("pinned keys between others: they are no anchor", ["anchor-not-trusted"]) {
            $0.anchors = []
            $0.anchorsArePinnedKeys = true
            $0.pins = ["middle"]
        },
        // Fields that contradict each other: nothing meets them.
        .requirement("TLS 1.3 at least and 1.2 at most", ["tls-version"]) {
            $0.tls.minimumVersion = .tls13
            $0.tls.maximumVersion = .tls12
        },
        .rule(
            "key types of the leaf that no path may have",
            [String](repeating: "key-type-not-allowed", count: 3)
        ) {
            $0.reportOnly = []
            $0.requirements.keyTypes = [.init(.rsa)]
            $0.requirements.leafKeyTypes = [.init(.p256)]
        },
        .requirement(
            "evidence by staple alone for every certificate",
            [
                "revocation-undetermined", "revocation-undetermined",
            ]
        ) {
            $0.revocation.preset = .require
            $0.revocation.causes = .require
            $0.revocation.sources = [.stapled]
        },
        .requirement("timestamps without a log list: the load refuses", ["log-list-unreadable"]) {
            $0.transparency.preset = .chrome
        },
        .requirement("a number of timestamps where none are demanded: none are") {
            $0.transparency.minimumSCTs = 10
        },
        .requirement("a check that nobody registers: the load refuses", ["check-not-registered"]) {
            $0.checks = ["known"]
        },
        // Numbers beyond what a policy can write, none of which overflow.
        .requirement("the longest step") {
            $0.lifetimeSteps = [LifetimeStep(issuedFrom: .at("2026-01-01"), maximum: .max)]
        },
        .rule("the longest tolerance", ["accept"]) {
            $0.waivers = [waiver(.expired(seconds: .max))]
        },
        // Names that no certificate can present.
        .rule("listed names that are none: nothing presents them", ["name-mismatch"]) {
            $0.identity = IdentityRequirement(
                reference: .listed, dns: ["", ".", "a..example"], email: ["", "@", "x"])
        },
        .rule("a listed wildcard is one name, of one label more", ["name-mismatch"]) {
            $0.identity = IdentityRequirement(reference: .listed, dns: ["*.acme.example"])
        },
        // Waivers and report modes of what a rule does not demand lift nothing.
        .rule("moot waivers and report modes", ["accept"]) {
            $0.pins = []
            $0.waivers = [waiver(.pins), waiver(.transparency)]
            $0.reportOnly = [
                ReportOnly(check: .pins, until: late, note: nil),
                ReportOnly(check: .custom("all"), until: late, note: nil),
                ReportOnly(check: .custom("revocation"), until: late, note: nil),
            ]
        },
        // Anchors that are not of their kind are judged as what they are.
        Harmless("an end entity as a root: it signs nothing", ["issuer-not-found", "pin-mismatch"])
        {
            $0.anchorSets[0].groups[0].source = .members([acme.good.der])
        },
        Harmless("an exemption for a set that is not there", ["accept"]) {
            $0.rules[0].body.requirements.transparency.exemptAnchors = ["nobody"]
        },
        Harmless("an anchor that is no certificate: the load refuses", ["anchor-unreadable"]) {
            $0.anchorSets[0].groups[0].source = .members([[0x30, 0]])
        },
        Harmless("an intermediate that is no certificate: the load refuses", ["anchor-unreadable"])
        {
            $0.anchorSets[0].intermediates = [[0x30, 0]]
        },
    ]

    @Test("what the decoder lets through is no weaker than a policy", arguments: harmless)
    func letThrough(_ row: Harmless) throws {
        let bytes = Self.encoded {
            $0.pinSets.append(
                Self.pinSet(
                    "middle",
                    [Self.pin("one", [World.key(of: Self.acme.issuing.key)], at: .intermediate)]))
            $0.pinSets[2].backups[0].position = .intermediate
            row.change(&$0)
        }
        let outcome = try Self.outcome(bytes)
        #expect(outcome == row.outcome)
    }

    /// HW508: a name on a certificate that anyone can make. Whoever writes that table could waive
    /// `identity` as well; in both cases each accept lists the failures that were let through, up
    /// to the waiver's last day.
    @Test("a waiver of the path alone ends, and is reported") func hollowIdentity() throws {
        let bytes = Self.encoded {
            $0.rules[0].body.pins = []
            $0.rules[0].body.waivers = [Self.waiver(.path, until: .at("2026-05-31T23:59:59Z"))]
        }
        let stranger = Scenario().root("Nobody", key: .p256("nobody"))
            .issueLeaf(dns: [World.host])
        #expect(try Self.outcome(bytes, chain: [stranger.der]) == ["issuer-not-found"])
    }

    // MARK: Pinned certificates

    /// Where pinned keys are the anchors, the certificates beside their digests end paths. One
    /// whose digest is not among them would be an anchor that no reader of the digests sees.
    @Test("a certificate beside a pin is one that the set pins", arguments: [false, true])
    func strayCertificate(isBackup: Bool) throws {
        func bytes(_ certificate: Authority, _ match: KeyMatch) -> [UInt8] {
            Self.encoded {
                $0.rules[0].body.anchors = []
                $0.rules[0].body.anchorsArePinnedKeys = true
                $0.rules[0].body.pins = ["live"]
                let pin = PinContents(
                    id: "file", matches: [match], position: .ca, certificates: [certificate.der],
                    note: nil)
                if isBackup { $0.pinSets[0].backups = [pin] } else { $0.pinSets[0].keys = [pin] }
            }
        }
        let root = Self.acme.root
        let third = Scenario().root("Root C", key: .p256("evaluation root c"))
        for match in [World.key(of: root.key), World.certificate(of: root.certificate)] {
            let own = try Self.outcome(bytes(root, match))
            #expect(own == ["accept"])
            let stray = try Self.outcome(bytes(third, match))
            #expect(stray == ["anchor-unreadable"])
        }
    }

    // MARK: Format version

    /// The table with the other format version in both places, sealed anew.
    private static func sealed(_ bytes: [UInt8], version: UInt8) -> [UInt8] {
        var bytes = bytes
        bytes[8] = version
        bytes[168] = version
        return TableDecoderTests.resealed(bytes)
    }

    /// The table in which the waiver of `tls`, number 9, is the waiver with this number and value.
    private static func waiving(_ number: UInt8, _ value: UInt64) -> [UInt8] {
        var bytes = encoded {
            $0.rules[0].body.waivers = [waiver(.tls(minimumVersion: .tls11))]
            $0.rules[1].body.waivers = []
            $0.defaultRule = .deny
        }
        let section = TableDecoderTests.extent(21, bytes)
        bytes[section.lowerBound] = number
        for octet in 0..<8 {
            bytes[section.lowerBound + 8 + octet] = UInt8(truncatingIfNeeded: value >> (8 * octet))
        }
        return TableDecoderTests.resealed(bytes)
    }

    @Test("11 the waiver `issuance` holds known demands")
    func issuanceWaiver() throws {
        let all = IssuanceDemands.all.rawValue
        for value in [1, all, all & ~1] as [UInt64] {
            #expect(Self.refusal(Self.waiving(11, value)) == nil, "\(value)")
            let outcome = try Self.outcome(Self.waiving(11, value))
            #expect(outcome == ["accept"])
        }
        for value in [0, all + 1, 1 << 62, 1 << 63, .max] as [UInt64] {
            #expect(Self.refusal(Self.waiving(11, value)) == .malformed, "\(value)")
        }
        #expect(Self.refusal(Self.waiving(12, 1)) == .malformed)
        // The table is sound but for the waiver.
        #expect(Self.refusal(Self.waiving(9, 0x0302)) == nil)
    }

    @Test("a table of another version is refused", arguments: [0, 2, 3, 255] as [UInt8])
    func otherVersion(_ version: UInt8) {
        #expect(Self.refusal(Self.sealed(Self.encoded(), version: 1)) == nil)
        #expect(Self.refusal(Self.sealed(Self.encoded(), version: version)) == .unsupportedVersion)
    }

    /// The two format versions that a table names are one.
    @Test("a table that is of two versions is refused")
    func twoVersions() {
        var bytes = Self.encoded()
        bytes[168] = 2
        #expect(Self.refusal(TableDecoderTests.resealed(bytes)) == .malformed)
    }

    // MARK: Bytes

    /// Two records, or parts of one, that are equal or exchanged: nothing that `PolicyContents` can
    /// hold.
    struct Edit: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let section: Int
        let change: @Sendable (inout [UInt8]) -> Void

        /// - Parameter change: of the section's bytes.
        init(
            _ name: String, _ section: Int, _ change: @escaping @Sendable (inout [UInt8]) -> Void
        ) {
            self.testDescription = name
            self.section = section
            self.change = change
        }

        /// Copies a run of octets over another.
        static func copy(
            _ name: String, _ section: Int, _ source: Int, to target: Int, count: Int = 4
        ) -> Edit {
            Edit(name, section) {
                $0.replaceSubrange(
                    target..<target + count, with: Array($0[source..<source + count]))
            }
        }

        /// Exchanges two runs of octets.
        static func swap(
            _ name: String, _ section: Int, _ first: Int, _ second: Int, count: Int = 4
        ) -> Edit {
            Edit(name, section) { bytes in
                for octet in 0..<count { bytes.swapAt(first + octet, second + octet) }
            }
        }

        static func set(_ name: String, _ section: Int, _ offset: Int, _ octet: UInt8) -> Edit {
            Edit(name, section) { $0[offset] = octet }
        }
    }

    static let edits: [Edit] = [
        .copy("rules: one id twice", 17, 8, to: 8 + 56),
        .swap("rules: ids exchanged", 17, 8, 8 + 56),
        .copy("rules: `default` with an id", 17, 8, to: 8 + 2 * 56),
        .copy("rules: a rule called as `default` is", 17, 8 + 2 * 56, to: 8),
        .set("rules: two bodies of `default`", 17, 4, 2),
        .set("rule: a waiver fewer than there are", 17, 8 + 36, 1),
        .set("rule: a waiver more", 17, 8 + 36, 3),
        .set("rule: waivers of the next rule", 17, 8 + 32, 2),
        .set("rule: a report mode fewer than there are", 17, 8 + 44, 1),
        .set("rule: a report mode more", 17, 8 + 44, 3),
        .set("rule: report modes of the next rule", 17, 8 + 40, 2),
        .set("rule: a pin set fewer than there are", 17, 8 + 20, 1),
        .set("rule: flags of eight octets", 17, 8 + 55, 1),
        .copy("list: one anchor set twice", 18, 0, to: 4),
        .swap("list: anchor sets exchanged", 18, 0, 4),
        .set("waiver: a number where none belongs", 21, 4, 1),
        .copy("waiver: one kind twice", 21, 0, to: 24),
        .swap("waivers: kinds exchanged", 21, 0, 24, count: 16),
        .copy("anchor sets: one id twice", 22, 0, to: 24),
        .swap("anchor sets: ids exchanged", 22, 0, 24),
        .copy("pin sets: one id twice", 24, 0, to: 40),
        .swap("pin sets: ids exchanged", 24, 0, 40),
        .set("pin set: the pins of the next set", 24, 4, 3),
        .set("pin set: a key fewer than there are", 24, 8, 1),
        .set("pin set: a backup more than there are", 24, 12, 2),
        .set("pin set: unknown on-expiry", 24, 20, 3),
        .set("pin set: unknown flag", 24, 21, 4),
        .set("pin set: a number where none belongs", 24, 22, 1),
        .set("pin set: warn-from without its flag", 24, 24, 1),
        .set("pin set: enforce-until without its flag", 24, 32, 1),
        .copy("pins: one id twice", 25, 0, to: 24),
        .swap("pins: ids exchanged", 25, 0, 24),
        .set("pin: the digests of the next pin", 25, 8, 2),
        .set("pin: a digest fewer than there are", 25, 12, 1),
        .copy("digests: one twice in a pin", 26, 0, to: 72, count: 72),
        .swap("digests: exchanged in a pin", 26, 0, 72, count: 72),
        .set("digest: unknown kind", 26, 0, 2),
        .set("digest: a number where none belongs", 26, 7, 1),
        .set("digest: an octet behind its end", 26, 71, 1),
        .copy("report modes: one check twice", 31, 0, to: 16),
        .swap("report modes: checks exchanged", 31, 0, 16),
        .set("report mode: a registered check without name", 31, 16, 8),
    ]

    @Test("records that are equal, exchanged or out of place are refused", arguments: edits)
    func refused(_ edit: Edit) {
        var bytes = Self.encoded()
        let range = TableDecoderTests.extent(edit.section, bytes)
        var section = Array(bytes[range])
        edit.change(&section)
        #expect(section != Array(bytes[range]))
        bytes.replaceSubrange(range, with: section)
        #expect(Self.refusal(TableDecoderTests.resealed(bytes)) == .malformed)
    }

    /// Offsets in sections of which only the end is known here: the blocks of ports of `a.example`,
    /// the records of the address.
    @Test("a port twice, ports exchanged, and port 0 are refused") func ports() throws {
        let bytes = Self.encoded()
        let names = TableDecoderTests.extent(28, bytes)
        let addresses = TableDecoderTests.extent(29, bytes)
        let wanted: [UInt8] = [0xBB, 0x01, 0xBC, 0x01]
        let inNames = try #require(
            names.first { Array(bytes[$0..<min($0 + 4, bytes.count)]) == wanted })
        // Two records of an address, a port, zeros and a rule.
        let inAddresses = addresses.upperBound - 2 * 12 + 4
        #expect(Array(bytes[inAddresses..<inAddresses + 2]) == Array(wanted.prefix(2)))
        for (first, second) in [(inNames, inNames + 2), (inAddresses, inAddresses + 12)] {
            for (one, other) in [(0xBB, 0xBB), (0xBC, 0xBB), (0xBC, 0xBC)] as [(UInt8, UInt8)] {
                var changed = bytes
                changed[first] = one
                changed[second] = other
                #expect(Self.refusal(TableDecoderTests.resealed(changed)) == .malformed)
            }
        }
        var changed = bytes
        changed.replaceSubrange(inNames..<inNames + 2, with: [0, 0])
        #expect(Self.refusal(TableDecoderTests.resealed(changed)) == .malformed)
    }
}
