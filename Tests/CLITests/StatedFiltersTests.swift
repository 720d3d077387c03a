import Foundation
import TestPKI
import Testing
import TrustEngine

/// `crlite` and `crlite-newest` in a case of a test: the reply of filters that the test states.
@Suite("hawser test with stated replies of CRLite filters")
struct StatedFiltersTests {
    private typealias Filters = ExplainFiltersTests

    /// A unit whose rule demands a good answer of filters, with the chains of an old and of a new
    /// certificate, and of one without timestamps.
    private static func workshop(_ cases: String) throws -> Workshop {
        let workshop = try Filters.workshop([])
        try FileManager.default.removeItem(at: workshop.folder.appending(path: "filters"))
        for (name, leaf) in [
            ("plain", Filters.plain), ("new", Filters.new), ("bare", Filters.leaf([])),
        ] {
            try workshop.write("unit/\(name).pem", leaf.pem + Workshop.issuing.pem)
        }
        try workshop.write(
            "unit/policy.test.yaml", "hawser-test: 1\nat: 2026-06-01\ncases:\n" + cases)
        return workshop
    }

    private static func one(_ name: String, _ chain: String, _ lines: [String]) -> String {
        let keys = ["host: api.acme.example", "chain: \(chain).pem"] + lines
        return "  \(name):\n" + keys.map { "    \($0)\n" }.joined()
    }

    private static let undetermined =
        "expect: { verdict: reject, violations: [revocation-undetermined] }"

    @Test("each reply, its age and the grace of new certificates decide as filters do")
    func replies() throws {
        let reported = "expect: { verdict: accept, reported: [revocation-undetermined] }"
        let workshop = try Self.workshop(
            [
                Self.one("good", "plain", ["crlite: good", "expect: { verdict: accept }"]),
                Self.one(
                    "revoked", "plain",
                    ["crlite: revoked", "expect: { verdict: reject, violations: [revoked] }"]),
                Self.one("unknown-issuer", "plain", ["crlite: not-enrolled", Self.undetermined]),
                Self.one("no-filters", "plain", [Self.undetermined]),
                Self.one(
                    "stale", "plain",
                    ["crlite: good", "crlite-newest: 2026-05-24", Self.undetermined]),
                Self.one(
                    "within-the-week", "plain",
                    ["crlite: good", "crlite-newest: 2026-05-26", "expect: { verdict: accept }"]),
                Self.one(
                    "new", "new",
                    ["crlite: good", "crlite-newest: 2026-05-31T22:00:00Z", reported]),
                Self.one("uncovered", "new", ["crlite: not-covered", reported]),
                Self.one("after-grace", "plain", ["crlite: not-covered", Self.undetermined]),
                Self.one("without-timestamps", "bare", ["crlite: good", Self.undetermined]),
            ].joined())
        let run = try workshop.run("test", "unit")
        #expect(run.status == 0, "\(run.transcript)")
        #expect(run.output.hasSuffix("10 cases, 0 failed, 1 file\n"), "\(run.transcript)")
    }

    @Test("a wrong expectation and mistakes are shown at their places")
    func mistakes() throws {
        let wrong = try Self.workshop(
            Self.one("good", "plain", ["crlite: revoked", "expect: { verdict: accept }"]))
        try expectGolden("test-crlite-wrong", wrong.run("test", "unit"))
        let mistaken = try Self.workshop(
            Self.one("word", "plain", ["crlite: fine", "expect: { verdict: accept }"])
                + Self.one(
                    "alone", "plain", ["crlite-newest: 2026-05-24", "expect: { verdict: accept }"])
                + "  no-chain:\n    host: api.acme.example\n    crlite: good\n"
                + "    expect: { rule: svc }\n")
        let run = try mistaken.run("test", "unit")
        #expect(run.status == 2)
        try expectGolden("test-crlite-mistakes", run)
    }
}
