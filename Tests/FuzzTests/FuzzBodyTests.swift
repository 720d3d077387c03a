import Foundation
import FuzzBodies
import TestPKI
import Testing

/// The bodies that are fuzzed, over their seeds, over mutations of these, and over every input that once
/// found something.
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
        var random = SplitMix(state: 0x5EED)
        let rounds = ProcessInfo.processInfo.environment["HAWSER_FULL"] == "1" ? 4_000 : 60
        for seed in body.seeds {
            for _ in 0..<rounds {
                var bytes = seed
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    FuzzBodyTests.mutate(&bytes, &random)
                }
                body.run(bytes)
            }
        }
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes.remove(at: place)
        case 3: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        default: bytes.removeSubrange(place...)
        }
    }
}
