import CLibC

/// A value that threads share. One thread at a time has the value. A thread can wait for a change
/// of the value, with a deadline. Swift's `Mutex` cannot wait, and the thread sanitizer does not
/// see into it.
///
/// `@unchecked Sendable`: the value is touched only while the mutex is held. Mutex and condition
/// stay at one address from `init` to `deinit`, as POSIX requires. The value has memory of its own
/// too: the mutex proves already that nobody else has it, and for a stored property Swift would
/// note each use in a list of the thread.
@safe package final class Monitor<Value: Sendable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private let value: UnsafeMutablePointer<Value>

    /// Makes a monitor with its first value.
    package init(_ value: Value) {
        unsafe self.value = .allocate(capacity: 1)
        unsafe self.value.initialize(to: value)
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe hwlibc_condition_init(condition)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }

    /// Calls `body` with the value, which `body` may change, and wakes all waiting threads.
    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(condition)
            unsafe pthread_mutex_unlock(mutex)
        }
        return unsafe body(&value.pointee)
    }

    /// Takes the lock until `release`, for the duration of a fork.
    package func hold() { unsafe pthread_mutex_lock(mutex) }

    /// Gives back the lock that `hold` took.
    package func release() { unsafe pthread_mutex_unlock(mutex) }

    /// Calls `body` now and after every use of the value, until `body` returns a result.
    package func wait<Result>(_ body: (inout Value) -> Result?) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = unsafe body(&value.pointee) { return result }
            unsafe pthread_cond_wait(condition, mutex)
        }
    }

    /// Calls `body` now and after every use of the value, until `body` returns a result; nil when
    /// the deadline comes first.
    package func wait<Result>(until deadline: Deadline, _ body: (inout Value) -> Result?) -> Result?
    {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = unsafe body(&value.pointee) { return result }
            let left = Int32(deadline.millisecondsLeft)
            guard unsafe hwlibc_condition_wait(condition, mutex, left) == 0 else {
                // A change and the deadline may come together, so `body` is asked once more.
                return unsafe body(&value.pointee)
            }
        }
    }
}

/// A point on the monotonic clock at which a wait ends.
package struct Deadline: Sendable {
    private let end: ContinuousClock.Instant

    /// The deadline at this time from now.
    package init(in time: Duration) { end = ContinuousClock.now.advanced(by: time) }

    /// The earlier of this deadline and the deadline at this time from now.
    func within(_ time: Duration) -> Deadline {
        let other = Deadline(in: time)
        return other.end < end ? other : self
    }

    /// Milliseconds that are left, from 0 to a day.
    var millisecondsLeft: Int {
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: end).components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return min(Int(seconds), 86_400) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
