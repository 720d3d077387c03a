import CLibCrypto

/// libcrypto's queue of errors, which each thread has. It is the program's: `SSL_get_error` looks at it, and takes
/// an entry that was left there for the reason of whatever fails next.
package enum ErrorQueue {
    /// Runs `body`, and takes off this thread's queue what `body` has put there. What lay there before stays;
    /// of a full queue, which has fifteen entries, libcrypto itself drops the oldest for each that comes.
    package static func keeping<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // An empty queue takes no mark, and is emptied.
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        return try body()
    }
}
