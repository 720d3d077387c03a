import LibCrypto
import PolicyTools
import TestPKI
import TrustEngine

/// Two random policies of which one was made of the other, over few names, addresses, keys and
/// dates, so that patterns meet each other and hosts meet patterns.
struct RandomPair {
    let contents: [PolicyContents]
    let tables: [PolicyTable]
    /// Every instant at which something may end.
    static let ends: [UTCInstant] = [.day(-3), .day(20), .day(40), .day(41)]
    /// The instant from which on the two are compared.
    static let since = UTCInstant.day(0)

    init(_ random: inout SplitMix) {
        let first = RandomPolicy(&random)
        var second = first
        let changes = Int.random(in: 2...14, using: &random)
        for _ in 0..<changes { second.change(&random) }
        contents = [first.contents, second.contents].shuffled(using: &random)
        tables = contents.map {
            PolicyTable.encode($0, provenance: nil, crypto: LibCryptoBackend())
        }
    }

    /// What `diff` is asked of the two.
    static func question(_ tables: [PolicyTable], since: UTCInstant) -> DiffQuestion {
        DiffQuestion(DiffSide("old", tables[0]), DiffSide("new", tables[1]), since: since)
    }

    /// Every pattern of one or both policies.
    var patterns: [HostPattern] {
        Array(Set(contents.flatMap { $0.rules.flatMap(\.hosts) })).sorted()
    }

    // MARK: Hosts, ports and instants

    /// A host at or near a pattern: itself, with labels before it, without its first label, the
    /// addresses beside it.
    func host(_ random: inout SplitMix) -> CanonicalHost {
        guard let pattern = patterns.randomElement(using: &random) else {
            return .name(RandomPolicy.name(&random))
        }
        let text: String
        switch pattern.host {
        case .name(let base), .oneLabel(let base), .anyLabels(let base):
            let labels = (0..<[0, 1, 1, 1, 2, 3].randomElement(using: &random)!).map { _ in
                RandomPolicy.label(&random)
            }
            switch Int.random(in: 0..<8, using: &random) {
            case 0: text = base.split(separator: ".").dropFirst().joined(separator: ".")
            case 1: text = RandomPolicy.name(&random)
            default: text = (labels + [base]).joined(separator: ".")
            }
        case .address(let address), .network(let address, _):
            let spread = UInt64([0, 0, 1, 3, 255].randomElement(using: &random)!)
            text =
                IPAddress(
                    high: address.high,
                    low: address.low ^ (UInt64.random(in: 0...spread, using: &random)),
                    isIPv4: address.isIPv4
                ).description
        }
        // An empty name, or one that is too long, is not a host.
        return (try? CanonicalHost(text: text)) ?? .name(RandomPolicy.name(&random))
    }

    static func port(_ random: inout SplitMix) -> UInt16 {
        [443, 443, 8443, 80].randomElement(using: &random) ?? 443
    }

    static func instant(_ random: inout SplitMix) -> UTCInstant {
        let end = ends.randomElement(using: &random) ?? since
        let instant = end.advanced(bySeconds: Int64.random(in: 0...1, using: &random))
        return Bool.random(using: &random) ? since : max(since, instant)
    }
}

/// One random policy that is open to change.
struct RandomPolicy {
    private(set) var contents: PolicyContents

    init(_ random: inout SplitMix) {
        var left = Set(
            (0..<Int.random(in: 3...14, using: &random)).flatMap { _ in
                RandomPolicy.patterns(&random)
            }
        ).sorted().shuffled(using: &random)
        contents = PolicyContents(
            defaultRule: .deny, rules: [],
            anchorSets: ["corp", "edge"].map { RandomPolicy.anchorSet($0, &random) } + [.system],
            pinSets: ["one", "two"].map { RandomPolicy.pinSet($0, &random) })
        for index in 0..<Int.random(in: 2...5, using: &random) {
            let own = left.prefix(Int.random(in: 1...5, using: &random))
            left.removeFirst(own.count)
            contents.rules.append(
                RuleContents(id: "rule-\(index)", hosts: own.sorted(), body: Self.body(&random)))
        }
        if Bool.random(using: &random) { contents.defaultRule = .body(Self.body(&random)) }
    }

    // MARK: Patterns

    static func label(_ random: inout SplitMix) -> String {
        ["a", "a", "b", "c-1", "_", "y"].randomElement(using: &random) ?? "a"
    }

    static func name(_ random: inout SplitMix) -> String {
        let labels = (0..<Int.random(in: 0...2, using: &random)).map { _ in label(&random) }
        return (labels + ["x"]).joined(separator: ".")
    }

    /// A name so long that few labels or none fit before it.
    private static func longName(_ random: inout SplitMix) -> String {
        let octets = Int.random(in: 245...253, using: &random)
        let label = String(repeating: "l", count: 49)
        let rest = String(repeating: "m", count: octets - 200)
        return ([rest] + Array(repeating: label, count: 4)).joined(separator: ".")
    }

