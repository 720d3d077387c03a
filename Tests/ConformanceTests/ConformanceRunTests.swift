import ConformanceCases
import Foundation
import TestPKI
import Testing

/// The command: exit codes, the ratchet of known divergences, its output and its files.
@Suite struct ConformanceRunTests {
    /// Runs a command line over a folder with three vectors: one that is accepted, one that is
    /// rejected and one that diverges.
    private func run(
        _ words: [String], expectations: String = "{}", _ change: (Folder) throws -> Void = { _ in }
    ) throws -> RunOutcome {
        let folder = try Folder()
        defer { folder.remove() }
        let good = VectorPKI().vector
        let lines = [
            good.with { $0.id = "minted::accept" },
            good.with {
                $0.id = "minted::reject"
                $0.trusted = []
                $0.expected = "FAILURE"
            },
            good.with {
                $0.id = "minted::diverges"
                $0.expected = "FAILURE"
                $0.reason = "the source's own\u{1B}[31m word"
                $0.suite = "other"
            },
        ]
        try folder.write("cases/all.ndjson", lines.map { $0.escapedLine + "\n" }.joined())
        try folder.write("expectations.json", expectations)
        try change(folder)
        return RunOutcome(words, in: folder)
    }

    private func entry(_ id: String, _ divergence: String) -> String {
        "{\"\(id)\":{\"divergence\":\"\(divergence)\",\"reason\":\"The source asks for more.\"}}"
    }

    @Test("a divergence without an entry fails, and both reasons are shown")
    func unlisted() throws {
        let outcome = try run(["FOLDER/cases"])
        #expect(outcome.status == .notAsExpected)
        #expect(outcome.output.contains("minted::diverges (other): false-accept"))
        #expect(outcome.output.contains("expected  FAILURE: the source's own"))
        #expect(outcome.output.contains("minted::diverges: false-accept, and no entry expects it"))
        #expect(!outcome.output.contains("\u{1B}"))
        #expect(outcome.errors.isEmpty)
    }

    @Test("an entry covers its divergence, with its reason")
    func listed() throws {
        let outcome = try run(
            ["FOLDER/cases"], expectations: entry("minted::diverges", "false-accept"))
        #expect(outcome.status == .asExpected)
        #expect(outcome.output.contains("known     The source asks for more."))
        #expect(outcome.output.contains("every divergence has its entry"))
    }

    @Test("an entry for another divergence fails")
    func otherDivergence() throws {
        let outcome = try run(
            ["FOLDER/cases"], expectations: entry("minted::diverges", "false-reject"))
        #expect(outcome.status == .notAsExpected)
        #expect(outcome.output.contains("where the entry expects false-reject"))
    }

    @Test("an entry whose case agrees fails, unless the case is not run")
    func staleEntry() throws {
        let stale = entry("minted::accept", "false-reject")
        let outcome = try run(["FOLDER/cases", "--suite", "minted"], expectations: stale)
        #expect(outcome.status == .notAsExpected)
        #expect(outcome.output.contains("agrees, where the entry expects false-reject"))
        let other = try run(["FOLDER/cases", "--id", "minted::reject"], expectations: stale)
        #expect(other.status == .asExpected)
        #expect(other.output.contains("every case agrees"))
    }

    @Test("only what is asked for runs, and nothing to run is an error")
    func filters() throws {
        let one = try run(["FOLDER/cases", "--id", "minted::accept", "--suite", "minted"])
        #expect(one.status == .asExpected)
        #expect(one.output.contains("minted  1"))
        let none = try run(["FOLDER/cases", "--id", "minted::accept", "--suite", "other"])
        #expect(none.status == .couldNotAsk)
        #expect(none.errors.contains("no case of these files is asked for"))
    }

    @Test("a trace on request")
    func explain() throws {
        let outcome = try run(["FOLDER/cases", "--explain", "--id", "minted::accept"])
        #expect(outcome.output.contains("minted::accept: SUCCESS is expected"))
        #expect(outcome.output.contains("signatures"))
    }

    /// Gives the same answer for every case.
    private final class Echo: OtherValidator {
        let report = "the echo has heard it all\n"

        func judge(
            _ vector: ConformanceCase, ours: CaseResult, clock: () -> Int
        ) throws -> OtherVerdict {
            OtherVerdict(.reject, reason: "as ever")
        }
    }

