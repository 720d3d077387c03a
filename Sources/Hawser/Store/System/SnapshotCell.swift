// Readers take the snapshot in force without a lock, and a writer replaces it.
//
// The difficulty is the moment between a reader's load of the pointer and its retain. The writer
// may exchange the pointer and release the old snapshot in this moment; then the reader would
// retain a freed snapshot. So a reader counts itself in a counter during this moment, and the
// writer releases the old snapshot only when no reader can be in it.
//
//     reader                                writer (one at a time)
//     r1  i = flip & 1                      w1  old = exchange(pointer, new)
//     r2  counter[shard][i] += 1            w2  twice: flip += 1, then wait until
//     r3  p = load(pointer)                     every shard of the set just left is 0
//     r4  retain(p)                         w3  release(old)
//     r5  counter[shard][i] -= 1
//
// Why no snapshot is released too early: all of these steps are sequentially consistent, so they
// have one order. A reader that loads `old` in r3 comes before w1, and its r2 comes before that.
// Its r5 changes the same counter as its r2, in whichever set. After w1 the writer sees each
// counter of both sets at zero at some instant. No counter is ever negative, and this reader's
// counter is at least one from r2 to r5. So at that instant its r5 is past, and its retain too. A
// reader that reaches r2 after that instant loads `new` or a later snapshot and does not matter. It
// does not matter either which set a reader chose, or how old its view of `flip` is, because two
// turns see both sets at zero.
//
// Why the writer comes to an end: readers that begin after a flip count in the other set, so the
// set just left only empties. It grows only by readers that were between r1 and r2 at the flip,
// each once. The writer waits until a bounded number of threads have passed five instructions, and
// it yields to them. A reader never waits.
//
// Sixteen shards keep threads off each other's cache lines here. The retain in r4 is on one line
// for all threads; a verdict costs a thousand times more.

import CLibC
import Synchronization

/// A counted reference that many threads read without a lock. One thread at a time replaces it.
///
/// `@unchecked Sendable`: the object that the pointer leads to is Sendable, and only the protocol
/// above touches the pointer.
@safe final class SnapshotCell<Snapshot: AnyObject & Sendable>: @unchecked Sendable {
    /// The counters of both sets, on separate cache lines: 128 octets, because processors fetch
    /// lines in pairs.
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
    /// How often a snapshot was replaced. The writer holds this monitor while it replaces one.
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

    /// The snapshot in force. The call never waits.
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

    /// Puts another snapshot in force. The old snapshot is released when no reader can be taking
    /// it. A reader that has taken the old snapshot keeps it.
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

    /// Thread handles are addresses at equal distances. The multiplication spreads them over the
    /// shards.
    private static func shardOfThread() -> Int {
        let handle = UInt64(hwlibc_thread())
        return Int((handle &* 0x9E37_79B9_7F4A_7C15) >> 60)
    }
}
