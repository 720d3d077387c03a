import Foundation
import TestPKI
import Testing
import TrustEngine

/// Rejects for which the wrong side could be accused: the evidence, the certificates and the table
/// show the right one, and the advice works.
@Suite("who is accused by hawser explain")
struct AccusedTests {
    private static let host = "api.acme.example"
    private static let places = [
        TestExtension.crlDistributionPoints(["http://pki.acme.example/issuing.crl"]),
        TestExtension.authorityInfoAccess(ocsp: ["http://ocsp.acme.example"]),
    ]
    private static let leaf = Workshop.issuing.issueLeaf(dns: [host]) { $0.extensions += places }
    private static let mail = Workshop.issuing.issueLeaf(
        dns: ["mail.acme.example"], key: .p256("cli mail")
    ) { $0.extensions += places }

    private static func workshop(_ rule: String, host: String = host) throws -> Workshop {
        try Workshop(rule: rule, host: host)
    }

    private static func explain(
        _ workshop: Workshop, _ chain: [String], host: String = host, _ more: [String] = []
    ) throws -> CommandRun {
        try workshop.write("chain.pem", chain.joined())
        return try workshop.run(
            ["explain", host, "--policy", "unit", "--chain", "chain.pem", "--at", "2026-06-01"]
                + more)
    }

    /// The output as one line, without the tree.
    private static func words(_ run: CommandRun) -> String {
        run.output.split { " \n│├└".contains($0) }.joined(separator: " ")
    }

    private static func write(_ octets: [UInt8], _ name: String, _ workshop: Workshop) throws {
        try Data(octets).write(to: workshop.folder.appending(path: name))
    }

    // MARK: Evidence

