import Synchronization

/// A place for an object that is made when it is first needed, and then lives as long as the place.
/// So whoever holds the place uses the object without holding it: threads that use one object at
/// the same time would otherwise write its count of references in turn.
@safe struct MadeOnce<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    private let reference = unsafe Atomic<Unmanaged<Object>?>(nil)

    deinit { unsafe reference.load(ordering: .acquiring)?.release() }

    /// Calls `body` with the object and returns its result; nil before the object is made.
    @inline(__always)
    func ifMade<Result>(_ body: (Object) -> Result) -> Result? {
        guard let made = unsafe reference.load(ordering: .acquiring) else { return nil }
        return unsafe made._withUnsafeGuaranteedRef(body)
    }

    /// Calls `body` with the object and returns its result. Creates the object on first use. When
    /// two threads create one, both use the first thread's.
    @inline(__always)
    func make<Result>(_ new: () -> Object, _ body: (Object) -> Result) -> Result {
        if let made = unsafe reference.load(ordering: .acquiring) {
            return unsafe made._withUnsafeGuaranteedRef(body)
        }
        let own = unsafe Unmanaged.passRetained(new())
        let (isFirst, first) = unsafe reference.compareExchange(
            expected: nil, desired: own, ordering: .acquiringAndReleasing)
        guard !isFirst, let first = unsafe first else {
            return unsafe own._withUnsafeGuaranteedRef(body)
        }
        unsafe own.release()
        return unsafe first._withUnsafeGuaranteedRef(body)
    }
}
