import Synchronization
import TrustEngine

/// Prepared keys that have verified a signature. Preparing a key costs 2 us (RSA, Ed25519) to 13 us
/// (EC) of the 16 to 60 us of a verification, and 20 to 80 us (ML-DSA) of its 240 to 610 us.
///
/// A thread takes a key out of the cache, is then its only user, and puts it back. So threads do
/// not wait for each other, keys are not shared, and a key is not freed while it is used: the
/// thread that holds it has the only reference. Threads that verify under the same key at the same
/// time each prepare a copy, and the cache keeps as many copies as it has room for.
///
/// The cache is bounded: 32 sets of 16 keys, made with the first key. The largest key, of
/// ML-DSA-87, takes 8 kB, so the cache takes 4 MB at most. A key comes into it only after a
/// signature has verified under it, so keys of useless certificates displace nothing. A copy
/// displaces nothing either. A key is found by its whole name, so a key that is found is certainly
/// the same key. Whether a key is remembered changes no answer.
///
/// Atomicity: a slot is emptied by an exchange (acquiring) and filled by a compare-and-exchange
/// or an exchange (releasing). Each of them moves one reference, and only one thread gets it. The
/// tag of a slot may belong to the key before or after; it only says where looking is worth it.
final class KeyCache: Sendable {
    private let sets = MadeOnce<KeySets>()

    /// Takes the prepared key with this name out of the cache; nil when the cache lacks it. The
    /// caller puts it back after its use.
    func take(_ name: KeyName) -> PreparedKey? {
        sets.ifMade { $0.take(name) } ?? nil
    }

    /// Puts back a key that was taken, or adds a key that is new. In a full set a new key replaces
    /// another, and a copy of a key that is there is given up.
    func put(_ key: PreparedKey) {
        sets.make(KeySets.init) { $0.put(key) }
    }

    /// Number of keys that are in the cache now.
    var count: Int { sets.ifMade { $0.count } ?? 0 }

    /// The most keys that are remembered.
    static let capacity = KeySets.slotCount
}

/// The name by which a prepared key is found.
enum KeyName: Hashable, Sendable {
    /// SHA-256 of the SubjectPublicKeyInfo that the key was parsed from.
    case subjectPublicKeyInfo(Digest)
    /// The numbers of the key, when its digest is not computed.
    case numbers(KeyNumbers)

    /// A number that is equal for equal names, and spread well over its low bits.
    fileprivate var tag: UInt64 {
        switch self {
        case .subjectPublicKeyInfo(let digest): return digest.word(0)
        case .numbers(let numbers): return UInt64(truncatingIfNeeded: numbers.hashValue)
        }
    }
}

/// The slots of a cache.
private final class KeySets: Sendable {
    private let slots: InlineArray<512, KeySlot> = InlineArray { _ in KeySlot() }

    deinit {
        for index in slots.indices { _ = slots[index].take() }
    }

    func take(_ name: KeyName) -> PreparedKey? {
        let tag = name.tag
        let first = KeySets.firstSlot(of: tag)
        for index in first..<first + KeySets.ways where slots[index].hasTag(tag) {
            guard let key = slots[index].take() else { continue }
            if key.name == name { return key }
            // Another key with the same tag, or one that has just taken this slot.
            _ = slots[index].offer(key, tag: key.name.tag)
        }
        return nil
    }

    func put(_ key: PreparedKey) {
        let tag = key.name.tag
        let first = KeySets.firstSlot(of: tag)
        var isKnown = false
        for index in first..<first + KeySets.ways where slots[index].hasTag(tag) {
            isKnown = true
            if slots[index].offer(key, tag: tag) { return }
        }
        // First the slots that no key has ever had, then those that are empty now.
        for index in first..<first + KeySets.ways where slots[index].hasTag(0) {
            if slots[index].offer(key, tag: tag) { return }
        }
        guard !isKnown else { return }
        for index in first..<first + KeySets.ways where slots[index].offer(key, tag: tag) {
            return
        }
        let turn = Int(truncatingIfNeeded: slots[first].nextTurn()) & (KeySets.ways - 1)
        slots[first + turn].replace(key, tag: tag)
    }

    var count: Int {
        var count = 0
        for index in slots.indices where !slots[index].isEmpty { count += 1 }
        return count
    }

    private static func firstSlot(of tag: UInt64) -> Int {
        Int(truncatingIfNeeded: tag) & (slotCount - ways)
    }

    static let slotCount = 512
    /// Slots of one set.
    private static let ways = 16
}

/// One slot. A reference in it counts as one reference to its key.
@safe private struct KeySlot: ~Copyable {
    private let tag = Atomic<UInt64>(0)
    private let key = unsafe Atomic<Unmanaged<PreparedKey>?>(nil)
    /// In the first slot of a set: how often the set has replaced a key.
    private let turns = Atomic<UInt64>(0)

    var isEmpty: Bool { unsafe key.load(ordering: .relaxed) == nil }

    func hasTag(_ wanted: UInt64) -> Bool { tag.load(ordering: .relaxed) == wanted }

    /// Empties the slot; nil when it was empty.
    func take() -> PreparedKey? {
        unsafe key.exchange(nil, ordering: .acquiring)?.takeRetainedValue()
    }

    /// Fills the slot if it is empty. Returns whether it was.
    func offer(_ new: PreparedKey, tag newTag: UInt64) -> Bool {
        let reference = unsafe Unmanaged.passRetained(new)
        let isDone = unsafe key.compareExchange(
            expected: nil, desired: reference, successOrdering: .releasing,
            failureOrdering: .relaxed
        ).exchanged
        guard isDone else {
            unsafe reference.release()
            return false
        }
        tag.store(newTag, ordering: .relaxed)
        return true
    }

    /// Fills the slot, whatever is in it.
    func replace(_ new: PreparedKey, tag newTag: UInt64) {
        let old = unsafe key.exchange(Unmanaged.passRetained(new), ordering: .acquiringAndReleasing)
        unsafe old?.release()
        tag.store(newTag, ordering: .relaxed)
    }

    func nextTurn() -> UInt64 { turns.wrappingAdd(1, ordering: .relaxed).oldValue }
}
