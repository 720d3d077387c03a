import Synchronization
import Testing

@testable import Hawser

/// Reading while another takes the place: nothing is lost, nothing is kept, nothing is read that is
/// gone.
@Suite struct StoreCellTests {
    /// Counts the objects of its kind that are alive.
    private final class Counted: Sendable {
        let number: Int
        /// Of the test, which are told apart by it.
        let counter: Counter
        private let alive = Mutex(true)

        init(_ number: Int, _ counter: Counter) {
            self.number = number
            self.counter = counter
            counter.living.add(1, ordering: .sequentiallyConsistent)
        }

        deinit {
            alive.withLock { $0 = false }
            counter.living.subtract(1, ordering: .sequentiallyConsistent)
        }

        var isAlive: Bool { alive.withLock { $0 } }
    }

    private final class Counter: Sendable {
        let living = Atomic<Int>(0)
    }

    @Test func theLastOneIsLetGoOfWithTheCell() {
        let counter = Counter()
        do {
            let cell = SnapshotCell(Counted(0, counter))
            #expect(cell.load().number == 0)
            cell.store(Counted(1, counter))
            #expect(cell.load().number == 1)
            #expect(counter.living.load(ordering: .sequentiallyConsistent) == 1)
        }
        #expect(counter.living.load(ordering: .sequentiallyConsistent) == 0)
    }

    @Test func whoHasTakenOneKeepsIt() {
        let counter = Counter()
        let cell = SnapshotCell(Counted(0, counter))
        let taken = cell.load()
        cell.store(Counted(1, counter))
        #expect(taken.isAlive)
        #expect(taken.number == 0)
        #expect(counter.living.load(ordering: .sequentiallyConsistent) == 2)
    }

    /// Eight threads read while ten thousand snapshots follow each other: each reader sees living
    /// ones only, in their order, and in the end one is left.
    @Test func threadsReadWhileOneTakesThePlaceOfAnother() {
        struct Progress: Sendable {
            var started = 0
            var ended = 0
            var reads = 0
            var faults = 0
        }
        let swaps = 10_000
        let readers = 8
        let counter = Counter()
        let cell = SnapshotCell(Counted(0, counter))
        let progress = Monitor(Progress())
        for _ in 0..<readers {
            let isStarted = BackgroundThread.start {
                progress.withLock { $0.started += 1 }
                var last = 0
                var reads = 0
                var faults = 0
                while last < swaps {
                    let snapshot = cell.load()
                    reads += 1
                    if !snapshot.isAlive || snapshot.number < last { faults += 1 }
                    last = snapshot.number
                }
                progress.withLock {
                    $0.ended += 1
                    $0.reads += reads
                    $0.faults += faults
                }
            }
            #expect(isStarted)
        }
        let limit = Deadline(in: .seconds(300))
        #expect(progress.wait(until: limit) { $0.started == readers ? true : nil } == true)
        for number in 1...swaps { cell.store(Counted(number, counter)) }
        #expect(progress.wait(until: limit) { $0.ended == readers ? true : nil } == true)
        let end = progress.withLock { $0 }
        #expect(end.faults == 0)
        #expect(end.reads >= readers)
        #expect(counter.living.load(ordering: .sequentiallyConsistent) == 1)
    }

    /// Writers wait for each other, so that each lets go of exactly the one that it replaced.
    @Test func writersDoNotMeet() {
        let counter = Counter()
        let cell = SnapshotCell(Counted(0, counter))
        let ended = Monitor(0)
        for writer in 0..<4 {
            let isStarted = BackgroundThread.start {
                for number in 0..<1_000 {
                    cell.store(Counted(writer * 1_000 + number, counter))
                    _ = cell.load().number
                }
                ended.withLock { $0 += 1 }
            }
            #expect(isStarted)
        }
        let limit = Deadline(in: .seconds(300))
        #expect(ended.wait(until: limit) { $0 == 4 ? true : nil } == true)
        #expect(counter.living.load(ordering: .sequentiallyConsistent) == 1)
    }
}
