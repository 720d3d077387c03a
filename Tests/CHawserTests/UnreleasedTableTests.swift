import CHawser
import CHawserABI
import Foundation
import Testing

/// Tables of builds before 0.1, which no release reads, handed to C.
@Suite struct UnreleasedTableTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "CLITests/Goldens/unreleased")

    @Test(arguments: ["table-3.hwt", "envelope-1.hwt", "envelope-2.hwt"])
    func aTableOfAnUnreleasedBuildIsRefusedInWords(_ name: String) throws {
        let file = Self.folder.appending(path: name)
        let octets = try Array(Data(contentsOf: file))
        let words = "it was written by an unreleased build of Hawser; compile the policy again"
        var store = hawser_store()
        for isFile in [true, false] {
            var error = hawser_error.ready
            let opened =
                isFile
                ? hawser_store_open_file(file.path, nil, &store, &error)
                : hawser_store_open(octets, octets.count, nil, &store, &error)
            #expect(opened == Int32(HAWSER_E_TABLE))
            #expect(error.word == "unsupported-version")
            #expect(error.text.contains(words), "\(error.text)")
        }
        // One that is offered later changes nothing.
        let world = try PolicyWorld()
        store = CalledAsC.open(world.table)
        defer { _ = hawser_store_close(store) }
        var error = hawser_error.ready
        let offered = hawser_store_reload(store, octets, octets.count, &error)
        #expect(offered == Int32(HAWSER_E_TABLE))
        #expect(error.word == "unsupported-version")
        #expect(error.text.contains(words), "\(error.text)")
    }
}
