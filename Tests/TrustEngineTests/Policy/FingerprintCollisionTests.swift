import LibCrypto
import TestPKI
import Testing

@testable import TrustEngine

/// Two names with one fingerprint in the index over host names. An index that took a fingerprint
/// for a name would judge the hosts of the one by the rule of the other.
@Suite("two names with one fingerprint") struct FingerprintCollisionTests {
    /// The pair, in the order of their octets.
    static let first = "cjcjgo.example"
    static let second = "owxddl.example"

    private static func fingerprint(_ name: String) -> UInt32 {
        NameIndex.fingerprint(of: name.utf8.span)
    }

    private static func table(_ patterns: [String]) throws -> PolicyTable {
        let table = HostLookupTests.table(
            try patterns.map { try #require(HostLookupTests.pattern($0)) })
        // As a load would have it.
        return try PolicyTable(decoding: table.bytes, crypto: TableDigests())
    }

    /// The texts of the patterns that a table finds for a host.
    private static func found(
        _ host: String, port: UInt16, in table: PolicyTable
    ) throws -> [String] {
        let host = try CanonicalHost(text: host)
        let winner = table.lookUp(host, port: port)
        let all = table.candidates(host, port: port)
        #expect(winner == all.first)
        return all.map { table.pattern(at: Int($0.pattern)).canonicalText }
    }

    @Test("the pair is one: another hash needs another pair") func pair() {
        #expect(Self.fingerprint(Self.first) == Self.fingerprint(Self.second))
        #expect(Self.first.utf8.count == Self.second.utf8.count)
    }

    // MARK: Looking up

    /// Patterns of a table, a host and port, and the matches for it, the most specific first.
    struct Lookup: Sendable, CustomTestStringConvertible {
        let patterns: [String]
        let host: String
        let port: UInt16
        let expected: [String]

        init(_ patterns: [String], _ host: String, port: UInt16 = 443, _ expected: [String]) {
            self.patterns = patterns
            self.host = host
            self.port = port
            self.expected = expected
        }

        var testDescription: String {
            "\(patterns.joined(separator: " ")) asked for \(host):\(port)"
        }
    }

    /// Each row is asked a second time with the two names exchanged.
    static let lookups: [Lookup] = [
        // Both.
        Lookup([first, second], first, [first]),
        Lookup([second, first], second, [second]),
        Lookup([first, "*.\(second)"], "x.\(second)", ["*.\(second)"]),
        Lookup([first, "*.\(second)"], "x.\(first)", []),
        Lookup(["*.\(first)", "*.\(second)"], "x.\(first)", ["*.\(first)"]),
        Lookup(["**.\(first)", "**.\(second)"], "x.y.\(first)", ["**.\(first)"]),
        Lookup(["**.\(first)", "*.\(second)"], "x.\(second)", ["*.\(second)"]),
        Lookup(["**.\(first)", "*.\(second)"], "x.y.\(second)", []),
        // One, and the other asked.
        Lookup([first], second, []),
        Lookup(["*.\(first)"], "x.\(second)", []),
        Lookup(["**.\(first)"], "x.\(second)", []),
        Lookup(["**.\(first)"], "x.y.z.\(second)", []),
        Lookup([first, "**.example"], second, ["**.example"]),
        Lookup(["*.\(first)", "**.example"], "x.\(second)", ["**.example"]),
        Lookup([first, "*.example:443"], second, ["*.example:443"]),
        // Ports.
        Lookup(["\(first):443"], second, []),
        Lookup(["\(first):443", "\(second):8443"], first, ["\(first):443"]),
        Lookup(["\(first):443", "\(second):8443"], second, []),
        Lookup(["\(first):443", "\(second):8443"], second, port: 8_443, ["\(second):8443"]),
        Lookup(["\(first):443", second], first, ["\(first):443"]),
        Lookup(["\(first):443", second], first, port: 8_443, []),
        Lookup(["\(first):443", first, second], second, [second]),
        Lookup(["*.\(first):443", "*.\(second)"], "x.\(second)", ["*.\(second)"]),
        Lookup(["*.\(first):443", "*.\(second)"], "x.\(first)", port: 1, []),
        // Case and a dot at the end fold to the name.
        Lookup([first, second], "CJCJGO.Example.", [first]),
    ]

    private static func exchanged(_ text: String) -> String {
        let placeholder = text.lowercased().replacing(first, with: "-")
        return placeholder.replacing(second, with: first).replacing("-", with: second)
    }

    @Test("each name finds its own patterns alone", arguments: lookups, [false, true])
    func lookUp(_ row: Lookup, isExchanged: Bool) throws {
        let exchange = { (text: String) in isExchanged ? Self.exchanged(text) : text }
        // Neighbours before, between and behind do not matter.
        for others in [[], (0..<40).map { "n\($0).example" }] {
            let table = try Self.table(row.patterns.map(exchange) + others)
            #expect(
                try Self.found(exchange(row.host), port: row.port, in: table)
                    == row.expected.map(exchange))
        }
    }

    @Test("a pattern is found in another table by its whole name") func exactPatterns() throws {
        let table = try Self.table([Self.first, "*.\(Self.first)", "\(Self.first):443"])
        for (text, isThere) in [
            (Self.first, true), ("*.\(Self.first)", true), ("\(Self.first):443", true),
            (Self.second, false), ("*.\(Self.second)", false), ("\(Self.second):443", false),
            ("**.\(Self.second)", false),
        ] {
            let pattern = try #require(HostLookupTests.pattern(text))
            #expect((table.rule(of: pattern) != nil) == isThere, "\(text)")
            #expect(table.covering(pattern, port: 443).isEmpty == !isThere, "\(text)")
            #expect(
                table.ports(covering: pattern, most: 64)?.isEmpty
                    == (!isThere || text.hasPrefix("*")))
        }
    }

