import PolicyCompiler
import PolicyTools
import TestPKI
import Testing
import TrustEngine

/// Chrome's enterprise lists of certificates: what an entry may vouch for, and the file that a
/// policy becomes.
@Suite("Chrome's enterprise policies, imported and exported") struct ChromeEnterpriseTests {
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

    @Test("names that only close a type are left out")
    func closed() throws {
        #expect(
            try Self.names(
                "\"permitted_dns_names\": [\"a.example\"], \"permitted_cidrs\": [\"192.0.2.0/32\"]")
                == ["a.example", "**.a.example"])
        #expect(
            try Self.names(
                "\"permitted_dns_names\": [\"nothing.invalid\"], "
                    + "\"permitted_cidrs\": [\"10.0.0.0/8\"]") == ["10.0.0.0/8"])
    }

    // MARK: The export

    private static let files = ["corp.pem": corp.der, "lab.pem": lab.der]

    private static func answer(
        _ policy: String, hosts: [String] = [], over existing: String? = nil
    ) throws -> ExportQuestion.Answer {
        try Exports.answer(
            policy, to: "chrome-enterprise", hosts: hosts, over: existing, files: files)
    }

    private static func policy(_ names: [String], rules: String = "") -> String {
        """
        default:
          anchors: [system, corp]
          owner: web
        anchors:
          corp:
            files: [corp.pem]
            constraints:
              permitted-names: [\(names.map { "\"\($0)\"" }.joined(separator: ", "))]

        """ + rules
    }

    @Test(
        "what the file can say comes back equal",
        arguments: [
            ["corp.example", "**.corp.example"], ["**.corp.example"],
            ["corp.example", "**.corp.example", "10.0.0.0/8"],
            ["corp.example", "**.corp.example", "0.0.0.0/0", "::/0"],
            ["**.corp.example", "10.1.2.3", "fd00::/8"], ["10.0.0.0/8"],
        ])
    func equal(_ names: [String]) throws {
        let answer = try Self.answer(Self.policy(names))
        #expect(answer.loss.relation == .equal, "\(answer.loss.lines) \(answer.loss.gaps)")
        let again = try Self.imported(Exports.file(answer))
        #expect(Set(again.policy.anchorSets.flatMap(\.permittedNames)) == Set(names))
        #expect(answer.file.octets.starts(with: Array("// Written by `hawser export`".utf8)))
    }

    @Test("an exact name permits the names below it in Chrome, for which the file is weaker")
    func exactNames() throws {
        let answer = try Self.answer(Self.policy(["corp.example"]))
        let lines = answer.loss.lines
        #expect(lines.contains { $0.relation == .weaker && $0.field.hasPrefix("anchors") })
        #expect(lines.allSatisfy { $0.witness.host.text.hasSuffix("corp.example") }, "\(lines)")
    }

    @Test("a set of a rule may vouch for the hosts of the rule, within its own names")
    func rules() throws {
        let rules = """
              lab:
                files: [lab.pem]
                constraints:
                  permitted-names: ["lab.example", "**.lab.example", "10.9.0.0/16"]
            rules:
              lab:
                hosts:
                  - "lab.example"
                  - "**.lab.example"
                  - "10.9.0.0/16"
                anchors: [system, lab]
                owner: web

            """
        let answer = try Self.answer(
            Self.policy(["corp.example", "**.corp.example"], rules: rules))
        #expect(answer.loss.relation == .equal, "\(answer.loss.lines)")
        let again = try Self.imported(Exports.file(answer))
        #expect(
            again.policy.anchorSets.map(\.permittedNames) == [
                ["corp.example", "**.corp.example"],
                ["lab.example", "**.lab.example", "10.9.0.0/16"],
            ])
    }

    @Test("a rule without the machine's store is weaker in Chrome, for its hosts only")
    func withoutSystem() throws {
        let rules = """
              lab:
                files: [lab.pem]
            rules:
              lab:
                hosts:
                  - "**.lab.example"
                anchors: [lab]
                owner: web

            """
        let answer = try Self.answer(
            Self.policy(["corp.example", "**.corp.example"], rules: rules))
        #expect(answer.loss.relation != .equal && answer.loss.relation != .stricter)
        let hosts = Set(answer.loss.lines.filter { !$0.isUnstated }.map(\.witness.host.text))
        #expect(hosts.allSatisfy { $0.hasSuffix(".lab.example") } && !hosts.isEmpty, "\(hosts)")
    }

    @Test("a set without limits in the default is in the list without constraints")
    func unconstrained() throws {
        let answer = try Self.answer(
            """
            default:
              anchors: [system, corp]
              owner: web
            anchors:
              corp:
                files: [corp.pem]

            """)
        let text = Exports.file(answer)
        #expect(text.contains("\"CACertificates\": [") && !text.contains("WithConstraints"))
        #expect(answer.loss.relation == .equal, "\(answer.loss.lines)")
    }

    @Test("other policies of an existing file are told before they are lost")
    func existing() throws {
        let policy = "default:\n  anchors: [system]\n"
        let old = """
            { "HomepageLocation": "https://corp.example", "CAHintCertificates": [],
              "CADistrustedCertificates": ["\(Base64.encode(Self.lab.der))"] }
            """
        let answer = try Self.answer(policy, over: old)
        #expect(
            answer.file.dropped == [
                "the policy `HomepageLocation`", "`CAHintCertificates`",
                "`CADistrustedCertificates`",
            ])
        let again = try Self.answer(policy, over: Exports.file(answer))
        #expect(again.file.octets == answer.file.octets && again.file.wasExported)
        #expect(again.file.dropped.isEmpty)
    }

    @Test("an edit by hand: an entry without addresses permits all of them")
    func edited() throws {
        let table = try Exports.table(
            Self.policy(["corp.example", "**.corp.example"]), files: Self.files)
        let question = try Exports.question(table, to: "chrome-enterprise")
        let answer = try question.answer(over: nil, crypto: ForeignImports.crypto)
        func check(_ from: String, _ to: String) throws -> Relation {
            let text = Exports.file(answer)
            #expect(text.contains(from))
            return try question.check(
                ForeignFile(
                    SourceFile(
                        path: "certificates.json",
                        bytes: Array(text.replacing(from, with: to).utf8))),
                against: answer, crypto: ForeignImports.crypto
            ).relation
        }
        #expect(try check("192.0.2.0/32", "10.0.0.0/8") == .weaker)
        #expect(try check("\"corp.example\"", "\".corp.example\"") == .stricter)
        #expect(try check("permitted_cidrs", "permitted_cidrs_") == .weaker)
    }
}
