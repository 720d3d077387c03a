import Synchronization
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// Tables that are put in force, and tables that are not.
@Suite struct StoreTests {
    @Test func aStoreEnforcesTheTableThatItWasMadeOf() throws {
        let world = try StoreWorld()
        let store = try PolicyStore(table: world.accepting, configuration: world.configuration)
        #expect(store.judge(world.request).isAccept)
        #expect(store.explain(world.request).verdict.isAccept)
        #expect(store.snapshot.epoch == 1)
        #expect(store.state.counts.installed == 1)
    }

    /// An expectation that fails prints the store by its mirrors.
    @Test func aStoreCanBeDumped() throws {
        let world = try StoreWorld()
        let store = try PolicyStore(table: world.accepting, configuration: world.configuration)
        // Certificates are remembered when they come again.
        for _ in 0..<3 { #expect(store.judge(world.request).isAccept) }
        var text = ""
        dump(store, to: &text)
        dump(store.snapshot, to: &text)
        #expect(text.contains("PolicySnapshot"))
    }

    @Test func aGoodTableTakesThePlaceOfTheOneBefore() throws {
        let world = try StoreWorld()
        let store = try PolicyStore(table: world.accepting, configuration: world.configuration)
        let told = Mutex<[UInt64]>([])
        store.onChange { snapshot in told.withLock { $0.append(snapshot.epoch) } }
        world.clock.advance(60)
        guard case .installed(let snapshot) = store.offer(world.rejecting, origin: "test") else {
            Issue.record("it was not put in force")
            return
        }
        #expect(snapshot === store.snapshot)
        #expect(snapshot.epoch == 2)
        #expect(snapshot.loadedAt == world.clock.now())
        #expect(store.judge(world.request).violations.map(\.id) == ["no-applicable-rule"])
        #expect(store.state.origin == "test")
        #expect(told.withLock { $0 } == [2])
    }

    @Test func theSameTableConfirmsTheOneInForce() throws {
        let world = try StoreWorld()
        let store = try PolicyStore(table: world.accepting, configuration: world.configuration)
        let before = store.snapshot
        world.clock.advance(60)
        guard case .unchanged = store.offer(world.accepting, origin: "test") else {
            Issue.record("it was not recognised")
            return
        }
        #expect(store.snapshot.epoch == before.epoch)
        #expect(store.state.confirmedAt == world.clock.now())
        #expect(store.state.loadedAt == before.loadedAt)
    }

    /// A change of provenance or notes changes the file, not its meaning.
    @Test func aTableOfTheSameMeaningKeepsTheEpoch() throws {
        let world = try StoreWorld()
        let store = try PolicyStore(table: world.accepting, configuration: world.configuration)
        let stripped = try PolicyTable(decoding: world.accepting, crypto: crypto)
            .withoutProvenance(crypto: crypto).bytes
        guard case .installed(let snapshot) = store.offer(stripped, origin: "test") else {
            Issue.record("it was not put in force")
            return
        }
        #expect(snapshot.epoch == 1)
        #expect(store.state.counts.installed == 2)
    }

    /// A table that names `system` has another meaning once the machine's store has changed.
    @Test func theMachinesStoreIsPartOfTheMeaning() throws {
        let world = try StoreWorld()
        let table = try PolicyTable(
            decoding: world.table("hawser: 1\ndefault: { anchors: [system], owner: us }\n"),
            crypto: crypto)
        func meaning(_ name: TestName) throws -> EngineMeaning {
            let root = StoreWorld.pki.root(name, key: .p256("store root"))
            return EngineMeaning(
                try EngineLoader.load(
                    table: table, inputs: EngineInputs(systemStore: [root.der]), crypto: crypto))
        }
        #expect(try meaning("One Root") == meaning("One Root"))
        #expect(try meaning("One Root") != meaning("Other Root"))
    }

    @Test func anObserverThatCancelsIsToldNothingMore() throws {
        let world = try StoreWorld()
        let store = try PolicyStore(table: world.accepting, configuration: world.configuration)
        let told = Mutex(0)
        let observation = store.onEvent { _ in told.withLock { $0 += 1 } }
        store.offer(world.rejecting, origin: "test")
        observation.cancel()
        store.offer(world.accepting, origin: "test")
        #expect(told.withLock { $0 } == 1)
    }

    /// An observer holds no lock of the store's, so it may do what anyone may.
    @Test func anObserverMayCallBack() throws {
        let world = try StoreWorld()
        let store = try PolicyStore(table: world.accepting, configuration: world.configuration)
        store.onChange { [weak store] snapshot in
            guard let store, snapshot.epoch == 2 else { return }
            store.offer(world.accepting, origin: "observer")
        }
        store.offer(world.rejecting, origin: "test")
        #expect(store.state.epoch == 3)
        #expect(store.state.origin == "observer")
        #expect(store.judge(world.request).isAccept)
    }

    /// Threads judge while tables follow each other: each verdict is one table's and no mixture,
    /// and nobody sees an earlier one again.
    @Test func verdictsBelongToOneTableEach() throws {
        struct Progress: Sendable {
            var judging = 0
            var isDone = false
            var faults = 0
        }
        let world = try StoreWorld()
        let store = try PolicyStore(table: world.accepting, configuration: world.configuration)
        let accepting = store.state.policyDigest
        let progress = Monitor(Progress())
        let request = world.request
        let readers = 4
        for _ in 0..<readers {
            let isStarted = BackgroundThread.start {
                var epoch: UInt64 = 0
                var faults = 0
                progress.withLock { $0.judging += 1 }
                repeat {
                    let snapshot = store.snapshot
                    let verdict = snapshot.judge(request).verdict
                    if verdict.policyDigest != snapshot.engine.table.policyDigest
                        || verdict.isAccept != (verdict.policyDigest == accepting)
                        || snapshot.epoch < epoch
                    {
                        faults += 1
                    }
                    epoch = snapshot.epoch
                } while !progress.withLock({ $0.isDone })
                progress.withLock {
                    $0.judging -= 1
                    $0.faults += faults
                }
            }
            #expect(isStarted)
        }
        let limit = Deadline(in: .seconds(300))
        #expect(progress.wait(until: limit) { $0.judging == readers ? true : nil } == true)
        for reload in 1...200 {
            let offered = reload % 2 == 1 ? world.rejecting : world.accepting
            guard case .installed(let snapshot) = store.offer(offered, origin: "test") else {
                Issue.record("reload \(reload) was not put in force")
                break
            }
            #expect(snapshot.epoch == UInt64(reload + 1))
        }
        progress.withLock { $0.isDone = true }
        #expect(progress.wait(until: limit) { $0.judging == 0 ? true : nil } == true)
        #expect(progress.withLock { $0.faults } == 0)
    }

    @Test func withoutAnyTableThereIsNoStore() throws {
        let world = try StoreWorld()
        #expect {
            try PolicyStore(table: Array(world.accepting.dropLast()))
        } throws: { error in
            (error as? PolicyStoreError)?.source?.code == "truncated"
        }
    }
}
