import CHawser
import CHawserABI
import Foundation
import Testing

/// Stores that go on where another one was, as in a child after `fork`.
@Suite struct ResumeTests {
    private let world: PolicyWorld

    init() throws { world = try PolicyWorld() }

    /// A policy that judges no host.
    private static func denying() throws -> [UInt8] {
        try PolicyWorld.compile("hawser: 1\ndefault: deny\n")
    }

    private func opened(_ table: [UInt8]) -> hawser_store {
        var store = hawser_store()
        _ = hawser_store_open(table, table.count, nil, &store, nil)
        return store
    }

    private func snapshot(_ store: hawser_store) -> hawser_snapshot {
        var snapshot = hawser_snapshot()
        snapshot.size = MemoryLayout<hawser_snapshot>.size
        #expect(hawser_store_snapshot(store, &snapshot, nil) == Int32(HAWSER_OK))
        return snapshot
    }

    private func table(_ store: hawser_store) -> [UInt8] {
        var length = 0
        #expect(hawser_store_table(store, nil, 0, &length, nil) == Int32(HAWSER_E_SMALL))
        var octets = [UInt8](repeating: 7, count: length)
        #expect(
            hawser_store_table(store, &octets, length - 1, &length, nil) == Int32(HAWSER_E_SMALL))
        #expect(octets.allSatisfy { $0 == 7 })
        #expect(hawser_store_table(store, &octets, length, &length, nil) == Int32(HAWSER_OK))
        return octets
    }

    private func resumed(
        _ table: [UInt8], _ was: hawser_snapshot, path: String? = nil, isWatched: Bool = false
    ) throws -> hawser_store {
        var (store, was) = (hawser_store(), was)
        var error = hawser_error.ready
        var options = hawser_store_options()
        options.size = MemoryLayout<hawser_store_options>.size
        options.follow = UInt32(isWatched ? HAWSER_FOLLOW_NOTIFIED : HAWSER_FOLLOW_NEVER)
        let result = hawser_store_resume(
            table, table.count, &was, path, &options, &store, &error)
        try #require(result == Int32(HAWSER_OK), "\(error.word)")
        return store
    }

    private func holds(_ store: hawser_store, _ epoch: UInt64) -> Bool {
        hawser_store_holds(store, epoch, world.host, world.host.utf8.count, 443, world.time, nil)
            == Int32(HAWSER_OK)
    }

    @Test func theTableInForce() throws {
        let store = opened(world.table)
        defer { _ = hawser_store_close(store) }
        #expect(table(store) == world.table)
        let denying = try Self.denying()
        _ = hawser_store_reload(store, denying, denying.count, nil)
        #expect(table(store) == denying)
        _ = hawser_store_reload(store, [1, 2, 3], 3, nil)
        #expect(table(store) == denying)
        var error = hawser_error.ready
        #expect(hawser_store_table(store, nil, 9, nil, &error) == Int32(HAWSER_E_ARGUMENT))
        #expect(hawser_store_table(hawser_store(), nil, 0, nil, &error) == Int32(HAWSER_E_MISUSE))
    }

    @Test func epochsGoOn() throws {
        let store = opened(try Self.denying())
        defer { _ = hawser_store_close(store) }
        _ = hawser_store_reload(store, world.table, world.table.count, nil)
        let was = snapshot(store)
        #expect(was.epoch == 2)
        let next = try resumed(table(store), was)
        defer { _ = hawser_store_close(next) }
        #expect(snapshot(next).epoch == 2)
        #expect(holds(next, 2))
        // The store does not know what the policies before it were.
        #expect(!holds(next, 1))
        #expect(!holds(next, 3))
        // The same meaning begins no epoch.
        _ = hawser_store_reload(next, world.table, world.table.count, nil)
        #expect(snapshot(next).epoch == 2)
        #expect(!holds(next, 1))
        let denying = try Self.denying()
        _ = hawser_store_reload(next, denying, denying.count, nil)
        #expect(snapshot(next).epoch == 3)
        #expect(!holds(next, 2))
        #expect(!holds(next, 1))
    }

    @Test func aForkMakesNoTableFresher() throws {
        let store = opened(world.table)
        defer { _ = hawser_store_close(store) }
        var was = snapshot(store)
        was.confirmed_at -= 1000
        let next = try resumed(world.table, was)
        defer { _ = hawser_store_close(next) }
        #expect(snapshot(next).confirmed_at == was.confirmed_at)
        // And a clock that was set back does not either.
        was.confirmed_at += 100_000
        let later = try resumed(world.table, was)
        defer { _ = hawser_store_close(later) }
        #expect(snapshot(later).confirmed_at < was.confirmed_at)
    }

    @Test func theFileIsReadLater() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let store = opened(world.table)
        defer { _ = hawser_store_close(store) }
        // Nothing is there, and the policy goes on all the same.
        let next = try resumed(table(store), snapshot(store), path: file.path)
        defer { _ = hawser_store_close(next) }
        #expect(hawser_store_reload_file(next, nil) == Int32(HAWSER_E_FILE))
        try Data([1, 2, 3]).write(to: file)
        #expect(hawser_store_reload_file(next, nil) == Int32(HAWSER_E_TABLE))
        #expect(table(next) == world.table)
        try Data(try Self.denying()).write(to: file)
        #expect(hawser_store_reload_file(next, nil) == Int32(HAWSER_OK))
        #expect(try table(next) == Self.denying())
    }

    @Test func aFileThatIsWatchedIsReadFirst() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let store = opened(world.table)
        defer { _ = hawser_store_close(store) }
        let cases: [(written: [UInt8]?, inForce: [UInt8])] = [
            (nil, world.table), ([1, 2, 3], world.table),
            (try Self.denying(), try Self.denying()),
        ]
        for (written, inForce) in cases {
            if let written { try Data(written).write(to: file) }
            let next = try resumed(
                table(store), snapshot(store), path: file.path, isWatched: true)
            #expect(table(next) == inForce)
            _ = hawser_store_close(next)
        }
    }

    @Test func whatIsRefused() throws {
        var was = hawser_snapshot()
        was.size = MemoryLayout<hawser_snapshot>.size
        var (store, error) = (hawser_store(number: 7), hawser_error.ready)
        let table = world.table
        #expect(
            hawser_store_resume(table, table.count, nil, nil, nil, &store, &error)
                == Int32(HAWSER_E_ARGUMENT))
        #expect(store.number == 0)
        #expect(
            hawser_store_resume(nil, 0, &was, nil, nil, &store, &error)
                == Int32(HAWSER_E_ARGUMENT))
        #expect(
            hawser_store_resume([1, 2, 3], 3, &was, nil, nil, &store, &error)
                == Int32(HAWSER_E_TABLE))
    }
}
