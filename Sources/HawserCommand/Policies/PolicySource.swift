import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// The policy that a command works on: a unit of YAML, or a compiled table.
enum PolicySource {
    /// Compiles a unit.
    static func compile(_ unit: PolicyUnit) -> Compilation {
        CompilerPipeline.compile(unit, crypto: EngineLoader.makeBackend())
    }

    /// Reads and checks the unit as `compile` does, without making a table.
    static func check(
        paths: [String], crypto: any CryptoBackend = EngineLoader.makeBackend()
    ) throws(CommandFailure) -> Compilation {
        CompilerPipeline.check(try unit(paths), crypto: crypto)
    }

    /// Reads the unit that the paths name; without paths, the unit that `lint` would find here.
    static func unit(_ paths: [String]) throws(CommandFailure) -> PolicyUnit {
        guard !paths.isEmpty else { return try OpenPolicy.unit(named: .argument) }
        try refuseOthers(paths)
        return try asking { () throws(UnitLoadError) in try UnitLoader.load(paths: paths) }
    }

    /// The table of a policy or of a table file. Without either it is the policy that the
    /// environment names, or the policy of the unit found here (`OpenPolicy`). A policy that does
    /// not compile cannot be asked; its diagnostics are reported on standard error.
    static func table(_ options: PolicyOptions) throws(CommandFailure) -> PolicyTable {
        try source(options).table
    }

    /// The same table with the unit that it was compiled from. A table file has no unit, and may
    /// have an envelope, which states what `statement` says.
    static func source(
        _ options: PolicyOptions
    ) throws(CommandFailure) -> (
        table: PolicyTable, unit: PolicyUnit?, statement: TableStatement?
    ) {
        let trusted = try options.trusted.keys()
        let choice = try OpenPolicy.choice(options)
        if case .table(let path) = choice {
            let opened = try open(path, trustedKeys: trusted)
            return (opened.table, nil, opened.statement)
        }
        guard trusted == nil else {
            throw .couldNotAsk("a policy is not signed, only a table is; give `--table FILE`")
        }
        let unit = try unit(choice)
        return (try table(of: compile(unit)), unit, nil)
    }

    /// The table of a compiled unit. A unit that does not compile cannot be asked.
    static func table(of compilation: Compilation) throws(CommandFailure) -> PolicyTable {
        guard let table = try sound(compilation).table else { throw notCompiled }
        return table
    }

    /// A failure for gates that stand beside `lint` or `check`: one sentence with the first error.
    /// The hooks of one commit would otherwise print every error once each.
    ///
    /// - Parameters:
    ///   - folder: the unit's folder as messages name it; empty for the current folder.
    ///   - consequence: what was not done.
    static func notCompiled(
        _ compilation: Compilation, at folder: String, _ consequence: String
    ) -> CommandFailure {
        let name = folder.isEmpty ? "." : folder
        let first = firstError(of: compilation, below: folder) ?? "no reason is known"
        return .couldNotAsk(
            "the policy of `\(name)` does not compile, so \(consequence): \(first); "
                + "`\(ShellWords.line(["hawser", "check", name]))` shows every error")
    }

    /// The first error of a compiled unit with its place, in one line; nil where it has none.
    /// `folder` is the unit's folder as messages name it.
    static func firstError(of compilation: Compilation, below folder: String = "") -> String? {
        let errors = compilation.diagnostics.filter { $0.severity == .error }
        guard let first = errors.first else { return nil }
        let file = compilation.files[Int(first.primary.span.file)]
        let place = file.position(of: Int(first.primary.span.start))
        let path = folder.isEmpty ? file.path : "\(folder)/\(file.path)"
        return "\(first.code.rawValue) at \(path):\(place.line):\(place.column): "
            + first.message + Cut.rest(errors.count - 1, before: ", and ")
    }

    /// The table of a policy that denies every host.
    static func tableOfNone() -> PolicyTable {
        PolicyTable.encode(
            PolicyContents(defaultRule: .deny, rules: [], anchorSets: [], pinSets: []),
            provenance: nil, crypto: EngineLoader.makeBackend())
    }

    /// Refuses paths that cannot be policies: pipes, files of other systems, and compiled tables,
    /// which would be a page of errors about octets.
    static func refuseOthers(_ paths: [String]) throws(CommandFailure) {
        let isPipe = { $0 == InputFile.standardInput || NamedPath.isFIFO($0) }
        if let pipe = paths.first(where: isPipe) {
            throw .couldNotAsk(
                "a policy is a file or a folder, and its other files stand beside it; "
                    + "\(InputFile.name(pipe)) is a stream, which only `hawser lint -` and "
                    + "`hawser fmt -` read")
        }
        if let foreign = paths.lazy.compactMap(ForeignFileHint.init).first {
            throw .couldNotAsk(foreign.words)
        }
        guard let table = paths.first(where: EngineLoader.isTable) else { return }
        throw .couldNotAsk(
            "`\(table)` is a compiled table, and a policy is wanted here; to see its content: "
                + "`\(ShellWords.line(["hawser", "inspect", table]))`")
    }

