import Foundation
import Testing

/// Chains of ML-DSA through the command: accepts, the message of a rule that does not list ML-DSA,
/// and pins.
@Suite("ML-DSA at the command")
struct MLDSATests {
    private struct Row: Decodable {
        let name: String
        let kind: String
        let der: String
    }

    /// What `Tests/MLDSAChains/mint.py` made, as PEM.
    private static let blocks: [String: String] = {
        let file = CommandRun.repository.appending(path: "Tests/MLDSAChains/chains.ndjson")
        let labels = [
            "certificate": "CERTIFICATE", "request": "CERTIFICATE REQUEST", "key": "PUBLIC KEY",
            "crl": "X509 CRL",
        ]
        var blocks: [String: String] = [:]
        do {
            for line in try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")) {
                let row = try JSONDecoder().decode(Row.self, from: line)
                guard let label = labels[row.kind] else { continue }
                var text = "-----BEGIN \(label)-----\n"
                var rest = Substring(row.der)
                while !rest.isEmpty {
                    text += rest.prefix(64) + "\n"
                    rest = rest.dropFirst(64)
                }
                blocks[row.name] = text + "-----END \(label)-----\n"
            }
        } catch {
            fatalError("\(file.path): \(error)")
        }
        return blocks
    }()

    private static func pem(_ names: String...) -> String {
        names.map { blocks[$0] ?? "no row \($0)" }.joined()
    }

    /// A workshop whose rule has these lines more.
    private static func workshop(_ lines: String = "") throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write("unit/anchors/lattice.pem", pem("root-87"))
        try workshop.write(
            "unit/policy.yaml",
            """
            hawser: 1
            default: deny
            anchors:
              lattice:
                files: [anchors/lattice.pem]
                owner: pki
            rules:
              api:
                hosts:
                  - "api.acme.example"
                anchors: [lattice]
                owner: web

            """ + lines)
        try workshop.write("chain.pem", pem("leaf-44", "issuing-65"))
        return workshop
    }

    private static let question = [
        "explain", "api.acme.example", "--policy", "unit", "--at", "2026-06-01",
    ]

    @Test("by the baseline a chain of three parameter sets is accepted, and named")
    func accept() throws {
        let run = try Self.workshop().run(
            Self.question + ["--chain", "chain.pem", "--trace"])
        try expectGolden("mldsa-accept", run)
        #expect(run.status == 0)
        for type in ["mldsa44", "mldsa65", "mldsa87"] { #expect(run.output.contains(type)) }
    }

    @Test(
        "a rule that does not list them does not allow them, and nothing is called weak",
        arguments: [
            ("types", "    keys: { types: [rsa, p256, p384] }\n", "policy.yaml:13:20"),
            ("leaf-types", "    keys: { leaf-types: [p256] }\n", "policy.yaml:13:25"),
            ("schemes", "    signatures: { schemes: [rsa-pss, ecdsa] }\n", "policy.yaml:13:28"),
        ])
    func notListed(_ name: String, _ line: String, _ place: String) throws {
        let run = try Self.workshop(line).run(Self.question + ["--chain", "chain.pem"])
        try expectGolden("mldsa-not-in-\(name)", run)
        #expect(run.status == 1)
        let text = run.output.split { " \n│├└".contains($0) }.joined(separator: " ")
        #expect(text.contains("not allowed by"))
        #expect(text.contains(place))
        #expect(!text.contains("weak"))
    }

    /// HashML-DSA is not an algorithm of certificates.
    @Test("of an algorithm that cannot be checked it says exactly that")
    func unknown() throws {
        let workshop = try Self.workshop()
        try workshop.write("key.pem", Self.pem("key-hash-mldsa", "issuing-44"))
        try workshop.write("signature.pem", Self.pem("signature-hash-mldsa", "issuing-44"))
        for name in ["key", "signature"] {
            let run = try workshop.run(Self.question + ["--chain", "\(name).pem"])
            try expectGolden("mldsa-unknown-\(name)", run)
            #expect(run.status == 1)
            #expect(run.output.contains("cannot be checked") || run.output.contains("cannot check"))
            #expect(!run.output.contains("weak"))
        }
    }

    @Test("a breach of RFC 9881 section 5 is a notice, and rejects where issuance is enforced")
    func keyUsage() throws {
        let chain = Self.pem("leaf-usage-digitalsignature-keyencipherment", "issuing-65")
        for (name, line, status) in [
            ("noticed", "", 0 as Int32), ("enforced", "    path: { issuance: enforce }\n", 1),
        ] {
            let workshop = try Self.workshop(line)
            try workshop.write("chain.pem", chain)
            let run = try workshop.run(Self.question + ["--chain", "chain.pem"])
            try expectGolden("mldsa-key-usage-\(name)", run)
            #expect(run.status == status)
        }
    }

    @Test("a CRL that such a key signed revokes")
    func revoked() throws {
        let workshop = try Self.workshop("    revocation: { preset: require, scope: leaf }\n")
        try workshop.write("revoked.pem", Self.pem("crl-revoked"))
        try workshop.write("good.pem", Self.pem("crl-good"))
        let question = Self.question + ["--chain", "chain.pem"]
        let revoked = try workshop.run(question + ["--crl", "revoked.pem"])
        #expect(revoked.status == 1)
        #expect(revoked.output.contains("by rule `api`: revoked"))
        #expect(try workshop.run(question + ["--crl", "good.pem"]).status == 0)
    }

    @Test("pins of certificates, keys and requests, and what the linter says of the root")
    func pins() throws {
        let workshop = try Self.workshop()
        try workshop.write("request.pem", Self.pem("request-44"))
        try workshop.write("key.pem", Self.pem("key-44"))
        let run = try workshop.run("pin", "chain.pem", "request.pem", "key.pem")
        try expectGolden("mldsa-pin", run)
        #expect(run.status == 0)
        // The baseline allows the anchor's key, so lint reports nothing.
        let lint = try workshop.run("lint", "unit", "--at", "2026-06-01", "--level", "strict")
        #expect(!lint.output.contains("HW305"), "\(lint.output)")
        try workshop.write(
            "unit/policy.yaml",
            """
            hawser: 1
            default: deny
            anchors:
              lattice:
                files: [anchors/lattice.pem]
                owner: pki
            rules:
              api:
                hosts:
                  - "api.acme.example"
                anchors: [lattice]
                keys: { types: [rsa, p256] }
                owner: web

            """)
        let narrow = try workshop.run("lint", "unit", "--at", "2026-06-01")
        #expect(narrow.output.contains("is of the type `mldsa87`, allowed: `rsa`, `p256`"))
    }

    @Test("files that are no key are not read", arguments: ["key-null", "key-short", "key-long"])
    func unreadable(_ name: String) throws {
        let workshop = try Self.workshop()
        try workshop.write("bad.pem", Self.pem(name))
        let run = try workshop.run("pin", "bad.pem")
        #expect(run.status != 0)
        #expect(run.error.contains("subjectPublicKeyInfo"), "\(run.error)")
    }
}
