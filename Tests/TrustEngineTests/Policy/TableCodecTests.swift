import Testing
import TrustEngine

@Suite("Table codec")
struct TableCodecTests {
    static let crypto = TableDigests()

    @Test("the digests of these tests are SHA-256 (FIPS 180-4, examples)")
    func digests() {
        let empty = [UInt8]()
        let abc = Array("abc".utf8)
        let long = Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)
        func hex(_ bytes: [UInt8]) -> String {
            TableCodecTests.crypto.digest(.sha256, of: bytes.span).bytes
                .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        #expect(
            hex(empty) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(hex(abc) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(hex(long) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    }

    @Test("encode, decode, read back", arguments: [1, 2, 3, 4] as [UInt64])
    func roundTrip(seed: UInt64) throws {
        var random = RandomPolicies(seed: seed)
        for _ in 0..<100 {
            let contents = random.contents()
            let provenance = random.flip() ? random.provenance() : nil
            let table = PolicyTable.encode(
                contents, provenance: provenance, crypto: TableCodecTests.crypto)
            let decoded = try PolicyTable(decoding: table.bytes, crypto: TableCodecTests.crypto)
            #expect(decoded.contents() == contents)
            #expect(decoded.provenance() == provenance)
            #expect(decoded.policyDigest == table.policyDigest)
            #expect(decoded.fileDigest == table.fileDigest)
            #expect(decoded.bytes == table.bytes)
        }
    }

    @Test("texts come back by their octets, not by canonical equivalence")
    func equivalentTexts() throws {
        var contents = TableSamples.small
        contents.rules[0].body.owner = "e\u{301}"
        contents.rules[0].body.note = "\u{E9}"
        let table = PolicyTable.encode(
            contents, provenance: nil, crypto: TableCodecTests.crypto)
        let body = table.contents().rules[0].body
        #expect(body.owner.map { Array($0.utf8) } == Array("e\u{301}".utf8))
        #expect(body.note.map { Array($0.utf8) } == Array("\u{E9}".utf8))
    }

    @Test("an empty policy that denies everything is a table too")
    func denial() throws {
        let contents = PolicyContents(defaultRule: .deny, rules: [], anchorSets: [], pinSets: [])
        let table = PolicyTable.encode(contents, provenance: nil, crypto: TableCodecTests.crypto)
        let decoded = try PolicyTable(decoding: table.bytes, crypto: TableCodecTests.crypto)
        #expect(decoded.contents() == contents)
        #expect(decoded.lookUp(.name("a.example"), port: 443) == nil)
        #expect(decoded.candidates(.address(TableSamples.address), port: 443).isEmpty)
        #expect(decoded.patternCount == 0)
    }

    @Test("views show what contents show")
    func views() throws {
        var random = RandomPolicies(seed: 11)
        for _ in 0..<50 {
            let contents = random.contents()
            let table = PolicyTable.encode(
                contents, provenance: nil, crypto: TableCodecTests.crypto)
            #expect(table.ruleCount == contents.rules.count)
            #expect(table.patternCount == contents.rules.reduce(0) { $0 + $1.hosts.count })
            for (index, set) in contents.anchorSets.enumerated() {
                #expect(table.anchorSetID(at: index) == set.id)
            }
            for (index, set) in contents.pinSets.enumerated() {
                let record = table.pinSet(at: index)
                for (position, pin) in (set.keys + set.backups).enumerated() {
                    let read = table.pin(record, position)
                    for match in pin.matches {
                        #expect(table.pin(read, matches: match.digest, kind: match.kind))
                        let octets = match.digest.bytes.dropLast() + [~match.digest.bytes.last!]
                        let other = try #require(Digest(match.digest.algorithm, bytes: octets))
                        #expect(!table.pin(read, matches: other, kind: match.kind))
                    }
                }
            }
        }
    }

    @Test("equal requirements and identities are stored once")
    func sharing() {
        var contents = TableSamples.small
        let one = PolicyTable.encode(contents, provenance: nil, crypto: TableCodecTests.crypto)
        for index in 0..<50 {
            var rule = contents.rules[0]
            rule.id = "copy-\(index)"
            rule.hosts = []
            contents.rules.append(rule)
        }
        let many = PolicyTable.encode(contents, provenance: nil, crypto: TableCodecTests.crypto)
        #expect(many.requirementCount == one.requirementCount)
        #expect(many.rule(at: 3).requirements == many.rule(at: 4).requirements)
    }

    @Test("requirements of many kinds under one profile keep their octets, each kind once")
    func manyRequirements() throws {
        var contents = TableSamples.small
        let pattern = contents.rules[0]
        contents.rules = (0..<200).map { index in
            var rule = pattern
            rule.id = "rule-\(index)"
            rule.hosts = [HostPattern(host: .name("h\(index).example"), port: nil)]
            // 40 kinds, more than are compared with; the last two are equal only as texts.
            let kind = index % 40
            rule.body.requirements = Requirements()
            rule.body.requirements.rsaMinimum = 2048 + 8 * kind
            if kind >= 38 {
                rule.body.requirements.rsaMinimum = 2048 + 8 * 38
                rule.body.requirements.tls.alpn = [kind == 38 ? "\u{E9}" : "e\u{301}"]
            }
            return rule
        }
        let table = PolicyTable.encode(
            contents, provenance: nil, crypto: TableCodecTests.crypto)
        // The body of `default` has requirements of its own.
        #expect(table.requirementCount == 41)
        var found: [String: Requirements] = [:]
        for rule in table.contents().rules { found[rule.id] = rule.body.requirements }
        for rule in contents.rules {
            let requirements = try #require(found[rule.id])
            #expect(requirements == rule.body.requirements)
            #expect(
                requirements.tls.alpn.map { Array($0.utf8) }
                    == rule.body.requirements.tls.alpn.map { Array($0.utf8) })
        }
    }

    @Test("locations in any order, a pointer's last location, give the table of the provenance")
    func locations() {
        var random = RandomPolicies(seed: 11)
        for _ in 0..<100 {
            let files = ["a.yaml", "teams/b.yaml", "c.yaml"]
            var provenance = Provenance(parents: ["near": "far", "far": "ats"])
            var places: [WrittenLocations.Location] = []
            let pointers = (0..<random.number(1...60)).map { _ in
                "/rules/r\(random.number(0...20))/hosts/\(random.number(0...3))"
            }
            let all = ["/a", "/b", "/c"] + pointers
            for (index, pointer) in all.enumerated() {
                let file = index < 3 ? index : random.number(0...2)
                let location = Provenance.Location(
                    file: files[file], line: random.number(1...500), column: random.number(1...90))
                provenance.locations[pointer] = location
                places.append(
                    WrittenLocations.Location(
                        file: file, line: location.line, column: location.column))
            }
            var list = WrittenLocations(
                files: files, parents: [("near", "far"), ("far", "ats")], locations: places)
            for (index, pointer) in all.enumerated() {
                let octets = Array(pointer.utf8)
                let half = random.number(0...octets.count)
                list.add(Array(octets[..<half]), octets[half...], location: index)
            }
            let crypto = TableCodecTests.crypto
            let one = PolicyTable.encode(TableSamples.small, provenance: provenance, crypto: crypto)
            let other = TableEncoder.sections(of: TableSamples.small)
                .table(locations: list, crypto: crypto)
            #expect(one.bytes == other.bytes)
            #expect(other.provenance() == provenance)
        }
    }
}

/// Small policies that tests change in one place.
enum TableSamples {
    static let address = IPAddress(high: 0, low: 0xC000_0201, isIPv4: true)
    static let otherAddress = IPAddress(high: 0x2001_0DB8 << 32, low: 1, isIPv4: false)

