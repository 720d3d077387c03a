#if Serve
import CLibC

/// The signals that the server waits for. They are blocked in every thread, so that they come only
/// to `next`.
enum StopSignals {
    enum Signal {
        /// SIGTERM or SIGINT.
        case stop
        /// SIGHUP.
        case reload
    }

    /// Blocks the signals for this thread and those that it starts.
    static func block() {
        var all = StopSignals.all
        unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
        // A client that closes early is an error of its connection and of nothing else.
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Waits for a signal.
    static func next() -> Signal {
        var all = StopSignals.all
        var number: Int32 = 0
        while unsafe sigwait(&all, &number) != 0 {}
        return number == SIGHUP ? .reload : .stop
    }

    private static var all: sigset_t {
        var all = sigset_t()
        unsafe sigemptyset(&all)
        for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&all, number) }
        return all
    }
}
#endif
