import Foundation
import Hawser
import JSONSchemaSupport
import TestPKI
import Testing
import TrustEngine

/// Receipts that a program writes with the library, replayed by the command.
@Suite("hawser explain --receipt")
struct ExplainReceiptTests {
    /// A workshop with a table, and receipts of decisions by it.
    private final class Shop {
        let workshop: Workshop
        let engine: Engine

        init() throws {
            workshop = try Workshop()
            #expect(try workshop.run("compile", "unit", "-o", "policy.table").status == 0)
            engine = try EngineLoader.load(
                tableFile: workshop.folder.appending(path: "policy.table").path)
        }

        func receipt(
            _ host: String, _ chain: [[UInt8]]? = nil, evidence: Evidence = Evidence(),
            inputs: DecisionReceipt.InputDetail = .digests, redaction: Redaction = Redaction()
        ) -> String {
            let request = TrustRequest(
                host: host, port: 8_443,
                presentedChain: chain ?? [Workshop.leaf.der, Workshop.issuing.der],
                time: Scenario.judgedAt,
                tls: .observed(TLSParameters(version: .tls13, group: "x25519")), evidence: evidence)
            return DecisionReceipt(
                Decision(
                    engine.explain(request), of: request, by: PolicySnapshot(engine, revision: 3)),
                inputs: inputs, redaction: redaction
            ).json + "\n"
        }

        func replay(_ receipt: String, _ arguments: String...) throws -> CommandRun {
            try workshop.write("receipts.jsonl", receipt)
            return try workshop.run(["explain", "--receipt", "receipts.jsonl"] + arguments)
        }
    }

    private static let whole = DecisionReceipt.InputDetail.selfContained(atMost: 1 << 20)

    // MARK: Kept receipts

    /// Receipts and a table of version 1 with their policy. They are kept as they are: a release
    /// that reads version 1 gives them the same verdict and trace.
    private static let kept = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Goldens/receipts-1")

