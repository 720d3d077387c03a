import Glibc

/// Writing to a connection that the peer has closed raises SIGPIPE, which ends a process that has not
/// asked otherwise; libssl writes with a plain `write`.
enum BrokenPipe {
    /// Runs `body` with SIGPIPE held back from this thread, drops one that came meanwhile, and leaves
    /// the thread's signals as they were. Nothing changes for other threads or for the process.
    static func withoutSignal<Result>(
        _ body: () throws(ProbeError) -> Result
    ) throws(ProbeError) -> Result {
        var pipe = sigset_t()
        var before = sigset_t()
        var pending = sigset_t()
        unsafe sigemptyset(&pipe)
        unsafe sigaddset(&pipe, SIGPIPE)
        unsafe sigpending(&pending)
        let wasPending = unsafe sigismember(&pending, SIGPIPE) == 1
        guard unsafe pthread_sigmask(SIG_BLOCK, &pipe, &before) == 0 else { return try body() }
        defer {
            if !wasPending {
                var now = timespec(tv_sec: 0, tv_nsec: 0)
                unsafe sigtimedwait(&pipe, nil, &now)
            }
            unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        return try body()
    }
}
