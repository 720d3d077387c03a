import CLibC
import Dispatch
import Synchronization
import VerdictSubjects

/// Verdicts a second of several threads that share an engine, for a while that begins and ends at
/// given instants: processes that are started before then run at the same time.
struct Throughput {
    let subject: EngineSubject
    let threads: Int
    /// Seconds of the monotonic clock.
    let begin: Double
    let end: Double

    /// Verdicts of all threads.
    ///
    /// - Throws: `WrongAnswer`.
    func run() throws -> Int {
        guard Throughput.now() < begin else { throw WrongAnswer(description: "the start is past") }
        let done = Atomic(0)
        let isRight = Atomic(true)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            while Throughput.now() < begin {}
            var count = 0
            while Throughput.now() < end {
                if !subject.run(Throughput.step) { isRight.store(false, ordering: .relaxed) }
                count += Throughput.step
            }
            done.add(count, ordering: .relaxed)
        }
        guard isRight.load(ordering: .relaxed) else {
            throw WrongAnswer(description: "threads that share an engine")
        }
        return done.load(ordering: .relaxed)
    }

    /// Verdicts between two looks at the clock.
    private static let step = 16

    private static func now() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}
