import EvidenceServer
import Foundation
import JSONSchemaSupport
import TestPKI
import Testing
import TrustEngine

/// Evidence by the command: fetched from a server on loopback, kept in folders, handed over.
@Suite("hawser fetch, and evidence of explain")
struct FetchTests {
    private static let listType = "application/pkix-crl"

    /// A workshop with a chain that names a server, which answers with `replies` by path.
    private struct Stage {
        let workshop: Workshop
        let server: EvidenceServer

        init(network: String = "wait", _ replies: [String: EvidenceServer.Reply]) throws {
            server = EvidenceServer { replies[$0.path] ?? .status(404) }
            workshop = try Workshop()
            try workshop.write(
                "unit/policy.yaml",
                Workshop.policy + """
                      fetched:
                        hosts:
                          - "fetched.acme.example"
                        anchors: [acme]
                        revocation:
                          preset: require
                          network: \(network)
                          scope: leaf
                          sources: [stapled, crl]

                    """)
            try workshop.write("fetched.pem", leaf.pem + Workshop.issuing.pem)
        }

        var leaf: Minted {
            Workshop.issuing.issueLeaf(dns: ["fetched.acme.example"]) { recipe in
                recipe.serial = [7]
                recipe.extensions.append(.crlDistributionPoints([server.url("/a.crl")]))
            }
        }

        /// Asks a command about the chain, at the time of the examples.
        func run(_ command: String, _ more: String...) throws -> CommandRun {
            try run(command, chain: "fetched.pem", more)
        }

        func run(_ command: String, chain: String, _ more: [String]) throws -> CommandRun {
            try workshop.run(
                [
                    command, "fetched.acme.example", "--policy", "unit", "--chain", chain, "--at",
                    "2026-06-01", "--tls-version", "tls1.3",
                ] + more)
        }

        /// What lets the command ask the server.
        var permission: [String] {
            ["--allow-network", "127.0.0.1", "--allow-port", "\(server.port)"]
        }

        func expect(_ golden: String, _ run: CommandRun) throws {
            try expectGolden(
                golden, transcript: run.transcript.replacing("\(server.port)", with: "PORT"))
        }
    }

    private static let good = Workshop.issuing.revocationList()

    @Test("a folder is filled, and explain judges with it without a network")
    func fetchThenExplain() throws {
        let stage = try Stage(["/a.crl": .answer(Self.good, type: Self.listType)])
        let without = try stage.run("explain")
        #expect(without.status == 1)
        #expect(without.output.contains("revocation-undetermined"))
        #expect(stage.server.accepted == 0)
        let fetched = try stage.run(
            "fetch", chain: "fetched.pem", ["-o", "kept"] + stage.permission)
        try stage.expect("fetch", fetched)
        #expect(fetched.status == 0)
        #expect(stage.server.accepted == 1)
        let with = try stage.run("explain", "--evidence", "kept")
        try stage.expect("explain-evidence", with)
        #expect(with.status == 0)
        #expect(stage.server.accepted == 1)
    }

    @Test("what was fetched and what was not is JSON by its schema")
    func json() throws {
        let schema = try JSONSchema(
            text: String(
                contentsOf: CommandRun.repository.appending(path: "grammar/fetch.schema.json"),
                encoding: .utf8))
        let rows: [([String: EvidenceServer.Reply], Int32, String)] = [
            (["/a.crl": .answer(Self.good, type: Self.listType)], 0, "fetch-json"),
            ([:], 1, "fetch-json-not-found"),
        ]
        for (replies, status, golden) in rows {
            let stage = try Stage(replies)
            let run = try stage.run(
                "fetch", chain: "fetched.pem",
                ["-o", "kept", "--format", "json"] + stage.permission)
            #expect(run.status == status)
            #expect(schema.violations(of: try JSONDocument(text: run.output)) == [])
            try stage.expect(golden, run)
        }
        let stage = try Stage([:])
        let bare = try stage.workshop.run(
            "fetch", "api.acme.example", "--policy", "unit", "--chain", "chain.pem", "--at",
            "2026-06-01", "--tls-version", "tls1.3", "-o", "kept", "--format", "json")
        #expect(schema.violations(of: try JSONDocument(text: bare.output)) == [])
    }

    @Test("explain fetches when it is asked to, and what it judged by can be judged again")
    func explainFetching() throws {
        for network in ["wait", "prefetch", "never"] {
            let stage = try Stage(
                network: network, ["/a.crl": .answer(Self.good, type: Self.listType)])
            let run = try stage.run(
                "explain", chain: "fetched.pem",
                ["--fetch", "--save-evidence", "saved"] + stage.permission)
            try stage.expect("explain-fetch-\(network)", run)
            #expect(run.status == 0)
            let again = try stage.run(
                "explain", chain: "saved/chain.pem", ["--evidence", "saved"])
            #expect(again.status == 0)
            #expect(stage.server.accepted == 1)
            let json = try stage.run(
                "explain", chain: "fetched.pem", ["--fetch", "--format", "json"] + stage.permission)
            let schema = try JSONSchema(
                text: String(
                    contentsOf: CommandRun.repository.appending(path: "grammar/trace.schema.json"),
                    encoding: .utf8))
            #expect(schema.violations(of: try JSONDocument(text: json.output)) == [])
        }
    }

