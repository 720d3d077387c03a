import Foundation
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// A table in a file, and everything that may happen to it there.
@Suite struct StoreFileTests {
    /// A file that is watched by notices alone: the regular look comes too seldom to help.
    private static let noticesOnly = FileWatching.notified(lookingEvery: .seconds(86_400))

    /// A store of a file in a folder, and its reports.
    private struct Watched {
        let world: StoreWorld
        let folder: TemporaryFolder
        let store: PolicyStore
        let recorder: StoreRecorder

        init(
            _ world: StoreWorld, _ folder: TemporaryFolder, path: String = "hawser.table",
            watching: FileWatching = StoreFileTests.noticesOnly
        ) throws {
            self.world = world
            self.folder = folder
            store = try PolicyStore(
                file: folder.at(path), configuration: world.configuration, watching: watching)
            recorder = StoreRecorder(store)
        }

        /// Puts a file in place by a rename.
        func replace(_ bytes: [UInt8], as name: String = "hawser.table") throws {
            try folder.write("incoming", bytes)
            #expect(rename(folder.at("incoming"), folder.at(name)) == 0)
        }
    }

    private func watched(
        watching: FileWatching = StoreFileTests.noticesOnly
    ) throws -> Watched {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("hawser.table", world.accepting)
        return try Watched(world, folder, watching: watching)
    }

    @Test(arguments: [
        StoreFileTests.noticesOnly, .polled(every: .milliseconds(5)),
    ])
    func aFileThatIsReplacedIsPutInForce(watching: FileWatching) throws {
        let watched = try watched(watching: watching)
        #expect(watched.store.judge(watched.world.request).isAccept)
        try watched.replace(watched.world.rejecting)
        watched.recorder.expect("installed 2")
        #expect(!watched.store.judge(watched.world.request).isAccept)
        try watched.replace(watched.world.accepting)
        watched.recorder.expect("installed 2", "installed 3")
        #expect(watched.store.judge(watched.world.request).isAccept)
    }

