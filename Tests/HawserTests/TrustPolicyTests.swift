import Hawser
import HawserYAML
import Testing
import TrustEngine

let crypto = EngineLoader.crypto

/// Policies loaded by a program from YAML.
@Suite struct TrustPolicyTests {
    private func failure(
        _ path: String, _ inputs: EngineInputs = EngineInputs()
    ) -> TrustPolicyError? {
        do throws(TrustPolicyError) {
            _ = try TrustPolicy.load(path, inputs: inputs)
            return nil
        } catch {
            return error
        }
    }

    @Test func aPolicyLoadsAndJudges() throws {
        let folder = try TemporaryFolder()
        try folder.write("policy.yaml", "hawser: 1\ndefault: deny\n")
        let policy = try TrustPolicy.load(folder.path)
        #expect(policy.findings == [])
        let verdict = policy.engine.evaluate(
            TrustRequest(
                host: "a.example", port: 443, presentedChain: [],
                time: UTCInstant(secondsSinceEpoch: 0),
                tls: .notSupplied))
        #expect(!verdict.isAccept)
        #expect(policy.engine.systemStoreDigest == nil)
    }

    @Test func aPolicyWithErrorsDoesNotLoadAndSaysWhere() throws {
        let folder = try TemporaryFolder()
        try folder.write("policy.yaml", "hawser: 1\ndefault: deny\n")
        try folder.write("more.policy.yaml", "hawser: 1\nrulez:\n  a: b\n")
        let error = try #require(failure(folder.path))
        #expect(error.code == .policyRefused)
        #expect(error.context.hasSuffix("has 1 error"))
        let finding = try #require(error.findings.first)
        #expect(finding.severity == .error)
        #expect(finding.file == "more.policy.yaml")
        #expect(finding.line == 2)
        #expect(finding.column == 1)
        #expect(finding.message.contains("`rulez`"))
        #expect(finding.code.hasPrefix("HW"))
    }

    @Test func aMisnamedFileIsAFindingWithItsName() throws {
        let folder = try TemporaryFolder()
        try folder.write("policy.yaml", "hawser: 1\ndefault: deny\n")
        try folder.write("more.policy.yml", "hawser: 1\n")
        let error = try #require(failure(folder.path))
        #expect(error.findings.map(\.file) == ["more.policy.yml"])
    }

    @Test func aFolderWithoutPolicyIsNoUnit() throws {
        let folder = try TemporaryFolder()
        #expect(failure(folder.path)?.code == .noUnit)
    }

    @Test func aPolicyThatNamesSystemNeedsAStore() throws {
        let folder = try TemporaryFolder()
        try folder.write("policy.yaml", "hawser: 1\ndefault:\n  anchors: [system]\n")
        #expect(failure(folder.path)?.code == .inputsMissing)
        #expect(
            failure(folder.path, EngineInputs(systemStore: [[0x30, 0x00]]))?.code == .inputsMissing)
    }
}
