import Hawser

/// The way to the functions that a program gave to one store, its log and its checks. Closing the
/// store shuts the gate and waits until nobody is behind it: what belongs to the program's
/// functions may go then.
final class CallbackGate: Sendable {
    /// Whether this thread is in a function of the program's, of whichever store. It must not wait
    /// there for a gate: that may be the one that it went through itself, or one whose thread waits
    /// for this one.
    @TaskLocal private static var isInCallback = false

    private struct State: Sendable {
        var isShut = false
        /// Those who went through and have not come back.
        var count = 0
    }

    private let state = Monitor(State())

    /// Runs `body`, which may call functions of the program's; nil, and nothing is run, once the
    /// gate is shut.
    func pass<Result>(_ body: () -> Result) -> Result? {
        let isOpen = state.withLock { state in
            if !state.isShut { state.count += 1 }
            return !state.isShut
        }
        guard isOpen else { return nil }
        defer { state.withLock { $0.count -= 1 } }
        return body()
    }

    /// Calls one function of the program's.
    static func callback<Result>(_ function: () -> Result) -> Result {
        $isInCallback.withValue(true, operation: function)
    }

    /// Lets nobody through any more, and returns when the last has come back; in a function of the
    /// program's it returns at once.
    func shut() {
        state.withLock { $0.isShut = true }
        guard !CallbackGate.isInCallback else { return }
        _ = state.wait { $0.count == 0 ? true : nil }
    }
}
