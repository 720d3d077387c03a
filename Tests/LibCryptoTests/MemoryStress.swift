import Foundation

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
        let end = ContinuousClock.now + duration
        return await withTaskGroup(of: Result.self) { group in
            for thread in 0..<threads {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread { continuation.resume(returning: body(thread, end)) }.start()
                    }
                }
            }
            var results: [Result] = []
            for await result in group { results.append(result) }
            return results
        }
    }
}
