import CHawserABI
import CLibC
import Hawser
import Synchronization

/// A handle as C has it: a type for each kind of object, so that no object stands in the place of
/// an object of another kind.
protocol CHandle: Sendable {
    /// 0 in none.
    var number: UInt64 { get }

    init(number: UInt64)
}

extension hawser_store: CHandle {}
extension hawser_verdict: CHandle {}
extension hawser_evidence: CHandle {}
extension hawser_demands: CHandle {}
extension hawser_fetcher: CHandle {}

/// Handles: numbers that C holds in place of pointers, and the objects that they stand for.
///
/// A handle holds the kind of its object, the object's place, and the generation of that place. So
/// a handle that was freed, invented, or is of another kind is recognised without touching memory.
/// A caller that has looked an object up holds the object until it is done, even if the handle is
/// freed meanwhile.
///
/// Every verdict looks objects up. So objects that many threads look up are kept on several
/// shelves, each with a lock of its own. A thread uses the shelf that its address selects.
///
///     63    60 59                       20 19           0
///     kind     generation                  place
///
/// The generations of a place begin with a random number and go up by one. So processes give out
/// different handles: a handle that a program hands to another process, by mistake, is the handle
/// of nothing there. A child after `fork` continues from generations that its parent does not
/// reach: it skips a random number of them.
final class HandleTable<Object: AnyObject & Sendable, Handle: CHandle>: Sendable {
    private struct Slot: Sendable {
        var generation: UInt64
        /// The forks that had led to the process that made the object (`Forks.count`).
        var forks: UInt32
        var object: Object?
    }

    private final class Shelf: Sendable {
        let slots = Monitor<[Slot]>([])
    }

    private struct Ledger: Sendable {
        /// The generation of the object at each place, or of the last object that was there.
        var generations: [UInt64] = []
        var isTaken: [Bool] = []
        var free: [Int] = []
        /// The forks that had led to the process that added the last object.
        var forks: UInt32 = 0

        /// Makes the free places of a child's table differ from its parent's.
        mutating func enter(forks now: UInt32) {
            guard forks != now else { return }
            forks = now
            for place in free { generations[place] += UInt64.random(in: 1...mostSkipped) }
            free.removeAll { generations[$0] >= lastGeneration }
        }
    }

    private static var placeBits: UInt64 { 20 }
    private static var generationBits: UInt64 { 40 }
    private static var lastGeneration: UInt64 { 1 << generationBits - 1 }
    /// The first generation of a place is at most this, so half of the generations are left.
    private static var mostBegun: UInt64 { lastGeneration / 2 }
    /// The most generations that a child skips. A line of a hundred children, each of which uses
    /// the library, leaves a place usable.
    private static var mostSkipped: UInt64 { 1 << 32 }

    private let kind: UInt64
    private let limit: Int
    private let ledger = Monitor(Ledger())
    private let shelves: [Shelf]

    /// Makes a table.
    ///
    /// - Parameters:
    ///   - kind: 1 to 15, different for each table.
    ///   - limit: most objects that may be alive at a time, at most 2^20.
    ///   - shelves: the number of shelves, each of which holds every object; 1 where two threads
    ///     seldom look up at the same time.
    init(kind: UInt64, limit: Int, shelves: Int) {
        self.kind = kind & 0xF
        self.limit = min(limit, 1 << Int(Self.placeBits))
        self.shelves = (0..<max(1, shelves)).map { _ in Shelf() }
    }

    /// Adds an object and returns its handle; nil when too many objects are alive.
    func insert(_ object: Object) -> Handle? {
        guard Forks.begin() else { return nil }
        return ledger.withLock { ledger in
            let forks = Forks.count
            ledger.enter(forks: forks)
            let place: Int
            if let free = ledger.free.popLast() {
                place = free
            } else {
                place = ledger.generations.count
                guard place < limit else { return nil }
                ledger.generations.append(UInt64.random(in: 1...Self.mostBegun))
                ledger.isTaken.append(false)
            }
            ledger.generations[place] += 1
            ledger.isTaken[place] = true
            let generation = ledger.generations[place]
            for shelf in shelves {
                shelf.slots.withLock { slots in
                    let slot = Slot(generation: generation, forks: forks, object: object)
                    if place < slots.count { slots[place] = slot } else { slots.append(slot) }
                }
            }
            return Handle(number: kind << 60 | generation << Self.placeBits | UInt64(place))
        }
    }

    /// The object of a handle; nil where the handle has none.
    func object(_ handle: Handle) -> Object? {
        guard let (place, generation) = parts(handle.number) else { return nil }
        return shelves[nearest].slots.withLock { slots in
            guard place < slots.count, slots[place].generation == generation,
                slots[place].forks == Forks.count
            else { return nil }
            return slots[place].object
        }
    }

    /// Whether a number belongs to an object of the process that forked this one.
    func isOfParent(_ number: UInt64) -> Bool {
        guard let (place, generation) = parts(number) else { return false }
        return shelves[nearest].slots.withLock { slots in
            place < slots.count && slots[place].generation == generation
                && slots[place].forks != Forks.count
        }
    }

    /// Removes an object and returns it. Of several callers with one handle, only one receives the
    /// object.
    func remove(_ handle: Handle) -> Object? {
        guard let (place, generation) = parts(handle.number) else { return nil }
        return ledger.withLock { ledger in
            guard place < ledger.generations.count, ledger.generations[place] == generation,
                ledger.isTaken[place], !isOfParent(handle.number)
            else { return nil }
            ledger.isTaken[place] = false
            // A place whose generations are used up is never used again.
            if generation < Self.lastGeneration { ledger.free.append(place) }
            var object: Object?
            for shelf in shelves {
                shelf.slots.withLock { slots in
                    object = slots[place].object
                    slots[place].object = nil
                }
            }
            return object
        }
    }

