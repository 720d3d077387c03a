import CHawser
import CHawserABI
import Foundation
import Hawser
import Testing

/// When `hawser_store_close` has returned, no callback of the store runs on any thread, and none
/// begins.
@Suite struct ClosingTests {
    /// What callbacks share with those who watch them; its address is their context.
    private final class Scene: Sendable {
        struct State: Sendable {
            /// Callbacks that run.
            var inside = 0
            /// Callbacks so far.
            var begun = 0
            /// Whether a callback waits, once it has begun, until this is false again.
            var isHeld = false
            /// The store that a callback closes, and the answers that the callback got.
            var toClose = hawser_store()
            var answers: [Int32] = []
            /// Whether closing has returned, and how many callbacks ran at that instant.
            var isClosed = false
            var insideWhenClosed = 0
            /// Callbacks that began afterwards.
            var late = 0
            /// What calls on other threads were answered.
            var results: [Int32] = []
        }

        let state = Monitor(State())

        /// Never given back: a callback that comes too late is counted, and does not end the
        /// process.
        var context: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

        static func at(_ context: UnsafeMutableRawPointer?) -> Scene? {
            context.map { Unmanaged<Scene>.fromOpaque($0).takeUnretainedValue() }
        }

        /// What each callback does.
        func enter() {
            let toClose = state.withLock { state in
                state.inside += 1
                state.begun += 1
                if state.isClosed { state.late += 1 }
                defer { state.toClose = hawser_store() }
                return state.toClose
            }
            if toClose.number != 0 {
                let answer = hawser_store_close(toClose)
                state.withLock { $0.answers.append(answer) }
            }
            _ = state.wait(until: Scene.limit) { $0.isHeld ? nil : true }
            state.withLock { $0.inside -= 1 }
        }

        /// Closes a store, and notes what ran when that returned.
        func close(_ store: hawser_store) {
            let answer = hawser_store_close(store)
            state.withLock { state in
                state.answers.append(answer)
                state.isClosed = true
                state.insideWhenClosed = state.inside
            }
        }

        /// Waits for something to come true; false where it does not within a minute.
        func comes(_ isSo: (inout State) -> Bool) -> Bool {
            state.wait(until: Scene.limit) { isSo(&$0) ? true : nil } == true
        }

        static var limit: Deadline { Deadline(in: .seconds(60)) }
    }

    private let world: PolicyWorld
    private let ok = Int32(HAWSER_OK)

    init() throws { world = try PolicyWorld() }

