import Foundation
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// Processes that share a state directory, and stores that should not.
@Suite struct StoreSharingTests {
    // MARK: One store in two processes

    @Test func aSecondProcessDoesNotLowerWhatIsKept() throws {
        let world = try StoreStateWorld()
        let store = try world.store(7)
        #expect(try world.victim(9).lines() == ["opened 9 on"])
        // Revision 8 is newer than the revision in force here, and older than the revision that was
        // in force there.
        guard case .refused(let refusal) = store.offer(try world.table(8), origin: "test") else {
            Issue.record("revision 8 was put in force behind 9")
            return
        }
        #expect(refusal == .olderRevision(8, newest: 9))
        #expect(store.snapshot.revision == 7)
        #expect(try world.kept().floor?.revision == 9)
        guard case .installed = store.offer(try world.table(9), origin: "test") else {
            Issue.record("what the other process enforces was refused")
            return
        }
        guard case .installed = store.offer(try world.table(10), origin: "test") else {
            Issue.record("a newer one was refused")
            return
        }
        #expect(try world.victim(9, 11).lines() == ["opened 10 on", "installed 11"])
        #expect(store.state.rollbackProtection == .on)
    }

    /// What another process kept is held once it is known, whatever becomes of the disk.
    @Test func aRefusedOfferRaisesTheFloor() throws {
        let world = try StoreStateWorld()
        let store = try world.store(7)
        _ = try world.victim(9).lines()
        for _ in 0..<2 {
            guard case .refused(let refusal) = store.offer(try world.table(8), origin: "test")
            else {
                Issue.record("revision 8 was put in force behind 9")
                return
            }
            #expect(refusal == .olderRevision(8, newest: 9))
            for file in try world.folder.names("state") { unlink(world.at(file)) }
        }
    }

    /// A source that is behind does not keep an old table fresh.
    @Test func whatIsBehindAnotherProcessIsNotConfirmed() throws {
        var world = try StoreStateWorld()
        world.configuration.staleness = .reject(after: .seconds(60))
        let store = try world.store(7)
        let recorder = StoreRecorder(store)
        _ = try world.victim(9).lines()
        let confirmed = try world.kept().table?.confirmed
        world.world.clock.advance(61)
        store.confirm()
        #expect(recorder.words == ["refused older-revision"])
        #expect(store.state.isStale)
        #expect(store.state.lastRefused?.refusal == .olderRevision(7, newest: 9))
        guard case .refused = store.offer(try world.table(7), origin: "test") else {
            Issue.record("what is in force was confirmed by a source that is behind")
            return
        }
        #expect(try world.kept().table?.confirmed == confirmed)
        // Once known it is held, whatever becomes of the disk.
        #expect(chmod(world.folder.at("state"), 0o700) == 0)
        world.remove(
            StoreStateWorld.tableFile, StoreStateWorld.recordFile, StoreStateWorld.markFile)
        guard case .refused = store.offer(try world.table(8), origin: "test") else {
            Issue.record("revision 8 was put in force behind 9")
            return
        }
    }

    /// Every process puts tables in force in an order of its own; the kept revision only ever
    /// rises.
    @Test func whateverTheOrderTheNewestIsKept() throws {
        let world = try StoreStateWorld()
        let processes = try [
            world.victim(3, 5, 11, 4, 20), world.victim(2, 9, 8, 14, 19),
            world.victim(13, 6, 17, 10, 15), world.victim(1, 16, 7, 18, 12),
        ]
        for process in processes {
            // Each has its own newest in force, or a newer one of the others.
            var newest = 0
            for line in try process.lines() {
                let words = line.split(separator: " ")
                if words[0] == "refused" {
                    #expect(words[1] == "older-revision")
                } else {
                    let revision = try #require(Int(words[1]))
                    #expect(revision > newest)
                    newest = revision
                }
            }
            #expect(process.wait().status == 0)
        }
        #expect(try world.started(nil) == 20)
        #expect(try world.folder.names("state") == StoreStateWorld.files)
    }

    // MARK: Stores that trust different keys

    /// The record that another store wrote names the table of that store first.
    @Test func aNewerTableThatAnotherStoreReplacedIsKeptAnew() throws {
        let ann = try StoreStateWorld()
        var bob = ann
        bob.configuration.trustedKeys = try SignedPolicy.trusted([SignedPolicy.bob])
        let newer = try ann.table(9, by: [SignedPolicy.bob])
        let store = try PolicyStore(table: newer, configuration: bob.configuration)
        _ = try ann.store(7)
        #expect(try ann.octets(StoreStateWorld.tableFile) == ann.table(7))
        store.confirm()
        #expect(try ann.octets(StoreStateWorld.tableFile) == newer)
    }

