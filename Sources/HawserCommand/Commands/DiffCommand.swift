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
            and each class is compared at every instant at which its rules change. Exit status: 0; \
            1 where `--require` is not met or `--allow` has a finding; 2 where the two could not be \
            compared. `grammar/diff.md` says what stricter means, field by field.
            """)

    @Argument(help: "The policy before the change.", completion: .file())
    var old: String?

    @Argument(help: "The policy after the change; by default the unit of the current folder.")
    var new: String?

    @Option(help: "Compare with the commit at which the branch left this revision.")
    var base: String?

    @Option(
        help:
            "The first instant that is compared, as 2026-11-21 or 2026-11-21T12:00:00Z; by default now."
    )
    var at: String?

    @Option(help: "End with 1 unless the change is no-weaker or equal.")
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
            A file with the machine's trust store, for `--chains` and `--receipts`; by default the \
            store of this machine.
            """, completion: .file())
    var systemStore: String?

    @Option(
        help: """
            A file of allowances, each until a day. What it allows is shown and does not fail \
            no-weaker; an allowance that has ended or that no change needs ends with 1.
            """, completion: .file())
    var allow: String?

    @Flag(help: "Count what got stricter and what decides nothing; show the rest.")
    var summary = false

    @Flag(
        name: .customLong("detailed-exitcode"),
        help: "End with 11 where a class is weaker, else 12 incomparable, else 10 stricter.")
    var detailedExitCode = false

    @Option(
        name: .customLong("color"),
        help: "Colours: auto, always or never. NO_COLOR turns auto off.")
    var colour: Report.ColourChoice = .auto

    func answer() throws(CommandFailure) -> ExitStatus {
        let since = try AskedInstant.read(at)
        let allowances = try allow.map(AllowanceOption.read)
        let pairs = try DiffSides.read(old: old, new: new, base: base)
        var recorded = RecordedRequests()
        for folder in chains { try recorded.add(chains: folder, at: since) }
        for file in receipts { try recorded.add(receipts: file) }
        var statuses: [ExitStatus] = []
        var allowed: [AllowedDiff] = []
        for (index, sides) in pairs.enumerated() {
            if pairs.count > 1 {
                try Report.print(
                    "\(index == 0 ? "" : "\n")merge base \(index + 1) of \(pairs.count)\n")
            }
            var diff = try compare(sides, since: since)
            if !recorded.isEmpty {
                var own = recorded
                (diff.judged, diff.flips) = try own.judge(
                    sides.old.table, sides.new.table, systemStore: systemStore)
                diff.unjudged = own.unjudged
            }
            if let own = allowances?.apply(to: diff) {
                allowed.append(own)
                diff = own.diff
            }
            try Report.print(
                DiffText(diff, colour: Report.colour(colour), isSummary: summary).render())
            statuses.append(status(of: diff, allowed.last))
        }
        if let allowances, AllowanceOption.report(allowances, after: allowed, since: since) {
            statuses.append(.findings)
        }
        return DiffCommand.worst(statuses)
    }

    private func compare(
        _ sides: DiffSides, since: UTCInstant
    ) throws(CommandFailure) -> PolicyDiff {
        func side(_ side: DiffSides.Side) -> PolicyDiff.Side {
            PolicyDiff.Side(
                name: side.name, revision: side.revision, policyDigest: side.table.policyDigest)
        }
        do throws(DiffFailure) {
            var diff = try PolicyDiffer.compare(
                sides.old.table, sides.new.table, sides: (side(sides.old), side(sides.new)),
                since: since, crypto: EngineLoader.crypto)
            diff.idle += LayoutChanges.list(old: sides.old.files, new: sides.new.files)
            ChangedFiles.tell(&diff, old: sides.old.resources, new: sides.new.resources)
            return diff
        } catch {
            throw CommandFailure(
                status: error.isOurs ? .ownFault : .couldNotAsk,
                message: "not compared: \(error.context)")
        }
    }

    private func status(of diff: PolicyDiff, _ allowed: AllowedDiff?) -> ExitStatus {
        if let require, !require.isMet(by: diff.relation, allowed) { return .findings }
        guard detailedExitCode else { return .clean }
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
    /// Nothing may be accepted anywhere that was not accepted before, but for what is allowed.
    case noWeaker = "no-weaker"
    /// No host may be decided otherwise.
    case equal

    func isMet(by relation: Relation, _ allowed: AllowedDiff?) -> Bool {
        switch self {
        case .noWeaker: return relation.isNoWeaker || allowed?.isNoWeaker ?? false
        case .equal: return relation == .equal
        }
    }
}
