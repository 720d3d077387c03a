import TestPKI
import Testing
import TrustEngine

/// That the order is exact where a slow and obvious reading of a field can decide: the order calls
/// one side equal or stricter if and only if every member of a small world that this side lets pass
/// passes the other side. The worlds hold a label, a segment, an address and a key that no policy
/// names, so they tell a wildcard from a list.
@Suite("the order is exact") struct PrecisionTests {
    private static let seeds: [UInt64] = [0x9EC1_5E01, 0x9EC1_5E02, 0x9EC1_5E03]

    /// One side of a comparison: a rule with its anchor set and its pin sets.
    private struct Side {
        var identity = IdentityRequirement()
        var constraints: [AnchorConstraints] = []
        var filters: [AnchorFilter] = []
        var pins: [PinSetContents] = []

        var behaviour: Behaviour {
            let set = AnchorSetContents(
                id: "store",
                groups: [
                    AnchorGroup(
                        source: .system, standard: .webPKI, constraints: constraints,
                        filters: filters)
                ])
            let body = RuleBody(
                anchors: ["store"], pins: pins.map(\.id), profile: "baseline",
                requirements: Requirements(), identity: identity, waivers: [], owner: nil,
                note: nil)
            return .body(TrustedSets(anchorSets: [set], pinSets: pins).behaviour(of: body))
        }
    }

    private static func relation(_ here: Side, _ there: Side) -> Relation {
        BehaviourOrder().relation(here.behaviour, there.behaviour)
    }

    /// The relation of what two sides let pass.
    private static func relation<Thing: Hashable>(
        of here: Set<Thing>, _ there: Set<Thing>
    ) -> Relation {
        Relation(isNoWeaker: here.isSubset(of: there), isNoStricter: there.isSubset(of: here))
    }

    private static func expectAll(_ seen: [Relation: Int], atLeast count: Int) {
        for relation in [Relation.equal, .stricter, .weaker, .incomparable] {
            #expect(seen[relation, default: 0] >= count, "\(seen)")
        }
    }

    // MARK: URIs

    /// Segments that patterns name, one that none names, and segments that no wildcard covers.
    private static let uris: [String] = {
        let segments = ["a", "b", "z", "a%2fb", ".", ""]
        var paths = [""]
        var found: [String] = []
        for _ in 0..<4 {
            paths = paths.flatMap { path in segments.map { "\(path)/\($0)" } }
            found += paths
        }
        return ["mesh://one.example", "MESH://One.example/a", "mesh://two.example/a"]
            + found.map { "mesh://one.example\($0)" }
    }()

