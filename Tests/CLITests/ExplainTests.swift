import Foundation
import JSONSchemaSupport
import TestPKI
import Testing

@Suite("hawser explain")
struct ExplainTests {
    /// A golden's name, its host, its chain, the exit status, and how the first line ends.
    static let cases: [(String, String, String, Int32, String)] = [
        ("accept", "api.acme.example", "chain.pem", 0, "by rule `api`"),
        ("issuer-not-found", "api.acme.example", "leaf-alone.pem", 1, "issuer-not-found"),
        ("anchor-not-trusted", "api.acme.example", "proxied.pem", 1, "anchor-not-trusted"),
        ("self-signed-leaf", "www.acme.example", "self-signed.pem", 1, "self-signed-leaf"),
        ("name-mismatch", "www.acme.example", "chain.pem", 1, "name-mismatch"),
        ("no-rule", "elsewhere.example", "chain.pem", 1, "no-applicable-rule"),
        ("bad-host", "127.1:8443", "chain.pem", 1, "bad-host"),
        ("hostile", "api.acme.example", "hostile.pem", 1, "name-mismatch"),
    ]

    @Test("an answer reads as its golden", arguments: cases)
    func golden(_ row: (String, String, String, Int32, String)) throws {
        let (name, host, chain, status, ending) = row
        let workshop = try Workshop()
        let arguments = [
            "explain", host, "--policy", "unit", "--chain", chain, "--at", "2026-06-01",
        ]
        let run = try workshop.run(arguments)
        try expectGolden("explain-\(name)", run)
        #expect(run.status == status)
        let first = run.output.split(separator: "\n").first.map(String.init) ?? ""
        #expect(first.hasPrefix(status == 0 ? "accept " : "reject "))
        #expect(first.contains(ending))
        // The format never changes the exit status.
        let json = try workshop.run(arguments + ["--format", "json"])
        #expect(json.status == status)
        let document = try JSONDocument(text: json.output)
        let schema = try JSONSchema(
            text: String(
                contentsOf: CommandRun.repository.appending(path: "grammar/trace.schema.json"),
                encoding: .utf8))
        #expect(schema.violations(of: document) == [])
        #expect(document["verdict"] == .string(status == 0 ? "accept" : "reject"))
    }

    @Test("an ended certificate is named with both instants")
    func expired() throws {
        let run = try Workshop().run(
            "explain", "api.acme.example", "--policy", "unit", "--chain", "chain.pem", "--at",
            "2027-09-01")
        try expectGolden("explain-expired", run)
        #expect(run.status == 1)
        let text = run.output.split { " \n│├└".contains($0) }.joined(separator: " ")
        #expect(text.contains("2026-08-31T23:59:59Z, judged at 2027-09-01T00:00:00Z"))
    }

    @Test("a pin mismatch names the pins wanted and every key on the path")
    func pins() throws {
        let workshop = try Workshop()
        let leaf = Workshop.root.issueLeaf(dns: ["pinned.acme.example"])
        try workshop.write("direct.pem", leaf.pem)
        let run = try workshop.run(
            "explain", "pinned.acme.example", "--policy", "unit", "--chain", "direct.pem", "--at",
            "2026-06-01")
        try expectGolden("explain-pin-mismatch", run)
        #expect(run.status == 1)
        for pin in [
            Workshop.issuing.certificate.pin, leaf.pin, Workshop.root.certificate.pin,
            "sha256/GriBOGTAS/oNiDTwKE8cggj9jBux5k7yRo1GDPIn6zk=",
        ] {
            #expect(run.output.contains(pin))
        }
    }

    @Test("every step is shown by --trace")
    func trace() throws {
        let run = try Workshop().run(
            "explain", "api.acme.example", "--policy", "unit", "--chain", "chain.pem", "--at",
            "2026-06-01", "--trace")
        try expectGolden("explain-trace", run)
        #expect(run.status == 0)
    }

    @Test(
        "--why-not says what keeps a rule from deciding",
        arguments: [
            ("loses", "api.acme.example", "bare"), ("no-match", "api.acme.example", "partners"),
            ("apex", "partner.example:8443", "partners"), ("decides", "api.acme.example", "api"),
            ("default", "api.acme.example", "default"),
        ])
    func whyNot(_ name: String, _ host: String, _ rule: String) throws {
        let workshop = try Workshop()
        let question = ["explain", host, "--policy", "unit", "--why-not", rule]
        let run = try workshop.run(question)
        try expectGolden("why-not-\(name)", run)
        #expect(run.status == 0)
        let json = try workshop.run(question + ["--format", "json"])
        #expect(json.status == 0)
        let schema = try JSONSchema(
            text: String(
                contentsOf: CommandRun.repository.appending(path: "grammar/why-not.schema.json"),
                encoding: .utf8))
        #expect(schema.violations(of: try JSONDocument(text: json.output)) == [])
        // Added to the command line of a verdict, it leaves the chain alone and says so.
        let beside = try workshop.run(question + ["--chain", "no-such-file.pem"])
        #expect(beside.output == run.output)
        #expect(beside.error.contains("not looked at"))
    }

    @Test("a compiled table gives the answer that its policy gives")
    func table() throws {
        let workshop = try Workshop()
        _ = try workshop.run("compile", "unit", "-o", "policy.table")
        let tail = ["--chain", "chain.pem", "--at", "2026-06-01"]
        let fromTable = try workshop.run(
            ["explain", "api.acme.example", "--table", "policy.table"] + tail)
        let fromPolicy = try workshop.run(
            ["explain", "api.acme.example", "--policy", "unit"] + tail)
        #expect(fromTable.status == 0)
        #expect(fromTable.output == fromPolicy.output)
    }

