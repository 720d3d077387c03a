import Hawser
import PolicyTools
import Rendering

extension ToldDiff: OfferedAnswer {
    static var example: String { "markdown=comment.md" }
}

/// Writes what `diff` has to say, or that it has nothing to say, in every format that was asked
/// for.
struct DiffOutput {
    private let output: AnswerOutput<ToldDiff>
    private let isSummary: Bool

    init(_ formats: AnswerOptions<ToldDiff>, isSummary: Bool) throws(CommandFailure) {
        output = try AnswerOutput(formats)
        self.isSummary = isSummary
    }

    /// Writes the report.
    func write(_ report: DiffReport) throws(CommandFailure) {
        try output.write(answer(report))
    }

    /// Writes that nothing was compared, and why, and returns the failure for standard error.
    func failed(_ failure: CommandFailure, _ report: DiffReport) -> CommandFailure {
        output.failed(failure, answer(report))
    }

    private func answer(_ report: DiffReport) -> ToldDiff {
        let columns =
            StandardStreams.isTerminal(.output)
            ? Report.pageSize().columns : Report.askedColumns ?? DiffOutput.columns
        return ToldDiff(
            report, isSummary: isSummary, columns: max(DiffOutput.leastColumns, columns))
    }

    /// The columns of files and pipes where `COLUMNS` says nothing. A comparison is read on a
    /// screen in the end.
    private static let columns = 80
    /// Narrower lines would break most names of hosts.
    private static let leastColumns = 40
}

/// What a report names: the unit, and the command line.
struct DiffNames {
    /// The arguments that name the same two policies again. With `--base` OLD is not among them.
    private let words: [String]
    private let old: String
    private let new: String

    /// - Parameters:
    ///   - old: the old policy, where it is known and there is one.
    ///   - new: the new policy, where it is known.
    ///   - asked: OLD, NEW and `--base` as they were given.
    ///   - at: the instant from which on the policies were compared.
    init(
        old: String?, new: String?, asked: (old: String?, new: String?, base: String?), at: String?
    ) {
        let given = asked.base == nil ? asked.new : asked.new ?? asked.old
        let later = new ?? given ?? "."
        self.new = later
        self.old = old ?? (asked.base == nil ? asked.old ?? "git:HEAD" : "git:\(asked.base ?? "")")
        let base = old == nil ? asked.base : nil
        let sides = base.map { ["--base", $0, later] } ?? [self.old, self.new]
        words = sides + (at.map { ["--at", $0] } ?? [])
    }

    /// The unit by its path, whatever the revision: a program finds the comment of an earlier run
    /// by it. A new policy that is `none` has the name of the old one.
    var unit: String {
        let name = new == DiffSides.none ? old : new
        let path = DiffNames.path(of: name) ?? ""
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)
        while parts.first == "." { parts.removeFirst() }
        while let last = parts.last, last.isEmpty || last == ".", parts.count > 1 {
            parts.removeLast()
        }
        let text = parts.joined(separator: "/")
        return text.isEmpty ? "." : text
    }

    /// The path that an argument names; for a revision, the text after it. Nil for `none`, and for
    /// a revision without a path.
    private static func path(of name: String) -> String? {
        if name == DiffSides.none { return nil }
        guard PolicyRevision.isOne(name) else { return name }
        return (try? PolicyRevision.parse(name))?.path
    }

    /// The command line that compares the same again, as of the same instant.
    var command: String {
        ShellWords.line(["hawser", "diff"] + words)
    }
}