    @Test("another validator is asked when the command line says so, and written beside ours")
    func beside() throws {
        let folder = try Folder()
        defer { folder.remove() }
        try folder.write("one.ndjson", VectorPKI().vector.line)
        try folder.write("e", "{}")
        for (words, isAsked) in [([], false), (["--beside-libcrypto"], true)] as [([String], Bool)]
        {
            var output = ""
            let status = ConformanceRun.run(
                [folder.path, "--json", folder.path + "/out.json"] + words,
                expectations: folder.path + "/e", notices: "", clock: { 0 }, beside: Echo(),
                output: { output += $0 }, errors: { _ in })
            #expect(status == .asExpected)
            #expect(output.contains("the echo has heard it all") == isAsked)
            let written = try String(contentsOfFile: folder.path + "/out.json", encoding: .utf8)
            #expect(
                written.contains("\"libcrypto\":{\"reason\":\"as ever\",\"verdict\":\"reject\"}")
                    == isAsked)
        }
    }

    @Test("a case along its accepted path has the certificates of the path alone")
    func along() throws {
        let pki = VectorPKI()
        let stranger = Scenario().root("Root A", key: .p256("conformance stranger"))
        let namesake = stranger.issueCA("Issuing A", key: .p256("conformance namesake"))
        let vector = try pki.vector.with {
            $0.bag = [namesake.der] + $0.bag + [pki.root.der]
            $0.trusted = [stranger.der] + $0.trusted
        }.read()
        let alone = vector.along(CaseResult.of(vector, clock: { 0 }).path)
        #expect(alone.peer == pki.leaf.der)
        #expect(alone.bag == [pki.issuing.der])
        #expect(alone.trusted == [pki.root.der])
        #expect(CaseResult.of(alone, clock: { 0 }).verdict == .accept)
    }

    private struct Record: Decodable {
        struct Case: Decodable {
            let id: String
            let verdict: String
            let reason: String?
            let ms: Double
            let cost: Int
        }
        let cases: [Case]
    }

    @Test("every case given is written, with the keys that readers of the file know")
    func json() throws {
        var octets = Data()
        _ = try run(["FOLDER/cases", "--json", "FOLDER/out.json"]) { folder in
            // A file from before is replaced.
            try folder.write("out.json", "old")
        }
        let folder = try Folder()
        defer { folder.remove() }
        try folder.write("one.ndjson", VectorPKI().vector.with { $0.trusted = [] }.line)
        let status = ConformanceRun.run(
            [
                folder.path, "--json", folder.path + "/out.json", "--expectations",
                folder.path + "/e",
            ],
            expectations: "", notices: "", clock: { 0 }, output: { _ in }, errors: { _ in })
        #expect(status == .couldNotAsk)
        try folder.write("e", entry("minted::good", "false-reject"))
        var now = 0
        let again = ConformanceRun.run(
            [
                folder.path, "--json", folder.path + "/out.json", "--expectations",
                folder.path + "/e",
            ],
            expectations: "", notices: "",
            clock: {
                now += 1_234_567
                return now
            }, output: { _ in }, errors: { _ in })
        #expect(again == .asExpected)
        octets = try Data(contentsOf: URL(filePath: folder.path + "/out.json"))
        let record = try JSONDecoder().decode(Record.self, from: octets)
        #expect(record.cases.count == 1)
        #expect(record.cases.first?.id == "minted::good")
        #expect(record.cases.first?.verdict == "reject")
        #expect(record.cases.first?.reason == "issuer-not-found, pin-mismatch")
        #expect(record.cases.first?.ms == 1.234)
        #expect(record.cases.first.map { $0.cost > 0 } == true)
        let raw = try JSONSerialization.jsonObject(with: octets) as? [String: [[String: Any]]]
        #expect(
            raw?["cases"]?.first.map { Set($0.keys) } == ["id", "verdict", "reason", "ms", "cost"])
    }

    @Test(
        "what cannot be asked is exit 2, with the word why",
        arguments: [
            ([], "no file or folder is given"),
            (["--frobnicate"], "`--frobnicate` is no option"),
            (["FOLDER/cases", "--json"], "`--json` needs a value"),
            (["FOLDER/none"], "no such file or folder"),
            (["FOLDER/cases", "--expectations", "FOLDER/none"], "no such file"),
            (["FOLDER/cases", "--json", "FOLDER/none/out.json"], "conformance: "),
            (
                ["FOLDER/cases", "--anchors", "roots"],
                "`roots` is none of case, files, web-pki, system"
            ),
            (["FOLDER/cases", "--notices", "FOLDER/n"], "`--notices` is for `--defaults`"),
            (["FOLDER/cases", "--defaults", "--notices", "FOLDER/none"], "no such file"),
        ] as [([String], String)])
    func couldNotAsk(_ words: [String], _ complaint: String) throws {
        let outcome = try run(words, expectations: entry("minted::diverges", "false-accept"))
        #expect(outcome.status == .couldNotAsk)
        #expect(outcome.errors.contains(complaint), "\(outcome.errors)")
    }

    @Test("a malformed line is exit 2, with file and line")
    func malformed() throws {
        let outcome = try run(["FOLDER/bad.ndjson"]) { folder in
            try folder.write("bad.ndjson", "\n{}\n")
        }
        #expect(outcome.status == .couldNotAsk)
        #expect(outcome.errors.contains("bad.ndjson:2: the field `id` is missing"))
    }

    @Test("exit codes are those that are documented")
    func exitCodes() {
        #expect(ConformanceRun.Status.asExpected.rawValue == 0)
        #expect(ConformanceRun.Status.notAsExpected.rawValue == 1)
        #expect(ConformanceRun.Status.couldNotAsk.rawValue == 2)
    }

    @Test("soft cases are counted apart, and an entry needs a reason")
    func softAndReasons() throws {
        let vector = try VectorPKI().vector.with {
            $0.expected = "FAILURE"
            $0.strength = "soft"
        }.read()
        var report = RunReport(expectations: Expectations())
        report.add(CaseResult.of(vector, clock: { 0 }))
        #expect(report.text.contains("0 (+1 soft)"))
        #expect(report.surprises.count == 1)
        #expect(throws: CaseProblem.self) {
            try Expectations(
                json: Data("{\"a\":{\"divergence\":\"declined\",\"reason\":\" \"}}".utf8))
        }
        #expect(throws: CaseProblem.self) {
            try Expectations(
                json: Data("{\"a\":{\"divergence\":\"wrong\",\"reason\":\"x\"}}".utf8))
        }
    }
}

extension Vector {
    /// The line with control characters as JSON wants them.
    fileprivate var escapedLine: String { line.replacing("\u{1B}", with: "\\u001b") }
}
