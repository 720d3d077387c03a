import ArgumentParser
import Hawser
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// `hawser test`: runs the tests beside policies.
struct TestCommand: FormattedCommand {
    typealias Answer = TestReport

    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract:
            "Run the tests beside a policy: the expected rules, fields and verdicts of hosts and chains.",
        discussion: """
            A test file, NAME.test.yaml, holds cases. A case is a host or a chain with the \
            expected rule, pattern, fields (as `show` prints them), verdict and violations. A case that \
            fails is shown with the expected and the actual result, each with its place. \
            `hawser help test.md` describes the files.

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
        completion: .custom(TestRun.offeredCases))
    var run: String?

    @Option(help: "The most cases that are asked at once; by default the processors.")
    var jobs: Int?

    @Option(
        help: "The clock of cases that have none, as 2026-11-21 or 2026-11-21T12:00:00Z.")
    var at: String?

    @Flag(help: "List everything in the policy that no case asks; otherwise it is counted.")
    var coverage = false

    @Option(
        name: .customLong("minimum-coverage"),
        help: ArgumentHelp(
            "End with 1 where less of a policy is covered, in percent.", valueName: "percent"))
    var minimumCoverage: String?

    @Flag(
        help: """
            Make mistakes in the policy, one at a time: a rule, pin, constraint or demand less, an \
            end later, an exception, a narrower rule, a wider pattern or another key added. Say \
            which of them no case notices.
            """)
    var mutate = false

    @Option(
        name: .customLong("most-survivors"),
        help: "With `--mutate`: end with 1 where more mistakes than this are not noticed.")
    var mostSurvivors: Int?

    @Flag(
        help: """
            Write what came out into the test files in place of what was expected, and name each \
            value by the order. Nothing else in them changes. A value that demands less is left.
            """)
    var update = false

    @Flag(
        name: .customLong("update-weaker"),
        help: "Write the values that demand less, too; may be written --update=weaker.")
    var updateWeaker = false

    @OptionGroup var output: AnswerOptions<TestReport>

    func answer() throws(CommandFailure) -> ExitStatus {
        let output = try AnswerOutput(output)
        let minimum = try measuring()
        let workers = ThreadWorkers(count: try threads())
        // The written files are read again, and judged as by every other run.
        if update || updateWeaker { try rewrite(on: workers) }
        var report = TestReport(
            listsGaps: coverage, command: command, version: HawserVersion.number)
        var asked = 0
        for unit in try TestRun(paths: paths).units {
            let (tester, outcomes) = try outcomes(of: unit, on: workers)
            asked += outcomes.count
            report.add(
                tester, outcomes, of: unit.unit.files, below: unit.shown, line: ShellWords.line)
            try measure(tester, outcomes, of: unit, on: workers, into: &report)
        }
        if let run, asked == 0, report.broken == 0 {
            throw .couldNotAsk("no case is named `\(run)`, so nothing was run")
        }
        try output.write(report)
        let isShort = tellShortfalls(of: report, minimum)
        let status = try status(of: report)
        return status == .clean && isShort ? .findings : status
    }

    /// The command that shows all of the answer.
    private var command: String {
        var words = ["hawser", "test"] + paths
        if let run { words += ["--run", run] } else { words.append("--coverage") }
        if let at { words += ["--at", at] }
        return ShellWords.line(words + (mutate ? ["--mutate"] : []))
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

    // MARK: Coverage

    /// The least share of a policy that must be covered, in tenths of a percent; nil where none is
    /// asked for.
    private func measuring() throws(CommandFailure) -> Int? {
        if run != nil, coverage || mutate || minimumCoverage != nil {
            throw .couldNotAsk(
                "`--run` leaves cases out, but coverage is counted over all cases; give one of the two"
            )
        }
        guard mutate || mostSurvivors == nil else {
            throw .couldNotAsk("`--most-survivors` is for `--mutate`")
        }
        if let mostSurvivors, mostSurvivors < 0 {
            throw .couldNotAsk("`--most-survivors` takes a number from 0, not \(mostSurvivors)")
        }
        guard let minimumCoverage else { return nil }
        let parts = minimumCoverage.split(separator: ".", omittingEmptySubsequences: false)
        let digits = parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard digits, parts.count <= 2, let whole = Int(parts[0]), whole <= 100,
            let tenth = parts.count == 2 ? Int(parts[1]) : 0, tenth < 10,
            whole * 10 + tenth <= 1_000
        else {
            throw .couldNotAsk(
                "`--minimum-coverage` takes a percentage from 0 to 100, as in `87.5`, not "
                    + "`\(minimumCoverage)`")
        }
        return whole * 10 + tenth
    }

    private func measure(
        _ tester: PolicyTester, _ outcomes: [TestOutcome], of unit: TestRun.Unit,
        on workers: ThreadWorkers, into report: inout TestReport
    ) throws(CommandFailure) {
        // Of a part of the cases nothing can be said.
        guard run == nil, !outcomes.isEmpty, !tester.files.contains(where: \.isBroken) else {
            return
        }
        try asking { () throws(AnswerFailure) in
            let mutation = mutate ? try tester.mutation(outcomes: outcomes, on: workers) : nil
            report.add(
                try PolicyCoverage(tester.table, outcomes.map(\.observation)), mutation,
                below: unit.shown)
        }
    }

    /// Reports shortfalls on standard error, and returns whether there are any.
    private func tellShortfalls(of report: TestReport, _ minimum: Int?) -> Bool {
        var isShort = false
        for measure in report.measures {
            let sentences = [
                minimum.flatMap { measure.coverage.shortfall(below: $0) },
                mostSurvivors.flatMap { measure.mutation?.excess(over: $0) },
            ].compactMap { $0 }
            for sentence in sentences {
                Report.progress(
                    measure.folder.isEmpty ? sentence : "\(measure.folder): \(sentence)")
                isShort = true
            }
        }
        return isShort
    }

    // MARK: One unit

    private func outcomes(
        of unit: TestRun.Unit, on workers: ThreadWorkers
    ) throws(CommandFailure) -> (PolicyTester, [TestOutcome]) {
        let compilation = PolicySource.compile(unit.unit)
        guard let table = compilation.table else {
            throw PolicySource.notCompiled(compilation, at: unit.shown, "no test was run")
        }
        let time = try at.map { text throws(CommandFailure) in try AskedInstant.read(text) }
        var tester = PolicyTester(
            table, suites: try TestRun.suites(of: unit), resources: unit.unit.resources,
            below: unit.shown, at: time, receipts: TestReceipts.read,
            crypto: EngineLoader.makeBackend())
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
                LintDocument.text(file.diagnostics, files: files), to: .error)
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
                let result = TestUpdate.update(
                    file, own, updateWeaker ? .all : .unlessWeaker,
                    crypto: EngineLoader.makeBackend())
                for new in result.files {
                    try OutputFile.write(new.bytes, to: "\(unit.root)/\(new.path)")
                }
                for line in result.rewritten { Report.progress("wrote \(line)") }
                for line in result.left { Report.progress(line) }
            }
        }
    }
}

extension TestReport: OfferedAnswer {
    static var example: String { "junit=report.xml" }
}
