import ConformanceCases
import Foundation
import LibCrypto
import TestPKI
import Testing
import TrustEngine

/// The public vectors beside the checkout, held to the lists of known divergences. Skipped, with a
/// word, where they are absent.
@Suite struct SharedVectorsTests {
    private static let here = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let vectors = here.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/conformance/cases").path
    private static let expectations = here.appending(path: "Conformance/expectations.json").path
    private static let notices = here.appending(path: "Conformance/expectations-defaults.json").path
    private static let revokedSites = here.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/revoked-sites/cases").path

    private static let generationY = here.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/generation-y/cases").path

    private static let mldsa = here.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/mldsa/cases").path

    private static let areThere = FileManager.default.fileExists(atPath: vectors)

    /// `.ci/run` judges the vectors in its stage `conformance`, under both terms, and asks the rest
    /// here.
    private static let areJudgedApart =
        ProcessInfo.processInfo.environment["HAWSER_VECTORS"] == "apart"

    @Test(
        "every vector comes out as expected, and its trace says the same",
        .enabled(if: areThere, "no public vectors beside the checkout"),
        .disabled(if: areJudgedApart, "the stage `conformance` judges them"))
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

    @Test(
        "memories change no verdict, trace or work: new, filled, and always full",
        .enabled(if: areThere, "no public vectors beside the checkout"))
    func withMemory() throws {
        let plain = LibCryptoBackend()
        // What one vector leaves is there when the next is judged: the same certificates under
        // other anchors, and others that differ in a few octets.
        let memory = SignatureMemory(capacity: SignatureMemory.largestCapacity)
        let small = SignatureMemory(capacity: 64)
        let remembering = RememberingBackend(plain, memory: memory)
        let full = RememberingBackend(plain, memory: small)
        var judged = 0
        var vectors: [ConformanceCase] = []
        for file in try CaseReader.files(at: [SharedVectorsTests.vectors]) {
            try CaseReader.read(file) { vectors.append($0) }
        }
        for vector in Sample.of(vectors, atMost: 250, "vectors with memory") {
            if let prepared = try? PreparedCase(vector, crypto: plain) {
                let expected = prepared.engine.explain(prepared.request)
                #expect(expected.verdict == expected.trace.replayedVerdict(), "\(vector.id)")
                // A certificate is found from the third time on that it is read.
                for backend in [remembering, remembering, remembering, full] {
                    let again = try PreparedCase(vector, crypto: backend)
                    let explained = again.engine.explain(again.request)
                    #expect(explained.verdict == expected.verdict, "\(vector.id)")
                    #expect(explained.trace == expected.trace, "\(vector.id)")
                }
                judged += 1
            }
        }
        #expect(judged * 10 >= min(vectors.count, Sample.isWhole ? .max : 250) * 9)
        #expect(memory.count > small.capacity)
        #expect(small.count == small.capacity)
    }

    @Test(
        "under the defaults, issuance alone makes the difference, and the difference is listed",
        .enabled(if: areThere, "no public vectors beside the checkout"),
        .disabled(if: areJudgedApart, "the stage `conformance` judges them"))
    func underDefaults() throws {
        let known = try Expectations(
            json: Data(contentsOf: URL(filePath: SharedVectorsTests.expectations)))
        var compared: [ComparedResult] = []
        for file in try CaseReader.files(at: [SharedVectorsTests.vectors]) {
            try CaseReader.read(file) { compared.append(.of($0, clock: { 0 })) }
        }
        var noticed: [String: Set<String>] = [:]
        for result in compared where result.isNoticedFailure {
            for demand in result.reported.breaches {
                noticed[demand, default: []].insert(result.reported.vector.id)
            }
        }
        let golden = URL(filePath: SharedVectorsTests.notices)
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try ExpectedNotices(noticed).json().write(to: golden)
        }
        let expected = try ExpectedNotices(json: Data(contentsOf: golden))
        for result in compared {
            if let surprise = expected.surprise(of: result, known: known) {
                Issue.record("\(surprise.sentence)")
            }
        }
        // An entry without a vector is seen here.
        #expect(expected.vectors == noticed)
    }

    @Test(
        "what public CAs serve is accepted under the defaults, however its root is trusted",
        .enabled(
            if: FileManager.default.fileExists(atPath: revokedSites),
            "no pack of real sites beside the checkout"),
        arguments: CaseTerms.Anchors.allCases)
    func realSites(_ anchors: CaseTerms.Anchors) throws {
        var output = ""
        let status = ConformanceRun.run(
            [SharedVectorsTests.revokedSites, "--defaults", "--anchors", anchors.rawValue],
            expectations: SharedVectorsTests.expectations, notices: SharedVectorsTests.notices,
            clock: { 0 }, output: { output += $0 }, errors: { output += $0 })
        #expect(status == .asExpected, "\(output)")
        #expect(output.contains("every case agrees"), "\(output)")
    }

    @Test(
        "a cross-sign that is revoked and issued again counts as revoked on its own paths alone",
        .enabled(
            if: FileManager.default.fileExists(atPath: generationY),
            "no pack of generation Y beside the checkout"), arguments: [[], ["--defaults"]])
    func reissuedCrossSign(_ terms: [String]) throws {
        var output = ""
        let status = ConformanceRun.run(
            [SharedVectorsTests.generationY] + terms,
            expectations: list("expectations-generation-y.json"),
            notices: SharedVectorsTests.notices, clock: { 0 }, output: { output += $0 },
            errors: { output += $0 })
        #expect(status == .asExpected, "\(output)")
        #expect(output.contains("generation-y  25   23"), "\(output)")
    }

    @Test(
        "chains, CRLs and OCSP responses of ML-DSA are judged as RFC 9881 says",
        .enabled(
            if: FileManager.default.fileExists(atPath: mldsa),
            "no pack of ML-DSA beside the checkout"), arguments: [[], ["--defaults"]])
    func mldsaChains(_ terms: [String]) throws {
        var output = ""
        let status = ConformanceRun.run(
            [SharedVectorsTests.mldsa] + terms, expectations: list("expectations-mldsa.json"),
            notices: list("expectations-defaults-mldsa.json"), clock: { 0 },
            output: { output += $0 }, errors: { output += $0 })
        #expect(status == .asExpected, "\(output)")
        #expect(output.contains("limbo-rfc9881") && output.contains("mldsa-minted"), "\(output)")
    }

    private func list(_ file: String) -> String {
        SharedVectorsTests.here.appending(path: "Conformance/\(file)").path
    }

    @Test("at most five vectors are declined in all")
    func fewAreDeclined() throws {
        let expectations = try Expectations(
            json: Data(contentsOf: URL(filePath: SharedVectorsTests.expectations)))
        #expect(expectations.entries.values.filter { $0.divergence == .declined }.count <= 5)
    }
}
