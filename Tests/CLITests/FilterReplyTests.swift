import Foundation
import Hawser
import JSONSchemaSupport
import TestPKI
import Testing
import TrustEngine

/// Decisions by CRLite filters that are made again without the filters: saved evidence, receipts,
/// captured cases and rows of audits.
@Suite("recorded replies of CRLite filters")
struct FilterReplyTests {
    private typealias Filters = ExplainFiltersTests

    private static func workshop(
        isRevoked: Bool = false, until: UTCInstant = Filters.reach
    ) throws -> Workshop {
        let workshop = try Filters.workshop([
            ("full.filter", Filters.filter(Filters.plain, isRevoked: isRevoked, until: until))
        ])
        try workshop.write("chain.pem", Filters.plain.pem + Workshop.issuing.pem)
        return workshop
    }

    /// Replaces the filters of a workshop.
    private static func replaceFilters(
        _ workshop: Workshop, isRevoked: Bool, until: UTCInstant = Filters.reach
    ) throws {
        let recipe = try Filters.filter(Filters.plain, isRevoked: isRevoked, until: until)
        let files = [("other.filter", recipe)]
        try removeFilters(workshop)
        try Filters.write(recipe.octets(version: 4), "filters/other.filter", workshop)
        try Filters.write(FilterIndexRecipe(of: files).octets, "filters/index.bin", workshop)
    }

    private static func removeFilters(_ workshop: Workshop) throws {
        try FileManager.default.removeItem(at: workshop.folder.appending(path: "filters"))
    }

