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
            RunCommand.self, PinCommand.self, ImportCommand.self, ExportCommand.self,
            ServeCommand.self, LspCommand.self, SchemaCommand.self, CompletionsCommand.self,
            ManCommand.self,
            VersionCommand.self,
        ])

    /// Parses and runs a command line.
    ///
    /// - Parameter arguments: as `FastPath.plain` returns them.
    static func run(_ arguments: [String]) -> ExitStatus {
        if let word = arguments.first, let question = suggestion(for: word) {
            Report.progress("error: hawser has no command `\(word)`\(question)")
            Report.progress("  `hawser --help` lists the commands")
            return .couldNotAsk
        }
        do {
            var command = try parseAsRoot(arguments)
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