    private static func uriPattern(_ random: inout RandomPolicies) -> String {
        let path = (0..<random.below(3)).map { _ in random.pick(["/a", "/b", "/a%2fb"]) }.joined()
        return "mesh://one.example\(path)\(random.pick(["", "", "/*", "/**", "/"]))"
    }

    /// What a list of patterns matches, by the pattern's own judgement of each URI.
    private static func matched(_ patterns: [String]) throws -> Set<String> {
        let patterns = try patterns.map { try URIPattern($0) }
        return Set(
            uris.filter { uri in
                let octets = Array(uri.utf8)
                return patterns.contains { $0.mismatch(octets.span) == nil }
            })
    }

    @Test("URI patterns of `identity.uri` and of `permitted-uris`", arguments: seeds)
    func uriPatterns(seed: UInt64) throws {
        var random = RandomPolicies(seed: seed)
        var seen: [Relation: Int] = [:]
        for _ in 0..<60 {
            var lists = (0..<2).map { _ in
                Array(Set((0..<random.number(1...3)).map { _ in Self.uriPattern(&random) }))
                    .sorted()
            }
            // A neighbour of the first list: a pattern more, and often a pattern less.
            if random.flip() {
                lists[1] = lists[0] + [Self.uriPattern(&random)]
                if random.flip() { lists[1].removeFirst() }
            }
            let expected = Self.relation(
                of: try Self.matched(lists[0]), try Self.matched(lists[1]))
            seen[expected, default: 0] += 1
            let identities = lists.map { list in
                var side = Side()
                side.identity = IdentityRequirement(reference: .listed, uri: list)
                return side
            }
            #expect(
                Self.relation(identities[0], identities[1]) == expected, "seed \(seed): \(lists)")
            let constrained = lists.map { list in
                var side = Side()
                side.constraints = [AnchorConstraints()]
                side.constraints[0].permittedURIs = list
                return side
            }
            #expect(
                Self.relation(constrained[0], constrained[1]) == expected, "seed \(seed): \(lists)")
        }
        Self.expectAll(seen, atLeast: 1)
    }

    @Test("several lists of permitted URIs permit what all of them have")
    func uriLists() {
        func side(_ lists: [String]...) -> Side {
            var side = Side()
            side.constraints = lists.map { list in
                var constraints = AnchorConstraints()
                constraints.permittedURIs = list
                return constraints
            }
            return side
        }
        let joint = side(["mesh://a.example/**"], ["mesh://a.example/x/*", "mesh://b.example/y"])
        #expect(Self.relation(joint, side(["mesh://a.example/x/*"])) == .equal)
        #expect(Self.relation(joint, side(["mesh://a.example/*"])) == .incomparable)
        #expect(Self.relation(joint, side(["mesh://a.example/**"])) == .stricter)
    }

    // MARK: Names and addresses

    /// A name of a certificate.
    private enum Presented: Hashable {
        case name(String)
        case wildcard(String)
        case address(IPAddress)
    }

    private static let names: [Presented] = {
        var bases = ["x"]
        var names = ["x"]
        for _ in 0..<4 {
            bases = bases.flatMap { base in ["a", "b", "z"].map { "\($0).\(base)" } }
            names += bases
        }
        let addresses =
            ["10.0.0.99", "10.9.0.1", "11.0.0.1", "2001:db8::1", "2001:db8:8000::1", "2002::1"]
            + (0..<8).map { "10.0.0.\($0)" }
        let parsed = addresses.compactMap { IPAddress(text: $0) }
        let mapped = parsed.filter(\.isIPv4).map {
            IPAddress(high: 0, low: 0xFFFF_0000_0000 | $0.low, isIPv4: false)
        }
        return names.map { .name($0) } + names.map { .wildcard($0) }
            + (parsed + mapped).map { .address($0) }
    }()

    private static func namePattern(_ random: inout RandomPolicies) -> HostPattern {
        let base = random.pick(["x", "a.x", "b.x", "a.a.x", "b.a.x"])
        let host: HostPattern.Host
        switch random.below(8) {
        case 0: host = .name(base)
        case 1, 2: host = .oneLabel(base: base)
        case 3, 4: host = .anyLabels(base: base)
        case 5:
            host = .address(
                IPAddress(high: 0, low: 0x0A00_0000 | UInt64(random.below(8)), isIPv4: true))
        case 6:
            let prefix = random.pick([32, 33])
            let address = IPAddress(
                high: 0x2001_0DB8_0000_0000 | (prefix == 33 && random.flip() ? 0x8000_0000 : 0),
                low: 0, isIPv4: false)
            host = .network(address, prefix: random.below(6) == 0 ? 0 : prefix)
            if case .network(_, prefix: 0) = host {
                return HostPattern(
                    host: .network(IPAddress(high: 0, low: 0, isIPv4: false), prefix: 0), port: nil)
            }
        default:
            let prefix = random.pick([8, 24, 29, 30, 30, 31, 31])
            let address = IPAddress(
                high: 0, low: 0x0A00_0000 | UInt64(random.below(8)), isIPv4: true)
            host = .network(address.masked(prefix: prefix), prefix: prefix)
        }
        return HostPattern(host: host, port: nil)
    }

    /// Whether a pattern permits a presented name: it matches all hosts that the name covers.
    private static func permits(_ pattern: HostPattern, _ name: Presented) -> Bool {
        func isBelow(_ name: String, _ base: String) -> Bool { name.hasSuffix(".\(base)") }
        switch (pattern.host, name) {
        case (.name(let own), .name(let name)): return own == name
        case (.oneLabel(let base), .name(let name)):
            return isBelow(name, base) && !name.dropLast(base.count + 1).contains(".")
        case (.oneLabel(let base), .wildcard(let own)): return base == own
        case (.anyLabels(let base), .name(let name)): return isBelow(name, base)
        case (.anyLabels(let base), .wildcard(let own)): return own == base || isBelow(own, base)
        case (.address(let own), .address(let address)): return own == address.unmapped
        case (.network(let network, let prefix), .address(let address)):
            return network.contains(address.unmapped, prefix: prefix)
        case (.name, _), (.oneLabel, _), (.anyLabels, _), (.address, _), (.network, _):
            return false
        }
    }

    /// Whether a pattern excludes a presented name: it matches some host that the name covers.
    private static func excludes(_ pattern: HostPattern, _ name: Presented) -> Bool {
        if permits(pattern, name) { return true }
        switch (pattern.host, name) {
        case (.name(let own), .wildcard(let base)):
            return own.hasSuffix(".\(base)") && !own.dropLast(base.count + 1).contains(".")
        case (.address(let own), .address(let address)): return own == address
        case (.network(let network, let prefix), .address(let address)):
            return network.contains(address, prefix: prefix)
        case (.name, _), (.oneLabel, _), (.anyLabels, _), (.address, _), (.network, _):
            return false
        }
    }

    private static func admitted(_ constraints: [AnchorConstraints]) -> Set<Presented> {
        Set(
            names.filter { name in
                constraints.allSatisfy { constraint in
                    (constraint.permittedNames.isEmpty
                        || constraint.permittedNames.contains { permits($0, name) })
                        && !constraint.excludedNames.contains { excludes($0, name) }
                }
            })
    }

    @Test(
        "permitted and excluded names of several sets, networks that fill networks",
        arguments: seeds)
    func constrainedNames(seed: UInt64) {
        var random = RandomPolicies(seed: seed)
        func constraints(_ random: inout RandomPolicies) -> AnchorConstraints {
            func patterns(_ count: Int) -> [HostPattern] {
                Array(Set((0..<count).map { _ in Self.namePattern(&random) })).sorted()
            }
            var drawn = AnchorConstraints()
            if random.below(3) > 0 { drawn.permittedNames = patterns(random.number(1...4)) }
            if random.below(3) == 0 { drawn.excludedNames = patterns(random.number(1...2)) }
            return drawn
        }
        var seen: [Relation: Int] = [:]
        for _ in 0..<150 {
            let first = (0..<random.number(1...2)).map { _ in constraints(&random) }
            // A neighbour of the first, or something else.
            var second = first
            if random.below(4) == 0 {
                second = [constraints(&random)]
            } else {
                second[0].permittedNames += [Self.namePattern(&random)]
                if random.flip() {
                    second[0].permittedNames = random.some(second[0].permittedNames, atLeast: 1)
                }
                if random.below(4) == 0 { second[0].excludedNames = [] }
                if second.count > 1, random.flip() { second.removeLast() }
            }
            let sides = [first, second].map { constraints in
                var side = Side()
                side.constraints = constraints.filter { $0 != AnchorConstraints() }
                return side
            }
            let expected = Self.relation(of: Self.admitted(first), Self.admitted(second))
            seen[expected, default: 0] += 1
            let found = Self.relation(sides[0], sides[1])
            #expect(found == expected, "seed \(seed): \(first) \(second)")
        }
        Self.expectAll(seen, atLeast: 3)
    }

    @Test("two halves of a network are the network")
    func halves() {
        func side(_ networks: [(UInt64, Int)], excludes: Bool = false) -> Side {
            var side = Side()
            let patterns = networks.map { low, prefix in
                HostPattern(
                    host: .network(IPAddress(high: 0, low: low, isIPv4: true), prefix: prefix),
                    port: nil)
            }
            side.constraints = [AnchorConstraints()]
            if excludes {
                side.constraints[0].excludedNames = patterns
            } else {
                side.constraints[0].permittedNames = patterns
            }
            return side
        }
        let whole: [(UInt64, Int)] = [(0x0A00_0000, 24)]
        let halves: [(UInt64, Int)] = [(0x0A00_0000, 25), (0x0A00_0080, 26), (0x0A00_00C0, 26)]
        #expect(Self.relation(side(whole), side(halves)) == .equal)
        #expect(
            Self.relation(side(whole, excludes: true), side(halves, excludes: true)) == .equal)
        #expect(Self.relation(side(whole), side(Array(halves.dropLast()))) == .weaker)
    }

    // MARK: The other constraints

    @Test("windows, lifetimes and purposes of several sets")
    func otherConstraints() {
        func side(_ changes: ((inout AnchorConstraints) -> Void)...) -> Side {
            var side = Side()
            side.constraints = changes.map { change in
                var constraints = AnchorConstraints()
                change(&constraints)
                return constraints
            }
            return side
        }
        func purposes(_ identifiers: [[UInt8]]) -> (inout AnchorConstraints) -> Void {
            { $0.keyPurposes = KeyPurposes(others: identifiers) }
        }
        func window(_ from: Int64?, _ until: Int64?) -> (inout AnchorConstraints) -> Void {
            {
                $0.notBefore = DateWindow(
                    from: from.map { .day($0) }, until: until.map { .day($0) })
            }
        }
        let (a, b): ([UInt8], [UInt8]) = ([43, 6], [85])
        let rows: [(Side, Side, Relation)] = [
            (side(purposes([a])), side(purposes([a, b])), .stricter),
            (side(purposes([a]), purposes([b])), side(purposes([a])), .stricter),
            (side(purposes([a])), side(purposes([b])), .incomparable),
            (side(window(1, 9)), side(window(1, nil), window(nil, 9)), .equal),
            (side(window(1, 9)), side(window(2, nil)), .incomparable),
            // Two windows without a common instant let nothing pass.
            (side(window(1, 2), window(5, 6)), side(window(8, 9)), .stricter),
            (
                side({ $0.maximumLifetime = 5 }, { $0.maximumLifetime = 9 }),
                side({ $0.maximumLifetime = 5 }), .equal
            ),
            (side({ $0.maximumLifetime = 5 }), side({ $0.maximumLifetime = 6 }), .stricter),
        ]
        for (index, row) in rows.enumerated() {
            #expect(Self.relation(row.0, row.1) == row.2, "row \(index)")
            #expect(Self.relation(row.1, row.0) == row.2.reversed, "row \(index)")
        }
    }

    // MARK: The machine's store

    private static func match(_ kind: KeyMatch.Kind, _ number: UInt8) throws -> KeyMatch {
        let octets = [UInt8](repeating: number, count: 32)
        return KeyMatch(kind: kind, digest: try #require(Digest(.sha256, bytes: octets)))
    }

    @Test("`only` and `exclude` by the members that they keep of any store", arguments: seeds)
    func storeFilters(seed: UInt64) throws {
        var random = RandomPolicies(seed: seed)
        // A member is its key and itself; the last number of each is one that no filter names.
        let members = (0..<16).map { (key: $0 / 4, itself: $0 % 4) }
        let matches = try (0..<3).flatMap {
            [try Self.match(.spki, UInt8($0)), try Self.match(.certificate, UInt8($0))]
        }
        func filter(_ random: inout RandomPolicies) -> AnchorFilter {
            let list = random.below(3) == 0 ? matches : matches.filter { $0.kind == .spki }
            let only = random.flip() ? nil : random.some(list, atLeast: 1)
            return AnchorFilter(
                only: only, exclude: only == nil || random.flip() ? random.some(list) : [])
        }
        func isMatched(_ member: (key: Int, itself: Int), by match: KeyMatch) -> Bool {
            Int(match.digest.bytes[0]) == (match.kind == .spki ? member.key : member.itself)
        }
        func kept(_ filters: [AnchorFilter]) -> Set<Int> {
            Set(
                members.indices.filter { index in
                    filters.allSatisfy { filter in
                        (filter.only?.contains { isMatched(members[index], by: $0) } ?? true)
                            && !filter.exclude.contains { isMatched(members[index], by: $0) }
                    }
                })
        }
        var seen: [Relation: Int] = [:]
        for _ in 0..<350 {
            let filters = (0..<2).map { _ in
                (0..<random.number(0...2)).map { _ in filter(&random) }
            }
            let expected = Self.relation(of: kept(filters[0]), kept(filters[1]))
            seen[expected, default: 0] += 1
            let sides = filters.map { filters in
                var side = Side()
                side.filters = filters
                return side
            }
            #expect(
                Self.relation(sides[0], sides[1]) == expected, "seed \(seed): \(filters)")
        }
        Self.expectAll(seen, atLeast: 3)
    }

    // MARK: Pins

    private static let keys = ["a", "b", "c", "d"].map {
        World.key(of: TestKey.p256("precision \($0)"))
    }

    /// A path: the number of the key of each certificate, end entity first. The last number is one
    /// that no set pins.
    private static let paths: [[Int]] = {
        var found: [[Int]] = []
        var level: [[Int]] = [[]]
        for _ in 0..<4 {
            level = level.flatMap { path in (0...keys.count).map { path + [$0] } }
            found += level
        }
        return found
    }()

    private static func pinSet(
        _ id: String, _ entries: [(keys: [Int], position: PinPosition)], match: Int
    ) -> PinSetContents {
        PinSetContents(
            id: id,
            keys: entries.enumerated().map { index, entry in
                PinContents(
                    id: "k\(index)", matches: entry.keys.map { keys[$0] },
                    position: entry.position, note: nil)
            }, backups: [], match: match, warnFrom: nil, enforceUntil: nil, onExpiry: .fail,
            owner: nil, note: nil)
    }

    /// Whether a path meets a set, read as LANGUAGE section 6 says it.
    private static func meets(_ path: [Int], _ set: PinSetContents) -> Bool {
        var matchedKeys: Set<Int> = []
        var matchedEntries = 0
        for entry in set.keys + set.backups {
            let positions = path.indices.filter { index in
                let (isFirst, isLast) = (index == 0, index == path.count - 1)
                let isAllowed: Bool
                switch entry.position {
                case .any: isAllowed = true
                case .leaf: isAllowed = isFirst
                case .anchor: isAllowed = isLast
                case .intermediate: isAllowed = !isFirst && !isLast
                case .ca: isAllowed = !isFirst || isLast
                }
                return isAllowed && path[index] < keys.count
                    && entry.matches.contains(keys[path[index]])
            }
            if !positions.isEmpty { matchedEntries += 1 }
            matchedKeys.formUnion(positions.map { path[$0] })
        }
        return min(matchedKeys.count, matchedEntries) >= set.match
    }

    private static func drawPins(
        _ random: inout RandomPolicies, positions: [PinPosition], overlaps: Bool
    ) -> [PinSetContents] {
        (0..<random.number(1...2)).map { number in
            var left = random.shuffled(Array(keys.indices))
            var entries: [(keys: [Int], position: PinPosition)] = []
            for _ in 0..<random.number(1...3) where !left.isEmpty {
                let count = random.below(4) == 0 ? min(2, left.count) : 1
                entries.append((Array(left.prefix(count)), random.pick(positions)))
                left =
                    overlaps ? random.shuffled(Array(keys.indices)) : Array(left.dropFirst(count))
            }
            return pinSet("set-\(number)", entries, match: random.number(1...entries.count))
        }
    }

    private static func passing(_ sets: [PinSetContents]) -> Set<[Int]> {
        Set(paths.filter { path in sets.allSatisfy { meets(path, $0) } })
    }

    /// How two lists of pin sets compare, with all else equal.
    private static func relation(ofPins sets: [[PinSetContents]]) -> Relation {
        let sides = sets.map { sets in
            var side = Side()
            side.pins = sets
            return side
        }
        return relation(sides[0], sides[1])
    }

    /// Expects that two lists of pin sets compare as the paths say that pass, and returns how.
    private static func expectPrecise(_ sets: [[PinSetContents]], seed: UInt64) -> Relation {
        let expected = relation(of: passing(sets[0]), passing(sets[1]))
        #expect(relation(ofPins: sets) == expected, "seed \(seed): \(sets)")
        return expected
    }

    @Test("pin sets together, by what their entries can match", arguments: seeds)
    func pinSets(seed: UInt64) {
        var random = RandomPolicies(seed: seed)
        var seen: [Relation: Int] = [:]
        for _ in 0..<150 {
            var sets = (0..<2).map { _ in
                Self.drawPins(&random, positions: [.any], overlaps: false)
            }
            // One set of which all entries must match is as many sets of one entry.
            if random.below(4) == 0 {
                sets[1] = sets[0].flatMap { set in
                    set.match < set.keys.count
                        ? [set]
                        : set.keys.map { key in
                            var single = set
                            single.id += key.id
                            single.keys = [key]
                            single.match = 1
                            return single
                        }
                }
            }
            seen[Self.expectPrecise(sets, seed: seed), default: 0] += 1
        }
        Self.expectAll(seen, atLeast: 3)
    }

    @Test("positions of one pin, and a position that is the union of others", arguments: seeds)
    func pinPositions(seed: UInt64) {
        var random = RandomPolicies(seed: seed)
        var seen: [Relation: Int] = [:]
        for _ in 0..<150 {
            let sets = (0..<2).map { _ in
                [
                    Self.pinSet(
                        "set",
                        (0..<random.number(1...3)).map { _ in
                            ([random.below(2)], random.pick(PinPosition.allCases))
                        }, match: 1)
                ]
            }
            seen[Self.expectPrecise(sets, seed: seed), default: 0] += 1
        }
        Self.expectAll(seen, atLeast: 3)
    }

    /// Whatever the sets hold: entries with common keys, any positions.
    @Test("a pin set that implies another lets no path pass that the other stops", arguments: seeds)
    func soundPins(seed: UInt64) {
        var random = RandomPolicies(seed: seed)
        var implied = 0
        for _ in 0..<200 {
            let sets = (0..<2).map { _ in
                Self.drawPins(&random, positions: PinPosition.allCases, overlaps: true)
            }
            let passing = sets.map { Self.passing($0) }
            let relation = Self.relation(ofPins: sets)
            if relation.isNoWeaker || relation.isNoStricter { implied += 1 }
            #expect(
                !relation.isNoWeaker || passing[0].isSubset(of: passing[1]),
                "seed \(seed): \(sets)")
            #expect(
                !relation.isNoStricter || passing[1].isSubset(of: passing[0]),
                "seed \(seed): \(sets)")
        }
        #expect(implied > 20, "\(implied)")
    }

    @Test("a set of more entries than anybody writes is compared, too")
    func manyPins() {
        let keys = (0..<80).map { TestKey.p256("precision many \($0)") }
        func side(_ keys: ArraySlice<TestKey>, match: Int) -> Side {
            var side = Side()
            side.pins = [
                PinSetContents(
                    id: "set",
                    keys: keys.enumerated().map { index, key in
                        PinContents(
                            id: "k\(index)", matches: [World.key(of: key)], position: .any,
                            note: nil)
                    }, backups: [], match: match, warnFrom: nil, enforceUntil: nil,
                    onExpiry: .fail, owner: nil, note: nil)
            ]
            return side
        }
        #expect(
            Self.relation(side(keys.dropLast(), match: 1), side(keys[...], match: 1)) == .stricter)
        #expect(
            Self.relation(side(keys.dropLast(), match: 3), side(keys[...], match: 3)) == .stricter)
        #expect(
            Self.relation(side(keys[...], match: 4), side(keys.dropLast(), match: 3)) == .stricter)
        #expect(
            Self.relation(side(keys[...], match: 3), side(keys.dropLast(2), match: 2))
                == .incomparable)
    }
}
