import Foundation
import JSONSchemaSupport
import TestPKI
import Testing
import TrustEngine

/// Failures of which a careless sentence would accuse somebody who did nothing wrong.
@Suite("sentences of hawser explain")
struct ExplainSentencesTests {
    private static let host = "www.strict.example"

    /// A workshop whose rule `strict` lists few keys and schemes, with chains that fail.
    private static func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write(
            "unit/policy.yaml",
            Workshop.policy + """
                  strict:
                    hosts:
                      - "\(host)"
                      - "kinds.strict.example"
                    anchors: [acme]
                    owner: web team
                    note: "renewed by hand; ask in #tls first"
                  kinds:
                    hosts:
                      - "keys.strict.example"
                    anchors: [acme]
                    keys: { types: [p256, p384], rsa-minimum: 2048 }
                  schemes:
                    hosts:
                      - "schemes.strict.example"
                    anchors: [acme]
                    signatures: { schemes: [rsa-pss, rsa-pkcs1] }
                  modern:
                    hosts:
                      - "tls.strict.example"
                    anchors: [acme]
                    tls: { minimum-version: tls1.3 }

                """)
        let issuing = Workshop.issuing
        let chains: [(String, [String])] = [
            ("ca-first", [issuing.pem, issuing.issueLeaf(dns: [host]).pem]),
            ("common-name", [issuing.issueLeaf(subject: "www.strict.example").pem, issuing.pem]),
            (
                "key-kind",
                [
                    issuing.issueLeaf(dns: ["keys.strict.example"], key: .p521("kinds")).pem,
                    issuing.pem,
                ]
            ),
            ("scheme", [issuing.issueLeaf(dns: ["schemes.strict.example"]).pem, issuing.pem]),
            (
                "purpose",
                [
                    issuing.issueLeaf(dns: [host]) { recipe in
                        recipe.extensions.removeAll { $0 == .extendedKeyUsage([OID.serverAuth]) }
                        recipe.extensions.append(.extendedKeyUsage([OID.clientAuth]))
                    }.pem, issuing.pem,
                ]
            ),
            ("good", [issuing.issueLeaf(dns: [host, "tls.strict.example"]).pem, issuing.pem]),
            (
                "not-a-certificate",
                [
                    "-----BEGIN CERTIFICATE-----\nMAMCAQU=\n-----END CERTIFICATE-----\n"
                ]
            ),
        ]
        for (name, blocks) in chains { try workshop.write("\(name).pem", blocks.joined()) }
        return workshop
    }

    @Test(
        "each says what failed, and whose side it can be",
        arguments: [
            ("ca-first", host, [], "own certificate is not the first"),
            ("common-name", host, [], "only as its common name"),
            ("key-kind", "keys.strict.example", [], "is not allowed by rule `kinds`"),
            (
                "scheme", "schemes.strict.example", [],
                "is not allowed by rule `schemes`"
            ),
            ("purpose", host, [], "does not allow `serverAuth`"),
            ("good", "tls.strict.example", ["--tls-version", "tls1.2"], "uses `tls1.2`"),
            ("not-a-certificate", host, [], "cannot be read"),
        ])
    func golden(_ name: String, _ host: String, _ more: [String], _ part: String) throws {
        let workshop = try Self.workshop()
        let arguments =
            [
                "explain", host, "--policy", "unit", "--chain", "\(name).pem", "--at",
                "2026-06-01",
            ] + more
        let run = try workshop.run(arguments)
        try expectGolden("explain-\(name == "good" ? "tls-version" : name)", run)
        #expect(run.status == 1)
        let text = run.output.split { " \n│├└".contains($0) }.joined(separator: " ")
        #expect(text.contains(part), "\(run.output)")
        #expect(run.output.contains("├ side "))
        #expect(run.output.contains("├ owner "))
        #expect(!run.output.contains("too weak"))
        let json = try workshop.run(arguments + ["--format", "json"])
        #expect(json.status == 1)
        let document = try JSONDocument(text: json.output)
        let schema = try JSONSchema(
            text: String(
                contentsOf: CommandRun.repository.appending(path: "grammar/trace.schema.json"),
                encoding: .utf8))
        #expect(schema.violations(of: document) == [])
        #expect(document["host"] == .string(host))
        #expect(document["time"] == .string("2026-06-01T00:00:00Z"))
        #expect(document["side"] != .null)
        #expect(document["readings"]?.items.isEmpty == false)
        #expect(document["place"]?["file"] == .string("policy.yaml"))
        if host == Self.host {
            #expect(document["rule"] == .string("strict"))
            #expect(document["owner"] == .string("web team"))
            #expect(document["note"] == .string("renewed by hand; ask in #tls first"))
        } else {
            #expect(document["owner"] == .null)
        }
    }

    @Test("octets that are a whole SEQUENCE are presented, others are no certificate")
    func octets() throws {
        let workshop = try Workshop()
        let question = ["explain", "api.acme.example", "--policy", "unit", "--at", "2026-06-01"]
        for (name, bytes, status) in [
            ("sequence.der", [0x30, 0x03, 0x02, 0x01, 0x05] as [UInt8], Int32(1)),
            ("short.der", [0x30, 0x82, 0x10, 0x00, 0x05], 2), ("text.der", Array("no".utf8), 2),
            ("empty.der", [], 2),
        ] {
            try Data(bytes).write(to: workshop.folder.appending(path: name))
            let run = try workshop.run(question + ["--chain", name, "--format", "json"])
            #expect(run.status == status, "\(name): \(run.output)")
            let document = try JSONDocument(text: run.output)
            #expect((document["verdict"] == .string("reject")) == (status == 1))
            if status == 1 {
                let first = document["violations"]?.items.first
                #expect(first?["id"] == .string("end-entity-unreadable"))
            }
        }
    }

    @Test("a table tells owner and note as its policy does")
    func table() throws {
        let workshop = try Self.workshop()
        _ = try workshop.run("compile", "unit", "-o", "policy.table")
        let tail = [Self.host, "--chain", "ca-first.pem", "--at", "2026-06-01"]
        let fromTable = try workshop.run(["explain", "--table", "policy.table"] + tail)
        #expect(fromTable.output.contains("├ owner   `web team`"), "\(fromTable.output)")
        #expect(fromTable.output.contains("renewed by hand"))
    }
}

