import Glibc

/// A value that threads share: one at a time has it, and one that needs it changed waits, with a
/// deadline. Swift's `Mutex` cannot wait, and the thread sanitizer does not see into it.
///
/// `@unchecked Sendable`: the value is touched only while the mutex is held. Mutex and condition
/// stay at one address from `init` to `deinit`, as POSIX asks.
@safe package final class Monitor<Value: Sendable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value

    /// A value that nobody has yet.
    package init(_ value: Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        // The monotonic clock: nobody who sets the time of day prolongs a wait.
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Looks at the value, or changes it, and wakes whoever waits.
    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(condition)
            unsafe pthread_mutex_unlock(mutex)
        }
        return body(&value)
    }

    /// Asks `body` now and after every change, until it answers.
    package func wait<Result>(_ body: (inout Value) -> Result?) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            unsafe pthread_cond_wait(condition, mutex)
        }
    }

    /// Asks `body` now and after every change, until it answers; nil when the deadline comes first.
    package func wait<Result>(until deadline: Deadline, _ body: (inout Value) -> Result?) -> Result?
    {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        var end = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds = end.tv_nsec + deadline.millisecondsLeft % 1_000 * 1_000_000
        end.tv_sec += deadline.millisecondsLeft / 1_000 + nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        while true {
            if let result = body(&value) { return result }
            guard unsafe pthread_cond_timedwait(condition, mutex, &end) == 0 else {
                // A change and the deadline may come together.
                return body(&value)
            }
        }
    }
}

/// A point on the monotonic clock by which something must have happened.
package struct Deadline: Sendable {
    private let end: ContinuousClock.Instant

    /// That long from now.
    package init(in time: Duration) { end = ContinuousClock.now.advanced(by: time) }

    /// The earlier of this deadline and a time from now.
    func within(_ time: Duration) -> Deadline {
        let other = Deadline(in: time)
        return other.end < end ? other : self
    }

    /// Milliseconds left, from 0 to a day.
    var millisecondsLeft: Int {
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: end).components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return min(Int(seconds), 86_400) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