    @Test("kept receipts of version 1 are read, and written octet for octet")
    func keptReceipts() throws {
        let text = try String(
            contentsOf: Self.kept.appending(path: "receipts.jsonl"), encoding: .utf8)
        let lines = text.split(separator: "\n").map(String.init)
        let receipts = try lines.map { try DecisionReceipt(json: Array($0.utf8)) }
        #expect(receipts.map(\.json) == lines)
        #expect(
            receipts.map { $0.violations.map(\.id) } == [
                [], [], ["pin-mismatch"], [], ["no-applicable-rule"], [], [],
            ])
        #expect(receipts[1].reported.map(\.violation.id) == ["pin-mismatch"])
        #expect(receipts[0].host == .text("api.decision.example") && receipts[0].port == 443)
        #expect(receipts.allSatisfy { $0.time == Scenario.judgedAt })
        if case .keyed = receipts[5].host {} else { Issue.record("the host is keyed") }
    }

    @Test(
        "kept receipts replay with the table of their time, and with their policy",
        arguments: [(1, 0), (2, 0), (3, 1), (4, 0), (7, 0)] as [(Int, Int32)],
        [["--table", "policy.table"], ["--policy", "unit"]])
    func keptReceiptsReplay(_ kept: (line: Int, status: Int32), _ policy: [String]) throws {
        let shop = try Shop()
        let run = try shop.workshop.run(
            "explain", "--receipt", "\(Self.kept.path)/receipts.jsonl:\(kept.line)", policy[0],
            "\(Self.kept.path)/\(policy[1])")
        #expect(run.output.hasPrefix("replays to the same verdict and trace\n"), "\(run.error)")
        #expect(run.status == kept.status)
    }

    // MARK: The same

    @Test("a self-contained receipt replays with a table and nothing else")
    func selfContained() throws {
        let shop = try Shop()
        let run = try shop.replay(
            shop.receipt("api.acme.example", inputs: Self.whole), "--table", "policy.table")
        try expectGolden("receipt-self-contained", run)
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("replays to the same verdict and trace\naccept "))
    }

    @Test("digests alone replay with the chain, and by the policy that the table was made of")
    func digests() throws {
        let shop = try Shop()
        let run = try shop.replay(
            shop.receipt("pinned.acme.example"), "--policy", "unit", "--chain", "chain.pem")
        try expectGolden("receipt-digests", run)
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("replays to the same verdict and trace\nreject "))
        let without = try shop.replay(shop.receipt("pinned.acme.example"), "--policy", "unit")
        #expect(without.status == 2 && without.error.contains("`--chain FILE`"))
    }

    @Test("evidence is handed over as it was then, wherever it comes from now")
    func evidence() throws {
        let shop = try Shop()
        let list = Workshop.issuing.revocationList()
        let response = Workshop.issuing.ocspResponse(for: Workshop.leaf)
        try Data(list).write(to: shop.workshop.folder.appending(path: "issuing.crl"))
        try Data(response).write(to: shop.workshop.folder.appending(path: "staple.der"))
        let signer = try Certificate(der: Workshop.issuing.der)
        let crypto = EngineLoader.makeBackend()
        let evidence = Evidence(
            stapledOCSP: response, crls: [list],
            prepared: [
                try PreparedEvidence(ocspResponse: response, signers: [signer], crypto: crypto),
                try PreparedEvidence(crl: list, signers: [signer], crypto: crypto),
                try PreparedEvidence(crl: list, signers: [], crypto: crypto),
                try PreparedEvidence(ocspResponse: response, signers: [], crypto: crypto),
            ])
        let light = shop.receipt("api.acme.example", evidence: evidence)
        let tail = ["--table", "policy.table", "--chain", "chain.pem"]
        let run = try shop.replay(
            light, tail[0], tail[1], tail[2], tail[3], "--staple",
            "staple.der", "--crl", "issuing.crl")
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output.hasPrefix("replays to the same verdict and trace\n"))
        let whole = try shop.replay(
            shop.receipt("api.acme.example", evidence: evidence, inputs: Self.whole), "--table",
            "policy.table", "--save-evidence", "saved")
        #expect(whole.status == 0 && whole.output == run.output)
        let saved = try shop.replay(
            light, tail[0], tail[1], "--chain", "saved/chain.pem",
            "--evidence", "saved")
        #expect(saved.status == 0 && saved.output == run.output)
        let missing = try shop.replay(
            light, tail[0], tail[1], tail[2], tail[3], "--crl",
            "issuing.crl")
        try expectGolden("receipt-missing-evidence", missing)
        #expect(missing.status == 2)
        #expect(missing.error.contains("evidence 1 (staple) was not given"))
        #expect(missing.error.contains("evidence 2 (prepared-ocsp) was not given"))
        #expect(!missing.error.contains("evidence 3") && !missing.error.contains("evidence 4"))
        #expect(missing.error.contains("evidence 5 (prepared-ocsp-unverified) was not given"))
    }

    @Test("--format json says the same, with the status of the verdict")
    func json() throws {
        let shop = try Shop()
        let schema = try JSONSchema(
            text: String(
                contentsOf: CommandRun.repository.appending(path: "grammar/trace.schema.json"),
                encoding: .utf8))
        let receipt = shop.receipt("www.acme.example", inputs: Self.whole)
        let run = try shop.replay(receipt, "--table", "policy.table", "--format", "json")
        #expect(run.status == 1)
        let document = try JSONDocument(text: run.output)
        #expect(schema.violations(of: document) == [])
        #expect(document["replay"]?["same"] == .bool(true))
        let altered = receipt.replacingOccurrences(of: "name-mismatch", with: "expired")
        let differs = try shop.replay(altered, "--table", "policy.table", "--format", "json")
        #expect(differs.status == 1)
        let difference = try JSONDocument(text: differs.output)
        #expect(schema.violations(of: difference) == [])
        #expect(difference["replay"]?["same"] == .bool(false))
        #expect(
            difference["replay"]?["differences"]?.items.first?["replayed"]
                == .array([.string("name-mismatch")]))
    }

    @Test("a table that was stale is stale again")
    func stale() throws {
        let shop = try Shop()
        var engine = shop.engine
        engine.freshness = TableFreshness(
            confirmed: Scenario.judgedAt, freshFor: .seconds(-1), whenStale: .reject)
        let request = TrustRequest(
            host: "api.acme.example", port: 443,
            presentedChain: [Workshop.leaf.der, Workshop.issuing.der], time: Scenario.judgedAt,
            tls: .observed(TLSParameters(version: .tls13)))
        let receipt = DecisionReceipt(
            Decision(engine.explain(request), of: request, by: PolicySnapshot(engine)),
            inputs: Self.whole)
        #expect(receipt.violations.map(\.id) == ["table-stale"])
        let run = try shop.replay(receipt.json, "--table", "policy.table")
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("replays to the same verdict and trace\nreject "))
    }

    // MARK: Another question

    @Test("inputs that are others are each named, and nothing is replayed")
    func otherInputs() throws {
        let shop = try Shop()
        let receipt = shop.receipt("www.acme.example")
        let chain = try shop.replay(
            receipt, "www.acme.example:443", "--table", "policy.table", "--chain", "proxied.pem")
        try expectGolden("receipt-other-chain", chain)
        #expect(chain.status == 2 && chain.output.isEmpty)
        for part in ["the port is `443`", "certificate 1", "certificate 2"] {
            #expect(chain.error.contains(part), "\(part)")
        }
        let host = try shop.replay(
            receipt, "api.acme.example", "--table", "policy.table", "--chain", "chain.pem")
        #expect(host.status == 2 && host.error.contains("the host is `api.acme.example`"))
        try shop.workshop.write(
            "unit/policy.yaml",
            Workshop.policy.replacingOccurrences(of: "rsa-minimum: 3072", with: "rsa-minimum: 4096")
        )
        let policy = try shop.replay(receipt, "--policy", "unit", "--chain", "chain.pem")
        #expect(policy.status == 2 && policy.error.contains("the policy's digest is `sha256:"))
        #expect(policy.error.contains("`--table`"))
    }

    @Test("what came to something else is told, and the status is that of the verdict now")
    func otherDecision() throws {
        let shop = try Shop()
        let receipt = shop.receipt("api.acme.example", inputs: Self.whole)
        let mark = try #require(
            try JSONDocument(text: receipt)["trace"]?.text)
        let trace = try shop.replay(
            receipt.replacingOccurrences(
                of: mark, with: "sha256:" + String(repeating: "0", count: 64)), "--table",
            "policy.table")
        #expect(trace.status == 1)
        #expect(trace.output.hasPrefix("does not replay: trace `sha256:0000"))
        #expect(trace.output.contains("another version of hawser"))
        let verdict = try shop.replay(
            receipt.replacingOccurrences(
                of: "\"verdict\":\"accept\"", with: "\"verdict\":\"reject\""
            ).replacingOccurrences(
                of: "\"violations\":[]",
                with:
                    #""violations":[{"id":"expired","check":"validity","side":"server","place":null}]"#
            ),
            "--table", "policy.table")
        #expect(verdict.status == 1)
        #expect(
            verdict.output.hasPrefix(
                "does not replay: verdict `reject` in the receipt, `accept` now; "
                    + "violations `expired` in the receipt, none now\naccept "))
    }

    // MARK: Redacted

    @Test("a redacted host is given, and compared where the key is given too")
    func redacted() throws {
        let shop = try Shop()
        let secret = [UInt8](repeating: 9, count: 32)
        try Data(secret).write(to: shop.workshop.folder.appending(path: "key"))
        try shop.workshop.write("short-key", "short")
        let key = try #require(RedactionKey(secret))
        let receipt = shop.receipt(
            "api.acme.example", redaction: Redaction(host: .keyed(key), port: .dropped))
        let tail = ["--table", "policy.table", "--chain", "chain.pem"]
        func replay(_ arguments: String...) throws -> CommandRun {
            try shop.workshop.write("receipts.jsonl", receipt)
            return try shop.workshop.run(
                ["explain", "--receipt", "receipts.jsonl"] + arguments + tail)
        }
        let run = try replay("api.acme.example:8443")
        try expectGolden("receipt-redacted", run)
        #expect(run.status == 0 && run.output.hasPrefix("replays to the same verdict\n"))
        let keyed = try replay("api.acme.example:8443", "--receipt-key", "key")
        #expect(keyed.status == 0)
        #expect(keyed.output.hasPrefix("replays to the same verdict and trace\nnot compared"))
        let other = try replay("www.acme.example:8443", "--receipt-key", "key")
        #expect(other.status == 2 && other.error.contains("the host is `"))
        #expect(try replay().error.contains("the receipt's host is redacted"))
        #expect(try replay("api.acme.example").error.contains("HOST:PORT"))
        #expect(
            try replay("api.acme.example:8443", "--receipt-key", "short-key").error.contains(
                "fewer than 16 octets"))
    }

    // MARK: Files and options

    @Test("one of several receipts is named by its line")
    func several() throws {
        let shop = try Shop()
        let text =
            shop.receipt("api.acme.example", inputs: Self.whole) + "\n"
            + shop.receipt("www.acme.example", inputs: Self.whole)
        try shop.workshop.write("many.jsonl", text)
        func replay(_ place: String) throws -> CommandRun {
            try shop.workshop.run("explain", "--receipt", place, "--table", "policy.table")
        }
        let all = try replay("many.jsonl")
        #expect(all.status == 2)
        #expect(
            all.error.contains("holds 2 receipts; name one by its line: `--receipt many.jsonl:1`"))
        #expect(try replay("many.jsonl:1").output.contains("\naccept api.acme.example"))
        #expect(try replay("many.jsonl:3").output.contains("\nreject www.acme.example"))
        for place in [
            "many.jsonl:2", "many.jsonl:4", "many.jsonl:0", "many.jsonl:99999999999999999999",
        ] {
            let none = try replay(place)
            #expect(none.status == 2 && none.error.contains("has no receipt in line"), "\(place)")
        }
        #expect(try replay("absent.jsonl").status == 2)
    }

    @Test("hostile text in a receipt is refused, and escaped")
    func hostile() throws {
        let shop = try Shop()
        for text in [
            "", "{}", "{\"schema\":\"\\u001b[2J\"}", "\u{1B}[2J", "[[[[[[", "{\"schema\":1}",
        ] {
            let run = try shop.replay(text, "--table", "policy.table")
            #expect(run.status == 2 && run.output.isEmpty)
            #expect(!run.error.contains("\u{1B}"))
        }
        let host = "evil\u{1B}[2J\n::error::\u{202E}"
        let run = try shop.replay(shop.receipt(host, inputs: Self.whole), "--table", "policy.table")
        #expect(run.status == 1 && run.output.hasPrefix("replays to the same verdict and trace\n"))
        #expect(!run.output.contains("\u{1B}") && !run.output.contains("\n::error"))
    }

    @Test("what a receipt says is not asked for again")
    func options() throws {
        let shop = try Shop()
        let receipt = shop.receipt("api.acme.example", inputs: Self.whole)
        for option in [
            ["--at", "2026-06-01"], ["--connect", "127.0.0.1:1"], ["--tls-version", "tls1.3"],
            ["--cleartext"], ["--fetch"],
        ] {
            try shop.workshop.write("receipts.jsonl", receipt)
            let run = try shop.workshop.run(
                ["explain", "--receipt", "receipts.jsonl", "--table", "policy.table"] + option)
            #expect(run.status == 2 && run.error.contains("`\(option[0])`"), "\(option)")
        }
        let run = try shop.workshop.run(
            "explain", "api.acme.example", "--table", "policy.table", "--chain", "chain.pem",
            "--receipt-key", "x")
        #expect(run.status == 2 && run.error.contains("`--receipt-key` is for `--receipt`"))
        let nobody = try shop.workshop.run("explain", "--table", "policy.table")
        #expect(nobody.status == 2 && nobody.error.contains("HOST or HOST:PORT"))
    }

    @Test("the trust store of another machine is named, and can be given")
    func systemStore() throws {
        let workshop = try Workshop()
        try workshop.write("system.policy.yaml", "hawser: 1\ndefault:\n  anchors: [system]\n")
        #expect(
            try workshop.run("compile", "system.policy.yaml", "-o", "system.table").status == 0)
        let table = try EngineLoader.open(
            tableFile: workshop.folder.appending(path: "system.table").path
        ).table
        let engine = try EngineLoader.load(
            table: table, inputs: EngineInputs(systemStore: [Workshop.root.der]))
        let request = TrustRequest(
            host: "api.acme.example", port: 443,
            presentedChain: [Workshop.leaf.der, Workshop.issuing.der], time: Scenario.judgedAt,
            tls: .observed(TLSParameters(version: .tls13)))
        let receipt = DecisionReceipt(
            Decision(engine.explain(request), of: request, by: PolicySnapshot(engine)),
            inputs: Self.whole)
        try workshop.write("receipts.jsonl", receipt.json)
        try workshop.write("here.pem", Workshop.otherRoot.pem)
        let words = ["explain", "--receipt", "receipts.jsonl", "--table", "system.table"]
        let other = try workshop.run(words + ["--system-store", "here.pem"])
        #expect(other.status == 2 && other.error.contains("the trust store's digest is `sha256:"))
        let same = try workshop.run(words + ["--system-store", "unit/anchors/root.pem"])
        #expect(
            same.status == 0 && same.output.hasPrefix("replays to the same verdict and trace\n"))
    }
}