    @Test("a leaf in DER is a chain too")
    func der() throws {
        let run = try Workshop().run(
            "explain", "api.acme.example", "--policy", "unit", "--chain", "leaf.der", "--at",
            "2026-06-01")
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("reject "))
        #expect(run.output.contains("issuer-not-found"))
    }

    @Test(
        "a host is read in every form",
        arguments: [
            ("API.ACME.EXAMPLE.:443", "api.acme.example:443", Int32(0)),
            ("[2001:db8::1]:8443", "[2001:db8::1]:8443", 1),
            ("2001:db8::1", "[2001:db8::1]:443", 1),
            ("bücher.partner.example", "xn--bcher-kva.partner.example:443", 1),
        ])
    func hosts(_ given: String, _ shown: String, _ status: Int32) throws {
        let run = try Workshop().run(
            "explain", given, "--policy", "unit", "--chain", "chain.pem", "--at", "2026-06-01")
        #expect(run.status == status)
        #expect(run.output.split(separator: "\n").first?.contains(" \(shown) at ") == true)
    }

    @Test("a flipped bit in the chain is never accepted")
    func flippedBits() throws {
        let workshop = try Workshop()
        let chain = [Workshop.leaf.der, Workshop.issuing.der]
        for (index, der) in chain.enumerated() {
            // Every position would take minutes; a stride meets each field.
            for position in Sample.of(
                Array(stride(from: index, to: der.count, by: 13)), atMost: 12, "flipped bits")
            {
                var changed = chain
                changed[index][position] ^= UInt8(1 << (position % 8))
                let text = changed.map { certificate in
                    "-----BEGIN CERTIFICATE-----\n"
                        + Data(certificate).base64EncodedString() + "\n"
                        + "-----END CERTIFICATE-----\n"
                }
                try workshop.write("changed.pem", text.joined())
                let run = try workshop.run(
                    "explain", "api.acme.example", "--policy", "unit", "--chain", "changed.pem",
                    "--at", "2026-06-01")
                #expect(run.status == 1 || run.status == 2, "octet \(position) of \(index)")
                #expect(!run.output.hasPrefix("accept"), "octet \(position) of \(index)")
            }
        }
    }

    @Test(
        "what cannot be asked ends with 2 and says what was found",
        arguments: [
            (["explain", "a.example"], "--chain FILE"),
            (["explain", "a.example", "--chain", "chain.pem", "--connect", "x"], "two chains"),
            (["explain", "a.example", "--chain", "nothing.pem"], "nothing.pem"),
            (["explain", "a.example", "--chain", "unit/policy.yaml"], "neither PEM nor"),
            (
                ["explain", "a.example", "--chain", "chain.pem", "--at", "June"],
                "is not an instant"
            ),
            (["explain", "a.example:0", "--chain", "chain.pem"], "1 to 65535"),
            (["explain", "https://a.example/", "--chain", "chain.pem"], "without a scheme"),
            (
                ["explain", "a.example", "--chain", "chain.pem", "--tls-version", "ssl3"],
                "`tls1.2`"
            ),
            (["explain", "a.example", "--chain", "unit"], "unit"),
            (["explain", "a.example", "--why-not", "partner"], "`partners`"),
            (["explain", "a.example", "--connect", "127.0.0.1:1", "--alpn", "h2"], "`--alpn`"),
            (["explain", "127.1", "--why-not", "api"], "neither a host name"),
        ])
    func notAsked(_ arguments: [String], _ part: String) throws {
        let run = try Workshop().run(arguments + ["--policy", "unit"])
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.error.contains(part), "\(run.error)")
    }

    @Test("a policy that does not compile cannot be asked")
    func brokenPolicy() throws {
        let workshop = try Workshop()
        try workshop.write("unit/policy.yaml", "hawser: 1\ndefault: denied\n")
        let run = try workshop.run(
            "explain", "a.example", "--policy", "unit", "--chain", "chain.pem")
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.error.contains("does not compile"))
    }

    @Test(
        "hostile text acts in no output",
        arguments: [
            ["explain", "api.acme.example", "--policy", "unit", "--chain", "hostile.pem"],
            [
                "explain", "api.acme.example", "--policy", "unit", "--chain", "hostile.pem",
                "--trace",
            ],
            [
                "explain", "api.acme.example", "--policy", "unit", "--chain", "hostile.pem",
                "--format", "json",
            ],
            ["pin", "hostile.pem"],
            ["pin", "hostile.pem", "--format", "json"],
            ["explain", "a\u{1B}[2J\n::error::x", "--policy", "unit", "--chain", "hostile.pem"],
            ["check", "none\u{1B}[2J\n::error::x"],
            ["inspect", "none\u{1B}[2J\n::error::x"],
        ])
    func hostileText(_ arguments: [String]) throws {
        let run = try Workshop().run(arguments)
        for text in [run.output, run.error] {
            let acting = text.unicodeScalars.filter {
                ($0.value < 0x20 && $0 != "\n") || $0.value == 0x7F || $0 == "\u{202E}"
            }
            #expect(acting.isEmpty)
            let commands = text.split(separator: "\n").filter {
                $0.drop { $0 == " " || $0 == "#" }.hasPrefix("::")
            }
            #expect(commands.isEmpty)
        }
    }
}
