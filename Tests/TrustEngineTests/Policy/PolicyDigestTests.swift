import Testing
import TrustEngine

@Suite("Policy digest")
struct PolicyDigestTests {
    /// A change of one field of a sample policy.
    struct Change: Sendable, CustomStringConvertible {
        let description: String
        let apply: @Sendable (inout PolicyContents) -> Void

        init(_ description: String, _ apply: @escaping @Sendable (inout PolicyContents) -> Void) {
            self.description = description
            self.apply = apply
        }

        /// A change of the rule's requirements.
        static func requirement(
            _ name: String, _ change: @escaping @Sendable (inout Requirements) -> Void
        ) -> Change { Change(name) { change(&$0.rules[0].body.requirements) } }

        /// A constraint of the first group of the second anchor set.
        static func constraint(
            _ name: String, _ change: @escaping @Sendable (inout AnchorConstraints) -> Void
        ) -> Change {
            Change("constraint \(name)") {
                var constraints = AnchorConstraints()
                change(&constraints)
                $0.anchorSets[1].groups[0].constraints = [constraints]
            }
        }

        static func mode(_ name: String, _ check: ReportOnly.Check, _ until: Int64) -> Change {
            Change(name) {
                $0.rules[0].body.reportOnly = [
                    ReportOnly(
                        check: check, until: UTCInstant(secondsSinceEpoch: until), note: nil)
                ]
            }
        }

        /// The rule's waiver for another.
        static func waiver(_ tolerance: Waiver.Tolerance) -> Change {
            Change("waiver \(tolerance)") { $0.rules[0].body.waivers[0].tolerance = tolerance }
        }

        static func identity(
            _ name: String, _ change: @escaping @Sendable (inout IdentityRequirement) -> Void
        ) -> Change { Change(name) { change(&$0.rules[0].body.identity) } }
    }

    /// Every field of the schema, each with a value that it does not have in the sample.
    static let requirements: [Change] = ProfileField.allCases.map { field in
        Change(field.rawValue) { contents in
            let current = contents.rules[0].body.requirements.value(of: field)
            let value = values(of: field.descriptor.kind).first { $0 != current }
            guard let value, contents.rules[0].body.requirements.write(field, value) else {
                Issue.record("`\(field.rawValue)` has no other value")
                return
            }
            if field == .transparencyLogList { contents.logLists = RandomPolicies.logLists }
        }
    }

    /// Two values of a kind.
    static func values(of kind: FieldKind) -> [FieldValue] {
        switch kind {
        case .integer(let range): return [.integer(range.upperBound), .integer(range.lowerBound)]
        case .seconds(let range): return [.seconds(range.upperBound), .seconds(range.lowerBound)]
        case .word(let words): return words.words.reversed().map { .word($0.number) }
        case .words(let words): return words.words.map { .words(1 << $0.number) }
        case .ranking(let words): return words.words.map { .ranking([$0.number]) }
        case .purposes:
            return [.purposes(KeyPurposes(serverAuth: true, clientAuth: true))]
        case .objectIdentifiers: return [.objectIdentifiers([[42, 3]])]
        case .steps:
            return [
                .steps([LifetimeStep(issuedFrom: UTCInstant(secondsSinceEpoch: 1), maximum: 1)])
            ]
        case .digest: return RandomPolicies.logLists.map { .digest($0.digest) }
        case .names: return [.names(["corp"])]
        case .preferences: return [.preferences(["a"])]
        case .forbiddenKeys: return [.forbiddenKeys([forbidden])]
        }
    }

    static let forbidden = ForbiddenKey(
        id: "stolen", matches: [KeyMatch(kind: .spki, digest: TableSamples.digest(8))])

