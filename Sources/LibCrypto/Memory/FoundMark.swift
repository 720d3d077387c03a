import Synchronization

/// Whether an entry was found since its set last looked for room (the "clock" algorithm). The mark
/// decides only which entry is replaced.
struct FoundMark: ~Copyable, Sendable {
    private let isSet = Atomic<Bool>(false)

    /// Sets the mark. It is stored only when it is not set: a store by every reader would move the
    /// memory from core to core.
    @inline(__always)
    func set() {
        if !isSet.load(ordering: .relaxed) { isSet.store(true, ordering: .relaxed) }
    }

    /// Whether the mark was set since the last call; it is taken away.
    @inline(__always)
    func take() -> Bool {
        guard isSet.load(ordering: .relaxed) else { return false }
        isSet.store(false, ordering: .relaxed)
        return true
    }

    /// Takes the mark away, as something new is remembered.
    @inline(__always)
    func clear() { isSet.store(false, ordering: .relaxed) }
}
