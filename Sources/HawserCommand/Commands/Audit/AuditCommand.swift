import ArgumentParser
import Hawser
import PolicyTools
import Rendering
import TrustEngine

/// `hawser audit`: judges recorded connections, as many as there are.
struct AuditCommand: FormattedCommand {
    typealias Answer = AuditSummary

    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Judge recorded connections by the million: one row out for each row in.",
        discussion: """
            A row is a line of JSON: a host, a time and the chain that was presented (`hawser schema \
            audit-row`), or a decision receipt of a program. Out comes one line for each, in the order of \
            the rows (`hawser schema audit`): the verdict, the rule, the violations, a sentence, the path. \
            A row that cannot be read is a row with its error. The memory does not grow with the input.

            With `--compare OLD NEW` both policies judge, and the rows come out whose verdict flips. With \
            `--checkpoint` a run that was killed goes on where it was. `hawser help audit.md` \
            prints the page about rows, checkpoints and summaries.

            Exit status: 0 where every row got a verdict; 1 where a row is an error, `--fail-on` finds one, \
            or fewer rows were judged than `--minimum-rows`; 2 where the audit could not be made; 3 for a fault of hawser.
            """)

    @Argument(
        help: "Files of rows, one in each line; `-`, the default, is standard input.",
        completion: .file())
    var files: [String] = []

    @OptionGroup var policy: PolicyOptions

    @OptionGroup var store: SystemStoreOption

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            """
            Two policies, each as `hawser diff` takes it. The rows come out whose verdict flips, and the \
            summary groups them by the classes of hosts that `hawser diff` names.
            """, valueName: "old new"),
        completion: .custom(RevisionWords.policies))
    var compare: [String] = []

    @OptionGroup(title: "Which rows") var rows: AuditRowOptions

    @OptionGroup(title: "What the rows are judged by") var inputs: AuditInputOptions

    @OptionGroup(title: "How it runs") var running: AuditRunOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        let run = try AuditRun(self)
        let tally = try run.audit()
        return status(of: tally)
    }

    private func status(of tally: AuditTally) -> ExitStatus {
        if let shortage = rows.shortage(of: tally) {
            Report.progress(shortage)
            return .findings
        }
        if tally.errorCount > 0 { return .findings }
        for finding in rows.failOn {
            switch finding {
            case .reject where tally.verdicts.rejected > 0: return .findings
            case .changed where tally.changed > 0: return .findings
            case .reject, .changed: break
            }
        }
        return .clean
    }

    /// OLD and NEW, and the files of rows.
    func sides() throws(CommandFailure) -> (policies: (old: String, new: String)?, files: [String])
    {
        guard !compare.isEmpty else { return (nil, files) }
        guard compare.count >= 2 else {
            throw .couldNotAsk("`--compare` takes two policies, OLD and NEW")
        }
        // Files may stand behind the two policies: the option takes every word up to the next.
        return ((compare[0], compare[1]), files + compare.dropFirst(2))
    }
}

/// The rows that are judged, and those that are written.
struct AuditRowOptions: ParsableArguments {
    @Option(help: "The rows to write, besides those with errors: reject or changed.")
    var only: AuditFinding?

    @Option(
        help: ArgumentHelp(
            """
            The part of the rows to judge, as in 1/100, chosen by a hash of each row: the same rows each \
            time.
            """, valueName: "part"))
    var sample: String?

    @Option(
        name: .customLong("fail-on"),
        help: "End with 1 where a verdict is reject, or is changed; may be repeated.")
    var failOn: [AuditFinding] = []

    @Option(
        name: .customLong("minimum-rows"),
        help: ArgumentHelp(
            """
            End with 1 where fewer rows got a verdict. Error rows and rows outside `--sample` do not count.
            """, valueName: "rows"))
    var minimum: Int?

    @Option(
        name: .customLong("longest-row"),
        help: "The most octets of a row; a longer one is an error row.")
    var longest = 1_048_576

    /// The most that may be allowed: every thread holds rows.
    private static let most = 16 << 20

    /// Refuses values that cannot be.
    func check() throws(CommandFailure) {
        guard (1_024...AuditRowOptions.most).contains(longest) else {
            throw .couldNotAsk(
                "`--longest-row` takes 1024 to \(AuditRowOptions.most) octets, not \(longest)")
        }
        if let minimum, minimum < 1 {
            throw .couldNotAsk("`--minimum-rows` takes a number from 1, not \(minimum)")
        }
    }

