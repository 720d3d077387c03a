import CLibC

/// Keeps SIGPIPE from the process. Writing to a connection or a pipe that the peer has closed
/// raises SIGPIPE, which ends a process by default; libssl writes with a plain `write`.
package enum BrokenPipe {
    /// Runs `body` with SIGPIPE blocked on this thread, removes a SIGPIPE that came meanwhile, and
    /// restores the thread's signals. Other threads and the process are not changed.
    package static func withoutSignal<Result, Failure>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var pipe = sigset_t()
        var before = sigset_t()
        var pending = sigset_t()
        unsafe sigemptyset(&pipe)
        unsafe sigaddset(&pipe, SIGPIPE)
        unsafe sigpending(&pending)
        let wasPending = unsafe sigismember(&pending, SIGPIPE) == 1
        guard unsafe pthread_sigmask(SIG_BLOCK, &pipe, &before) == 0 else { return try body() }
        defer {
            if !wasPending { hwlibc_drop_pending(SIGPIPE) }
            unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        return try body()
    }
}
