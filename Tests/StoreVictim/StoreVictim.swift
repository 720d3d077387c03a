import Glibc
import Hawser
import Logging
import Synchronization

/// A program that puts two tables in force by turns and is killed while it writes one of them down:
/// `store-victim STATE-DIRECTORY TABLE-A TABLE-B STEP COUNT` ends itself with SIGKILL when it comes to the step
/// for the so-manieth time. Whoever started it looks at what it left behind.
@main struct StoreVictim {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 6, let count = Int(arguments[5]),
            StateDirectory.Step(rawValue: arguments[4]) != nil
        else { exit(2) }
        let first = try FileReader.read(path: arguments[2], limit: EngineLoader.largestTable)
        let second = try FileReader.read(path: arguments[3], limit: EngineLoader.largestTable)
        let left = Atomic<Int>(count)
        var configuration = PolicyStore.Configuration()
        configuration.stateDirectory = arguments[1]
        configuration.logger.logLevel = .critical
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
}
