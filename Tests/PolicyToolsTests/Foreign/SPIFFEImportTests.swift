import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Trust bundles of SPIFFE.
@Suite struct SPIFFEImportTests {
    static let root = EnvoyImportTests.root
    static let der = Base64.encode(root.der)

    static func key(_ certificates: String...) -> String {
        "{ \"use\": \"x509-svid\", \"kty\": \"EC\", \"x5c\": ["
            + certificates.map { "\"\($0)\"" }.joined(separator: ", ") + "] }"
    }

    static func bundle(_ keys: String..., more: String = "") -> String {
        "{ \"keys\": [\(keys.joined(separator: ", "))]\(more) }"
    }

    private static func refusal(_ text: String) -> String? {
        ForeignImports.refusal { try ForeignImports.spiffe(text) }.map { "\($0.code) \($0.2)" }
    }

    @Test("certificates are anchors, and a server presents an SVID of the trust domain")
    func anchors() throws {
        let imported = try ForeignImports.spiffe(Self.bundle(Self.key(Self.der)))
        #expect(ForeignImports.codes(imported).isEmpty)
        let body = try #require(imported.policy.defaultBody)
        #expect(body.names?.uri == ["spiffe://mesh.example/**"])
        #expect(body.anchors == ["mesh-example"])
        #expect(imported.files.map(\.certificates) == [[Self.root.der]])
        _ = try ForeignImports.table(imported)
        let hosts = try ForeignImports.spiffe(
            Self.bundle(Self.key(Self.der)), hosts: ["*.mesh.example"])
        #expect(hosts.policy.defaultBody == nil)
        #expect(hosts.policy.rules.map(\.hosts) == [["*.mesh.example"]])
        _ = try ForeignImports.table(hosts)
    }

    @Test("the sequence and the refresh hint are told, with the day on which the bundle is due")
    func refresh() throws {
        let imported = try ForeignImports.spiffe(
            Self.bundle(
                Self.key(Self.der), more: ", \"spiffe_sequence\": 7, \"spiffe_refresh_hint\": 60"))
        #expect(ForeignImports.codes(imported) == ["HX512"])
        let due = Scenario.judgedAt.advanced(bySeconds: 60)
        #expect(imported.findings[0].message.contains("\(due)"))
        #expect(imported.policy.anchorSets[0].note.contains("spiffe_sequence 7"))
        #expect(imported.policy.anchorSets[0].note.contains("spiffe_refresh_hint 60 s"))
        let last = try ForeignImports.spiffe(
            Self.bundle(Self.key(Self.der), more: ", \"spiffe_refresh_hint\": \(Int64.max)"))
        #expect(last.findings[0].message.contains("9999-12-31"))
    }

    @Test("keys for other uses are left out, and an empty bundle trusts nobody")
    func others() throws {
        let imported = try ForeignImports.spiffe(
            Self.bundle(
                Self.key(Self.der), "{ \"use\": \"jwt-svid\", \"kid\": \"a\", \"kty\": \"EC\" }",
                "{ \"use\": \"future\" }"))
        #expect(ForeignImports.codes(imported) == ["HX513", "HX513"])
        let empty = try ForeignImports.spiffe(Self.bundle())
        #expect(ForeignImports.codes(empty) == ["HX310"])
        #expect(empty.policy.defaultBody?.anchors == ["nothing"])
        _ = try ForeignImports.table(empty)
    }

    @Test("what the libraries of SPIFFE refuse is refused, and private keys are")
    func refusals() {
        for (text, words) in [
            ("{ }", "HX501 no authorities found"), ("{ \"keys\": null }", "no authorities found"),
            (Self.bundle(Self.key()), "expected a single certificate in x509-svid entry 0; got 0"),
            (Self.bundle(Self.key(Self.der, Self.der)), "got 2"),
            (Self.bundle("{ \"use\": \"jwt-svid\" }"), "keyID cannot be empty"),
            (Self.bundle(Self.key("AAAA")), "cannot be read"),
            (Self.bundle(Self.key("*")), "base64"),
            (Self.bundle("{ \"use\": \"jwt-svid\", \"kid\": \"a\", \"d\": \"x\" }"), "private key"),
            (Self.bundle(more: ", \"spiffe_refresh_hint\": -1"), "seconds"),
            (Self.bundle(more: ", \"spiffe_sequence\": \"x\""), "64 bits"),
            ("keys: []", "HX101"), ("[]", "HX101"), ("{ \"keys\": [], \"keys\": [] }", "twice"),
            ("{ \"keys\": [], }", "HX101"), ("{ \"a\": \"\u{202E}\" }", "U+202E"), ("", "HX101"),
        ] {
            #expect(
                Self.refusal(text)?.contains(words) == true, "\(Self.refusal(text) ?? "") \(text)")
        }
    }

    @Test("names of trust domains")
    func trustDomains() {
        #expect(SPIFFEImport.pattern(ofTrustDomain: "mesh.example") == "spiffe://mesh.example/**")
        for name in ["", "Mesh", "a/b", "a*", "a:1", String(repeating: "a", count: 256)] {
            #expect(SPIFFEImport.pattern(ofTrustDomain: name) == nil, "\(name)")
        }
    }
}
