import CHawser
import CHawserABI
import Foundation
import Testing
import TrustEngine

/// The condition of a store, as C asks for it.
@Suite struct StoreConditionTests {
    private let world: PolicyWorld

    init() throws { world = try PolicyWorld() }

    @Test func aFreshStoreHasNothingToComplainOf() {
        let store = CalledAsC.open(world.table) { $0.name = nil }
        defer { _ = hawser_store_close(store) }
        let state = CalledAsC.state(store)
        #expect(state.watching == UInt32(HAWSER_WATCHING_NOTHING))
        #expect(state.directory == UInt32(HAWSER_DIRECTORY_NONE))
        #expect(state.failure == UInt32(HAWSER_FAILURE_NONE))
        #expect(state.failed_at == 0 && state.damage_count == 0)
        #expect(state.has_stale_after == 0 && state.has_issued == 0 && state.has_expires == 0)
        #expect(state.installed == 1 && state.refused == 0)
        #expect(CalledAsC.text(ofStore: store, HAWSER_TEXT_NAME) == "default")
        #expect(CalledAsC.text(ofStore: store, HAWSER_TEXT_ORIGIN) == "program")
        for which in [
            HAWSER_TEXT_DIRECTORY, HAWSER_TEXT_DIRECTORY_REASON, HAWSER_TEXT_DIRECTORY_MESSAGE,
            HAWSER_TEXT_DAMAGE_REASON, HAWSER_TEXT_WATCHING_REASON, HAWSER_TEXT_WATCHING_MESSAGE,
        ] {
            #expect(
                hawser_store_text(store, UInt32(which), 0, nil, 0, nil)
                    == Int32(HAWSER_E_RANGE))
        }
    }

    @Test func eventsAreCountedAndTheLastFailureHasATime() throws {
        let store = CalledAsC.open(world.table) {
            $0.staleness = UInt32(HAWSER_STALE_WARN)
            $0.stale_after = 3_600
        }
        defer { _ = hawser_store_close(store) }
        let before = Int64(Date().timeIntervalSince1970)
        _ = hawser_store_reload(store, [1, 2, 3], 3, nil)
        try world.withRequest("good") { _ = hawser_evaluate(store, &$0, nil, nil, nil) }
        try world.withRequest("wrong-name") {
            var verdict = hawser_verdict()
            _ = hawser_explain(store, &$0, nil, &verdict, nil)
            _ = hawser_verdict_free(verdict)
        }
        var state = CalledAsC.state(store)
        #expect(state.refused == 1)
        #expect(state.failure == UInt32(HAWSER_FAILURE_TABLE))
        #expect(state.failed_at >= before)
        #expect(state.accepted == 1 && state.rejected == 1)
        #expect(state.has_stale_after == 1 && state.stale_after >= before + 3_600)
        #expect(hawser_store_confirm(store, nil) == Int32(HAWSER_OK))
        state = CalledAsC.state(store)
        #expect(state.confirmed == 1 && state.failure == UInt32(HAWSER_FAILURE_NONE))
        #expect(state.refused == 1)
    }

    @Test func aFileIsWatchedOrLookedAt() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(world.table).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for (follow, watching, interval) in [
            (HAWSER_FOLLOW_NEVER, HAWSER_WATCHING_NOTHING, Int64(0)),
            (HAWSER_FOLLOW_NOTIFIED, HAWSER_WATCHING_NOTIFIED, 0),
            (HAWSER_FOLLOW_POLLED, HAWSER_WATCHING_POLLED, 5_000),
        ] {
            var options = hawser_store_options()
            options.size = MemoryLayout<hawser_store_options>.size
            options.follow = UInt32(follow)
            var store = hawser_store()
            #expect(
                hawser_store_open_file(file.path, &options, &store, nil) == Int32(HAWSER_OK))
            // The thread that watches begins when it is given time.
            while CalledAsC.state(store).watching != UInt32(watching) { sched_yield() }
            #expect(CalledAsC.state(store).poll_interval == interval)
            #expect(CalledAsC.text(ofStore: store, HAWSER_TEXT_ORIGIN) == file.path)
            try FileManager.default.removeItem(at: file)
            _ = hawser_store_reload_file(store, nil)
            #expect(CalledAsC.state(store).failure == UInt32(HAWSER_FAILURE_SOURCE))
            try Data([1]).write(to: file)
            _ = hawser_store_reload_file(store, nil)
            #expect(CalledAsC.state(store).failure == UInt32(HAWSER_FAILURE_TABLE))
            #expect(CalledAsC.text(ofStore: store, HAWSER_TEXT_REFUSAL_ORIGIN) == file.path)
            try Data(world.table).write(to: file)
            _ = hawser_store_close(store)
        }
    }

    @Test func aDirectoryThatCannotBeUsedIsSaid() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let used = folder.path.withCString { path in
            CalledAsC.open(world.table) { $0.state_directory = path }
        }
        #expect(CalledAsC.state(used).directory == UInt32(HAWSER_DIRECTORY_USED))
        #expect(CalledAsC.text(ofStore: used, HAWSER_TEXT_DIRECTORY) == folder.path)
        #expect(CalledAsC.text(ofStore: used, HAWSER_TEXT_DIRECTORY_REASON) == nil)
        _ = hawser_store_close(used)
        // The folder belongs to the first store's name.
        let failed = folder.path.withCString { path in
            "another".withCString { name in
                CalledAsC.open(world.table) {
                    $0.state_directory = path
                    $0.name = name
                }
            }
        }
        #expect(CalledAsC.state(failed).directory == UInt32(HAWSER_DIRECTORY_FAILED))
        let reason = CalledAsC.text(ofStore: failed, HAWSER_TEXT_DIRECTORY_REASON)
        #expect(reason?.hasPrefix("state-directory") == true, "\(reason ?? "")")
        #expect(CalledAsC.text(ofStore: failed, HAWSER_TEXT_DIRECTORY_MESSAGE) != nil)
        _ = hawser_store_close(failed)
    }

    @Test func theDatesOfASignedTableAreTold() throws {
        let issued = UTCInstant(secondsSinceEpoch: 1_780_000_000)
        for expires in [nil, UTCInstant(secondsSinceEpoch: 4_000_000_000)] {
            let table = try SignedTable(
                table: world.table, revision: 3,
                terms: TableTerms(issued: issued, expires: expires), signatures: [])
            let store = CalledAsC.open(table.encoded)
            defer { _ = hawser_store_close(store) }
            let state = CalledAsC.state(store)
            #expect(state.has_issued == 1 && state.issued == issued.secondsSinceEpoch)
            #expect(state.has_expires == (expires == nil ? 0 : 1))
            #expect(state.expires == expires?.secondsSinceEpoch ?? 0)
        }
    }

    @Test func whatCannotBeIsRefused() {
        let store = CalledAsC.open(world.table)
        var error = hawser_error.ready
        var state = hawser_state()
        #expect(hawser_store_state(store, nil, &error) == Int32(HAWSER_E_ARGUMENT))
        #expect(error.word == "null-pointer")
        #expect(hawser_store_state(store, &state, &error) == Int32(HAWSER_E_ARGUMENT))
        #expect(error.word == "struct-size")
        state.size = MemoryLayout<hawser_state>.size
        _ = hawser_store_close(store)
        #expect(hawser_store_state(store, &state, &error) == Int32(HAWSER_E_MISUSE))
    }
}
