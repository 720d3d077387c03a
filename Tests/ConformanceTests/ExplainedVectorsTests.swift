import ConformanceCases
import Foundation
import PolicyTools
import Rendering
import Testing
import TrustEngine

/// Vectors on which other validators go wrong (`Tests/Differential/disagreements.md`), explained:
/// the rule that decides is named with its section. `Tests/Conformance/explained.txt` is what
/// `explain` says of each.
@Suite struct ExplainedVectorsTests {
    /// Who is wrong, and what decides here.
    private struct Row {
        let id: String
        let peers: String
        /// What the decisive line holds.
        let deciding: String
    }

    private static let rows = [
        Row(
            id: "cve::cve-2025-61727", peers: "libcrypto and swift-certificates accept",
            deciding: "FAILED name constraints: `*.example.com` in `CN=example.com`"),
        Row(
            id: "rfc5280::nc::permitted-self-issued", peers: "swift-certificates rejects",
            deciding: "name constraints"),
        Row(
            id: "rfc5280::nc::nc-forbids-same-chain-ica", peers: "libcrypto rejects",
            deciding: "name constraints"),
        Row(
            id: "bettertls::pathbuilding::tc50",
            peers: "libcrypto does not come back from the branch that name constraints forbid",
            deciding: "CN=EE → CN=B → CN=C → CN=A → anchor"),
        Row(
            id: "bettertls::pathbuilding::tc5", peers: "swift-certificates accepts",
            deciding: "RFC 5280 §4.2.1.12"),
        Row(
            id: "boringssl::verify-chain/root-lacks-keycertsign-key-usage/ta-with-constraints",
            peers: "swift-certificates accepts", deciding: "FAILED key usage"),
        Row(
            id: "boringssl::verify-chain/policies-on-root-wrong/ta-with-constraints",
            peers: "libcrypto accepts", deciding: "FAILED certificate policies"),
        Row(
            id: "boringssl::crl/invalid_idp_empty_sequence", peers: "libcrypto accepts",
            deciding: "the CRL cannot be read: `issuingDistributionPoint`"),
        Row(
            id: "webpki::san::public-suffix-multi-label-wildcard-san",
            peers: "libcrypto and swift-certificates accept", deciding: "BR §3.2.2.6"),
        Row(
            id: "boringssl::verify-chain/many-names/toomany-dns-excluded",
            peers: "swift-certificates accepts", deciding: "25000 cost units"),
    ]

    private static let here = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let vectors = here.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/conformance/cases").path
    private static let areThere = FileManager.default.fileExists(atPath: vectors)

    @Test(
        "ten vectors that others get wrong, explained",
        .enabled(if: areThere, "no public vectors beside the checkout"))
    func explained() throws {
        var texts: [String: String] = [:]
        for file in try CaseReader.files(at: [ExplainedVectorsTests.vectors]) {
            try CaseReader.read(file) { vector in
                guard let row = ExplainedVectorsTests.rows.first(where: { $0.id == vector.id })
                else { return }
                let prepared = try PreparedCase(vector)
                let text = ExplainDocument.text(prepared.explanation)
                let whole = ExplainDocument.text(
                    prepared.explanation, ExplainDocument.Options(detail: .everything),
                    columns: 10_000
                ).split { $0 == " " }.joined(separator: " ")
                #expect(whole.contains(row.deciding), "\(row.id)\n\(whole)")
                #expect(
                    text.hasPrefix(vector.expected == .success ? "accept" : "reject"), "\(row.id)")
                texts[row.id] = "# \(row.id): \(row.peers)\n\(text)"
            }
        }
        let page = ExplainedVectorsTests.rows.compactMap { texts[$0.id] }.joined(separator: "\n")
        let golden = ExplainedVectorsTests.here.appending(path: "Conformance/explained.txt")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(page.utf8).write(to: golden)
        }
        #expect(page == (try String(contentsOf: golden, encoding: .utf8)))
    }
}
