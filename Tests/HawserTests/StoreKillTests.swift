import Foundation
import TestPKI
import Testing
import TrustEngine

@testable import Hawser

/// A process that is killed while it writes down what is in force leaves what was, or what is.
@Suite struct StoreKillTests {
    private static let kills =
        ProcessInfo.processInfo.environment["HAWSER_FULL"] == "1" ? 500 : 50

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
        let isInPlace = step == .afterRename || step == .afterFolderSync
        // The victim puts the first table in force and then the second, the first, and so on; what is kept
        // already is not written again.
        var kept = 0
        for kill in 0..<Self.kills {
            let count = 1 + kill % 5
            let victim = try run([
                folder.at("state"), folder.at("first.table"), folder.at("second.table"),
                step.rawValue, String(count),
            ])
            #expect(victim.terminationReason == .uncaughtSignal)
            #expect(victim.terminationStatus == SIGKILL)
            let isWritten = isInPlace ? count : count - 1
            kept = (kept + isWritten) % 2
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.at("state"))
            #expect(left.contains { $0.hasPrefix("new-") } == !isInPlace)
            let store = try PolicyStore(table: nil, configuration: configuration)
            #expect(
                store.snapshot.engine.table.bytes == tables[kept], "kill \(kill) at \(step)")
            #expect(store.evaluate(world.request).isAccept == (kept == 0))
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.at("state"))
                    == [StateDirectory.name])
        }
    }

    private func run(_ arguments: [String]) throws -> Process {
        let bundle = URL(
            filePath: try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/exe"))
        let places = [
            bundle.deletingLastPathComponent(),
            URL(filePath: ProcessInfo.processInfo.arguments.first ?? "")
                .deletingLastPathComponent(),
            URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: ".build/debug"),
        ].map { $0.appending(path: "StoreVictim") }
        let process = Process()
        let victim: URL = try #require(
            places.first { FileManager.default.isExecutableFile(atPath: $0.path) })
        process.executableURL = victim
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        return process
    }
}
