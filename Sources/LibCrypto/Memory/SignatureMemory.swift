import Synchronization
package import TrustEngine

/// Which certificates' signatures have verified under which keys. Nothing else is remembered: no
/// verdict, no failure.
///
/// # Bounds
///
/// The memory has a fixed number of slots. They are made in blocks of 64 as they are needed; a
/// block takes 5 KiB and stays. A signature belongs to one set of four slots, which the digest of
/// its certificate selects. A full set replaces a signature that was not found since the set last
/// looked for room (the "clock" algorithm). So the signatures of intermediates, which are found
/// all the time, outlive any number of end entities that are seen once.
///
/// # Why a reader needs no lock
///
/// A reader must not take half of one entry and half of another for an entry: the key of one and
/// the certificate of the other would be a signature that was never verified. Each slot has a
/// version. It is odd while a writer is inside, and each writer adds two. The words of a slot are
/// atomic, so that a torn read is a wrong value and never undefined.
///
/// - A writer makes the version odd with a compare-and-exchange (acquiring), so a slot has one
///   writer at a time; other writers give up. Then it stores the words (each releasing) and the
///   even version (releasing).
/// - A reader loads the version (acquiring) and takes an odd one for a miss. It loads the words
///   (each acquiring), and then the version again; a changed version is a miss.
///
/// Suppose the reader found the even version v both times. The first load made every store of the
/// writer that left v visible. Suppose one of the words came from a later writer. That word's store
/// released the store of the odd version before it, and the load of the word acquired it; then the
/// second load of the version could not give v. So all words are from the writer that left v, which
/// had verified this signature. A reader compares all 64 octets of both digests: the key of the
/// slot is the signature's whole name, not a shorter hash.
///
/// Readers write nothing but the mark "found", and only when it is not set.
package final class SignatureMemory: Sendable {
    /// The most signatures that any memory remembers: 5.2 MB.
    package static let largestCapacity = SignatureMemory.mostBlocks * SignatureBlock.slots

    /// The most signatures that this memory remembers.
    package let capacity: Int
    private let blocks: InlineArray<1_024, MadeOnce<SignatureBlock>>
    private let blockMask: UInt64

    /// A memory of at least `wanted` signatures: the next power of two from 64 to
    /// `largestCapacity`.
    package init(capacity wanted: Int) {
        var count = 1
        while count < SignatureMemory.mostBlocks, count * SignatureBlock.slots < wanted {
            count *= 2
        }
        self.capacity = count * SignatureBlock.slots
        self.blockMask = UInt64(count - 1)
        self.blocks = InlineArray { _ in MadeOnce() }
    }

    /// Whether a signature has verified before. It may be false for any signature.
    package func holds(_ signature: SignatureIdentity) -> Bool {
        let name = SignatureName(signature)
        return blocks[index(name)].ifMade { $0.holds(name) } ?? false
    }

    /// Remembers a signature that has just verified. While another thread writes to the same slot
    /// nothing is remembered.
    package func remember(_ signature: SignatureIdentity) {
        let name = SignatureName(signature)
        blocks[index(name)].make(SignatureBlock.init) { $0.remember(name) }
    }

    /// Number of signatures that are remembered now. Cost: linear in the capacity.
    package var count: Int {
        var count = 0
        for index in blocks.indices { count += blocks[index].ifMade { $0.count } ?? 0 }
        return count
    }

    private func index(_ name: SignatureName) -> Int {
        Int(name.certificate.1 & blockMask)
    }

    private static let mostBlocks = 1_024
}

extension SignatureMemory: CustomReflectable {
    /// An empty mirror, for the reason that `CertificateMemory` has.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The two digests of a signature as words.
private struct SignatureName: BitwiseCopyable {
    typealias Words = (UInt64, UInt64, UInt64, UInt64)
    let issuerKey: Words
    let certificate: Words

    init(_ signature: SignatureIdentity) {
        func words(_ digest: Digest) -> Words {
            (digest.word(0), digest.word(1), digest.word(2), digest.word(3))
        }
        issuerKey = words(signature.issuerKey)
        certificate = words(signature.certificate)
    }
}

/// Sixteen sets of four slots.
private final class SignatureBlock: Sendable {
    private let slots: InlineArray<64, SignatureSlot> = InlineArray { _ in SignatureSlot() }