    /// Changes within what the changes above bring in.
    static let nested: [Change] = [
        Change("forbidden key id") {
            var key = PolicyDigestTests.forbidden
            key.id = "lost"
            $0.rules[0].body.requirements.forbiddenKeys = [key]
        },
        Change("forbidden key match") {
            var key = PolicyDigestTests.forbidden
            key.matches[0].kind = .certificate
            $0.rules[0].body.requirements.forbiddenKeys = [key]
        },
        Change("forbidden key window") {
            var key = PolicyDigestTests.forbidden
            key.notBefore = DateWindow(from: UTCInstant(secondsSinceEpoch: 1))
            $0.rules[0].body.requirements.forbiddenKeys = [key]
        },
        Change("forbidden key window's other end") {
            var key = PolicyDigestTests.forbidden
            key.notBefore = DateWindow(until: UTCInstant(secondsSinceEpoch: 1))
            $0.rules[0].body.requirements.forbiddenKeys = [key]
        },
        .constraint("permittedNames") {
            $0.permittedNames = [HostPattern(host: .name("a.example"), port: nil)]
        },
        .constraint("permittedNames: one label") {
            $0.permittedNames = [HostPattern(host: .oneLabel(base: "a.example"), port: nil)]
        },
        .constraint("excludedNames") {
            $0.excludedNames = [HostPattern(host: .name("a.example"), port: nil)]
        },
        .constraint("permittedURIs") { $0.permittedURIs = ["spiffe://mesh.example/**"] },
        .constraint("notBefore") {
            $0.notBefore = DateWindow(until: UTCInstant(secondsSinceEpoch: 1))
        },
        .constraint("sct") { $0.sct = DateWindow(until: UTCInstant(secondsSinceEpoch: 1)) },
        .constraint("keyPurposes") { $0.keyPurposes = KeyPurposes(serverAuth: true) },
        .constraint("maximumLifetime") { $0.maximumLifetime = 1 },
        .constraint("nothing") { _ in },
        Change("filter only") {
            $0.anchorSets[1].groups[0].source = .system
            $0.anchorSets[1].groups[0].filters = [
                AnchorFilter(only: PolicyDigestTests.forbidden.matches)
            ]
        },
        Change("filter exclude") {
            $0.anchorSets[1].groups[0].source = .system
            $0.anchorSets[1].groups[0].filters = [
                AnchorFilter(exclude: PolicyDigestTests.forbidden.matches)
            ]
        },
        .mode("report-only keys", .keys, 1), .mode("report-only tls", .tls, 1),
        .mode("report-only until", .keys, 2), .mode("report-only own", .custom("attested"), 1),
        .mode("report-only another", .custom("known"), 1),
        .waiver(.revocation), .waiver(.transparency), .waiver(.cleartext), .waiver(.pins),
        .waiver(.identity), .waiver(.tls(minimumVersion: .tls10)),
        .waiver(.tls(minimumVersion: .tls11)), .waiver(.keys(rsaMinimum: 1024)),
        .waiver(.keys(rsaMinimum: 1025)), .waiver(.signatures(minimumHash: .sha1)),
    ]

    static let meaning: [Change] =
        requirements + nested + [
            .requirement("keyPurposes.serverAuth") { $0.keyPurposes.serverAuth = false },
            .requirement("keyPurposes.others") { $0.keyPurposes.others = [[43, 6, 2]] },
            .identity("identity.reference") { $0.reference = .hostAndListed },
            .identity("identity.dns") { $0.dns = ["b.example"] },
            .identity("identity.ip") { $0.ip.removeLast() },
            .identity("identity.email") { $0.email = ["y@a.example"] },
            .identity("identity.uri") { $0.uri = [] },
            Change("default deny") { $0.defaultRule = .deny },
            Change("default body") {
                var body = $0.rules[0].body
                body.profile = "other"
                $0.defaultRule = .body(body)
            },
            Change("rule id") { $0.rules[0].id = "apj" },
            Change("rule hosts") { $0.rules[0].hosts.removeLast() },
            Change("rule host port") {
                $0.rules[0].hosts[0] = HostPattern(host: .name("a.example"), port: 444)
                $0.rules[0].hosts.sort()
            },
            Change("rule anchors") { $0.rules[0].body.anchors = ["lab"] },
            Change("rule anchors are its pins") {
                $0.rules[0].body.anchors = []
                $0.rules[0].body.anchorsArePinnedKeys = true
            },
            Change("rule pins") { $0.rules[0].body.pins = [] },
            Change("rule profile") { $0.rules[0].body.profile = "lax" },
            Change("waiver kind") { $0.rules[0].body.waivers[0].tolerance = .path },
            Change("waiver tolerance") {
                $0.rules[0].body.waivers[0].tolerance = .expired(seconds: 1)
            },
            Change("waiver until") {
                $0.rules[0].body.waivers[0].until = UTCInstant(secondsSinceEpoch: 7)
            },
            Change("no waiver") { $0.rules[0].body.waivers = [] },
            Change("anchor set id") { $0.anchorSets[1].id = "lac" },
            Change("anchor set system") { $0.anchorSets[1].groups[0].source = .system },
            Change("anchor set kind") { $0.anchorSets[0].groups[0].kind = .leaf },
            Change("anchor set standard") { $0.anchorSets[0].groups[0].standard = .webPKI },
            Change("anchor set members") {
                $0.anchorSets[0].groups[0].source = .members([[0x30, 0x00]])
            },
            Change("anchor set ignored limits") {
                $0.anchorSets[0].groups[0].ignoredLimits = .dates
            },
            Change("anchor set groups") {
                $0.anchorSets[0].groups.append(AnchorGroup.system)
            },
            Change("anchor set intermediates") { $0.anchorSets[0].intermediates = [[0x30, 0x00]] },
            Change("pinned certificate") { $0.pinSets[0].keys[0].certificates = [[0x30, 0x00]] },
            Change("pin set id") {
                $0.pinSets[0].id = "livf"
                $0.rules[0].body.pins = ["livf"]
                $0.defaultRule = .body($0.rules[0].body)
            },
            Change("pin set match") { $0.pinSets[0].match = 2 },
            Change("pin set warn-from") { $0.pinSets[0].warnFrom = nil },
            Change("pin set enforce-until") {
                $0.pinSets[0].enforceUntil = UTCInstant(secondsSinceEpoch: 0)
            },
            Change("pin set never ends") { $0.pinSets[0].enforceUntil = nil },
            Change("pin set on-expiry") { $0.pinSets[0].onExpiry = .unpinned },
            Change("pin id") { $0.pinSets[0].keys[0].id = "onf" },
            Change("pin position") { $0.pinSets[0].keys[0].position = .any },
            Change("pin match kind") { $0.pinSets[0].keys[0].matches[0].kind = .certificate },
            Change("pin digest") {
                $0.pinSets[0].keys[0].matches[0].digest = TableSamples.digest(9)
            },
            Change("backup digest") {
                $0.pinSets[0].backups[0].matches[0].digest = TableSamples.digest(9)
            },
            Change("key and backup change places") {
                let keys = $0.pinSets[0].keys
                $0.pinSets[0].keys = $0.pinSets[0].backups
                $0.pinSets[0].backups = keys
            },
        ]