    private static func names(_ workshop: Workshop, _ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: workshop.folder.appending(path: path).path
        ).sorted()
    }

    private static func text(_ workshop: Workshop, _ path: String) throws -> String {
        try String(contentsOf: workshop.folder.appending(path: path), encoding: .utf8)
    }

    private static let question = [
        Filters.host, "--policy", "unit", "--chain", "chain.pem", "--at", "2026-06-01",
    ]

    // MARK: Saved evidence

    @Test("a saved reply gives the same verdict without the filters, and says that it is recorded")
    func saved() throws {
        let workshop = try Self.workshop()
        let first = try workshop.run(
            ["explain"] + Self.question + ["--evidence", "filters", "--save-evidence", "saved"])
        try #require(first.status == 0, "\(first.transcript)")
        let reply = try #require(
            Self.names(workshop, "saved").first { $0.hasSuffix(".filter-reply") })
        let schema = try JSONSchema(text: workshop.run("schema", "filter-reply").output)
        #expect(
            try schema.violations(
                of: JSONDocument(text: Self.text(workshop, "saved/\(reply)"))) == [])
        try Self.removeFilters(workshop)
        let again = try workshop.run(["explain"] + Self.question + ["--evidence", "saved"])
        #expect(again.status == 0)
        try expectGolden("filter-reply-saved", again)
        // It is only of this certificate, and as old as it is.
        let late = try workshop.run([
            "explain", Filters.host, "--policy", "unit", "--chain", "chain.pem", "--at",
            "2026-06-09", "--evidence", "saved",
        ])
        #expect(late.status == 1)
        #expect(late.output.contains("(`stale`)"), "\(late.transcript)")
        try workshop.write("chain.pem", Filters.new.pem + Workshop.issuing.pem)
        let other = try workshop.run(["explain"] + Self.question + ["--evidence", "saved"])
        #expect(other.status == 1)
        try expectGolden("filter-reply-of-another", other)
    }

    @Test("filters that are given decide, and not what was recorded of others")
    func besideFilters() throws {
        let workshop = try Self.workshop()
        let first = try workshop.run(
            ["explain"] + Self.question + ["--evidence", "filters", "--save-evidence", "saved"])
        try #require(first.status == 0, "\(first.transcript)")
        try Self.replaceFilters(workshop, isRevoked: true)
        let both = try workshop.run(
            ["explain"] + Self.question + ["--evidence", "saved", "--evidence", "filters"])
        #expect(both.status == 1)
        #expect(both.output.contains(": revoked"), "\(both.transcript)")
        #expect(
            both.flat.contains("1 recorded reply of CRLite filters in `--evidence` is not used"))
    }

    @Test("a file that is no reply is refused")
    func damaged() throws {
        let workshop = try Self.workshop()
        try Filters.write(Array("{}".utf8), "saved/x.filter-reply", workshop)
        let run = try workshop.run(["explain"] + Self.question + ["--evidence", "saved"])
        #expect(run.status == 2)
        #expect(
            run.error.contains("`saved/x.filter-reply` is not a reply of CRLite filters: "),
            "\(run.transcript)")
    }

    // MARK: Receipts

    private static let whole = DecisionReceipt.InputDetail.selfContained(atMost: 1 << 20)

    /// A decision by the filters of a workshop, as a service makes it: they are the engine's.
    private static func decision(_ workshop: Workshop) throws -> Decision {
        #expect(try workshop.run("compile", "unit", "-o", "policy.table").status == 0)
        var engine = try EngineLoader.load(
            tableFile: workshop.folder.appending(path: "policy.table").path)
        engine.filters = SuppliedFilters(
            CRLiteFolder(workshop.folder.appending(path: "filters").path))
        let request = TrustRequest(
            host: Filters.host, port: 443,
            presentedChain: [Filters.plain.der, Workshop.issuing.der], time: Scenario.judgedAt,
            tls: .observed(TLSParameters(version: .tls13, group: "x25519")))
        return PolicySnapshot(engine).judge(request)
    }

    private static func replay(
        _ workshop: Workshop, _ receipt: String, _ more: [String] = []
    ) throws -> CommandRun {
        try workshop.write("receipts.ndjson", receipt + "\n")
        return try workshop.run(
            ["explain", "--receipt", "receipts.ndjson", "--policy", "unit"] + more)
    }

    @Test(
        "a receipt replays without the filters to the same verdict and trace",
        arguments: [false, true])
    func receipt(isRevoked: Bool) throws {
        let workshop = try Self.workshop(isRevoked: isRevoked)
        let receipt = DecisionReceipt(try Self.decision(workshop), inputs: Self.whole)
        #expect(receipt.isAccept == !isRevoked)
        #expect(receipt.evidence?.map(\.kind) == [.filterReply])
        #expect(try DecisionReceipt(json: Array(receipt.json.utf8)) == receipt)
        let schema = try JSONSchema(text: workshop.run("schema", "receipt").output)
        #expect(schema.violations(of: try JSONDocument(text: receipt.json)) == [])
        // With the filters at hand, the reply is compared with theirs.
        let same = try Self.replay(workshop, receipt.json, ["--evidence", "filters"])
        #expect(
            same.flat.contains("the filters of `--evidence` give the same"), "\(same.transcript)")
        try Self.removeFilters(workshop)
        let run = try Self.replay(workshop, receipt.json)
        #expect(run.output.hasPrefix("replays to the same verdict and trace\n"))
        #expect(run.status == (isRevoked ? 1 : 0))
        try expectGolden("receipt-filter-reply-\(isRevoked ? "revoked" : "good")", run)
    }

    @Test("filters that reply otherwise now are named, and change no replay")
    func otherwise() throws {
        let workshop = try Self.workshop()
        let receipt = DecisionReceipt(try Self.decision(workshop), inputs: Self.whole)
        try Self.replaceFilters(workshop, isRevoked: true)
        let run = try Self.replay(workshop, receipt.json, ["--evidence", "filters"])
        #expect(run.status == 0)
        try expectGolden("receipt-filter-reply-otherwise", run)
    }

    @Test("a receipt of digests replays with the saved reply or with the filters of that day")
    func digests() throws {
        let workshop = try Self.workshop()
        let receipt = DecisionReceipt(try Self.decision(workshop)).json
        let chain = ["--chain", "chain.pem"]
        let same = "replays to the same verdict and trace\n"
        let asked = try Self.replay(
            workshop, receipt, chain + ["--evidence", "filters", "--save-evidence", "saved"])
        #expect(asked.output.hasPrefix(same), "\(asked.transcript)")
        try Self.replaceFilters(workshop, isRevoked: false)
        let others = try Self.replay(workshop, receipt, chain + ["--evidence", "filters"])
        #expect(others.status == 2)
        #expect(others.error.contains("evidence 1 (filter-reply) is `sha256:"), "\(others.error)")
        let saved = try Self.replay(workshop, receipt, chain + ["--evidence", "saved"])
        #expect(saved.output.hasPrefix(same), "\(saved.transcript)")
        let missing = try Self.replay(workshop, receipt, chain)
        #expect(missing.status == 2)
        #expect(
            missing.error.contains(
                "evidence 1 (filter-reply) was not given, the receipt has `sha256:"),
            "\(missing.error)")
    }

    @Test("a changed reply is refused, or the trace differs")
    func tampered() throws {
        let workshop = try Self.workshop(isRevoked: true)
        var receipt = DecisionReceipt(try Self.decision(workshop), inputs: Self.whole)
        #expect(!receipt.isAccept)
        let octets = try #require(receipt.inputs?.evidence[0])
        let changed = Array(
            String(decoding: octets, as: UTF8.self)
                .replacing(#""status":"revoked""#, with: #""status":"good""#).utf8)
        #expect(changed != octets)
        receipt.inputs?.evidence[0] = changed
        let refused = try Self.replay(workshop, receipt.json)
        #expect(refused.status == 2)
        // Whoever writes the digest anew too gets an answer that is not the receipt's.
        receipt.evidence?[0].digest = EngineLoader.digests.digest(.sha256, of: changed.span)
        let replayed = try Self.replay(workshop, receipt.json)
        #expect(replayed.status == 1)
        #expect(replayed.output.hasPrefix("does not replay: verdict `reject` in the receipt"))
        #expect(replayed.flat.contains("it is not signed"), "\(replayed.output)")
        // The same reply in another spelling has another digest than the one that is compared.
        receipt.inputs?.evidence[0] = octets + [0x20]
        receipt.evidence?[0].digest = EngineLoader.digests.digest(
            .sha256, of: (octets + [0x20]).span)
        #expect(try Self.replay(workshop, receipt.json).status == 2)
    }

    @Test(
        "a decision is explained by the replies that it was made by, whatever the filters are now")
    func explainedLater() throws {
        let workshop = try Self.workshop()
        let decision = try Self.decision(workshop)
        #expect(decision.isAccept)
        try Self.replaceFilters(workshop, isRevoked: true)
        #expect(decision.explain().verdict == decision.verdict)
        #expect(DecisionReceipt(decision).isAccept)
        #expect(try !Self.decision(workshop).isAccept)
    }

    // MARK: Cases

    @Test("a captured case passes without the filters")
    func capture() throws {
        let workshop = try Self.workshop()
        let run = try workshop.run(
            ["capture"] + Self.question
                + ["--tls-version", "tls1.3", "--evidence", "filters", "-o", "unit/cases/seen"])
        try #require(run.status == 0, "\(run.transcript)")
        let request = try Self.text(workshop, "unit/cases/seen/request.yaml")
        try expectGolden(
            "capture-filter-reply", transcript: run.transcript + "--- request.yaml\n" + request)
        try Self.removeFilters(workshop)
        try workshop.write("unit/policy.test.yaml", "hawser-test: 1\nfolders: [cases]\n")
        let tested = try workshop.run("test", "unit")
        #expect(tested.status == 0, "\(tested.transcript)")
        #expect(tested.output.hasSuffix("1 case, 0 failed, 1 file\n"))
        // The policy that was captured under, and one that wants a newer filter.
        let policy = try Self.text(workshop, "unit/policy.yaml")
        try workshop.write(
            "unit/policy.yaml",
            policy.replacing("{ grace: 10d }", with: "{ grace: 10d, maximum-age: 1h }"))
        let strict = try workshop.run("test", "unit")
        #expect(strict.status == 1)
        #expect(strict.output.contains("revocation-undetermined"), "\(strict.transcript)")
    }

    @Test("a receipt with a reply is a case of a test")
    func receiptCase() throws {
        let workshop = try Self.workshop()
        let receipt = DecisionReceipt(try Self.decision(workshop), inputs: Self.whole)
        try Self.removeFilters(workshop)
        try workshop.write("unit/receipts.ndjson", receipt.json + "\n")
        try workshop.write(
            "unit/policy.test.yaml",
            """
            hawser-test: 1
            cases:
              seen:
                receipt: receipts.ndjson:1
                expect: { verdict: accept }

            """)
        let run = try workshop.run("test", "unit")
        #expect(run.status == 0, "\(run.transcript)")
    }

    // MARK: Audits

    @Test("rows and receipts of an audit have the verdict of then, and what is revoked now")
    func audit() throws {
        let workshop = try Self.workshop()
        let row =
            #"{"host":"\#(Filters.host)","time":"2026-06-01T00:00:00Z","tls":{"version":"tls1.3"},"#
            + #""chain":["\#(Data(Filters.plain.der).base64EncodedString())","#
            + #""\#(Data(Workshop.issuing.der).base64EncodedString())"]"#
        try workshop.write("rows.ndjson", row + "}\n")
        let first = try workshop.run(
            "audit", "rows.ndjson", "--policy", "unit", "--evidence", "filters", "--receipts",
            "receipts.ndjson")
        #expect(first.output.contains(#""verdict":"accept""#), "\(first.transcript)")
        try Self.replaceFilters(workshop, isRevoked: true)
        let again = try workshop.run("audit", "receipts.ndjson", "--policy", "unit")
        #expect(again.output.contains(#""verdict":"accept""#), "\(again.transcript)")
        let now = try workshop.run(
            "audit", "receipts.ndjson", "--policy", "unit", "--evidence", "filters")
        #expect(now.output.contains(#""id":"revoked""#), "\(now.transcript)")
        // Another filter of now, which knows nothing of the revocation, leaves the answer of then.
        try Self.replaceFilters(workshop, isRevoked: false, until: .at("2026-05-11"))
        let old = try workshop.run(
            "audit", "receipts.ndjson", "--policy", "unit", "--evidence", "filters")
        #expect(old.output.contains(#""verdict":"accept""#), "\(old.transcript)")
        // The reply as a member of a row.
        let receipt = try DecisionReceipt(
            json: Array(Self.text(workshop, "receipts.ndjson").utf8))
        let reply = try #require(receipt.inputs?.evidence[0])
        let told = row + #","filterReplies":["\#(Data(reply).base64EncodedString())"]}"#
        let schema = try JSONSchema(text: workshop.run("schema", "audit-row").output)
        #expect(schema.violations(of: try JSONDocument(text: told)) == [])
        try workshop.write("rows.ndjson", told + "\n")
        let stated = try workshop.run("audit", "rows.ndjson", "--policy", "unit")
        #expect(stated.output.contains(#""verdict":"accept""#), "\(stated.transcript)")
        try workshop.write("rows.ndjson", row + #","filterReplies":["e30="]}"# + "\n")
        let damaged = try workshop.run("audit", "rows.ndjson", "--policy", "unit")
        #expect(
            damaged.output.contains("is not a reply of CRLite filters"), "\(damaged.transcript)")
    }

    @Test("a folder of replies counts for every row")
    func auditFolder() throws {
        let workshop = try Self.workshop()
        _ = try workshop.run(
            ["explain"] + Self.question + ["--evidence", "filters", "--save-evidence", "saved"])
        try Self.removeFilters(workshop)
        try workshop.write(
            "rows.ndjson",
            #"{"host":"\#(Filters.host)","time":"2026-06-01T00:00:00Z","tls":{"version":"tls1.3"},"#
                + #""chain":["\#(Data(Filters.plain.der).base64EncodedString())","#
                + #""\#(Data(Workshop.issuing.der).base64EncodedString())"]}"# + "\n")
        let run = try workshop.run(
            "audit", "rows.ndjson", "--policy", "unit", "--evidence", "saved")
        #expect(run.output.contains(#""verdict":"accept""#), "\(run.transcript)")
        #expect(run.error.contains("it is not signed"), "\(run.transcript)")
    }
}

extension CommandRun {
    /// Standard output on one line, however wide the terminal is.
    fileprivate var flat: String {
        output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    }
}
