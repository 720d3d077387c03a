import Foundation
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// The state that a store keeps for the next start, and the parts that it does not believe.
@Suite struct StoreStateTests {
    private func configuration(
        _ world: StoreWorld, _ path: String
    ) -> PolicyStore.Configuration {
        var configuration = world.configuration
        configuration.stateDirectory = path
        return configuration
    }

    private func failure(_ body: () throws(PolicyStoreError) -> PolicyStore) -> PolicyStoreError? {
        do throws(PolicyStoreError) {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }

    @Test func aRestartWithoutTheSourceEnforcesWhatWasInForce() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        let state = configuration(world, folder.at("state"))
        try folder.write("hawser.table", world.rejecting)
        do {
            let store = try PolicyStore(
                file: folder.at("hawser.table"), configuration: state, watching: .onRequest)
            try folder.write("hawser.table", world.accepting)
            store.reload()
            #expect(store.state.stateDirectoryFailure == nil)
        }
        try FileManager.default.removeItem(atPath: folder.at("hawser.table"))
        world.clock.advance(3_600)
        let store = try PolicyStore(
            file: folder.at("hawser.table"), configuration: state, watching: .onRequest)
        #expect(store.judge(world.request).isAccept)
        #expect(store.state.origin == "last-known-good")
        #expect(store.state.lastFailed?.failure.code == "not-found")
        // A restart makes nothing fresher.
        #expect(store.state.confirmedAt == world.clock.now().advanced(bySeconds: -3_600))
        #expect(store.state.loadedAt == world.clock.now())
    }

