import Rendering
import Testing
import TrustEngine

@Suite("patterns near to a host that none matches")
struct NearPatternsTests {
    private static func near(
        _ host: String, _ patterns: [HostPattern], denies: Bool = true
    ) throws -> [String] {
        let table = SampleTable.table([("pay", patterns)], denies: denies)
        return NearPatterns(table: table, host: try CanonicalHost(text: host), port: 443)
            .sentences
    }

    /// A host, the patterns of a rule, and the sentences.
    static let rows: [(String, [HostPattern], [String])] = [
        (
            "api.pay.example", [.name("api.pay.example", 8443), .name("www.pay.example")],
            ["`api.pay.example:8443` of rule `pay` is for port 8443; asked was port 443"]
        ),
        (
            "svc.example", [.any("svc.example"), .name("a.svc.example")],
            ["`**.svc.example` of rule `pay` never includes `svc.example` itself"]
        ),
        (
            "api.paymnts.example", [.name("api.payments.example"), .name("api.example")],
            ["did you mean `api.payments.example` of rule `pay`?"]
        ),
        (
            "a.b.svc.exmaple", [.any("svc.example")],
            ["did you mean `a.b.svc.example`, which `**.svc.example` covers, of rule `pay`?"]
        ),
        (
            "a.svc.examplee", [.one("svc.example")],
            ["did you mean `a.svc.example`, which `*.svc.example` covers, of rule `pay`?"]
        ),
        // `*` stands for one label.
        ("a.b.svc.exmaple", [.one("svc.example")], []),
        (
            "api.pay.exampel", [.name("api.pay.example", 8443)],
            ["did you mean `api.pay.example:8443` of rule `pay`?"]
        ),
        (
            "a.b.svc.example", [.one("svc.example"), .name("pay.example")],
            [
                "`*.svc.example` of rule `pay` has `*` for one label, and the host has 2 before "
                    + "`svc.example`"
            ]
        ),
        (
            "db.pay.example", [.name("api.pay.example"), .name("shop.example")],
            ["`api.pay.example` of rule `pay` has `api` where the host has `db`"]
        ),
        // One label in common is none.
        ("a.example", [.name("shop.example"), .single("192.0.2.1")], []),
        (
            "10.41.0.1", [.network("10.41.8.0", 24)],
            ["`10.41.8.0/24` of rule `pay` covers 10.41.8.0 to 10.41.8.255"]
        ),
        ("10.41.0.1", [.network("192.168.0.0", 16)], []),
        ("2001:db8:1::1", [.network("2001:4860::", 32)], []),
        (
            "2001:db8:1::1", [.single("2001:db8:2::1")],
            ["`2001:db8:2::1` of rule `pay` is another address"]
        ),
        // Two characters, and another name of as many.
        (
            "api.pay.example", [.name("qqi.pay.example")],
            [
                "`qqi.pay.example` of rule `pay` has `qqi` where the host has `api`"
            ]
        ),
    ]

    @Test("a slip in the host, the port or the pattern is told", arguments: rows)
    func told(_ row: (String, [HostPattern], [String])) throws {
        #expect(try Self.near(row.0, row.1) == row.2)
    }

    @Test(
        "one character: one more, one less, another, two swapped; and no second one",
        arguments: [
            ("pay.example", true), ("appay.example", true), ("aqay.example", true),
            ("apya.example", true), ("apay.exampl", true), ("apay.exampmle", true),
            ("qapqay.example", false), ("ay.example", false), ("yapa.example", false),
            ("apay.elpmaxe", false),
        ])
    func oneCharacter(_ host: String, _ isNear: Bool) throws {
        let sentences = try Self.near(host, [.name("apay.example")])
        #expect((sentences == ["did you mean `apay.example` of rule `pay`?"]) == isNear)
    }

    @Test("nothing is near where a pattern matches")
    func matched() throws {
        #expect(
            try Self.near("api.pay.example", [.any("pay.example"), .name("apj.pay.example")]) == [])
    }

    @Test("where `default` says how hosts are trusted, only a slip is told")
    func fallback() throws {
        let patterns: [HostPattern] = [.name("api.pay.example", 8443), .one("pay.example")]
        #expect(try Self.near("a.b.pay.example", patterns, denies: false) == [])
        #expect(try Self.near("pay.example", patterns, denies: false).count == 1)
        #expect(try Self.near("api.pay.example", [patterns[0]], denies: false).count == 1)
    }

    @Test("at most three are named, those of the host itself first")
    func most() throws {
        let ports = (1...5).map { HostPattern.name("a.pay.example", UInt16($0)) }
        let sentences = try Self.near("a.pay.example", [.name("b.pay.example")] + ports)
        #expect(sentences.count == 4)
        #expect(sentences.prefix(3).allSatisfy { $0.hasSuffix("asked was port 443") })
        #expect(sentences.last == "3 more patterns come near")
    }

    @Test("a large table is not searched")
    func large() throws {
        let many = (0..<100_000).map { HostPattern.name("h\($0).pay.example", 8443) }
        #expect(try !Self.near("h7.pay.example", many).isEmpty)
        #expect(try Self.near("h7.pay.example", many + [.name("z.example")]) == [])
    }
}
