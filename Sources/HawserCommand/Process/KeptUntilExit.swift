import Synchronization

/// Keeps values until the process ends.
///
/// A large policy is a million small parts. To give each of them back takes longer than to lint a
/// small policy, and the system takes all of them back at once when the process ends.
enum KeptUntilExit {
    private static let values = Mutex<[any Sendable]>([])

    /// Keeps a value that nothing needs any more.
    static func keep(_ value: some Sendable) { values.withLock { $0.append(value) } }
}
