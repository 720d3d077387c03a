import Foundation
import Hawser
import TestPKI
import Testing
import TrustEngine

/// The command that the line of a reject names, run by a shell on the machine of the service.
@Suite("the command after a reject")
struct RejectCommandTests {
    private let workshop: Workshop
    private let store: PolicyStore
    private let request = TrustRequest(
        host: "api.acme.example", port: 8_443,
        presentedChain: [Workshop.proxied.der, Workshop.otherRoot.der],
        time: Scenario.judgedAt,
        tls: .observed(TLSParameters(version: .tls13, group: "x25519")))

    init() throws {
        workshop = try Workshop()
        #expect(try workshop.run("compile", "unit", "-o", "it's a.table").status == 0)
        var configuration = PolicyStore.Configuration()
        configuration.clock = { Scenario.judgedAt }
        store = try PolicyStore(
            file: workshop.folder.appending(path: "it's a.table").path,
            configuration: configuration, watching: .onRequest)
    }

    /// Runs a command line as a person pastes it, in another folder than the service's.
    private func paste(_ command: String?) throws -> (status: Int32, output: String) {
        let command = try #require(command)
        let output = workshop.folder.appending(path: "pasted")
        try Data().write(to: output)
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = URL(filePath: "/")
        let tools = try CommandRun.executable().deletingLastPathComponent().path
        process.environment = ["PATH": "\(tools):/usr/bin:/bin", "COLUMNS": "9999"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = process.standardOutput
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, try String(contentsOf: output, encoding: .utf8))
    }

    @Test("`show` prints the rule by the table's file, whose name needs quotes")
    func show() throws {
        let error = try #require(
            RejectError(store.judge(request)))
        #expect(error.rule == "api" && error.owner == "web")
        let shown = try paste(error.command)
        #expect(shown.status == 0, "\(shown.output)")
        #expect(shown.output.contains("rule `api`") && shown.output.contains("owner"))
    }

    @Test("`show` prints it by the policy, where the store names one")
    func policy() throws {
        var configuration = store.configuration
        configuration.policyPath = workshop.folder.appending(path: "unit").path
        let named = try PolicyStore(
            table: store.snapshot.engine.table.bytes, configuration: configuration)
        let error = try #require(
            RejectError(named.judge(request)))
        #expect(error.command?.contains(" --policy ") == true)
        let shown = try paste(error.command)
        #expect(shown.status == 0 && shown.output.contains("rule `api`"), "\(shown.output)")
    }

    /// Receipts, reports and disagreements lie in one file, as one sink writes them.
    @Test("`explain` replays the receipt with the line's id, among records of all kinds")
    func receipt() throws {
        let file = workshop.folder.appending(path: "decisions.jsonl")
        var lines = ""
        for seconds in [0, 1, 2] as [Int64] {
            var request = request
            request.time = Scenario.judgedAt.advanced(bySeconds: seconds)
            let decision = store.judge(request)
            for kind in [
                DecisionRecord.report(.counted), .receipt(.selfContained(atMost: 1 << 20)),
            ] {
                lines += try #require(decision.record(kind)) + "\n"
            }
        }
        try Data(lines.utf8).write(to: file)
        var asked = request
        asked.time = Scenario.judgedAt.advanced(bySeconds: 1)
        let error = try #require(
            RejectError(store.judge(asked), receipts: file.path))
        let id = try #require(error.id)
        #expect(error.description.contains(" id=\(id) "))
        let replayed = try paste(error.command)
        // The status of a replay is the verdict's.
        #expect(replayed.status == 1, "\(replayed.output)")
        #expect(replayed.output.contains("replays to the same verdict"), "\(replayed.output)")
        #expect(replayed.output.contains("at \(asked.time)"))
        // By its line the receipt is the same.
        let byLine = try workshop.run(
            "explain", "--receipt", "decisions.jsonl:4", "--table", "it's a.table")
        #expect(byLine.status == 1 && byLine.output.contains("at \(asked.time)"))
    }

    @Test("an id that no receipt has is told")
    func unknown() throws {
        let decision = store.judge(request)
        let report = try #require(decision.record(.report(.counted)))
        try workshop.write("decisions.jsonl", report + "\n")
        let error = try #require(RejectError(decision))
        for id in ["r0123456789abcdef", try #require(error.id).text] {
            let run = try workshop.run(
                "explain", "--receipt", "decisions.jsonl:\(id)", "--table", "it's a.table")
            #expect(run.status == 2)
            #expect(run.error.contains("has no receipt with the id `\(id)`"), "\(run.error)")
        }
    }
}