    func holds(_ name: SignatureName) -> Bool {
        let first = SignatureBlock.firstSlot(of: name)
        for index in first..<first + SignatureBlock.ways where slots[index].holds(name) {
            return true
        }
        return false
    }

    func remember(_ name: SignatureName) {
        // Another thread may have verified the same signature at the same time.
        guard !holds(name) else { return }
        let first = SignatureBlock.firstSlot(of: name)
        for index in first..<first + SignatureBlock.ways where slots[index].isEmpty {
            // Another thread that is writing there may be writing this signature.
            slots[index].write(name)
            return
        }
        // The octets of the certificate's digest choose where the search for a victim begins.
        let start = Int(truncatingIfNeeded: name.certificate.2)
        for turn in 0..<SignatureBlock.ways {
            let slot = first + (start &+ turn) & (SignatureBlock.ways - 1)
            if !slots[slot].foundMark.take() {
                slots[slot].write(name)
                return
            }
        }
        slots[first + start & (SignatureBlock.ways - 1)].write(name)
    }

    var count: Int {
        var count = 0
        for index in slots.indices where !slots[index].isEmpty { count += 1 }
        return count
    }

    private static func firstSlot(of name: SignatureName) -> Int {
        Int(truncatingIfNeeded: name.certificate.0) & (slots - ways)
    }

    static let slots = 64
    /// Slots of one set.
    private static let ways = 4
}

/// One remembered signature. `SignatureMemory` says in which order its words are read and written.
private struct SignatureSlot: ~Copyable {
    /// Even: nobody writes; 0: nothing was written yet.
    private let version = Atomic<UInt64>(0)
    let foundMark = FoundMark()
    private let key0 = Atomic<UInt64>(0)
    private let key1 = Atomic<UInt64>(0)
    private let key2 = Atomic<UInt64>(0)
    private let key3 = Atomic<UInt64>(0)
    private let certificate0 = Atomic<UInt64>(0)
    private let certificate1 = Atomic<UInt64>(0)
    private let certificate2 = Atomic<UInt64>(0)
    private let certificate3 = Atomic<UInt64>(0)

    var isEmpty: Bool { version.load(ordering: .relaxed) == 0 }

    func holds(_ name: SignatureName) -> Bool {
        let before = version.load(ordering: .acquiring)
        guard before != 0, before & 1 == 0,
            certificate0.load(ordering: .acquiring) == name.certificate.0,
            certificate1.load(ordering: .acquiring) == name.certificate.1,
            certificate2.load(ordering: .acquiring) == name.certificate.2,
            certificate3.load(ordering: .acquiring) == name.certificate.3,
            key0.load(ordering: .acquiring) == name.issuerKey.0,
            key1.load(ordering: .acquiring) == name.issuerKey.1,
            key2.load(ordering: .acquiring) == name.issuerKey.2,
            key3.load(ordering: .acquiring) == name.issuerKey.3,
            version.load(ordering: .relaxed) == before
        else { return false }
        foundMark.set()
        return true
    }

    /// Replaces the signature of this slot, unless another thread is doing that.
    func write(_ name: SignatureName) {
        let before = version.load(ordering: .relaxed)
        guard before & 1 == 0,
            version.compareExchange(
                expected: before, desired: before + 1, successOrdering: .acquiring,
                failureOrdering: .relaxed
            ).exchanged
        else { return }
        certificate0.store(name.certificate.0, ordering: .releasing)
        certificate1.store(name.certificate.1, ordering: .releasing)
        certificate2.store(name.certificate.2, ordering: .releasing)
        certificate3.store(name.certificate.3, ordering: .releasing)
        key0.store(name.issuerKey.0, ordering: .releasing)
        key1.store(name.issuerKey.1, ordering: .releasing)
        key2.store(name.issuerKey.2, ordering: .releasing)
        key3.store(name.issuerKey.3, ordering: .releasing)
        foundMark.clear()
        version.store(before + 2, ordering: .releasing)
    }
}