    /// A pattern, or several that fill another.
    private static func patterns(_ random: inout SplitMix) -> [HostPattern] {
        let port: UInt16? = [nil, nil, nil, 443, 8443].randomElement(using: &random) ?? nil
        func pattern(_ host: HostPattern.Host) -> [HostPattern] {
            [HostPattern(host: host, port: port)]
        }
        switch Int.random(in: 0..<12, using: &random) {
        case 0...2: return pattern(.name(name(&random)))
        case 3, 4: return pattern(.oneLabel(base: name(&random)))
        case 5, 6: return pattern(.anyLabels(base: name(&random)))
        case 7:
            let long = longName(&random)
            let forms: [HostPattern.Host] = [
                .name(long), .oneLabel(base: long), .anyLabels(base: long),
            ]
            return forms.filter { _ in Bool.random(using: &random) }.flatMap { pattern($0) }
        case 8, 9: return pattern(.address(address(&random)))
        case 10:
            let address = address(&random)
            let prefix =
                (address.isIPv4 ? [0, 8, 24, 29, 30, 31] : [0, 32, 80, 95, 96, 124, 126, 127])
                .randomElement(using: &random) ?? 0
            return pattern(.network(address.masked(prefix: prefix), prefix: prefix))
        default:
            // A network and the narrower patterns that fill it.
            let base = address(&random)
            let prefix = base.bitCount - 1
            let network = base.masked(prefix: prefix)
            let other = IPAddress(high: network.high, low: network.low | 1, isIPv4: base.isIPv4)
            return pattern(.network(network, prefix: prefix)) + pattern(.address(network))
                + pattern(.address(other))
        }
    }

    private static func address(_ random: inout SplitMix) -> IPAddress {
        let low = UInt64.random(in: 0...3, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0...3: return IPAddress(high: 0, low: 0x0A00_0000 | low, isIPv4: true)
        case 4: return IPAddress(high: 0, low: 0xFFFF_FFFC | low, isIPv4: true)
        case 5: return IPAddress(high: .max, low: .max - low, isIPv4: false)
        // IPv4-mapped: a network of them decides no host.
        case 6: return IPAddress(high: 0, low: 0xFFFF_0A00_0000 | low, isIPv4: false)
        default: return IPAddress(high: 0x2001_0DB8_0000_0000, low: low, isIPv4: false)
        }
    }

    // MARK: Bodies

    private static func body(_ random: inout SplitMix) -> RuleBody {
        var body = RuleBody(
            anchors: ["corp"], pins: [],
            profile: ["one", "two"].randomElement(using: &random) ?? "one",
            requirements: Requirements(), identity: IdentityRequirement(), waivers: [],
            owner: nil, note: nil)
        for _ in 0..<Int.random(in: 0...4, using: &random) { change(&body, &random) }
        return body
    }

    /// The values that each varied field of a profile takes.
    static let values: [ProfileField: [FieldValue]] = [
        .rsaMinimum: [.integer(2048), .integer(3072), .integer(4096)],
        .maximumIntermediates: [.integer(0), .integer(1), .integer(8)],
        .keyTypes: [.words(0b11_1111), .words(0b110), .words(0b100)],
        .maximumLifetime: [.unwritten, .seconds(30 * 86_400), .seconds(400 * 86_400)],
        .tlsMinimumVersion: [.word(771), .word(772)],
        .tlsAlpn: [.preferences([]), .preferences(["h2"]), .preferences(["h2", "h3"])],
        .checks: [.names([]), .names(["short"])],
    ]

    private static func change(_ requirements: inout Requirements, _ random: inout SplitMix) {
        let fields = values.keys.sorted { $0.rawValue < $1.rawValue }
        guard let field = fields.randomElement(using: &random),
            let value = values[field]?.randomElement(using: &random),
            Int.random(in: 0..<8, using: &random) > 0
        else {
            let preset: RevocationPreset = Bool.random(using: &random) ? .bestEffort : .require
            requirements.write(.revocationPreset, .word(Int(preset.rawValue)))
            requirements.revocation.causes = RevocationCauses(preset)
            return
        }
        requirements.write(field, value)
    }