    @Test(arguments: [
        StoreFileTests.noticesOnly, .polled(every: .milliseconds(5)),
    ])
    func aFileThatIsRewrittenInPlaceIsPutInForceWhenItIsWhole(watching: FileWatching) throws {
        let watched = try watched(watching: watching)
        let handle = try #require(
            FileHandle(forWritingAtPath: watched.folder.at("hawser.table")))
        let new = watched.world.rejecting
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(new.prefix(200)))
        #expect(watched.store.reload().map(words) == "refused truncated")
        #expect(watched.store.judge(watched.world.request).isAccept)
        try handle.write(contentsOf: Data(new.dropFirst(200)))
        try handle.close()
        watched.recorder.expect("refused truncated", "installed 2")
        #expect(!watched.store.judge(watched.world.request).isAccept)
    }

    /// The new table over the first half of the old one, and not yet over the second.
    @Test func halfOfTwoTablesIsNone() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        let old = try world.table(StoreWorld.policy("path: { maximum-intermediates: 2 }"))
        let new = try world.table(StoreWorld.policy("path: { maximum-intermediates: 3 }"))
        #expect(new.count == old.count)
        try folder.write("hawser.table", old)
        let watched = try Watched(world, folder)
        let path = folder.at("hawser.table")
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: Data(new.prefix(new.count / 2)))
        #expect(watched.store.reload().map(words) == "refused altered")
        try handle.write(contentsOf: Data(new.dropFirst(new.count / 2)))
        try handle.close()
        watched.recorder.expect("refused altered", "installed 2")
    }

    @Test func whatIsWrittenBesideTheFileIsNotRead() throws {
        let watched = try watched()
        try watched.folder.write("other.table", watched.world.rejecting)
        try watched.replace(watched.world.rejecting, as: "third.table")
        #expect(watched.store.reload().map(words) == "unchanged")
        #expect(watched.store.state.epoch == 1)
    }

    @Test func aBadFileIsRefusedOnceAndReplacedByAGoodOne() throws {
        let watched = try watched()
        try watched.replace(Array("no table".utf8))
        watched.recorder.expect("refused not-a-table")
        #expect(watched.store.judge(watched.world.request).isAccept)
        #expect(watched.store.state.lastRefused?.refusal.code == "not-a-table")
        #expect(watched.store.state.lastRefused?.origin == watched.folder.at("hawser.table"))
        try watched.replace(watched.world.rejecting)
        watched.recorder.expect("refused not-a-table", "installed 2")
        #expect(watched.store.state.lastRefused == nil)
    }

    /// One after the other in the watched path, each refused for its own reason while the table
    /// before decides; and then a start without the file.
    @Test func whateverIsDroppedIntoThePathIsRefusedForItsReason() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        func numbered(
            _ table: [UInt8], _ revision: UInt64, by key: TestKey = SignedPolicy.ann
        ) throws -> [UInt8] {
            try SignedPolicy.signed(
                PolicyTable(decoding: table, crypto: crypto), revision: revision, by: [key]
            ).encoded
        }
        try folder.write("hawser.table", try numbered(world.accepting, 7))
        var configuration = world.configuration
        configuration.trustedKeys = try SignedPolicy.trusted([SignedPolicy.ann])
        configuration.allowWaivers = false
        configuration.stateDirectory = folder.at("state")
        let path = folder.at("hawser.table")
        let next = try numbered(world.rejecting, 8)
        var corrupt = next
        corrupt[corrupt.count - 40] ^= 1
        var forged = next
        forged[forged.count - 1] ^= 1
        let waived = try world.table(StoreWorld.policy(StoreWorld.waiver))
        do {
            let store = try PolicyStore(
                file: path, configuration: configuration, watching: Self.noticesOnly)
            let recorder = StoreRecorder(store)
            var told: [String] = []
            for (code, bytes) in [
                ("altered", corrupt), ("bad-signature", forged),
                ("truncated", Array(next.dropLast(9))), ("unsigned", world.rejecting),
                ("not-enough-signatures", try numbered(world.rejecting, 8, by: SignedPolicy.eve)),
                ("older-revision", try numbered(world.rejecting, 6)),
                ("same-revision-other-content", try numbered(world.rejecting, 7)),
                ("waivers-not-allowed", try numbered(waived, 8)),
                ("not-a-table", Array("hawser: 1\n".utf8)),
            ] {
                try folder.write("incoming", bytes)
                #expect(rename(folder.at("incoming"), path) == 0)
                told.append("refused \(code)")
                recorder.expect(told)
                #expect(store.state.lastRefused?.refusal.code.rawValue == code)
                #expect(store.judge(world.request).isAccept)
            }
            // The live file, written in place and not to its end.
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data(next.prefix(next.count / 2)))
            try handle.close()
            recorder.expect(told + ["refused truncated"])
            #expect(store.judge(world.request).isAccept)
            #expect(store.snapshot.revision == 7)
        }
        for _ in 0..<2 {
            // With half a table in its place, and then with none.
            let restarted = try PolicyStore(
                file: path, configuration: configuration, watching: .onRequest)
            #expect(restarted.state.origin == "last-known-good")
            #expect(restarted.snapshot.revision == 7)
            #expect(restarted.judge(world.request).isAccept)
            unlink(path)
        }
    }

    @Test func aFileThatIsRemovedLeavesItsTableInForceUntilItComesBack() throws {
        let watched = try watched()
        #expect(unlink(watched.folder.at("hawser.table")) == 0)
        watched.recorder.expect("failed not-found")
        #expect(watched.store.judge(watched.world.request).isAccept)
        #expect(watched.store.state.lastFailed?.failure.code == "not-found")
        try watched.folder.write("hawser.table", watched.world.rejecting)
        watched.recorder.expect("failed not-found", "installed 2")
        #expect(watched.store.state.lastFailed == nil)
    }

    @Test func aFolderInThePlaceOfTheFileIsNotRead() throws {
        let watched = try watched()
        #expect(unlink(watched.folder.at("hawser.table")) == 0)
        try watched.folder.folder("hawser.table")
        watched.recorder.expect("failed not-regular")
        #expect(watched.store.judge(watched.world.request).isAccept)
    }

    /// As Kubernetes mounts configuration: the file is a link through a link that is exchanged.
    @Test func aFolderThatIsExchangedBehindALinkIsSeen() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("..2026_01/hawser.table", world.accepting)
        try folder.link("..data", to: "..2026_01")
        try folder.link("hawser.table", to: "..data/hawser.table")
        let watched = try Watched(world, folder)
        try folder.write("..2026_02/hawser.table", world.rejecting)
        try folder.link("..data_tmp", to: "..2026_02")
        #expect(rename(folder.at("..data_tmp"), folder.at("..data")) == 0)
        watched.recorder.expect("installed 2")
        #expect(!watched.store.judge(world.request).isAccept)
        try FileManager.default.removeItem(atPath: folder.at("..2026_01"))
        try folder.write("..2026_03/hawser.table", world.accepting)
        try folder.link("..data_tmp", to: "..2026_03")
        #expect(rename(folder.at("..data_tmp"), folder.at("..data")) == 0)
        watched.recorder.expect("installed 2", "installed 3")
    }

    /// What a link leads to lies in a folder of its own, which is watched as well.
    @Test func aFileThatIsReplacedBehindALinkIsSeen() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("elsewhere/real.table", world.accepting)
        try folder.folder("here")
        try folder.link("here/hawser.table", to: "../elsewhere/real.table")
        let watched = try Watched(world, folder, path: "here/hawser.table")
        try watched.replace(world.rejecting, as: "elsewhere/real.table")
        watched.recorder.expect("installed 2")
    }

    @Test func aFolderThatIsReplacedIsWatchedInThePlaceOfTheOldOne() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("policy/hawser.table", world.accepting)
        let watched = try Watched(world, folder, path: "policy/hawser.table")
        try folder.write("new/hawser.table", world.rejecting)
        #expect(rename(folder.at("policy"), folder.at("old")) == 0)
        #expect(rename(folder.at("new"), folder.at("policy")) == 0)
        watched.recorder.expect("installed 2")
        // The notices of the new folder come, and notices of the old folder do no harm.
        try folder.write("old/hawser.table", Array("no table".utf8))
        try watched.replace(world.accepting, as: "policy/hawser.table")
        watched.recorder.expect("installed 2", "installed 3")
        #expect(!watched.recorder.words.contains("refused not-a-table"))
    }

    @Test func aFolderThatIsRemovedIsFoundAgain() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("policy/hawser.table", world.accepting)
        let watched = try Watched(world, folder, path: "policy/hawser.table")
        try FileManager.default.removeItem(atPath: folder.at("policy"))
        watched.recorder.expect("failed not-found")
        try folder.write("policy/hawser.table", world.rejecting)
        watched.recorder.expect("failed not-found", "installed 2")
    }

    /// That a file still stands where it stood says nothing of its table.
    @Test(arguments: [
        FileWatching.notified(lookingEvery: .milliseconds(5)), .polled(every: .milliseconds(5)),
    ])
    func aFileThatIsStillThereConfirmsNothing(watching: FileWatching) throws {
        let watched = try watched(watching: watching)
        let confirmed = watched.store.state.confirmedAt
        watched.world.clock.advance(3_600)
        // The same octets once more, by a rename: who copies a file need not have asked anybody.
        try watched.replace(watched.world.accepting)
        for _ in 0..<20 { usleep(5_000) }
        #expect(watched.store.reload().map(words) == "unchanged")
        #expect(watched.recorder.words == [])
        #expect(watched.store.state.confirmedAt == confirmed)
        #expect(watched.store.state.counts.confirmed == 0)
        watched.store.confirm()
        #expect(watched.store.state.confirmedAt == confirmed.advanced(bySeconds: 3_600))
    }

    @Test func aStoreThatIsClosedWatchesNothing() throws {
        let watched = try watched()
        watched.store.close()
        try watched.replace(watched.world.rejecting)
        #expect(watched.store.reload() == nil)
        #expect(watched.store.judge(watched.world.request).isAccept)
    }

    /// Goes with the store that has it in a closure, and says so.
    private final class Sentinel: Sendable {
        let isGone: Monitor<Bool>

        init(_ isGone: Monitor<Bool>) { self.isGone = isGone }
        deinit { isGone.withLock { $0 = true } }
    }

    /// The thread that watches does not keep a store alive: it holds it for as long as a look
    /// takes.
    @Test func aStoreThatNobodyHasIsGone() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("hawser.table", world.accepting)
        let isGone = Monitor(false)
        func make() throws -> PolicyStore {
            var configuration = world.configuration
            let sentinel = Sentinel(isGone)
            configuration.admission = { _ in
                sentinel.isGone.withLock { $0 } ? .refused(reason: "gone") : .admitted
            }
            return try PolicyStore(
                file: folder.at("hawser.table"), configuration: configuration,
                watching: .polled(every: .milliseconds(5)))
        }
        do {
            let store = try make()
            #expect(store.judge(world.request).isAccept)
        }
        #expect(isGone.wait(until: Deadline(in: .seconds(60))) { $0 ? true : nil } == true)
    }

    @Test func anObserverMayAskForALookAndIsToldThatOneIsUnderWay() throws {
        let watched = try watched(watching: .onRequest)
        let answers = Monitor<[Bool]>([])
        watched.store.onChange { [weak store = watched.store] _ in
            answers.withLock { $0.append(store?.reload() == nil) }
        }
        try watched.replace(watched.world.rejecting)
        #expect(watched.store.reload().map(words) == "installed 2")
        #expect(answers.withLock { $0 } == [true])
    }

    @Test func aFileThatIsNoTableMakesNoStore() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        for (name, bytes, code) in [
            ("none", nil, "not-found"), ("text", Array("no table".utf8), "not-a-table"),
            ("short", Array(world.accepting.dropLast()), "truncated"),
        ] as [(String, [UInt8]?, String)] {
            if let bytes { try folder.write(name, bytes) }
            #expect(throws: PolicyStoreError.self) {
                try PolicyStore(file: folder.at(name), configuration: world.configuration)
            }
            do {
                _ = try PolicyStore(file: folder.at(name), configuration: world.configuration)
            } catch {
                #expect(error.source?.code.rawValue == code)
                #expect(error.lastKnownGood == nil)
            }
        }
    }

    private func words(_ reload: PolicyStore.ReloadOutcome) -> String {
        switch reload {
        case .offered(.installed(let snapshot)): return "installed \(snapshot.epoch)"
        case .offered(.unchanged): return "unchanged"
        case .offered(.refused(let refusal)): return "refused \(refusal.code)"
        case .sourceFailed(let failure): return "failed \(failure.code)"
        }
    }
}
