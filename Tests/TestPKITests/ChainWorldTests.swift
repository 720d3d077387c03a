import ConformanceCases
import Foundation
import LibCrypto
import PrivatePKIShapes
import TestPKI
import Testing
import TrustEngine

@Suite("random worlds of certificates")
struct ChainWorldTests {
    /// What a test mints; a twentieth of what `Tests/Differential/worlds.sh` judges.
    private static let worlds = (0..<400).map { ChainWorld(number: $0, seed: 53) }

    @Test("the same number under the same seed is the same world, octet for octet")
    func determinism() throws {
        for number in [0, 7, 399] {
            let line = try ChainWorld(number: number, seed: 53).line()
            #expect(try ChainWorldTests.worlds[number].line() == line)
            #expect(try ChainWorld(number: number, seed: 54).line() != line)
        }
    }

    @Test("every kind of thing is drawn, each in some worlds and in none of others")
    func variety() {
        let beginnings = [
            "tower: ", "way: ", "CRL of the ", "name: ", "host: ", "time: ", "question: CRLs",
            "question: for clients", "question: certificate policies", "root: permits ",
            "root: excludes ", "intermediate: permits ", "intermediate: policies ",
            "intermediate: a path length that is too short", "root: policyConstraints",
        ]
        for beginning in beginnings {
            let count = ChainWorldTests.worlds.count { world in
                world.facts.contains { $0.hasPrefix(beginning) }
            }
            #expect(count > 0, "\(beginning)")
            #expect(count * 4 < ChainWorldTests.worlds.count * 3, "\(beginning)")
        }
        let loops = ChainWorldTests.worlds.count { world in
            world.facts.contains { $0.hasPrefix("way: ") && $0.contains("an authority below") }
        }
        #expect(loops > 0)
    }

    @Test("a certificate that is said to be signed with SHA-1 is")
    func weakHash() throws {
        let algorithm = Data(DER.oid("1.2.840.10045.4.1"))
        var count = 0
        for world in ChainWorldTests.worlds
        where world.facts.contains(where: {
            $0.hasPrefix("way: ") && $0.contains("signed with SHA-1")
        }) {
            let vector = try ConformanceCase(json: world.line())
            #expect(vector.bag.contains { Data($0).range(of: algorithm) != nil }, "\(vector.id)")
            count += 1
        }
        #expect(count > 0)
    }

    /// `mint-worlds` puts the policy of each world into one table, and `audit` judges by it. The
    /// runner of vectors is asked the same.
    @Test("the policy of a world judges as the runner of vectors does; some worlds are accepted")
    func verdicts() throws {
        let crypto = LibCryptoBackend()
        var accepts = 0
        for world in ChainWorldTests.worlds {
            let vector = try ConformanceCase(json: world.line())
            let table = PolicyTable.encode(
                try PreparedCase.policy(of: vector), provenance: nil, crypto: crypto)
            let engine = try Engine(
                table: PolicyTable(decoding: table.bytes, crypto: crypto), inputs: EngineInputs(),
                crypto: crypto, workLimit: Engine.standardWorkLimit, overrides: EngineOverrides())
            let prepared = try PreparedCase(vector, CaseTerms(issuance: .report))
            let verdict = engine.evaluate(prepared.request)
            let other = prepared.engine.evaluate(prepared.request)
            #expect(verdict.isAccept == other.isAccept, "\(vector.id)")
            #expect(verdict.violations.map(\.id) == other.violations.map(\.id), "\(vector.id)")
            if verdict.isAccept { accepts += 1 }
        }
        #expect((40...360).contains(accepts))
    }

    @Test("a case that no policy can say has none")
    func noPolicy() throws {
        var line = try #require(
            JSONSerialization.jsonObject(with: ChainWorldTests.worlds[0].line())
                as? [String: Any])
        line["features"] = ["rsa-1024"]
        let vector = try ConformanceCase(json: JSONSerialization.data(withJSONObject: line))
        #expect(throws: CaseProblem.self) { try PreparedCase.policy(of: vector) }
    }
}
