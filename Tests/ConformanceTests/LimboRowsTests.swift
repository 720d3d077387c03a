import ConformanceCases
import Foundation
import Testing

/// The cases of limbo that are ours to keep: `Conformance/Rows/limbo.ndjson`.
@Suite struct LimboRowsTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Conformance")

    private func path(_ name: String) -> String { LimboRowsTests.folder.appending(path: name).path }

    @Test("every case of limbo comes out as expected", arguments: [[], ["--defaults"]])
    func asExpected(_ terms: [String]) {
        var output = ""
        let status = ConformanceRun.run(
            [path("Rows/limbo.ndjson")] + terms, expectations: path("expectations-limbo.json"),
            notices: path("expectations-defaults-limbo.json"), clock: { 0 },
            output: { output += $0 }, errors: { output += $0 })
        #expect(status == .asExpected, "\(output)")
        #expect(output.contains("limbo  72"), "\(output)")
    }
}
