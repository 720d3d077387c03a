import Foundation
import FuzzBodies
import Testing

/// Public vectors with octets changed. The long run is `fuzz mutate`; skipped, with a word, where
/// the vectors are absent.
@Suite struct MutatedVectorsTests {
    private static let vectors = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared/conformance/cases/pkits.ndjson").path

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: vectors), "no public vectors here"))
    func nothingIsFoundAndEveryRunIsTheSame() throws {
        let one = try MutatedVectors.run(
            [MutatedVectorsTests.vectors], count: 500, seed: 7, threads: 2)
        #expect(one.judged == 500)
        #expect(one.findings == [])
        let again = try MutatedVectors.run(
            [MutatedVectorsTests.vectors], count: 500, seed: 7, threads: 1)
        #expect(again.accepted == one.accepted)
    }
}
