import Foundation
import TestPKI
import Testing

/// What `explain` is told because it cannot see it: checks of programs, and a request without TLS.
@Suite("hawser explain, with assumptions")
struct AssumptionTests {
    private static let leaf = Workshop.issuing.issueLeaf(dns: ["custom.acme.example"])

    private func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write(
            "unit/policy.yaml",
            Workshop.policy + """
                  custom:
                    hosts:
                      - "custom.acme.example"
                    anchors: [acme]
                    checks: [device-attestation]
                  plain:
                    hosts:
                      - "plain.acme.example"
                    anchors: [acme]
                    waivers:
                      cleartext: { reason: "lab rig", owner: qa, until: 2027-01-31 }

                """)
        try workshop.write("custom.pem", AssumptionTests.leaf.pem + Workshop.issuing.pem)
        return workshop
    }

    private static let question = [
        "explain", "custom.acme.example", "--policy", "unit", "--chain", "custom.pem", "--at",
        "2026-06-01",
    ]

    @Test("a check passes or fails as it is assumed", arguments: [("pass", Int32(0)), ("fail", 1)])
    func assume(_ outcome: String, _ status: Int32) throws {
        let run = try workshop().run(
            AssumptionTests.question + ["--assume", "device-attestation=\(outcome)"])
        try expectGolden("explain-assume-\(outcome)", run)
        #expect(run.status == status)
        #expect(run.output.contains("check `device-attestation` is assumed to \(outcome)"))
    }

    @Test("a check of which nothing is said is no reason to guess")
    func notAssumed() throws {
        let run = try workshop().run(AssumptionTests.question)
        try expectGolden("explain-assume-missing", run)
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.error.contains("`--assume device-attestation=pass`"))
    }

    @Test("the checks of other rules need no assumption")
    func otherRule() throws {
        let run = try workshop().run(
            "explain", "api.acme.example", "--policy", "unit", "--chain", "chain.pem", "--at",
            "2026-06-01")
        #expect(run.status == 0)
    }

    @Test(
        "an assumption that cannot be one ends with 2",
        arguments: [
            (["--assume", "device-attestation"], "--assume NAME=pass"),
            (["--assume", "device-attestation=maybe"], "--assume NAME=pass"),
            (["--assume", "=pass"], "--assume NAME=pass"),
            (["--assume", "device-attestatoin=pass"], "did you mean `device-attestation`?"),
            (
                ["--assume", "device-attestation=pass", "--assume", "device-attestation=fail"],
                "choose one"
            ),
            (["--cleartext"], "shows no chain"),
        ])
    func unusable(_ options: [String], _ part: String) throws {
        let run = try workshop().run(AssumptionTests.question + options)
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.error.contains(part))
    }

    @Test(
        "a request without TLS passes only by its waiver",
        arguments: [("plain", Int32(0)), ("api", 1)])
    func cleartext(_ host: String, _ status: Int32) throws {
        let question = [
            "explain", "\(host).acme.example", "--policy", "unit", "--cleartext", "--at",
            "2026-06-01",
        ]
        let run = try workshop().run(question)
        try expectGolden("explain-cleartext-\(host)", run)
        #expect(run.status == status)
        let assumed = try workshop().run(question + ["--tls-version", "tls1.3"])
        #expect(assumed.status == 2)
        #expect(assumed.error.contains("`--tls-version`"))
    }
}