    @Test func aBadSourceAtTheStartIsRefusedForWhatWasInForce() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        let state = configuration(world, folder.at("state"))
        _ = try PolicyStore(table: world.accepting, configuration: state)
        let store = try PolicyStore(
            table: Array("no table".utf8), configuration: state, origin: "elsewhere")
        #expect(store.judge(world.request).isAccept)
        #expect(store.state.lastRefused?.refusal.code == "not-a-table")
        #expect(store.state.lastRefused?.origin == "elsewhere")
        let silent = try PolicyStore(table: nil, configuration: state)
        #expect(silent.judge(world.request).isAccept)
        #expect(silent.state.lastRefused == nil)
    }

    @Test func aGoodSourceAtTheStartComesFirst() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        let state = configuration(world, folder.at("state"))
        _ = try PolicyStore(table: world.accepting, configuration: state)
        _ = try PolicyStore(table: world.rejecting, configuration: state)
        let store = try PolicyStore(table: nil, configuration: state)
        #expect(!store.judge(world.request).isAccept)
    }

    @Test func confirmationIsKept() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        let state = configuration(world, folder.at("state"))
        let store = try PolicyStore(table: world.accepting, configuration: state)
        world.clock.advance(600)
        store.confirm()
        let confirmed = world.clock.now()
        world.clock.advance(600)
        #expect(try PolicyStore(table: nil, configuration: state).state.confirmedAt == confirmed)
        // A clock that was set back does not take a table from the future.
        world.clock.advance(-86_400)
        #expect(
            try PolicyStore(table: nil, configuration: state).state.confirmedAt
                == world.clock.now())
    }

    @Test func whatIsKeptIsJudgedAsAnyTable() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        var state = configuration(world, folder.at("state"))
        _ = try PolicyStore(
            table: try world.table(StoreWorld.policy(StoreWorld.waiver)), configuration: state)
        state.allowWaivers = false
        let waived = failure { () throws(PolicyStoreError) in
            try PolicyStore(table: nil, configuration: state)
        }
        #expect(waived?.lastKnownGood?.code == "waivers-not-allowed")
        let kept = folder.at("state/\(StateDirectory.name)")
        let bytes = try Data(contentsOf: URL(filePath: kept))
        try bytes.dropLast(3).write(to: URL(filePath: kept))
        let cut = failure { () throws(PolicyStoreError) in
            try PolicyStore(table: Array("no table".utf8), configuration: state)
        }
        #expect(cut?.source?.code == "not-a-table")
        #expect(cut?.lastKnownGood?.code == "truncated")
        #expect(
            cut?.context
                == "no table can be put in force; the source: it does not begin as a policy table "
                + "does; the last-known-good table: \(bytes.count - 3) of \(bytes.count) bytes are "
                + "there")
    }

    @Test func nothingOfferedAndNothingKeptIsNoStore() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        let error = failure { () throws(PolicyStoreError) in
            try PolicyStore(table: nil, configuration: configuration(world, folder.at("state")))
        }
        #expect(error?.source == nil)
        #expect(error?.lastKnownGood == nil)
        #expect(
            error?.context
                == "no table can be put in force; no table was offered, and none is kept")
    }

    @Test func theFolderIsMadeForItsOwnerAlone() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        _ = try PolicyStore(
            table: world.accepting, configuration: configuration(world, folder.at("state")))
        var status = stat()
        #expect(stat(folder.at("state"), &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o700)
        #expect(stat(folder.at("state/\(StateDirectory.name)"), &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o600)
    }

    @Test(arguments: [0o755, 0o750, 0o701, 0o770] as [mode_t])
    func aFolderThatIsOpenToOthersIsNotUsed(mode: mode_t) throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        let path = folder.at("state")
        let state = configuration(world, path)
        _ = try PolicyStore(table: world.accepting, configuration: state)
        #expect(chmod(path, mode) == 0)
        // What stands in it may be anybody's: it is not put in force, and nothing is written there.
        let error = failure { () throws(PolicyStoreError) in
            try PolicyStore(table: nil, configuration: state)
        }
        #expect(error?.lastKnownGood?.code == "state-directory-open")
        #expect(error?.context.contains("or `chmod -R go= \(path)`") == true)
        let store = try PolicyStore(table: world.rejecting, configuration: state)
        #expect(store.state.stateDirectoryFailure?.code == .open)
        #expect(!store.judge(world.request).isAccept)
        let kept = try Data(contentsOf: URL(filePath: "\(path)/\(StateDirectory.name)"))
        #expect(Array(kept) == world.accepting)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
    func aFolderOfAnotherUserIsNotUsed() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.folder("state")
        #expect(chmod(folder.at("state"), 0o700) == 0)
        #expect(chown(folder.at("state"), 12_345, 12_345) == 0)
        let store = try PolicyStore(
            table: world.accepting, configuration: configuration(world, folder.at("state")))
        #expect(store.state.stateDirectoryFailure?.code == .foreign)
        #expect(store.judge(world.request).isAccept)
    }

    @Test func aFolderThatCannotBeMadeTakesNothingFromWhatIsInForce() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        try folder.write("state", "a file")
        let store = try PolicyStore(
            table: world.accepting, configuration: configuration(world, folder.at("state")))
        #expect(store.state.stateDirectoryFailure?.code == .unreadable)
        guard case .installed = store.offer(world.rejecting, origin: "test") else {
            Issue.record("it was not put in force")
            return
        }
    }

    /// The disk fails under a running store: an offer is put in force all the same.
    @Test func aFolderThatFailsLaterIsToldOfAndForgottenWhenItWorksAgain() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        let store = try PolicyStore(
            table: world.accepting, configuration: configuration(world, folder.at("state")))
        // A folder that is not empty stands where a file would be written.
        let obstacle = "state/new-\(StateDirectory.name)"
        try folder.folder("\(obstacle)/full")
        store.offer(world.rejecting, origin: "test")
        #expect(store.state.stateDirectoryFailure?.code == .unwritable)
        #expect(store.state.rollbackProtection.reason?.code == .unwritable)
        #expect(!store.judge(world.request).isAccept)
        #expect(
            try Array(Data(contentsOf: URL(filePath: folder.at("state/\(StateDirectory.name)"))))
                == world.accepting)
        try FileManager.default.removeItem(atPath: folder.at(obstacle))
        store.offer(world.accepting, origin: "test")
        #expect(store.state.stateDirectoryFailure == nil)
        #expect(store.state.rollbackProtection == .againstMistakes)
        #expect(
            try PolicyStore(
                table: nil, configuration: configuration(world, folder.at("state"))
            ).judge(world.request).isAccept)
    }

    /// What took the file's place is set aside, whatever it is.
    @Test func aFolderInThePlaceOfTheTableIsSetAside() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        let store = try PolicyStore(
            table: world.accepting, configuration: configuration(world, folder.at("state")))
        #expect(unlink(folder.at("state/\(StateDirectory.name)")) == 0)
        try folder.folder("state/\(StateDirectory.name)/full")
        store.offer(world.rejecting, origin: "test")
        #expect(store.state.stateDirectoryFailure == nil)
        #expect(
            try folder.names("state")
                == [
                    ".spare", ".store", StateDirectory.name, "\(StateDirectory.name).aside-1",
                    "record",
                ])
    }

    @Test func leftoversOfWritersThatWereKilledAreRemoved() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        let state = configuration(world, folder.at("state"))
        _ = try PolicyStore(table: world.accepting, configuration: state)
        try folder.write("state/new-4711-1", "half a table")
        try folder.write("state/kept-by-somebody", "else")
        _ = try PolicyStore(table: nil, configuration: state)
        #expect(
            try folder.names("state")
                == [".spare", ".store", "kept-by-somebody", StateDirectory.name, "record"])
    }

    @Test func aLinkInTheFolderIsNotFollowed() throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        let state = configuration(world, folder.at("state"))
        _ = try PolicyStore(table: world.accepting, configuration: state)
        try folder.write("elsewhere", world.rejecting)
        let kept = folder.at("state/\(StateDirectory.name)")
        #expect(unlink(kept) == 0)
        try folder.link("state/\(StateDirectory.name)", to: folder.at("elsewhere"))
        let error = failure { () throws(PolicyStoreError) in
            try PolicyStore(table: nil, configuration: state)
        }
        #expect(error?.lastKnownGood?.code == "state-directory-unreadable")
        // A good source puts things right: the link is replaced, and its target is untouched.
        let store = try PolicyStore(table: world.accepting, configuration: state)
        #expect(store.state.stateDirectoryFailure == nil)
        #expect(try Array(Data(contentsOf: URL(filePath: kept))) == world.accepting)
        #expect(
            try Array(Data(contentsOf: URL(filePath: folder.at("elsewhere")))) == world.rejecting)
        #expect(try folder.names("state").contains("\(StateDirectory.name).aside-1"))
    }

    // MARK: A directory that is removed under a running store

    /// As an operator does who begins anew, or a volume that is mounted late.
    @Test func aDirectoryThatIsRemovedAndMadeAgainIsUsedAgain() throws {
        let world = try StoreStateWorld()
        let store = try world.store(7)
        try FileManager.default.removeItem(atPath: world.folder.at("state"))
        #expect(mkdir(world.folder.at("state"), 0o700) == 0)
        store.confirm()
        #expect(store.state.stateDirectoryFailure == nil)
        #expect(try world.octets(StoreStateWorld.tableFile) == world.table(7))
        // Another process may have had a newer table there.
        #expect(store.state.rollbackProtection.reason?.code == .wiped)
        guard case .installed = store.offer(try world.table(8), origin: "test") else {
            Issue.record("a newer table was refused")
            return
        }
        #expect(try world.octets(StoreStateWorld.tableFile) == world.table(8))
        #expect(try world.started(7) == 8)
    }

    /// A directory that cannot be used at the start is tried again whenever something is kept.
    @Test func aDirectoryThatCouldNotBeUsedAtTheStartIsUsedLater() throws {
        let world = try StoreStateWorld()
        try world.folder.write("state", "a file")
        let store = try world.store(7)
        store.confirm()
        #expect(store.state.stateDirectoryFailure?.code == .unreadable)
        #expect(world.lines.all("error: the policy table in force is not kept").count == 1)
        try FileManager.default.removeItem(atPath: world.folder.at("state"))
        store.confirm()
        #expect(store.state.stateDirectoryFailure == nil)
        #expect(store.state.rollbackProtection == .on)
        #expect(try world.octets(StoreStateWorld.tableFile) == world.table(7))
        store.offer(try world.table(8), origin: "test")
        #expect(try world.octets(StoreStateWorld.tableFile) == world.table(8))
        #expect(try world.started(nil) == 8)
    }

    /// It may hold a newer table than the store could know at its start. Nothing is lost of it.
    @Test func aDirectoryThatIsUsedLaterProvesWhatItHolds() throws {
        let world = try StoreStateWorld()
        _ = try world.store(9)
        #expect(rename(world.folder.at("state"), world.folder.at("unmounted")) == 0)
        try world.folder.write("state", "a file")
        let store = try world.store(7)
        #expect(unlink(world.folder.at("state")) == 0)
        #expect(rename(world.folder.at("unmounted"), world.folder.at("state")) == 0)
        store.confirm()
        #expect(store.state.lastRefused?.refusal.code == "older-revision")
        #expect(try world.octets(StoreStateWorld.tableFile) == world.table(9))
        guard case .refused = store.offer(try world.table(8), origin: "test") else {
            Issue.record("a table that is older than the kept one was put in force")
            return
        }
        guard case .installed = store.offer(try world.table(10), origin: "test") else {
            Issue.record("a newer table was refused")
            return
        }
    }

    /// A store that made its directory makes it again.
    @Test func aDirectoryThatIsRemovedIsMadeAgain() throws {
        let world = try StoreStateWorld()
        let store = try world.store(7)
        try FileManager.default.removeItem(atPath: world.folder.at("state"))
        store.confirm()
        #expect(store.state.stateDirectoryFailure == nil)
        #expect(try world.started(nil) == 7)
    }

    /// Where state is required, a directory that is gone may be a volume that is not mounted.
    @Test func aRequiredDirectoryThatIsRemovedIsNotMade() throws {
        var world = try StoreStateWorld()
        world.configuration.state = .required
        #expect(mkdir(world.folder.at("state"), 0o700) == 0)
        let store = try world.store(7)
        #expect(store.state.stateDirectoryAge == .first)
        try FileManager.default.removeItem(atPath: world.folder.at("state"))
        store.confirm()
        #expect(store.state.stateDirectoryFailure?.code == .missing)
        #expect(mkdir(world.folder.at("state"), 0o700) == 0)
        store.confirm()
        #expect(store.state.stateDirectoryFailure == nil)
        #expect(try world.octets(StoreStateWorld.tableFile) == world.table(7))
    }

    /// A folder that others may write to is not used, though one that was closed stood there.
    @Test func aDirectoryThatIsMadeAgainIsHeldToTheSameRules() throws {
        let world = try StoreStateWorld()
        let store = try world.store(7)
        try FileManager.default.removeItem(atPath: world.folder.at("state"))
        #expect(mkdir(world.folder.at("state"), 0o700) == 0)
        #expect(chmod(world.folder.at("state"), 0o777) == 0)
        store.confirm()
        #expect(store.state.stateDirectoryFailure?.code == .open)
        #expect(chmod(world.folder.at("state"), 0o700) == 0)
        store.confirm()
        #expect(store.state.stateDirectoryFailure == nil)
    }

    // MARK: What the state says

    /// Damage that the log tells of stands in the state too.
    @Test func damageStandsInTheState() throws {
        let world = try StoreStateWorld()
        _ = try world.store(7)
        try world.change(StoreStateWorld.recordFile) { $0[12] ^= 1 }
        let store = try world.store(8)
        #expect(store.state.stateDirectoryAge == .named)
        #expect(store.state.stateDirectoryDamage.map(\.code) == [.damaged])
        for _ in 0..<20 {
            try world.change(StoreStateWorld.recordFile) { $0[12] ^= 1 }
            store.confirm()
        }
        #expect(store.state.stateDirectoryDamage.count == PolicyStoreState.mostDamage)
    }

    /// At a start no table was in force before, so the log does not speak of one.
    @Test func aRefusalAtTheStartDoesNotSpeakOfTheTableBefore() throws {
        let world = try StoreStateWorld()
        _ = try world.store(7)
        _ = try PolicyStore(
            table: Array("no table".utf8), configuration: world.configuration, origin: "here")
        #expect(world.lines.all("error: policy table refused code=not-a-table").count == 1)
        #expect(world.lines.all("warning: the source has no usable table").count == 1)
        _ = try PolicyStore(
            file: world.folder.at("none"), configuration: world.configuration,
            watching: .onRequest)
        #expect(world.lines.all("warning: no policy table to be had code=not-found").count == 1)
    }

    @Test func anEmptyTableIsSaidToBeEmpty() throws {
        let world = try StoreWorld()
        let failure = failure { () throws(PolicyStoreError) in
            try PolicyStore(table: [], configuration: world.configuration)
        }
        #expect(failure?.source?.code == "truncated")
        #expect(failure?.source?.context.hasPrefix("it is empty") == true)
    }

    /// A file stands where the state directory should be.
    @Test func aFileInThePlaceOfTheDirectoryIsSaidToBeOne() throws {
        let world = try StoreStateWorld()
        try world.folder.write("state", "text")
        let store = try world.store(7)
        #expect(
            store.state.stateDirectoryFailure?.context
                == "`\(world.folder.at("state"))` is not a folder: name one for this store alone")
    }
}
