import Foundation
import JSONSchemaSupport
import TestPKI
import Testing

/// `hawser show HOST` on a terminal of 80 columns and 24 lines.
@Suite("hawser show on one screen")
struct ShowScreenTests {
    private static func widest(_ text: String) -> Int {
        text.split(separator: "\n").map(\.count).max() ?? 0
    }

    /// The run in a terminal of the usual size. One line of it is for the prompt.
    private static func expectFits(_ run: CommandRun) {
        let lines = (run.output + run.error).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 24, "\(run.transcript)")
        #expect(widest(run.output) <= 80, "\(run.transcript)")
    }

    /// The hosts that `--classes` names for each class of the examples.
    private static func hosts(of policy: URL) throws -> [String] {
        let run = try CommandRun(
            ["show", "--classes", "--policy", policy.path],
            in: FileManager.default.temporaryDirectory)
        return run.output.matches(of: /such as (\S+)/).map { String($0.1) }
    }

    @Test("every class of hosts of every example fits, and `--all` and JSON have every field")
    func examples() throws {
        let root = CommandRun.repository.appending(path: "policies")
        let folder = FileManager.default.temporaryDirectory
        var asked = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: root.path).sorted() {
            let policy = root.appending(path: name)
            guard
                FileManager.default.fileExists(
                    atPath: policy.appending(path: "policy.yaml").path)
            else { continue }
            let hosts = try Self.hosts(of: policy).prefix(6)
            for host in Sample.of(hosts, atMost: 2, "hosts of \(name)") {
                asked += 1
                let question = ["show", host, "--policy", policy.path]
                let run = try CommandRun(question, in: folder)
                #expect(run.status == 0, "\(run.transcript)")
                Self.expectFits(run)
                let all = try CommandRun(question + ["--all"], in: folder)
                let json = try JSONDocument(
                    text: CommandRun(question + ["--format", "json"], in: folder).output)
                let fields = json["fields"]?.items ?? []
                for field in fields {
                    let name = try #require(field["field"]?.text)
                    #expect(all.output.contains("  \(name)"), "\(host): \(name)")
                }
                guard !fields.isEmpty else { continue }
                #expect(run.output.contains("\n  owner "), "\(run.transcript)")
                #expect(run.output.contains("\n  anchors "), "\(run.transcript)")
                #expect(run.output.contains("more fields"), "\(run.transcript)")
            }
        }
        #expect(asked > (Sample.isWhole ? 40 : 20))
    }

    /// A policy of which no part fits a screen: exceptions, pins, anchors and other fields.
    private static func crowded() throws -> Workshop {
        let workshop = try Workshop()
        let pins = (10..<30).map { number in
            "      key-\(number): { spki: sha256/\(number)\(String(repeating: "A", count: 41))= }"
        }
        let waivers = [
            "expired: { tolerance: 14d", "identity: {", "revocation: {", "pins: {",
            "path: {",
        ].map { head in
            let comma = head.hasSuffix("{") ? " " : ", "
            return "      \(head)\(comma)reason: \(String(repeating: "because ", count: 20)), "
                + "owner: team-of-\(head.prefix(3)), until: 2027-05-31 }"
        }
        try workshop.write(
            "unit/policy.yaml",
            """
            hawser: 1
            default: deny
            anchors:
              an-authority-with-a-name-that-is-longer-than-its-column:
                files: [anchors/root.pem, anchors/other.pem]
                owner: pki
            pins:
              many:
                keys:
            \(pins.prefix(10).joined(separator: "\n"))
                backups:
            \(pins.suffix(10).joined(separator: "\n"))
                owner: key-ceremony
                enforce-until: 2027-06-30
            rules:
              crowded:
                hosts: ["api.acme.example", "*.acme.example", "**.acme.example"]
                anchors: [an-authority-with-a-name-that-is-longer-than-its-column]
                pins: [many]
                owner: web
                tls: { minimum-version: tls1.3, forward-secrecy: required }
                keys: { rsa-minimum: 4096 }
                validity: { maximum-lifetime: 90d, clock-skew: 60s }
                path: { maximum-intermediates: 2 }
                revocation: { preset: require, sources: [crl], maximum-age: 26h }
                waivers:
            \(waivers.joined(separator: "\n"))

            """)
        return workshop
    }

    @Test("rows that do not fit are counted, and exceptions and owners stay")
    func cut() throws {
        let workshop = try Self.crowded()
        let run = try workshop.run("show", "api.acme.example", "--policy", "unit")
        #expect(run.status == 0, "\(run.transcript)")
        Self.expectFits(run)
        for name in ["expired", "identity", "revocation", "pins", "path"] {
            #expect(run.output.contains("waivers.\(name) "), "\(run.transcript)")
        }
        #expect(run.output.matches(of: /until 2027-05-31/).count == 5, "\(run.transcript)")
        #expect(run.output.contains(/owner +web/), "\(run.transcript)")
        #expect(run.output.contains("pki") && run.output.contains("key-ceremony"))
        try expectGolden("show-crowded", run)
    }

    @Test("a table without provenance fits, too, and has the same values")
    func withoutPlaces() throws {
        let workshop = try Workshop()
        #expect(
            try workshop.run("compile", "unit", "-o", "a.table", "--no-provenance").status == 0)
        let run = try workshop.run("show", "api.acme.example", "--table", "a.table")
        Self.expectFits(run)
        #expect(run.output.contains(/owner +web/) && run.output.contains(/keys.rsa-minimum +3072/))
    }

    @Test("the command that a reject proposes prints the rule, its owner, anchors and pins")
    func proposed() throws {
        let workshop = try Workshop()
        let reject = try workshop.run(
            "explain", "pinned.acme.example", "--chain", "chain.pem", "--policy", "unit", "--at",
            "2026-06-01")
        let line = try #require(
            reject.output.split(separator: "\n").first { $0.contains("$  hawser show") })
        let words = line.split(separator: " ").map(String.init)
        let start = try #require(words.firstIndex(of: "show"))
        let run = try workshop.run(Array(words[start...]))
        #expect(run.output.contains("rule `other-pin` decides"), "\(run.transcript)")
        #expect(run.output.contains(/pins +\[acme-api\]/), "\(run.transcript)")
        #expect(run.output.contains(/pins.acme-api.enforce-until +2027-06-30/))
    }
}