    /// Reads the unit of a choice that is not a table.
    private static func unit(_ choice: OpenPolicy.Choice) throws(CommandFailure) -> PolicyUnit {
        switch choice {
        case .unit(let path): return try unit([path])
        case .table(let path): return try unit([path])
        case .here: return try OpenPolicy.unit(named: .options)
        }
    }

    /// A policy that was checked and not lowered. Without one it is found as `table` finds it. A
    /// policy with errors is treated as there.
    static func policy(_ options: PolicyOptions) throws(CommandFailure) -> CheckedPolicy {
        // A table is not proposed here: it has no profiles.
        try refuseOthers(options.policy.map { [$0] } ?? [])
        let choice = try OpenPolicy.choice(options)
        if case .table = choice {
            throw .couldNotAsk(
                "a table has no profiles any more, only what they come to in its rules; "
                    + "give the policy: `--policy PATH`")
        }
        let unit = try unit(choice)
        let compilation = try sound(
            CompilerPipeline.check(unit, crypto: EngineLoader.makeBackend()))
        guard let policy = compilation.policy else { throw notCompiled }
        return policy
    }

    private static let notCompiled = CommandFailure.couldNotAsk(
        "the policy does not compile, so nothing can be asked of it")

    /// The compilation if it has no error; otherwise its diagnostics are reported on standard
    /// error.
    private static func sound(_ compilation: Compilation) throws(CommandFailure) -> Compilation {
        guard compilation.policy == nil else { return compilation }
        StandardStreams.write(
            LintDocument.text(compilation.diagnostics, files: compilation.files), to: .error)
        throw notCompiled
    }

    /// Reads a table file, bare or signed. If keys are trusted, enough of these must have signed
    /// it.
    static func open(
        _ path: String, trustedKeys: TrustedKeys?
    ) throws(CommandFailure) -> OpenedTable {
        do throws(TableLoadError) {
            return try EngineLoader.open(tableFile: path, trustedKeys: trustedKeys)
        } catch {
            if error.step == .file { throw .couldNotAsk(error.context) }
            throw .couldNotAsk("`\(path)` is refused, \(error.code): \(error.context)")
        }
    }

    /// The certificates of a file that stands for the machine's store.
    private static func systemStore(_ path: String) throws(CommandFailure) -> [[UInt8]] {
        try asking { () throws(FileReadError) in try SystemStore.read(path: path) }
    }

    /// The machine's store, or a file that stands for it, to be counted.
    static func countedStore(_ path: String?) throws(CommandFailure) -> StoreCertificates {
        let store: [[UInt8]]?
        if let path {
            store = try systemStore(path)
        } else {
            store = try asking { () throws(FileReadError) in try SystemStore.read() }
        }
        guard let store, !store.isEmpty else {
            throw .couldNotAsk(
                path.map { "`\($0)` has no certificate to count" }
                    ?? "this machine has no trust store to count" + otherStore)
        }
        return StoreCertificates(store, crypto: EngineLoader.makeBackend())
    }

    /// Creates an engine for a table. If the table names the system's trust store, it gets the
    /// store of this machine or of a file.
    static func engine(
        _ table: PolicyTable, checks: [String: CustomCheck], logList: [UInt8]? = nil,
        systemStore: String? = nil, crypto: any CryptoBackend = EngineLoader.makeBackend()
    ) throws(CommandFailure) -> Engine {
        let store = try systemStore.map { path throws(CommandFailure) in
            try self.systemStore(path)
        }
        do throws(TableLoadError) {
            guard store == nil else {
                return try EngineLoader.load(
                    table: table,
                    inputs: EngineInputs(systemStore: store, checks: checks, logList: logList),
                    crypto: crypto)
            }
            return try EngineLoader.load(
                table: table, checks: checks, logList: logList, crypto: crypto)
        } catch {
            let isStoreMissing =
                error.code == ErrorCode(EngineError.Code.systemStoreMissing)
            throw .couldNotAsk(
                "\(error.code): \(error.context)" + (isStoreMissing ? otherStore : ""))
        }
    }

    /// How a command is given another store. A variable that names one for other programs is
    /// repeated, so that nobody takes it for read.
    private static var otherStore: String {
        let file = StandardStreams.environment("SSL_CERT_FILE").flatMap {
            NamedPath.exists($0) ? $0 : nil
        }
        let command = ShellWords.line(["--system-store", file ?? "FILE"])
        return "; name a file of certificates with `\(command)`"
            + (file == nil ? "" : ", which SSL_CERT_FILE names for other programs")
    }
}
