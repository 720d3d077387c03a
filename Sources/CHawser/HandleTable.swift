import Glibc
import Hawser

/// Numbers for C to hold in place of pointers, and what they stand for.
///
/// A number says of what kind it is, where its object stands and the how-manieth object that is
/// there, so one that was freed, made up, or is of another kind is told from a living one and
/// touches nothing. Whoever looks an object up holds it until it is done, whatever is freed
/// meanwhile.
///
/// Looking up is what every verdict does, so objects that many threads look up stand on several
/// shelves, each with a lock of its own, and a thread asks the shelf that is nearest to it.
///
///     63    60 59                       20 19           0
///     kind     generation, from 1          place
final class HandleTable<Object: AnyObject & Sendable>: Sendable {
    private struct Slot: Sendable {
        var generation: UInt64
        var object: Object?
    }

    private final class Shelf: Sendable {
        let slots = Monitor<[Slot]>([])
    }

    private struct Ledger: Sendable {
        /// Generation of the object at each place, or of the last one.
        var generations: [UInt64] = []
        var isTaken: [Bool] = []
        var free: [Int] = []
    }

    private static var placeBits: UInt64 { 20 }
    private static var generationBits: UInt64 { 40 }

    private let kind: UInt64
    private let limit: Int
    private let ledger = Monitor(Ledger())
    private let shelves: [Shelf]

    /// A table.
    ///
    /// - Parameters:
    ///   - kind: 1 to 15, another for each table.
    ///   - limit: most objects alive at a time, at most 2^20.
    ///   - shelves: how often each object is kept; 1 where it is seldom looked up by two threads.
    init(kind: UInt64, limit: Int, shelves: Int) {
        self.kind = kind & 0xF
        self.limit = min(limit, 1 << Int(Self.placeBits))
        self.shelves = (0..<max(1, shelves)).map { _ in Shelf() }
    }

    /// Takes an object in; nil when too many are alive.
    func insert(_ object: Object) -> UInt64? {
        ledger.withLock { ledger in
            let place: Int
            if let free = ledger.free.popLast() {
                place = free
            } else {
                place = ledger.generations.count
                guard place < limit else { return nil }
                ledger.generations.append(0)
                ledger.isTaken.append(false)
            }
            ledger.generations[place] += 1
            ledger.isTaken[place] = true
            let generation = ledger.generations[place]
            for shelf in shelves {
                shelf.slots.withLock { slots in
                    let slot = Slot(generation: generation, object: object)
                    if place < slots.count { slots[place] = slot } else { slots.append(slot) }
                }
            }
            return kind << 60 | generation << Self.placeBits | UInt64(place)
        }
    }

    /// The object that a number stands for; nil when it stands for none.
    func object(_ handle: UInt64) -> Object? {
        guard let (place, generation) = parts(handle) else { return nil }
        return shelves[nearest].slots.withLock { slots in
            guard place < slots.count, slots[place].generation == generation else { return nil }
            return slots[place].object
        }
    }

    /// Takes an object out. Of all who try, one gets it.
    func remove(_ handle: UInt64) -> Object? {
        guard let (place, generation) = parts(handle) else { return nil }
        return ledger.withLock { ledger in
            guard place < ledger.generations.count, ledger.generations[place] == generation,
                ledger.isTaken[place]
            else { return nil }
            ledger.isTaken[place] = false
            // A place whose generations are used up is left empty for good.
            if generation < 1 << Self.generationBits - 1 { ledger.free.append(place) }
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

    private func parts(_ handle: UInt64) -> (place: Int, generation: UInt64)? {
        guard handle >> 60 == kind else { return nil }
        let place = Int(handle & (1 << Self.placeBits - 1))
        let generation = handle >> Self.placeBits & (1 << Self.generationBits - 1)
        return generation == 0 ? nil : (place, generation)
    }

    /// Threads are told apart by the address of what the system keeps of each; a multiplication
    /// spreads it.
    private var nearest: Int {
        guard shelves.count > 1 else { return 0 }
        let spread = UInt64(pthread_self()) &* 0x9E37_79B9_7F4A_7C15
        return Int(spread >> 32) % shelves.count
    }
}

/// What C holds numbers of.
enum Handles {
    /// Stores; looked up for every verdict.
    static let stores = HandleTable<ServedPolicy>(kind: 0xA, limit: 65_536, shelves: 16)
    /// Verdicts.
    static let verdicts = HandleTable<HeldVerdict>(kind: 0xB, limit: 1 << 20, shelves: 1)
    /// Evidence; looked up for every verdict that is made with it.
    static let evidence = HandleTable<HeldEvidence>(kind: 0xC, limit: 1 << 20, shelves: 4)
}