    static let commentary: [Change] = [
        Change("rule owner") { $0.rules[0].body.owner = nil },
        Change("rule note") { $0.rules[0].body.note = "other" },
        Change("waiver reason") { $0.rules[0].body.waivers[0].reason = "other" },
        Change("waiver owner") { $0.rules[0].body.waivers[0].owner = "other" },
        Change("waiver ticket") { $0.rules[0].body.waivers[0].ticket = nil },
        Change("anchor set owner") { $0.anchorSets[0].owner = "other" },
        Change("anchor set note") { $0.anchorSets[0].note = nil },
        Change("pin set owner") { $0.pinSets[0].owner = nil },
        Change("pin set note") { $0.pinSets[0].note = "other" },
        Change("pin note") { $0.pinSets[0].keys[0].note = nil },
        Change("backup note") { $0.pinSets[0].backups[0].note = "other" },
    ]

    static let sample: PolicyContents = {
        var contents = TableSamples.small
        var lab = contents.anchorSets[0]
        lab.id = "lab"
        contents.anchorSets.append(lab)
        return contents
    }()

    static func encode(_ contents: PolicyContents, _ provenance: Provenance? = nil) -> PolicyTable {
        PolicyTable.encode(contents, provenance: provenance, crypto: TableDigests())
    }

    @Test("every field of the meaning changes it")
    func meaningCounts() throws {
        var seen = [PolicyDigestTests.encode(PolicyDigestTests.sample).policyDigest: "unchanged"]
        for change in PolicyDigestTests.meaning {
            var contents = PolicyDigestTests.sample
            change.apply(&contents)
            let table = PolicyDigestTests.encode(contents)
            #expect(seen[table.policyDigest] == nil, "\(change)")
            seen[table.policyDigest] = change.description
            let decoded = try PolicyTable(decoding: table.bytes, crypto: TableDigests())
            #expect(decoded.contents() == contents, "\(change)")
        }
    }

    @Test("commentary and provenance do not change it", arguments: commentary)
    func commentaryDoesNotCount(change: Change) throws {
        let original = PolicyDigestTests.encode(PolicyDigestTests.sample)
        var contents = PolicyDigestTests.sample
        change.apply(&contents)
        let table = PolicyDigestTests.encode(contents, TableSamples.provenance)
        #expect(contents != PolicyDigestTests.sample)
        #expect(table.policyDigest == original.policyDigest)
        #expect(table.fileDigest != original.fileDigest)
        #expect(table.contents() == contents)
    }

