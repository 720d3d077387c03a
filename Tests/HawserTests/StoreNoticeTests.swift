import CLibC
import Testing

@testable import Hawser

/// How a store notices changes of its file, and its words when it notices late.
@Suite struct StoreNoticeTests {
    /// The regular look comes too seldom to help.
    private static let noticesOnly = FileWatching.notified(lookingEvery: .seconds(86_400))

    /// A folder two levels above the file is exchanged, as a deployment does by one rename.
    @Test func aFolderThatIsExchangedHigherUpIsSeen() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("release/etc/policy/hawser.table", world.accepting)
        try folder.write("next/etc/policy/hawser.table", world.rejecting)
        let store = try PolicyStore(
            file: folder.at("release/etc/policy/hawser.table"),
            configuration: world.configuration, watching: Self.noticesOnly)
        let recorder = StoreRecorder(store)
        #expect(rename(folder.at("release"), folder.at("before")) == 0)
        #expect(rename(folder.at("next"), folder.at("release")) == 0)
        recorder.expect("installed 2")
        #expect(!store.judge(world.request).isAccept)
        // The same once more: the route of the new folder is watched.
        #expect(rename(folder.at("release"), folder.at("next")) == 0)
        #expect(rename(folder.at("before"), folder.at("release")) == 0)
        recorder.expect("installed 2", "installed 3")
    }

    /// A link in the middle of the path leads elsewhere.
    @Test func aLinkThatIsExchangedHigherUpIsSeen() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("1/etc/hawser.table", world.accepting)
        try folder.write("2/etc/hawser.table", world.rejecting)
        try folder.link("current", to: "1")
        let store = try PolicyStore(
            file: folder.at("current/etc/hawser.table"), configuration: world.configuration,
            watching: Self.noticesOnly)
        let recorder = StoreRecorder(store)
        try folder.link("current.new", to: "2")
        #expect(rename(folder.at("current.new"), folder.at("current")) == 0)
        recorder.expect("installed 2")
    }

    /// The file's mark is too young to be believed for two seconds, so it is read at every look;
    /// its bytes are judged once.
    @Test func aBadFileIsOneRefusal() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("hawser.table", world.accepting)
        let store = try PolicyStore(
            file: folder.at("hawser.table"), configuration: world.configuration,
            watching: .polled(every: .milliseconds(2)))
        let recorder = StoreRecorder(store)
        try folder.write("bad", Array("no table".utf8))
        #expect(rename(folder.at("bad"), folder.at("hawser.table")) == 0)
        recorder.expect("refused not-a-table")
        // A look at the good table comes after many looks at the bad one.
        let looks = 50
        for _ in 0..<looks { usleep(2_000) }
        #expect(store.state.counts.refused == 1)
        // Every question gets an answer.
        _ = store.reload()
        #expect(store.state.counts.refused == 2)
        // The same bytes after a good table are refused anew.
        for (bytes, words) in [(world.rejecting, "installed 2"), (Array("no table".utf8), "")] {
            try folder.write("next", bytes)
            #expect(rename(folder.at("next"), folder.at("hawser.table")) == 0)
            if !words.isEmpty { recorder.expect(words) }
        }
        recorder.expect("installed 2", "refused not-a-table")
    }

    /// The file of a start is refused once too, not again by the first look.
    @Test func aBadFileAtTheStartIsOneRefusal() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("hawser.table", world.accepting)
        var configuration = world.configuration
        configuration.stateDirectory = folder.at("state")
        _ = try PolicyStore(
            file: folder.at("hawser.table"), configuration: configuration, watching: .onRequest)
        try folder.write("hawser.table", Array("no table".utf8))
        let store = try PolicyStore(
            file: folder.at("hawser.table"), configuration: configuration,
            watching: .polled(every: .milliseconds(2)))
        for _ in 0..<50 { usleep(2_000) }
        #expect(store.state.origin == "last-known-good")
        #expect(store.state.counts.refused == 1)
    }

    /// A system without notices: the file is looked at from the beginning, and the store says so.
    @Test func withoutNoticesTheFileIsLookedAtAtOnceAndTheStoreSaysSo() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("hawser.table", world.accepting)
        let lines = LogLines()
        let totals = MetricTotals()
        var configuration = world.configuration
        configuration.logger = lines.logger
        configuration.metrics = totals
        let reason = SourceFailure(code: "no-notices", context: "too many open files")
        configuration.makeWatch = { () throws(SourceFailure) in throw reason }
        let store = try PolicyStore(
            file: folder.at("hawser.table"), configuration: configuration,
            watching: Self.noticesOnly)
        let recorder = StoreRecorder(store)
        try folder.write("next", world.rejecting)
        #expect(rename(folder.at("next"), folder.at("hawser.table")) == 0)
        recorder.expect("installed 2")
        #expect(store.state.watching == .polled(every: .seconds(1), reason: reason))
        #expect(
            lines.all("warning: the system gives no notices").first?.hasSuffix(
                "code=no-notices every=1.0 seconds reason=too many open files store=default")
                == true)
        #expect(lines.all("warning: the system gives no notices").count == 1)
        #expect(totals["hawser_store_notified default"] == 0)
        #expect(totals["hawser_store_events default not-notified no-notices"] == 1)
    }

    /// The mark of a file that was written a moment ago does not show every change, so that each
    /// look reads the file. Bytes that the store took before do not come back.
    @Test func aYoungFileIsNotOfferedAgain() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("hawser.table", world.rejecting)
        let looks = Monitor(0)
        var configuration = world.configuration
        configuration.makeWatch = { () throws(SourceFailure) in
            looks.withLock { $0 += 1 }
            throw SourceFailure(code: "no-notices", context: "none here")
        }
        let store = try PolicyStore(
            file: folder.at("hawser.table"), configuration: configuration,
            watching: .notified(lookingEvery: .milliseconds(2)))
        let recorder = StoreRecorder(store)
        _ = store.offer(world.accepting, origin: "the program")
        recorder.expect("installed 2")
        // One look had begun before the offer, and two begin after it. The first of the two is over
        // when the second begins.
        let begun = looks.withLock { $0 }
        let end = Deadline(in: .seconds(60))
        #expect(looks.wait(until: end) { $0 >= begun + 2 ? true : nil } == true)
        #expect(store.judge(world.request).isAccept)
        // A file that is put in place anew is offered, also with the same bytes.
        try folder.write("next", world.rejecting)
        #expect(rename(folder.at("next"), folder.at("hawser.table")) == 0)
        recorder.expect("installed 2", "installed 3")
    }

    @Test func aStoreSaysHowItIsWatched() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("hawser.table", world.accepting)
        func watching(_ watching: FileWatching) throws -> PolicyStoreState.Watching {
            let store = try PolicyStore(
                file: folder.at("hawser.table"), configuration: world.configuration,
                watching: watching)
            let recorder = StoreRecorder(store)
            if watching != .onRequest {
                try folder.write(
                    "next",
                    store.judge(world.request).isAccept ? world.rejecting : world.accepting)
                #expect(rename(folder.at("next"), folder.at("hawser.table")) == 0)
                recorder.expect("installed 2")
            }
            return store.state.watching
        }
        #expect(try watching(Self.noticesOnly) == .notified)
        #expect(
            try watching(.polled(every: .milliseconds(5)))
                == .polled(every: .milliseconds(5), reason: nil))
        #expect(try watching(.onRequest) == .unwatched(reason: nil))
        let alone = try PolicyStore(table: world.accepting, configuration: world.configuration)
        #expect(alone.state.watching == .unwatched(reason: nil))
    }
}
