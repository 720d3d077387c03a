import CHawser
import CHawserABI
import Foundation
import Testing

/// A store that the program opens without options.
@Suite struct StoreDefaultsTests {
    private let world: PolicyWorld

    init() throws { world = try PolicyWorld() }

    /// A policy that silently never reloads is the worst default.
    @Test func aFileIsFollowed() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(PolicyWorld.compile("hawser: 1\ndefault: deny\n")).write(to: file)
        var options = hawser_store_options()
        options.size = MemoryLayout<hawser_store_options>.size
        try withUnsafePointer(to: options) { zeros in
            for options in [nil, zeros] {
                var store = hawser_store()
                #expect(
                    hawser_store_open_file(file.path, options, &store, nil) == Int32(HAWSER_OK))
                defer { _ = hawser_store_close(store) }
                while CalledAsC.state(store).watching != UInt32(HAWSER_WATCHING_NOTIFIED) {
                    sched_yield()
                }
                let installed = CalledAsC.state(store).installed
                let table =
                    options == nil
                    ? world.table : try PolicyWorld.compile("hawser: 1\ndefault: deny\n")
                try Data(table).write(to: file, options: .atomic)
                let end = ContinuousClock.now + .seconds(30)
                while CalledAsC.state(store).installed == installed, .now < end { usleep(10_000) }
                #expect(CalledAsC.state(store).installed == installed + 1)
            }
        }
    }
}
