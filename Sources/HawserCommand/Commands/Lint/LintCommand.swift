import ArgumentParser
import PolicyCompiler
import PolicyTools

/// `hawser lint`: reports what `check` reports and what the lint rules find, at a time, with the
/// certificates of the unit. `LintRun.options` has the same options for calls that need no
/// help text.
struct LintCommand: FormattedCommand {
    typealias Answer = FindingAnswer

    static let configuration = CommandConfiguration(
        commandName: "lint", abstract: "Report errors and likely mistakes in a policy.",
        discussion: """
            Reports everything that `check` reports, and likely mistakes: hosts that get \
            less than their owner meant, anchors and pins that end, exceptions past their date. A folder outside \
            any unit stands for every unit below it. No network is used.

            A comment `# hawser:ignore CODE until=DATE -- REASON` on the line of a finding, or above it, \
            hides it; `hawser rule CODE` explains a code.
            """)

    @Argument(
        help: "Policy files or folders, or -, standard input; by default the current folder.",
        completion: .file())
    var paths: [String] = []

    @OptionGroup var output: AnswerOptions<FindingAnswer>

    @Option(help: "The instant to judge at, as 2026-11-21 or 2026-11-21T12:00:00Z; by default now.")
    var at: String?

    @Option(help: "How long before its end a thing is reported; by default 90d.")
    var horizon: String?

    @Option(help: "default, strict (governance is an error) or audit (remarks, too).")
    var level: LintLevel = .default

    @Option(help: "The mildest severity that ends with 1: error, warning or info.")
    var failOn: Diagnostic.Severity = .warning

    @Option(
        help:
            "Report only these codes, separated by commas; what `check` refuses is always reported.",
        completion: .codes)
    var select: [String] = []

    @Option(help: "Do not report these codes.", completion: .codes)
    var ignore: [String] = []

    @Flag(help: "Apply the fixes that do not change what the policy means.")
    var fix = false

    @Flag(
        name: .customLong("fix-unsafe"),
        help: "Apply also the fixes that a person must check; may be written --fix=unsafe.")
    var fixAll = false

    @Flag(help: "Write nothing; show what --fix would change, and end with 1 if anything would.")
    var diff = false

    @Option(
        help: """
            Report also what the commit at which the branch left this revision refused and the \
            policy accepts (HW803).
            """, completion: .custom(RevisionWords.names))
    var base: String?

    @Option(help: "Do not report the findings that this file lists.", completion: .file())
    var baseline: String?

    @Option(
        help: "Write a file that lists the findings, for --baseline, and end with 0.",
        completion: .file())
    var writeBaseline: String?

    @Flag(help: "End with 0 whatever is found.")
    var exitZero = false

    @Option(
        name: .customLong("stdin-filename"),
        help: """
            The path of standard input, as editors give it: it is linted in place of that file, with \
            the other files of its unit.
            """)
    var inputName: String?

    func answer() throws(CommandFailure) -> ExitStatus {
        var run = LintRun()
        run.paths = paths
        run.format = output.format.named
        run.outputs = output.output
        run.colour = output.colour
        run.at = at
        run.horizon = horizon
        run.level = level
        run.failOn = failOn
        run.select = select
        run.ignore = ignore
        run.fix = fixAll ? .all : fix ? .safe : nil
        run.diff = diff
        run.base = base
        run.baseline = baseline
        run.writeBaseline = writeBaseline
        run.exitZero = exitZero
        run.inputName = inputName
        return try run.answer()
    }
}

extension FindingAnswer: OfferedAnswer {
    static var example: String { "sarif=findings.sarif" }
}

extension LintLevel: ExpressibleByArgument {}
extension Diagnostic.Severity: ExpressibleByArgument {
    /// The words, from the mildest.
    static let allValueStrings = ["info", "warning", "error"]
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension CompletionKind {
    /// The codes of the catalogue.
    static let codes = CompletionKind.list(DiagnosticCode.allCases.map(\.rawValue))
    /// What `hawser rule` explains.
    static let codesAndKeys = CompletionKind.list(
        DiagnosticCode.allCases.map(\.rawValue) + LanguageKey.paths)
}
