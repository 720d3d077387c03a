import Synchronization

/// Prepared keys that have verified a signature. Preparing a key costs 2 us (RSA, Ed25519) to 13 us
/// (EC) of the 16 to 60 us of a verification.
///
/// The cache is bounded: 32 sets of 16 keys. Each set has its own lock, which is held while at most
/// 16 keys are compared. A key is remembered only after a signature has verified under it, so keys
/// of useless certificates displace nothing. A key is found by its numbers and not by a digest of
/// them, so a key that is found is certainly the same key. Whether a key is remembered changes no
/// answer.
final class KeyCache: Sendable {
    private let sets = (0..<KeyCache.setCount).map { _ in KeySet() }

    /// The prepared key with these numbers; nil when it is not remembered.
    func find(_ numbers: KeyNumbers) -> PreparedKey? {
        let hash = numbers.hashValue
        return sets[KeyCache.index(hash)].find(hash, numbers)
    }

    /// Remembers a key. In a full set it replaces the key that was remembered first.
    func insert(_ key: PreparedKey, for numbers: KeyNumbers) {
        let hash = numbers.hashValue
        sets[KeyCache.index(hash)].insert(RememberedKey(hash: hash, numbers: numbers, key: key))
    }

    /// Number of keys that are remembered now.
    var count: Int { sets.reduce(0) { $0 + $1.count } }

    /// The most keys that are remembered.
    static let capacity = setCount * KeySet.capacity

    private static let setCount = 32

    private static func index(_ hash: Int) -> Int { hash & (setCount - 1) }

    fileprivate struct RememberedKey: Sendable {
        let hash: Int
        let numbers: KeyNumbers
        let key: PreparedKey
    }
}

/// One set of the cache.
private final class KeySet: Sendable {
    private struct State {
        var keys: [KeyCache.RememberedKey] = []
        /// Index of the key that the next key replaces when the set is full.
        var oldest = 0
    }

    private let state = Mutex(State())

    func find(_ hash: Int, _ numbers: KeyNumbers) -> PreparedKey? {
        state.withLock { state in
            for known in state.keys where known.hash == hash && known.numbers == numbers {
                return known.key
            }
            return nil
        }
    }

    func insert(_ new: KeyCache.RememberedKey) {
        state.withLock { state in
            // Two threads may have prepared the same key. The first one stays.
            for known in state.keys where known.hash == new.hash {
                if known.numbers == new.numbers { return }
            }
            guard state.keys.count >= KeySet.capacity else {
                state.keys.append(new)
                return
            }
            state.keys[state.oldest] = new
            state.oldest = (state.oldest + 1) % KeySet.capacity
        }
    }

    var count: Int { state.withLock { $0.keys.count } }

    static let capacity = 16
}
