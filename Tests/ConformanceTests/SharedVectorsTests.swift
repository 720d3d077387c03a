import ConformanceCases
import Foundation
import Testing
import TrustEngine

/// The public vectors beside the checkout, held to the list of known divergences. Skipped, with a
/// word, where they are absent.
@Suite struct SharedVectorsTests {
    private static let here = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let vectors = here.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/conformance/cases").path
    private static let expectations = here.appending(path: "Conformance/expectations.json").path

    private static let areThere = FileManager.default.fileExists(atPath: vectors)

    @Test(
        "every vector comes out as expected, and its trace says the same",
        .enabled(if: areThere, "no public vectors beside the checkout"))
    func asExpected() throws {
        let expectations = try Expectations(
            json: Data(contentsOf: URL(filePath: SharedVectorsTests.expectations)))
        var seen: Set<String> = []
        for file in try CaseReader.files(at: [SharedVectorsTests.vectors]) {
            try CaseReader.read(file) { vector in
                seen.insert(vector.id)
                let result = CaseResult.of(vector, clock: { 0 })
                if let surprise = expectations.surprise(of: result) {
                    Issue.record("\(surprise.sentence); ours: \(result.reason ?? "accept")")
                }
                guard result.verdict != .declined else { return }
                let prepared = try PreparedCase(vector)
                let explained = prepared.engine.explain(prepared.request)
                #expect(explained.verdict.isAccept == (result.verdict == .accept), "\(vector.id)")
                let isReplayed = explained.verdict == explained.trace.replayedVerdict()
                #expect(isReplayed, "\(vector.id)")
            }
        }
        #expect(seen.count >= 988)
        for id in expectations.entries.keys.sorted() {
            #expect(seen.contains(id), "`\(id)` has an entry and no vector")
        }
    }

    @Test("at most five vectors are declined in all")
    func fewAreDeclined() throws {
        let expectations = try Expectations(
            json: Data(contentsOf: URL(filePath: SharedVectorsTests.expectations)))
        #expect(expectations.entries.values.filter { $0.divergence == .declined }.count <= 5)
    }
}
