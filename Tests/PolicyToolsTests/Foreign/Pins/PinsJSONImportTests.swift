import PolicyCompiler
import PolicyTools
import Testing
import TrustEngine

/// Lists of pins in JSON: the shapes that are read, and the places of those that are refused.
@Suite struct PinsJSONImportTests {
    private static let (one, two, three) = (PinImports.one, PinImports.two, PinImports.three)
    private static let pins = "[\"\(one)\", \"sha256/\(two)\"]"

    @Test("every shape that is read")
    func shapes() throws {
        for text in [
            "{\"a.example\": \(Self.pins)}",
            "{\"_comment\": \"x\", \"enforcePinning\": true, \"domains\": {\"a.example\": {\"hashes\": \(Self.pins), \"notes\": 1}}}",
            "{\"a.example\": {\"publicKeyHashes\": \(Self.pins), \"includeSubdomains\": false}}",
            "{\"TSKPinnedDomains\": {\"a.example\": {\"TSKPublicKeyHashes\": \(Self.pins)}}}",
            "[{\"host\": \"a.example\", \"pins\": \(Self.pins)}]",
            "{\"domains\": [{\"hostname\": \"A.example\", \"hashes\": \(Self.pins)}]}",
        ] {
            let imported = try PinImports.json(text)
            _ = try ForeignImports.table(imported)
            #expect(PinImports.demanded("a.example", imported) == [Self.one, Self.two], "\(text)")
            #expect(PinImports.demanded("x.a.example", imported) == nil, "\(text)")
            #expect(imported.findings.isEmpty, "\(text)")
        }
    }

    @Test("subdomains, patterns, ends, and enforcement that is off")
    func settings() throws {
        let text = """
            {"a.example": {"pins": \(Self.pins), "includeSubdomains": true,
               "expirationDate": "2027-06-30"},
             "*.b.example": \(Self.pins), "c.example": {"pins": \(Self.pins), "enforcePinning": false}}
            """
        let imported = try PinImports.json(text)
        _ = try ForeignImports.table(imported)
        #expect(PinImports.demanded("y.x.a.example", imported) == [Self.one, Self.two])
        #expect(PinImports.demanded("x.b.example", imported) == [Self.one, Self.two])
        #expect(PinImports.demanded("b.example", imported) == nil)
        #expect(PinImports.demanded("c.example", imported) == nil)
        #expect(ForeignImports.codes(imported) == ["HX406"])
        #expect(imported.policy.text.contains("enforce-until: 2027-06-30T00:00:00Z"))
        let all = try PinImports.json(text, takesAll: true)
        #expect(PinImports.demanded("c.example", all) == [Self.one, Self.two])
    }

    @Test("entries that name one host are united, and the readers differ")
    func overlap() throws {
        let text = "{\"**.a.example\": \(Self.pins), \"x.a.example\": [\"\(Self.three)\"]}"
        let imported = try PinImports.json(text)
        #expect(PinImports.demanded("x.a.example", imported) == [Self.one, Self.two, Self.three])
        #expect(ForeignImports.codes(imported) == ["HX409", "HX409"])
        #expect(imported.findings.allSatisfy { $0.notes.contains { $0.contains("`x.a.example`") } })
        let ends = """
            {"**.a.example": {"pins": \(Self.pins), "expirationDate": "2027-01-01"},
             "x.a.example": \(Self.pins)}
            """
        let differing = try PinImports.json(ends)
        #expect(ForeignImports.codes(differing) == ["HX203"])
        #expect(differing.findings[0].notes.contains { $0.contains("weaker") })
    }

    @Test(
        "what is refused has a place",
        arguments: [
            ("{\"a.example\": [\"Zm9v\"]}", "HX103", "\"Zm9v\""),
            ("{\"a.example\": [17]}", "HX101", "17"),
            ("{\"a.example\": 17}", "HX101", "17"),
            ("{\"a.example\": {\"certs\": []}}", "HX101", "\"certs\""),
            ("{\"a.example\": {}}", "HX101", "\"a.example\""),
            ("{\"a.example\": [], \"a.example\": []}", "HX101", "\"a.example\": []}"),
            ("{\"a.example\": [],}", "HX101", "}"),
            ("{\"a*.example\": []}", "HX102", "\"a*.example\""),
            ("{\"a.example\": {\"pins\": [], \"includeSubdomains\": \"yes\"}}", "HX101", "\"yes\""),
            (
                "{\"a.example\": {\"pins\": [], \"expirationDate\": \"2027-02-30\"}}", "HX101",
                "\"2027-02-30\""
            ),
            ("{\"domains\": {}, \"hosts\": {}}", "HX101", "\"hosts\""),
            ("{\"domains\": {}, \"TSKPinnedDomains\": {}}", "HX402", "\"TSKPinnedDomains\""),
            ("{\"a.example\": [\"\\ud800\"]}", "HX101", "\\ud800"),
            ("nul", "HX101", "nul"), ("{} {}", "HX101", "{}"), ("17", "HX101", "17"),
            ("{\"_\": \"-----BEGIN PRIVATE KEY-----\"}", "HX410", "PRIVATE KEY"),
        ])
    func refused(_ text: String, _ code: String, _ place: String) throws {
        let refusal = ForeignImports.refusal { try PinImports.json(text) }
        #expect(refusal?.code == code, "\(text) \(String(describing: refusal))")
        let at = try #require(refusal?.at)
        #expect(
            String(decoding: Array(text.utf8)[at...], as: UTF8.self).hasPrefix(place), "\(text)")
    }

    @Test("hosts without pins, and names that no request has")
    func ignored() throws {
        let text = "{\"a.example\": [], \"b.example.\": \(Self.pins), \"192.0.2.1\": \(Self.pins)}"
        let imported = try PinImports.json(text)
        #expect(ForeignImports.codes(imported) == ["HX201", "HX202"])
        #expect(imported.policy.rules.map(\.hosts) == [["192.0.2.1"]])
    }
}
