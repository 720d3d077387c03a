import Foundation
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// A process that is killed while it records the table in force leaves the old record or the new
/// one.
@Suite struct StoreKillTests {
    private static let kills =
        Sample.isWhole ? 250 : 10

    @Test(arguments: StateDirectory.Step.allCases)
    func aStoreStartsWithAWholeTableAfterEveryKill(step: StateDirectory.Step) throws {
        let world = try StoreWorld()
        let folder = try TemporaryFolder()
        let tables = [world.accepting, world.rejecting]
        try folder.write("first.table", tables[0])
        try folder.write("second.table", tables[1])
        var configuration = world.configuration
        configuration.stateDirectory = folder.at("state")
        _ = try PolicyStore(table: tables[0], configuration: configuration)
        let isInPlace = step == .tableRenamed || step == .tableFolderSynced
        // The record is whole by then, and names both the table that stands there and the one that
        // is to come.
        let isLeft = !isInPlace && step != .recordRenamed && step != .recordFolderSynced
        // The victim puts the first table in force and then the second, the first, and so on; a
        // table that is already kept is not written again.
        var kept = 0
        for kill in 0..<Self.kills {
            let count = 1 + kill % 5
            let victim = try VictimProcess([
                "turns", folder.at("state"), folder.at("first.table"), folder.at("second.table"),
                step.rawValue, String(count),
            ])
            let end = victim.wait()
            #expect(end.reason == .uncaughtSignal)
            #expect(end.status == SIGKILL)
            let isWritten = isInPlace ? count : count - 1
            kept = (kept + isWritten) % 2
            let left = try folder.names("state")
            #expect(left.contains { $0.hasPrefix("new-") } == isLeft)
            let store = try PolicyStore(table: nil, configuration: configuration)
            #expect(store.state.rollbackProtection == .againstMistakes, "kill \(kill) at \(step)")
            #expect(
                store.snapshot.engine.table.bytes == tables[kept], "kill \(kill) at \(step)")
            #expect(store.judge(world.request).isAccept == (kept == 0))
            #expect(
                try folder.names("state")
                    == StoreStateWorld.files)
        }
    }
}
