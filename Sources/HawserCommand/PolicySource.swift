import Hawser
import HawserYAML
import PolicyCompiler
import PolicyTools
import Rendering
import TrustEngine

/// The policy that a command is pointed at: a unit of YAML, or a compiled table.
enum PolicySource {
    /// Reads and compiles the unit that some paths name, by default the one of the current folder.
    static func compile(paths: [String]) throws(CommandFailure) -> Compilation {
        CompilerPipeline.compile(try unit(paths), crypto: EngineLoader.crypto)
    }

    /// The same as far as its diagnostics, without a table.
    static func check(paths: [String]) throws(CommandFailure) -> Compilation {
        CompilerPipeline.check(try unit(paths), crypto: EngineLoader.crypto)
    }

    private static func unit(_ paths: [String]) throws(CommandFailure) -> PolicyUnit {
        do throws(UnitLoadError) {
            return try UnitLoader.load(paths: paths.isEmpty ? ["."] : paths)
        } catch {
            throw .couldNotAsk(error.context)
        }
    }

    /// The table of a policy (nil: the unit of the current folder) or of a table file. A policy that
    /// does not compile cannot be asked anything; its diagnostics go to standard error.
    static func table(_ options: PolicyOptions) throws(CommandFailure) -> PolicyTable {
        let trusted = try options.trusted.keys()
        if let tableFile = options.table {
            guard options.policy == nil else {
                throw .couldNotAsk("`--policy` and `--table` name two policies; give one")
            }
            return try open(tableFile, trustedKeys: trusted).table
        }
        guard trusted == nil else {
            throw .couldNotAsk("a policy is not signed, only a table is; give `--table FILE`")
        }
        let compilation = try sound(compile(paths: options.policy.map { [$0] } ?? []))
        guard let table = compilation.table else { throw notCompiled }
        return table
    }

    /// A policy (nil: the unit of the current folder) before it becomes a table, on the same terms.
    static func policy(_ path: String?) throws(CommandFailure) -> CheckedPolicy {
        let compilation = try sound(check(paths: path.map { [$0] } ?? []))
        guard let policy = compilation.policy else { throw notCompiled }
        return policy
    }

    private static let notCompiled = CommandFailure.couldNotAsk(
        "the policy does not compile, so nothing can be asked of it")

    /// The compilation when it has no error; its diagnostics otherwise go to standard error.
    private static func sound(_ compilation: Compilation) throws(CommandFailure) -> Compilation {
        guard compilation.policy == nil else { return compilation }
        StandardStreams.write(
            DiagnosticText(files: compilation.files, colour: .plain)
                .render(compilation.diagnostics),
            to: .error)
        throw notCompiled
    }

    /// Reads a table file, bare or signed; by enough of the keys, where some are trusted.
    static func open(
        _ path: String, trustedKeys: TrustedKeys?
    ) throws(CommandFailure) -> OpenedTable {
        do throws(EngineLoaderError) {
            return try EngineLoader.open(tableFile: path, trustedKeys: trustedKeys)
        } catch {
            if case .file(let error) = error { throw .couldNotAsk(error.context) }
            throw .couldNotAsk("`\(path)` is refused, \(error.code): \(error.context)")
        }
    }

    /// Makes an engine of a table, with this machine's trust store where the table names it, or the one
    /// of a file.
    static func engine(
        _ table: PolicyTable, checks: [String: CustomCheck], logList: [UInt8]? = nil,
        systemStore: String? = nil
    ) throws(CommandFailure) -> Engine {
        var store: [[UInt8]]?
        if let systemStore {
            do throws(FileReadError) {
                store = try SystemStore.read(path: systemStore)
            } catch {
                throw .couldNotAsk(error.context)
            }
        }
        do throws(EngineLoaderError) {
            guard store == nil else {
                return try EngineLoader.load(
                    table: table,
                    inputs: EngineInputs(systemStore: store, checks: checks, logList: logList))
            }
            return try EngineLoader.load(table: table, checks: checks, logList: logList)
        } catch {
            throw .couldNotAsk("\(error.code): \(error.context)")
        }
    }
}

/// Files named on the command line.
enum InputFile {
    static func read(_ path: String, limit: Int) throws(CommandFailure) -> [UInt8] {
        do throws(FileReadError) {
            return try FileReader.read(path: path, limit: limit)
        } catch {
            throw .couldNotAsk(error.context)
        }
    }
}
