import CLibCrypto

/// libcrypto's queue of errors. Each thread has one, and it belongs to the program: `SSL_get_error`
/// reads it, and takes an error that was left there for the reason of the next failure.
package enum ErrorQueue {
    /// Runs `body` and removes the errors that `body` has put on this thread's queue. Earlier
    /// errors stay. A full queue has fifteen errors; then libcrypto itself drops the oldest for
    /// each new one.
    package static func keeping<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // An empty queue takes no mark; it is emptied afterwards.
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        return try body()
    }

    /// As `keeping`, for a body that calls libcrypto only after it has called its argument. A body
    /// that does not call it costs nothing here: a mark takes some three hundred instructions.
    package static func keeping<Result>(_ body: (_ mark: () -> Void) -> Result) -> Result {
        var isMarked = false
        defer { if isMarked { ERR_pop_to_mark() } }
        return body {
            guard !isMarked else { return }
            ERR_set_mark()
            isMarked = true
        }
    }
}
