import Foundation
import JSONSchemaSupport
import TestPKI
import Testing
import TrustEngine

/// `hawser revocations`, and sets, timestamps and log lists that `explain` is given.
@Suite("hawser revocations, and more evidence of explain")
struct RevocationsTests {
    private static let leaf = Workshop.issuing.issueLeaf(dns: ["sets.acme.example"]) {
        $0.serial = [7]
        $0.extensions.append(.crlDistributionPoints(["http://crl.acme.example/a.crl"]))
    }
    private static let larch = TestLog("Larch 1", of: "Larch")
    private static let maple = TestLog("Maple 1", of: "Maple")

    private static func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write(
            "unit/policy.yaml",
            Workshop.policy + """
                  sets:
                    hosts:
                      - "sets.acme.example"
                    anchors: [acme]
                    revocation:
                      preset: require
                      scope: leaf
                      sources: [crl]

                """)
        try workshop.write(
            "unit/seen.policy.yaml",
            """
            hawser: 1
            anchors:
              logged:
                files: [anchors/root.pem]
                constraints:
                  sct: { until: 2026-12-31 }
            rules:
              seen:
                hosts:
                  - "seen.acme.example"
                anchors: [logged]
                transparency:
                  log-list: logs.json

            """)
        try workshop.write("unit/logs.json", TestLogList.json([larch], issued: .at("2026-05-20")))
        try workshop.write("sets.pem", leaf.pem + Workshop.issuing.pem)
        try workshop.write("issuing.pem", Workshop.issuing.pem)
        return workshop
    }

    private static func put(_ octets: [UInt8], _ path: String, _ workshop: Workshop) throws {
        try Data(octets).write(to: workshop.folder.appending(path: path))
    }

    private static func explain(
        _ workshop: Workshop, _ more: String...
    ) throws -> CommandRun {
        try workshop.run(
            [
                "explain", "sets.acme.example", "--policy", "unit", "--chain", "sets.pem", "--at",
                "2026-06-01", "--tls-version", "tls1.3",
            ] + more)
    }

    @Test("a set is made of CRLs, and explain judges by it as by them")
    func sets() throws {
        for isRevoked in [false, true] {
            let workshop = try Self.workshop()
            let list = Workshop.issuing.revocationList {
                $0.entries = [.init([isRevoked ? 7 : 8], at: .at("2026-05-01T12:00:00Z"))]
            }
            try Self.put(list, "a.crl", workshop)
            try Self.put(Workshop.root.revocationList(), "root.crl", workshop)
            let made = try workshop.run(
                "revocations", "--policy", "unit", "--crl", "a.crl", "--crl", "root.crl",
                "--issuer",
                "issuing.pem", "-o", "sets.revocations")
            if isRevoked { try expectGolden("revocations", transcript: made.transcript) }
            #expect(made.status == 0)
            let folder = workshop.folder.appending(path: "kept")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            try FileManager.default.copyItem(
                at: workshop.folder.appending(path: "sets.revocations"),
                to: folder.appending(path: "sets.revocations"))
            let by = try Self.explain(workshop, "--evidence", "kept", "--save-evidence", "saved")
            let direct = try Self.explain(workshop, "--crl", "a.crl", "--crl", "root.crl")
            #expect(by.status == (isRevoked ? 1 : 0))
            #expect(by.output == direct.output)
            // What was judged by can be judged by again: the set itself is saved.
            let again = try Self.explain(workshop, "--evidence", "saved")
            #expect(again.output == by.output && again.status == by.status)
            let without = try Self.explain(workshop)
            #expect(without.output.contains("revocation-undetermined"))
        }
    }

    @Test("what nobody vouches for is left out and said")
    func leftOut() throws {
        let workshop = try Self.workshop()
        try Self.put(Workshop.issuing.revocationList(), "a.crl", workshop)
        try Self.put(Workshop.root.revocationList(), "root.crl", workshop)
        try Self.put([0x30, 0], "broken.crl", workshop)
        // Nobody named the issuing CA.
        let made = try workshop.run(
            "revocations", "--policy", "unit", "--crl", "a.crl", "--crl", "root.crl", "--crl",
            "broken.crl", "-o", "sets.revocations")
        try expectGolden("revocations-left-out", transcript: made.transcript)
        #expect(made.status == 1)
        let schema = try JSONSchema(
            text: String(
                contentsOf: CommandRun.repository.appending(
                    path: "grammar/revocations.schema.json"),
                encoding: .utf8))
        let json = try workshop.run(
            "revocations", "--policy", "unit", "--crl", "a.crl", "--crl", "root.crl", "--crl",
            "broken.crl", "-o", "sets.revocations", "--format", "json")
        #expect(json.status == 1 && json.error == "")
        #expect(schema.violations(of: try JSONDocument(text: json.output)) == [])
        for part in ["\"CN=Acme Root\"", "\"not-verified\"", "\"unreadable\""] {
            #expect(json.output.contains(part), "\(json.output)")
        }
        let none = try workshop.run(
            "revocations", "--policy", "unit", "--crl", "a.crl", "-o", "none.revocations")
        #expect(none.status == 2)
        let nothing = workshop.folder.appending(path: "none.revocations").path
        #expect(!FileManager.default.fileExists(atPath: nothing))
        // One that no anchor vouches for does not help.
        try workshop.write("other.pem", Workshop.proxied.pem)
        let stranger = try workshop.run(
            "revocations", "--policy", "unit", "--crl", "a.crl", "--issuer", "other.pem", "-o",
            "none.revocations")
        #expect(stranger.status == 2 && stranger.error.contains("no CA that the policy trusts"))
        let usage = try workshop.run("revocations", "--policy", "unit", "-o", "none.revocations")
        #expect(usage.status == 2 && usage.error.contains("give the CRLs"))
    }

    @Test("a set that was changed is not read")
    func changed() throws {
        let workshop = try Self.workshop()
        try Self.put(Workshop.root.revocationList(), "root.crl", workshop)
        let made = try workshop.run(
            "revocations", "--policy", "unit", "--crl", "root.crl", "-o", "sets.revocations")
        #expect(made.status == 0)
        var bytes = Array(try Data(contentsOf: workshop.folder.appending(path: "sets.revocations")))
        bytes[60] ^= 1
        try FileManager.default.createDirectory(
            at: workshop.folder.appending(path: "kept"), withIntermediateDirectories: false)
        try Self.put(bytes, "kept/sets.revocations", workshop)
        let run = try Self.explain(workshop, "--evidence", "kept")
        #expect(run.status == 2)
        #expect(run.error.contains("`kept/sets.revocations` is refused, altered"))
    }

    // MARK: Timestamps

    @Test("timestamps of the TLS extension and a newer log list are judged by, and saved")
    func timestamps() throws {
        let workshop = try Self.workshop()
        let leaf = Workshop.issuing.issueLeaf(dns: ["seen.acme.example"])
        try workshop.write("seen.pem", leaf.pem + Workshop.issuing.pem)
        let list = TestTimestamp.list([Self.maple.timestamp()], over: leaf)
        try Self.put(list, "seen.scts", workshop)
        try workshop.write(
            "newer.json", TestLogList.json([Self.larch, Self.maple], issued: .at("2026-05-25")))
        try workshop.write(
            "older.json", TestLogList.json([Self.larch, Self.maple], issued: .at("2026-05-01")))
        func ask(_ more: String...) throws -> CommandRun {
            try workshop.run(
                [
                    "explain", "seen.acme.example", "--policy", "unit", "--chain", "seen.pem",
                    "--at",
                    "2026-06-01", "--tls-version", "tls1.3",
                ] + more)
        }
        #expect(try ask().status == 1)
        let own = try ask("--sct-list", "seen.scts")
        #expect(own.status == 1 && own.output.contains("anchor-constraint-not-met"))
        let older = try ask("--sct-list", "seen.scts", "--log-list", "older.json")
        #expect(older.status == 1 && older.output.contains("not newer than the policy's own"))
        let met = try ask(
            "--sct-list", "seen.scts", "--log-list", "newer.json", "--save-evidence", "saved")
        try expectGolden("explain-timestamps", transcript: met.transcript)
        #expect(met.status == 0)
        #expect(try ask("--evidence", "saved", "--log-list", "newer.json").status == 0)
        let two = try ask("--evidence", "saved", "--sct-list", "seen.scts")
        #expect(two.status == 2 && two.error.contains("one list of timestamps"))
        // As OpenSSL prints it.
        let block = [0, 18, UInt8(list.count >> 8), UInt8(list.count & 0xFF)] + list
        try workshop.write(
            "seen.txt",
            "-----BEGIN SERVERINFO FOR EXTENSION 18-----\n"
                + Data(block).base64EncodedString(options: [
                    .lineLength64Characters, .endLineWithLineFeed,
                ])
                + "\n-----END SERVERINFO FOR EXTENSION 18-----\n")
        let printed = try ask("--sct-list", "seen.txt", "--log-list", "newer.json")
        #expect(printed.status == 0)
    }

    @Test(
        "what cannot be asked ends with 2 and says what was found",
        arguments: [
            (["--sct-list", "none"], "`none` is not there"),
            (["--log-list", "none"], "`none` is not there"),
            (["--log-list", "sets.pem"], "log list"),
            (["--sct-list", "sets.pem"], "holds no whole block"),
        ])
    func notAsked(_ arguments: [String], _ part: String) throws {
        let workshop = try Self.workshop()
        let run = try workshop.run(
            [
                "explain", "seen.acme.example", "--policy", "unit", "--chain", "sets.pem", "--at",
                "2026-06-01",
            ] + arguments)
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.error.contains(part), "\(run.error)")
    }
}
