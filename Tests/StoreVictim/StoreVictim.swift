import Glibc
import Hawser
import Logging
import Synchronization

/// A program that shares a state directory with a test and is killed, or held, while it writes
/// there.
///
/// - `store-victim turns STATE-DIRECTORY TABLE-A TABLE-B STEP COUNT` puts two tables in force by
///   turns and ends itself with SIGKILL when it comes to the step for the so-manieth time. Whoever
///   started it looks at what it left behind.
/// - `store-victim keeps STATE-DIRECTORY NAME KEY STEP TABLE...` is a store of that name that
///   trusts the key. It offers itself the tables one by one, and writes what became of each. At the
///   step it writes `held` and waits for its end; `none` is no step. What it writes first is the
///   revision it began with, and whether rollback protection is on, or why not.
@main struct StoreVictim {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "turns" where arguments.count == 6: try turns(arguments)
        case "keeps" where arguments.count > 5: try keeps(arguments)
        default: exit(2)
        }
    }

    private static func turns(_ arguments: [String]) throws {
        guard let count = Int(arguments[5]), StateDirectory.Step(rawValue: arguments[4]) != nil
        else { exit(2) }
        let first = try read(arguments[2])
        let second = try read(arguments[3])
        let left = Atomic<Int>(count)
        var configuration = configuration(arguments[1])
        configuration.atStateStep = { step in
            guard step.rawValue == arguments[4],
                left.subtract(1, ordering: .sequentiallyConsistent).newValue == 0
            else { return }
            kill(getpid(), SIGKILL)
        }
        let store = try PolicyStore(table: first, configuration: configuration)
        for _ in 0..<count {
            store.offer(second, origin: "victim")
            store.offer(first, origin: "victim")
        }
        exit(3)
    }

    private static func keeps(_ arguments: [String]) throws {
        var configuration = configuration(arguments[1])
        configuration.name = arguments[2]
        configuration.trustedKeys = try TrustedKeys([TablePublicKey(base64: arguments[3])])
        configuration.atStateStep = { step in
            guard step.rawValue == arguments[4] else { return }
            tell("held")
            while true { pause() }
        }
        let first = try read(arguments[5])
        let store: PolicyStore
        do throws(PolicyStoreError) {
            store = try PolicyStore(table: first, configuration: configuration)
        } catch {
            tell("not opened: \(error.context)")
            exit(0)
        }
        let protection = store.state.rollbackProtection
        let word = protection.reason?.code.rawValue ?? protection.code
        tell("opened \(revision(store.snapshot)) \(word)")
        for path in arguments.dropFirst(6) {
            switch store.offer(try read(path), origin: path) {
            case .installed(let snapshot): tell("installed \(revision(snapshot))")
            case .unchanged: tell("unchanged")
            case .refused(let refusal): tell("refused \(refusal.code)")
            }
        }
    }

    private static func configuration(_ state: String) -> PolicyStore.Configuration {
        var configuration = PolicyStore.Configuration()
        configuration.stateDirectory = state
        configuration.logger.logLevel = .critical
        return configuration
    }

    private static func revision(_ snapshot: PolicySnapshot) -> String {
        snapshot.revision.map { "\($0)" } ?? "none"
    }

    private static func read(_ path: String) throws -> [UInt8] {
        try FileReader.read(path: path, limit: EngineLoader.largestTable)
    }

    /// Writes a line at once, whatever the output is.
    private static func tell(_ line: String) {
        let octets = Array("\(line)\n".utf8)
        _ = OpenFiles.write(octets[...], to: STDOUT_FILENO)
    }
}
