import Foundation
import Testing
import TrustEngine

@testable import Hawser

/// Files of builds before 0.1, handed to everything here that loads one.
@Suite struct UnreleasedFilesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "CLITests/Goldens/unreleased")
    private static let words = "it was written by an unreleased build of Hawser; compile the policy"
    private static let tables = ["table-3.hwt", "envelope-1.hwt", "envelope-2.hwt"]

    private static func octets(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: folder.appending(path: name)))
    }

    private static func context(
        _ body: () throws(TableLoadError) -> Void
    ) -> String? {
        do throws(TableLoadError) {
            try body()
            return nil
        } catch {
            guard error.step == .table, error.code == "unsupported-version" else {
                return "another error: \(error)"
            }
            return error.context
        }
    }

    @Test("by the loader, with and without trusted keys", arguments: tables)
    func loader(_ name: String) throws {
        let path = Self.folder.appending(path: name).path
        let bytes = try Self.octets(name)
        let keys = try SignedPolicy.trusted([SignedPolicy.ann])
        for trusted in [nil, keys] {
            let opened = Self.context { () throws(TableLoadError) in
                _ = try EngineLoader.open(tableFile: path, trustedKeys: trusted)
            }
            #expect(opened?.hasPrefix(Self.words) == true, "\(opened ?? "")")
            let read = Self.context { () throws(TableLoadError) in
                _ = try EngineLoader.open(tableBytes: bytes, trustedKeys: trusted)
            }
            #expect(read == opened)
        }
        #expect(EngineLoader.isTable(path))
    }

    @Test("by a store, at its start and later", arguments: tables)
    func store(_ name: String) throws {
        let world = try StoreWorld()
        let bytes = try Self.octets(name)
        do {
            _ = try PolicyStore(table: bytes, configuration: world.configuration)
            Issue.record("a store starts with it")
        } catch {
            #expect("\(error)".contains(Self.words), "\(error)")
        }
        let store = try PolicyStore(table: world.accepting, configuration: world.configuration)
        guard case .refused(let refusal) = store.offer(bytes, origin: "test") else {
            Issue.record("a store puts it in force")
            return
        }
        #expect(refusal.code == "unsupported-version")
        #expect(refusal.context.hasPrefix(Self.words))
        #expect(store.judge(world.request).isAccept)
    }

    @Test("in a state directory, with and without its record", arguments: tables)
    func kept(_ name: String) throws {
        for hasRecord in [true, false] {
            let state = try StoreStateWorld()
            _ = try state.store(7)
            try state.change(StoreStateWorld.tableFile) { $0 = (try? Self.octets(name)) ?? [] }
            if !hasRecord { state.remove(StoreStateWorld.recordFile, StoreStateWorld.markFile) }
            let failure = try #require(try state.failure(nil))
            let words = "was written by an unreleased build of Hawser; compile the policy again"
            #expect("\(failure)".contains(words), "\(failure)")
            // The next table is put in force, and the old file is kept beside it.
            #expect(try state.started(8) == 8)
            #expect(try state.octets("\(StoreStateWorld.tableFile).aside-1") == Self.octets(name))
        }
    }

    @Test("receipts", arguments: ["receipt-1.jsonl", "receipt-2.jsonl"])
    func receipt(_ name: String) throws {
        let line = Array(try Self.octets(name).dropLast())
        do throws(ReceiptError) {
            _ = try DecisionReceipt(json: line)
            Issue.record("\(name) is read")
        } catch {
            #expect(error.code == .otherFormat)
            #expect(error.context.contains("unreleased build of Hawser"), "\(error)")
        }
    }
}
