import CLibC
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// One watcher follows the files of all stores of a process.
@Suite struct FileWatcherTests {
    private static let noticesOnly = FileWatching.notified(lookingEvery: .seconds(86_400))

    /// The words of a line of the victim: threads and descriptors.
    private func numbers(_ line: String?, after word: String) throws -> [Int] {
        let words = try #require(line).split(separator: " ")
        #expect(words.first.map(String.init) == word)
        return words.dropFirst().compactMap { Int($0) }
    }

    @Test func aHundredStoresAreFollowedByAFewThreads() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        let count = 100
        for place in 0..<count { try folder.write("\(place).table", world.accepting) }
        let victim = try VictimProcess(["follows", folder.path, "\(count)"])
        let began = try numbers(victim.line(), after: "began")
        let opened = try numbers(victim.line(), after: "opened")
        for place in 0..<count {
            try folder.write("next", world.rejecting)
            #expect(rename(folder.at("next"), folder.at("\(place).table")) == 0)
        }
        let installed = try numbers(victim.line(), after: "installed")
        // The main thread, the thread that waits, and the threads that look.
        #expect(opened[0] <= 8, "threads: \(opened[0])")
        #expect(installed[0] <= 8, "threads: \(installed[0])")
        // No descriptor for each store: one for notices and two to be woken.
        #expect(opened[1] <= 20, "descriptors: \(opened[1])")
        let closed = try numbers(victim.line(), after: "closed")
        #expect(closed[0] <= 8)
        // The last store is still followed; what happens to the files of the others is nothing.
        for place in [0, count - 1] {
            try folder.write("next", world.accepting)
            #expect(rename(folder.at("next"), folder.at("\(place).table")) == 0)
        }
        _ = try numbers(victim.line(), after: "last")
        let ended = try numbers(victim.line(), after: "ended")
        #expect(ended[0] == began[0])
        #expect(ended[1] < opened[1])
        #expect(victim.wait().status == 0)
    }

    /// Tables whose loading takes long, more of them than there are threads to look.
    @Test func storesThatLoadForLongHoldUpNoOther() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        let isOpen = Monitor(false)
        let waiting = Monitor(0)
        let slow = try (0..<9).map { place in
            try folder.write("\(place).table", world.accepting)
            var configuration = world.configuration
            configuration.admission = { engine in
                guard engine.table.ruleCount == 0 else { return .admitted }
                waiting.withLock { $0 += 1 }
                _ = isOpen.wait { $0 ? true : nil }
                return .admitted
            }
            return try PolicyStore(
                file: folder.at("\(place).table"), configuration: configuration,
                watching: Self.noticesOnly)
        }
        defer { isOpen.withLock { $0 = true } }
        try folder.write("quick.table", world.accepting)
        let quick = try PolicyStore(
            file: folder.at("quick.table"), configuration: world.configuration,
            watching: Self.noticesOnly)
        let recorders = slow.map { StoreRecorder($0) }
        let recorder = StoreRecorder(quick)
        for place in slow.indices {
            try folder.write("next", world.rejecting)
            #expect(rename(folder.at("next"), folder.at("\(place).table")) == 0)
        }
        let wait = Deadline(in: .seconds(60))
        #expect(waiting.wait(until: wait) { $0 >= 4 ? true : nil } == true)
        try folder.write("next", world.rejecting)
        #expect(rename(folder.at("next"), folder.at("quick.table")) == 0)
        recorder.expect("installed 2")
        for store in slow { #expect(store.snapshot.epoch == 1) }
        // Closing a store does not wait for its look.
        slow[0].close()
        isOpen.withLock { $0 = true }
        for place in slow.indices.dropFirst() { recorders[place].expect("installed 2") }
    }

    /// Stores whose routes share folders: what one gives back, the other keeps.
    @Test func foldersAreWatchedOnceAndGivenBackByTheLastFile() throws {
        let folder = try TemporaryFolder()
        try folder.write("one/table", [])
        try folder.write("two/table", [])
        let watch = try DirectoryWatch()
        #expect(watch.watch(FileRoute(of: folder.at("one/table")), for: 1) == .complete)
        let above = watch.folderCount - 1
        #expect(watch.watch(FileRoute(of: folder.at("two/table")), for: 2) == .complete)
        #expect(watch.watch(FileRoute(of: folder.at("two/other")), for: 3) == .complete)
        #expect(watch.folderCount == above + 2)
        watch.forget(2)
        #expect(watch.folderCount == above + 2)
        try folder.write("two/table", [1])
        try folder.write("two/other", [1])
        let wakeUp = try #require(WakeUp())
        #expect(watch.wait(milliseconds: 10_000, wakeUp) == [3: .file])
        // The file moves to another folder.
        #expect(watch.watch(FileRoute(of: folder.at("one/other")), for: 3) == .complete)
        #expect(watch.folderCount == above + 1)
        watch.forget(1)
        watch.forget(3)
        #expect(watch.folderCount == 0)
    }

    /// A good table comes while the process has no descriptor left. No notice comes when it has
    /// some again.
    @Test func aFileThatCannotBeOpenedIsTriedAgainSoon() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("hawser.table", world.accepting)
        try folder.write("next", world.rejecting)
        let victim = try VictimProcess([
            "starves", folder.at("hawser.table"), folder.at("next"),
        ])
        let lines = try victim.lines()
        #expect(victim.wait().status == 0)
        #expect(lines.first == "`\(folder.at("hawser.table"))`: Too many open files")
        let milliseconds = try #require(lines.last.flatMap { Int($0) })
        #expect(milliseconds < 20_000, "\(milliseconds) ms")
    }
}