    @Test("`default` decides the host whose name only collides") func verdict() throws {
        let acme = Acme()
        func body(_ set: String) -> RuleBody {
            RuleBody(
                anchors: [set], pins: [], profile: "baseline", requirements: Requirements(),
                identity: IdentityRequirement(), waivers: [], owner: nil, note: nil)
        }
        func sets(_ id: String, _ member: [UInt8]) -> AnchorSetContents {
            AnchorSetContents(id: id, groups: [AnchorGroup(source: .members([member]))])
        }
        let other = Scenario().root("Root B", key: .p256("evaluation root b"))
        for (owner, stranger) in [(Self.first, Self.second), (Self.second, Self.first)] {
            for fallback in [DefaultRule.deny, .body(body("other"))] {
                let contents = PolicyContents(
                    defaultRule: fallback,
                    rules: [
                        RuleContents(
                            id: "owner", hosts: [HostPattern(host: .name(owner), port: nil)],
                            body: body("good"))
                    ],
                    anchorSets: [sets("good", acme.root.der), sets("other", other.der)], pinSets: []
                )
                let crypto = LibCryptoBackend()
                let engine = try Engine(
                    table: PolicyTable.encode(contents, provenance: nil, crypto: crypto),
                    crypto: crypto)
                let leaf = acme.issuing.issueLeaf(dns: [owner, stranger])
                func outcome(_ host: String) -> [String] {
                    let verdict = engine.evaluate(
                        TrustRequest(
                            host: host, port: 443, presentedChain: [leaf.der, acme.issuing.der],
                            time: Scenario.judgedAt,
                            tls: .observed(TLSParameters(version: .tls13))))
                    return verdict.isAccept ? ["accept"] : verdict.violations.map(\.id)
                }
                #expect(outcome(owner) == ["accept"])
                #expect(
                    outcome(stranger)
                        == [fallback == .deny ? "no-applicable-rule" : "anchor-not-trusted"])
            }
        }
    }

    // MARK: The bytes

    /// Offsets in a table of both names without wildcards or ports: where its full slots stand, and
    /// its two entries (length, name, shape, rule).
    private static func parts(_ bytes: [UInt8]) -> (slots: [Int], entries: [Int]) {
        let slots = TableDecoderTests.extent(27, bytes)
        let names = TableDecoderTests.extent(28, bytes)
        let full = stride(from: slots.lowerBound + 40, to: slots.upperBound, by: 8).filter {
            Array(bytes[$0 + 4..<$0 + 8]) != [255, 255, 255, 255]
        }
        return (full, [names.lowerBound, names.lowerBound + 1 + first.utf8.count + 1 + 4])
    }

    @Test("both are filed, one behind the other, in the order of their octets") func filed() throws
    {
        let table = try Self.table([Self.second, Self.first])
        let (slots, entries) = Self.parts(table.bytes)
        #expect(slots.count == 2 && slots[1] == slots[0] + 8)
        for (index, name) in [Self.first, Self.second].enumerated() {
            var fingerprint: UInt32 = 0
            for octet in (0..<4).reversed() {
                fingerprint = fingerprint << 8 | UInt32(table.bytes[slots[index] + octet])
            }
            #expect(fingerprint == Self.fingerprint(name))
            #expect(
                Array(table.bytes[entries[index]..<entries[index] + 1 + name.utf8.count])
                    == [UInt8(name.utf8.count)] + Array(name.utf8))
        }
        var patterns: [String] = []
        table.forEachPattern { pattern, _ in patterns.append(pattern.canonicalText) }
        #expect(patterns == [Self.first, Self.second])
    }

    /// An index that leads from the one name to the other is refused: what a fingerprint cannot
    /// tell, the order of the entries does.
    @Test("an index whose slots or entries are exchanged is refused")
    func hostileIndex() throws {
        let bytes = try Self.table([Self.first, Self.second]).bytes
        let (slots, entries) = Self.parts(bytes)
        let count = Self.first.utf8.count
        func refusal(_ change: (inout [UInt8]) -> Void) -> TableDecodingError.Code? {
            var changed = bytes
            change(&changed)
            #expect(changed != bytes)
            return TableDecoderTests.code(TableDecoderTests.resealed(changed))
        }
        func write(_ name: String, _ entry: Int, _ bytes: inout [UInt8]) {
            bytes.replaceSubrange(entries[entry] + 1..<entries[entry] + 1 + count, with: name.utf8)
        }
        func lead(_ slot: Int, to entry: Int, _ bytes: inout [UInt8]) {
            bytes[slots[slot] + 4] = UInt8(entries[entry] - entries[0])
        }
        #expect(TableDecoderTests.code(TableDecoderTests.resealed(bytes)) == nil)
        // Each slot leads to the other's entry; both to the first; both to the second.
        #expect(
            refusal {
                lead(0, to: 1, &$0)
                lead(1, to: 0, &$0)
            } == .malformed)
        #expect(refusal { lead(1, to: 0, &$0) } == .malformed)
        #expect(refusal { lead(0, to: 1, &$0) } == .malformed)
        // The names exchanged; one of them in both places.
        #expect(
            refusal {
                write(Self.second, 0, &$0)
                write(Self.first, 1, &$0)
            } == .malformed)
        #expect(refusal { write(Self.first, 1, &$0) } == .malformed)
        #expect(refusal { write(Self.second, 0, &$0) } == .malformed)
        // A name that has another fingerprint.
        #expect(refusal { write("cjcjgp.example", 0, &$0) } == .malformed)
        #expect(refusal { write("owxddk.example", 1, &$0) } == .malformed)
    }

    /// Whoever writes a table chooses its names. Exchanging one for the other changes no other
    /// octet, and what results is the table of the other name: it decides that name's hosts and no
    /// others.
    @Test("a name exchanged for the other is a table of the other") func exchangedName() throws {
        var bytes = try Self.table([Self.first]).bytes
        let names = TableDecoderTests.extent(28, bytes)
        bytes.replaceSubrange(
            names.lowerBound + 1..<names.lowerBound + 1 + Self.first.utf8.count,
            with: Self.second.utf8)
        let table = try PolicyTable(
            decoding: TableDecoderTests.resealed(bytes), crypto: TableDigests())
        #expect(table.bytes == (try Self.table([Self.second]).bytes))
        #expect(try Self.found(Self.first, port: 443, in: table) == [])
        #expect(try Self.found(Self.second, port: 443, in: table) == [Self.second])
    }
}
