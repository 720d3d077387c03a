import ArgumentParser
import PolicyCompiler
import PolicyTools

/// The commands and their options, for the argument parser.
struct CommandTree: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hawser",
        abstract: "Policy as code for TLS server trust.",
        discussion: """
            `hawser help language` prints the reference of the policy language, and `hawser rule KEY` \
            the entry of one key. `hawser help diff.md` prints the page about `diff`; there are pages \
            about other commands and about files, too: `hawser help PAGE.md` names them.

            Exit status: 0 clean or accept, 1 findings or reject, 2 the question could not be asked, \
            3 a fault of hawser. `run` ends as its program does, or with 125, 126 or 127.
            """,
        version: HawserVersion.text,
        subcommands: [
            InitCommand.self, CheckCommand.self, LintCommand.self, RuleCommand.self,
            FmtCommand.self, CompileCommand.self, SignCommand.self, InspectCommand.self,
            ShowCommand.self, ExplainCommand.self, DiffCommand.self, LogCommand.self,
            TestCommand.self, AssertCommand.self, ForecastCommand.self, ReportCommand.self,
            AuditCommand.self, CaptureCommand.self, FetchCommand.self, RevocationsCommand.self,
            RunCommand.self, PinCommand.self, ImportCommand.self, ServeCommand.self,
            SchemaCommand.self, CompletionsCommand.self, ManCommand.self,
        ])

    /// Parses and runs a command line.
    static func run(_ arguments: [String]) -> ExitStatus {
        if let word = arguments.first, let question = suggestion(for: word) {
            Report.progress("error: hawser has no command `\(word)`\(question)")
            Report.progress("  `hawser --help` lists the commands")
            return .couldNotAsk
        }
        do {
            var command = try parseAsRoot(LintArguments.forParser(arguments))
            try command.run()
            return .clean
        } catch let finished as Finished {
            return finished.status
        } catch {
            let isAnswer = exitCode(for: error).isSuccess
            if isAnswer {
                StandardStreams.write(fullMessage(for: error) + "\n", to: .output)
            } else {
                ParserVoice.lines(fullMessage(for: error)).forEach(Report.progress)
            }
            let isRun = arguments.first == RunCommand.configuration.commandName
            let status = isRun ? ExitStatus.runFailed : .couldNotAsk
            if !isAnswer, isRun, !arguments.contains("--") { Report.progress(RunCommand.usage) }
            if !isAnswer { Report.document(ParserVoice.sentence(message(for: error)), status) }
            return isAnswer ? .clean : status
        }
    }
}

extension CommandTree {
    /// The suggestion for a first word that is not a command: `; did you mean …?`, or empty. Nil
    /// for a command, and for an option, which is left to the parser.
    private static func suggestion(for word: String) -> String? {
        // `help` is the parser's own command.
        let names = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        guard !word.hasPrefix("-"), !names.contains(word) else { return nil }
        return DidYouMean.question(for: word, among: names)
    }
}

/// Carries a command's exit status through the argument parser.
private struct Finished: Error {
    let status: ExitStatus
}

/// A command that ends with one of our exit statuses.
protocol Answering: ParsableCommand {
    func answer() throws(CommandFailure) -> ExitStatus
}

extension Answering {
    mutating func run() throws {
        let command = self
        throw Finished(
            status: Report.answer { () throws(CommandFailure) in try command.answer() })
    }
}

/// The value of `--format`.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

extension Report.ColourChoice: ExpressibleByArgument {}
extension DiagnosticFormat: ExpressibleByArgument {}

/// The options of every command that prints diagnostics.
struct FindingOptions: ParsableArguments {
    @Option(
        help: "How findings are written; html is a page for a browser.")
    var format: DiagnosticFormat = .text

    @Option(
        name: .customLong("color"),
        help: "Colours: auto, always or never. NO_COLOR turns auto off.")
    var colour: Report.ColourChoice = .auto
}

/// The options of every command that prints an answer.
struct OutputOptions: ParsableArguments {
    @Option(help: "How the answer is written: text or json.")
    var format: OutputFormat = .text

    @Option(
        name: .customLong("color"),
        help: "Colours: auto, always or never. NO_COLOR turns auto off.")
    var colour: Report.ColourChoice = .auto
}

/// The options of every command that asks a policy.
struct PolicyOptions: ParsableArguments {
    @Option(
        help: """
            A policy file or folder; by default what `HAWSER_POLICY` names, or the unit of the \
            current folder, or the only one below it.
            """, completion: .file())
    var policy: String?

    @Option(
        help: "A compiled table, in place of a policy; `HAWSER_TABLE` names one, too.",
        completion: .file())
    var table: String?

    @OptionGroup var trusted: TrustedKeyOptions

    /// The options as they were given, to repeat them in a proposed command.
    var words: [String] {
        (policy.map { ["--policy", $0] } ?? []) + (table.map { ["--table", $0] } ?? [])
            + trusted.words
    }
}
