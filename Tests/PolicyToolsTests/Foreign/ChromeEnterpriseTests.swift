import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Chrome's enterprise lists of certificates: what an entry may vouch for.
@Suite("import of Chrome's enterprise policies") struct ChromeEnterpriseTests {
    private static let pki = Scenario()
    private static let corp = pki.root("Corp Root", key: .p256("chrome-enterprise-corp"))
    private static let lab = pki.root("Lab Root", key: .p256("chrome-enterprise-lab"))
    private static let crypto = StoreFixtures.crypto

    private static func entry(_ der: [UInt8], _ constraints: String) -> String {
        """
        { "certificate": "\(Base64.encode(der))", "constraints": { \(constraints) } }
        """
    }

    private static func constrained(_ entries: String...) -> String {
        "{ \"CACertificatesWithConstraints\": [ \(entries.joined(separator: ",\n")) ] }"
    }

    static func imported(_ text: String) throws -> ForeignImport {
        let source = SourceFile(path: "certificates.json", bytes: Array(text.utf8))
        return ChromeEnterpriseImport.policy(
            of: try ChromeEnterpriseReader.read(source.bytes), source: source, owner: "web",
            crypto: crypto)
    }

    private static func names(_ constraints: String) throws -> [String] {
        try imported(constrained(entry(corp.der, constraints))).policy.anchorSets
            .flatMap(\.permittedNames)
    }

    // MARK: The model

    @Test("a name permits itself and all below it; with a dot before it, only all below it")
    func subtrees() throws {
        let closed = "\"permitted_cidrs\": [\"10.0.0.0/8\"]"
        #expect(
            try Self.names(
                "\"permitted_dns_names\": [\"Corp.example\", \".lab.example\"], \(closed)")
                == ["corp.example", "**.corp.example", "**.lab.example", "10.0.0.0/8"])
    }

    @Test("without an entry of a type every name of the type is permitted")
    func openTypes() throws {
        #expect(
            try Self.names("\"permitted_dns_names\": [\"corp.example\"]")
                == ["corp.example", "**.corp.example", "0.0.0.0/0", "::/0"])
        let open = try Self.imported(
            Self.constrained(Self.entry(Self.corp.der, "\"permitted_dns_names\": [\"a.example\"]")))
        #expect(ForeignImports.codes(open) == ["HX621"])
        let addresses = try Self.imported(
            Self.constrained(Self.entry(Self.corp.der, "\"permitted_cidrs\": [\"10.0.0.0/8\"]")))
        #expect(ForeignImports.codes(addresses) == ["HX621"])
        #expect(
            addresses.findings[0].notes == ["the policy is stricter than the file for every host"])
        _ = try ForeignImports.table(open)
        _ = try ForeignImports.table(addresses)
    }

    @Test("entries that Chrome drops are told, and trust nothing")
    func ignored() throws {
        let good = "\"permitted_dns_names\": [\"a.example\"], \"permitted_cidrs\": [\"10.0.0.0/8\"]"
        for text in [
            Self.constrained(Self.entry(Self.corp.der, "")),
            Self.constrained(Self.entry(Self.corp.der, "\"permitted_dns_names\": []")),
            Self.constrained("{ \"certificate\": \"\(Base64.encode(Self.corp.der))\" }"),
            Self.constrained("{ \"constraints\": { \(good) } }"), Self.constrained("7"),
            Self.constrained(Self.entry([1, 2, 3], good)),
            Self.constrained(
                Self.entry(Self.corp.der, good.replacing("10.0.0.0/8", with: "10.0.0.0/33"))),
            Self.constrained(
                Self.entry(Self.corp.der, good.replacing("10.0.0.0/8", with: "10.0.0.1"))),
            Self.constrained(Self.entry(Self.corp.der, good.replacing("a.example", with: "ä"))),
            "{ \"CACertificates\": [\"***\"] }", "{ \"CACertificates\": 7 }",
        ] {
            let imported = try Self.imported(text)
            #expect(ForeignImports.codes(imported) == ["HX201"], "\(text)")
            #expect(imported.policy.defaultBody?.anchors == ["system"])
        }
        let refused = ForeignImports.refusal { try Self.imported("{ \"a\": }") }
        #expect(refused?.code == "HX101")
    }

    @Test("distrusted certificates are keys that no path holds")
    func distrusted() throws {
        let imported = try Self.imported(
            """
            { "CADistrustedCertificates": ["\(Base64.encode(Self.lab.der))"] }
            """)
        #expect(
            imported.policy.defaultBody?.forbidden.map(\.match)
                == ["spki: \(Self.lab.certificate.pin)"])
        _ = try ForeignImports.table(imported)
    }
}
