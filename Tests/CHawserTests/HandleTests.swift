import CHawserABI
import Foundation
import Testing

@testable import CHawser

/// The numbers that C holds in place of objects.
@Suite struct HandleTests {
    private final class Thing: Sendable {}

    @Test func aTableTakesNoMoreObjectsThanItsLimit() throws {
        let table = HandleTable<Thing, hawser_evidence>(kind: 5, limit: 2, shelves: 2)
        let first = try #require(table.insert(Thing()))
        let second = try #require(table.insert(Thing()))
        #expect(table.insert(Thing())?.number == nil)
        #expect(table.object(first) != nil && table.object(second) != nil)
        // An object that is freed makes room for another one.
        #expect(table.remove(first) != nil)
        #expect(table.insert(Thing())?.number != nil)
        #expect(table.insert(Thing())?.number == nil)
    }

    /// If a second free made room again, two objects would get the same place.
    @Test func anObjectThatIsFreedTwiceMakesRoomForOneOther() throws {
        let table = HandleTable<Thing, hawser_evidence>(kind: 5, limit: 2, shelves: 2)
        let freed = try #require(table.insert(Thing()))
        #expect(table.remove(freed) != nil)
        #expect(table.remove(freed) == nil)
        let second = try #require(table.insert(Thing()))
        let third = try #require(table.insert(Thing()))
        #expect(table.object(second) != nil && table.object(third) != nil)
    }

    @Test func freeingNoneDoesNothing() {
        let ok = Int32(HAWSER_OK)
        #expect(hawser_store_close(hawser_store()) == ok)
        #expect(hawser_verdict_free(hawser_verdict()) == ok)
        #expect(hawser_evidence_free(hawser_evidence()) == ok)
        #expect(hawser_demands_free(hawser_demands()) == ok)
        #expect(hawser_fetcher_close(hawser_fetcher()) == ok)
    }

    /// The results of calls with objects, and the words of the calls that give one.
    private static func answers(
        _ store: hawser_store, _ verdict: hawser_verdict
    ) -> (results: [Int32], words: [String]) {
        var snapshot = hawser_snapshot()
        snapshot.size = MemoryLayout<hawser_snapshot>.size
        var outcome = hawser_outcome()
        outcome.size = MemoryLayout<hawser_outcome>.size
        var (asked, offered) = (hawser_error.ready, hawser_error.ready)
        let results = [
            hawser_store_snapshot(store, &snapshot, &asked),
            hawser_store_reload(store, [1, 2, 3], 3, &offered),
            hawser_verdict_outcome(verdict, &outcome),
            hawser_verdict_free(verdict), hawser_store_close(store),
        ]
        return (results, [asked.word, offered.word])
    }

    /// A process of its own forks: none of its threads is inside the library then, so the child
    /// may use the library.
    @Test func aChildHasNoneOfItsParentsObjectsAndMayMakeItsOwn() async {
        await #expect(processExitsWith: .success) {
            let world = try PolicyWorld()
            let store = CalledAsC.open(world.table)
            var verdict = hawser_verdict()
            try world.withRequest("good") { request in
                let judged = hawser_evaluate(store, &request, nil, &verdict, nil)
                #expect(judged == Int32(HAWSER_OK))
            }
            let misuse = [Int32](repeating: Int32(HAWSER_E_MISUSE), count: 5)
            let none = HandleTests.answers(hawser_store(number: 1), hawser_verdict(number: 1))
            #expect(none.results == misuse)
            #expect(none.words == ["not-an-object", "not-an-object"])
            // Swift does not offer `fork`.
            typealias Fork = @convention(c) () -> pid_t
            let symbol = try #require(dlsym(dlopen(nil, RTLD_NOW), "fork"))
            let child = unsafeBitCast(symbol, to: Fork.self)()
            try #require(child >= 0)
            if child == 0 {
                // A child that waits for a lock ends, too.
                alarm(30)
                let found = HandleTests.answers(store, verdict)
                let own = CalledAsC.open(world.table)
                var faults: Int32 = 0
                if found.results != misuse { faults |= 1 }
                if found.words != ["forked", "forked"] { faults |= 2 }
                if own.number == 0 || own.number == store.number { faults |= 4 }
                if hawser_store_close(own) != Int32(HAWSER_OK) { faults |= 8 }
                _exit(faults)
            }
            var status: Int32 = 0
            #expect(waitpid(child, &status, 0) == child)
            #expect(status == 0)
            // The numbers of the parent are good in the parent.
            #expect(hawser_verdict_free(verdict) == Int32(HAWSER_OK))
            #expect(hawser_store_close(store) == Int32(HAWSER_OK))
        }
    }
}
