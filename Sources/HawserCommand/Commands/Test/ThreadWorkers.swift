import Hawser
import PolicyTools

/// Does work on several threads at once. The order of the results does not depend on their number.
struct ThreadWorkers: TestWorkers {
    /// The most threads, this one included.
    let count: Int

    private struct State<Value: Sendable>: Sendable {
        var next = 0
        var running = 0
        var results: [Value?]
    }

    func map<Value: Sendable>(
        _ count: Int, _ work: @escaping @Sendable (Int) -> Value
    ) -> [Value] {
        guard self.count > 1, count > 1 else { return (0..<count).map(work) }
        let state = Monitor(State<Value>(results: Array(repeating: nil, count: count)))
        let run: @Sendable () -> Void = {
            while let number = state.withLock({ state -> Int? in
                guard state.next < count else { return nil }
                state.next += 1
                return state.next - 1
            }) {
                let value = work(number)
                state.withLock { $0.results[number] = value }
            }
        }
        for _ in 1..<min(self.count, count) {
            state.withLock { $0.running += 1 }
            let isStarted = BackgroundThread.start {
                run()
                state.withLock { $0.running -= 1 }
            }
            if !isStarted { state.withLock { $0.running -= 1 } }
        }
        // Where no thread could be started, this one does all.
        run()
        return state.wait { $0.running == 0 ? $0.results.compactMap { $0 } : nil }
    }
}
