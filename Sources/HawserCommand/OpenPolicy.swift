import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools

/// The policy of a command whose line leaves it open.
///
/// Commands that ask take what the environment names, and say so on standard error. Else every
/// command finds the unit as `lint` does: that of the current folder or above it, or the only one
/// below it.
enum OpenPolicy {
    /// What the environment may name, in place of `--policy` and `--table`.
    enum Variable: String, CaseIterable {
        case policy = "HAWSER_POLICY"
        case table = "HAWSER_TABLE"

        /// Its value; nil where it is not set, or empty.
        var value: String? {
            StandardStreams.environment(rawValue).flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    /// How the line of a command that asks names a policy.
    static let options = "`--policy`, `--table`, `HAWSER_POLICY` or `HAWSER_TABLE`"

    /// The variable that names a policy or a table; nil where none does.
    static func named() throws(CommandFailure) -> (variable: Variable, path: String)? {
        let set = Variable.allCases.compactMap { variable in
            variable.value.map { (variable: variable, path: $0) }
        }
        guard set.count <= 1 else {
            throw .couldNotAsk(
                "`HAWSER_POLICY` and `HAWSER_TABLE` are both set and name two policies; unset one, "
                    + "or give `--policy` or `--table`")
        }
        guard let first = set.first else { return nil }
        Report.progress("note: the policy is `\(first.path)`, by \(first.variable.rawValue)")
        return first
    }

    /// The unit of the current folder, or the only one below it.
    ///
    /// - Parameter way: how the command line names a unit, for the message that none is found.
    static func unit(namedBy way: String) throws(CommandFailure) -> PolicyUnit {
        try located(namedBy: way).unit
    }

    /// The same with its folder.
    static func located(namedBy way: String) throws(CommandFailure) -> LocatedUnit {
        let found: [LocatedUnit]
        let here: String
        do throws(UnitLoadError) {
            found = try UnitLoader.units(paths: ["."])
        } catch {
            throw .couldNotAsk("\(error.context); name a policy with \(way)")
        }
        do throws(FileReadError) {
            here = try NamedPath.resolve(".")
        } catch {
            throw .couldNotAsk(error.context)
        }
        let names = found.map { LintRun.path(of: $0.root, from: here) }
        guard let only = found.first, found.count == 1 else {
            throw .couldNotAsk(
                "\(found.count) policies lie below this folder: "
                    + names.map { "`\($0)`" }.joined(separator: ", ") + "; name one with \(way)")
        }
        if only.root.hasPrefix(here == "/" ? here : here + "/") {
            Report.progress("note: the policy is `\(names[0])`, the only one below this folder")
        }
        return only
    }
}