    @Test("what cannot be had is said, and the rule decides")
    func failures() throws {
        let missing = try Stage([:])
        let run = try missing.run(
            "fetch", chain: "fetched.pem", ["-o", "kept"] + missing.permission)
        try missing.expect("fetch-not-found", run)
        #expect(run.status == 1)
        let explained = try missing.run(
            "explain", chain: "fetched.pem", ["--fetch"] + missing.permission)
        try missing.expect("explain-fetch-not-found", explained)
        #expect(explained.status == 1)

        let private_ = try Stage(["/a.crl": .answer(Self.good, type: Self.listType)])
        let refused = try private_.run(
            "fetch", "-o", "kept", "--allow-port", "\(private_.server.port)")
        try private_.expect("fetch-refused", refused)
        #expect(refused.status == 1)
        let port = try private_.run("fetch", "-o", "kept", "--allow-network", "127.0.0.1")
        #expect(port.status == 1 && port.output.contains("url-refused"))
        #expect(private_.server.accepted == 0)

        let revoked = try Stage([
            "/a.crl": .answer(
                Workshop.issuing.revocationList {
                    $0.entries = [.init([7], at: .at("2026-05-01T12:00:00Z"))]
                }, type: Self.listType)
        ])
        let found = try revoked.run(
            "fetch", chain: "fetched.pem", ["-o", "kept"] + revoked.permission)
        #expect(found.status == 0)
        #expect(found.output.hasSuffix("with what was fetched: reject: revoked\n"))
    }

    @Test("nothing is fetched for a chain that does not verify")
    func unverified() throws {
        let stage = try Stage(["/a.crl": .answer(Self.good, type: Self.listType)])
        let forged = Workshop.otherRoot.issueLeaf(dns: ["fetched.acme.example"]) { recipe in
            recipe.extensions.append(.crlDistributionPoints([stage.server.url("/a.crl")]))
        }
        try stage.workshop.write("forged.pem", forged.pem + Workshop.otherRoot.pem)
        let run = try stage.run("fetch", chain: "forged.pem", ["-o", "kept"] + stage.permission)
        try stage.expect("fetch-unverified", run)
        #expect(run.status == 1)
        let explained = try stage.run(
            "explain", chain: "forged.pem", ["--fetch"] + stage.permission)
        #expect(explained.status == 1)
        #expect(stage.server.accepted == 0)
        let kept = stage.workshop.folder.appending(path: "kept").path
        #expect(!FileManager.default.fileExists(atPath: kept))
    }

    @Test("proxies of the environment are not used")
    func proxies() throws {
        let stage = try Stage(["/a.crl": .answer(Self.good, type: Self.listType)])
        let elsewhere = EvidenceServer(always: .status(500))
        let proxy = elsewhere.url("")
        let run = try CommandRun(
            [
                "fetch", "fetched.acme.example", "--policy", "unit", "--chain", "fetched.pem",
                "--at", "2026-06-01", "--tls-version", "tls1.3", "-o", "kept",
            ] + stage.permission, in: stage.workshop.folder,
            environment: ["http_proxy": proxy, "HTTP_PROXY": proxy, "all_proxy": proxy])
        #expect(run.status == 0)
        #expect(elsewhere.accepted == 0 && stage.server.accepted == 1)
    }

    @Test("a staple from a file counts as the server's own")
    func staples() throws {
        let stage = try Stage([:])
        let staple = Workshop.issuing.ocspResponse(for: stage.leaf)
        try Data(staple).write(to: stage.workshop.folder.appending(path: "staple.der"))
        #expect(try stage.run("explain", "--staple", "staple.der").status == 0)
        #expect(try stage.run("explain", "--ocsp", "staple.der").status == 1)
        let saved = try stage.run(
            "explain", "--staple", "staple.der", "--save-evidence", "saved")
        #expect(saved.status == 0)
        #expect(try stage.run("explain", "--evidence", "saved").status == 0)
        let two = try stage.run("explain", "--evidence", "saved", "--staple", "staple.der")
        #expect(two.status == 2 && two.error.contains("one staple"))
    }

    @Test(
        "what cannot be asked ends with 2 and says what was found",
        arguments: [
            (["explain", "--fetch", "--allow-network", "10.0.0.1/8"], "is not a network"),
            (["explain", "--allow-network", "10.0.0.0/8"], "are for `--fetch`"),
            (["explain", "--evidence", "none"], "`none` is not there"),
            (["explain", "--staple", "none"], "`none` is not there"),
            (["explain", "--save-evidence", "fetched.pem"], "cannot be written"),
            (["fetch", "-o", "kept", "--allow-network", "example"], "is not a network"),
            (["fetch"], "output"),
        ])
    func notAsked(_ arguments: [String], _ part: String) throws {
        let stage = try Stage([:])
        let run = try stage.run(
            arguments[0], chain: "fetched.pem", Array(arguments.dropFirst()))
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.error.contains(part), "\(run.error)")
    }
}