    private static func change(_ body: inout RuleBody, _ random: inout SplitMix) {
        func end() -> UTCInstant { RandomPair.ends.randomElement(using: &random) ?? .day(0) }
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1:
            body.anchors =
                [["corp"], ["edge"], ["corp", "edge"], ["system"], ["corp", "system"]]
                .randomElement(using: &random) ?? ["corp"]
        case 2, 3:
            body.pins =
                [[], ["one"], ["two"], ["one", "two"]].randomElement(using: &random) ?? []
        case 4:
            let tolerances: [Waiver.Tolerance] = [
                .expired(seconds: 86_400), .expired(seconds: 7 * 86_400), .identity, .pins,
                .tls(minimumVersion: .tls10), .tls(minimumVersion: .tls11),
            ]
            guard let tolerance = tolerances.randomElement(using: &random) else { return }
            body.waivers.removeAll { $0.tolerance.name == tolerance.name }
            guard Int.random(in: 0..<4, using: &random) > 0 else { return }
            body.waivers.append(
                Waiver(
                    tolerance: tolerance, until: end(), reason: "r", owner: "o", ticket: nil))
            body.waivers.sort { $0.tolerance.name < $1.tolerance.name }
        case 5:
            let check: ReportOnly.Check = Bool.random(using: &random) ? .pins : .lifetime
            body.reportOnly.removeAll { $0.check == check }
            guard Int.random(in: 0..<4, using: &random) > 0 else { return }
            body.reportOnly.append(ReportOnly(check: check, until: end(), note: nil))
            body.reportOnly.sort { $0.check.precedes($1.check) }
        case 6:
            let names = [["b.example"], ["b.example", "c.example"], ["c.example"]]
            body.identity =
                Bool.random(using: &random)
                ? IdentityRequirement()
                : IdentityRequirement(
                    reference: Bool.random(using: &random) ? .listed : .hostAndListed,
                    dns: names.randomElement(using: &random) ?? [])
        default: change(&body.requirements, &random)
        }
    }

    // MARK: Sets

    private static func anchorSet(_ id: String, _ random: inout SplitMix) -> AnchorSetContents {
        var constraints = AnchorConstraints()
        if Int.random(in: 0..<3, using: &random) == 0 {
            constraints.maximumLifetime =
                [10, 200].randomElement(using: &random).map { $0 * 86_400 }
        }
        let members = RandomWorld.roots.filter { _ in Bool.random(using: &random) }
        return AnchorSetContents(
            id: id,
            groups: [
                AnchorGroup(
                    source: .members(
                        (members.isEmpty ? [RandomWorld.roots[0]] : members).map(\.der)
                            .sorted { $0.lexicographicallyPrecedes($1) }),
                    constraints: constraints == AnchorConstraints() ? [] : [constraints])
            ])
    }

    private static func pinSet(_ id: String, _ random: inout SplitMix) -> PinSetContents {
        let pins = RandomWorld.pinnable.shuffled(using: &random)
            .prefix(Int.random(in: 2...3, using: &random)).enumerated().map { index, key in
                PinContents(
                    id: "k\(index)", matches: [key],
                    position: [.any, .any, .ca, .leaf, .anchor].randomElement(using: &random)
                        ?? .any, note: nil)
            }
        return PinSetContents(
            id: id, keys: Array(pins.dropLast()), backups: pins.suffix(1),
            match: Int.random(in: 1...2, using: &random), warnFrom: nil,
            enforceUntil: Bool.random(using: &random)
                ? nil : RandomPair.ends.randomElement(using: &random),
            onExpiry: [.fail, .report, .unpinned].randomElement(using: &random) ?? .fail,
            owner: nil, note: nil)
    }

    // MARK: Changes

    mutating func change(_ random: inout SplitMix) {
        let rule = Int.random(in: contents.rules.indices, using: &random)
        switch Int.random(in: 0..<16, using: &random) {
        case 0:
            contents.defaultRule =
                Bool.random(using: &random) ? .deny : .body(RandomPolicy.body(&random))
        case 1:
            let set = Int.random(in: 0..<2, using: &random)
            contents.anchorSets[set] = RandomPolicy.anchorSet(contents.anchorSets[set].id, &random)
        case 2:
            let set = Int.random(in: 0..<2, using: &random)
            contents.pinSets[set] = RandomPolicy.pinSet(contents.pinSets[set].id, &random)
        case 3, 4:
            // A profile: the same change in each rule that names it.
            let profile = Bool.random(using: &random) ? "one" : "two"
            let numbers = random
            for index in contents.rules.indices
            where contents.rules[index].body.profile == profile {
                random = numbers
                RandomPolicy.change(&contents.rules[index].body.requirements, &random)
            }
        case 5:
            let other = Int.random(in: contents.rules.indices, using: &random)
            guard let pattern = contents.rules[rule].hosts.randomElement(using: &random) else {
                return
            }
            contents.rules[rule].hosts.removeAll { $0 == pattern }
            contents.rules[other].hosts = (contents.rules[other].hosts + [pattern]).sorted()
        case 6:
            let known = Set(contents.rules.flatMap(\.hosts))
            let more = Set(RandomPolicy.patterns(&random)).subtracting(known)
            contents.rules[rule].hosts = (contents.rules[rule].hosts + more).sorted()
        case 7: contents.rules[rule].hosts = Array(contents.rules[rule].hosts.dropLast())
        default: RandomPolicy.change(&contents.rules[rule].body, &random)
        }
    }
}