    @Test("a staple for another certificate is the server's OCSP cache", arguments: [true, false])
    func stapleOfAnother(_ takesLists: Bool) throws {
        let workshop = try Self.workshop(
            "    revocation: { preset: require, scope: leaf, sources: [stapled"
                + (takesLists ? ", crl" : "") + "] }")
        try Self.write(Workshop.issuing.ocspResponse(for: Self.mail), "staple", workshop)
        let chain = [Self.leaf.pem, Workshop.issuing.pem]
        let run = try Self.explain(workshop, chain, ["--staple", "staple"])
        if takesLists { try expectGolden("explain-staple-of-another", run) }
        let words = Self.words(run)
        #expect(run.status == 1)
        #expect(words.contains("side server: its OCSP cache staples a response about another"))
        #expect(words.contains("have the server renew its OCSP cache"))
        #expect(!words.contains("network:") && !words.contains("policy:"), "\(run.output)")
        #expect(words.contains("hand over a current CRL") == takesLists, "\(run.output)")
        #expect(!words.contains("or OCSP response"))
        // The rule takes the advised evidence.
        try Self.write(Workshop.issuing.ocspResponse(for: Self.leaf), "staple", workshop)
        #expect(try Self.explain(workshop, chain, ["--staple", "staple"]).status == 0)
        try Self.write(Workshop.issuing.revocationList(), "list", workshop)
        #expect(
            (try Self.explain(workshop, chain, ["--crl", "list"]).status == 0) == takesLists)
    }

    @Test("a CRL that has ended is its publisher's, by name and URL")
    func endedList() throws {
        let workshop = try Self.workshop(
            "    revocation: { preset: require, scope: leaf, sources: [crl] }")
        try Self.write(
            Workshop.issuing.revocationList {
                $0.thisUpdate = .at("2026-04-01T00:00:00Z")
                $0.nextUpdate = .at("2026-05-01T00:00:00Z")
            }, "list", workshop)
        let run = try Self.explain(
            workshop, [Self.leaf.pem, Workshop.issuing.pem], ["--crl", "list"])
        try expectGolden("explain-ended-list", run)
        let words = Self.words(run)
        #expect(run.status == 1)
        #expect(
            words.contains(
                "from its publisher, `CN=Acme Issuing`, at `http://pki.acme.example/issuing.crl`"))
        #expect(words.contains("server: `CN=Acme Issuing`, who publishes it, has not renewed it"))
        #expect(!words.contains("publishes none"))
    }

    // MARK: Certificate policies

    @Test("a certificate policy that an issuer demands is the issuer's, not the rule's")
    func explicitPolicy() throws {
        let strict = Workshop.root.issueCA("Acme Strict", key: .p256("cli strict")) {
            $0.set(.certificatePolicies(["1.3.6.1.4.1.32473.1"]))
            $0.set(.policyConstraints(requireExplicit: 0))
        }
        let chain = [strict.issueLeaf(dns: [Self.host]).pem, strict.pem]
        let run = try Self.explain(Self.workshop(""), chain)
        try expectGolden("explain-policy-of-issuer", run)
        let words = Self.words(run)
        #expect(run.status == 1)
        #expect(words.contains("certificate 2 of the path, `CN=Acme Strict`, demands"))
        #expect(words.contains("side server") && !words.contains("rule demands"))
        // Where the rule demands it, the rule is named.
        let demanding = try Self.workshop("    path: { explicit-policy: required }")
        let plain = try Self.explain(demanding, [Workshop.leaf.pem, Workshop.issuing.pem])
        #expect(Self.words(plain).contains("the rule wants any certificate policy"))
        #expect(Self.words(plain).contains("`path.explicit-policy`"))
    }

    // MARK: Tables

    @Test("a table past its own dates names its signer, and the command that is printed works")
    func staleTable() throws {
        let workshop = try Self.workshop("")
        let key = TestKey.ed25519("cli signs dates")
        try workshop.write("key.pem", key.privateKeyPEM)
        try workshop.write("public.pem", PEMWriter.block("PUBLIC KEY", key.spki))
        let signed = try workshop.run(
            "compile", "unit", "-o", "a.table", "--revision", "7", "--sign-key", "key.pem",
            "--issued", "2026-04-01T00:00:00Z", "--expires", "2026-05-01")
        #expect(signed.status == 0, "\(signed.error)")
        let question = [
            "explain", Self.host, "--chain", "chain.pem", "--at", "2026-06-01", "--trusted-key",
            "public.pem", "--table",
        ]
        try workshop.write("chain.pem", Self.leaf.pem + Workshop.issuing.pem)
        let run = try workshop.run(question + ["a.table"])
        try expectGolden("explain-table-past-its-dates", run)
        let words = Self.words(run)
        #expect(run.status == 1)
        #expect(words.contains("issued at 2026-04-01T00:00:00Z (revision 7)"))
        #expect(words.contains("is good until 2026-05-01T23:59:59Z"))
        #expect(words.contains("it is signed by key `sha256:"))
        #expect(words.contains("side policy: whoever signs the table"))
        // The command, with the words in capitals filled in.
        let start = try #require(words.firstRange(of: "`hawser compile "))
        let command = words[start.upperBound...].prefix { $0 != "`" }.split(separator: " ").map {
            ["UNIT": "unit", "KEY": "key.pem", "TABLE": "b.table"][String($0)] ?? String($0)
        }
        let again = try workshop.run(["compile"] + command + ["--issued", "2026-05-30T00:00:00Z"])
        #expect(again.status == 0, "\(again.error)")
        #expect(again.output.contains("revision 8"))
        #expect(try workshop.run(question + ["b.table"]).status == 0)
    }

    // MARK: A server's own certificate as the anchor

    private static func ownWorkshop(
        _ files: [String], hosts: String, host: String
    ) throws -> Workshop {
        let workshop = try Workshop()
        for (index, pem) in files.enumerated() {
            try workshop.write("unit/anchors/own-\(index).pem", pem)
        }
        let list = files.indices.map { "anchors/own-\($0).pem" }.joined(separator: ", ")
        try workshop.write(
            "unit/policy.yaml",
            """
            hawser: 1
            default: deny
            anchors:
              printer:
                files: [\(list)]
                kind: leaf
                owner: facilities
            rules:
              printers:
                hosts:
            \(hosts)
                anchors: [printer]
                owner: facilities

            """)
        return workshop
    }

    private static let printer = Workshop.pki.selfSignedLeaf(dns: ["printer.acme.example"])

    @Test(
        "a certificate that is the anchor and lacks the name: the printed lines accept it alone",
        arguments: [
            ("10.20.0.7", ["10.20.0.7"]), ("print.acme.example", ["print.acme.example"]),
            ("print.acme.example", ["print.acme.example", "scan.acme.example"]),
        ])
    func ownAnchor(_ host: String, _ hosts: [String]) throws {
        let lines = hosts.map { "      - \"\($0)\"" }.joined(separator: "\n")
        let workshop = try Self.ownWorkshop([Self.printer.pem], hosts: lines, host: host)
        let run = try Self.explain(workshop, [Self.printer.pem], host: host)
        if hosts.count == 2 { try expectGolden("explain-own-anchor", run) }
        let words = Self.words(run)
        #expect(run.status == 1)
        #expect(words.contains("this certificate is itself an anchor of the rule, in `printer`"))
        #expect(words.contains("side policy"))
        #expect(!words.contains("somebody else's server"))
        let printed = try #require(run.output.firstRange(of: "write after `policy.yaml:"))
        let added = run.output[printed.upperBound...].split(separator: "\n").dropFirst()
            .prefix { $0.hasPrefix(" ") }
        #expect(
            added.contains { $0.contains("{ reference: listed, dns: [\"printer.acme.example\"] }") }
        )
        let policy = workshop.folder.appending(path: "unit/policy.yaml")
        let text = try String(contentsOf: policy, encoding: .utf8)
        try workshop.write(
            "unit/policy.yaml",
            text.trimmingCharacters(in: .newlines) + "\n" + added.joined(separator: "\n") + "\n")
        #expect(try Self.explain(workshop, [Self.printer.pem], host: host).status == 0)
        // Neither another certificate nor another host.
        let other = Workshop.pki.selfSignedLeaf(
            dns: ["printer.acme.example"], key: .p256("cli other printer"))
        #expect(try Self.explain(workshop, [other.pem], host: host).status == 1)
        for host in hosts.dropFirst() {
            #expect(try Self.explain(workshop, [Self.printer.pem], host: host).status == 1)
        }
    }

    @Test("an anchor among several, or without a name, is offered no lines")
    func noLines() throws {
        let hosts = "      - \"print.acme.example\""
        let other = Workshop.pki.selfSignedLeaf(
            dns: ["scan.acme.example"], key: .p256("cli scanner"))
        let several = try Self.explain(
            Self.ownWorkshop(
                [Self.printer.pem, other.pem], hosts: hosts, host: "print.acme.example"),
            [Self.printer.pem], host: "print.acme.example")
        #expect(Self.words(several).contains("is itself an anchor of the rule"))
        #expect(Self.words(several).contains("side in between"))
        #expect(!several.output.contains("reference: listed"), "\(several.output)")
        let bare = Workshop.pki.selfSignedLeaf(dns: [])
        let nameless = try Self.explain(
            Self.ownWorkshop([bare.pem], hosts: hosts, host: "print.acme.example"), [bare.pem],
            host: "print.acme.example")
        #expect(Self.words(nameless).contains("is itself an anchor of the rule"))
        #expect(!nameless.output.contains("reference: listed"), "\(nameless.output)")
    }

    @Test("a self-signed CA certificate as the server's own is not told as an authority's")
    func withCABit() throws {
        let own = Workshop.pki.root("nas", key: .p256("cli nas")) {
            $0.extensions.append(.subjectAltName([.dns("nas.acme.example")]))
        }
        let run = try Self.explain(
            Self.ownWorkshop([own.pem], hosts: "      - \"10.20.0.7\"", host: "10.20.0.7"),
            [own.pem], host: "10.20.0.7")
        #expect(Self.words(run).contains("is itself an anchor of the rule"))
        #expect(run.output.contains("dns: [\"nas.acme.example\"]"), "\(run.output)")
        #expect(!run.output.contains("the authority's certificate as its own"))
    }

    @Test("a policy of names that is asked by an address says how to ask by the name")
    func byAddress() throws {
        let run = try Self.explain(
            Self.workshop(""), [Self.leaf.pem, Workshop.issuing.pem], host: "10.20.0.7")
        let words = Self.words(run)
        #expect(words.contains("`hawser explain NAME --connect 10.20.0.7:443`"), "\(run.output)")
        #expect(words.contains("`--resolve NAME:443:10.20.0.7 https://NAME/`"))
        let named = try Self.explain(
            Self.workshop(""), [Self.leaf.pem, Workshop.issuing.pem], host: "www.acme.example")
        #expect(!named.output.contains("--resolve"))
    }
}
