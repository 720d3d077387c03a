import Foundation
import JSONSchemaSupport
import TestPKI
import Testing

/// `hawser sign`, and signed tables in the commands that read them.
@Suite("hawser sign")
struct SignTests {
    private static let ann = TestKey.ed25519("cli ann signs")
    private static let bob = TestKey.ed25519("cli bob signs")

    /// A workshop with a compiled table and two keys that nobody else may read.
    private static func workshop() throws -> Workshop {
        let workshop = try Workshop()
        for (name, key) in [("ann.pem", ann), ("bob.pem", bob)] {
            try workshop.write(name, key.privateKeyPEM)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600],
                ofItemAtPath: workshop.folder.appending(path: name).path)
            try workshop.write("public-" + name, PEMWriter.block("PUBLIC KEY", key.spki))
        }
        _ = try workshop.run("compile", "unit", "-o", "a.table")
        return workshop
    }

    private static func sign(
        _ table: String, _ key: String, to output: String, _ more: String..., in workshop: Workshop
    ) throws -> CommandRun {
        // The first signature states the date.
        let dates =
            more.contains("--revision") && table == "a.table" && !more.contains("--issued")
            ? ["--issued", issued] : []
        return try workshop.run(["sign", table, "--sign-key", key, "-o", output] + more + dates)
    }

    private static let issued = "2026-06-01T00:00:00Z"

    private static func bytes(_ name: String, _ workshop: Workshop) throws -> Data {
        try Data(contentsOf: workshop.folder.appending(path: name))
    }

    @Test("two people sign the same revision, in either order, and inspect shows it")
    func signing() throws {
        let workshop = try SignTests.workshop()
        let first = try SignTests.sign(
            "a.table", "ann.pem", to: "b.table", "--revision", "7", in: workshop)
        let second = try SignTests.sign("b.table", "bob.pem", to: "b.table", in: workshop)
        try expectGolden("sign", transcript: first.transcript + second.transcript)
        #expect(first.status == 0 && second.status == 0)
        _ = try SignTests.sign(
            "a.table", "bob.pem", to: "c.table", "--revision", "7", in: workshop)
        _ = try SignTests.sign(
            "c.table", "ann.pem", to: "c.table", "--revision", "7", in: workshop)
        #expect(try SignTests.bytes("b.table", workshop) == SignTests.bytes("c.table", workshop))
        let inspected = try workshop.run(
            "inspect", "b.table", "--trusted-key", "public-ann.pem")
        try expectGolden("inspect-signed", inspected)
        let json = try workshop.run("inspect", "b.table", "--format", "json")
        let document = try JSONDocument(text: json.output)
        let schema = try JSONSchema(
            text: String(
                contentsOf: CommandRun.repository.appending(path: "grammar/inspect.schema.json"),
                encoding: .utf8))
        #expect(schema.violations(of: document) == [])
        #expect(document["signatures"]?.items.count == 2)
    }

    @Test("compile signs as sign does")
    func compile() throws {
        let workshop = try SignTests.workshop()
        let signed = try SignTests.sign(
            "a.table", "ann.pem", to: "b.table", "--revision", "8", in: workshop)
        let compiled = try workshop.run(
            "compile", "unit", "-o", "c.table", "--revision", "8", "--sign-key", "ann.pem",
            "--issued", SignTests.issued)
        #expect(compiled.status == 0)
        #expect(compiled.output == signed.output)
        #expect(try SignTests.bytes("b.table", workshop) == SignTests.bytes("c.table", workshop))
        let numbered = try workshop.run("compile", "unit", "-o", "d.table", "--revision", "8")
        #expect(numbered.output.hasSuffix("revision 8\n"))
        let keyless = try workshop.run("compile", "unit", "-o", "e.table", "--sign-key", "ann.pem")
        #expect(keyless.status == 2 && keyless.error.contains("--revision N"))
    }

    @Test("commands that read a table hold it to the trusted keys")
    func trusted() throws {
        let workshop = try SignTests.workshop()
        _ = try SignTests.sign(
            "a.table", "ann.pem", to: "b.table", "--revision", "7", in: workshop)
        let key = PEMWriter.base64(SignTests.ann.publicKeyBits)
        for question in [
            ["inspect", "b.table"], ["show", "api.acme.example", "--table", "b.table"],
            [
                "explain", "api.acme.example", "--table", "b.table", "--chain", "chain.pem", "--at",
                "2026-06-01",
            ],
        ] {
            let plain = try workshop.run(question)
            #expect(plain.status == 0, "\(plain.error)")
            let good = try workshop.run(question + ["--trusted-key", key])
            #expect(good.status == 0, "\(good.error)")
            let bad = try workshop.run(question + ["--trusted-key", "public-bob.pem"])
            #expect(bad.status == 2 && bad.output == "")
            #expect(bad.error.contains("`b.table` is refused, not-enough-signatures"))
            let both = try workshop.run(
                question + [
                    "--trusted-key", "public-bob.pem", "--trusted-key", key, "--threshold", "2",
                ])
            #expect(both.status == 2)
        }
        let bare = try workshop.run("inspect", "a.table", "--trusted-key", key)
        try expectGolden("inspect-unsigned", bare)
    }

    @Test("what cannot be signed, or trusted, says what to do")
    func refusals() throws {
        let workshop = try SignTests.workshop()
        _ = try SignTests.sign(
            "a.table", "ann.pem", to: "b.table", "--revision", "7", in: workshop)
        try workshop.write("curve.pem", TestKey.p256("cli no table key").privateKeyPEM)
        let policy = ["show", "api.acme.example", "--policy", "unit"]
        let runs = [
            try SignTests.sign("a.table", "ann.pem", to: "c.table", in: workshop),
            try SignTests.sign(
                "b.table", "ann.pem", to: "c.table", "--revision", "8", in: workshop),
            try SignTests.sign(
                "unit/policy.yaml", "ann.pem", to: "c.table", "--revision", "1", in: workshop),
            try SignTests.sign(
                "a.table", "public-ann.pem", to: "c.table", "--revision", "1", in: workshop),
            try SignTests.sign(
                "a.table", "curve.pem", to: "c.table", "--revision", "1", in: workshop),
            try SignTests.sign(
                "a.table", "none.pem", to: "c.table", "--revision", "1", in: workshop),
            try workshop.run(policy + ["--trusted-key", "public-ann.pem"]),
            try workshop.run(policy + ["--threshold", "2"]),
            try workshop.run("inspect", "b.table", "--trusted-key", "ann.pem"),
            try workshop.run("inspect", "b.table", "--trusted-key", "AAAA"),
            try workshop.run(
                "inspect", "b.table", "--trusted-key", "public-ann.pem", "--threshold", "2"),
        ]
        for run in runs { #expect(run.status == 2 && run.output == "", "\(run.error)") }
        try expectGolden("sign-refusals", transcript: runs.map(\.transcript).joined())
        #expect(
            !FileManager.default.fileExists(
                atPath: workshop.folder.appending(path: "c.table").path))
    }

    @Test("a key that everybody may read is used, and said to be so")
    func openKey() throws {
        let workshop = try SignTests.workshop()
        try workshop.write("open.pem", SignTests.ann.privateKeyPEM)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644],
            ofItemAtPath: workshop.folder.appending(path: "open.pem").path)
        let run = try SignTests.sign(
            "a.table", "open.pem", to: "b.table", "--revision", "1", in: workshop)
        #expect(run.status == 0)
        #expect(run.error.contains("warning: every user of this machine may read"))
        let quiet = try SignTests.sign(
            "a.table", "ann.pem", to: "c.table", "--revision", "1", in: workshop)
        #expect(quiet.error == "")
        #expect(quiet.output == run.output)
    }

    @Test("dates are signed, shown and obeyed")
    func dates() throws {
        let workshop = try SignTests.workshop()
        let runs = [
            try SignTests.sign(
                "a.table", "ann.pem", to: "b.table", "--revision", "7", "--expires", "30d",
                in: workshop),
            try workshop.run("inspect", "b.table"),
            // Whoever signs next signs the same dates.
            try SignTests.sign("b.table", "bob.pem", to: "c.table", in: workshop),
            try SignTests.sign(
                "b.table", "bob.pem", to: "d.table", "--expires", "60d", in: workshop),
            try SignTests.sign(
                "a.table", "ann.pem", to: "d.table", "--revision", "7", "--expires", "2026-12-31",
                in: workshop),
            try SignTests.sign(
                "a.table", "ann.pem", to: "d.table", "--revision", "7", "--expires", "2026-05-31",
                in: workshop),
            try SignTests.sign(
                "a.table", "ann.pem", to: "d.table", "--revision", "7", "--expires", "1m",
                in: workshop),
            try SignTests.sign(
                "a.table", "ann.pem", to: "d.table", "--revision", "7", "--issued", "soon",
                in: workshop),
            try workshop.run(
                "sign", "a.table", "--sign-key", "ann.pem", "-o", "e.table", "--revision", "7",
                "--without-dates"),
            try workshop.run(
                "sign", "a.table", "--sign-key", "ann.pem", "-o", "f.table", "--revision", "7",
                "--without-dates", "--expires", "30d"),
            try workshop.run("compile", "unit", "-o", "f.table", "--expires", "30d"),
        ]
        try expectGolden("sign-dates", transcript: runs.map(\.transcript).joined())
        // As a store would judge by it.
        let judged = try workshop.run(
            "explain", "api.example.com", "--cleartext", "--table", "b.table", "--at",
            "2026-07-01T00:00:01Z")
        #expect(judged.status == 1)
        #expect(judged.output.contains("table-stale"))
        let before = try workshop.run(
            "explain", "api.example.com", "--cleartext", "--table", "b.table", "--at",
            "2026-07-01T00:00:00Z")
        #expect(!before.output.contains("table-stale"))
        let octets = try SignTests.bytes("e.table", workshop)
        #expect(octets[32..<48].allSatisfy { $0 == 0 })
    }
}
