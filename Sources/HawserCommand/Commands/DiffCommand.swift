import ArgumentParser
import Hawser
import PolicyTools
import Rendering
import TrustEngine

/// `hawser diff`: what a change of policy does, host by host and day by day.
struct DiffCommand: Answering {
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
            A file of allowances, each until a day. What it allows is shown and does not fail \
            no-weaker; an allowance that has ended or that no change needs ends with 1.
            """, completion: .file())
    var allow: String?

    @Option(
        help: """
            The team that proposes the change. What it owns or claims to own is marked in the list of \
            those who must approve.
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
            Add to this file the allowances that the weakenings need, each with what it must hold; \
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

    @OptionGroup var written: DiffOutputOptions

    func answer() throws(CommandFailure) -> ExitStatus {
        let output = try DiffOutput(written)
        let answer: Answer
        do throws(CommandFailure) {
            answer = try compared()
        } catch {
            throw output.failed(error, report(of: error))
        }
        try output.write(report(of: answer))
        if let writer = answer.writer, let writeAllowance {
            try AllowanceOption.write(writer, for: answer.diffs, to: writeAllowance)
        }
        let isIdle = answer.report()
        return DiffCommand.worst(answer.statuses(status) + (isIdle ? [.findings] : []))
    }

    /// The comparisons, and what a file of allowances made of them.
    private struct Answer {
        let since: UTCInstant
        var allowances: Allowances?
        let writer: AllowanceWriter?
        /// The folders of the two units, where they have one.
        var folders: (old: String?, new: String?) = (nil, nil)
        var diffs: [PolicyDiff] = []
        var allowed: [AllowedDiff] = []
        /// The first comparison of the policy that was asked for.
        var main: PolicyDiff?

        /// Puts the gravest of several comparisons first.
        mutating func sort() {
            let grave: [Relation] = [.weaker, .incomparable, .stricter, .equal]
            let order = diffs.indices.sorted {
                let (one, other) = (
                    grave.firstIndex(of: diffs[$0].relation) ?? 0,
                    grave.firstIndex(of: diffs[$1].relation) ?? 0
                )
                return (one, $0) < (other, $1)
            }
            let (old, lists) = (diffs, allowed)
            diffs = order.map { old[$0] }
            if !lists.isEmpty { allowed = order.map { lists[$0] } }
        }

        /// Reports the faults of the allowances; false if there are none.
        func report() -> Bool {
            allowances.map { AllowanceOption.report($0, after: allowed, since: since) } ?? false
        }

        func statuses(_ status: (PolicyDiff, AllowedDiff?) -> ExitStatus) -> [ExitStatus] {
            diffs.enumerated().map { index, diff in
                status(diff, allowed.isEmpty ? nil : allowed[index])
            }
        }
    }

    private func compared() throws(CommandFailure) -> Answer {
        guard allow != nil || !allowsBase else {
            throw .couldNotAsk(
                "`--allow-base` is for `--allow`: it says which of its entries count")
        }
        let since = try AskedInstant.read(at)
        var answer = Answer(
            since: since, allowances: try allow.map(AllowanceOption.read),
            writer: try AllowanceOption.writer(
                writeAllowance, owner: owner, reason: reason, until: until, since: since))
        var recorded = RecordedRequests()
        for folder in chains { try recorded.add(chains: folder, at: answer.since) }
        for file in receipts { try recorded.add(receipts: file) }
        let store = countsSystemStore ? try PolicySource.countedStore(systemStore) : nil
        for sides in try DiffSides.read(old: old, new: new, base: base) {
            answer.folders.old = answer.folders.old ?? sides.old.folder
            answer.folders.new = answer.folders.new ?? sides.new.folder
            try compare(sides, store, recorded, into: &answer)
        }
        answer.sort()
        return answer
    }

