import Hawser
import HawserYAML
import TestPKI
import Testing
import TrustEngine

let crypto = EngineLoader.makeBackend()

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

    @Test func aPolicyThatNamesACheckNeedsAProgramThatRegistersIt() throws {
        let folder = try TemporaryFolder()
        let root = Scenario().root("Root", key: .p256("registered-checks-root"))
        try folder.write(
            "policy.yaml",
            """
            hawser: 1
            default:
              anchors: [corp]
              checks: [attestation]
            anchors:
              corp: { files: [root.pem] }

            """)
        try folder.write("root.pem", root.pem)
        let leaf = root.issueLeaf(dns: ["a.example"])
        let request = TrustRequest(
            host: "a.example", port: 443, presentedChain: [leaf.der], time: Scenario.judgedAt,
            tls: .observed(TLSParameters(version: .tls13)))
        for (answer, isAccept) in [
            (CustomCheck.Answer.pass, true), (.fail(reason: "no attestation"), false),
        ] {
            let policy = try TrustPolicy.load(
                folder.path, checks: ["attestation": CustomCheck { _ in answer }])
            #expect(policy.engine.evaluate(request).isAccept == isAccept)
        }
        do throws(TrustPolicyError) {
            _ = try TrustPolicy.load(folder.path)
            Issue.record("it loaded without the check")
        } catch {
            #expect(error.code == .inputsMissing)
            #expect(error.context.contains("`attestation`"))
        }
    }

    @Test func aPolicyThatNamesSystemNeedsAStore() throws {
        let folder = try TemporaryFolder()
        try folder.write("policy.yaml", "hawser: 1\ndefault:\n  anchors: [system]\n")
        #expect(failure(folder.path)?.code == .inputsMissing)
        #expect(
            failure(folder.path, EngineInputs(systemStore: [[0x30, 0x00]]))?.code == .inputsMissing)
    }
}
