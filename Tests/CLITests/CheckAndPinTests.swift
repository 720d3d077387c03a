import Foundation
import JSONSchemaSupport
import TestPKI
import Testing

@Suite("hawser check, pin and usage")
struct CheckAndPinTests {
    @Test("a clean unit is clean, by the fast path and by the parser")
    func clean() throws {
        let workshop = try Workshop()
        for arguments in [
            ["check", "unit"], ["check", "unit", "--format", "text"],
            ["check", "unit/policy.yaml"],
        ] {
            let run = try workshop.run(arguments)
            #expect(run.status == 0)
            #expect(run.output == "")
            #expect(run.error == "1 file checked: nothing found\n")
        }
    }

    @Test("findings stand on standard output and end with 1")
    func findings() throws {
        let workshop = try Workshop()
        try workshop.write(
            "unit/policy.yaml", "hawser: 1\ndefault: deny\ndefault: deny\nrulez: {}\n")
        let text = try workshop.run("check", "unit")
        #expect(text.status == 1)
        #expect(text.output.contains("HW003"))
        #expect(text.output.contains("HW004"))
        let json = try workshop.run("check", "unit", "--format", "json")
        #expect(json.status == 1)
        let document = try JSONDocument(text: json.output)
        #expect(document["schema"] == .string("hawser/diagnostics/1"))
        #expect(document["diagnostics"]?.items.isEmpty == false)
    }

    @Test("the unit of the current folder is the default")
    func currentFolder() throws {
        let workshop = try Workshop()
        let inside = try CommandRun(["check"], in: workshop.folder.appending(path: "unit"))
        #expect(inside.status == 0)
        let empty = workshop.folder.appending(path: "empty")
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        let outside = try CommandRun(["check"], in: empty)
        #expect(outside.status == 2)
        #expect(outside.error.contains("policy.yaml"))
    }

    @Test("pins of certificates, keys and requests are ready to paste")
    func pins() throws {
        let workshop = try Workshop()
        let key = TestKey.p256("cli-spare")
        try workshop.write("spare.csr", RequestRecipe(subject: "Spare", key: key).pem)
        let run = try workshop.run("pin", "chain.pem", "leaf.der", "spare.csr")
        try expectGolden("pin", run)
        #expect(run.status == 0)
        #expect(run.output.contains("{ spki: \(Workshop.leaf.pin), at: leaf }"))
        #expect(run.output.contains("{ spki: \(Workshop.issuing.certificate.pin), at: ca }"))
        let backup = try workshop.run("pin", "--backup", "spare.csr")
        #expect(backup.output.hasPrefix("backups:\n"))
    }

    @Test("pinned lines are policy that compiles")
    func pasted() throws {
        let workshop = try Workshop()
        let key = TestKey.p256("cli-spare")
        try workshop.write("spare.csr", RequestRecipe(subject: "Spare", key: key).pem)
        func indented(_ text: String) -> String {
            text.split(separator: "\n").map { "    \($0)\n" }.joined()
        }
        let keys = try workshop.run("pin", "chain.pem").output
        let backups = try workshop.run("pin", "--backup", "spare.csr").output
        try workshop.write(
            "unit/policy.yaml",
            "hawser: 1\ndefault: { anchors: [a], pins: [p] }\n"
                + "anchors: { a: { files: [anchors/root.pem] } }\npins:\n  p:\n"
                + indented(keys) + indented(backups))
        let run = try workshop.run("check", "unit")
        #expect(run.status == 0, "\(run.output)")
    }

    @Test("a private key is refused and not shown", arguments: ["key.pem", "key.der"])
    func privateKey(_ name: String) throws {
        let workshop = try Workshop()
        // PKCS #8 (RFC 5958) around an Ed25519 key (RFC 8410 section 10.3, its own example).
        let base64 = "MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC"
        try workshop.write(
            "key.pem", "-----BEGIN PRIVATE KEY-----\n\(base64)\n-----END PRIVATE KEY-----\n")
        try #require(Data(base64Encoded: base64)).write(
            to: workshop.folder.appending(path: "key.der"))
        let run = try workshop.run("pin", name)
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.error.contains("private key"))
        #expect(!run.error.contains("INTuct"))
    }

    @Test(
        "a key that is none is no pin",
        arguments: Sample.of(SpoiltKey.all, atMost: 24, "keys that are none"))
    func spoiltKey(_ key: SpoiltKey) throws {
        let workshop = try Workshop()
        let reason =
            switch key.fault {
            case .form: "the key's octets do not fit its algorithm"
            case .offCurve: "the key names no point of its curve"
            case .smallOrder: "the key is a point of small order, under which anybody can sign"
            case .nearZero: "the key's numbers are next to zero, so that anybody can sign under it"
            case .rsaNumbers: "an RSA key has an odd modulus and an odd exponent from 3 on"
            }
        let holder = Scenario().root("Spoilt", key: .p256("spoilt pin")) { $0.spki = key.spki }
        var request = RequestRecipe(subject: "Spoilt", key: .p256("spoilt pin"))
        request.spki = key.spki
        try workshop.write("request.pem", request.pem)
        try workshop.write("key.pem", PEMWriter.block("PUBLIC KEY", key.spki))
        try workshop.write("certificate.pem", holder.pem)
        for name in ["key.pem", "request.pem", "certificate.pem"] {
            let run = try workshop.run("pin", name)
            #expect(run.status == 2)
            #expect(run.output == "")
            #expect(run.error.contains(reason), "\(run.error)")
        }
    }

    @Test(
        "bad usage ends with 2 on standard error",
        arguments: [
            ["bogus"], ["check", "--bogus"], ["compile", "unit"], ["pin"], ["show"],
            ["check", "unit", "--format", "yaml"], ["check", "nowhere"], ["inspect", "nowhere"],
            ["version", "more"],
        ])
    func usage(_ arguments: [String]) throws {
        let run = try Workshop().run(arguments)
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(!run.error.isEmpty)
    }

    @Test("help is an answer")
    func help() throws {
        let run = try Workshop().run("--help")
        #expect(run.status == 0)
        for command in ["check", "compile", "inspect", "show", "explain", "pin"] {
            #expect(run.output.contains("  \(command)"))
        }
    }
}
