import Synchronization

/// The keys that have verified something, prepared: building one costs 2 us (RSA, Ed25519) to 13 us
/// (EC) of a verification's 16 to 60 us.
///
/// Bounded: 32 sets of 16 keys, each set behind its own lock, which is held for a search of at most 16
/// entries. Only a key under which a signature verified comes in, so that keys in junk certificates
/// displace nothing. Entries are found by the numbers themselves and not by a digest of them: a hit is
/// the same key for certain. Forgetting a key, or never having seen it, changes no answer.
final class KeyCache: Sendable {
    private let sets = (0..<KeyCache.setCount).map { _ in KeySet() }

    /// The prepared key with these numbers, if it is remembered.
    func find(_ numbers: KeyNumbers) -> PreparedKey? {
        let hash = numbers.hashValue
        return sets[KeyCache.index(hash)].find(hash, numbers)
    }

    /// Remembers a key, in the place of the one of its set that came in longest ago.
    func insert(_ key: PreparedKey, for numbers: KeyNumbers) {
        let hash = numbers.hashValue
        sets[KeyCache.index(hash)].insert(Entry(hash: hash, numbers: numbers, key: key))
    }

    /// Keys remembered at the moment.
    var count: Int { sets.reduce(0) { $0 + $1.count } }

    /// The most keys that are ever remembered.
    static let capacity = setCount * KeySet.capacity

    private static let setCount = 32

    private static func index(_ hash: Int) -> Int { hash & (setCount - 1) }

    fileprivate struct Entry: Sendable {
        let hash: Int
        let numbers: KeyNumbers
        let key: PreparedKey
    }
}

/// One set of the cache.
private final class KeySet: Sendable {
    private struct State {
        var entries: [KeyCache.Entry] = []
        /// Where the next key goes when the set is full.
        var oldest = 0
    }

    private let state = Mutex(State())

    func find(_ hash: Int, _ numbers: KeyNumbers) -> PreparedKey? {
        state.withLock { state in
            for entry in state.entries where entry.hash == hash && entry.numbers == numbers {
                return entry.key
            }
            return nil
        }
    }

    func insert(_ entry: KeyCache.Entry) {
        state.withLock { state in
            // Two threads may have built the same key; the first stays.
            for known in state.entries where known.hash == entry.hash {
                if known.numbers == entry.numbers { return }
            }
            guard state.entries.count >= KeySet.capacity else {
                state.entries.append(entry)
                return
            }
            state.entries[state.oldest] = entry
            state.oldest = (state.oldest + 1) % KeySet.capacity
        }
    }

    var count: Int { state.withLock { $0.entries.count } }

    static let capacity = 16
}
