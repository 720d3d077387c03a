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
            1 where `--require` is not met; 2 where the two could not be compared. \
            `grammar/diff.md` says what stricter means, field by field.
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
        let sides = try DiffSides(old: old, new: new, base: base)
        let diff: PolicyDiff
        do throws(NotCompared) {
            diff = try PolicyDiffer.compare(
                sides.old.table, sides.new.table, names: (sides.old.name, sides.new.name),
                since: since, crypto: EngineLoader.crypto)
        } catch {
            throw CommandFailure(
                status: error.isOurs ? .ownFault : .couldNotAsk,
                message: "not compared: \(error.context)")
        }
        try Report.print(
            DiffText(diff, colour: Report.colour(colour), isSummary: summary).render())
        return status(of: diff)
    }

    private func status(of diff: PolicyDiff) -> ExitStatus {
        if let require, !require.isMet(by: diff.relation) { return .findings }
        guard detailedExitCode else { return .clean }
        switch diff.relation {
        case .equal: return .clean
        case .stricter: return .stricter
        case .weaker: return .weaker
        case .incomparable: return .incomparable
        }
    }
}

/// The value of `diff --require`.
enum DiffRequirement: String, ExpressibleByArgument, CaseIterable {
    /// Nothing may be accepted anywhere that was not accepted before.
    case noWeaker = "no-weaker"
    /// No host may be decided otherwise.
    case equal

    func isMet(by relation: Relation) -> Bool {
        switch self {
        case .noWeaker: return relation.isNoWeaker
        case .equal: return relation == .equal
        }
    }
}

/// The two policies that `diff` compares.
struct DiffSides {
    /// A policy with the name that the user gave it.
    struct Side {
        let name: String
        let table: PolicyTable
    }

    let old: Side
    let new: Side

    init(old: String?, new: String?, base: String?) throws(CommandFailure) {
        guard let old else { throw .couldNotAsk("not compared: give OLD and NEW") }
        self.old = try DiffSides.side(old)
        self.new = try DiffSides.side(new ?? ".")
    }

    private static func side(_ name: String) throws(CommandFailure) -> Side {
        if name == "none" { return Side(name: name, table: PolicySource.tableOfNone()) }
        do throws(CommandFailure) {
            if EngineLoader.isTable(name) {
                return Side(
                    name: name, table: try PolicySource.open(name, trustedKeys: nil).table)
            }
            return Side(name: name, table: try PolicySource.table(at: name))
        } catch {
            throw CommandFailure(status: error.status, message: "not compared: \(error.message)")
        }
    }
}
