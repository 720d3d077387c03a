import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import Rendering

/// The policy of a command whose line leaves it open.
///
/// Commands that ask use the policy that the environment names, and print a note. Otherwise every
/// command finds the unit as `lint` does: the unit of the current folder or of a folder above it,
/// or the only unit below it.
enum OpenPolicy {
    /// The variables of the environment that stand for `--policy` and `--table`.
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

    /// The policy or table of a command.
    enum Choice {
        /// A policy file or folder, by its path.
        case unit(String)
        /// A compiled table, by its path.
        case table(String)
        /// Nothing was named: the unit that is found here.
        case here
    }

    /// The policy or table that options name, or the environment if they name none.
    static func choice(_ options: PolicyOptions) throws(CommandFailure) -> Choice {
        switch (options.policy, options.table) {
        case (.some, .some):
            throw .couldNotAsk("`--policy` and `--table` name two policies; give one")
        case (nil, let table?): return .table(table)
        case (let policy?, nil):
            guard EngineLoader.isTable(policy) else { return .unit(policy) }
            throw .couldNotAsk(
                "`\(policy)` is a compiled table; give it as one: "
                    + "`\(ShellWords.line(asTable(StandardStreams.arguments)))`")
        case (nil, nil): return try named()
        }
    }

    /// The path of the unit of a command's options, for a command to run later, in another folder.
    /// Nil for a table. Nothing is reported: the policy was read already.
    static func path(_ options: PolicyOptions) -> String? {
        guard options.table == nil else { return nil }
        if let path = options.policy ?? Variable.policy.value { return path }
        guard Variable.table.value == nil, let found = try? UnitLoader.units(paths: ["."]),
            found.count == 1
        else { return nil }
        return found.first?.root
    }

    /// The policy or table that the environment names. A note on standard error names it.
    private static func named() throws(CommandFailure) -> Choice {
        let set = Variable.allCases.compactMap { variable in
            variable.value.map { (variable: variable, path: $0) }
        }
        guard set.count <= 1 else {
            throw .couldNotAsk(
                "`HAWSER_POLICY` and `HAWSER_TABLE` are both set and name two policies; unset one, "
                    + "or give `--policy` or `--table`")
        }
        guard let first = set.first else { return .here }
        let isBesideOwn = (try? UnitLoader.place(of: "."))?.unit != nil
        Report.progress(
            "note: the policy is `\(first.path)`, by \(first.variable.rawValue)"
                + (isBesideOwn ? ", which is not the policy of this folder" : ""))
        switch first.variable {
        case .table: return .table(first.path)
        case .policy:
            guard EngineLoader.isTable(first.path) else { return .unit(first.path) }
            throw .couldNotAsk(
                "`\(first.path)` is a compiled table, which `HAWSER_TABLE` names and "
                    + "`HAWSER_POLICY` does not")
        }
    }

    /// The command line with `--table` in place of `--policy`.
    private static func asTable(_ arguments: [String]) -> [String] {
        let (option, other) = ("--policy", "--table")
        return ["hawser"]
            + arguments.dropFirst().map { word in
                if word == option { return other }
                guard word.hasPrefix(option + "=") else { return word }
                return other + word.dropFirst(option.count)
            }
    }

    /// How a command line names its policy.
    enum Naming {
        /// By `--policy`, `--table` and the environment.
        case options
        /// By an argument. The environment is not read.
        case argument
        /// By an argument behind a revision, as `diff` takes it. The environment is not read.
        case argumentAfter(String)
    }

    /// The unit of the current folder, or the only one below it.
    static func unit(named naming: Naming) throws(CommandFailure) -> PolicyUnit {
        try located(named: naming).unit
    }

    /// The same with its folder.
    static func located(named naming: Naming) throws(CommandFailure) -> LocatedUnit {
        let found: [LocatedUnit]
        do throws(UnitLoadError) {
            found = try UnitLoader.units(paths: ["."])
        } catch {
            throw .couldNotAsk(error.context + advice(naming))
        }
        let here = try InputFile.resolve(".")
        let names = found.map { RelativePath.path(of: $0.root, from: here) }
        guard let only = found.first, found.count == 1 else {
            throw .couldNotAsk(
                "\(found.count) policies lie below this folder: \(list(names)); name one: "
                    + "`\(ShellWords.line(command(naming, names.first ?? "PATH")))`")
        }
        if only.root.hasPrefix(here == "/" ? here : here + "/") {
            Report.progress("note: the policy is `\(names[0])`, the only one below this folder")
        }
        return only
    }

    /// Names in a message: the first of many, and the number of the others.
    static func list(_ names: [String]) -> String {
        Cut.line(names.map { "`\($0)`" }, most: 8)
    }

    /// What a message advises where no policy lies here.
    static func advice(_ naming: Naming) -> String {
        switch naming {
        case .options: return "; name a policy with \(options)"
        case .argument, .argumentAfter:
            let set = Variable.allCases.compactMap { variable in
                variable.value.map { (variable: variable, path: $0) }
            }
            guard let first = set.first else {
                return "; name a policy: `\(ShellWords.line(command(naming, "PATH")))`"
            }
            return "; \(first.variable.rawValue) is not read here; to ask that policy, name it: "
                + "`\(ShellWords.line(command(naming, first.path)))`"
        }
    }

    /// The command line with a policy.
    private static func command(_ naming: Naming, _ path: String) -> [String] {
        let given = Array(StandardStreams.arguments.dropFirst())
        // What stands behind `--` is not for this command.
        let own = given.prefix { $0 != "--" }
        let words: [String]
        switch naming {
        case .options: words = ["--policy", path]
        case .argument: words = [path]
        case .argumentAfter(let revision): words = [revision, path]
        }
        return ["hawser"] + own + words + given[own.endIndex...]
    }
}