    /// A store that logs to a scene; of a file, where there is one.
    private func opened(_ scene: Scene, file: String? = nil) -> hawser_store {
        var options = hawser_store_options()
        options.size = MemoryLayout<hawser_store_options>.size
        options.log = { context, _, _ in Scene.at(context)?.enter() }
        options.log_context = scene.context
        var store = hawser_store()
        if let file {
            #expect(hawser_store_open_file(file, &options, &store, nil) == ok)
        } else {
            #expect(
                hawser_store_open(world.table, world.table.count, &options, &store, nil) == ok)
        }
        return store
    }

    /// A store whose verdicts ask a check of a scene.
    private func openedWithCheck(_ scene: Scene) throws -> hawser_store {
        try world.opened(
            withCheck: { context, _, _, _ in
                Scene.at(context)?.enter()
                return 1
            }, context: scene.context)
    }

    /// Offers octets that are not a table, on a thread of its own: they are refused, and the
    /// refusal is logged.
    private func offer(_ store: hawser_store, _ scene: Scene) {
        #expect(
            BackgroundThread.start {
                let result = hawser_store_reload(store, [1, 2, 3], 3, nil)
                scene.state.withLock { $0.results.append(result) }
            })
    }

    /// Asks for a verdict on a thread of its own.
    private func ask(_ store: hawser_store, _ scene: Scene) {
        let world = world
        #expect(
            BackgroundThread.start {
                let result = try? world.withRequest("good") { request in
                    hawser_evaluate(store, &request, nil, nil, nil)
                }
                scene.state.withLock { $0.results.append(result ?? Int32(HAWSER_E_INTERNAL)) }
            })
    }

    /// Closes a store while one of its callbacks is held, and expects that closing waits for its
    /// end.
    private func expectThatClosingWaits(_ store: hawser_store, _ scene: Scene) {
        #expect(scene.comes { $0.inside == 1 })
        #expect(BackgroundThread.start { scene.close(store) })
        // Closing has begun once nobody finds the store any more.
        while hawser_store_text(store, 1, 0, nil, 0, nil) != Int32(HAWSER_E_MISUSE) {
            sched_yield()
        }
        let isEarly = scene.state.wait(until: Deadline(in: .milliseconds(200))) { state in
            state.isClosed ? true : nil
        }
        #expect(isEarly == nil, "closing returned while a callback ran")
        scene.state.withLock { $0.isHeld = false }
        #expect(scene.comes { $0.isClosed && $0.results.count == 1 })
        scene.state.withLock { state in
            #expect(state.insideWhenClosed == 0)
            #expect(state.answers == [ok])
            #expect(state.late == 0)
        }
    }

    @Test func closingWaitsForALogThatRuns() {
        let scene = Scene()
        let store = opened(scene)
        scene.state.withLock { $0.isHeld = true }
        offer(store, scene)
        expectThatClosingWaits(store, scene)
        #expect(scene.state.withLock { $0.results } == [Int32(HAWSER_E_TABLE)])
    }

    /// The verdict is the one that the check led to.
    @Test func closingWaitsForAVerdictThatAsksACheck() throws {
        let scene = Scene()
        let store = try openedWithCheck(scene)
        scene.state.withLock { $0.isHeld = true }
        ask(store, scene)
        expectThatClosingWaits(store, scene)
        #expect(scene.state.withLock { $0.results } == [ok])
    }

    /// The thread that watches a file logs, and one that offers tables, when the store is closed.
    @Test func noCallbackBeginsAfterClosing() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "policy.table")
        let tables = [
            Data(world.table), Data(try PolicyWorld.compile("hawser: 1\ndefault: deny\n")),
        ]
        try tables[0].write(to: file)
        var scenes: [Scene] = []
        for _ in 0..<40 {
            let scene = Scene()
            scenes.append(scene)
            let store = opened(scene, file: file.path)
            #expect(
                BackgroundThread.start {
                    while !scene.state.withLock({ $0.isClosed }) {
                        _ = hawser_store_reload(store, [1, 2, 3], 3, nil)
                    }
                    scene.state.withLock { $0.results.append(0) }
                })
            #expect(
                BackgroundThread.start {
                    var turn = 0
                    while !scene.state.withLock({ $0.isClosed }) {
                        turn += 1
                        try? tables[turn % 2].write(to: file, options: .atomic)
                    }
                    scene.state.withLock { $0.results.append(0) }
                })
            let begun = scene.state.withLock { $0.begun }
            #expect(scene.comes { $0.begun > begun + 4 })
            scene.close(store)
            #expect(scene.comes { $0.results.count == 2 })
        }
        for scene in scenes {
            scene.state.withLock { state in
                #expect(state.answers == [ok])
                #expect(state.insideWhenClosed == 0)
                #expect(state.late == 0)
            }
        }
    }

    @Test func aCallbackMayCloseItsOwnStore() throws {
        let logging = Scene()
        let log = opened(logging)
        logging.state.withLock { $0.toClose = log }
        offer(log, logging)
        #expect(logging.comes { $0.results.count == 1 })
        logging.state.withLock { state in
            #expect(state.answers == [ok])
            #expect(state.results == [Int32(HAWSER_E_TABLE)])
        }
        #expect(hawser_store_close(log) == Int32(HAWSER_E_MISUSE))

        let asking = Scene()
        let check = try openedWithCheck(asking)
        asking.state.withLock { $0.toClose = check }
        ask(check, asking)
        #expect(asking.comes { $0.results.count == 1 })
        asking.state.withLock { state in
            #expect(state.answers == [ok])
            #expect(state.results == [ok])
        }
    }

    /// The thread that watches a file is the one that closes its store.
    @Test func aCallbackOfAWatchedFileMayCloseItsStore() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(world.table).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let scene = Scene()
        let store = opened(scene, file: file.path)
        scene.state.withLock { $0.toClose = store }
        try Data([1, 2, 3]).write(to: file, options: .atomic)
        #expect(scene.comes { $0.answers == [ok] && $0.inside == 0 })
        #expect(hawser_store_close(store) == Int32(HAWSER_E_MISUSE))
    }

    /// Neither waits for the other.
    @Test func callbacksMayCloseEachOthersStores() {
        let one = Scene()
        let other = Scene()
        let first = opened(one)
        let second = opened(other)
        for scene in [one, other] { scene.state.withLock { $0.isHeld = true } }
        offer(first, one)
        offer(second, other)
        // Both are in their callbacks, which close now.
        #expect(one.comes { $0.inside == 1 } && other.comes { $0.inside == 1 })
        one.state.withLock { $0.isHeld = false }
        #expect(one.comes { $0.results.count == 1 })
        one.state.withLock { state in
            state.toClose = second
            state.results = []
        }
        offer(first, one)
        #expect(one.comes { $0.answers == [ok] }, "closing waits for a callback in a callback")
        #expect(other.state.withLock { $0.inside } == 1)
        other.state.withLock { $0.isHeld = false }
        #expect(other.comes { $0.results.count == 1 })
        one.close(first)
        #expect(one.state.withLock { $0.insideWhenClosed } == 0)
    }
}
