// Readers take the snapshot in force without a lock, and a writer puts another one in its place.
//
// The difficulty is the moment between a reader's load of the pointer and its retain: the writer
// may swap and release in between, and the reader would retain what is gone. So a reader says that
// it is in that moment, by a counter, and the writer lets go of the old snapshot only when nobody
// can be.
//
//     reader                                writer (one at a time)
//     r1  i = flip & 1                      w1  old = exchange(pointer, new)
//     r2  counter[shard][i] += 1            w2  twice: flip += 1, then wait until
//     r3  p = load(pointer)                     every shard of the set just left is 0
//     r4  retain(p)                         w3  release(old)
//     r5  counter[shard][i] -= 1
//
// Why nothing is released too early. All of these are sequentially consistent, so they have one
// order. A reader that loads `old` in r3 comes before w1, and its r2 before that. Its r5 is on the
// very counter that r2 was on, in whichever set. After w1 the writer sees each counter of both sets
// at zero at some instant. No counter is ever negative, and this reader's is at least one from r2
// to r5: so its r5 is past, and its retain with it. A reader that comes to r2 after that instant
// loads `new`, or what came later, and does not matter. It follows that which set a reader chose,
// and how old its look at `flip` is, has no part in the proof: two turns see both sets at zero.
//
// Why the writer comes to an end. Readers that begin after a flip count in the other set, so the
// set just left only empties: it can grow only by readers that were between r1 and r2 at the flip,
// each once. What the writer waits for is that a bounded number of threads get through five
// instructions; it yields to them. A reader never waits at all.
//
// Sixteen shards keep threads off each other's cache lines here. The retain in r4 is on one line
// for all; a verdict costs a thousand times more.

import Glibc
import Synchronization

/// A counted reference that many threads read without a lock and one at a time replaces.
///
/// `@unchecked Sendable`: what the pointer leads to is Sendable, and only the protocol above
/// touches it.
@safe final class SnapshotCell<Snapshot: AnyObject & Sendable>: @unchecked Sendable {
    /// Readers between two sets, on cache lines of their own: 128 octets, as processors fetch lines
    /// in pairs.
    private struct Shard: ~Copyable {
        let even = Atomic<Int>(0)
        let odd = Atomic<Int>(0)
        private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
            (0, 0, 0, 0, 0, 0, 0)
        private let morePadding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
            (0, 0, 0, 0, 0, 0, 0)
    }

    /// A power of two.
    private static var shardCount: Int { 16 }

    private let shards: UnsafeMutablePointer<Shard>
    private let flip = Atomic<Int>(0)
    private let pointer: Atomic<UnsafeRawPointer>
    /// How often another one was put in force; held by the writer.
    private let replacements = Monitor(0)

    init(_ snapshot: Snapshot) {
        unsafe shards = .allocate(capacity: Self.shardCount)
        for index in 0..<Self.shardCount {
            unsafe (shards + index).initialize(to: Shard())
        }
        unsafe pointer = Atomic(UnsafeRawPointer(Unmanaged.passRetained(snapshot).toOpaque()))
    }

    deinit {
        let last = unsafe pointer.load(ordering: .sequentiallyConsistent)
        unsafe Unmanaged<Snapshot>.fromOpaque(last).release()
        unsafe shards.deinitialize(count: Self.shardCount)
        unsafe shards.deallocate()
    }

    /// The snapshot in force. Waits for nobody.
    func load() -> Snapshot {
        let shard = unsafe shards + Self.shardOfThread()
        let isOdd = flip.load(ordering: .sequentiallyConsistent) & 1 == 1
        if isOdd {
            unsafe shard.pointee.odd.add(1, ordering: .sequentiallyConsistent)
        } else {
            unsafe shard.pointee.even.add(1, ordering: .sequentiallyConsistent)
        }
        let current = unsafe pointer.load(ordering: .sequentiallyConsistent)
        let snapshot = unsafe Unmanaged<Snapshot>.fromOpaque(current).retain().takeRetainedValue()
        if isOdd {
            unsafe shard.pointee.odd.subtract(1, ordering: .sequentiallyConsistent)
        } else {
            unsafe shard.pointee.even.subtract(1, ordering: .sequentiallyConsistent)
        }
        return snapshot
    }

    /// Puts another snapshot in force. The one before is let go of when no reader can be taking it
    /// any more; who has taken it keeps it.
    func store(_ snapshot: Snapshot) {
        replacements.withLock { count in
            count &+= 1
            let new = unsafe UnsafeRawPointer(Unmanaged.passRetained(snapshot).toOpaque())
            let old = unsafe pointer.exchange(new, ordering: .sequentiallyConsistent)
            for _ in 0..<2 {
                let left = flip.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue & 1
                waitUntilEmpty(isOdd: left == 1)
            }
            unsafe Unmanaged<Snapshot>.fromOpaque(old).release()
        }
    }

    private func waitUntilEmpty(isOdd: Bool) {
        for index in 0..<Self.shardCount {
            while readers(index, isOdd) != 0 { sched_yield() }
        }
    }

    private func readers(_ index: Int, _ isOdd: Bool) -> Int {
        isOdd
            ? unsafe shards[index].odd.load(ordering: .sequentiallyConsistent)
            : unsafe shards[index].even.load(ordering: .sequentiallyConsistent)
    }

    /// Thread handles are addresses of equal distance: the multiplication spreads them over the
    /// shards.
    private static func shardOfThread() -> Int {
        let handle = UInt64(pthread_self())
        return Int((handle &* 0x9E37_79B9_7F4A_7C15) >> 60)
    }
}