/// Errors of the command, where its answer was asked for as JSON.
@Suite("errors as JSON")
struct ErrorDocumentTests {
    @Test(
        "an error is a document too, for every command that answers in JSON",
        arguments: [
            ["explain", "a.example"], ["explain", "a.example", "--chain", "nothing.pem"],
            ["explain", "a.example", "--connect", "127.0.0.1:1"], ["explain", "--no-such-option"],
            ["show", "https://a.example/"], ["check", "nowhere"], ["lint", "nowhere"],
            ["inspect", "nothing.table"], ["pin", "nothing.pem"], ["rule", "HW99999"],
            ["fetch", "a.example", "-o", "kept"], ["revocations", "nothing.set"],
            ["explain", "a.example", "--why-not", "nobody"],
        ])
    func document(_ arguments: [String]) throws {
        let workshop = try Workshop()
        let schema = try JSONSchema(
            text: String(
                contentsOf: CommandRun.repository.appending(path: "grammar/error.schema.json"),
                encoding: .utf8))
        for format in [["--format", "json"], ["--format=json"]] {
            let run = try workshop.run(arguments + format)
            let plain = try workshop.run(arguments)
            #expect(run.status == 2, "\(arguments): \(run.output)")
            let document = try JSONDocument(text: run.output)
            #expect(schema.violations(of: document) == [], "\(run.output)")
            #expect(document["status"] == .integer(2))
            // Without JSON the document is missing, and the text is the same.
            #expect(plain.status == 2 && plain.output == "", "\(arguments): \(plain.output)")
            #expect(!run.error.isEmpty)
        }
    }

    @Test("the document has the text of standard error, hostile text escaped as JSON escapes it")
    func text() throws {
        let run = try Workshop().run(
            "explain", "a\u{1B}[2J.example", "--chain", "none\u{202E}.pem", "--format", "json")
        let document = try JSONDocument(text: run.output)
        #expect(!run.output.unicodeScalars.contains("\u{1B}"))
        #expect(!run.output.unicodeScalars.contains("\u{202E}"))
        guard case .string(let error)? = document["error"] else {
            Issue.record("no text: \(run.output)")
            return
        }
        #expect(error.contains("none\u{202E}.pem") || error.contains("policy"))
    }

    @Test("what was answered already is followed by no document, and other formats by none")
    func others() throws {
        let workshop = try Workshop()
        for format in ["text", "jsonl", "sarif"] {
            let run = try workshop.run("check", "nowhere", "--format", format)
            #expect(run.status == 2 && run.output == "", "\(run.output)")
        }
        let sound = try workshop.run("check", "unit", "--format", "json")
        #expect(!sound.output.contains("hawser/error"))
    }
}