    /// Takes every lock of the table, before a fork: no thread is inside then, so the child finds
    /// the table whole.
    func holdForFork() {
        ledger.hold()
        for shelf in shelves { shelf.slots.hold() }
    }

    /// Gives the locks back, after a fork, in the parent and in the child.
    func releaseAfterFork() {
        for shelf in shelves.reversed() { shelf.slots.release() }
        ledger.release()
    }

    private func parts(_ number: UInt64) -> (place: Int, generation: UInt64)? {
        guard number >> 60 == kind else { return nil }
        let place = Int(number & (1 << Self.placeBits - 1))
        let generation = number >> Self.placeBits & (1 << Self.generationBits - 1)
        return generation == 0 ? nil : (place, generation)
    }

    /// The shelf of this thread.
    private var nearest: Int { ThreadPlace.index(among: shelves.count) }
}

/// The tables of all handles that C holds.
///
/// A child after `fork` has copies of its parent's objects and none of its threads, so nobody there
/// would follow a table's file: an object of the parent is refused in the child. The child may open
/// stores of its own.
enum Handles {
    /// Stores. Every verdict looks one up.
    static let stores = HandleTable<ServedPolicy, hawser_store>(
        kind: 0xA, limit: Int(HAWSER_LIMIT_STORES), shelves: 16)
    /// Verdicts.
    static let verdicts = HandleTable<HeldVerdict, hawser_verdict>(
        kind: 0xB, limit: 1 << 20, shelves: 1)
    /// Evidence. Every verdict with prepared evidence looks some up.
    static let evidence = HandleTable<HeldEvidence, hawser_evidence>(
        kind: 0xC, limit: 1 << 20, shelves: 4)
    /// Demands.
    static let demands = HandleTable<HeldDemands, hawser_demands>(
        kind: 0xD, limit: 1 << 20, shelves: 1)
    /// Fetchers. Every verdict with fetching looks one up.
    static let fetchers = HandleTable<HeldFetcher, hawser_fetcher>(
        kind: 0xE, limit: Int(HAWSER_LIMIT_FETCHERS), shelves: 4)

    /// Every table, in the order in which a fork takes their locks.
    private static let all: [any ForkedTable] = [stores, verdicts, evidence, demands, fetchers]

    /// Whether a number belongs to an object of the process that forked this one.
    static func isOfParent(_ number: UInt64) -> Bool {
        all.contains { $0.isOfParent(number) }
    }

    fileprivate static func holdForFork() {
        for table in all { table.holdForFork() }
    }

    fileprivate static func releaseAfterFork() {
        for table in all.reversed() { table.releaseAfterFork() }
    }
}

/// What a fork asks of a table, whatever its objects are.
private protocol ForkedTable: Sendable {
    func isOfParent(_ number: UInt64) -> Bool
    func holdForFork()
    func releaseAfterFork()
}

extension HandleTable: ForkedTable {}

extension HandleTable {
    /// The object of a handle.
    ///
    /// - Throws: `HAWSER_E_MISUSE` where the handle has none; `what` names the kind of object.
    func held(_ handle: Handle, _ what: String) throws(CallFailure) -> Object {
        guard let object = object(handle) else { throw .misuse(handle, what) }
        return object
    }

    /// Frees the object of a handle, as a function of hawser.h does; 0 is freed without effect.
    ///
    /// - Throws: `HAWSER_E_MISUSE` where the handle has no object; `what` names the kind of object.
    func free(_ handle: Handle, _ what: String) throws(CallFailure) -> Int {
        guard handle.number != 0 else { return HAWSER_OK }
        guard remove(handle) != nil else { throw .misuse(handle, what) }
        return HAWSER_OK
    }
}

extension CallFailure {
    /// A handle that no object has.
    static func misuse(_ handle: some CHandle, _ what: String) -> CallFailure {
        let number = handle.number
        if Handles.isOfParent(number) {
            return CallFailure(
                HAWSER_E_MISUSE, "forked",
                "0x\(String(number, radix: 16)) is of the process that forked this one, whose "
                    + "threads are not here to follow a table: open stores after the fork")
        }
        return CallFailure(
            HAWSER_E_MISUSE, number == 0 ? "no-object" : "not-an-object",
            number == 0
                ? "0 is no \(what)"
                : "0x\(String(number, radix: 16)) is no \(what) that is alive: it was freed, is of "
                    + "another kind, or was never given out")
    }
}

/// Counts the forks that led to this process since the library was first used.
enum Forks {
    private static let counted = Atomic<UInt32>(0)

    /// Whether the system calls the functions below at each fork. Asked before an object is made.
    private static let isRegistered: Bool =
        pthread_atfork(
            { Handles.holdForFork() }, { Handles.releaseAfterFork() },
            {
                counted.wrappingAdd(1, ordering: .sequentiallyConsistent)
                Handles.releaseAfterFork()
            }) == 0

    /// The number of forks, which differs between a process and every child of it.
    static var count: UInt32 { counted.load(ordering: .relaxed) }

    /// Begins to count. Returns false when the system has no memory left for that.
    static func begin() -> Bool { isRegistered }
}
