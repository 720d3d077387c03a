import Foundation
import LibCrypto
import PolicyCompiler
import PolicyTools
import Testing
import TrustEngine

@Suite struct PolicyFormatterTests {
    static func tree(_ text: String) -> SyntaxTree {
        SyntaxParser.parse(
            SourceFile(path: "policy.yaml", bytes: Array(text.utf8)), fileIndex: 0)
    }

    static func format(
        _ text: String, _ order: PolicyFormatter.Order = .asWritten
    ) throws(PolicyFormatter.Problem) -> String {
        String(decoding: try PolicyFormatter.format(tree(text), order: order), as: UTF8.self)
    }

    /// What was written, and its canonical layout.
    struct Row: Sendable, CustomStringConvertible {
        let description: String
        let written: String
        let canonical: String
        init(_ description: String, _ written: String, _ canonical: String) {
            self.description = description
            self.written = written
            self.canonical = canonical
        }
    }

    static let rows: [Row] = [
        Row(
            "hosts one to a line and quoted, ids within the line",
            """
            hawser: 1
            default: deny
            rules:
              api:
                    hosts: [api.acme.example, '*.acme.example']
                    anchors:
                      - system
                      - corp
            """,
            """
            hawser: 1
            default: deny
            rules:
              api:
                hosts:
                  - "api.acme.example"
                  - '*.acme.example'
                anchors: [system, corp]

            """),
        Row(
            "key entries one to a line, sections as written",
            """
            hawser: 1
            pins:
              acme:
                keys: {now: {spki: sha256/A, at:   ca}, next: {spki: sha256/B}}
                backups:
                    spare:
                        spki: sha256/C
                        note: "in the safe"
            profiles:
              a: {keys: {rsa-minimum: 3072, types: [rsa,   p256]}}
              b:
                keys:
                  rsa-minimum: 3072
            """,
            """
            hawser: 1
            pins:
              acme:
                keys:
                  now: { spki: sha256/A, at: ca }
                  next: { spki: sha256/B }
                backups:
                  spare: { spki: sha256/C, note: "in the safe" }
            profiles:
              a:
                keys: { rsa-minimum: 3072, types: [rsa, p256] }
              b:
                keys:
                  rsa-minimum: 3072

            """),
        Row(
            "the top-level keys in the order of the language, with their comments",
            """
            # Owned by security.

            hawser: 1
            # who is judged how
            rules:
              api: { hosts: ["a.example"], anchors: [system] }   # the one rule

            # everybody else
            default: deny
            # the end
            """,
            """
            # Owned by security.

            hawser: 1

            # everybody else
            default: deny

            # who is judged how
            rules:
              api: # the one rule
                hosts:
                  - "a.example"
                anchors: [system]
            # the end

            """),
        Row(
            "comments keep their lines open",
            """
            hawser: 1
            default: { anchors: [system], # the web
              note: "x" }
            rules:
              api:
                hosts:
                  # the old name
                  - "a.example"   # until May


                  - "b.example"
                  # no more hosts
                anchors: [ system,
                  # and ours
                  corp ]
                # nothing else
              web:
                hosts: ["c.example"]
                anchors: [system]
            """,
            """
            hawser: 1
            default:
              anchors: [system] # the web
              note: "x"
            rules:
              api:
                hosts:
                  # the old name
                  - "a.example" # until May

                  - "b.example"
                  # no more hosts
                anchors:
                  - system
                  # and ours
                  - corp
                # nothing else
              web:
                hosts:
                  - "c.example"
                anchors: [system]

            """),
        Row(
            "literal blocks, steps, waivers and constraints",
            """
            hawser: 1
            anchors:
              corp:
                pem: |
                        -----BEGIN CERTIFICATE-----
                        AAAA
                        -----END CERTIFICATE-----
                constraints: {permitted-names: ["**.corp.example"], maximum-lifetime: 2d}
            profiles:
              p:
                validity: { lifetime-steps: [{ issued-from: 2026-03-15, maximum: 200d }] }
            rules:
              api:
                waivers: {expired: {tolerance: 14d, reason: "late", owner: ops, until: 2027-05-31}}
            """,
            """
            hawser: 1
            anchors:
              corp:
                pem: |
                  -----BEGIN CERTIFICATE-----
                  AAAA
                  -----END CERTIFICATE-----
                constraints:
                  permitted-names:
                    - "**.corp.example"
                  maximum-lifetime: 2d
            profiles:
              p:
                validity:
                  lifetime-steps:
                    - { issued-from: 2026-03-15, maximum: 200d }
            rules:
              api:
                waivers:
                  expired: { tolerance: 14d, reason: "late", owner: ops, until: 2027-05-31 }

            """),
        Row(
            "what does not fit a line is opened",
            """
            ---
            hawser: 1
            rules:
              api:
                waivers:
                  expired: { tolerance: 14d, reason: "a reason that is long enough to need a line of its own", owner: ops, until: 2027-05-31 }
            """,
            """
            ---
            hawser: 1
            rules:
              api:
                waivers:
                  expired:
                    tolerance: 14d
                    reason: "a reason that is long enough to need a line of its own"
                    owner: ops
                    until: 2027-05-31

            """),
        Row(
            "JSON is policy too",
            "{\"hawser\": 1, \"default\": {\"anchors\": [\"system\"]}}",
            "\"hawser\": 1\n\"default\":\n  \"anchors\": [\"system\"]\n"),
        Row("CRLF becomes LF", "hawser: 1\r\ndefault:   deny\r\n", "hawser: 1\ndefault: deny\n"),
        Row("nothing but comments", "# nothing yet\n", "# nothing yet\n"),
    ]

