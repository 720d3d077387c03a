import Foundation
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// A newer table whose revision cannot be recorded, and one that can be recorded and not kept.
@Suite struct StoreFullDiskTests {
    /// A store with revision 7 in its directory, and with state required.
    private static func required(
        _ need: StateNeed = .required
    ) throws -> (world: StoreStateWorld, store: PolicyStore) {
        var world = try StoreStateWorld()
        world.configuration.state = need
        #expect(mkdir(world.folder.at("state"), 0o700) == 0)
        return (world, try world.store(7))
    }

    /// Lets a file of the directory not be written: a folder stands where it would be prepared.
    private static func block(_ file: String, _ world: StoreStateWorld) throws {
        try world.folder.folder("state/new-\(file)/full")
    }

    private static func unblock(_ file: String, _ world: StoreStateWorld) throws {
        try FileManager.default.removeItem(atPath: world.at("new-\(file)"))
    }

    private func refusal(_ offer: PolicyStore.OfferOutcome) -> TableRefusal? {
        if case .refused(let refusal) = offer { return refusal }
        return nil
    }

    // MARK: What cannot be recorded

    @Test func whereStateIsRequiredATableThatCannotBeRecordedIsRefused() throws {
        let (world, store) = try Self.required()
        try Self.block(StoreStateWorld.recordFile, world)
        let refusal = try #require(refusal(store.offer(try world.table(8), origin: "test")))
        #expect(refusal.code == "not-recorded")
        #expect(
            refusal.context
                == "its revision cannot be recorded, which the program requires: "
                + "`\(world.at(StoreStateWorld.recordFile))`: File exists")
        #expect(store.snapshot.revision == 7)
        #expect(store.state.lastRefused?.refusal == refusal)
        #expect(store.state.stateDirectoryFailure?.code == .unwritable)
        // The revision in force is kept, so the word is true.
        #expect(store.state.rollbackProtection == .on)
        #expect(world.offLines == [])
        #expect(world.totals["hawser_store_events payments refused not-recorded"] == 1)
        // And it is what a restart runs.
        #expect(try world.kept().floor?.revision == 7)
        try Self.unblock(StoreStateWorld.recordFile, world)
        #expect(self.refusal(store.offer(try world.table(8), origin: "test")) == nil)
        #expect(store.snapshot.revision == 8)
        #expect(store.state.stateDirectoryFailure == nil)
        #expect(try world.started(7) == 8)
    }

    /// A directory that is gone proves nothing, so the word is not said.
    @Test func whereTheDirectoryIsGoneTheWordIsOff() throws {
        let (world, store) = try Self.required()
        try FileManager.default.removeItem(atPath: world.folder.at("state"))
        let refusal = try #require(refusal(store.offer(try world.table(8), origin: "test")))
        #expect(refusal.code == "not-recorded")
        #expect(store.snapshot.revision == 7)
        #expect(store.state.rollbackProtection.reason?.code == .missing)
    }

    /// Without a demand, or with one at the start only, the newer table does not wait, and the
    /// store says that it may not come back.
    @Test(arguments: [StateNeed.wanted, .requiredAtStart])
    func whereTheProgramChoosesSoItIsInForceAndTheProtectionIsOff(need: StateNeed) throws {
        let (world, store) = try Self.required(need)
        try Self.block(StoreStateWorld.recordFile, world)
        #expect(refusal(store.offer(try world.table(8), origin: "test")) == nil)
        #expect(store.snapshot.revision == 8)
        #expect(store.state.rollbackProtection.reason?.code == .unwritable)
        #expect(world.offLines.count == 1)
        #expect(try world.kept().floor?.revision == 7)
        try Self.unblock(StoreStateWorld.recordFile, world)
        store.confirm()
        #expect(store.state.rollbackProtection == .on)
        #expect(try world.started(7) == 8)
    }

    @Test func theStartIsAsStrictWhereOnlyTheStartIsToBe() throws {
        var world = try StoreStateWorld()
        world.configuration.state = .requiredAtStart
        #expect(try world.failure(7)?.unsound?.code == .missing)
        #expect(mkdir(world.folder.at("state"), 0o700) == 0)
        for file in [StoreStateWorld.recordFile, StoreStateWorld.tableFile] {
            try Self.block(file, world)
            #expect(try world.failure(7)?.unsound?.code == .unwritable)
            try Self.unblock(file, world)
        }
        #expect(try world.started(7) == 7)
    }

    /// The same octets are fine as soon as the directory is, so the file is tried again, and what
    /// was told once is not told again.
    @Test func aFileIsTriedAgainUntilItsRevisionIsRecorded() throws {
        var world = try StoreStateWorld()
        world.configuration.state = .required
        #expect(mkdir(world.folder.at("state"), 0o700) == 0)
        try world.folder.write("hawser.table", world.table(7))
        let store = try PolicyStore(
            file: world.folder.at("hawser.table"), configuration: world.configuration,
            watching: .polled(every: .milliseconds(5)))
        let recorder = StoreRecorder(store)
        try Self.block(StoreStateWorld.recordFile, world)
        try world.folder.write("next", world.table(8))
        #expect(rename(world.folder.at("next"), world.folder.at("hawser.table")) == 0)
        recorder.expect("refused not-recorded")
        for _ in 0..<20 { usleep(5_000) }
        #expect(store.state.counts.refused == 1)
        #expect(store.snapshot.revision == 7)
        try Self.unblock(StoreStateWorld.recordFile, world)
        recorder.expect("refused not-recorded", "installed 2")
        #expect(recorder.words == ["refused not-recorded", "installed 2"])
        #expect(store.state.rollbackProtection == .on)
    }

    // MARK: What can be recorded and not kept

    /// The record alone proves the revision: no restart goes back behind it.
    @Test(arguments: [StateNeed.wanted, .required, .requiredAtStart])
    func aTableThatCannotBeKeptSetsTheFloor(need: StateNeed) throws {
        let (world, store) = try Self.required(need)
        try Self.block(StoreStateWorld.tableFile, world)
        #expect(refusal(store.offer(try world.table(8), origin: "test")) == nil)
        #expect(store.snapshot.revision == 8)
        #expect(store.state.stateDirectoryFailure?.code == .unwritable)
        #expect(store.state.rollbackProtection == .on)
        #expect(world.offLines == [])
        #expect(world.lines.all("error: the policy table in force is not kept").count == 1)
        #expect(try world.kept().floor?.revision == 8)
        #expect(try world.octets(StoreStateWorld.tableFile) == world.table(7))
        // A restart that finds the table of before, and one without a table.
        #expect(try world.failure(7)?.code == .noUsableTable)
        #expect(try world.failure(7)?.source?.code == "older-revision")
        #expect(try world.failure(nil)?.lastKnownGood?.code == "older-revision")
        #expect(try world.kept().floor?.revision == 8)
        // The table is kept by the next confirmation, and nothing is called damaged.
        try Self.unblock(StoreStateWorld.tableFile, world)
        store.confirm()
        #expect(store.state.stateDirectoryFailure == nil)
        #expect(try world.octets(StoreStateWorld.tableFile) == world.table(8))
        #expect(store.state.stateDirectoryDamage == [])
        #expect(try world.started(7) == 8)
        #expect(try world.folder.names("state") == StoreStateWorld.files)
    }

    /// Without keys the record's digest is all there is, and it is enough against a mistake.
    @Test func withoutKeysTheRecordSetsTheFloorToo() throws {
        let world = try StoreStateWorld(trusted: [])
        let store = try world.store(7)
        try Self.block(StoreStateWorld.tableFile, world)
        store.offer(try world.table(8), origin: "test")
        #expect(store.state.rollbackProtection == .againstMistakes)
        #expect(try world.started(7) == nil)
        try Self.unblock(StoreStateWorld.tableFile, world)
        store.confirm()
        #expect(store.state.stateDirectoryDamage == [])
        #expect(try world.folder.names("state") == StoreStateWorld.files)
        #expect(try world.started(7) == 8)
    }

    /// The first table of a directory, at a start that goes on without it.
    @Test func aFirstTableThatCannotBeKeptSetsTheFloor() throws {
        let world = try StoreStateWorld()
        #expect(mkdir(world.folder.at("state"), 0o700) == 0)
        try Self.block(StoreStateWorld.tableFile, world)
        let store = try world.store(7)
        #expect(store.state.stateDirectoryFailure?.code == .unwritable)
        #expect(store.state.rollbackProtection == .on)
        #expect(try world.started(6) == nil)
        #expect(try world.started(8) == 8)
    }

    /// The same table with more signatures: the one that is kept proves as much, and stays.
    @Test func aTableThatIsSignedAgainDoesNotTakeTheKeptOneAway() throws {
        let (world, store) = try Self.required(.wanted)
        try Self.block(StoreStateWorld.tableFile, world)
        let both = try world.table(7, by: [SignedPolicy.ann, SignedPolicy.bob])
        store.offer(both, origin: "test")
        #expect(store.state.stateDirectoryFailure?.code == .unwritable)
        #expect(store.state.rollbackProtection == .on)
        #expect(try world.octets(StoreStateWorld.tableFile) == world.table(7))
        #expect(try world.started(nil) == 7)
    }

    /// The next confirmation keeps signatures that could not be kept.
    @Test func aTableThatIsSignedAgainIsKeptLater() throws {
        let (world, store) = try Self.required(.wanted)
        try Self.block(StoreStateWorld.tableFile, world)
        let both = try world.table(7, by: [SignedPolicy.ann, SignedPolicy.bob])
        store.offer(both, origin: "test")
        try Self.unblock(StoreStateWorld.tableFile, world)
        store.confirm()
        #expect(try world.octets(StoreStateWorld.tableFile) == both)
    }

    /// The kept table is by a key that is trusted no more, so it does not prove the revision of the
    /// same table by the next key.
    @Test func aTableByTheNextKeyThatCannotBeKeptSetsTheFloor() throws {
        var (world, _) = try Self.required(.wanted)
        world.configuration.trustedKeys = try SignedPolicy.trusted([SignedPolicy.bob])
        try Self.block(StoreStateWorld.tableFile, world)
        let store = try PolicyStore(
            table: world.table(7, by: [SignedPolicy.bob]), configuration: world.configuration)
        #expect(store.state.rollbackProtection == .on)
        #expect(try world.kept().floor?.revision == 7)
    }

    /// A store that follows a file keeps its table as soon as it can, with no new table.
    @Test func whatIsNotKeptIsKeptLaterByItself() throws {
        let world = try StoreStateWorld()
        #expect(mkdir(world.folder.at("state"), 0o700) == 0)
        try Self.block(StoreStateWorld.recordFile, world)
        try world.folder.write("hawser.table", world.table(7))
        let store = try PolicyStore(
            file: world.folder.at("hawser.table"), configuration: world.configuration,
            watching: .polled(every: .milliseconds(5)))
        #expect(store.state.rollbackProtection.reason?.code == .unwritable)
        try Self.unblock(StoreStateWorld.recordFile, world)
        let deadline = Deadline(in: .seconds(60))
        while store.state.rollbackProtection != .on, deadline.millisecondsLeft > 0 { usleep(5_000) }
        #expect(store.state.rollbackProtection == .on)
        #expect(store.state.counts.confirmed == 0)
        #expect(try world.started(6) == 7)
    }

    // MARK: The spare

    @Test func theSpareIsMadeAgain() throws {
        let (world, store) = try Self.required()
        let size = try world.octets(StoreStateWorld.spareFile).count
        #expect(size == 8_192)
        world.remove(StoreStateWorld.spareFile)
        store.confirm()
        #expect(try world.octets(StoreStateWorld.spareFile).count == size)
        try world.change(StoreStateWorld.spareFile) { $0.removeLast(9) }
        store.offer(try world.table(8), origin: "test")
        #expect(try world.octets(StoreStateWorld.spareFile).count == size)
    }

    // MARK: A disk that is full

    /// A signed table of a size: it has this many patterns.
    private func table(
        _ revision: UInt64, patterns: Int, _ world: StoreStateWorld
    ) throws -> [UInt8] {
        let hosts = (0..<patterns).map { "\"host-\($0).store.example\"" }.joined(separator: ", ")
        let policy = StoreWorld.policy("").replacing(
            "hosts: [\"\(StoreWorld.host)\"]", with: "hosts: [\"\(StoreWorld.host)\", \(hosts)]")
        return try SignedPolicy.signed(
            PolicyTable(decoding: try world.world.table(policy), crypto: crypto),
            revision: revision, by: [SignedPolicy.ann]
        ).encoded
    }

    private func onDisk(
        _ need: StateNeed, _ disk: SmallDisk, _ offered: [UInt8]
    ) throws -> (world: StoreStateWorld, store: PolicyStore) {
        var world = try StoreStateWorld()
        world.configuration.state = need
        world.configuration.stateDirectory = disk.path
        return (world, try PolicyStore(table: offered, configuration: world.configuration))
    }

    private func started(_ table: [UInt8]?, _ world: StoreStateWorld) -> UInt64? {
        try? PolicyStore(table: table, configuration: world.configuration).snapshot.revision
    }

    /// The record takes the place of the spare, and the new table replaces the old one.
    @Test(
        .enabled(if: SmallDisk.isPossible, "this process may not mount"),
        arguments: [StateNeed.wanted, .required, .requiredAtStart])
    func onAFullDiskTheNewTableTakesThePlaceOfTheOldOne(need: StateNeed) throws {
        let disk = try SmallDisk(kilobytes: 256)
        let (world, store) = try onDisk(need, disk, try StoreStateWorld().table(5))
        disk.fill()
        #expect(refusal(store.offer(try world.table(6), origin: "test")) == nil)
        #expect(store.snapshot.revision == 6)
        #expect(store.state.stateDirectoryFailure == nil)
        #expect(store.state.rollbackProtection == .on)
        // A restart on the disk that is full.
        #expect(started(try world.table(5), world) == 6)
        #expect(started(nil, world) == 6)
    }

    /// A larger table has no room: its revision is recorded, and an older one does not come back.
    @Test(
        .enabled(if: SmallDisk.isPossible, "this process may not mount"),
        arguments: [StateNeed.wanted, .required, .requiredAtStart])
    func onAFullDiskTheRevisionIsRecorded(need: StateNeed) throws {
        let disk = try SmallDisk(kilobytes: 512)
        let (world, store) = try onDisk(need, disk, try StoreStateWorld().table(5))
        let large = try table(6, patterns: 2_000, world)
        #expect(large.count > 30_000)
        disk.fill()
        #expect(refusal(store.offer(large, origin: "test")) == nil)
        #expect(store.snapshot.revision == 6)
        #expect(
            store.state.stateDirectoryFailure?.context.hasSuffix("No space left on device") == true)
        #expect(store.state.rollbackProtection == .on)
        #expect(started(try world.table(5), world) == nil)
        #expect(started(nil, world) == nil)
        // The table is kept when there is room, and the spare is there again.
        disk.empty()
        store.confirm()
        #expect(store.state.stateDirectoryFailure == nil)
        #expect(started(try world.table(5), world) == 6)
        let spare = try Data(contentsOf: URL(filePath: disk.at(StoreStateWorld.spareFile)))
        #expect(spare.count == 8_192)
    }

    /// Somebody has taken the spare too.
    @Test(.enabled(if: SmallDisk.isPossible, "this process may not mount"))
    func onADiskWithoutABlockANewerTableIsRefused() throws {
        let disk = try SmallDisk(kilobytes: 256)
        let (world, store) = try onDisk(.required, disk, try StoreStateWorld().table(5))
        #expect(unlink(disk.at(StoreStateWorld.spareFile)) == 0)
        disk.fill()
        let refusal = try #require(refusal(store.offer(try world.table(6), origin: "test")))
        #expect(refusal.code == "not-recorded")
        #expect(refusal.context.hasSuffix("No space left on device"))
        #expect(store.snapshot.revision == 5)
        #expect(store.state.rollbackProtection == .on)
        #expect(started(try world.table(5), world) == 5)
        #expect(started(nil, world) == 5)
        disk.empty()
        #expect(self.refusal(store.offer(try world.table(6), origin: "test")) == nil)
        #expect(started(try world.table(5), world) == 6)
    }
}
