import Foundation
import Synchronization

/// How long and with how many threads the memories are stressed. `MEMORY_SECONDS` asks for longer
/// than the moment that a run of all tests has time for.
enum MemoryStress {
    static let threads = 8

    private static let duration: Duration = {
        let asked = ProcessInfo.processInfo.environment["MEMORY_SECONDS"].flatMap(Int.init)
        return asked.map { .seconds($0) } ?? .milliseconds(300)
    }()

    /// What `body` gives in each thread. It is called with the thread's number and the instant at
    /// which all of them end. They are threads of the system: of eight tasks only as many run at a
    /// time as the machine has cores, and a task that does not wait keeps its core to the end.
    static func run<Result: Sendable>(
        _ body: @escaping @Sendable (Int, ContinuousClock.Instant) -> Result
    ) async -> [Result] {
        let results = Results<Result>()
        let end = ContinuousClock.now + duration
        return await withCheckedContinuation { continuation in
            for thread in 0..<threads {
                Thread {
                    let result = body(thread, end)
                    let all = results.all.withLock { all in
                        all.append(result)
                        return all
                    }
                    if all.count == threads { continuation.resume(returning: all) }
                }.start()
            }
        }
    }

    private final class Results<Result: Sendable>: Sendable {
        let all = Mutex<[Result]>([])
    }
}
