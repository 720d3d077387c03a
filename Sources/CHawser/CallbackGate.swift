import Hawser

/// Guards the functions that a program gave to one store: its log and its checks. Closing the store
/// shuts the gate and waits until none of these functions runs. After that the program may free
/// what its functions use.
final class CallbackGate: Sendable {
    /// Whether this thread runs inside a function of the program, of any store. It must not wait
    /// for a gate there: it may have passed that gate itself, or a thread inside that gate may be
    /// waiting for this thread.
    @TaskLocal private static var isInCallback = false

    private struct State: Sendable {
        var isShut = false
        /// The number of calls that have passed the gate and have not returned.
        var count = 0
    }

    private let state = Monitor(State())

    /// Runs `body`, which may call functions of the program. Once the gate is shut, `body` is not
    /// run and the result is nil.
    func pass<Result>(_ body: () -> Result) -> Result? {
        let isOpen = state.withLock { state in
            if !state.isShut { state.count += 1 }
            return !state.isShut
        }
        guard isOpen else { return nil }
        defer { state.withLock { $0.count -= 1 } }
        return body()
    }

    /// Calls one function of the program.
    static func callback<Result>(_ function: () -> Result) -> Result {
        $isInCallback.withValue(true, operation: function)
    }

    /// Shuts the gate and waits until the last call has returned. Inside a function of the program
    /// it does not wait.
    func shut() {
        state.withLock { $0.isShut = true }
        guard !CallbackGate.isInCallback else { return }
        _ = state.wait { $0.count == 0 ? true : nil }
    }
}