    /// Compares two policies, then what lies beside them: the other units that the change touches,
    /// and the guards.
    private func compare(
        _ main: DiffSides, _ store: StoreCertificates?, _ recorded: RecordedRequests,
        into answer: inout Answer
    ) throws(CommandFailure) {
        let trees: Result<ComparedTrees, NotCompared>
        do throws(NotCompared) {
            trees = try main.trees()
        } catch {
            trees = .failure(error)
        }
        if allowsBase, let all = answer.allowances {
            switch trees {
            case .success(let trees):
                answer.allowances = try AllowanceOption.standing(all, in: trees)
            case .failure(let problem):
                throw .notCompared("`--allow-base`: \(problem.context)")
            }
        }
        var (pairs, gone) = ([main], [String]())
        if base != nil, case .success(let trees) = trees {
            let others = try main.others(in: trees, apart: Set(apart.map(DiffCommand.folder)))
            pairs += others.pairs
            gone = others.gone
        }
        let first = answer.diffs.count
        for sides in pairs {
            var diff = try compare(sides, since: answer.since, store)
            diff.unit = sides.unit
            if !recorded.isEmpty {
                var own = recorded
                (diff.judged, diff.flips) = try own.judge(
                    sides.old.table, sides.new.table, systemStore: systemStore)
                diff.unjudged = own.unjudged
            }
            if let own = answer.allowances?.apply(to: diff) {
                answer.allowed.append(own)
                diff = own.diff
            }
            answer.diffs.append(diff)
        }
        answer.diffs[first].idle += gone.map {
            PolicyDiff.IdleChange(
                sentence: "the other unit `\($0)` is gone: moved or deleted, and not compared",
                location: nil)
        }
        switch trees {
        case .success(let trees):
            let guards = trees.guards(of: Array(answer.diffs[first...]), since: answer.since)
            answer.diffs[first].guards = guards
            for change in guards.changes where change.needsApproval {
                answer.diffs[first].approvals.addGuard(change)
            }
        case .failure(let problem):
            answer.diffs[first].guards = .notCompared(problem.context)
        }
        answer.main = answer.main ?? answer.diffs[first]
    }

    /// The folder of a unit as listings have it.
    private static func folder(_ path: String) -> String {
        path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }

    // MARK: Reports

    private func report(of answer: Answer) -> DiffReport {
        let first = answer.main
        let isOne = answer.diffs.count { $0.unit == nil } == 1
        let names = DiffNames(
            old: isOne ? first?.old.name : nil, new: first?.new.name, asked: (old, new, base),
            at: first?.since.description)
        let (before, after) = answer.folders
        return report(
            .compared(answer.diffs), names,
            folders: (old: before ?? after ?? "", new: after ?? before ?? ""))
    }

    private func report(of failure: CommandFailure) -> DiffReport {
        report(
            .notCompared(AnswerFailure(failure.reason, isOurs: failure.status == .ownFault)),
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

    private func compare(
        _ sides: DiffSides, since: UTCInstant, _ store: StoreCertificates?
    ) throws(CommandFailure) -> PolicyDiff {
        func side(_ side: DiffSides.Side) -> PolicyDiff.Side {
            PolicyDiff.Side(
                name: side.name, revision: side.revision, policyDigest: side.table.policyDigest)
        }
        do throws(AnswerFailure) {
            var diff = try PolicyDiffer.compare(
                sides.old.table, sides.new.table, sides: (side(sides.old), side(sides.new)),
                since: since, store: store, crypto: EngineLoader.crypto)
            diff.files = (sides.old.files, sides.new.files)
            diff.approvals.author = author
            diff.approvals.folders = Approvals.Folders(
                old: sides.old.folder ?? sides.new.folder ?? "",
                new: sides.new.folder ?? sides.old.folder ?? "")
            diff.idle += LayoutChanges.list(old: sides.old.files, new: sides.new.files)
            ChangedFiles.tell(&diff, old: sides.old.resources, new: sides.new.resources)
            return diff
        } catch {
            throw .notCompared(error.context, status: error.isOurs ? .ownFault : .couldNotAsk)
        }
    }

    private func status(of diff: PolicyDiff, _ allowed: AllowedDiff?) -> ExitStatus {
        if let require, !require.isMet(by: diff, allowed) { return .findings }
        guard detailedExitCode else { return .clean }
        if diff.guards?.fails ?? false { return .weaker }
        switch diff.relation {
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

    func isMet(by diff: PolicyDiff, _ allowed: AllowedDiff?) -> Bool {
        switch self {
        case .noWeaker:
            guard !(diff.guards?.fails ?? false) else { return false }
            return diff.relation.isNoWeaker || allowed?.isNoWeaker ?? false
        case .equal: return diff.relation == .equal
        }
    }
}
