import ArgumentParser
import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// `hawser assert`: proves what must hold of a policy whatever is changed.
struct AssertCommand: FormattedCommand {
    typealias Answer = AssertionReport

    static let configuration = CommandConfiguration(
        commandName: "assert",
        abstract: "Prove what must hold of a policy, or show where it does not.",
        discussion: """
            Reads the files `NAME.assert.yaml` of a unit and proves each assertion for every host of \
            its patterns at every instant of its time. A folder outside any unit stands for every \
            unit below it. What does not hold is shown with a host, a port and an instant, the rule \
            that decides there, both values and their place.

            Exit status: 0 where every assertion is proved; 1 where one is refuted or stale; 2 where \
            a file cannot be read, a policy does not compile or nothing is there to be proved; 3 for \
            a fault of hawser. `hawser help assert.md` prints \
            what can be asserted.
            """)

    @Argument(
        help: """
            Units, files of assertions, or folders above several units; by default the current \
            folder.
            """,
        completion: .file())
    var paths: [String] = []

    @Option(
        name: .customLong("run"),
        help: ArgumentHelp(
            "Prove only the assertions whose names match, as in 'banking-*'; may be repeated.",
            valueName: "glob"), completion: .custom(AssertionNames.offered))
    var globs: [String] = []

    @Option(
        help: """
            The instant from which on assertions without a first instant must hold, as 2026-11-21 or \
            2026-11-21T12:00:00Z; by default now.
            """)
    var at: String?

    @OptionGroup var output: AnswerOptions<AssertionReport>

    func answer() throws(CommandFailure) -> ExitStatus {
        let output = try AnswerOutput(output)
        let report: AssertionReport
        do throws(CommandFailure) {
            report = try proved()
        } catch {
            let failure = AssertionReport(
                .notAsked(error.answerFailure),
                command: command, version: HawserVersion.number)
            throw output.failed(error, failure)
        }
        try output.write(report)
        return report.isProved ? .clean : .findings
    }

    /// The command line that asks the same again, as of the same instant.
    private var command: String { command(at: at) }

    private func command(at instant: String?) -> String {
        ShellWords.line(
            ["hawser", "assert"] + paths + globs.flatMap { ["--run", $0] }
                + (instant.map { ["--at", $0] } ?? []))
    }

    // MARK: Proving

    private func proved() throws(CommandFailure) -> AssertionReport {
        let time = try AskedInstant.read(at)
        let units = try AssertedUnit.located(paths)
        let patterns = globs.map(NameGlob.init)
        var read: [(unit: AssertedUnit, table: PolicyTable, found: [Found])] = []
        for unit in units {
            let (table, found) = try AssertCommand.read(unit)
            read.append((unit, table, found))
        }
        let names = read.flatMap(\.found).map(\.assertion.id.value)
        for pattern in patterns where !names.contains(where: pattern.matches) {
            throw .couldNotAsk(
                "`--run \(pattern.text)` names no assertion"
                    + DidYouMean.question(for: pattern.text, among: names))
        }
        var answered: [AssertionReport.Unit] = []
        for (unit, table, found) in read {
            let prover = AssertionProver(
                table, at: time, neighbours: unit.inputs.neighbours, crypto: EngineLoader.crypto)
            var results: [AssertionResult] = []
            for (file, assertion) in found
            where patterns.isEmpty || patterns.contains(where: { $0.matches(assertion.id.value) }) {
                results.append(try AssertCommand.prove(assertion, in: file, by: prover, of: unit))
            }
            guard !results.isEmpty else { continue }
            answered.append(
                AssertionReport.Unit(
                    folder: unit.shown, policyDigest: table.policyDigest, results: results,
                    files: unit.unit.files + unit.inputs.files))
        }
        return AssertionReport(
            .answered(answered, at: time), command: command(at: time.description),
            version: HawserVersion.number)
    }

    private typealias Found = (file: SourceFile, assertion: Assertion)

    /// The table and the assertions of a unit. Diagnostics go to standard error; a policy or a file
    /// with errors cannot be asked.
    private static func read(
        _ unit: AssertedUnit
    ) throws(CommandFailure) -> (table: PolicyTable, found: [Found]) {
        let compilation = PolicySource.compile(unit.unit)
        guard let policy = compilation.policy, let table = compilation.table else {
            throw PolicySource.notCompiled(
                compilation, at: unit.shown, "nothing is known of its assertions")
        }
        let (found, diagnostics, trees) = unit.inputs.read(
            of: policy, first: 0, crypto: EngineLoader.crypto)
        tell(diagnostics, unit.inputs.allFiles, trees, unit)
        if let first = diagnostics.first(where: { $0.severity == .error }) {
            let file = unit.inputs.allFiles[Int(first.primary.span.file)].path
            throw .couldNotAsk("the assertions of `\(unit.path(file))` cannot be read")
        }
        guard !found.isEmpty else {
            throw .couldNotAsk("the files of assertions of `\(unit.name)` hold no assertion")
        }
        return (table, found)
    }

    private static func prove(
        _ assertion: Assertion, in file: SourceFile, by prover: AssertionProver,
        of unit: AssertedUnit
    ) throws(CommandFailure) -> AssertionResult {
        do throws(AssertionProver.Failure) {
            return try prover.prove(assertion, in: file)
        } catch {
            switch error {
            case .unanswered(let failure):
                throw CommandFailure(
                    AnswerFailure(
                        "assertion `\(assertion.id.value)`: \(failure.context)",
                        isOurs: failure.isOurs))
            case .unreadable(let diagnostic):
                tell([diagnostic], unit.inputs.allFiles, [], unit)
                throw .couldNotAsk(
                    "the assertions of `\(unit.path(file.path))` cannot be read")
            }
        }
    }

    private static func tell(
        _ diagnostics: [Diagnostic], _ files: [SourceFile], _ trees: [SyntaxTree],
        _ unit: AssertedUnit
    ) {
        guard !diagnostics.isEmpty else { return }
        var report = FindingReport()
        report.add(diagnostics, files: files, trees: trees, below: unit.shown)
        StandardStreams.write(
            LintDocument.text(report.findings, files: report.files, colour: .plain), to: .error)
    }
}

extension AssertionReport: OfferedAnswer {
    static var example: String { "junit=assert.xml" }
}

extension AssertedUnit {
    /// The unit's folder as messages name it.
    var name: String { shown.isEmpty ? "." : shown }

    /// A file of the unit from the current folder.
    func path(_ file: String) -> String { shown.isEmpty ? file : "\(shown)/\(file)" }
}

/// The names of assertions that shells offer for `--run`, from the paths of the command line.
enum AssertionNames {
    static func offered(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        let paths = words.dropFirst(2).filter { !$0.hasPrefix("-") && NamedPath.exists($0) }
        let units =
            (try? AssertedUnit.located(Array(paths))) ?? (try? AssertedUnit.located([])) ?? []
        return PolicyWords.offered(
            units.flatMap { unit in
                unit.inputs.files.flatMap { file in
                    AssertionFile.read(
                        file, of: nil, resources: unit.unit.resources, crypto: EngineLoader.crypto
                    ).names.map(\.value)
                }
            })
    }
}
