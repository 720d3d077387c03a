import EvidenceServer
import Foundation
import Hawser
import TestPKI
import Testing
import TrustEngine

/// Chains of servers, files and receipts, written as cases.
@Suite("hawser capture")
struct CaptureTests {
    private static let logs = [TestLog("Larch", of: "Acme"), TestLog("Maple", of: "Other")]
    private static let staple = Workshop.issuing.ocspResponse(for: Workshop.leaf)
    private static let timestamps = TestTimestamp.list(
        logs.map { $0.timestamp() }, over: Workshop.leaf)

    /// A workshop whose policy demands a staple and timestamps.
    private static func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write("unit/log_list.json", TestLogList.json(logs))
        try workshop.write(
            "unit/policy.yaml",
            """
            hawser: 1
            default: deny
            anchors:
              acme:
                files: [anchors/root.pem]
                standard: web-pki
            rules:
              api:
                hosts:
                  - "api.acme.example"
                anchors: [acme]
                revocation: { preset: require, sources: [stapled], scope: leaf }
                transparency: { preset: chrome, log-list: log_list.json }
                tls: { minimum-version: tls1.3, alpn: [h2] }

            """)
        return workshop
    }

    /// A server with that staple and these timestamps.
    private static func server() throws -> LoopbackServer {
        // Contexts: client hello, TLS 1.2 server hello, TLS 1.3 certificate (SSL_EXT_*).
        let length = timestamps.count
        let info =
            [0, 0, 0x11, 0x80, 0, 18, UInt8(length >> 8), UInt8(length & 0xFF)] + timestamps
        return try LoopbackServer(
            leaf: Workshop.leaf.pem, others: Workshop.issuing.certificate.pem,
            key: Workshop.leaf.key.privateKeyPEM,
            options: [
                "-tls1_3", "-ciphersuites", "TLS_AES_128_GCM_SHA256", "-groups", "P-256", "-alpn",
                "h2", "-status_file", "staple.der", "-serverinfo", "info.pem",
            ],
            files: [
                "staple.der": staple,
                "info.pem": Array(PEMWriter.block("SERVERINFOV2 FOR SCT", info).utf8),
            ])
    }

    private static func text(_ workshop: Workshop, _ path: String) throws -> String {
        try String(contentsOf: workshop.folder.appending(path: path), encoding: .utf8)
    }

    private static func names(_ workshop: Workshop, _ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: workshop.folder.appending(path: path).path
        ).sorted()
    }

    private static let chain = [
        "--policy", "unit", "--chain", "chain.pem", "--at", "2026-06-01", "--tls-version",
        "tls1.3",
    ]

    @Test(
        "a server with a staple and timestamps",
        .enabled(if: LoopbackServer.command != nil, "this machine has no openssl command"),
        .timeLimit(.minutes(10)))
    func server() throws {
        let workshop = try Self.workshop()
        let server = try Self.server()
        let run = try workshop.run(
            "capture", "api.acme.example:443", "--policy", "unit", "--connect",
            "127.0.0.1:\(server.port)", "--at", "2026-06-01", "-o", "unit/cases/seen")
        try #require(run.status == 0, "\(run.transcript)")
        let request = try Self.text(workshop, "unit/cases/seen/request.yaml")
        try expectGolden(
            "capture-server",
            transcript: (run.transcript + "--- request.yaml\n" + request)
                .replacing("\(server.port)", with: "PORT"))
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("accept "))
        #expect(
            try Self.names(workshop, "unit/cases/seen")
                == ["chain.pem", "request.yaml", "sct-list.bin", "staple.ocsp"])
        let folder = workshop.folder.appending(path: "unit/cases/seen")
        #expect(
            try Data(contentsOf: folder.appending(path: "staple.ocsp")) == Data(Self.staple))
        #expect(
            try Data(contentsOf: folder.appending(path: "sct-list.bin")) == Data(Self.timestamps))
        #expect(
            try Self.text(workshop, "unit/cases/seen/chain.pem")
                == Workshop.leaf.pem + Workshop.issuing.certificate.pem)
    }

    /// Whoever finds the case a year later finds the same verdict; at a later clock the chain is
    /// expired, and nothing else is wrong with what was captured.
    @Test(
        "what was captured replays to the verdict that was seen, a year later too",
        .enabled(if: LoopbackServer.command != nil, "this machine has no openssl command"),
        .timeLimit(.minutes(10)))
    func replay() throws {
        let workshop = try Self.workshop()
        let server = try Self.server()
        let run = try workshop.run(
            "capture", "api.acme.example:443", "--policy", "unit", "--connect",
            "127.0.0.1:\(server.port)", "--at", "2026-06-01", "-o", "unit/cases/seen")
        try #require(run.status == 0, "\(run.transcript)")
        try workshop.write("unit/policy.test.yaml", "hawser-test: 1\nfolders: [cases]\n")
        let replayed = try workshop.run("test", "unit")
        #expect(replayed.status == 0, "\(replayed.transcript)")
        #expect(replayed.output.hasSuffix("1 case, 0 failed, 1 file\n"))
        let request = try Self.text(workshop, "unit/cases/seen/request.yaml")
        let later = request.replacing("at: 2026-06-01T00:00:00Z", with: "at: 2027-06-01T00:00:00Z")
        #expect(later != request)
        try workshop.write("unit/cases/seen/request.yaml", later)
        let expired = try workshop.run("test", "unit")
        #expect(expired.status == 1)
        #expect(expired.output.contains("reject [expired"), "\(expired.transcript)")
        // Without its staple the chain differs from the captured chain.
        try workshop.write(
            "unit/cases/seen/request.yaml",
            request.split(separator: "\n").filter { !$0.hasPrefix("staple:") }
                .joined(separator: "\n") + "\n")
        let bare = try workshop.run("test", "unit")
        #expect(bare.status == 1)
        #expect(bare.output.contains("revocation-undetermined"), "\(bare.transcript)")
    }

    @Test("a reject, with what the policy says of the host")
    func reject() throws {
        let workshop = try Workshop()
        let run = try workshop.run(
            ["capture", "pinned.acme.example:8443"] + Self.chain + ["-o", "unit/cases/pinned"])
        let request = try Self.text(workshop, "unit/cases/pinned/request.yaml")
        try expectGolden(
            "capture-reject", transcript: run.transcript + "--- request.yaml\n" + request)
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("reject "))
    }

    @Test("a connection without TLS, and a host that no rule decides")
    func withoutChain() throws {
        let workshop = try Workshop()
        let run = try workshop.run(
            "capture", "nobody.example", "--policy", "unit", "--cleartext", "--at", "2026-06-01",
            "-o", "cleartext")
        let request = try Self.text(workshop, "cleartext/request.yaml")
        try expectGolden(
            "capture-cleartext", transcript: run.transcript + "--- request.yaml\n" + request)
        #expect(try Self.names(workshop, "cleartext") == ["request.yaml"])
    }

    @Test("of the machine's store, the authorities that could vouch are kept")
    func store() throws {
        let workshop = try Workshop()
        try workshop.write(
            "unit/policy.yaml", "hawser: 1\ndefault: { anchors: [system] }\n")
        try workshop.write("unit/all.test.yaml", "hawser-test: 1\nfolders: [cases]\n")
        try workshop.write("store.pem", Workshop.otherRoot.pem + Workshop.root.pem)
        let run = try workshop.run(
            ["capture", "api.acme.example"] + Self.chain + [
                "--system-store", "store.pem", "-o", "unit/cases/public/seen",
            ])
        #expect(run.status == 2, "\(run.transcript)")
        try FileManager.default.createDirectory(
            at: workshop.folder.appending(path: "unit/cases/public"),
            withIntermediateDirectories: true)
        let again = try workshop.run(
            ["capture", "api.acme.example"] + Self.chain + [
                "--system-store", "store.pem", "-o", "unit/cases/public/seen",
            ])
        let request = try Self.text(workshop, "unit/cases/public/seen/request.yaml")
        try expectGolden(
            "capture-store", transcript: again.transcript + "--- request.yaml\n" + request)
        #expect(
            try Self.text(workshop, "unit/cases/public/seen/system.pem") == Workshop.root.pem)
        // A chain that no authority of the store could vouch for keeps one that says nothing.
        let stranger = try workshop.run(
            ["capture", "api.acme.example", "--policy", "unit", "--chain", "self-signed.pem"]
                + Self.chain.dropFirst(4) + [
                    "--system-store", "store.pem", "-o", "unit/cases/stranger",
                ])
        #expect(stranger.status == 0, "\(stranger.transcript)")
        #expect(
            try Self.text(workshop, "unit/cases/stranger/system.pem") == Workshop.otherRoot.pem)
    }

    @Test("fetched evidence is kept")
    func fetched() throws {
        let workshop = try Workshop()
        let list = Workshop.issuing.revocationList()
        let server = EvidenceServer(always: .answer(list, type: "application/pkix-crl"))
        let leaf = Workshop.issuing.issueLeaf(dns: ["fetched.acme.example"]) { recipe in
            recipe.extensions.append(.crlDistributionPoints([server.url("/a.crl")]))
        }
        try workshop.write("fetched.pem", leaf.pem + Workshop.issuing.pem)
        try workshop.write(
            "unit/policy.yaml",
            Workshop.policy + """
                  fetched:
                    hosts: ["fetched.acme.example"]
                    anchors: [acme]
                    revocation: { preset: require, scope: leaf, sources: [crl] }

                """)
        let run = try workshop.run(
            "capture", "fetched.acme.example", "--policy", "unit", "--chain", "fetched.pem",
            "--at", "2026-06-01", "--tls-version", "tls1.3", "--fetch", "--allow-network",
            "127.0.0.1", "--allow-port", "\(server.port)", "-o", "kept")
        #expect(run.status == 0, "\(run.transcript)")
        #expect(run.output.hasPrefix("accept "))
        let names = try Self.names(workshop, "kept/evidence")
        #expect(names.count == 1)
        #expect(
            try Data(contentsOf: workshop.folder.appending(path: "kept/evidence/\(names[0])"))
                == Data(list))
        #expect(try Self.text(workshop, "kept/request.yaml").contains("\nevidence: evidence\n"))
    }

    @Test("a receipt is a case as it was decided")
    func receipt() throws {
        let workshop = try Workshop()
        #expect(try workshop.run("compile", "unit", "-o", "policy.table").status == 0)
        let engine = try EngineLoader.load(
            tableFile: workshop.folder.appending(path: "policy.table").path)
        let request = TrustRequest(
            host: "pinned.acme.example", port: 443,
            presentedChain: [Workshop.leaf.der, Workshop.issuing.der], time: Scenario.judgedAt,
            tls: .observed(TLSParameters(version: .tls13, group: "x25519")))
        let receipt = DecisionReceipt(
            Decision(engine.explain(request), of: request, by: PolicySnapshot(engine, revision: 3)),
            inputs: .selfContained(atMost: 1 << 20), redaction: Redaction())
        try workshop.write("receipts.jsonl", receipt.json + "\n")
        let run = try workshop.run(
            "capture", "--receipt", "receipts.jsonl:1", "--policy", "unit", "-o", "seen")
        let text = try Self.text(workshop, "seen/request.yaml")
        try expectGolden(
            "capture-receipt", transcript: run.transcript + "--- request.yaml\n" + text)
        #expect(run.status == 0)
    }

    @Test("text of others is harmless in the file")
    func hostile() throws {
        let workshop = try Workshop()
        let run = try workshop.run(
            ["capture", "www.acme.example", "--policy", "unit", "--chain", "hostile.pem"]
                + Self.chain.dropFirst(4) + ["-o", "hostile"])
        let text = try Self.text(workshop, "hostile/request.yaml")
        try expectGolden(
            "capture-hostile", transcript: run.transcript + "--- request.yaml\n" + text)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || " "..."~" ~= $0 })
    }

    @Test("nothing is overwritten unless asked, and nothing is left behind")
    func overwriting() throws {
        let workshop = try Workshop()
        let capture = ["capture", "api.acme.example"] + Self.chain
        #expect(try workshop.run(capture + ["-o", "seen"]).status == 0)
        try workshop.write("seen/note.txt", "mine")
        let again = try workshop.run(capture + ["-o", "seen"])
        #expect(again.status == 2)
        #expect(again.error == "error: `seen` is there already; `--replace` writes it again\n")
        #expect(try workshop.run(capture + ["-o", "seen", "--replace"]).status == 0)
        #expect(try Self.names(workshop, "seen") == ["chain.pem", "request.yaml"])
        let folder = try workshop.run(capture + ["-o", "unit", "--replace"])
        #expect(folder.status == 2)
        #expect(folder.error.contains("`unit` is not a case"))
        for name in [".", "..", "/"] {
            #expect(try workshop.run(capture + ["-o", name]).status == 2)
        }
        let left = try Self.names(workshop, "").filter { $0.contains("seen") }
        #expect(left == ["seen"])
    }

    @Test("what is no case is refused, in one line")
    func refused() throws {
        let workshop = try Workshop()
        try workshop.write("with-key.pem", Workshop.leaf.pem + Workshop.leaf.key.privateKeyPEM)
        let rows: [[String]] = [
            ["api.acme.example", "--policy", "unit", "--chain", "chain.pem"],
            ["api.acme.example", "--policy", "unit"],
            ["api.acme.example"] + Self.chain + ["--log-list", "log_list.json"],
            ["api.acme.example", "--policy", "unit", "--chain", "with-key.pem"]
                + Self.chain.dropFirst(4),
            ["not_a_host..", "--policy", "unit", "--chain", "chain.pem"] + Self.chain.dropFirst(4),
            ["api.acme.example"] + Self.chain + ["--alpn", "h2\u{1B}"],
            ["api.acme.example"] + Self.chain + ["--group", "no-group"],
            ["api.acme.example"] + Self.chain + ["--receipt-key", "key"],
            ["api.acme.example"] + Self.chain + ["--allow-port", "99"],
        ]
        var transcript = ""
        for row in rows {
            let run = try workshop.run(["capture"] + row + ["-o", "seen"])
            #expect(run.status == 2, "\(run.transcript)")
            transcript += run.transcript.replacing("\u{1B}", with: "ESC")
        }
        try expectGolden("capture-refused", transcript: transcript)
        #expect(try Self.names(workshop, "").filter { $0.contains("seen") } == [])
    }
}