    /// The record names this store's table first, and second a newer one by this store's keys.
    @Test func aTableBehindTheSecondOfTheRecordIsNotConfirmed() throws {
        let ann = try StoreStateWorld()
        var bob = ann
        bob.configuration.trustedKeys = try SignedPolicy.trusted([SignedPolicy.bob])
        let both = try ann.table(7, by: [SignedPolicy.ann, SignedPolicy.bob])
        let store = try PolicyStore(table: both, configuration: bob.configuration)
        let recorder = StoreRecorder(store)
        let newer = try ann.table(9, by: [SignedPolicy.bob])
        _ = try PolicyStore(table: newer, configuration: bob.configuration)
        _ = try PolicyStore(table: both, configuration: ann.configuration)
        store.confirm()
        #expect(recorder.words == ["refused older-revision"])
    }

    // MARK: The lock

    @Test func aLockThatIsHeldIsSaidAndGoesWithItsProcess() throws {
        var world = try StoreStateWorld()
        _ = try world.store(7)
        let holder = try world.victim(9, at: "table-opened")
        #expect(try holder.line() == "held")
        world.configuration.stateLockPatience = .zero
        let store = try world.store(7)
        let path = world.folder.at("state")
        #expect(
            store.state.rollbackProtection.reason?.context
                == "another process has held the lock of `\(path)` for more than 0.0 seconds: "
                + "`fuser \(path)/.store` says which")
        // The kept state is read all the same, and the files of the other process are not taken
        // away.
        #expect(try world.started(6) == 7)
        #expect(try world.folder.names("state").contains("new-last-known-good"))
        var required = world
        required.configuration.state = .required
        #expect(try required.failure(7)?.unsound?.code == .locked)
        holder.kill()
        #expect(holder.wait().status == SIGKILL)
        // The kernel has let go of it: what was not kept is kept now.
        #expect(store.state.rollbackProtection != .on)
        store.confirm()
        #expect(store.state.rollbackProtection == .on)
        #expect(try world.folder.names("state") == StoreStateWorld.files)
        #expect(try world.started(nil) == 7)
    }

    /// Whoever removes the locked file makes a second lock, which nobody takes for the first.
    @Test func aLockThatWasRemovedIsNoLock() throws {
        let world = try StoreStateWorld()
        _ = try world.store(7)
        world.remove(StoreStateWorld.markFile)
        let store = try world.store(8)
        #expect(store.state.rollbackProtection == .on)
        #expect(
            String(decoding: try world.octets(StoreStateWorld.markFile), as: UTF8.self)
                == "payments\n")
    }

    // MARK: A directory that changes under a running store

    @Test func whatIsWipedUnderARunningStoreIsKeptAnew() throws {
        let world = try StoreStateWorld()
        let store = try world.store(7)
        world.remove(
            StoreStateWorld.tableFile, StoreStateWorld.recordFile, StoreStateWorld.markFile)
        store.confirm()
        #expect(try world.octets(StoreStateWorld.tableFile) == world.table(7))
        #expect(try world.kept().floor?.revision == 7)
        // Another process may have had a newer one there: that is known no more, and said.
        #expect(store.state.rollbackProtection.reason?.code == .wiped)
        #expect(world.offLines.count == 1)
        store.confirm()
        #expect(world.offLines.count == 1)
    }

    @Test func aTableThatIsLostUnderARunningStoreIsKeptAnew() throws {
        let world = try StoreStateWorld()
        let store = try world.store(7)
        world.remove(StoreStateWorld.recordFile)
        store.confirm()
        #expect(try world.kept().entry?.revision == 7)
        #expect(store.state.rollbackProtection == .on)
        try world.change(StoreStateWorld.recordFile) { $0[12] ^= 1 }
        guard case .installed = store.offer(try world.table(8), origin: "test") else {
            Issue.record("a newer one was refused")
            return
        }
        #expect(store.state.rollbackProtection == .on)
        #expect(world.lines.all("error: the state directory is damaged").count == 1)
        #expect(try world.started(7) == 8)
        world.remove(StoreStateWorld.tableFile)
        store.confirm()
        #expect(try world.octets(StoreStateWorld.tableFile) == world.table(8))
        #expect(store.state.rollbackProtection == .on)
    }

    /// A newer table does not wait for a disk where the program says so.
    @Test func whatCannotBeKeptIsPutInForceAndToldUntilItIs() throws {
        var world = try StoreStateWorld()
        world.configuration.state = .requiredAtStart
        #expect(mkdir(world.folder.at("state"), 0o700) == 0)
        let store = try world.store(7)
        world.remove(StoreStateWorld.markFile)
        try world.folder.folder("state/\(StoreStateWorld.markFile)")
        store.offer(try world.table(8), origin: "test")
        #expect(store.snapshot.revision == 8)
        #expect(store.state.rollbackProtection.reason?.code == .unwritable)
        #expect(world.totals["hawser_store_rollback_protection payments"] == 0)
        store.confirm()
        #expect(world.offLines.count == 1)
        #expect(rmdir(world.at(StoreStateWorld.markFile)) == 0)
        store.confirm()
        #expect(store.state.rollbackProtection == .on)
        #expect(world.totals["hawser_store_rollback_protection payments"] == 1)
        #expect(try world.started(7) == 8)
    }

    /// A process that trusts other keys has kept a newer table: it is left where it is.
    @Test func whatAnotherProcessKeepsByOtherKeysIsLeftAlone() throws {
        let world = try StoreStateWorld()
        let store = try world.store(7)
        var other = world
        other.configuration.trustedKeys = try SignedPolicy.trusted([SignedPolicy.bob])
        let newer = try world.table(9, by: [SignedPolicy.bob])
        _ = try PolicyStore(table: newer, configuration: other.configuration)
        guard case .installed = store.offer(try world.table(8), origin: "test") else {
            Issue.record("a table that nothing trusted forbids was refused")
            return
        }
        #expect(store.state.rollbackProtection.reason?.code == .notSigned)
        #expect(try world.octets(StoreStateWorld.tableFile) == newer)
    }

    /// Keys are changed by signing the table in force once more. A process that has not seen the
    /// new signature confirms its own copy, and does not take the signatures away.
    @Test func signaturesThatAnotherProcessKeepsAreNotTakenAway() throws {
        let world = try StoreStateWorld()
        let store = try world.store(7)
        let both = try world.table(7, by: [SignedPolicy.ann, SignedPolicy.bob])
        let other = try PolicyStore(table: world.table(7), configuration: world.configuration)
        guard case .unchanged = other.offer(both, origin: "test") else {
            Issue.record("it is the same table")
            return
        }
        #expect(try world.octets(StoreStateWorld.tableFile) == both)
        world.world.clock.advance(60)
        store.confirm()
        #expect(try world.octets(StoreStateWorld.tableFile) == both)
        #expect(try world.kept().table?.confirmed == world.world.clock.now())
        let restarted = try world.store(7)
        #expect(restarted.state.rollbackProtection == .on)
        #expect(try world.octets(StoreStateWorld.tableFile) == both)
        #expect(try world.kept().entry?.signatures.count == 2)
        restarted.confirm()
        #expect(try world.octets(StoreStateWorld.tableFile) == both)
    }

    /// What comes between the look of a start and its writing is looked at once more.
    @Test func whatIsFoundOnlyWhenItIsWrittenCountsToo() throws {
        let world = try StoreStateWorld()
        _ = try world.store(7)
        var other = world.configuration
        other.trustedKeys = try SignedPolicy.trusted([SignedPolicy.bob])
        let offered = try world.table(6, by: [SignedPolicy.bob])
        let entry = try #require(
            StateRecord.Entry(claimedBy: offered, octets: StateRecord.digest(offered)))
        let keeper = StateKeeper(world.folder.at("state"), other)
        let now = world.world.clock.now()
        #expect {
            try keeper.keep(entry, confirmed: now, .start(.required)) { offered }
        } throws: { error in
            (error as? StateDirectoryError)?.code == .notSigned
        }
        #expect(try world.octets(StoreStateWorld.tableFile) == world.table(7))
        guard
            case .kept(_, let doubt) = try keeper.keep(
                entry, confirmed: now, .start(.wanted), bytes: { offered })
        else {
            Issue.record("what nobody trusted vouches for was taken for newer")
            return
        }
        #expect(doubt?.code == .notSigned)
        #expect(try world.octets("last-known-good.aside-1") == world.table(7))
    }

    // MARK: Two stores

    @Test func anotherStoresPolicyIsNotEnforced() throws {
        let world = try StoreStateWorld()
        _ = try world.store(7)
        var other = world
        other.configuration.name = "edge"
        let error = try #require(try other.failure(nil))
        let path = world.folder.at("state")
        #expect(error.lastKnownGood?.code == "state-directory-of-other-store")
        #expect(error.context.contains("store `payments`, and this one is `edge`"))
        // It runs by its source, and takes nothing from the directory of the other one.
        let store = try other.store(4)
        #expect(store.snapshot.revision == 4)
        store.offer(try world.table(8), origin: "test")
        #expect(store.state.rollbackProtection.reason?.code == .otherStore)
        #expect(try world.octets(StoreStateWorld.tableFile) == world.table(7))
        #expect(
            try world.victim(9, named: "edge").lines()
                == ["opened 9 state-directory-of-other-store"])
        #expect(try world.started(nil) == 7)
        // A store that was renamed takes its directory with it as the words say.
        #expect(unlink("\(path)/.store") == 0)
        #expect(unlink("\(path)/record") == 0)
        #expect(try other.started(6) == 7)
    }
}
