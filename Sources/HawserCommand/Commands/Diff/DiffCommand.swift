import ArgumentParser
import Hawser
import PolicyTools
import Rendering
import TrustEngine

/// `hawser diff`: what a change of policy does, host by host and day by day.
struct DiffCommand: FormattedCommand {
    typealias Answer = ToldDiff

    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract:
            "Say which hosts a change of policy decides otherwise, and whether any is weaker.",
        discussion: """
            OLD and NEW are each a policy file or folder, a compiled table, `git:REV[:PATH]`, \
            `git:INDEX[:PATH]` (what a commit would take), or `none`. With no argument inside a unit, \
            the last commit is compared with the files; with one, it is OLD and the files are NEW; \
            with `--base REV` OLD is where the branch left REV.

            The answer is exact: every host belongs to one class of hosts that all patterns agree on, \
            and each class is compared at every instant at which its rules change. It ends with the \
            owners, as the old policy names them, who must approve what got weaker. Exit status: 0 \
            where the two were compared; 1 where `--require` is not met or an allowance has ended or \
            is not needed; 2 where they could not be compared; 3 for a fault of hawser; 10, 11 and 12 \
            with `--detailed-exitcode`. `hawser help diff.md` prints what stricter means, field \
            by field.
            """)

    @Argument(
        help: "The policy before the change.", completion: .custom(RevisionWords.policies))
    var old: String?

    @Argument(
        help: "The policy after the change; by default the unit of the current folder.",
        completion: .custom(RevisionWords.policies))
    var new: String?

    @Option(
        help: "Compare with the commit at which the branch left this revision.",
        completion: .custom(RevisionWords.names))
    var base: String?

    @Option(
        help:
            "The first instant that is compared, as 2026-11-21 or 2026-11-21T12:00:00Z; by default now."
    )
    var at: String?

    @Option(
        help: ArgumentHelp(
            """
            With `--base`: the folder of another unit that is compared elsewhere, from the \
            repository's top; may be repeated.
            """, valueName: "unit"),
        completion: .directory)
    var apart: [String] = []

    @Option(
        help: """
            no-weaker: end with 1 if something may be accepted that was not, which holds where a class \
            is weaker or incomparable, and if a guard is weaker. equal: end with 1 if a host is decided \
            otherwise.
            """)
    var require: DiffRequirement?

    @Option(
        help: """
            A folder of chains, HOST.pem or HOST_PORT.pem, to judge under both policies; may be \
            repeated.
            """, completion: .directory)
    var chains: [String] = []

    @Option(
        help: "A file of receipts to judge under both policies; may be repeated.",
        completion: .file())
    var receipts: [String] = []

    @Option(
        name: .customLong("system-store"),
        help: """
            A file with the machine's trust store, for `--chains`, `--receipts` and \
            `--count-system-store`; by default the store of this machine.
            """, completion: .file())
    var systemStore: String?

    @Flag(
        name: .customLong("count-system-store"),
        help: """
            Count the certificates of the machine's store among the authorities that could vouch, \
            and print the store's digest.
            """)
    var countsSystemStore = false

    @Option(
        help: """
            A file of allowances, each until a day. An allowed change is shown and does not fail \
            no-weaker; an allowance that has ended or that no change needs ends with 1.
            """, completion: .file())
    var allow: String?

    @Option(
        help: """
            The team that proposes the change. The entries that it owns or claims to own are marked in \
            the list of approvers.
            """)
    var author: String?

    @Flag(
        name: .customLong("allow-base"),
        help: """
            With `--allow`: count only the allowances that stand in the files of OLD, so that a \
            change cannot allow itself.
            """)
    var allowsBase = false

    @Option(
        name: .customLong("write-allowance"),
        help: ArgumentHelp(
            """
            Add to this file the allowances that the weakenings need, each with the keys that it must have; \
            takes `--owner`, `--reason` and `--until`, too.
            """, valueName: "file"),
        completion: .file())
    var writeAllowance: String?

    @Option(
        help: ArgumentHelp(
            "With `--write-allowance`: who answers for the allowances.", valueName: "team"))
    var owner: String?

    @Option(
        help: ArgumentHelp(
            "With `--write-allowance`: why they are let through.", valueName: "text"))
    var reason: String?

    @Option(
        help: ArgumentHelp(
            "With `--write-allowance`: their last day, at most 180 days away.", valueName: "day"))
    var until: String?

    @Flag(
        name: .customLong("detailed-exitcode"),
        help: "End with 11 where a class is weaker, else 12 incomparable, else 10 stricter.")
    var detailedExitCode = false

    @OptionGroup var formats: AnswerOptions<ToldDiff>

    @Flag(help: "Count what got stricter and what decides nothing; show the rest. Only for text.")
    var summary = false

    func answer() throws(CommandFailure) -> ExitStatus {
        let output = try DiffOutput(formats, isSummary: summary)
        let run: Run
        do throws(CommandFailure) {
            run = try compared()
        } catch {
            throw output.failed(error, report(of: error))
        }
        try output.write(report(of: run))
        let diffs = run.answers.map(\.diff)
        if let writer = run.writer, let writeAllowance {
            try AllowanceOption.write(writer, for: diffs, to: writeAllowance)
        }
        let hasFindings = run.allowances.map {
            AllowanceOption.report($0, after: diffs, since: run.since)
        }
        return DiffCommand.worst(
            run.answers.map(status) + (hasFindings ?? false ? [.findings] : []))
    }

    /// What one command line asks, and the answers.
    private struct Run {
        let since: UTCInstant
        /// The allowances that count; nil if no file is given.
        let allowances: Allowances?
        let writer: AllowanceWriter?
        /// The folders of the two units, where they have one.
        let folders: (old: String?, new: String?)
        /// The first comparison of the policy that was asked for.
        let main: PolicyDiff?
        /// The gravest first.
        let answers: [DiffAnswer]
    }

    private func compared() throws(CommandFailure) -> Run {
        guard allow != nil || !allowsBase else {
            throw .couldNotAsk(
                "`--allow-base` is for `--allow`: it says which of its entries count")
        }
        let since = try AskedInstant.read(at)
        var allowances = try allow.map(AllowanceOption.read)
        let writer = try AllowanceOption.writer(
            writeAllowance, owner: owner, reason: reason, until: until, since: since)
        var recorded = RecordedRequests()
        for folder in chains { try recorded.add(chains: folder, at: since) }
        for file in receipts { try recorded.add(receipts: file) }
        let store = countsSystemStore ? try PolicySource.countedStore(systemStore) : nil
        let pairs = try DiffSides.read(old: old, new: new, base: base)
        var answers: [DiffAnswer] = []
        for sides in pairs {
            let trees = DiffCommand.trees(of: sides)
            if allowsBase, let all = allowances { allowances = try standing(all, in: trees) }
            answers += try compare(sides, trees, since, recorded, store, allowances)
        }
        return Run(
            since: since, allowances: allowances, writer: writer,
            folders: (
                pairs.lazy.compactMap(\.old.folder).first,
                pairs.lazy.compactMap(\.new.folder).first
            ), main: answers.first?.diff, answers: DiffAnswer.sorted(answers))
    }

    /// All files of two sides.
    private static func trees(of sides: DiffSides) -> Result<ComparedTrees, NotCompared> {
        do throws(NotCompared) {
            return try sides.trees()
        } catch {
            return .failure(error)
        }
    }

    /// The allowances that stand in the files of the old side.
    private func standing(
        _ allowances: Allowances, in trees: Result<ComparedTrees, NotCompared>
    ) throws(CommandFailure) -> Allowances {
        switch trees {
        case .success(let trees): return try AllowanceOption.standing(allowances, in: trees)
        case .failure(let problem): throw .notCompared("`--allow-base`: \(problem.context)")
        }
    }

    /// Compares two policies, then what lies beside them: the other units that the change touches,
    /// and the guards, of which the first answer tells.
    private func compare(
        _ main: DiffSides, _ trees: Result<ComparedTrees, NotCompared>, _ since: UTCInstant,
        _ recorded: RecordedRequests, _ store: StoreCertificates?, _ allowances: Allowances?
    ) throws(CommandFailure) -> [DiffAnswer] {
        var (pairs, gone) = ([main], [String]())
        if base != nil, case .success(let trees) = trees {
            let others = try main.others(in: trees, apart: Set(apart.map(DiffCommand.folder)))
            pairs += others.pairs
            gone = others.gone
        }
        var compared: [(diff: PolicyDiff, requests: RecordedVerdicts)] = []
        for (index, sides) in pairs.enumerated() {
            let question = DiffQuestion(
                sides.old, sides.new, since: since,
                options: DiffQuestion.Options(
                    unit: sides.unit, goneUnits: index == 0 ? gone : [], author: author,
                    store: store, allowances: allowances))
            compared.append(
                (
                    try DiffCommand.answer(question),
                    try recorded.judge(sides.old.table, sides.new.table, systemStore: systemStore)
                ))
        }
        let guards: GuardAnswer
        switch trees {
        case .success(let trees): guards = trees.guards(of: compared.map(\.diff), since: since)
        case .failure(let problem): guards = .notCompared(problem.context)
        }
        return compared.enumerated().map { index, one in
            DiffAnswer(one.diff, requests: one.requests, guards: index == 0 ? guards : nil)
        }
    }

    private static func answer(_ question: DiffQuestion) throws(CommandFailure) -> PolicyDiff {
        do throws(AnswerFailure) {
            return try question.compare(crypto: EngineLoader.makeBackend())
        } catch {
            throw .notCompared(error.context, status: error.isOurs ? .ownFault : .couldNotAsk)
        }
    }

    /// The folder of a unit as listings have it.
    private static func folder(_ path: String) -> String {
        path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }

    // MARK: Reports

    private func report(of run: Run) -> DiffReport {
        let isOne = run.answers.count { $0.diff.unit == nil } == 1
        let names = DiffNames(
            old: isOne ? run.main?.old.name : nil, new: run.main?.new.name, asked: (old, new, base),
            at: run.main?.since.description)
        let (before, after) = run.folders
        return report(
            .compared(run.answers), names,
            folders: (old: before ?? after ?? "", new: after ?? before ?? ""))
    }

    private func report(of failure: CommandFailure) -> DiffReport {
        report(
            .notCompared(failure.answerFailure),
            DiffNames(old: nil, new: nil, asked: (old, new, base), at: at),
            folders: (old: "", new: ""))
    }

    private func report(
        _ outcome: DiffReport.Outcome, _ names: DiffNames, folders: (old: String, new: String)
    ) -> DiffReport {
        DiffReport(
            outcome, unit: names.unit, command: names.command, folders: folders,
            version: HawserVersion.number)
    }

    private func status(of answer: DiffAnswer) -> ExitStatus {
        if let require, !require.isMet(by: answer) { return .findings }
        guard detailedExitCode else { return .clean }
        if answer.guardsFail { return .weaker }
        switch answer.diff.relation {
        case .equal: return .clean
        case .stricter: return .stricter
        case .weaker: return .weaker
        case .incomparable: return .incomparable
        }
    }

    /// The status of several comparisons together.
    private static func worst(_ statuses: [ExitStatus]) -> ExitStatus {
        [.findings, .weaker, .incomparable, .stricter].first(where: statuses.contains) ?? .clean
    }
}

/// The value of `diff --require`.
enum DiffRequirement: String, ExpressibleByArgument, CaseIterable {
    /// Nothing may be accepted that was not accepted before, except by allowed changes.
    case noWeaker = "no-weaker"
    /// No host may be decided otherwise.
    case equal

    func isMet(by answer: DiffAnswer) -> Bool {
        switch self {
        case .noWeaker: return !answer.guardsFail && answer.diff.isNoWeakerButForAllowed
        case .equal: return answer.diff.relation == .equal
        }
    }
}
