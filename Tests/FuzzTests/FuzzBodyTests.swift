import Foundation
import FuzzBodies
import TestPKI
import Testing

/// The bodies that are fuzzed, over their seeds, over mutations of these, and over every input that
/// once found something.
@Suite struct FuzzBodyTests {
    static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fuzz/Corpus")

    @Test("seeds and the kept corpus", arguments: FuzzBody.allCases)
    func corpus(_ body: FuzzBody) throws {
        for seed in body.seeds { body.run(seed) }
        let folder = FuzzBodyTests.corpus.appending(path: body.rawValue)
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            body.run(Array(try Data(contentsOf: folder.appending(path: file))))
        }
    }

    @Test("every seed cut off and with changed octets, seed 0x5EED", arguments: FuzzBody.allCases)
    func mutations(_ body: FuzzBody) {
        let rounds = Sample.isWhole ? 4_000 : 20
        let count = rounds * body.seeds.count
        #expect(body.runChanged(seed: 0x5EED) { number, _ in number < count } == count)
    }
}
