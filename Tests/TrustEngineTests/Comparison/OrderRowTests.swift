import TestPKI
import Testing
import TrustEngine

/// The relation of two rules that differ in one term, a row for each rule of the order, in both
/// directions.
@Suite("the order, row by row") struct OrderRowTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let relation: Relation
        let here: RowRule
        let there: RowRule

        init(
            _ name: String, _ relation: Relation, _ here: RowRule, _ there: RowRule = RowRule()
        ) {
            testDescription = name
            self.relation = relation
            self.here = here
            self.there = there
        }

        /// - Parameter time: where given, the rules are compared as of this instant.
        func judge(at time: UTCInstant? = nil) {
            let order = BehaviourOrder()
            var (here, there) = (self.here.behaviour, self.there.behaviour)
            if let time { (here, there) = (here.asOf(time), there.asOf(time)) }
            #expect(order.relation(here, there) == relation)
            #expect(order.relation(there, here) == relation.reversed)
            // The fields of the whole comparison say the same.
            #expect(order.compare(here, there).relation == relation)
            let fields = order.compare(here, there).fields
            #expect(fields.reduce(Relation.equal) { $0.and($1.relation) } == relation, "\(fields)")
        }
    }

    @Test("`deny` accepts nothing")
    func deny() {
        let (order, body) = (BehaviourOrder(), RowRule().behaviour)
        #expect(order.relation(.deny, body) == .stricter)
        #expect(order.relation(body, .deny) == .weaker)
        #expect(order.compare(.deny, body).fields.map(\.relation) == [.stricter])
        #expect(order.compare(body, .deny).fields.map(\.relation) == [.weaker])
    }

    @Test("a whole is weaker where a part is, and incomparable before it is stricter")
    func direction() {
        #expect(Relation.direction(of: [.stricter, .weaker, .incomparable]) == .weaker)
        #expect(Relation.direction(of: [.stricter, .incomparable]) == .incomparable)
        #expect(Relation.direction(of: [.equal, .stricter]) == .stricter)
        #expect(Relation.direction(of: [.equal]) == .equal)
        #expect(Relation.stricter.and(.weaker) == .incomparable)
        #expect(Relation.stricter.and(.equal) == .stricter)
        #expect(Relation.equal.and(.weaker) == .weaker)
    }

    // MARK: Exceptions

    private static func pinned(_ change: (inout RowRule) -> Void = { _ in }) -> RowRule {
        RowRule {
            $0.pins = [RowRule.pinSet("pay", [(World.key(of: Chains.issuing.key), .any)])]
            change(&$0)
        }
    }

    private static func transparent(_ change: (inout RowRule) -> Void = { _ in }) -> RowRule {
        RowRule {
            $0.requirements.transparency.preset = .chrome
            change(&$0)
        }
    }

    /// One cause rejects and another one does not.
    private static func mixedCauses(_ change: (inout RowRule) -> Void = { _ in }) -> RowRule {
        RowRule {
            $0.requirements.revocation.causes = .require
            $0.requirements.revocation.causes[.malformed] = .report
            change(&$0)
        }
    }

    private static let exceptionRows: [Row] = [
        Row("a waiver", .weaker, .waiving(.identity)),
        Row(
            "a waiver that lasts longer", .weaker, .waiving(.identity, until: .day(20)),
            .waiving(.identity, until: .day(10))),
        Row(
            "a waiver of a larger tolerance", .weaker, .waiving(.expired(seconds: 20)),
            .waiving(.expired(seconds: 10))),
        Row(
            "a waiver of older versions", .weaker, .waiving(.tls(minimumVersion: .tls10)),
            .waiving(.tls(minimumVersion: .tls11))),
        Row(
            "a waiver of shorter keys", .weaker, .waiving(.keys(rsaMinimum: 1024)),
            .waiving(.keys(rsaMinimum: 1536))),
        Row(
            "a waiver of weaker hashes", .weaker, .waiving(.signatures(minimumHash: .sha1)),
            .waiving(.signatures(minimumHash: .sha256))),
        Row(
            "waivers of two kinds", .incomparable, .waiving(.identity), .waiving(.path)),
        Row(
            "one of two waivers of a name is covered", .weaker,
            RowRule {
                $0.waive(.expired(seconds: 10))
                $0.waive(.expired(seconds: 20), until: .day(5))
            }, .waiving(.expired(seconds: 10))),
        Row("a mode", .weaker, .reporting(.tls)),
        Row("modes of two checks", .incomparable, .reporting(.tls), .reporting(.signatures)),
        Row(
            "a mode of pins beside a waiver of pins", .equal,
            pinned { $0.report(.pins) }, pinned { $0.waive(.pins) }),
        Row(
            "a mode of transparency beside a waiver of it", .equal,
            transparent { $0.report(.transparency) }, transparent { $0.waive(.transparency) }),
        Row(
            "a waiver of revocation lets revoked certificates pass, and a mode does not", .weaker,
            .waiving(.revocation), .reporting(.revocation)),
        Row("a waiver of pins", .weaker, pinned { $0.waive(.pins) }, pinned()),
        Row("a waiver of pins where nothing is pinned", .equal, .waiving(.pins)),
        Row(
            "a waiver of transparency", .weaker, transparent { $0.waive(.transparency) },
            transparent()),
        Row("a waiver of transparency that nothing demands", .equal, .waiving(.transparency)),
        Row(
            "a mode of a longest lifetime", .weaker,
            RowRule {
                $0.requirements.maximumLifetime = 90
                $0.report(.lifetime)
            }, RowRule { $0.requirements.maximumLifetime = 90 }),
        Row("a mode of a lifetime that nothing limits", .equal, .reporting(.lifetime)),
        Row(
            "a waiver of issuance that rejects", .weaker,
            RowRule {
                $0.requirements.enforcesIssuance = true
                $0.waive(.issuance(IssuanceDemands([.subjectKeyIdentifierMissing])))
            }, RowRule { $0.requirements.enforcesIssuance = true }),
        Row(
            "a waiver of issuance that only reports", .equal,
            .waiving(.issuance(IssuanceDemands([.subjectKeyIdentifierMissing])))),
        Row(
            "a mode of a registered check", .weaker,
            RowRule {
                $0.requirements.checks = ["short"]
                $0.report(.custom("short"))
            }, RowRule { $0.requirements.checks = ["short"] }),
        Row("a mode of a check that nothing names", .equal, .reporting(.custom("short"))),
        Row(
            "a mode that decides which evidence counts, under one action of all causes", .weaker,
            RowRule {
                $0.requirements.revocation.causes = .require
                $0.report(.keys)
            }, RowRule { $0.requirements.revocation.causes = .require }),
        Row(
            "a mode that decides which evidence counts, under two actions", .incomparable,
            mixedCauses { $0.report(.keys) }, mixedCauses()),
        Row(
            "a mode that decides no evidence, under two actions", .weaker,
            mixedCauses { $0.report(.tls) }, mixedCauses()),
    ]

    @Test("exceptions", arguments: exceptionRows)
    func exceptions(row: Row) { row.judge() }

    // MARK: Identity

    private static func listed(
        _ reference: IdentityRequirement.Reference = .listed, dns: [String] = [],
        ip: [IPAddress] = [], email: [String] = [], uri: [String] = []
    ) -> RowRule {
        RowRule {
            $0.identity = IdentityRequirement(
                reference: reference, dns: dns, ip: ip, email: email, uri: uri)
        }
    }

    private static let one = IPAddress(high: 0, low: 0x0A00_0001, isIPv4: true)
    private static let two = IPAddress(high: 0, low: 0x0A00_0002, isIPv4: true)

    private static let identityRows: [Row] = [
        Row("a listed name in place of the host", .incomparable, listed(dns: ["a.example"])),
        Row(
            "the host and a listed name, beside the host", .stricter,
            listed(.hostAndListed, dns: ["a.example"])),
        Row(
            "the host and a listed name, beside the listed name", .stricter,
            listed(.hostAndListed, dns: ["a.example"]), listed(dns: ["a.example"])),
        Row(
            "fewer names", .stricter, listed(dns: ["a.example"]),
            listed(dns: ["a.example", "b.example"])),
        Row(
            "fewer addresses", .stricter, listed(ip: [one]), listed(ip: [one, two])),
        Row(
            "fewer mailboxes", .stricter, listed(email: ["a@x.example"]),
            listed(email: ["a@x.example", "b@x.example"])),
        Row(
            "fewer names of one kind and more of another", .incomparable,
            listed(dns: ["a.example"], ip: [one, two]),
            listed(dns: ["a.example", "b.example"], ip: [one])),
        Row(
            "a URI inside a pattern", .stricter, listed(uri: ["mesh://a.example/x"]),
            listed(uri: ["mesh://a.example/*"])),
        Row(
            "a URI inside a pattern and one outside", .incomparable,
            listed(uri: ["mesh://a.example/x", "mesh://b.example/y"]),
            listed(uri: ["mesh://a.example/*"])),
        Row(
            "lists where the host alone is demanded", .equal, listed(.host, dns: ["a.example"]),
            listed(.host, dns: ["b.example"])),
    ]

    @Test("identities", arguments: identityRows)
    func identities(row: Row) { row.judge() }

    // MARK: Anchors

    private static func trusting(
        _ members: [[UInt8]], kind: AnchorKind = .root, standard: Standard = .rfc5280,
        ignoring limits: AnchorLimits = [], _ change: (inout RowRule) -> Void = { _ in }
    ) -> RowRule {
        RowRule {
            $0.sets = [
                RowRule.set("corp", members, kind: kind, standard: standard, ignoring: limits)
            ]
            change(&$0)
        }
    }

    private static let root = Chains.root.der
    private static let other = Chains.other.der
    private static let issuing = Chains.issuing.der

    private static let again = Scenario().root("Root O", key: .p384("order root")) {
        $0.notAfter = $0.notAfter.advanced(bySeconds: 86_400)
    }.der

    private static func offering(_ certificates: [[UInt8]]) -> RowRule {
        RowRule { $0.sets[0].intermediates = certificates }
    }

    private static func enforcing(_ standard: Standard, _ isEnforced: Bool) -> RowRule {
        trusting([root], standard: standard) { $0.requirements.enforcesIssuance = isEnforced }
    }

    private static func exempting(_ id: String, _ exempt: [String]) -> RowRule {
        transparent {
            $0.sets[0].id = id
            $0.requirements.transparency.exemptAnchors = exempt
        }
    }

    private static func intermediate(_ kind: AnchorKind, _ scope: RevocationScope) -> RowRule {
        trusting([issuing], kind: kind) { $0.requirements.revocation.scope = scope }
    }

    private static let anchorRows: [Row] = [
        Row("one authority more", .weaker, trusting([root, other])),
        Row("another authority", .incomparable, trusting([other])),
        Row("another certificate of an authority", .incomparable, trusting([again])),
        Row(
            "an authority in two sets, in one of them on equal terms", .equal,
            RowRule {
                $0.sets = [RowRule.set(), RowRule.set("strict", standard: .webPKI)]
            }),
        Row("an authority in a set of another id", .equal, RowRule { $0.sets[0].id = "edge" }),
        Row("an anchor of kind leaf", .incomparable, trusting([root], kind: .leaf)),
        Row(
            "an intermediate that needs evidence, beside a root that needs none", .stricter,
            intermediate(.intermediate, .chain), intermediate(.root, .chain)),
        Row(
            "an intermediate that needs no evidence", .equal,
            intermediate(.intermediate, .leafAndIntermediates),
            intermediate(.root, .leafAndIntermediates)),
        Row(
            "`web-pki`, where issuance is reported", .stricter, enforcing(.webPKI, false),
            enforcing(.rfc5280, false)),
        Row(
            "`web-pki`, where issuance rejects", .incomparable, enforcing(.webPKI, true),
            enforcing(.rfc5280, true)),
        Row("a limit that is ignored", .weaker, trusting([root], ignoring: .dates)),
        Row(
            "two limits that are ignored", .incomparable, trusting([root], ignoring: .dates),
            trusting([root], ignoring: .pathLength)),
        Row(
            "two limits that are ignored, one of them also by a second set of an authority",
            .incomparable,
            trusting([root, other], ignoring: .dates) {
                $0.sets.append(RowRule.set("edge", [other], ignoring: .pathLength))
            }, trusting([root, other], ignoring: .pathLength)),
        Row("a certificate that is offered", .weaker, offering([issuing])),
        Row(
            "two certificates that are offered", .incomparable, offering([issuing]),
            offering([other])),
        Row("a set without timestamps", .weaker, exempting("corp", ["corp"]), transparent()),
        Row(
            "a set without timestamps, by another id", .equal, exempting("corp", ["corp"]),
            exempting("edge", ["edge"])),
        Row(
            "a set without timestamps that nothing demands", .equal,
            RowRule { $0.requirements.transparency.exemptAnchors = ["corp"] }),
    ]

    @Test("anchors", arguments: anchorRows)
    func anchors(row: Row) { row.judge() }

    /// Where a rule demands no timestamps, its exemptions change no verdict and are not told.
    @Test("a set without timestamps, beside a rule that demands timestamps of every set")
    func idleExemption() {
        let idle = Self.asking { $0.transparency.exemptAnchors = ["corp"] }
        let comparison = BehaviourOrder().compare(
            idle.behaviour, Self.transparent().behaviour)
        #expect(comparison.relation == .weaker)
        #expect(comparison.fields.map(\.path) == ["transparency.preset"])
    }

    @Test("members of the machine's store are not held to demands of issuance")
    func membersOfStore() throws {
        func behaviour(_ change: (inout World) -> Void) throws -> Behaviour {
            PolicyBehaviours(try Chains.plain.with(change).engine()).behaviour(of: 0)
        }
        let store = try behaviour {
            $0.sets[0].groups = [.system]
            $0.store = [Chains.root.der]
        }
        let listed = try behaviour { $0.sets[0].groups[0].standard = .webPKI }
        #expect(BehaviourOrder().relation(store, listed) == .weaker)
        #expect(BehaviourOrder().relation(listed, store) == .stricter)
    }

    @Test("a certificate of an authority without a limit of the other one leans weaker")
    func lostLimits() {
        let limits: [(TestExtension, AnchorLimits)] = [
            (.nameConstraints(permitted: [.dns("x.example")]), .nameConstraints),
            (.extendedKeyUsage([OID.serverAuth]), .keyPurposes),
            (.basicConstraints(ca: true, pathLength: 1), .pathLength),
        ]
        func leaning(_ own: [UInt8], _ other: [UInt8], _ limits: AnchorLimits = []) -> [Relation] {
            BehaviourOrder().compare(
                Self.trusting([own], ignoring: limits).behaviour,
                Self.trusting([other], ignoring: limits).behaviour
            ).fields.filter { $0.path == "anchors.corp.members" }.map(\.leaning)
        }
        for (limit, ignored) in limits {
            let limited = Scenario().root("Root O", key: .p384("order root")) { $0.set(limit) }
            #expect(leaning(Self.root, limited.der) == [.weaker], "\(ignored)")
            #expect(leaning(limited.der, Self.root) == [.equal], "\(ignored)")
            #expect(leaning(Self.root, limited.der, ignored) == [.equal], "\(ignored)")
        }
        let longer = Scenario().root("Root O", key: .p384("order root")) {
            $0.set(.basicConstraints(ca: true, pathLength: 3))
        }
        let shorter = Scenario().root("Root O", key: .p384("order root")) {
            $0.set(.basicConstraints(ca: true, pathLength: 1))
        }
        #expect(leaning(longer.der, shorter.der) == [.weaker])
        #expect(leaning(shorter.der, longer.der) == [.equal])
    }

    @Test("an order that has compared two rules compares the next two anew")
    func remembered() {
        let order = BehaviourOrder()
        let rules = [RowRule(), Self.trusting([Self.root, Self.other])].map(\.behaviour)
        for _ in 0..<3 { #expect(order.relation(rules[0], rules[1]) == .stricter) }
        #expect(order.relation(rules[1], rules[0]) == .weaker)
        let last = Self.trusting([Self.other]).behaviour
        #expect(order.relation(last, rules[0]) == .incomparable)
        #expect(order.relation(last, rules[1]) == .stricter)
    }

    /// Sets are shared by the rules of one policy.
    @Test("one list of anchors on other terms of the rule")
    func sharedAnchors() {
        let sets = TrustedSets(anchorSets: [RowRule.set()], pinSets: [])
        func behaviour(_ exempt: [String]) -> Behaviour {
            var requirements = Requirements()
            requirements.transparency.preset = .chrome
            requirements.transparency.exemptAnchors = exempt
            return .body(
                sets.behaviour(
                    of: RuleBody(
                        anchors: ["corp"], pins: [], profile: "baseline",
                        requirements: requirements, identity: IdentityRequirement(), waivers: [],
                        owner: nil, note: nil)))
        }
        #expect(BehaviourOrder().relation(behaviour(["corp"]), behaviour([])) == .weaker)
    }

    // MARK: Pinned keys

    private static let key = World.key(of: Chains.issuing.key)
    private static let spare = World.key(of: .p256("order row spare"))

    private static let longer: KeyMatch = {
        guard let digest = Digest(.sha384, bytes: [UInt8](repeating: 7, count: 48)) else {
            preconditionFailure("SHA-384 has 48 octets")
        }
        return KeyMatch(kind: .spki, digest: digest)
    }()

    private static func anchored(_ sets: PinSetContents...) -> RowRule {
        RowRule {
            $0.sets = []
            $0.pins = sets
            $0.anchorsArePinnedKeys = true
        }
    }

    private static func pin(
        _ keys: [(match: KeyMatch, at: PinPosition)], certificates: [[UInt8]] = []
    ) -> PinSetContents {
        RowRule.pinSet("pay", keys, certificates: certificates)
    }

    /// A set in which the last key has a certificate in the policy.
    private static func pinnedByTwoAlgorithms(_ isMore: Bool) -> PinSetContents {
        var set = pin([(key, .ca), (longer, .ca)])
        if isMore {
            set.backups = [
                PinContents(
                    id: "more", matches: [spare], position: .ca, certificates: [other], note: nil)
            ]
        }
        return set
    }

    private static let pinnedKeyRows: [Row] = [
        Row("pinned keys in place of a set", .incomparable, anchored(pin([(key, .ca)]))),
        Row(
            "fewer pinned keys", .stricter, anchored(pin([(key, .ca)])),
            anchored(pin([(key, .ca), (spare, .ca)]))),
        Row(
            "a key that vouches only for itself", .stricter, anchored(pin([(key, .leaf)])),
            anchored(pin([(key, .any)]))),
        Row(
            "a key that vouches only for others", .stricter, anchored(pin([(key, .ca)])),
            anchored(pin([(key, .any)]))),
        Row(
            "a key for itself, beside a key for others", .incomparable,
            anchored(pin([(key, .leaf)])), anchored(pin([(key, .ca)]))),
        Row(
            "a key with its certificate in the policy", .incomparable,
            anchored(pin([(key, .ca)], certificates: [issuing])), anchored(pin([(key, .ca)]))),
        Row(
            "keys of two algorithms, which no digest tells apart", .incomparable,
            anchored(pinnedByTwoAlgorithms(false)), anchored(pinnedByTwoAlgorithms(true))),
        Row(
            "one key more that must be matched, and that is one anchor more", .incomparable,
            anchored(choice(2, of: (digest(1), .intermediate), (digest(2), .anchor))),
            anchored(choice(1, of: (digest(1), .intermediate), (digest(3), .anchor)))),
    ]

    @Test("pinned keys as anchors", arguments: pinnedKeyRows)
    func pinnedKeys(row: Row) { row.judge() }

    /// From the end of their enforcement the pins demand nothing, and the keys are anchors as
    /// before.
    private static let endedKeyRows: [Row] = [
        Row(
            "fewer keys", .stricter, ended([(key, .ca)]), ended([(key, .ca), (spare, .ca)])),
        Row("another key", .incomparable, ended([(key, .ca)]), ended([(spare, .ca)])),
        Row(
            "a key that vouches only for itself", .stricter, ended([(key, .leaf)]),
            ended([(key, .any)])),
        Row(
            "a key that vouches only for others", .stricter, ended([(key, .ca)]),
            ended([(key, .any)])),
        Row(
            "a key for itself, beside a key for others", .incomparable, ended([(key, .leaf)]),
            ended([(key, .ca)])),
        Row(
            "a key for others, at two positions", .equal, ended([(key, .ca)]),
            ended([(key, .anchor)])),
        Row(
            "a key that vouches for nothing", .stricter, ended([(key, .intermediate)]),
            ended([(key, .ca)])),
    ]

    private static func ended(_ keys: [(match: KeyMatch, at: PinPosition)]) -> RowRule {
        anchored(
            RowRule.pinSet("pay", keys) {
                $0.enforceUntil = .day(30)
                $0.onExpiry = .unpinned
            })
    }

    @Test("pinned keys as anchors after the end of enforcement", arguments: endedKeyRows)
    func endedKeys(row: Row) { row.judge(at: .day(31)) }

    // MARK: Pins

    private static func pinning(_ sets: PinSetContents...) -> RowRule {
        RowRule { $0.pins = sets }
    }

    private static func ending(
        _ day: Int64, _ onExpiry: PinSetContents.OnExpiry
    ) -> RowRule {
        pinning(
            RowRule.pinSet("pay", [(key, .any)]) {
                $0.enforceUntil = .day(day)
                $0.onExpiry = onExpiry
            })
    }

    /// A set of which some entries must be matched, each by one of its digests.
    private static func choice(
        _ match: Int, of entries: [KeyMatch]..., at position: PinPosition = .any
    ) -> PinSetContents {
        choice(match, of: entries, at: position)
    }

    private static func choice(
        _ match: Int, of entries: [[KeyMatch]], at position: PinPosition = .any
    ) -> PinSetContents {
        RowRule.pinSet("pay", []) {
            $0.match = match
            $0.keys = entries.enumerated().map {
                PinContents(
                    id: "k\($0.offset)", matches: $0.element, position: position, note: nil)
            }
        }
    }

    /// A set of which some entries must be matched, each by its digest at its position.
    private static func choice(
        _ match: Int, of entries: (match: KeyMatch, at: PinPosition)...
    ) -> PinSetContents {
        RowRule.pinSet("pay", entries) { $0.match = match }
    }

    /// The digests of keys that nobody has.
    private static func digest(_ number: UInt8, _ kind: KeyMatch.Kind = .spki) -> KeyMatch {
        guard let digest = Digest(.sha256, bytes: [UInt8](repeating: number, count: 32)) else {
            preconditionFailure("SHA-256 has 32 octets")
        }
        return KeyMatch(kind: kind, digest: digest)
    }

    /// A set for each digest.
    private static func each(_ matches: KeyMatch...) -> RowRule {
        RowRule {
            $0.pins = matches.enumerated().map {
                RowRule.pinSet("set-\($0.offset)", [($0.element, .any)])
            }
        }
    }

    /// Five of twenty keys. Five further keys match the last four entries.
    private static let fiveOfTwenty = choice(
        5, of: (0..<20).map { [digest($0)] + ($0 < 16 ? [] : (20..<25).map { digest($0) }) })

    /// Five of the first sixteen of these keys and of the five further keys.
    private static let fiveOfOthers = choice(
        5, of: (Array(0..<16) + Array(20..<25)).map { [digest($0)] })

    private static let pinRows: [Row] = [
        Row(
            "two keys of two", .stricter, pinning(choice(2, of: [digest(1)], [digest(2)])),
            pinning(choice(1, of: [digest(1)], [digest(2)]))),
        Row(
            "a set for each key, and two keys of one set", .equal,
            each(digest(1), digest(2)),
            pinning(choice(2, of: [digest(1)], [digest(2)]))),
        Row(
            "one certificate may have both the digest of the certificate and the key's", .weaker,
            each(digest(1), digest(2, .certificate)),
            pinning(choice(2, of: [digest(1)], [digest(2, .certificate)]))),
        Row(
            "one key may have digests of two algorithms", .weaker,
            each(digest(1), longer),
            pinning(choice(2, of: [digest(1)], [longer]))),
        Row(
            "one key that matches two entries", .incomparable,
            pinning(choice(1, of: [digest(1)])),
            pinning(choice(2, of: [digest(1), digest(2)], [digest(1), digest(3)]))),
        Row(
            "one key that matches two entries, and one that matches none", .incomparable,
            pinning(choice(2, of: [digest(1)], [digest(2)], [digest(3)])),
            pinning(
                choice(
                    2, of: [digest(1), digest(2), digest(5)], [digest(1), digest(2), digest(6)]))),
        Row(
            "more choices than are looked at", .incomparable, pinning(fiveOfOthers),
            pinning(fiveOfTwenty)),
        Row(
            "a key of a CA, or of an intermediate or an anchor", .equal,
            pinning(pin([(key, .ca)])), pinning(pin([(key, .intermediate), (key, .anchor)]))),
        Row("a pin set", .stricter, pinning(pin([(key, .any)]))),
        Row(
            "one pin set of two", .weaker, pinning(pin([(key, .any)])),
            pinning(pin([(key, .any)]), RowRule.pinSet("root", [(spare, .any)]))),
        Row(
            "a backup is one key more", .weaker,
            pinning(
                RowRule.pinSet("pay", [(key, .any)]) {
                    $0.backups = [
                        PinContents(id: "spare", matches: [spare], position: .any, note: nil)
                    ]
                }), pinning(pin([(key, .any)]))),
        Row("enforcement that ends", .weaker, ending(30, .unpinned), pinning(pin([(key, .any)]))),
        Row(
            "enforcement whose end rejects", .equal, ending(30, .fail),
            pinning(pin([(key, .any)]))),
        Row("an earlier end", .weaker, ending(20, .report), ending(30, .report)),
        Row("an end without a report", .weaker, ending(30, .unpinned), ending(30, .report)),
        Row(
            "an earlier end with a report", .incomparable, ending(20, .report),
            ending(30, .unpinned)),
    ]

    @Test("pins", arguments: pinRows)
    func pins(row: Row) { row.judge() }

    @Test("pin sets as of an instant")
    func pinsAsOf() {
        let order = BehaviourOrder()
        func relation(_ rule: RowRule, at day: Int64) -> Relation {
            let plain = Self.pinning(Self.pin([(Self.key, .any)]))
            return order.relation(rule.behaviour.asOf(.day(day)), plain.behaviour.asOf(.day(day)))
        }
        #expect(relation(Self.ending(30, .report), at: 30) == .equal)
        #expect(relation(Self.ending(30, .report), at: 31) == .weaker)
        let reported = Self.ending(30, .report).behaviour.asOf(.day(31))
        let absent = Self.ending(30, .unpinned).behaviour.asOf(.day(31))
        #expect(order.relation(reported, absent) == .stricter)
    }

    // MARK: Constraints

    private static func pattern(_ host: HostPattern.Host) -> HostPattern {
        HostPattern(host: host, port: nil)
    }

    private static func names(
        _ permitted: [HostPattern.Host], without excluded: [HostPattern.Host] = []
    ) -> AnchorConstraints {
        var constraints = AnchorConstraints()
        constraints.permittedNames = permitted.map { pattern($0) }
        constraints.excludedNames = excluded.map { pattern($0) }
        return constraints
    }

    private static func store(_ constraints: AnchorConstraints...) -> RowRule {
        .store(constraints)
    }

    private static func network(_ low: UInt64, _ prefix: Int) -> HostPattern.Host {
        .network(IPAddress(high: 0, low: low, isIPv4: true), prefix: prefix)
    }

    private static let mapped = HostPattern.Host.network(
        IPAddress(high: 0, low: 0xFFFF_0A00_0000, isIPv4: false), prefix: 104)

    /// The IPv6 addresses of a prefix of eight bits, and all IPv4-mapped addresses that begin with
    /// eight zeros.
    private static let network6 = HostPattern.Host.network(
        IPAddress(high: 0x2A << 56, low: 0, isIPv4: false), prefix: 8)
    private static let allMapped = HostPattern.Host.network(
        IPAddress(high: 0, low: 0xFFFF_0000_0000, isIPv4: false), prefix: 104)

    private static func constrained(
        _ change: (inout AnchorConstraints) -> Void
    ) -> AnchorConstraints {
        var constraints = AnchorConstraints()
        change(&constraints)
        return constraints
    }

    private static func lasting(_ seconds: Int64?) -> AnchorConstraints {
        constrained { $0.maximumLifetime = seconds }
    }

    private static let below = HostPattern.Host.anyLabels(base: "x.example")
    private static let child = HostPattern.Host.oneLabel(base: "x.example")

    private static let constraintRows: [Row] = [
        Row(
            "a permitted name inside a wildcard", .stricter, store(names([.name("a.x.example")])),
            store(names([below]))),
        Row("no permitted names", .weaker, store(), store(names([below]))),
        Row(
            "one of two permitted names lies inside", .incomparable,
            store(names([.name("a.x.example"), .name("b.y.example")])), store(names([below]))),
        Row(
            "a wildcard of one label inside a wildcard of several", .stricter,
            store(names([child])), store(names([below]))),
        Row(
            "a name below a wildcard of one label", .stricter,
            store(names([.name("a.x.example")])), store(names([child]))),
        Row(
            "a name two labels below is not below a wildcard of one", .incomparable,
            store(names([.name("b.a.x.example")])), store(names([child]))),
        Row(
            "a name two labels below a wildcard of one label of a last label", .incomparable,
            store(names([.name("a.x.example")])), store(names([.oneLabel(base: "example")]))),
        Row(
            "a name two labels below is below a wildcard of several", .stricter,
            store(names([.name("b.a.x.example")])), store(names([below]))),
        Row(
            "a wildcard of one label farther below", .stricter,
            store(names([.oneLabel(base: "a.x.example")])), store(names([below]))),
        Row(
            "a wildcard of several labels farther below", .stricter,
            store(names([.anyLabels(base: "a.x.example")])), store(names([below]))),
        Row(
            "two lists of permitted names permit what both have", .equal,
            store(names([below]), names([.anyLabels(base: "a.x.example"), .name("y.example")])),
            store(names([.anyLabels(base: "a.x.example")]))),
        Row(
            "two lists of excluded names exclude what either has", .equal,
            store(
                names([], without: [.name("a.example")]), names([], without: [.name("b.example")])),
            store(names([], without: [.name("a.example"), .name("b.example")]))),
        Row(
            "an excluded name inside a wildcard", .weaker,
            store(names([], without: [.name("a.x.example")])), store(names([], without: [below]))),
        Row("no excluded names", .weaker, store(), store(names([], without: [below]))),
        Row(
            "an excluded name that is not permitted", .equal, store(names([below])),
            store(names([below], without: [.name("y.example")]))),
        Row(
            "a permitted name that is excluded", .equal,
            store(
                names(
                    [.name("a.x.example"), .name("b.x.example")], without: [.name("b.x.example")])),
            store(names([.name("a.x.example")]))),
        Row(
            "excluded addresses are excluded as mapped addresses too", .stricter,
            store(names([], without: [network(0x0A00_0000, 8)])),
            store(names([], without: [mapped]))),
        Row(
            "excluded IPv6 addresses are not excluded as mapped addresses", .incomparable,
            store(names([], without: [network6])), store(names([], without: [allMapped]))),
        Row(
            "two halves of a network", .equal,
            store(names([network(0x0A00_0000, 9), network(0x0A80_0000, 9)])),
            store(names([network(0x0A00_0000, 8)]))),
        Row(
            "one half of a network", .stricter, store(names([network(0x0A00_0000, 9)])),
            store(names([network(0x0A00_0000, 8)]))),
        Row(
            "an address inside a network", .stricter, store(names([.address(one)])),
            store(names([network(0x0A00_0000, 8)]))),
        Row("a longest lifetime", .stricter, store(lasting(5)), store(lasting(nil))),
        Row("a shorter lifetime", .stricter, store(lasting(5)), store(lasting(6))),
        Row(
            "a window of issue", .stricter,
            store(constrained { $0.notBefore = DateWindow(from: .day(1)) }), store()),
        Row(
            "permitted URIs", .stricter,
            store(constrained { $0.permittedURIs = ["mesh://a.example/*"] }), store()),
    ]

    @Test("constraints of anchors", arguments: constraintRows)
    func constraints(row: Row) { row.judge() }

    // MARK: The machine's store

    private static let a = World.key(of: .p256("order row a"))
    private static let b = World.key(of: .p256("order row b"))
    private static let c = World.key(of: .p256("order row c"))

    private static func filtered(_ filters: AnchorFilter...) -> RowRule { .store([], filters) }

    /// Filters that keep nothing of any store.
    private static let nothing = [AnchorFilter(only: [a]), AnchorFilter(only: [b])]

    private static let filterRows: [Row] = [
        Row("`only`", .stricter, filtered(AnchorFilter(only: [a])), filtered()),
        Row(
            "fewer keys of `only`", .stricter, filtered(AnchorFilter(only: [a])),
            filtered(AnchorFilter(only: [a, b]))),
        Row(
            "other keys of `only`", .incomparable, filtered(AnchorFilter(only: [a])),
            filtered(AnchorFilter(only: [b]))),
        Row("`exclude`", .stricter, filtered(AnchorFilter(exclude: [a])), filtered()),
        Row(
            "fewer keys of `exclude`", .weaker, filtered(AnchorFilter(exclude: [a])),
            filtered(AnchorFilter(exclude: [a, b]))),
        Row(
            "two lists of `only` keep what both have", .equal,
            filtered(AnchorFilter(only: [a, b]), AnchorFilter(only: [b, c])),
            filtered(AnchorFilter(only: [b]))),
        Row(
            "two lists of `exclude` remove what either has", .equal,
            filtered(AnchorFilter(exclude: [a]), AnchorFilter(exclude: [b])),
            filtered(AnchorFilter(exclude: [a, b]))),
        Row(
            "`only` removes every other key", .stricter, filtered(AnchorFilter(only: [a])),
            filtered(AnchorFilter(exclude: [b]))),
        Row(
            "`only` of a key that is excluded keeps nothing", .stricter,
            filtered(AnchorFilter(only: [a], exclude: [a])), filtered(AnchorFilter(only: [b]))),
        Row(
            "terms of a store of which two lists of `only` keep nothing", .equal,
            .store([lasting(5)], nothing), .store([], nothing)),
        Row(
            "a store of which two lists of `only` keep nothing", .equal,
            RowRule { $0.sets += RowRule.store([], nothing).sets }),
        Row(
            "a store of which two lists of `only` keep one key", .weaker,
            RowRule { $0.sets += filtered(AnchorFilter(only: [a]), AnchorFilter(only: [a])).sets }),
    ]

    @Test("filters of the machine's store", arguments: filterRows)
    func filters(row: Row) { row.judge() }

    // MARK: Fields that are compared together

    private static func asking(_ change: (inout Requirements) -> Void) -> RowRule {
        RowRule { change(&$0.requirements) }
    }

    private static func forbidding(_ keys: ForbiddenKey...) -> RowRule {
        asking { $0.forbiddenKeys = keys }
    }

    private static func window(_ from: Int64?, _ until: Int64?) -> DateWindow {
        DateWindow(
            from: from.map { UTCInstant(secondsSinceEpoch: $0) },
            until: until.map { UTCInstant(secondsSinceEpoch: $0) })
    }

    private static func forbidden(_ from: Int64?, _ until: Int64?) -> ForbiddenKey {
        ForbiddenKey(id: "k", matches: [a], notBefore: window(from, until))
    }

    private static let fieldRows: [Row] = [
        Row(
            "a forbidden key of two digests, one of which is forbidden", .stricter,
            forbidding(ForbiddenKey(id: "k", matches: [a, b])),
            forbidding(ForbiddenKey(id: "k", matches: [a]))),
        Row(
            "two windows that meet", .equal, forbidding(forbidden(1, 9)),
            forbidding(forbidden(1, 4), forbidden(5, 9))),
        Row(
            "two windows with a gap of a second", .stricter, forbidding(forbidden(1, 9)),
            forbidding(forbidden(1, 4), forbidden(6, 9))),
        Row(
            "two windows that end a second early", .stricter, forbidding(forbidden(1, 9)),
            forbidding(forbidden(1, 4), forbidden(5, 8))),
        Row(
            "windows in another order", .equal, forbidding(forbidden(5, 9), forbidden(1, 4)),
            forbidding(forbidden(1, 9))),
        Row(
            "a forbidden key with a window, beside one without", .weaker,
            forbidding(forbidden(nil, 9)), forbidding(ForbiddenKey(id: "k", matches: [a]))),
        Row(
            "one source of evidence more, under causes that all reject", .weaker,
            asking {
                $0.revocation.causes = .require
                $0.revocation.sources = [.crl, .ocsp]
            },
            asking {
                $0.revocation.causes = .require
                $0.revocation.sources = [.crl]
            }),
        Row(
            "one source of evidence more, under two actions", .incomparable,
            mixedCauses { $0.requirements.revocation.sources = [.crl, .ocsp] },
            mixedCauses { $0.requirements.revocation.sources = [.crl] }),
        Row(
            "one source of evidence more, under causes that all pass", .equal,
            asking {
                $0.revocation.causes = passing
                $0.revocation.sources = [.crl, .ocsp]
            },
            asking {
                $0.revocation.causes = passing
                $0.revocation.sources = [.crl]
            }),
        Row(
            "one source of evidence more, beside causes that all pass", .stricter,
            asking {
                $0.revocation.causes = .require
                $0.revocation.sources = [.crl, .ocsp]
            },
            asking {
                $0.revocation.causes = passing
                $0.revocation.sources = [.crl]
            }),
        Row(
            "longer keys under causes that all reject, beside a cause that does not", .stricter,
            mixedCauses {
                $0.requirements.revocation.causes = .require
                $0.requirements.rsaMinimum = 3072
            }, mixedCauses { $0.requirements.rsaMinimum = 2048 }),
        Row(
            "longer keys under a cause that rejects, beside causes that do not", .stricter,
            mixedCauses { $0.requirements.rsaMinimum = 3072 },
            mixedCauses {
                $0.requirements.revocation.causes = passing
                $0.requirements.rsaMinimum = 2048
            }),
        Row(
            "a number of timestamps that nothing demands", .equal,
            asking { $0.transparency.minimumSCTs = 4 }),
        Row(
            "timestamps, beside a number of timestamps that nothing demands", .stricter,
            transparent(), asking { $0.transparency.minimumSCTs = 9 }),
        Row(
            "two log lists that are not at hand", .incomparable,
            transparent { $0.requirements.transparency.logList = digest(1).digest },
            transparent { $0.requirements.transparency.logList = digest(2).digest }),
    ]

    private static let passing: RevocationCauses = {
        var causes = RevocationCauses()
        for cause in RevocationCause.allCases { causes[cause] = .pass }
        return causes
    }()

    @Test("fields that are compared together", arguments: fieldRows)
    func fields(row: Row) { row.judge() }
}
