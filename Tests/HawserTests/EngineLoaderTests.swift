import Foundation
import Hawser
import HawserYAML
import PolicyCompiler
import Testing
import TrustEngine

/// Table files and trust stores.
@Suite struct EngineLoaderTests {
    private func table(_ text: String) throws -> PolicyTable {
        let folder = try TemporaryFolder()
        try folder.write("policy.yaml", text)
        let unit = try UnitLoader.load(paths: [folder.path])
        return try #require(CompilerPipeline.compile(unit, crypto: crypto).table)
    }

    private func failure(_ body: () throws(TableLoadError) -> Engine) -> TableLoadError? {
        do throws(TableLoadError) {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }

    @Test func aTableFileLoadsAsTheTableItWas() throws {
        let folder = try TemporaryFolder()
        let table = try table("hawser: 1\ndefault: deny\n")
        try folder.write("hawser.table", table.bytes)
        let engine = try EngineLoader.load(tableFile: folder.at("hawser.table"))
        #expect(engine.table.policyDigest == table.policyDigest)
        #expect(engine.table.fileDigest == table.fileDigest)
    }

    @Test func anAlteredTableDoesNotLoad() throws {
        let folder = try TemporaryFolder()
        let bytes = try table("hawser: 1\ndefault: deny\n").bytes
        for index in bytes.indices {
            var altered = bytes
            altered[index] ^= 0x10
            let error = failure { () throws(TableLoadError) in
                try EngineLoader.load(tableBytes: altered)
            }
            #expect(error?.step == .table, "byte \(index)")
        }
        try folder.write("short", Array(bytes.dropLast()))
        let short = failure { () throws(TableLoadError) in
            try EngineLoader.load(tableFile: folder.at("short"))
        }
        #expect(short?.step == .table)
    }

    @Test func aTableFileThatIsNotThereIsAFileError() throws {
        let folder = try TemporaryFolder()
        let error = failure { () throws(TableLoadError) in
            try EngineLoader.load(tableFile: folder.at("none"))
        }
        #expect(error?.step == .file && error?.code == "not-found")
        #expect(error?.context.contains(folder.at("none")) == true)
    }

    @Test func aTableThatNamesSystemNeedsAStore() throws {
        let table = try table("hawser: 1\ndefault:\n  anchors: [system]\n")
        let error = failure { () throws(TableLoadError) in
            try EngineLoader.load(table: table, inputs: EngineInputs())
        }
        #expect(error?.step == .engine && error?.code == "system-store-missing")
    }
}