    /// A property that someone adds to a value without writing it into tables would be a demand
    /// that is lost; this test sends them to the encoder, the digest's changes and the random
    /// policies. The fields of LANGUAGE section 8 need no such test: the schema makes them and
    /// their values at once.
    @Test("every stored property is one that the codec knows")
    func properties() {
        let body = TableSamples.small.rules[0].body
        let set = TableSamples.small.pinSets[0]
        func names(_ value: Any) -> [String] {
            Mirror(reflecting: value).children.compactMap(\.label)
        }
        #expect(
            names(AnchorConstraints()) == [
                "permittedNames", "excludedNames", "permittedURIs", "notBefore", "sct",
                "keyPurposes", "maximumLifetime",
            ])
        #expect(
            names(AnchorGroup.system) == [
                "source", "kind", "standard", "ignoredLimits", "constraints", "filters",
            ])
        #expect(names(AnchorFilter()) == ["only", "exclude"])
        #expect(names(DateWindow()) == ["from", "until"])
        #expect(names(PolicyDigestTests.forbidden) == ["id", "matches", "notBefore"])
        #expect(names(RandomPolicies.logLists[0]) == ["digest", "bytes"])
        #expect(
            names(ReportOnly(check: .pins, until: UTCInstant(secondsSinceEpoch: 0), note: nil))
                == ["check", "until", "note"])
        #expect(names(KeyPurposes()) == ["serverAuth", "clientAuth", "others"])
        #expect(names(body.identity) == ["reference", "dns", "ip", "email", "uri"])
        #expect(
            names(body) == [
                "anchors", "anchorsArePinnedKeys", "pins", "profile", "sharedRequirements",
                "identity", "reportOnly", "waivers", "owner", "note",
            ])
        #expect(names(body.waivers[0]) == ["tolerance", "until", "reason", "owner", "ticket"])
        #expect(names(TableSamples.small.rules[0]) == ["id", "hosts", "body"])
        #expect(
            names(TableSamples.small) == [
                "defaultRule", "rules", "anchorSets", "pinSets", "logLists",
            ])
        #expect(
            names(TableSamples.small.anchorSets[0]) == [
                "id", "groups", "intermediates", "owner", "note",
            ])
        #expect(
            names(set) == [
                "id", "keys", "backups", "match", "warnFrom", "enforceUntil", "onExpiry", "owner",
                "note",
            ])
        #expect(names(set.keys[0]) == ["id", "matches", "position", "certificates", "note"])
        #expect(names(set.keys[0].matches[0]) == ["kind", "digest"])
        #expect(names(TableSamples.provenance) == ["locations", "parents"])
    }

    @Test("order of input has no influence on the bytes")
    func order() {
        var random = RandomPolicies(seed: 5)
        for _ in 0..<100 {
            let contents = random.contents()
            let provenance = random.provenance()
            var shuffled = contents
            shuffled.rules = random.shuffled(contents.rules)
            shuffled.anchorSets = random.shuffled(contents.anchorSets)
            shuffled.pinSets = random.shuffled(contents.pinSets)
            for index in shuffled.rules.indices {
                shuffled.rules[index].hosts = random.shuffled(shuffled.rules[index].hosts)
                var body = shuffled.rules[index].body
                body.anchors = random.shuffled(body.anchors)
                body.pins = random.shuffled(body.pins)
                body.waivers = random.shuffled(body.waivers)
                body.reportOnly = random.shuffled(body.reportOnly)
                body.requirements.forbiddenKeys = random.shuffled(body.requirements.forbiddenKeys)
                body.requirements.checks = random.shuffled(body.requirements.checks)
                body.identity.dns = random.shuffled(body.identity.dns)
                body.identity.ip = random.shuffled(body.identity.ip)
                body.identity.uri = random.shuffled(body.identity.uri)
                body.requirements.keyPurposes.others = random.shuffled(
                    body.requirements.keyPurposes.others)
                shuffled.rules[index].body = body
            }
            for index in shuffled.anchorSets.indices {
                shuffled.anchorSets[index].groups = random.shuffled(
                    shuffled.anchorSets[index].groups)
                shuffled.anchorSets[index].intermediates = random.shuffled(
                    shuffled.anchorSets[index].intermediates)
            }
            for index in shuffled.pinSets.indices {
                shuffled.pinSets[index].keys = random.shuffled(shuffled.pinSets[index].keys)
                for pin in shuffled.pinSets[index].keys.indices {
                    shuffled.pinSets[index].keys[pin].matches = random.shuffled(
                        shuffled.pinSets[index].keys[pin].matches)
                }
            }
            let table = PolicyDigestTests.encode(contents, provenance)
            #expect(PolicyDigestTests.encode(shuffled, provenance).bytes == table.bytes)
        }
    }

    @Test("without provenance: same policy digest, same bytes as never having had any")
    func dropping() throws {
        var random = RandomPolicies(seed: 6)
        for _ in 0..<20 {
            let contents = random.contents()
            let full = PolicyDigestTests.encode(contents, random.provenance())
            let bare = full.withoutProvenance(crypto: TableDigests())
            #expect(bare.policyDigest == full.policyDigest)
            #expect(bare.fileDigest != full.fileDigest)
            #expect(bare.provenance() == nil)
            #expect(bare.contents() == contents)
            #expect(bare.bytes == PolicyDigestTests.encode(contents).bytes)
            let decoded = try PolicyTable(decoding: bare.bytes, crypto: TableDigests())
            #expect(decoded.contents() == contents)
        }
    }
}
