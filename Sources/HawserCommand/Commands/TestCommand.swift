import ArgumentParser
import Hawser
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// `hawser test`: runs the tests beside policies.
struct TestCommand: Answering {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run the tests beside a policy: what it must say of hosts and chains.",
        discussion: """
            A test file, NAME.test.yaml, holds cases: a host, or a chain, and what is expected: the \
            rule, the pattern, any field that `show` prints, the verdict, its violations. A case that \
            fails is shown with what was expected and what came out, each with its place. \
            `grammar/test.md` describes the files.

            Exit status: 0 where every case passed; 1 where one failed; 2 where a test file has a \
            mistake, the policy does not compile, or nothing was named that could be run; 3 for a fault \
            of hawser.
            """)

    @Argument(
        help: "Test files, units, or folders above several units; by default the current folder.",
        completion: .file())
    var paths: [String] = []

    @Option(
        help: ArgumentHelp(
            "Run the cases whose names match: `*` stands for any characters, `?` for one.",
            valueName: "glob"),
        completion: .custom(PolicyWords.cases))
    var run: String?

    @Option(help: "The most cases that are asked at once; by default the processors.")
    var jobs: Int?

    @Option(
        help: "The clock of cases that have none, as 2026-11-21 or 2026-11-21T12:00:00Z.")
    var at: String?

    @Flag(
        help: """
            Write what came out into the test files in place of what was expected. Nothing else in \
            them changes.
            """)
    var update = false

    @Option(help: "How the report is written: text, json, junit or markdown.")
    var format: TestFormat = .text

    @Option(
        help: ArgumentHelp(
            "A format and a file to write besides, as in junit=report.xml; may be repeated.",
            valueName: "format=file"),
        completion: .list(TestFormat.allCases.map { "\($0.rawValue)=" }))
    var output: [String] = []

    @Option(
        name: .customLong("color"),
        help: "Colours: auto, always or never. NO_COLOR turns auto off.")
    var colour: Report.ColourChoice = .auto

    func answer() throws(CommandFailure) -> ExitStatus {
        let files = try FormatFiles<TestFormat>(output)
        let workers = ThreadWorkers(count: try threads())
        // What is written is read again, and judged as by every other run.
        if update { try rewrite(on: workers) }
        var report = TestReport()
        var asked = 0
        for unit in try TestRun(paths: paths).units {
            let (tester, outcomes) = try outcomes(of: unit, on: workers)
            asked += outcomes.count
            report.add(tester, outcomes, below: unit.shown, line: ShellWords.line)
        }
        if let run, asked == 0, report.broken == 0 {
            throw .couldNotAsk("no case is named `\(run)`, so nothing was run")
        }
        let failure = files.write { $0.render(report) }
        try Report.print(format.render(report, colour: Report.colour(colour)))
        if let failure { throw failure }
        return try status(of: report)
    }

    private func status(of report: TestReport) throws(CommandFailure) -> ExitStatus {
        if let name = report.disagreements.first {
            throw .ownFault(
                "`evaluate` and `explain` do not agree on the case `\(name)`")
        }
        if report.broken > 0 { return .couldNotAsk }
        return report.failed > 0 ? .findings : .clean
    }

    private func threads() throws(CommandFailure) -> Int {
        guard let jobs else { return StandardStreams.processors }
        guard (1...1_024).contains(jobs) else {
            throw .couldNotAsk("`--jobs` takes 1 to 1024, not \(jobs)")
        }
        return jobs
    }

    // MARK: One unit

    private func outcomes(
        of unit: TestRun.Unit, on workers: ThreadWorkers
    ) throws(CommandFailure) -> (PolicyTester, [TestOutcome]) {
        let table = try PolicySource.table(of: PolicySource.compile(unit.unit))
        let time = try at.map { text throws(CommandFailure) in try AskedInstant.read(text) }
        var tester = PolicyTester(
            table, suites: try TestRun.suites(of: unit), resources: unit.unit.resources,
            below: unit.shown, at: time, receipts: TestReceipts.read, crypto: EngineLoader.crypto)
        TestCommand.tell(tester, below: unit.shown)
        if let run { tester.select(TestGlob(run)) }
        return (tester, tester.run(on: workers))
    }

    /// Reports the diagnostics of test files on standard error.
    private static func tell(_ tester: PolicyTester, below folder: String) {
        for file in tester.files where !file.diagnostics.isEmpty {
            let files = file.suite.files.map {
                folder.isEmpty ? $0 : SourceFile($0, path: "\(folder)/\($0.path)")
            }
            StandardStreams.write(
                DiagnosticText(files: files, colour: .plain).render(file.diagnostics), to: .error)
        }
    }

    // MARK: Update

    /// Writes what came out into the test files.
    private func rewrite(on workers: ThreadWorkers) throws(CommandFailure) {
        for unit in try TestRun(paths: paths).units {
            let (tester, outcomes) = try outcomes(of: unit, on: workers)
            var rest = outcomes[...]
            for file in tester.files {
                let own = rest.prefix(file.cases.count)
                rest = rest.dropFirst(file.cases.count)
                let result = TestUpdate.update(file, own)
                for new in result.files {
                    do throws(OutputFile.Problem) {
                        try OutputFile.replace("\(unit.root)/\(new.path)", with: new.bytes)
                    } catch {
                        throw .couldNotAsk(error.context)
                    }
                }
                for line in result.rewritten { Report.progress("wrote \(line)") }
                for line in result.left { Report.progress(line) }
            }
        }
    }
}

extension TestFormat: ExpressibleByArgument {}
