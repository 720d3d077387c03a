import TestPKI
import Testing
import TrustEngine

/// Seeded random policies that between them use every field, in the canonical order that a table
/// reads back.
struct RandomPolicies {
    private var numbers: SplitMix

    /// The seed; tests print it in what they expect.
    init(seed: UInt64) { numbers = SplitMix(state: seed) }

    mutating func next() -> UInt64 { numbers.next() }
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.count)
    }
    mutating func flip() -> Bool { next() & 1 == 0 }
    mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }
    mutating func shuffled<Element>(_ list: [Element]) -> [Element] {
        var list = list
        for index in list.indices.dropFirst() { list.swapAt(index, below(index + 1)) }
        return list
    }
    mutating func some<Element>(_ list: [Element], atLeast least: Int = 0) -> [Element] {
        Array(shuffled(list).prefix(number(least...list.count)))
    }

    mutating func text() -> String? {
        pick([nil, "", "team pki", "grüße, 你好", "e\u{301} and é", "a\nb\u{0}c", "\u{1F511}"])
    }

    mutating func instant() -> UTCInstant {
        UTCInstant(secondsSinceEpoch: Int64(number(-62_167_219_200...253_402_300_799)))
    }

    // MARK: Hosts

    /// Few labels, so that patterns and hosts meet.
    mutating func name(labels: ClosedRange<Int> = 1...3) -> String {
        (0..<number(labels)).map { _ in pick(["a", "a", "a", "b", "c_1-2"]) }.joined(separator: ".")
    }

    mutating func address() -> IPAddress {
        if flip() {
            return IPAddress(
                high: 0, low: 0x0A00_0000 | UInt64(pick([0, 0, 0xFF])) << 16 | next() & 1,
                isIPv4: true)
        }
        return IPAddress(
            high: 0x2001_0DB8_0000_0000 | next() & 1, low: pick([1, 1, UInt64.max]), isIPv4: false)
    }

    mutating func port() -> UInt16? { pick([nil, nil, 1, 443, 8443, 65535]) }

    mutating func pattern() -> HostPattern {
        let host: HostPattern.Host
        switch below(8) {
        case 0, 1: host = .name(name())
        case 2, 3: host = .oneLabel(base: name(labels: 1...2))
        case 4, 5: host = .anyLabels(base: name(labels: 1...2))
        case 6: host = .address(address())
        default:
            let address = address()
            let prefix = pick(
                address.isIPv4 ? [0, 7, 8, 15, 16, 24, 31] : [0, 32, 63, 64, 65, 127])
            host = .network(address.masked(prefix: prefix), prefix: prefix)
        }
        return HostPattern(host: host, port: port())
    }

    mutating func host() -> CanonicalHost {
        below(4) == 0 ? .address(address()) : .name(name(labels: 1...4))
    }

    // MARK: Policies

    mutating func contents() -> PolicyContents {
        var anchorSets = some(["corp", "edge", "lab"], atLeast: 1).sorted().map { anchorSet($0) }
        if flip() {
            anchorSets.append(.system)
        }
        let pinSets = some(["backup-pins", "live", "old"]).sorted().map { pinSet($0) }
        var patterns = Array(Set((0..<number(0...30)).map { _ in pattern() })).sorted()
        patterns = shuffled(patterns)
        let rules: [RuleContents] = (0..<number(0...6)).map { index in
            let hosts = patterns.prefix(number(0...8))
            patterns.removeFirst(hosts.count)
            return RuleContents(
                id: "rule-\(index)", hosts: hosts.sorted(), body: body(anchorSets, pinSets))
        }
        let defaultRule: DefaultRule = flip() ? .deny : .body(body(anchorSets, pinSets))
        var bodies = rules.map(\.body)
        if case .body(let body) = defaultRule { bodies.append(body) }
        let named = Set(bodies.compactMap(\.requirements.transparency.logList))
        return PolicyContents(
            defaultRule: defaultRule, rules: rules, anchorSets: anchorSets, pinSets: pinSets,
            logLists: RandomPolicies.logLists.filter { named.contains($0.digest) })
    }

    /// Two log lists, sorted by digest.
    static let logLists = ["{}", "{\"version\": \"1\"}"].map { text in
        let bytes = Array(text.utf8)
        return LogListContents(digest: TableDigests().digest(.sha256, of: bytes.span), bytes: bytes)
    }.sorted { $0.digest.bytes.lexicographicallyPrecedes($1.digest.bytes) }

    mutating func body(
        _ anchorSets: [AnchorSetContents], _ pinSets: [PinSetContents]
    ) -> RuleBody {
        let waivers: [Waiver.Tolerance] = [
            .expired(seconds: Int64(number(0...9_000_000))), .identity, .path, .pins, .cleartext,
            .keys(rsaMinimum: number(1024...2047)), .revocation, .signatures(minimumHash: .sha1),
            .tls(minimumVersion: pick([.tls10, .tls11])), .transparency,
            .issuance(
                IssuanceDemands(some(StandardDemand.allCases.filter(\.isIssuance), atLeast: 1))),
        ]
        let pins = some(pinSets.map(\.id)).sorted()
        let isPinned = !pins.isEmpty && below(4) == 0
        return RuleBody(
            anchors: isPinned ? [] : some(anchorSets.map(\.id), atLeast: 1).sorted(),
            anchorsArePinnedKeys: isPinned, pins: pins,
            profile: pick(["baseline", "ats", "strict"]),
            requirements: requirements(), identity: identity(),
            reportOnly: (ReportOnly.Check.builtIn + [.custom("a-check"), .custom("b")])
                .compactMap { check in
                    flip() ? nil : ReportOnly(check: check, until: instant(), note: text())
                },
            waivers: waivers.compactMap { flip() ? nil : waiver($0) }, owner: text(), note: text())
    }

    mutating func waiver(_ tolerance: Waiver.Tolerance) -> Waiver {
        Waiver(
            tolerance: tolerance, until: instant(), reason: text() ?? "because",
            owner: text() ?? "me", ticket: text())
    }

    /// Every field of the schema, each with a value of its own or, as often, the baseline's.
    mutating func requirements() -> Requirements {
        var drawn = Requirements()
        for field in ProfileField.allCases where flip() {
            let value = value(of: field.descriptor.kind)
            let isWritten = drawn.write(field, value)
            #expect(isWritten, "`\(field.rawValue)` cannot be \(value)")
        }
        return drawn
    }

    /// A value of a kind, anywhere in its range.
    mutating func value(of kind: FieldKind) -> FieldValue {
        switch kind {
        case .integer(let range): return .integer(number(range))
        case .seconds(let range):
            return .seconds(Int64(number(Int(range.lowerBound)...Int(range.upperBound))))
        case .word(let words): return .word(pick(words.words).number)
        case .words(let words):
            return .words(some(words.words, atLeast: 1).reduce(0) { $0 | 1 << $1.number })
        case .ranking(let words): return .ranking(some(words.words, atLeast: 1).map(\.number))
        case .purposes:
            let purposes: [[UInt8]] = [[43, 6], [43, 6, 1], [85]]
            let others = some(purposes).sorted {
                $0.lexicographicallyPrecedes($1)
            }
            return .purposes(KeyPurposes(serverAuth: flip(), clientAuth: true, others: others))
        case .objectIdentifiers: return .objectIdentifiers([[42, 3], [43, 6]])
        case .steps:
            return .steps([
                LifetimeStep(issuedFrom: UTCInstant(secondsSinceEpoch: 5), maximum: 400),
                LifetimeStep(issuedFrom: UTCInstant(secondsSinceEpoch: 6), maximum: 40),
            ])
        case .digest: return .digest(pick(RandomPolicies.logLists).digest)
        case .names: return .names(pick([["corp"], ["corp", "lab"]]))
        case .preferences: return .preferences(some(["h2", "http/1.1", "grüße"], atLeast: 1))
        case .forbiddenKeys: return .forbiddenKeys([forbiddenKey("a"), forbiddenKey("b")])
        }
    }

    mutating func forbiddenKey(_ id: String) -> ForbiddenKey {
        ForbiddenKey(id: id, matches: matches(), notBefore: flip() ? nil : window())
    }

    mutating func window() -> DateWindow {
        let from = flip() ? nil : instant()
        let until = from == nil || flip() ? instant() : nil
        guard let from, let until, from > until else { return DateWindow(from: from, until: until) }
        return DateWindow(from: until, until: from)
    }

    mutating func matches() -> [KeyMatch] {
        var matches: [KeyMatch] = []
        for kind in [KeyMatch.Kind.spki, .certificate] {
            for algorithm in DigestAlgorithm.allCases where matches.isEmpty || flip() {
                let octets = (0..<algorithm.byteCount).map { _ in UInt8(below(256)) }
                guard let digest = Digest(algorithm, bytes: octets) else { continue }
                matches.append(KeyMatch(kind: kind, digest: digest))
            }
        }
        return matches
    }

    mutating func identity() -> IdentityRequirement {
        let dns = some(["a.example", "b.example"]).sorted()
        let ip = Array(Set((0..<number(0...3)).map { _ in address() }))
        let email = some(["X@a.example", "x@a.example"]).sorted()
        let uri = some(["spiffe://mesh.example/ns/*", "spiffe://mesh.example/**"]).sorted()
        let isEmpty = dns.isEmpty && ip.isEmpty && email.isEmpty && uri.isEmpty
        return IdentityRequirement(
            reference: isEmpty ? .host : pick([.listed, .hostAndListed]), dns: dns,
            ip: ip.sorted { $0.description < $1.description }, email: email, uri: uri)
    }

    mutating func anchorSet(_ id: String) -> AnchorSetContents {
        let groups = (0..<number(1...3)).map { _ in anchorGroup() }
        return AnchorSetContents(
            id: id, groups: RandomPolicies.canonical(groups),
            intermediates: flip() ? [] : members(),
            owner: text(), note: text())
    }

    /// Groups that differ in their first octets, in the order of these.
    static func canonical(_ groups: [AnchorGroup]) -> [AnchorGroup] {
        func key(_ group: AnchorGroup) -> [UInt8] {
            [
                group.source == .system ? 1 : 0, group.kind.rawValue, group.standard.rawValue,
                group.ignoredLimits.rawValue,
            ]
        }
        var seen: Set<[UInt8]> = []
        return groups.filter { seen.insert(key($0)).inserted }
            .sorted { key($0).lexicographicallyPrecedes(key($1)) }
    }

    mutating func members() -> [[UInt8]] {
        some([[0x30, 0], [0x30, 1, 0], [0x30, 1, 1], [0xFF]], atLeast: 1)
            .sorted { $0.lexicographicallyPrecedes($1) }
    }

    mutating func anchorGroup() -> AnchorGroup {
        let isSystem = below(4) == 0
        var constraints: [AnchorConstraints] = []
        if flip() { constraints.append(self.constraints()) }
        var filters: [AnchorFilter] = []
        if isSystem, flip() {
            filters = [
                AnchorFilter(only: flip() ? nil : matches(), exclude: flip() ? [] : matches())
            ]
        }
        return AnchorGroup(
            source: isSystem ? .system : .members(members()),
            kind: pick([.root, .intermediate, .leaf]), standard: pick([.rfc5280, .webPKI]),
            ignoredLimits: AnchorLimits(rawValue: UInt8(number(0...15))),
            constraints: constraints, filters: filters)
    }

    mutating func constraints() -> AnchorConstraints {
        var drawn = AnchorConstraints()
        func patterns(_ random: inout RandomPolicies) -> [HostPattern] {
            Set(
                (0..<random.number(0...3)).map { _ in
                    HostPattern(host: random.pattern().host, port: nil)
                }
            ).sorted()
        }
        drawn.permittedNames = patterns(&self)
        drawn.excludedNames = patterns(&self)
        drawn.permittedURIs = some(["spiffe://mesh.example/**", "spiffe://mesh.example/ns/*"])
            .sorted()
        if flip() { drawn.notBefore = window() }
        if flip() { drawn.sct = window() }
        if flip() { drawn.keyPurposes = KeyPurposes(serverAuth: true, others: [[43, 6]]) }
        if flip() { drawn.maximumLifetime = Int64(number(1...9_000_000)) }
        return drawn
    }

    mutating func pinSet(_ id: String) -> PinSetContents {
        let keys = some(["k1", "k2", "k3"], atLeast: 1).sorted().map { pin($0) }
        let backups = some(["b1", "k1"], atLeast: 1).sorted().map { pin($0) }
        return PinSetContents(
            id: id, keys: keys, backups: backups, match: number(1...keys.count + backups.count),
            warnFrom: flip() ? nil : instant(), enforceUntil: flip() ? nil : instant(),
            onExpiry: pick([.fail, .report, .unpinned]), owner: text(), note: text())
    }

    mutating func pin(_ id: String) -> PinContents {
        PinContents(
            id: id, matches: matches(), position: pick(PinPosition.allCases),
            certificates: below(4) == 0 ? members() : [], note: text())
    }

    mutating func provenance() -> Provenance {
        var drawn = Provenance()
        for index in 0..<below(6) {
            drawn.locations["/rules/rule-\(index)"] = Provenance.Location(
                file: pick(["policy.yaml", "team/ü.policy.yaml"]), line: number(1...1000),
                column: number(1...80))
        }
        if flip() { drawn.parents = ["strict": "ats", "ats": "baseline"] }
        return drawn
    }
}