    /// A sentence where fewer rows got a verdict than `--minimum-rows` demands; otherwise nil.
    func shortage(of tally: AuditTally) -> String? {
        let judged = tally.verdicts.accepted + tally.verdicts.rejected
        guard let minimum, judged < minimum else { return nil }
        return
            "\(judged) \(judged == 1 ? "row" : "rows") got a verdict, and `--minimum-rows` demands \(minimum): "
            + "see whether the input is whole"
    }
}

/// A value of `--only` and `--fail-on`.
enum AuditFinding: String, ExpressibleByArgument, CaseIterable {
    /// The verdict is a reject.
    case reject
    /// The verdict is another than the row's earlier one, or than the old policy's.
    case changed
}

/// What rows are judged by besides the policy.
struct AuditInputOptions: ParsableArguments {
    @Option(
        help: """
            A file with certificates, PEM or DER, that rows name by their digests; may be repeated.
            """, completion: .file())
    var certificates: [String] = []

    @Option(
        help: """
            Evidence for every row: a folder as `hawser fetch` fills it, or a set of `hawser \
            revocations`; may be repeated.
            """, completion: .file())
    var evidence: [String] = []

    @Option(help: "The time of rows that have none, as 2026-11-21 or 2026-11-21T12:00:00Z.")
    var at: String?

    @Option(
        help: "NAME=pass or NAME=fail for each check that programs register; may be repeated.")
    var assume: [String] = []

    @Option(
        name: .customLong("log-list"),
        help: "A log_list.json, version 3, of a later day than the policy's own.",
        completion: .file(extensions: ["json"]))
    var logList: String?
}

/// How an audit runs, and where it writes.
struct AuditRunOptions: ParsableArguments {
    @OptionGroup var answers: AnswerOptions<AuditSummary>

    @Option(
        help: """
            A file to write a receipt of each written row to, which `hawser explain --receipt` replays.
            """, completion: .file())
    var receipts: String?

    @Option(help: "A file to write the summary to, as JSON.", completion: .file())
    var summary: String?

    @Option(
        help: """
            A file that keeps how far the run came. The same command goes on from there; the rows come \
            from files and go to `--output`.
            """, completion: .file())
    var checkpoint: String?

    @Option(help: "The threads that judge; by default the processors.")
    var jobs: Int?

    @Option(
        help: """
            How standard error is told how far it is: bar, json, none, or auto, a bar on a terminal and \
            JSON otherwise.
            """)
    var progress: AuditProgress.Kind = .auto

    /// The values of `--output`: files for the rows, and files for the summary in a format.
    private func split() throws(CommandFailure) -> (rows: String?, summaries: [String]) {
        let rows = AuditSummary.usual.name + "="
        var found: (rows: String?, summaries: [String]) = (nil, [])
        for word in answers.output {
            let format = word.split(separator: "=", omittingEmptySubsequences: false).first
            let path = word.hasPrefix(rows) ? String(word.dropFirst(rows.count)) : word
            guard path == word, word.contains("="), NamedFormat(String(format ?? "")) != nil else {
                if let other = found.rows {
                    throw .couldNotAsk(
                        "`--output` names two files for the rows, `\(other)` and `\(path)`")
                }
                found.rows = path
                continue
            }
            found.summaries.append(word)
        }
        return found
    }

    /// The file of the rows; nil for standard output.
    func rowsFile() throws(CommandFailure) -> String? { try split().rows }

    /// Where the summary is written.
    func summaries() throws(CommandFailure) -> AnswerOutput<AuditSummary> {
        try AnswerOutput(answers.format.named, split().summaries, colour: answers.colour)
    }

    /// The threads that judge.
    func threads() throws(CommandFailure) -> Int {
        guard let jobs else { return StandardStreams.processors }
        guard (1...1_024).contains(jobs) else {
            throw .couldNotAsk("`--jobs` takes 1 to 1024, not \(jobs)")
        }
        return jobs
    }
}

extension AuditProgress.Kind: ExpressibleByArgument {}

/// The rows are written while they are judged; the answer that has writers is the summary.
extension AuditSummary: OfferedAnswer {
    static var usual: NamedFormat { .domain(.jsonl) }
    static var formats: [NamedFormat] { [usual] + writers.formats }
    static var formatNote: String? { "jsonl has the rows, text and json have the summary" }
    static var example: String { "text=summary.txt" }
    static var plainFile: String? { "The file to write the rows to; by default standard output" }

    /// The rows are written already.
    func write(_ format: NamedFormat, to path: String?) -> Bool { format == AuditSummary.usual }
}
