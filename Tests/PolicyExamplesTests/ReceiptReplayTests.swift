import Hawser
import LibCrypto
import PolicyCompiler
import Testing
import TrustEngine

/// Every case of every recipe, written down as a self-contained receipt, read again, and asked
/// again of a table that does not say where it was written: the same verdict and the same trace.
@Suite struct ReceiptReplayTests {
    @Test(arguments: Recipe.all)
    func everyCaseReplaysFromItsReceipt(_ recipe: Recipe) throws {
        let crypto = LibCryptoBackend()
        let table = try #require(try recipe.compile().table)
        let bare = try PolicyTable(
            decoding: table.withoutProvenance(crypto: crypto).bytes, crypto: crypto)
        for entry in recipe.cases {
            let wanted = try entry.request()
            let inputs = try entry.inputs(wanted)
            let request = try entry.trustRequest(wanted)
            let engine = try Engine(table: table, inputs: inputs, crypto: crypto)
            let written = DecisionReceipt(
                Decision(engine.explain(request), of: request, by: PolicySnapshot(engine)),
                inputs: .selfContained(atMost: 8 << 20))
            let receipt = try DecisionReceipt(json: Array(written.json.utf8))
            #expect(receipt == written, "\(entry.name)")
            let octets = try #require(receipt.inputs)

            guard case .text(let host) = receipt.host else {
                Issue.record("\(entry.name): the host is redacted")
                continue
            }
            var asked = TrustRequest(
                host: host, port: try #require(receipt.port), presentedChain: octets.chain,
                time: receipt.time, tls: receipt.tls)
            for (piece, octets) in zip(try #require(receipt.evidence), octets.evidence) {
                let octets = try #require(octets)
                switch piece.kind {
                case .staple: asked.evidence.stapledOCSP = octets
                case .response: asked.evidence.ocspResponses.append(octets)
                case .list: asked.evidence.crls.append(octets)
                case .timestamps: asked.evidence.sctList = octets
                default: Issue.record("\(entry.name): `\(piece.kind.rawValue)`")
                }
            }
            #expect(asked == request, "\(entry.name)")
            let again = try Engine(table: bare, inputs: inputs, crypto: crypto).explain(asked)
            #expect(
                receipt.mismatches(with: asked, again.verdict, crypto: crypto) == [],
                "\(entry.name)")
            #expect(receipt.differences(from: again, crypto: crypto) == [], "\(entry.name)")
            #expect(receipt.isAccept == wanted.accepts, "\(entry.name)")
            #expect(receipt.violations.map(\.id) == wanted.violations, "\(entry.name)")
            if receipt.isAccept, receipt.reported.isEmpty { continue }
            let report = ViolationReport(
                Decision(engine.explain(request), of: request, by: PolicySnapshot(engine)),
                bestEffort: .reported)
            #expect(report.violations == wanted.violations, "\(entry.name)")
            #expect(report.reported == wanted.reported, "\(entry.name)")
        }
    }
}