    @Test("canonical layout", arguments: rows)
    func canonical(_ row: Row) throws {
        #expect(try PolicyFormatterTests.format(row.written) == row.canonical)
        #expect(try PolicyFormatterTests.format(row.canonical) == row.canonical)
    }

    @Test(
        "--sort: keys by the language, things by id, lists by text, comments with what they belong to"
    )
    func sorted() throws {
        let text = """
            hawser: 1
            default: deny
            rules:
              web:
                # second
                anchors: [system, corp]
                hosts: ["b.example", "a.example"] # both
                revocation: { sources: [stapled, crl], preset: require }
              # about api
              api: { anchors: [corp], hosts: ["c.example"] }
            """
        #expect(
            try PolicyFormatterTests.format(text, .sorted) == """
                hawser: 1
                default: deny
                rules:
                  # about api
                  api:
                    hosts:
                      - "c.example"
                    anchors: [corp]
                  web:
                    hosts: # both
                      - "a.example"
                      - "b.example"
                    # second
                    anchors: [corp, system]
                    revocation: { preset: require, sources: [stapled, crl] }

                """)
    }

    @Test("what cannot be read is not formatted", arguments: ["a: [", "a: 1\na: 2", "\ta: 1"])
    func refused(_ text: String) {
        #expect(throws: PolicyFormatter.Problem.syntax) { try PolicyFormatterTests.format(text) }
    }

    /// Every policy of the repository, in both orders: formatting twice equals formatting once, and
    /// the policy keeps its meaning.
    @Test func policiesKeepTheirMeaning() throws {
        let root = URL(filePath: #filePath).appending(path: "../../../../policies").standardized
        let files = try #require(FileManager.default.enumerator(atPath: root.path))
        var count = 0
        for case let path as String in files where path.hasSuffix(".yaml") {
            let data = try Data(contentsOf: root.appending(path: path))
            guard let text = String(data: data, encoding: .utf8) else { continue }
            for order in [PolicyFormatter.Order.asWritten, .sorted] {
                let once: String
                do throws(PolicyFormatter.Problem) {
                    once = try PolicyFormatterTests.format(text, order)
                } catch {
                    #expect(error == .syntax, "\(path)")
                    continue
                }
                #expect(try PolicyFormatterTests.format(once, order) == once, "\(path)")
                count += 1
            }
        }
        #expect(count > 20)
    }
}