    static func digest(_ fill: UInt8, _ algorithm: DigestAlgorithm = .sha256) -> Digest {
        guard
            let digest = Digest(
                algorithm, bytes: [UInt8](repeating: fill, count: algorithm.byteCount))
        else { preconditionFailure("the length is the algorithm's") }
        return digest
    }

    /// A record of every kind, each field set.
    static let small: PolicyContents = {
        var requirements = Requirements()
        requirements.rsaMinimum = 3072
        requirements.keyPurposes = KeyPurposes(serverAuth: true, others: [[43, 6, 1]])
        var body = RuleBody(
            anchors: ["corp"], pins: ["live"], profile: "strict", requirements: requirements,
            identity: IdentityRequirement(
                reference: .listed, dns: ["a.example"], ip: [address, otherAddress],
                email: ["x@a.example"], uri: ["spiffe://mesh.example/*"]),
            waivers: [
                Waiver(
                    tolerance: .expired(seconds: 86_400),
                    until: UTCInstant(secondsSinceEpoch: 1_800_000_000), reason: "late",
                    owner: "me", ticket: "T-1")
            ],
            owner: "team", note: "note")
        body.requirements.transparency.logList = RandomPolicies.logLists[0].digest
        body.reportOnly = [
            ReportOnly(
                check: .keys, until: UTCInstant(secondsSinceEpoch: 1_800_000_000), note: "measuring"
            )
        ]
        let hosts = [
            HostPattern(host: .name("a.example"), port: nil),
            HostPattern(host: .name("a.example"), port: 443),
            HostPattern(host: .oneLabel(base: "a.example"), port: nil),
            HostPattern(host: .anyLabels(base: "b.example"), port: 8443),
            HostPattern(host: .address(address), port: 443),
            HostPattern(host: .network(address.masked(prefix: 24), prefix: 24), port: nil),
            HostPattern(host: .network(otherAddress.masked(prefix: 32), prefix: 32), port: nil),
        ]
        return PolicyContents(
            defaultRule: .body(body),
            rules: [RuleContents(id: "api", hosts: hosts.sorted(), body: body)],
            anchorSets: [
                AnchorSetContents(
                    id: "corp",
                    groups: [AnchorGroup(source: .members([[0x30, 0x00], [0x30, 0x01, 0x00]]))],
                    owner: "pki", note: "roots")
            ],
            pinSets: [
                PinSetContents(
                    id: "live",
                    keys: [
                        PinContents(
                            id: "one",
                            matches: [
                                KeyMatch(kind: .spki, digest: digest(1)),
                                KeyMatch(kind: .certificate, digest: digest(2, .sha512)),
                            ],
                            position: .leaf, note: "in service")
                    ],
                    backups: [
                        PinContents(
                            id: "two", matches: [KeyMatch(kind: .spki, digest: digest(3))],
                            position: .ca, note: "in the safe")
                    ],
                    match: 1, warnFrom: UTCInstant(secondsSinceEpoch: 1_790_000_000),
                    enforceUntil: UTCInstant(secondsSinceEpoch: 1_795_000_000), onExpiry: .report,
                    owner: "pki", note: "pins")
            ],
            logLists: [RandomPolicies.logLists[0]])
    }()

    static let provenance = Provenance(
        locations: [
            "/rules/api": Provenance.Location(file: "policy.yaml", line: 3, column: 5),
            "/default": Provenance.Location(file: "policy.yaml", line: 2, column: 1),
        ],
        parents: ["strict": "baseline"])

    static let table = PolicyTable.encode(
        small, provenance: provenance, crypto: TableDigests())
}
